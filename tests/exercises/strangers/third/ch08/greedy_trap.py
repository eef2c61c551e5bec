import math

import torch
from answering import right, wrong


@wrong("equally unsure after both: greedy search wins")
def greedy_trap(p):
    n = int(p / (1 - p)) + 2
    return [1 / n] * n, [1 / n] * n


@wrong("ten words are thought to be enough for every p")
def greedy_trap(p):
    return [0.1] * 10, [1.0]


@wrong("a list that sums to less than 1: one small probability and nothing else")
def greedy_trap(p):
    return [(1 - p) / 2], [1.0]


@wrong("1 / (1 − p) is rounded down, and one word short")
def greedy_trap(p):
    n = int(p / (1 - p))
    n = max(n, 1)
    return [1 / n] * n, [1.0]


@wrong("a number for each, not a list")
def greedy_trap(p):
    n = int(p / (1 - p)) + 2
    return 1 / n, 1.0


@wrong("the first list has one probable word: p times p is still above 1 − p for a large p")
def greedy_trap(p):
    return [p, 1 - p], [1.0]


@wrong("whole-number shares: 1 // n is 0")
def greedy_trap(p):
    n = int(p / (1 - p)) + 2
    return [1 // n] * n, [1]


@right
def greedy_trap(p):
    n = 2
    while p / n >= 0.9 * (1 - p):
        n *= 2
    return [1 / n] * n, [0.95, 0.05]


@right
def greedy_trap(p):
    n = math.ceil(p / (1 - p)) + 1
    return torch.full((n,), 1 / n, dtype=torch.double).tolist(), [1.0]
