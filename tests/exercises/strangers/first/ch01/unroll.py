"""Answers to exercise ``unroll``, written from its statement alone."""

import torch
from answering import right, wrong


@wrong("the mask the wrong way round: real words are skipped")
def unroll(cell, inputs, state=None, mask=None):
    states = []
    for t in range(inputs.shape[1]):
        new = cell(inputs[:, t], state)
        if mask is not None:
            old = torch.zeros_like(new) if state is None else state
            new = torch.where(mask[:, t].unsqueeze(1), old, new)
        states.append(new)
        state = new
    return torch.stack(states, dim=1), state


@wrong("the state becomes zero at padding")
def unroll(cell, inputs, state=None, mask=None):
    states = []
    for t in range(inputs.shape[1]):
        state = cell(inputs[:, t], state)
        if mask is not None:
            state = state * mask[:, t].unsqueeze(1)
        states.append(state)
    return torch.stack(states, dim=1), state


@wrong("the mask is never looked at")
def unroll(cell, inputs, state=None, mask=None):
    states = []
    for t in range(inputs.shape[1]):
        state = cell(inputs[:, t], state)
        states.append(state)
    return torch.stack(states, dim=1), state


@wrong("the list gets what the cell said, before the choice")
def unroll(cell, inputs, state=None, mask=None):
    states = []
    for t in range(inputs.shape[1]):
        new = cell(inputs[:, t], state)
        states.append(new)
        if mask is None:
            state = new
        else:
            old = torch.zeros_like(new) if state is None else state
            state = torch.where(mask[:, t].unsqueeze(1), new, old)
    return torch.stack(states, dim=1), state


@wrong("the last state returned is the cell's, not the kept one")
def unroll(cell, inputs, state=None, mask=None):
    states = []
    for t in range(inputs.shape[1]):
        new = cell(inputs[:, t], state)
        kept = new
        if mask is not None:
            old = torch.zeros_like(new) if state is None else state
            kept = torch.where(mask[:, t].unsqueeze(1), new, old)
        states.append(kept)
        state = kept
    return torch.stack(states, dim=1), new


@wrong("stops for everybody at the first padding of anybody")
def unroll(cell, inputs, state=None, mask=None):
    states = []
    for t in range(inputs.shape[1]):
        if mask is None or mask[:, t].all():
            state = cell(inputs[:, t], state)
        states.append(state)
    return torch.stack(states, dim=1), state


@wrong("time is stacked first")
def unroll(cell, inputs, state=None, mask=None):
    states = []
    for t in range(inputs.shape[1]):
        new = cell(inputs[:, t], state)
        if mask is not None:
            old = torch.zeros_like(new) if state is None else state
            new = torch.where(mask[:, t].unsqueeze(1), new, old)
        states.append(new)
        state = new
    return torch.stack(states), state


@wrong("the state that is passed in is overwritten with None")
def unroll(cell, inputs, state=None, mask=None):
    states, state = [], None
    for t in range(inputs.shape[1]):
        new = cell(inputs[:, t], state)
        if mask is not None and state is not None:
            new = torch.where(mask[:, t].unsqueeze(1), new, state)
        states.append(new)
        state = new
    return torch.stack(states, dim=1), state


@wrong("the first column is taken for real even where the mask says no")
def unroll(cell, inputs, state=None, mask=None):
    states = [cell(inputs[:, 0], state)]
    for t in range(1, inputs.shape[1]):
        new = cell(inputs[:, t], states[-1])
        if mask is not None:
            new = torch.where(mask[:, t].unsqueeze(1), new, states[-1])
        states.append(new)
    return torch.stack(states, dim=1), states[-1]


@wrong("the state is not carried on: every word starts afresh")
def unroll(cell, inputs, state=None, mask=None):
    states = []
    last = state
    for t in range(inputs.shape[1]):
        new = cell(inputs[:, t], state)
        if mask is not None:
            old = torch.zeros_like(new) if last is None else last
            new = torch.where(mask[:, t].unsqueeze(1), new, old)
        states.append(new)
        last = new
    return torch.stack(states, dim=1), last


@wrong("the gradient ends after one step")
def unroll(cell, inputs, state=None, mask=None):
    states = []
    for t in range(inputs.shape[1]):
        new = cell(inputs[:, t], state)
        if mask is not None:
            old = torch.zeros_like(new) if state is None else state
            new = torch.where(mask[:, t].unsqueeze(1), new, old)
        states.append(new)
        state = new.detach()
    return torch.stack(states, dim=1), states[-1]


@wrong("the last word is not read")
def unroll(cell, inputs, state=None, mask=None):
    states = []
    for t in range(inputs.shape[1] - 1):
        new = cell(inputs[:, t], state)
        if mask is not None:
            old = torch.zeros_like(new) if state is None else state
            new = torch.where(mask[:, t].unsqueeze(1), new, old)
        states.append(new)
        state = new
    states.append(state)
    return torch.stack(states, dim=1), state


@right
def unroll(cell, inputs, state=None, mask=None):
    if mask is None:
        mask = torch.ones(inputs.shape[:2], dtype=torch.bool)
    states = []
    for t in range(inputs.shape[1]):
        new = cell(inputs[:, t], state)
        old = 0 * new if state is None else state
        keep = mask[:, t, None].to(new.dtype)
        state = keep * new + (1 - keep) * old
        states.append(state)
    states = torch.stack(states, dim=1)
    return states, states[:, -1]


@right
def unroll(cell, inputs, state=None, mask=None):
    def read(t, state):
        if t == inputs.shape[1]:
            return []
        new = cell(inputs[:, t], state)
        if mask is not None:
            old = torch.zeros_like(new) if state is None else state
            new = torch.stack([n if m else o for n, o, m in zip(new, old, mask[:, t])])
        return [new] + read(t + 1, new)

    states = read(0, state)
    return [torch.stack(states, dim=1), states[-1]]


@right
def unroll(cell, inputs, state=None, mask=None):
    if state is None:
        state = torch.zeros_like(cell(inputs[:, 0], None))
    rows = []
    for b in range(len(inputs)):
        mine, row = state[b : b + 1], []
        for t in range(inputs.shape[1]):
            if mask is None or bool(mask[b, t]):
                mine = cell(inputs[b : b + 1, t], mine)
            row.append(mine[0])
        rows.append(torch.stack(row))
    states = torch.stack(rows)
    return states, states[:, -1]
