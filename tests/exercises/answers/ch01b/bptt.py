"""Answers to exercise ``bptt``, as learners write them."""

import torch
from answering import right, wrong


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


@wrong("One step alone is right. If W_hh is zero nothing travels back")
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
