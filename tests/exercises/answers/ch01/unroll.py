"""Answers to exercise ``unroll``, as learners write them."""

import torch
from answering import wrong


@wrong("Time is dimension 1, so step t reads inputs[:, t]")
def unroll(cell, inputs, state):
    states = []
    for x in inputs:
        state = cell(x, state)
        states.append(state)
    return torch.stack(states), state


@wrong("The last of all states and the last state differ")
def unroll(cell, inputs, state):
    states, first = [], state
    for t in range(inputs.shape[1]):
        state = cell(inputs[:, t], state)
        states.append(state)
    return torch.stack(states, dim=1), first
