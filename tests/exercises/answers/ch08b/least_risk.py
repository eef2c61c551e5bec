"""Answers to exercise ``least_risk``, as learners write them."""

from collections import Counter

import numpy as np
from answering import right, wrong


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


@right
def least_risk(candidates, voters, utility):
    count = Counter(voters)
    worth = {y: sum(n * utility(y, v) for v, n in count.items()) for y in set(candidates)}
    best = max(worth, key=worth.get)
    return best, worth[best] / count.total()


@right
def least_risk(candidates, voters, utility):
    table = np.array([[utility(y, v) for v in voters] for y in candidates])
    means = table.mean(axis=1)
    return candidates[means.argmax()], means.max()
