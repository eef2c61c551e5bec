"""Answers to exercise ``length_penalty``, as learners write them."""

import math

import torch
from answering import right, wrong


@wrong("Only the numerator")
def length_penalty(n, alpha, kind="gnmt"):
    if kind == "power":
        return n**alpha
    return (5 + n) ** alpha / 6


@wrong("multiplied by α")
def length_penalty(n, alpha, kind="gnmt"):
    base = {"power": n, "gnmt": (5 + n) / 6}[kind]
    return base * alpha


@wrong("always the GNMT penalty")
def length_penalty(n, alpha, kind="gnmt"):
    return (5 + n) ** alpha / (5 + 1) ** alpha


@wrong("always n^α")
def length_penalty(n, alpha, kind="gnmt"):
    return n**alpha


@wrong("eos is counted twice")
def length_penalty(n, alpha, kind="gnmt"):
    n = n + 1  # the eos
    return n**alpha if kind == "power" else ((5 + n) / 6) ** alpha


@wrong("exponent has the wrong sign")
def length_penalty(n, alpha, kind="gnmt"):
    base = n if kind == "power" else (5 + n) / 6
    return 1 / base**alpha


@wrong("denominator grows")
def length_penalty(n, alpha, kind="gnmt"):
    return ((5 + n) / (n + 1)) ** alpha if kind == "gnmt" else n**alpha


@wrong("cut to a whole number")
def length_penalty(n, alpha, kind="gnmt"):
    return ((5 + n) // 6) ** alpha if kind == "gnmt" else n**alpha


@wrong("math.pow, max and if take one number")
def length_penalty(n, alpha, kind="gnmt"):
    return math.pow((5 + n) / 6, alpha) if kind == "gnmt" else math.pow(n, alpha)


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
