"""Answers to exercise ``bptt``, written from its statement alone."""

import torch
from answering import wrong


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
