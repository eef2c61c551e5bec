"""Answers to exercise ``sign_test``, as learners write them."""

import math

from answering import wrong


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


@wrong("normal approximation")
def sign_test(better, worse):
    n = better + worse
    if n == 0:
        return 1.0
    z = abs(better - worse) / math.sqrt(n)
    return math.erfc(z / math.sqrt(2))
