import torch
from answering import right, wrong


@wrong("in the order of the steps: distance 0 stands last")
def lstm_reach(step, inputs, state):
    cells = []
    for t in range(inputs.shape[1]):
        state = step(inputs[:, t], state)
        cells.append(state[1])
    grads = torch.autograd.grad(state[0].sum(), cells)
    lengths = torch.stack([g.norm() for g in grads])
    return lengths / lengths[-1]


@wrong("with respect to the hidden states, not to the cells")
def lstm_reach(step, inputs, state):
    hiddens = []
    for t in range(inputs.shape[1]):
        state = step(inputs[:, t], state)
        hiddens.append(state[0])
    grads = torch.autograd.grad(state[0].sum(), hiddens)
    lengths = torch.stack([g.norm() for g in grads]).flip(0)
    return lengths / lengths[0]


@wrong("the sum of the last cell is differentiated, not that of the last hidden state")
def lstm_reach(step, inputs, state):
    cells = []
    for t in range(inputs.shape[1]):
        state = step(inputs[:, t], state)
        cells.append(state[1])
    grads = torch.autograd.grad(state[1].sum(), cells)
    lengths = torch.stack([g.norm() for g in grads]).flip(0)
    return lengths / lengths[0]


@wrong("not divided by the length at distance 0")
def lstm_reach(step, inputs, state):
    cells = []
    for t in range(inputs.shape[1]):
        state = step(inputs[:, t], state)
        cells.append(state[1])
    grads = torch.autograd.grad(state[0].sum(), cells)
    return torch.stack([g.norm() for g in grads]).flip(0)


@wrong("the starting cell is among the cells: one distance too many")
def lstm_reach(step, inputs, state):
    state = tuple(s.detach().requires_grad_() for s in state)
    cells = [state[1]]
    for t in range(inputs.shape[1]):
        state = step(inputs[:, t], state)
        cells.append(state[1])
    grads = torch.autograd.grad(state[0].sum(), cells)
    lengths = torch.stack([g.norm() for g in grads]).flip(0)
    return lengths / lengths[0]


@wrong("c_0 … c_{T−1}: the cells before the steps, the last one is missing")
def lstm_reach(step, inputs, state):
    state = tuple(s.detach().requires_grad_() for s in state)
    cells = []
    for t in range(inputs.shape[1]):
        cells.append(state[1])
        state = step(inputs[:, t], state)
    grads = torch.autograd.grad(state[0].sum(), cells)
    lengths = torch.stack([g.norm() for g in grads]).flip(0)
    return lengths / lengths[0]


@wrong("the sum of all hidden states, not of the last alone")
def lstm_reach(step, inputs, state):
    cells, total = [], 0
    for t in range(inputs.shape[1]):
        state = step(inputs[:, t], state)
        cells.append(state[1])
        total = total + state[0].sum()
    grads = torch.autograd.grad(total, cells)
    lengths = torch.stack([g.norm() for g in grads]).flip(0)
    return lengths / lengths[0]


@wrong("the largest entry of each gradient instead of its length")
def lstm_reach(step, inputs, state):
    cells = []
    for t in range(inputs.shape[1]):
        state = step(inputs[:, t], state)
        cells.append(state[1])
    grads = torch.autograd.grad(state[0].sum(), cells)
    lengths = torch.stack([g.abs().max() for g in grads]).flip(0)
    return lengths / lengths[0]


@wrong("only the first sentence of the batch is measured")
def lstm_reach(step, inputs, state):
    cells = []
    for t in range(inputs.shape[1]):
        state = step(inputs[:, t], state)
        cells.append(state[1])
    grads = torch.autograd.grad(state[0].sum(), cells)
    lengths = torch.stack([g[0].norm() for g in grads]).flip(0)
    return lengths / lengths[0]


@wrong("a mean of ratios over the sentences instead of one length for the whole batch")
def lstm_reach(step, inputs, state):
    cells = []
    for t in range(inputs.shape[1]):
        state = step(inputs[:, t], state)
        cells.append(state[1])
    grads = torch.autograd.grad(state[0].sum(), cells)
    lengths = torch.stack([g.norm(dim=1) for g in grads]).flip(0)
    return (lengths / lengths[0]).mean(1)


@right
def lstm_reach(step, inputs, state):
    state = tuple(part.detach().requires_grad_() for part in state)
    cells = []
    for x in inputs.unbind(1):
        state = step(x, state)
        state[1].retain_grad()
        cells.insert(0, state[1])
    state[0].sum().backward()
    lengths = torch.stack([c.grad.pow(2).sum().sqrt() for c in cells])
    return lengths / lengths[0]


@right
def lstm_reach(step, inputs, state):
    hidden, cell = (part.detach() for part in state)
    cells = []
    for x in inputs.unbind(1):
        hidden, cell = step(x, (hidden, cell))
        if not cell.requires_grad:
            cell.requires_grad_()
        cells.append(cell)
    goal = hidden.sum()
    lengths = []
    for c in reversed(cells):
        (g,) = torch.autograd.grad(goal, c, retain_graph=True)
        lengths.append(torch.linalg.vector_norm(g.flatten()))
    return torch.stack([length / lengths[0] for length in lengths])
