"""Answers to exercise ``bptt``, as learners write them."""

import torch
from answering import right, wrong


@wrong("Each step hears only its own part")
def bptt(inputs, states, grad_states, weight_hh):
    T, H = len(inputs), states.shape[1]
    dW, dU, db = torch.zeros(H, inputs.shape[1]), torch.zeros(H, H), torch.zeros(H)
    dh = torch.zeros(H)
    for t in reversed(range(T)):
        dh = dh + grad_states[t]
        da = dh * (1 - states[t + 1] * states[t + 1])
        dW += da[:, None] * inputs[t][None, :]
        dU += da[:, None] * states[t][None, :]
        db += da
        dh = torch.zeros(H)
    return dW, dU, db


@wrong("backward it is transposed")
def bptt(inputs, states, grad_states, weight_hh):
    T, H = len(inputs), states.shape[1]
    dW, dU, db = torch.zeros(H, inputs.shape[1]), torch.zeros(H, H), torch.zeros(H)
    dh = torch.zeros(H)
    for t in reversed(range(T)):
        dh = dh + grad_states[t]
        da = dh * (1 - states[t + 1] * states[t + 1])
        dW += da[:, None] * inputs[t][None, :]
        dU += da[:, None] * states[t][None, :]
        db += da
        dh = weight_hh @ da
    return dW, dU, db


@wrong("it has to pass W_hh")
def bptt(inputs, states, grad_states, weight_hh):
    T, H = len(inputs), states.shape[1]
    dW, dU, db = torch.zeros(H, inputs.shape[1]), torch.zeros(H, H), torch.zeros(H)
    dh = torch.zeros(H)
    for t in reversed(range(T)):
        dh = dh + grad_states[t]
        da = dh * (1 - states[t + 1] * states[t + 1])
        dW += da[:, None] * inputs[t][None, :]
        dU += da[:, None] * states[t][None, :]
        db += da
        dh = da
    return dW, dU, db


@wrong("The slope of the tanh is missing")
def bptt(inputs, states, grad_states, weight_hh):
    T, H = len(inputs), states.shape[1]
    dW, dU, db = torch.zeros(H, inputs.shape[1]), torch.zeros(H, H), torch.zeros(H)
    dh = torch.zeros(H)
    for t in reversed(range(T)):
        dh = dh + grad_states[t]
        da = dh
        dW += da[:, None] * inputs[t][None, :]
        dU += da[:, None] * states[t][None, :]
        db += da
        dh = da @ weight_hh
    return dW, dU, db


@wrong("taken at the state before")
def bptt(inputs, states, grad_states, weight_hh):
    T, H = len(inputs), states.shape[1]
    dW, dU, db = torch.zeros(H, inputs.shape[1]), torch.zeros(H, H), torch.zeros(H)
    dh = torch.zeros(H)
    for t in reversed(range(T)):
        dh = dh + grad_states[t]
        da = dh * (1 - states[t] ** 2)
        dW += da[:, None] * inputs[t][None, :]
        dU += da[:, None] * states[t][None, :]
        db += da
        dh = da @ weight_hh
    return dW, dU, db


@wrong("the state *before*")
def bptt(inputs, states, grad_states, weight_hh):
    T, H = len(inputs), states.shape[1]
    dW, dU, db = torch.zeros(H, inputs.shape[1]), torch.zeros(H, H), torch.zeros(H)
    dh = torch.zeros(H)
    for t in reversed(range(T)):
        dh = dh + grad_states[t]
        da = dh * (1 - states[t + 1] * states[t + 1])
        dW += da[:, None] * inputs[t][None, :]
        dU += da[:, None] * states[t + 1][None, :]
        db += da
        dh = da @ weight_hh
    return dW, dU, db


@wrong("speaks to every state")
def bptt(inputs, states, grad_states, weight_hh):
    T, H = len(inputs), states.shape[1]
    dW, dU, db = torch.zeros(H, inputs.shape[1]), torch.zeros(H, H), torch.zeros(H)
    dh = torch.zeros(H)
    for t in reversed(range(T)):
        dh = grad_states[t] if t == T - 1 else dh
        da = dh * (1 - states[t + 1] * states[t + 1])
        dW += da[:, None] * inputs[t][None, :]
        dU += da[:, None] * states[t][None, :]
        db += da
        dh = da @ weight_hh
    return dW, dU, db


