import torch
from answering import right, wrong


@wrong("the list gets the state before the choice, only what is handed on is masked")
def unroll(cell, inputs, state=None, mask=None):
    states = []
    for t in range(inputs.shape[1]):
        new = cell(inputs[:, t], state)
        states.append(new)
        if mask is not None:
            old = torch.zeros_like(new) if state is None else state
            new = torch.where(mask[:, t].unsqueeze(1), new, old)
        state = new
    return torch.stack(states, dim=1), state


@wrong("padding sets the state to zero instead of keeping it")
def unroll(cell, inputs, state=None, mask=None):
    states = []
    for t in range(inputs.shape[1]):
        state = cell(inputs[:, t], state)
        if mask is not None:
            state = state * mask[:, t].unsqueeze(1)
        states.append(state)
    return torch.stack(states, dim=1), state


@wrong("the two sides of where are swapped: new at padding, old at words")
def unroll(cell, inputs, state=None, mask=None):
    states = []
    for t in range(inputs.shape[1]):
        new = cell(inputs[:, t], state)
        if mask is not None:
            old = torch.zeros_like(new) if state is None else state
            new = torch.where(mask[:, t].unsqueeze(1), old, new)
        state = new
        states.append(state)
    return torch.stack(states, dim=1), state


@wrong("stacks along dimension 0, so that time comes before batch")
def unroll(cell, inputs, state=None, mask=None):
    states = []
    for t in range(inputs.shape[1]):
        new = cell(inputs[:, t], state)
        if mask is not None and state is not None:
            new = torch.where(mask[:, t].unsqueeze(1), new, state)
        state = new
        states.append(state)
    return torch.stack(states), state


@wrong("the given starting state is thrown away and zeros are taken")
def unroll(cell, inputs, state=None, mask=None):
    states = []
    state = None
    for t in range(inputs.shape[1]):
        new = cell(inputs[:, t], state)
        if mask is not None:
            old = torch.zeros_like(new) if state is None else state
            new = torch.where(mask[:, t].unsqueeze(1), new, old)
        state = new
        states.append(new)
    return torch.stack(states, dim=1), state


@wrong("the cell always gets the first state: the state is never handed on")
def unroll(cell, inputs, state=None, mask=None):
    states = []
    for t in range(inputs.shape[1]):
        new = cell(inputs[:, t], state)
        if mask is not None:
            old = states[-1] if states else (torch.zeros_like(new) if state is None else state)
            new = torch.where(mask[:, t].unsqueeze(1), new, old)
        states.append(new)
    return torch.stack(states, dim=1), states[-1]


@wrong("the last state is taken from what the cell made in the last column, padding or not")
def unroll(cell, inputs, state=None, mask=None):
    states = []
    for t in range(inputs.shape[1]):
        new = cell(inputs[:, t], state)
        old = torch.zeros_like(new) if state is None else state
        state = new if mask is None else torch.where(mask[:, t].unsqueeze(1), new, old)
        states.append(state)
    return torch.stack(states, dim=1), new


@wrong("the first word is read twice, since the zeros for the first state are made by a call")
def unroll(cell, inputs, state=None, mask=None):
    if state is None:
        state = cell(inputs[:, 0], None)
    states = []
    for t in range(inputs.shape[1]):
        new = cell(inputs[:, t], state)
        if mask is not None:
            new = torch.where(mask[:, t].unsqueeze(1), new, state)
        state = new
        states.append(state)
    return torch.stack(states, dim=1), state


@wrong("stops the whole batch at the first column in which any sentence is padding")
def unroll(cell, inputs, state=None, mask=None):
    states = []
    for t in range(inputs.shape[1]):
        if mask is not None and not mask[:, t].all():
            states.append(state)
            continue
        state = cell(inputs[:, t], state)
        states.append(state)
    return torch.stack(states, dim=1), state


@right
def unroll(cell, inputs, state=None, mask=None):
    B, T, _ = inputs.shape
    table = []
    now = state
    for t in range(T):
        after = cell(inputs[:, t, :], now)
        if mask is not None:
            before = after.new_zeros(after.shape) if now is None else now
            rows = [after[b] if bool(mask[b, t]) else before[b] for b in range(B)]
            after = torch.stack(rows)
        now = after
        table.append(now.unsqueeze(1))
    return torch.cat(table, dim=1), now


@right
def unroll(cell, inputs, state=None, mask=None):
    if mask is None:
        mask = torch.ones(inputs.shape[:2], dtype=torch.bool)
    states = []
    for word, real in zip(inputs.unbind(1), mask.unbind(1)):
        new = cell(word, state)
        keep = real[:, None].to(new.dtype)
        state = keep * new if state is None else keep * new + (1 - keep) * state
        states.append(state)
    return torch.stack(states, 1), states[-1]
