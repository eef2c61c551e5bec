"""Answers to exercise ``rnn_step``, written from its statement alone."""

import torch
from answering import wrong


@wrong("the old state meets its matrix on the wrong side")
def rnn_step(x, state, weight_ih, weight_hh, bias_ih, bias_hh):
    return torch.tanh(x @ weight_ih.T + bias_ih + state @ weight_hh + bias_hh)


@wrong("one of the two biases is forgotten")
def rnn_step(x, state, weight_ih, weight_hh, bias_ih, bias_hh):
    return torch.tanh(x @ weight_ih.T + state @ weight_hh.T + bias_ih)


@wrong("two tanhs, added afterwards")
def rnn_step(x, state, weight_ih, weight_hh, bias_ih, bias_hh):
    read = torch.tanh(x @ weight_ih.T + bias_ih)
    kept = torch.tanh(state @ weight_hh.T + bias_hh)
    return read + kept


@wrong("no tanh at all")
def rnn_step(x, state, weight_ih, weight_hh, bias_ih, bias_hh):
    return x @ weight_ih.T + bias_ih + state @ weight_hh.T + bias_hh


@wrong("sigmoid in place of tanh")
def rnn_step(x, state, weight_ih, weight_hh, bias_ih, bias_hh):
    return torch.sigmoid(x @ weight_ih.T + bias_ih + state @ weight_hh.T + bias_hh)
