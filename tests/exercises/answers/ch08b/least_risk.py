"""Answers to exercise ``least_risk``, as learners write them."""

from collections import Counter

import numpy as np
from answering import wrong


@wrong("how good the candidate y is")
def least_risk(candidates, voters, utility):
    scores = {}
    for y in candidates:
        scores[y] = sum([utility(v, y) for v in voters]) / len(voters)
    best = max(scores, key=scores.get)
    return best, scores[best]


@wrong("have the mean 0.479; 0.575 is returned")
def least_risk(candidates, voters, utility):
    count = Counter(voters)
    scores = [sum(utility(y, v) for v in count) / len(count) for y in candidates]
    i = int(np.argmax(scores))
    return candidates[i], scores[i]


@wrong("Only one thing comes back, the candidate")
def least_risk(candidates, voters, utility):
    return max(candidates, key=lambda y: sum(utility(y, v) for v in voters) / len(voters))


@wrong("The order is another")
def least_risk(candidates, voters, utility):
    pairs = [(sum(utility(y, v) for v in voters) / len(voters), y) for y in candidates]
    return max(pairs)
