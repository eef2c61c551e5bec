import math

import torch
from answering import right, wrong


@wrong("the power is on the numerator only")
def length_penalty(n, alpha, kind="gnmt"):
    if kind == "gnmt":
        return (5 + n) ** alpha / 6
    return n**alpha


@wrong("5 + n / 6: the parentheses")
def length_penalty(n, alpha, kind="gnmt"):
    if kind == "gnmt":
        return (5 + n / 6) ** alpha
    return n**alpha


@wrong("the reciprocal: a minus in the exponent")
def length_penalty(n, alpha, kind="gnmt"):
    if kind == "gnmt":
        return ((5 + n) / 6) ** -alpha
    return n**-alpha


@wrong("the eos is counted once more")
def length_penalty(n, alpha, kind="gnmt"):
    if kind == "gnmt":
        return ((6 + n) / 6) ** alpha
    return (n + 1) ** alpha


@wrong("times alpha instead of to the power alpha")
def length_penalty(n, alpha, kind="gnmt"):
    if kind == "gnmt":
        return ((5 + n) / 6) * alpha
    return n * alpha


@wrong("alpha to the power n")
def length_penalty(n, alpha, kind="gnmt"):
    if kind == "gnmt":
        return ((5 + n) / 6) ** alpha
    return alpha**n


@wrong("whole-number division by 6")
def length_penalty(n, alpha, kind="gnmt"):
    if kind == "gnmt":
        return ((5 + n) // 6) ** alpha
    return n**alpha


@wrong("n is made a Python whole number, so that a tensor is refused")
def length_penalty(n, alpha, kind="gnmt"):
    n = int(n)
    if kind == "gnmt":
        return ((5 + n) / 6) ** alpha
    return n**alpha


@wrong("the two kinds are swapped")
def length_penalty(n, alpha, kind="gnmt"):
    if kind == "power":
        return ((5 + n) / 6) ** alpha
    return n**alpha


@wrong("the kind is not looked at: always GNMT's")
def length_penalty(n, alpha, kind="gnmt"):
    if kind == "gnmt":
        return ((5 + n) / 6) ** alpha
    return ((n + 5) / 6) ** alpha


@wrong("math.pow, which takes no tensor of several numbers")
def length_penalty(n, alpha, kind="gnmt"):
    if kind == "gnmt":
        return math.pow((5 + n) / 6, alpha)
    return math.pow(n, alpha)


@wrong("alpha 0 is taken for 'no length at all' and gives n")
def length_penalty(n, alpha, kind="gnmt"):
    if alpha == 0:
        return n
    if kind == "gnmt":
        return ((5 + n) / 6) ** alpha
    return n**alpha


@right
def length_penalty(n, alpha, kind="gnmt"):
    base = {"gnmt": (5 + n) / 6, "power": n}[kind]
    return pow(base, alpha)


@right
def length_penalty(n, alpha, kind="gnmt"):
    base = n if kind == "power" else n / 6 + 5 / 6
    if isinstance(base, torch.Tensor):
        return (alpha * base.log()).exp()
    return math.exp(alpha * math.log(base))
