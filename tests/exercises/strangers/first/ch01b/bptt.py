"""Answers to exercise ``bptt``, written from its statement alone."""

import torch
from answering import right, wrong


@wrong("carries back through W, not through its transpose")
def bptt(inputs, states, grad_states, weight_hh):
    T, H = grad_states.shape
    w_ih, w_hh, b = torch.zeros(H, inputs.shape[1]), torch.zeros(H, H), torch.zeros(H)
    carried = torch.zeros(H)
    for t in range(T, 0, -1):
        a = (carried + grad_states[t - 1]) * (1 - states[t] ** 2)
        w_ih, w_hh, b = w_ih + a.outer(inputs[t - 1]), w_hh + a.outer(states[t - 1]), b + a
        carried = weight_hh @ a
    return w_ih, w_hh, b


@wrong("the slope of the state before: h_{t-1} under the square")
def bptt(inputs, states, grad_states, weight_hh):
    T, H = grad_states.shape
    w_ih, w_hh, b, carried = 0, 0, 0, torch.zeros(H)
    for t in range(T, 0, -1):
        a = (carried + grad_states[t - 1]) * (1 - states[t - 1] ** 2)
        w_ih, w_hh, b = w_ih + a.outer(inputs[t - 1]), w_hh + a.outer(states[t - 1]), b + a
        carried = weight_hh.T @ a
    return w_ih, w_hh, b


@wrong("W_hh was multiplied with the state before, this takes the one after")
def bptt(inputs, states, grad_states, weight_hh):
    T, H = grad_states.shape
    w_ih, w_hh, b, carried = 0, 0, 0, torch.zeros(H)
    for t in range(T, 0, -1):
        a = (carried + grad_states[t - 1]) * (1 - states[t] ** 2)
        w_ih, w_hh, b = w_ih + a.outer(inputs[t - 1]), w_hh + a.outer(states[t]), b + a
        carried = weight_hh.T @ a
    return w_ih, w_hh, b


@wrong("what goes back has not passed the tanh")
def bptt(inputs, states, grad_states, weight_hh):
    T, H = grad_states.shape
    w_ih, w_hh, b, carried = 0, 0, 0, torch.zeros(H)
    for t in range(T, 0, -1):
        g = carried + grad_states[t - 1]
        a = g * (1 - states[t] ** 2)
        w_ih, w_hh, b = w_ih + a.outer(inputs[t - 1]), w_hh + a.outer(states[t - 1]), b + a
        carried = weight_hh.T @ g
    return w_ih, w_hh, b


@wrong("only the loss at the last state is heard")
def bptt(inputs, states, grad_states, weight_hh):
    T, H = grad_states.shape
    w_ih, w_hh, b, g = 0, 0, 0, grad_states[-1]
    for t in range(T, 0, -1):
        a = g * (1 - states[t] ** 2)
        w_ih, w_hh, b = w_ih + a.outer(inputs[t - 1]), w_hh + a.outer(states[t - 1]), b + a
        g = weight_hh.T @ a
    return w_ih, w_hh, b


@wrong("nothing is carried: every step for itself")
def bptt(inputs, states, grad_states, weight_hh):
    a = grad_states * (1 - states[1:] ** 2)
    return a.T @ inputs, a.T @ states[:-1], a.sum(0)


@wrong("the mean over the steps, not the sum")
def bptt(inputs, states, grad_states, weight_hh):
    T, H = grad_states.shape
    w_ih, w_hh, b, carried = 0, 0, 0, torch.zeros(H)
    for t in range(T, 0, -1):
        a = (carried + grad_states[t - 1]) * (1 - states[t] ** 2)
        w_ih, w_hh, b = w_ih + a.outer(inputs[t - 1]), w_hh + a.outer(states[t - 1]), b + a
        carried = weight_hh.T @ a
    return w_ih / T, w_hh / T, b / T


@wrong("rows and columns of the outer products swapped")
def bptt(inputs, states, grad_states, weight_hh):
    T, H = grad_states.shape
    w_ih, w_hh, b, carried = 0, 0, 0, torch.zeros(H)
    for t in range(T, 0, -1):
        a = (carried + grad_states[t - 1]) * (1 - states[t] ** 2)
        w_ih, w_hh, b = w_ih + inputs[t - 1].outer(a), w_hh + states[t - 1].outer(a), b + a
        carried = weight_hh.T @ a
    return w_ih, w_hh, b


