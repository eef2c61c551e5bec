"""Answers to exercise ``with_forget_bias``, as learners write them."""

import torch
from answering import right, wrong


@wrong("the gate gets the value twice")
def with_forget_bias(bias_ih, bias_hh, value):
    bias_ih, bias_hh = bias_ih.clone(), bias_hh.clone()
    n = bias_ih.numel() // 4
    bias_ih[n : 2 * n] = value
    bias_hh[n : 2 * n] = value
    return bias_ih, bias_hh


@wrong("make its block zero")
def with_forget_bias(bias_ih, bias_hh, value):
    bias_ih, bias_hh = bias_ih.clone(), bias_hh.clone()
    n = bias_ih.numel() // 4
    bias_ih[n : 2 * n].fill_(value)
    return bias_ih, bias_hh


@wrong("the block of the input gate")
def with_forget_bias(bias_ih, bias_hh, value):
    bias_ih, bias_hh = bias_ih.clone(), bias_hh.clone()
    n = bias_ih.numel() // 4
    bias_ih[:n] = value
    bias_hh[:n] = 0
    return bias_ih, bias_hh


@wrong("the block of the candidate g")
def with_forget_bias(bias_ih, bias_hh, value):
    bias_ih, bias_hh = bias_ih.clone(), bias_hh.clone()
    n = bias_ih.numel() // 4
    bias_ih[-2 * n : -n] = value
    bias_hh[-2 * n : -n] = 0
    return bias_ih, bias_hh


@wrong("the block of the output gate")
def with_forget_bias(bias_ih, bias_hh, value):
    bias_ih, bias_hh = bias_ih.clone(), bias_hh.clone()
    n = bias_ih.numel() // 4
    bias_ih[-n:] = value
    bias_hh[-n:] = 0
    return bias_ih, bias_hh


@wrong("fills all four blocks")
def with_forget_bias(bias_ih, bias_hh, value):
    bias_ih, bias_hh = bias_ih.clone(), bias_hh.clone()
    n = bias_ih.numel() // 4
    bias_ih[:] = value
    bias_hh[:] = 0
    return bias_ih, bias_hh


@wrong("It should replace it")
def with_forget_bias(bias_ih, bias_hh, value):
    bias_ih, bias_hh = bias_ih.clone(), bias_hh.clone()
    n = bias_ih.numel() // 4
    bias_ih[n : 2 * n] = bias_ih[n : 2 * n] + value
    return bias_ih, bias_hh


@wrong("was changed by the call")
def with_forget_bias(bias_ih, bias_hh, value):
    n = len(bias_ih) // 4
    bias_ih[n : 2 * n] = value
    bias_hh[n : 2 * n] = 0.0
    return bias_ih, bias_hh


@wrong("The argument bias_ih was changed by the call.")
def with_forget_bias(bias_ih, bias_hh, value):
    H = len(bias_ih) // 4
    with torch.no_grad():
        bias_ih[H : 2 * H] = value
        bias_hh[H : 2 * H] = 0
    return bias_ih, bias_hh


@wrong("The value is added to the random bias that stood there.")
def with_forget_bias(bias_ih, bias_hh, value):
    a, b = bias_ih.clone(), bias_hh.clone()
    H = len(a) // 4
    a[H : 2 * H] += value
    b[H : 2 * H] = 0
    return a, b


@wrong("All of bias_hh becomes 0.")
def with_forget_bias(bias_ih, bias_hh, value):
    a = bias_ih.clone()
    H = len(a) // 4
    a[H : 2 * H] = value
    return a, torch.zeros_like(bias_hh)


@wrong("From row H on everything is written, g and o too.")
def with_forget_bias(bias_ih, bias_hh, value):
    a, b = bias_ih.clone(), bias_hh.clone()
    H = len(a) // 4
    a[H:] = value
    b[H:] = 0
    return a, b


@wrong("Half of the value stands in each bias:")
def with_forget_bias(bias_ih, bias_hh, value):
    a, b = bias_ih.clone(), bias_hh.clone()
    H = len(a) // 4
    a[H : 2 * H] = value / 2
    b[H : 2 * H] = value / 2
    return a, b


@wrong("The block is one row too short or too long:")
def with_forget_bias(bias_ih, bias_hh, value):
    a, b = bias_ih.clone(), bias_hh.clone()
    H = len(a) // 4
    a[H : 2 * H - 1] = value
    b[H : 2 * H - 1] = 0
    return a, b


@wrong("The other gates of bias_ih become 0.")
def with_forget_bias(bias_ih, bias_hh, value):
    H = len(bias_ih) // 4
    a, b = torch.zeros_like(bias_ih), bias_hh.clone()
    a[H : 2 * H] = value
    b[H : 2 * H] = 0
    return a, b


@wrong("The value is cut to a whole number.")
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
