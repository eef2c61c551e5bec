"""Answers to exercise ``least_risk``, as learners write them."""

from collections import Counter

import numpy as np
import torch
from answering import right, wrong


@wrong("arguments of utility are exchanged")
def least_risk(candidates, voters, utility):
    scores = {}
    for y in candidates:
        scores[y] = sum([utility(v, y) for v in voters]) / len(voters)
    best = max(scores, key=scores.get)
    return best, scores[best]


@wrong("Equal voters are counted once")
def least_risk(candidates, voters, utility):
    count = Counter(voters)
    scores = [sum(utility(y, v) for v in count) / len(count) for y in candidates]
    i = int(np.argmax(scores))
    return candidates[i], scores[i]


@wrong("This is the sum over the voters")
def least_risk(candidates, voters, utility):
    best, best_score = None, float("-inf")
    for y in candidates:
        score = 0
        for v in voters:
            score += utility(y, v)
        if score > best_score:
            best, best_score = y, score
    return best, best_score


@wrong("own vote is left out")
def least_risk(candidates, voters, utility):
    best, best_score = None, float("-inf")
    for y in candidates:
        others = [v for v in voters if v != y]
        score = sum(utility(y, v) for v in others) / max(len(others), 1)
        if score > best_score:
            best, best_score = y, score
    return best, best_score


@wrong("begins at 0")
def least_risk(candidates, voters, utility):
    best, best_score = candidates[0], 0
    for y in candidates:
        score = sum(utility(y, v) for v in voters) / len(voters)
        if score > best_score:
            best, best_score = y, score
    return best, best_score


@wrong("*lowest* mean wins")
def least_risk(candidates, voters, utility):
    risk = lambda y: sum(utility(y, v) for v in voters) / len(voters)
    y = min(candidates, key=risk)
    return y, risk(y)


@wrong("The place of the candidate comes back")
def least_risk(candidates, voters, utility):
    u = torch.tensor([[utility(y, v) for v in voters] for y in candidates]).mean(1)
    return int(u.argmax()), float(u.max())


@wrong("Only one thing comes back, the candidate")
def least_risk(candidates, voters, utility):
    return max(candidates, key=lambda y: sum(utility(y, v) for v in voters) / len(voters))


@wrong("sought among the voters")
def least_risk(candidates, voters, utility):
    pairs = [(sum(utility(y, v) for v in voters) / len(voters), y) for y in voters]
    score, y = max(pairs)
    return y, score


@wrong("The candidates vote here")
def least_risk(candidates, voters, utility):
    pairs = [(sum(utility(y, v) for v in candidates) / len(candidates), y) for y in candidates]
    score, y = max(pairs)
    return y, score


@wrong("the utility is not used")
def least_risk(candidates, voters, utility):
    y = max(candidates, key=voters.count)
    return y, voters.count(y) / len(voters)


@wrong("Only the nearest voter counts")
def least_risk(candidates, voters, utility):
    scores = [max(utility(y, v) for v in voters) for y in candidates]
    i = scores.index(max(scores))
    return candidates[i], scores[i]


@wrong("divided by the number of candidates")
def least_risk(candidates, voters, utility):
    scores = [sum(utility(y, v) for v in voters) / len(candidates) for y in candidates]
    return candidates[int(np.argmax(scores))], max(scores)


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


@right
def least_risk(candidates, voters, utility):
    best, best_score = None, None
    for y in candidates:
        total = 0.0
        for v in voters:
            total = total + utility(y, v)
        score = total / len(voters)
        if best_score is None or score > best_score:
            best, best_score = y, score
    return best, torch.tensor(best_score)
