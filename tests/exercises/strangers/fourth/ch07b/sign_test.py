import math
import random
from itertools import product

from answering import right, wrong


@wrong("one direction only: not doubled")
def sign_test(better, worse):
    n = better + worse
    return sum(math.comb(n, k) for k in range(max(better, worse), n + 1)) / 2**n


@wrong("an even split is counted twice: above 1")
def sign_test(better, worse):
    n = better + worse
    return 2 * sum(math.comb(n, k) for k in range(max(better, worse), n + 1)) / 2**n


@wrong("the range ends before n: all heads are left out")
def sign_test(better, worse):
    n = better + worse
    return min(1.0, 2 * sum(math.comb(n, k) for k in range(max(better, worse), n)) / 2**n)


@wrong("more uneven than this one, not at least as uneven")
def sign_test(better, worse):
    n = better + worse
    return min(1.0, 2 * sum(math.comb(n, k) for k in range(max(better, worse) + 1, n + 1)) / 2**n)


@wrong("from the smaller of the two counts on: nearly everything")
def sign_test(better, worse):
    n = better + worse
    return min(1.0, 2 * sum(math.comb(n, k) for k in range(min(better, worse), n + 1)) / 2**n)


@wrong("from better on: where worse is larger, the wrong tail")
def sign_test(better, worse):
    n = better + worse
    return min(1.0, 2 * sum(math.comb(n, k) for k in range(better, n + 1)) / 2**n)


@wrong("up to the larger count: the other side of the distribution")
def sign_test(better, worse):
    n = better + worse
    return min(1.0, 2 * sum(math.comb(n, k) for k in range(max(better, worse) + 1)) / 2**n)


@wrong("the number of cases, not divided by 2^n")
def sign_test(better, worse):
    n = better + worse
    return 2 * sum(math.comb(n, k) for k in range(max(better, worse), n + 1))


@wrong("2 ^ n is an exclusive or in Python")
def sign_test(better, worse):
    n = better + worse
    return min(1.0, 2 * sum(math.comb(n, k) for k in range(max(better, worse), n + 1)) / (2 ^ n))


@wrong("by the normal distribution with a correction for continuity")
def sign_test(better, worse):
    n = better + worse
    if n == 0:
        return 1.0
    z = max(0, abs(better - worse) - 1) / math.sqrt(n)
    return math.erfc(z / math.sqrt(2))


@wrong("in percent")
def sign_test(better, worse):
    n = better + worse
    tail = sum(math.comb(n, k) for k in range(max(better, worse), n + 1))
    return 100 * min(1.0, 2 * tail / 2**n)


@wrong("1 − p: how sure one is, not how likely luck is")
def sign_test(better, worse):
    n = better + worse
    tail = sum(math.comb(n, k) for k in range(max(better, worse), n + 1))
    return 1 - min(1.0, 2 * tail / 2**n)


@wrong("rounded to three digits, as the table prints it")
def sign_test(better, worse):
    n = better + worse
    tail = sum(math.comb(n, k) for k in range(max(better, worse), n + 1))
    return round(min(1.0, 2 * tail / 2**n), 3)


@wrong("always ten seeds, as in the text")
def sign_test(better, worse):
    k = max(better, worse)
    return min(1.0, 2 * sum(math.comb(10, i) for i in range(k, 11)) / 2**10)


@wrong("no seed left gives 0")
def sign_test(better, worse):
    n = better + worse
    if n == 0:
        return 0.0
    tail = sum(math.comb(n, k) for k in range(max(better, worse), n + 1))
    return min(1.0, 2 * tail / 2**n)


@wrong("a share of the seeds is taken first: no seed left divides by 0")
def sign_test(better, worse):
    n = better + worse
    share = max(better, worse) / n
    cases = [k for k in range(n + 1) if k / n >= share]
    return min(1.0, 2 * sum(math.comb(n, k) for k in cases) / 2**n)


@wrong("the limit of 1 is put on the tail, and then it is doubled")
def sign_test(better, worse):
    n = better + worse
    tail = sum(math.comb(n, k) for k in range(max(better, worse), n + 1)) / 2**n
    return 2 * min(1.0, tail)