@wrong("the loop ends before the first step")
def bptt(inputs, states, grad_states, weight_hh):
    T, H = grad_states.shape
    w_ih, w_hh, b = torch.zeros(H, inputs.shape[1]), torch.zeros(H, H), torch.zeros(H)
    carried = torch.zeros(H)
    for t in range(T, 1, -1):
        a = (carried + grad_states[t - 1]) * (1 - states[t] ** 2)
        w_ih, w_hh, b = w_ih + a.outer(inputs[t - 1]), w_hh + a.outer(states[t - 1]), b + a
        carried = weight_hh.T @ a
    return w_ih, w_hh, b


@wrong("the square of the slope is forgotten")
def bptt(inputs, states, grad_states, weight_hh):
    T, H = grad_states.shape
    w_ih, w_hh, b, carried = 0, 0, 0, torch.zeros(H)
    for t in range(T, 0, -1):
        a = (carried + grad_states[t - 1]) * (1 - states[t])
        w_ih, w_hh, b = w_ih + a.outer(inputs[t - 1]), w_hh + a.outer(states[t - 1]), b + a
        carried = weight_hh.T @ a
    return w_ih, w_hh, b


@wrong("goes through time from the front")
def bptt(inputs, states, grad_states, weight_hh):
    T, H = grad_states.shape
    w_ih, w_hh, b, carried = 0, 0, 0, torch.zeros(H)
    for t in range(1, T + 1):
        a = (carried + grad_states[t - 1]) * (1 - states[t] ** 2)
        w_ih, w_hh, b = w_ih + a.outer(inputs[t - 1]), w_hh + a.outer(states[t - 1]), b + a
        carried = weight_hh.T @ a
    return w_ih, w_hh, b


@wrong("what is carried piles up over all steps")
def bptt(inputs, states, grad_states, weight_hh):
    T, H = grad_states.shape
    w_ih, w_hh, b, carried = 0, 0, 0, torch.zeros(H)
    for t in range(T, 0, -1):
        a = (carried + grad_states[t - 1]) * (1 - states[t] ** 2)
        w_ih, w_hh, b = w_ih + a.outer(inputs[t - 1]), w_hh + a.outer(states[t - 1]), b + a
        carried = carried + weight_hh.T @ a
    return w_ih, w_hh, b


@right
def bptt(inputs, states, grad_states, weight_hh):
    carried = torch.zeros_like(states[0])
    parts = []
    for h, direct in zip(states[1:].flip(0), grad_states.flip(0)):
        a = (carried + direct) * (1 - h * h)
        parts.insert(0, a)
        carried = a @ weight_hh
    a = torch.stack(parts)
    return a.T @ inputs, a.T @ states[:-1], a.sum(0)


@right
def bptt(inputs, states, grad_states, weight_hh):
    def back(t):
        """The gradient at the sum inside the tanh of step t, by recursion."""
        later = 0.0
        if t < len(inputs):
            later = torch.einsum("ij,i->j", weight_hh, back(t + 1))
        return (later + grad_states[t - 1]) * (1 - states[t].square())

    a = [back(t) for t in range(1, len(inputs) + 1)]
    return [
        sum(torch.outer(one, x) for one, x in zip(a, inputs)),
        sum(torch.outer(one, h) for one, h in zip(a, states)),
        sum(a),
    ]


@right
def bptt(inputs, states, grad_states, weight_hh):
    x, h, g, w = (thing.double() for thing in (inputs, states, grad_states, weight_hh))
    T, H = g.shape
    E = x.shape[1]
    w_ih, w_hh, b = (torch.zeros(size, dtype=torch.double) for size in ((H, E), (H, H), (H,)))
    carried = [0.0] * H
    for t in reversed(range(T)):
        a = [(carried[i] + g[t, i]) * (1 - h[t + 1, i] ** 2) for i in range(H)]
        for i in range(H):
            b[i] += a[i]
            for e in range(E):
                w_ih[i, e] += a[i] * x[t, e]
            for k in range(H):
                w_hh[i, k] += a[i] * h[t, k]
        carried = [sum(w[i, k] * a[i] for i in range(H)) for k in range(H)]
    return w_ih, w_hh, b
