"""Answers to exercise ``lstm_reach``, as learners write them."""

import torch
from answering import right, wrong


@wrong("The list runs from the first step to the last")
def lstm_reach(step, inputs, state):
    import torch

    hs, cs = [], []
    for t in range(inputs.size(1)):
        h, c = step(inputs[:, t], state)
        state = (h, c)
        hs.append(h)
        cs.append(c)
    gs = torch.autograd.grad(hs[-1].sum(), cs)
    r = torch.tensor([float(g.norm()) for g in reversed(gs)])
    return (r / r[0]).flip(0)


@wrong("These are the bare lengths")
def lstm_reach(step, inputs, state):
    import torch

    hs, cs = [], []
    for t in range(inputs.size(1)):
        h, c = step(inputs[:, t], state)
        state = (h, c)
        hs.append(h)
        cs.append(c)
    gs = torch.autograd.grad(hs[-1].sum(), cs)
    r = torch.tensor([float(g.norm()) for g in reversed(gs)])
    return r


@wrong("with respect to the hidden states")
def lstm_reach(step, inputs, state):
    import torch

    hs, cs = [], []
    for t in range(inputs.size(1)):
        h, c = step(inputs[:, t], state)
        state = (h, c)
        hs.append(h)
        cs.append(c)
    gs = torch.autograd.grad(h.sum(), hs)
    r = torch.tensor([float(g.norm()) for g in reversed(gs)])
    return r / r[0]


@wrong("These are squares of lengths")
def lstm_reach(step, inputs, state):
    import torch

    hs, cs = [], []
    for t in range(inputs.size(1)):
        h, c = step(inputs[:, t], state)
        state = (h, c)
        hs.append(h)
        cs.append(c)
    gs = torch.autograd.grad(hs[-1].sum(), cs)
    r = torch.stack([(g * g).sum() for g in gs[::-1]])
    return r / r[0]


@wrong("The hidden states of all steps")
def lstm_reach(step, inputs, state):
    import torch

    hs, cs = [], []
    for t in range(inputs.size(1)):
        h, c = step(inputs[:, t], state)
        state = (h, c)
        hs.append(h)
        cs.append(c)
    gs = torch.autograd.grad(torch.stack(hs).sum(), cs)
    r = torch.tensor([float(g.norm()) for g in reversed(gs)])
    return r / r[0]


@wrong("by the largest of them")
def lstm_reach(step, inputs, state):
    import torch

    hs, cs = [], []
    for t in range(inputs.size(1)):
        h, c = step(inputs[:, t], state)
        state = (h, c)
        hs.append(h)
        cs.append(c)
    gs = torch.autograd.grad(hs[-1].sum(), cs)
    r = torch.tensor([float(g.norm()) for g in reversed(gs)])
    return r / max(r)


@wrong("by the length at the first step")
def lstm_reach(step, inputs, state):
    import torch

    hs, cs = [], []
    for t in range(inputs.size(1)):
        h, c = step(inputs[:, t], state)
        state = (h, c)
        hs.append(h)
        cs.append(c)
    gs = torch.autograd.grad(hs[-1].sum(), cs)
    r = torch.tensor([float(g.norm()) for g in reversed(gs)])
    return r / r[-1]


@wrong("The gradient of the last *cell* state is taken.")
def lstm_reach(step, inputs, state):
    cells = []
    for t in range(inputs.shape[1]):
        state = step(inputs[:, t], state)
        cells.append(state[1])
    grads = torch.autograd.grad(state[1].sum(), cells)
    sizes = torch.stack([g.norm() for g in grads]).flip(0)
    return sizes / sizes[0]


@wrong("Only the road along the memory counts here:")
def lstm_reach(step, inputs, state):
    cells = []
    hidden, cell = state
    for t in range(inputs.shape[1]):
        hidden, cell = step(inputs[:, t], (hidden.detach(), cell))
        cells.append(cell)
    grads = torch.autograd.grad(hidden.sum(), cells)
    sizes = torch.stack([g.norm() for g in grads]).flip(0)
    return sizes / sizes[0]


@wrong("The state that was given is not used:")
def lstm_reach(step, inputs, state):
    state = (torch.zeros_like(state[0]), torch.zeros_like(state[1]))
    cells = []
    for t in range(inputs.shape[1]):
        state = step(inputs[:, t], state)
        cells.append(state[1])
    grads = torch.autograd.grad(state[0].sum(), cells)
    sizes = torch.stack([g.norm() for g in grads]).flip(0)
    return sizes / sizes[0]


@wrong("Only the first sentence counts here.")
def lstm_reach(step, inputs, state):
    cells = []
    for t in range(inputs.shape[1]):
        state = step(inputs[:, t], state)
        cells.append(state[1])
    grads = torch.autograd.grad(state[0].sum(), cells)
    sizes = torch.stack([g[0].norm() for g in grads]).flip(0)
    return sizes / sizes[0]


@wrong("The state that was given comes first as well:")
def lstm_reach(step, inputs, state):
    state = (state[0], state[1].detach().requires_grad_())
    cells = [state[1]]
    for t in range(inputs.shape[1]):
        state = step(inputs[:, t], state)
        cells.append(state[1])
    grads = torch.autograd.grad(state[0].sum(), cells)
    sizes = torch.stack([g.norm() for g in grads]).flip(0)
    return sizes / sizes[0]


@wrong("This goes over the sentences of the batch.")
def lstm_reach(step, inputs, state):
    cells = []
    for x in inputs:
        state = step(x, state)
        cells.append(state[1])
    grads = torch.autograd.grad(state[0].sum(), cells)
    sizes = torch.stack([g.norm() for g in grads]).flip(0)
    return sizes / sizes[0]


@wrong("The numbers of a gradient are added up, so that signs cancel.")
def lstm_reach(step, inputs, state):
    cells = []
    for t in range(inputs.shape[1]):
        state = step(inputs[:, t], state)
        cells.append(state[1])
    grads = torch.autograd.grad(state[0].sum(), cells)
    sizes = torch.stack([g.sum().abs() for g in grads]).flip(0)
    return sizes / sizes[0]


@wrong("Each is divided by the one before it.")
def lstm_reach(step, inputs, state):
    cells = []
    for t in range(inputs.shape[1]):
        state = step(inputs[:, t], state)
        cells.append(state[1])
    grads = torch.autograd.grad(state[0].sum(), cells)
    sizes = torch.stack([g.norm() for g in grads]).flip(0)
    return torch.cat([sizes.new_ones(1), sizes[1:] / sizes[:-1]])


@right
def lstm_reach(step, inputs, state):
    cells = []
    for x in inputs.unbind(dim=1):
        hidden, cell = step(x, state)
        cell.retain_grad()
        cells.append(cell)
        state = (hidden, cell)
    hidden.sum().backward()
    lengths = [cell.grad.norm().item() for cell in reversed(cells)]
    return torch.tensor(lengths) / lengths[0]


@right
def lstm_reach(step, inputs, state):
    T = inputs.shape[1]
    states = [state]
    for t in range(T):
        states.append(step(inputs[:, t], states[-1]))
    total = states[-1][0].sum()
    result = []
    for d in range(T):
        gradient = torch.autograd.grad(total, states[T - d][1], retain_graph=True)[0]
        result.append(torch.sqrt((gradient * gradient).sum()))
    return torch.stack(result) / result[0]
