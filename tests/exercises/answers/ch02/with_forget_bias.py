"""Answers to exercise ``with_forget_bias``, as learners write them."""

from answering import wrong


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
