"""Answers to exercise ``reorder``, written from its statement alone."""

import torch
from answering import wrong


@wrong("nothing is moved")
def reorder(state, parents):
    return {name: x.clone() for name, x in state.items()}


@wrong("the first sentence's parents are used for all")
def reorder(state, parents):
    return {name: x[:, parents[0]] for name, x in state.items()}


@wrong("the parents pick sentences, not places")
def reorder(state, parents):
    return {name: x[parents] for name, x in state.items()}


@wrong("the dictionary that came in is changed")
def reorder(state, parents):
    rows = torch.arange(parents.shape[0]).unsqueeze(1)
    for name in state:
        state[name] = state[name][rows, parents]
    return state
