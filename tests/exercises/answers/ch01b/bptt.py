"""Answers to exercise ``bptt``, as learners write them."""

import torch
from answering import wrong


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
