"""Answers to exercise ``length_penalty``, written from its statement alone."""

import math

import torch
from answering import right, wrong


@wrong("multiplied by alpha instead of raised to it")
def length_penalty(n, alpha, kind="gnmt"):
    return (5 + n) / 6 * alpha if kind == "gnmt" else n * alpha


@wrong("only the numerator is raised")
def length_penalty(n, alpha, kind="gnmt"):
    return (5 + n) ** alpha / 6 if kind == "gnmt" else n**alpha


@wrong("the kind is ignored")
def length_penalty(n, alpha, kind="gnmt"):
    return ((5 + n) / 6) ** alpha


@wrong("5 + 1 in the denominator is read as n + 1")
def length_penalty(n, alpha, kind="gnmt"):
    return ((5 + n) / (n + 1)) ** alpha if kind == "gnmt" else n**alpha


@wrong("whole-number division in the base")
def length_penalty(n, alpha, kind="gnmt"):
    return ((5 + n) // 6) ** alpha if kind == "gnmt" else n**alpha


@wrong("math.pow: a tensor of several lengths is an error")
def length_penalty(n, alpha, kind="gnmt"):
    return math.pow((5 + n) / 6, alpha) if kind == "gnmt" else math.pow(n, alpha)


@wrong("the eos is added a second time")
def length_penalty(n, alpha, kind="gnmt"):
    return ((6 + n) / 6) ** alpha if kind == "gnmt" else (n + 1) ** alpha


@wrong("one over the penalty")
def length_penalty(n, alpha, kind="gnmt"):
    base = (5 + n) / 6 if kind == "gnmt" else n
    return base**-alpha


@right
def length_penalty(n, alpha, kind="gnmt"):
    if kind == "power":
        base = n * 1.0
    else:
        base = (5.0 + n) / 6.0
    return base.pow(alpha) if isinstance(base, torch.Tensor) else base**alpha


@right
def length_penalty(n, alpha, kind="gnmt"):
    bases = {"gnmt": lambda: (5 + n) / (5 + 1), "power": lambda: n}
    base = bases[kind]()
    if torch.is_tensor(base):
        return torch.exp(alpha * torch.log(base))
    return math.exp(alpha * math.log(base))