@wrong("integer division: always 0 or 1")
def sign_test(better, worse):
    n = better + worse
    return min(1, 2 * sum(math.comb(n, k) for k in range(max(better, worse), n + 1)) // 2**n)


@wrong("permutations where combinations are needed")
def sign_test(better, worse):
    n = better + worse
    return min(1.0, 2 * sum(math.perm(n, k) for k in range(max(better, worse), n + 1)) / 2**n)


@wrong("the mid-p: this split counts for half")
def sign_test(better, worse):
    n = better + worse
    top = max(better, worse)
    tail = sum(math.comb(n, k) for k in range(top, n + 1)) - math.comb(n, top) / 2
    return min(1.0, 2 * tail / 2**n)


@wrong("this split counts as one case more, as in the randomization test")
def sign_test(better, worse):
    n = better + worse
    tail = sum(math.comb(n, k) for k in range(max(better, worse), n + 1))
    return min(1.0, (1 + 2 * tail) / (1 + 2**n))


@wrong("simulated with random coins: near, but not the number")
def sign_test(better, worse):
    n, coin = better + worse, random.Random(0)
    hits = 0
    for _ in range(2000):
        heads = sum(coin.random() < 0.5 for _ in range(n))
        hits += max(heads, n - heads) >= max(better, worse)
    return hits / 2000


@wrong("n is the larger of the two, not their sum")
def sign_test(better, worse):
    n = max(better, worse)
    return min(1.0, 2 * math.comb(n, n) / 2**n)


@wrong("the middle of an even split is taken away: below 1")
def sign_test(better, worse):
    n = better + worse
    tail = sum(math.comb(n, k) for k in range(max(better, worse), n + 1))
    twice = 2 * tail - (math.comb(n, better) if better == worse else 0)
    middle = math.comb(n, n // 2) if better == worse else 0
    return (twice - middle) / 2**n


@wrong("not doubled, but divided by 2^n once more for each direction")
def sign_test(better, worse):
    n = better + worse
    tail = sum(math.comb(n, k) for k in range(max(better, worse), n + 1))
    return min(1.0, tail / 2 ** (n + 1))


@wrong("the difference of the two counts is taken for the number of heads")
def sign_test(better, worse):
    n = better + worse
    gap = abs(better - worse)
    return min(1.0, 2 * sum(math.comb(n, k) for k in range(gap, n + 1)) / 2**n)


@wrong("the ends of comb are exchanged: comb(k, n) is 0")
def sign_test(better, worse):
    n = better + worse
    return min(1.0, 2 * sum(math.comb(k, n) for k in range(max(better, worse), n + 1)) / 2**n)


@wrong("a verdict comes back, not the probability")
def sign_test(better, worse):
    n = better + worse
    tail = sum(math.comb(n, k) for k in range(max(better, worse), n + 1))
    return min(1.0, 2 * tail / 2**n) <= 0.05


@wrong("min where max is needed: 1 for every split")
def sign_test(better, worse):
    n = better + worse
    tail = sum(math.comb(n, k) for k in range(max(better, worse), n + 1))
    return max(1.0, 2 * tail / 2**n)


@right
def sign_test(better, worse):
    n = better + worse
    cases = 0
    for heads in range(n + 1):
        if abs(2 * heads - n) >= abs(better - worse):
            cases += math.comb(n, heads)
    return cases / 2**n


@right
def sign_test(better, worse):
    total = better + worse
    low = min(better, worse)
    p = 2 * sum(math.comb(total, k) * 0.5**total for k in range(low + 1))
    return p if p < 1 else 1.0


@right
def sign_test(better, worse):
    # Pascal's triangle, row by row, instead of comb.
    row = [1.0]
    for _ in range(better + worse):
        row = [(a + b) / 2 for a, b in zip([0.0, *row], [*row, 0.0])]
    return min(1, 2 * sum(row[max(better, worse) :]))


@right
def sign_test(better, worse):
    n, gap = better + worse, abs(better - worse)
    if gap <= 1:  # nothing can be more even
        return 1
    if n > 15:
        return 2 * sum(map(lambda k: math.comb(n, k), range((n + gap) // 2, n + 1))) / 2**n
    # all sequences of coins, one by one
    return sum(abs(sum(coins)) >= gap for coins in product((-1, 1), repeat=n)) / 2**n
