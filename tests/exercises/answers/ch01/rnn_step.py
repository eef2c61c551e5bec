"""Answers to exercise ``rnn_step``, as learners write them."""

import torch
from answering import wrong


@wrong("Where is the tanh?")
def rnn_step(x, state, weight_ih, weight_hh, bias_ih, bias_hh):
    return x @ weight_ih.T + state @ weight_hh.T + bias_ih + bias_hh


@wrong("bends with a sigmoid")
def rnn_step(x, state, weight_ih, weight_hh, bias_ih, bias_hh):
    a = torch.nn.functional.linear(x, weight_ih, bias_ih)
    b = torch.nn.functional.linear(state, weight_hh, bias_hh)
    return 1 / (1 + torch.exp(-(a + b)))


@wrong("There are two tanh here")
def rnn_step(x, state, weight_ih, weight_hh, bias_ih, bias_hh):
    from_x = (x @ weight_ih.T + bias_ih).tanh()
    from_h = (state @ weight_hh.T + bias_hh).tanh()
    return from_x + from_h


@wrong("A bias is missing")
def rnn_step(x, state, weight_ih, weight_hh, bias_ih, bias_hh):
    return torch.tanh(
        torch.einsum("be,he->bh", x, weight_ih)
        + torch.einsum("bg,hg->bh", state, weight_hh)
        + bias_ih
    )


@wrong("A bias is missing")
def rnn_step(x, state, weight_ih, weight_hh, bias_ih, bias_hh):
    return torch.tanh(x @ weight_ih.T + state @ weight_hh.T)


@wrong("For rows it must be transposed")
def rnn_step(x, state, weight_ih, weight_hh, bias_ih, bias_hh):
    h = torch.matmul(state, weight_hh) + bias_hh
    return torch.tanh(x.matmul(weight_ih.t()) + bias_ih + h)


@wrong("The weights are used as they stand")
def rnn_step(x, state, weight_ih, weight_hh, bias_ih, bias_hh):
    return torch.tanh(x @ weight_ih + bias_ih + state @ weight_hh + bias_hh)


@wrong("remembers nothing")
def rnn_step(x, state, weight_ih, weight_hh, bias_ih, bias_hh):
    return torch.tanh(x @ weight_ih.T + bias_ih + bias_hh)


@wrong("The argument state was changed")
def rnn_step(x, state, weight_ih, weight_hh, bias_ih, bias_hh):
    state += x @ weight_ih.T
    return torch.tanh(state)
