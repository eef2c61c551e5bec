"""Answers to exercise ``length_penalty``, as learners write them."""

from answering import wrong


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
