"""Answers to exercise ``unroll``, as learners write them."""

import torch
from answering import right, wrong


@wrong("The mask is not used")
def unroll(cell, inputs, state=None, mask=None):
    out = []
    for x in inputs.unbind(1):
        state = cell(x, state)
        out.append(state)
    return torch.stack(out, 1), state


@wrong("The mask is the wrong way round")
def unroll(cell, inputs, state=None, mask=None):
    out = []
    for t in range(inputs.size(1)):
        new = cell(inputs[:, t], state)
        if mask is not None:
            old = state if state is not None else new * 0
            m = mask[:, t, None]
            new = torch.where(m, old, new)
        state = new
        out.append(new)
    return torch.stack(out, 1), out[-1]


@wrong("At padding the state becomes zero")
def unroll(cell, inputs, state=None, mask=None):
    out = []
    for t in range(inputs.size(1)):
        state = cell(inputs[:, t], state)
        if mask is not None:
            state = state * mask[:, t].unsqueeze(1)
        out.append(state)
    return torch.stack(out, 1), state


@wrong("every word starts from the state at the beginning")
def unroll(cell, inputs, state=None, mask=None):
    out, last = [], None
    for t in range(inputs.size(1)):
        last = cell(inputs[:, t], state)
        if mask is not None:
            old = torch.zeros_like(last) if state is None else state
            last = torch.where(mask[:, t][:, None], last, old)
        out.append(last)
    return torch.stack(out, 1), last


@wrong("The state that was given is not used")
def unroll(cell, inputs, state=None, mask=None):
    state, out = None, []
    for t in range(inputs.size(1)):
        new = cell(inputs[:, t], state)
        if mask is not None and state is not None:
            new = torch.where(mask[:, t][:, None], new, state)
        state = new
        out.append(new)
    return torch.stack(out, 1), state


@wrong("from before the choice")
def unroll(cell, inputs, state=None, mask=None):
    out = []
    for t in range(inputs.size(1)):
        new = cell(inputs[:, t], state)
        out.append(new)
        if mask is not None and state is not None:
            new = torch.where(mask[:, t][:, None], new, state)
        state = new
    return torch.stack(out, 1), state


@wrong("Are two dimensions swapped?")
def unroll(cell, inputs, state=None, mask=None):
    out = []
    for t in range(inputs.size(1)):
        new = cell(inputs[:, t], state)
        if mask is not None and state is not None:
            new = torch.where(mask[:, t][:, None], new, state)
        state = new
        out.append(new)
    return torch.stack(out), state


@wrong("The last of the states and the last state differ")
def unroll(cell, inputs, state=None, mask=None):
    out = []
    for t in range(inputs.size(1)):
        state = cell(inputs[:, t], state)
        out.append(state)
    out = torch.stack(out, 1)
    if mask is None:
        return out, state
    return out, out[torch.arange(len(out)), mask.sum(1) - 1]


@wrong("The last state is the cell's, from before the choice:")
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


@wrong("As soon as one sentence has ended nothing more is read of any:")
def unroll(cell, inputs, state=None, mask=None):
    states = []
    for t in range(inputs.shape[1]):
        if mask is None or mask[:, t].all():
            state = cell(inputs[:, t], state)
        states.append(state)
    return torch.stack(states, dim=1), state


@wrong("The states come with time first, (T, B, H).")
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


@wrong("The first word is read even where the mask says that it is padding:")
def unroll(cell, inputs, state=None, mask=None):
    states = [cell(inputs[:, 0], state)]
    for t in range(1, inputs.shape[1]):
        new = cell(inputs[:, t], states[-1])
        if mask is not None:
            new = torch.where(mask[:, t].unsqueeze(1), new, states[-1])
        states.append(new)
    return torch.stack(states, dim=1), states[-1]


@wrong("The state is not handed on:")
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


@wrong("The state that is handed on carries no gradient back to the words")
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


@wrong("The last word is not read.")
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


@wrong("time is dimension 1, and step t reads inputs[:, t]")
def unroll(cell, inputs, state=None, mask=None):
    states = []
    for x in inputs:
        state = cell(x, state)
        states.append(state)
    return torch.stack(states), state
