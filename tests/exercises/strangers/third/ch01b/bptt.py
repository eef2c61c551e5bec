import numpy as np
import torch
from answering import right, wrong


@wrong("the recurrent matrix is not transposed on the way back")
def bptt(inputs, states, grad_states, weight_hh):
    T, H = grad_states.shape
    carried = torch.zeros(H)
    w_ih = torch.zeros(H, inputs.shape[1])
    w_hh = torch.zeros(H, H)
    b = torch.zeros(H)
    for t in range(T, 0, -1):
        a = (carried + grad_states[t - 1]) * (1 - states[t] ** 2)
        w_ih += torch.outer(a, inputs[t - 1])
        w_hh += torch.outer(a, states[t - 1])
        b += a
        carried = weight_hh @ a
    return w_ih, w_hh, b


@wrong("the recurrent weight is paired with the state of the same step, not of the one before")
def bptt(inputs, states, grad_states, weight_hh):
    T, H = grad_states.shape
    carried = torch.zeros(H)
    w_ih = torch.zeros(H, inputs.shape[1])
    w_hh = torch.zeros(H, H)
    b = torch.zeros(H)
    for t in range(T, 0, -1):
        a = (carried + grad_states[t - 1]) * (1 - states[t] ** 2)
        w_ih += torch.outer(a, inputs[t - 1])
        w_hh += torch.outer(a, states[t])
        b += a
        carried = weight_hh.T @ a
    return w_ih, w_hh, b


@wrong("the slope of tanh acts on the direct part only; what is carried goes round it")
def bptt(inputs, states, grad_states, weight_hh):
    T, H = grad_states.shape
    carried = torch.zeros(H)
    w_ih = torch.zeros(H, inputs.shape[1])
    w_hh = torch.zeros(H, H)
    b = torch.zeros(H)
    for t in range(T, 0, -1):
        a = carried + grad_states[t - 1] * (1 - states[t] ** 2)
        w_ih += torch.outer(a, inputs[t - 1])
        w_hh += torch.outer(a, states[t - 1])
        b += a
        carried = weight_hh.T @ a
    return w_ih, w_hh, b


@wrong("the loop ends one step too early and leaves out the first word")
def bptt(inputs, states, grad_states, weight_hh):
    T, H = grad_states.shape
    carried = torch.zeros(H)
    w_ih = torch.zeros(H, inputs.shape[1])
    w_hh = torch.zeros(H, H)
    b = torch.zeros(H)
    for t in range(T, 1, -1):
        a = (carried + grad_states[t - 1]) * (1 - states[t] ** 2)
        w_ih += torch.outer(a, inputs[t - 1])
        w_hh += torch.outer(a, states[t - 1])
        b += a
        carried = weight_hh.T @ a
    return w_ih, w_hh, b


@wrong("means over the steps instead of sums")
def bptt(inputs, states, grad_states, weight_hh):
    T, H = grad_states.shape
    carried = torch.zeros(H)
    w_ih = torch.zeros(H, inputs.shape[1])
    w_hh = torch.zeros(H, H)
    b = torch.zeros(H)
    for t in range(T, 0, -1):
        a = (carried + grad_states[t - 1]) * (1 - states[t] ** 2)
        w_ih += torch.outer(a, inputs[t - 1])
        w_hh += torch.outer(a, states[t - 1])
        b += a
        carried = weight_hh.T @ a
    return w_ih / T, w_hh / T, b / T


@wrong("carried is added up over all steps instead of replaced")
def bptt(inputs, states, grad_states, weight_hh):
    T, H = grad_states.shape
    carried = torch.zeros(H)
    w_ih = torch.zeros(H, inputs.shape[1])
    w_hh = torch.zeros(H, H)
    b = torch.zeros(H)
    for t in range(T, 0, -1):
        a = (carried + grad_states[t - 1]) * (1 - states[t] ** 2)
        w_ih += torch.outer(a, inputs[t - 1])
        w_hh += torch.outer(a, states[t - 1])
        b += a
        carried = carried + weight_hh.T @ a
    return w_ih, w_hh, b


@wrong("the slope is taken at the state before: states[t - 1]")
def bptt(inputs, states, grad_states, weight_hh):
    T, H = grad_states.shape
    carried = torch.zeros(H)
    w_ih = torch.zeros(H, inputs.shape[1])
    w_hh = torch.zeros(H, H)
    b = torch.zeros(H)
    for t in range(T, 0, -1):
        a = (carried + grad_states[t - 1]) * (1 - states[t - 1] ** 2)
        w_ih += torch.outer(a, inputs[t - 1])
        w_hh += torch.outer(a, states[t - 1])
        b += a
        carried = weight_hh.T @ a
    return w_ih, w_hh, b


@wrong("the outer product of the recurrent weight has its rows and columns swapped")
def bptt(inputs, states, grad_states, weight_hh):
    T, H = grad_states.shape
    carried = torch.zeros(H)
    w_ih = torch.zeros(H, inputs.shape[1])
    w_hh = torch.zeros(H, H)
    b = torch.zeros(H)
    for t in range(T, 0, -1):
        a = (carried + grad_states[t - 1]) * (1 - states[t] ** 2)
        w_ih += torch.outer(a, inputs[t - 1])
        w_hh += torch.outer(states[t - 1], a)
        b += a
        carried = weight_hh.T @ a
    return w_ih, w_hh, b


@wrong("goes forward through time instead of back")
def bptt(inputs, states, grad_states, weight_hh):
    T, H = grad_states.shape
    carried = torch.zeros(H)
    w_ih = torch.zeros(H, inputs.shape[1])
    w_hh = torch.zeros(H, H)
    b = torch.zeros(H)
    for t in range(1, T + 1):
        a = (carried + grad_states[t - 1]) * (1 - states[t] ** 2)
        w_ih += torch.outer(a, inputs[t - 1])
        w_hh += torch.outer(a, states[t - 1])
        b += a
        carried = weight_hh.T @ a
    return w_ih, w_hh, b


@right
def bptt(inputs, states, grad_states, weight_hh):
    slope = 1 - states[1:] ** 2
    rows = []
    carried = torch.zeros_like(grad_states[0])
    for direct, s in zip(grad_states.flip(0), slope.flip(0)):
        rows.insert(0, (carried + direct) * s)
        carried = rows[0] @ weight_hh
    a = torch.stack(rows)
    return a.T @ inputs, a.T @ states[:-1], a.sum(0)


@right
def bptt(inputs, states, grad_states, weight_hh):
    x, h, g, w = (z.numpy() for z in (inputs, states, grad_states, weight_hh))
    total = g.copy()
    a = np.zeros_like(g)
    for t in reversed(range(len(g))):
        if t + 1 < len(g):
            total[t] += w.T @ a[t + 1]
        a[t] = total[t] * (1 - h[t + 1] ** 2)
    found = np.einsum("th,te->he", a, x), np.einsum("th,tk->hk", a, h[:-1]), a.sum(0)
    return tuple(torch.from_numpy(z) for z in found)
