import torch
from answering import right, wrong


@wrong("half of the value in each of the two biases")
def with_forget_bias(bias_ih, bias_hh, value):
    ih, hh = bias_ih.clone(), bias_hh.clone()
    H = len(ih) // 4
    ih[H : 2 * H] = value / 2
    hh[H : 2 * H] = value / 2
    return ih, hh


@wrong("the value in both, so they add up to twice as much")
def with_forget_bias(bias_ih, bias_hh, value):
    ih, hh = bias_ih.clone(), bias_hh.clone()
    H = len(ih) // 4
    ih[H : 2 * H] = value
    hh[H : 2 * H] = value
    return ih, hh


@wrong("bias_hh keeps its forget part, so the sum is something else")
def with_forget_bias(bias_ih, bias_hh, value):
    ih, hh = bias_ih.clone(), bias_hh.clone()
    H = len(ih) // 4
    ih[H : 2 * H] = value
    return ih, hh


@wrong("writes into the caller's biases")
def with_forget_bias(bias_ih, bias_hh, value):
    H = len(bias_ih) // 4
    bias_ih[H : 2 * H] = value
    bias_hh[H : 2 * H] = 0
    return bias_ih, bias_hh


@wrong("the first quarter: the input gate")
def with_forget_bias(bias_ih, bias_hh, value):
    ih, hh = bias_ih.clone(), bias_hh.clone()
    H = len(ih) // 4
    ih[:H] = value
    hh[:H] = 0
    return ih, hh


@wrong("the third quarter, as if the order were i, g, f, o")
def with_forget_bias(bias_ih, bias_hh, value):
    ih, hh = bias_ih.clone(), bias_hh.clone()
    H = len(ih) // 4
    ih[2 * H : 3 * H] = value
    hh[2 * H : 3 * H] = 0
    return ih, hh


@wrong("all of bias_hh becomes zero, other gates as well")
def with_forget_bias(bias_ih, bias_hh, value):
    ih = bias_ih.clone()
    H = len(ih) // 4
    ih[H : 2 * H] = value
    return ih, torch.zeros_like(bias_hh)


@wrong("the value is added to what stands there")
def with_forget_bias(bias_ih, bias_hh, value):
    ih, hh = bias_ih.clone(), bias_hh.clone()
    H = len(ih) // 4
    ih[H : 2 * H] += value
    hh[H : 2 * H] = 0
    return ih, hh


@wrong("the slice ends one unit too early")
def with_forget_bias(bias_ih, bias_hh, value):
    ih, hh = bias_ih.clone(), bias_hh.clone()
    H = len(ih) // 4
    ih[H : 2 * H - 1] = value
    hh[H : 2 * H - 1] = 0
    return ih, hh


@wrong("the value went into bias_hh and the 0 into bias_ih")
def with_forget_bias(bias_ih, bias_hh, value):
    ih, hh = bias_ih.clone(), bias_hh.clone()
    H = len(ih) // 4
    ih[H : 2 * H] = 0
    hh[H : 2 * H] = value
    return ih, hh


@right
def with_forget_bias(bias_ih, bias_hh, value):
    parts_ih = list(bias_ih.chunk(4))
    parts_hh = list(bias_hh.chunk(4))
    parts_ih[1] = torch.full_like(parts_ih[1], value)
    parts_hh[1] = torch.zeros_like(parts_hh[1])
    return torch.cat(parts_ih), torch.cat(parts_hh)


@right
def with_forget_bias(bias_ih, bias_hh, value):
    n = bias_ih.numel()
    quarter = torch.arange(n) * 4 // n
    forget = quarter == 1
    return bias_ih.masked_fill(forget, value), bias_hh.masked_fill(forget, 0.0)
