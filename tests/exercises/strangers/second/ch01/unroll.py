"""Answers to exercise ``unroll``, written from its statement alone."""

import torch
from answering import right, wrong


@wrong("the mask is never looked at")
def unroll(cell, inputs, state=None, mask=None):
    states = []
    for t in range(inputs.shape[1]):
        state = cell(inputs[:, t], state)
        states.append(state)
    return torch.stack(states, dim=1), state


@wrong("the mask is read the wrong way round: the state is kept at real tokens")
def unroll(cell, inputs, state=None, mask=None):
    states = []
    for t in range(inputs.size(1)):
        new = cell(inputs[:, t], state)
        if mask is not None:
            old = torch.zeros_like(new) if state is None else state
            new = torch.where(mask[:, t].unsqueeze(1), old, new)
        state = new
        states.append(state)
    return torch.stack(states, dim=1), state


@wrong("the list holds the state before the choice, only the kept state is masked")
def unroll(cell, inputs, state=None, mask=None):
    states = []
    for t in range(inputs.size(1)):
        new = cell(inputs[:, t], state)
        states.append(new)
        if mask is None:
            state = new
        else:
            old = torch.zeros_like(new) if state is None else state
            state = torch.where(mask[:, t].unsqueeze(1), new, old)
    return torch.stack(states, dim=1), state


@wrong("at padding the state becomes zero instead of staying")
def unroll(cell, inputs, state=None, mask=None):
    states = []
    for t in range(inputs.size(1)):
        state = cell(inputs[:, t], state)
        if mask is not None:
            state = state * mask[:, t].unsqueeze(1)
        states.append(state)
    return torch.stack(states, dim=1), state


@wrong("a given first state is thrown away")
def unroll(cell, inputs, state=None, mask=None):
    state = None
    states = []
    for t in range(inputs.size(1)):
        new = cell(inputs[:, t], state)
        if mask is not None and state is not None:
            new = torch.where(mask[:, t].unsqueeze(1), new, state)
        state = new
        states.append(state)
    return torch.stack(states, dim=1), state


@wrong("the last state is the one before the last word")
def unroll(cell, inputs, state=None, mask=None):
    states = []
    for t in range(inputs.size(1)):
        old = state
        new = cell(inputs[:, t], state)
        if mask is not None:
            keep = torch.zeros_like(new) if state is None else state
            new = torch.where(mask[:, t].unsqueeze(1), new, keep)
        state = new
        states.append(state)
    return torch.stack(states, dim=1), old


@right
def unroll(cell, inputs, state=None, mask=None):
    batch, steps, _ = inputs.shape
    found = []
    for t in range(steps):
        new = cell(inputs[:, t], state)
        if mask is not None:
            rows = []
            for b in range(batch):
                if mask[b, t]:
                    rows.append(new[b])
                elif state is None:
                    rows.append(torch.zeros_like(new[b]))
                else:
                    rows.append(state[b])
            new = torch.stack(rows)
        state = new
        found.append(state.unsqueeze(1))
    return torch.cat(found, 1), found[-1].squeeze(1)


@right
def unroll(cell, inputs, state=None, mask=None):
    if mask is None:
        mask = torch.ones(inputs.shape[:2], dtype=torch.bool)
    states = ()
    for x, m in zip(inputs.unbind(1), mask.unbind(1)):
        new = cell(x, state)
        if state is None:
            state = new * 0
        m = m.float()[:, None]
        state = m * new + (1 - m) * state
        states += (state,)
    return [torch.stack(states, 1), state]
