"""Answers to exercise ``sign_test``, as learners write them."""

import math
from fractions import Fraction

from answering import right, wrong


@wrong("more than 1")
def sign_test(better, worse):
    n = better + worse
    most = max(better, worse)
    return 2 * sum(math.comb(n, k) for k in range(most, n + 1)) / 2**n


@wrong("exactly this split")
def sign_test(better, worse):
    n = better + worse
    return min(1.0, 2 * math.comb(n, better) / 2**n)


@wrong("begins at `better`")
def sign_test(better, worse):
    n = better + worse
    return min(1, 2 * sum(math.comb(n, k) for k in range(better, n + 1)) / 2**n)


@right
def sign_test(better, worse):
    n = better + worse
    p = 0.0
    for k in range(max(better, worse), n + 1):
        p += float(math.comb(n, k)) * 0.5**n
    return min(1.0, 2 * p)


@wrong("normal approximation")
def sign_test(better, worse):
    n = better + worse
    if n == 0:
        return 1.0
    z = abs(better - worse) / math.sqrt(n)
    return math.erfc(z / math.sqrt(2))


@right
def sign_test(better, worse):
    n, least = better + worse, min(better, worse)
    if better == worse:
        return 1
    p = Fraction(0)
    for k in range(least + 1):
        p += 2 * Fraction(math.comb(n, k), 2**n)
    return float(p)
