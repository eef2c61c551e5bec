"""Answers to exercise ``unroll``, as learners write them."""

import torch
from answering import wrong


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
