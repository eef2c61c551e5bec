"""Answers to exercise ``lstm_reach``, written from its statement alone."""

import torch
from answering import right, wrong


@wrong("the list from the front: c_1 comes first")
def lstm_reach(step, inputs, state):
    cells = []
    for t in range(inputs.shape[1]):
        state = step(inputs[:, t], state)
        cells.append(state[1])
    grads = torch.autograd.grad(state[0].sum(), cells)
    sizes = torch.stack([g.norm() for g in grads])
    return sizes / sizes[-1]


@wrong("gradients at the hidden states, not at the memories")
def lstm_reach(step, inputs, state):
    hiddens = []
    for t in range(inputs.shape[1]):
        state = step(inputs[:, t], state)
        hiddens.append(state[0])
    grads = torch.autograd.grad(state[0].sum(), hiddens)
    sizes = torch.stack([g.norm() for g in grads]).flip(0)
    return sizes / sizes[0]


@wrong("the gradient of the last memory, not of the last hidden state")
def lstm_reach(step, inputs, state):
    cells = []
    for t in range(inputs.shape[1]):
        state = step(inputs[:, t], state)
        cells.append(state[1])
    grads = torch.autograd.grad(state[1].sum(), cells)
    sizes = torch.stack([g.norm() for g in grads]).flip(0)
    return sizes / sizes[0]


@wrong("not divided by the length at distance 0")
def lstm_reach(step, inputs, state):
    cells = []
    for t in range(inputs.shape[1]):
        state = step(inputs[:, t], state)
        cells.append(state[1])
    grads = torch.autograd.grad(state[0].sum(), cells)
    return torch.stack([g.norm() for g in grads]).flip(0)


@wrong("the road along the memory only: hidden states are detached")
def lstm_reach(step, inputs, state):
    cells = []
    hidden, cell = state
    for t in range(inputs.shape[1]):
        hidden, cell = step(inputs[:, t], (hidden.detach(), cell))
        cells.append(cell)
    grads = torch.autograd.grad(hidden.sum(), cells)
    sizes = torch.stack([g.norm() for g in grads]).flip(0)
    return sizes / sizes[0]


@wrong("starts from zeros, not from the state given")
def lstm_reach(step, inputs, state):
    state = (torch.zeros_like(state[0]), torch.zeros_like(state[1]))
    cells = []
    for t in range(inputs.shape[1]):
        state = step(inputs[:, t], state)
        cells.append(state[1])
    grads = torch.autograd.grad(state[0].sum(), cells)
    sizes = torch.stack([g.norm() for g in grads]).flip(0)
    return sizes / sizes[0]


@wrong("squared lengths")
def lstm_reach(step, inputs, state):
    cells = []
    for t in range(inputs.shape[1]):
        state = step(inputs[:, t], state)
        cells.append(state[1])
    grads = torch.autograd.grad(state[0].sum(), cells)
    sizes = torch.stack([(g**2).sum() for g in grads]).flip(0)
    return sizes / sizes[0]


@wrong("the first sentence of the batch only")
def lstm_reach(step, inputs, state):
    cells = []
    for t in range(inputs.shape[1]):
        state = step(inputs[:, t], state)
        cells.append(state[1])
    grads = torch.autograd.grad(state[0].sum(), cells)
    sizes = torch.stack([g[0].norm() for g in grads]).flip(0)
    return sizes / sizes[0]


@wrong("the starting memory is counted, too: one number too many")
def lstm_reach(step, inputs, state):
    state = (state[0], state[1].detach().requires_grad_())
    cells = [state[1]]
    for t in range(inputs.shape[1]):
        state = step(inputs[:, t], state)
        cells.append(state[1])
    grads = torch.autograd.grad(state[0].sum(), cells)
    sizes = torch.stack([g.norm() for g in grads]).flip(0)
    return sizes / sizes[0]


@wrong("loops over the batch where time is meant")
def lstm_reach(step, inputs, state):
    cells = []
    for x in inputs:
        state = step(x, state)
        cells.append(state[1])
    grads = torch.autograd.grad(state[0].sum(), cells)
    sizes = torch.stack([g.norm() for g in grads]).flip(0)
    return sizes / sizes[0]


@wrong("sums of the gradients: signs cancel")
def lstm_reach(step, inputs, state):
    cells = []
    for t in range(inputs.shape[1]):
        state = step(inputs[:, t], state)
        cells.append(state[1])
    grads = torch.autograd.grad(state[0].sum(), cells)
    sizes = torch.stack([g.sum().abs() for g in grads]).flip(0)
    return sizes / sizes[0]


@wrong("relative to the step before instead of to distance 0")
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
