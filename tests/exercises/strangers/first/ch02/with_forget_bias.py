"""Answers to exercise ``with_forget_bias``, written from its statement alone."""

import torch
from answering import right, wrong


@wrong("the first quarter: that is the input gate")
def with_forget_bias(bias_ih, bias_hh, value):
    a, b = bias_ih.clone(), bias_hh.clone()
    H = len(a) // 4
    a[:H] = value
    b[:H] = 0
    return a, b


@wrong("the third quarter: the candidate")
def with_forget_bias(bias_ih, bias_hh, value):
    a, b = bias_ih.clone(), bias_hh.clone()
    H = len(a) // 4
    a[2 * H : 3 * H] = value
    b[2 * H : 3 * H] = 0
    return a, b


@wrong("both biases get the value, so the sum is twice as large")
def with_forget_bias(bias_ih, bias_hh, value):
    a, b = bias_ih.clone(), bias_hh.clone()
    H = len(a) // 4
    a[H : 2 * H] = value
    b[H : 2 * H] = value
    return a, b


@wrong("the second bias keeps what it had")
def with_forget_bias(bias_ih, bias_hh, value):
    a, b = bias_ih.clone(), bias_hh.clone()
    H = len(a) // 4
    a[H : 2 * H] = value
    return a, b


@wrong("writes into the arguments")
def with_forget_bias(bias_ih, bias_hh, value):
    H = len(bias_ih) // 4
    with torch.no_grad():
        bias_ih[H : 2 * H] = value
        bias_hh[H : 2 * H] = 0
    return bias_ih, bias_hh


@wrong("the value is added to what was there")
def with_forget_bias(bias_ih, bias_hh, value):
    a, b = bias_ih.clone(), bias_hh.clone()
    H = len(a) // 4
    a[H : 2 * H] += value
    b[H : 2 * H] = 0
    return a, b


@wrong("all of the second bias becomes 0")
def with_forget_bias(bias_ih, bias_hh, value):
    a = bias_ih.clone()
    H = len(a) // 4
    a[H : 2 * H] = value
    return a, torch.zeros_like(bias_hh)


@wrong("everything from row H to the end")
def with_forget_bias(bias_ih, bias_hh, value):
    a, b = bias_ih.clone(), bias_hh.clone()
    H = len(a) // 4
    a[H:] = value
    b[H:] = 0
    return a, b


@wrong("half in each: the sum is right, the two are not as asked")
def with_forget_bias(bias_ih, bias_hh, value):
    a, b = bias_ih.clone(), bias_hh.clone()
    H = len(a) // 4
    a[H : 2 * H] = value / 2
    b[H : 2 * H] = value / 2
    return a, b


@wrong("last row of the gate left out: the end of a slice is not in it")
def with_forget_bias(bias_ih, bias_hh, value):
    a, b = bias_ih.clone(), bias_hh.clone()
    H = len(a) // 4
    a[H : 2 * H - 1] = value
    b[H : 2 * H - 1] = 0
    return a, b


@wrong("the other gates of bias_ih start from zero")
def with_forget_bias(bias_ih, bias_hh, value):
    H = len(bias_ih) // 4
    a, b = torch.zeros_like(bias_ih), bias_hh.clone()
    a[H : 2 * H] = value
    b[H : 2 * H] = 0
    return a, b


@wrong("rounds the value down to an integer")
def with_forget_bias(bias_ih, bias_hh, value):
    H = len(bias_ih) // 4
    middle = torch.full((H,), int(value), dtype=bias_ih.dtype)
    a = torch.cat([bias_ih[:H], middle, bias_ih[2 * H :]])
    return a, torch.cat([bias_hh[:H], torch.zeros(H), bias_hh[2 * H :]])


@right
def with_forget_bias(bias_ih, bias_hh, value):
    i, f, g, o = bias_ih.chunk(4)
    j, e, h, p = bias_hh.chunk(4)
    return torch.cat([i, torch.full_like(f, value), g, o]), torch.cat([j, e * 0, h, p])


@right
def with_forget_bias(bias_ih, bias_hh, value):
    H = len(bias_ih) // 4
    new_ih, new_hh = [], []
    for row in range(4 * H):
        forget = row // H == 1
        new_ih.append(float(value) if forget else bias_ih[row].item())
        new_hh.append(0.0 if forget else bias_hh[row].item())
    return torch.tensor(new_ih), torch.tensor(new_hh)


@right
def with_forget_bias(bias_ih, bias_hh, value):
    a = bias_ih.detach().clone().view(4, -1)
    b = bias_hh.detach().clone().view(4, -1)
    a[1], b[1] = value, 0
    return [a.view(-1), b.view(-1)]
