"""Answers to exercise ``rnn_step``, written from its statement alone."""

import torch
from answering import right, wrong
from torch.nn import functional as F


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


@wrong("the biases are added after the tanh")
def rnn_step(x, state, weight_ih, weight_hh, bias_ih, bias_hh):
    return torch.tanh(x @ weight_ih.T + state @ weight_hh.T) + bias_ih + bias_hh


@wrong("columns for sentences: the result is transposed")
def rnn_step(x, state, weight_ih, weight_hh, bias_ih, bias_hh):
    total = weight_ih @ x.T + weight_hh @ state.T
    return torch.tanh(total + (bias_ih + bias_hh).unsqueeze(1))


@wrong("the first sentence only, repeated")
def rnn_step(x, state, weight_ih, weight_hh, bias_ih, bias_hh):
    one = torch.tanh(weight_ih @ x[0] + bias_ih + weight_hh @ state[0] + bias_hh)
    return one.expand(len(x), -1)


@wrong("the old state is added once more")
def rnn_step(x, state, weight_ih, weight_hh, bias_ih, bias_hh):
    return state + torch.tanh(x @ weight_ih.T + bias_ih + state @ weight_hh.T + bias_hh)


@wrong("the numbers are right and the gradients are cut off")
def rnn_step(x, state, weight_ih, weight_hh, bias_ih, bias_hh):
    with torch.no_grad():
        return torch.tanh(x @ weight_ih.T + bias_ih + state @ weight_hh.T + bias_hh)


@wrong("builds the sum in the state it was given")
def rnn_step(x, state, weight_ih, weight_hh, bias_ih, bias_hh):
    new = torch.tanh(x @ weight_ih.T + bias_ih + state @ weight_hh.T + bias_hh)
    state.copy_(new)
    return state


@right
def rnn_step(x, state, weight_ih, weight_hh, bias_ih, bias_hh):
    return torch.tanh(F.linear(x, weight_ih, bias_ih) + F.linear(state, weight_hh, bias_hh))


@right
def rnn_step(x, state, weight_ih, weight_hh, bias_ih, bias_hh):
    rows = []
    for one, old in zip(x, state):
        rows.append(torch.tanh(weight_ih @ one + bias_ih + weight_hh @ old + bias_hh))
    return torch.stack(rows)


@right
def rnn_step(x, state, weight_ih, weight_hh, bias_ih, bias_hh):
    both = torch.cat([x, state], dim=1)
    weight = torch.cat([weight_ih, weight_hh], dim=1)
    return (torch.einsum("bi,hi->bh", both, weight) + (bias_ih + bias_hh)).tanh()
