"""Answers to exercise ``with_forget_bias``, written from its statement alone."""

from answering import wrong


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
