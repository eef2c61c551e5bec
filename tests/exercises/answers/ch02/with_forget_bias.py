"""Answers to exercise ``with_forget_bias``, as learners write them."""

import torch
from answering import right, wrong


@wrong("is the sum of its two biases: here [1.7], where 1 is wanted")
def with_forget_bias(bias_ih, bias_hh, value):
    bias_ih, bias_hh = bias_ih.clone(), bias_hh.clone()
    n = bias_ih.numel() // 4
    bias_ih[n : 2 * n].fill_(value)
    return bias_ih, bias_hh


@wrong("The block of i in bias_ih has changed. Only the forget gate's may.")
def with_forget_bias(bias_ih, bias_hh, value):
    bias_ih, bias_hh = bias_ih.clone(), bias_hh.clone()
    n = bias_ih.numel() // 4
    bias_ih[:n] = value
    bias_hh[:n] = 0
    return bias_ih, bias_hh


@wrong("here [1.9], where 1 is wanted")
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