@wrong("the parts of all steps are added up")
def bptt(inputs, states, grad_states, weight_hh):
    T, H = len(inputs), states.shape[1]
    dW, dU, db = torch.zeros(H, inputs.shape[1]), torch.zeros(H, H), torch.zeros(H)
    dh = torch.zeros(H)
    for t in reversed(range(T)):
        dh = dh + grad_states[t]
        da = dh * (1 - states[t + 1] * states[t + 1])
        dW = da[:, None] * inputs[t][None, :]
        dU = da[:, None] * states[t][None, :]
        db = da
        dh = da @ weight_hh
    return dW, dU, db


@wrong("averaged")
def bptt(inputs, states, grad_states, weight_hh):
    T, H = len(inputs), states.shape[1]
    dW, dU, db = torch.zeros(H, inputs.shape[1]), torch.zeros(H, H), torch.zeros(H)
    dh = torch.zeros(H)
    for t in reversed(range(T)):
        dh = dh + grad_states[t]
        da = dh * (1 - states[t + 1] * states[t + 1])
        dW += da[:, None] * inputs[t][None, :]
        dU += da[:, None] * states[t][None, :]
        db += da
        dh = da @ weight_hh
    return dW / T, dU / T, db / T


@wrong("its rows belong to a_t")
def bptt(inputs, states, grad_states, weight_hh):
    T, H = len(inputs), states.shape[1]
    dW, dU, db = torch.zeros(H, inputs.shape[1]), torch.zeros(H, H), torch.zeros(H)
    dh = torch.zeros(H)
    for t in reversed(range(T)):
        dh = dh + grad_states[t]
        da = dh * (1 - states[t + 1] * states[t + 1])
        dW += da[:, None] * inputs[t][None, :]
        dU += da[:, None] * states[t][None, :]
        db += da
        dh = da @ weight_hh
    return dW, dU.T, db


@wrong("What is handed on has not passed the tanh:")
def bptt(inputs, states, grad_states, weight_hh):
    T, H = grad_states.shape
    w_ih, w_hh, b, carried = 0, 0, 0, torch.zeros(H)
    for t in range(T, 0, -1):
        g = carried + grad_states[t - 1]
        a = g * (1 - states[t] ** 2)
        w_ih, w_hh, b = w_ih + a.outer(inputs[t - 1]), w_hh + a.outer(states[t - 1]), b + a
        carried = weight_hh.T @ g
    return w_ih, w_hh, b


@wrong("Rows and columns of the outer products are exchanged:")
def bptt(inputs, states, grad_states, weight_hh):
    T, H = grad_states.shape
    w_ih, w_hh, b, carried = 0, 0, 0, torch.zeros(H)
    for t in range(T, 0, -1):
        a = (carried + grad_states[t - 1]) * (1 - states[t] ** 2)
        w_ih, w_hh, b = w_ih + inputs[t - 1].outer(a), w_hh + states[t - 1].outer(a), b + a
        carried = weight_hh.T @ a
    return w_ih, w_hh, b


@wrong("The first step, t = 1, is left out.")
def bptt(inputs, states, grad_states, weight_hh):
    T, H = grad_states.shape
    w_ih, w_hh, b = torch.zeros(H, inputs.shape[1]), torch.zeros(H, H), torch.zeros(H)
    carried = torch.zeros(H)
    for t in range(T, 1, -1):
        a = (carried + grad_states[t - 1]) * (1 - states[t] ** 2)
        w_ih, w_hh, b = w_ih + a.outer(inputs[t - 1]), w_hh + a.outer(states[t - 1]), b + a
        carried = weight_hh.T @ a
    return w_ih, w_hh, b


@wrong("The slope of the tanh is 1 − h²:")
def bptt(inputs, states, grad_states, weight_hh):
    T, H = grad_states.shape
    w_ih, w_hh, b, carried = 0, 0, 0, torch.zeros(H)
    for t in range(T, 0, -1):
        a = (carried + grad_states[t - 1]) * (1 - states[t])
        w_ih, w_hh, b = w_ih + a.outer(inputs[t - 1]), w_hh + a.outer(states[t - 1]), b + a
        carried = weight_hh.T @ a
    return w_ih, w_hh, b


@wrong("This goes from the first step to the last.")
def bptt(inputs, states, grad_states, weight_hh):
    T, H = grad_states.shape
    w_ih, w_hh, b, carried = 0, 0, 0, torch.zeros(H)
    for t in range(1, T + 1):
        a = (carried + grad_states[t - 1]) * (1 - states[t] ** 2)
        w_ih, w_hh, b = w_ih + a.outer(inputs[t - 1]), w_hh + a.outer(states[t - 1]), b + a
        carried = weight_hh.T @ a
    return w_ih, w_hh, b


@wrong("What is carried piles up:")
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
