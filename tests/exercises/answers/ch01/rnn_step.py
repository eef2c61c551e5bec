"""Answers to exercise ``rnn_step``, as learners write them."""

import torch
from answering import right, wrong
from torch.nn import functional as F


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


@wrong("A bias is added after the tanh.")
def rnn_step(x, state, weight_ih, weight_hh, bias_ih, bias_hh):
    return torch.tanh(x @ weight_ih.T + state @ weight_hh.T) + bias_ih + bias_hh


@wrong("The result is transposed:")
def rnn_step(x, state, weight_ih, weight_hh, bias_ih, bias_hh):
    total = weight_ih @ x.T + weight_hh @ state.T
    return torch.tanh(total + (bias_ih + bias_hh).unsqueeze(1))


@wrong("Every sentence gets the state of the first one.")
def rnn_step(x, state, weight_ih, weight_hh, bias_ih, bias_hh):
    one = torch.tanh(weight_ih @ x[0] + bias_ih + weight_hh @ state[0] + bias_hh)
    return one.expand(len(x), -1)


@wrong("The old state is added once more, after the tanh.")
def rnn_step(x, state, weight_ih, weight_hh, bias_ih, bias_hh):
    return state + torch.tanh(x @ weight_ih.T + bias_ih + state @ weight_hh.T + bias_hh)


@wrong("No gradient comes back through the result, so nothing could be")
def rnn_step(x, state, weight_ih, weight_hh, bias_ih, bias_hh):
    with torch.no_grad():
        return torch.tanh(x @ weight_ih.T + bias_ih + state @ weight_hh.T + bias_hh)


@wrong("The argument state was changed by the call.")
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
