from collections import Counter
from statistics import fmean, median

import torch
from answering import right, wrong

from attnlib.metrics import sentence_chrf


@wrong("the sum comes back, not the mean")
def least_risk(candidates, voters, utility):
    best, most = None, float("-inf")
    for y in candidates:
        total = sum(utility(y, other) for other in voters)
        if total > most:
            best, most = y, total
    return best, most


@wrong("a set of the voters: everyone has one vote, however often drawn")
def least_risk(candidates, voters, utility):
    different = set(voters)
    best, most = None, float("-inf")
    for y in candidates:
        mean = sum(utility(y, other) for other in different) / len(different)
        if mean > most:
            best, most = y, mean
    return best, most


@wrong("divided by the number of different voters")
def least_risk(candidates, voters, utility):
    counts = Counter(voters)
    best, most = None, float("-inf")
    for y in candidates:
        mean = sum(n * utility(y, other) for other, n in counts.items()) / len(counts)
        if mean > most:
            best, most = y, mean
    return best, most


@wrong("different voters compared once, but divided by all of them")
def least_risk(candidates, voters, utility):
    best, most = None, float("-inf")
    for y in candidates:
        mean = sum(utility(y, other) for other in set(voters)) / len(voters)
        if mean > most:
            best, most = y, mean
    return best, most


@wrong("a candidate does not vote for itself")
def least_risk(candidates, voters, utility):
    best, most = None, float("-inf")
    for y in candidates:
        votes = [utility(y, other) for other in voters if other != y]
        mean = sum(votes) / len(votes) if votes else 0.0
        if mean > most:
            best, most = y, mean
    return best, most


@wrong("the voter with the same number is left out")
def least_risk(candidates, voters, utility):
    best, most = None, float("-inf")
    for i, y in enumerate(candidates):
        votes = [utility(y, other) for j, other in enumerate(voters) if i != j]
        mean = sum(votes) / max(len(votes), 1)
        if mean > most:
            best, most = y, mean
    return best, most


@wrong("the arguments of utility are exchanged")
def least_risk(candidates, voters, utility):
    best, most = None, float("-inf")
    for y in candidates:
        mean = sum(utility(other, y) for other in voters) / len(voters)
        if mean > most:
            best, most = y, mean
    return best, most


@wrong("the mean of both directions of the utility")
def least_risk(candidates, voters, utility):
    best, most = None, float("-inf")
    for y in candidates:
        both = [(utility(y, other) + utility(other, y)) / 2 for other in voters]
        mean = sum(both) / len(voters)
        if mean > most:
            best, most = y, mean
    return best, most


@wrong("the lowest mean: risk is taken for utility")
def least_risk(candidates, voters, utility):
    means = {y: sum(utility(y, other) for other in voters) / len(voters) for y in candidates}
    best = min(means, key=means.get)
    return best, means[best]


@wrong("the search begins at 0: with negative utilities nobody wins")
def least_risk(candidates, voters, utility):
    best, most = None, 0.0
    for y in candidates:
        mean = sum(utility(y, other) for other in voters) / len(voters)
        if mean > most:
            best, most = y, mean
    return best, most


@wrong("begins with the first candidate and a mean of 0: negative means never win")
def least_risk(candidates, voters, utility):
    best, most = candidates[0], 0.0
    for y in candidates:
        mean = sum(utility(y, other) for other in voters) / len(voters)
        if mean > most:
            best, most = y, mean
    return best, most


@wrong("the search begins at −1, and a mean can be lower")
def least_risk(candidates, voters, utility):
    best, most = None, -1
    for y in candidates:
        mean = sum(utility(y, other) for other in voters) / len(voters)
        if mean > most:
            best, most = y, mean
    return best, most


@wrong("only the candidate comes back")
def least_risk(candidates, voters, utility):
    return max(candidates, key=lambda y: sum(utility(y, other) for other in voters))


@wrong("the mean first, the candidate second")
def least_risk(candidates, voters, utility):
    return max((sum(utility(y, o) for o in voters) / len(voters), y) for y in candidates)


@wrong("the candidate's number, not its text")
def least_risk(candidates, voters, utility):
    means = [sum(utility(y, o) for o in voters) / len(voters) for y in candidates]
    best = max(range(len(means)), key=means.__getitem__)
    return best, means[best]


@wrong("the median of the utilities, not the mean")
def least_risk(candidates, voters, utility):
    best, most = None, float("-inf")
    for y in candidates:
        middle = median(utility(y, other) for other in voters)
        if middle > most:
            best, most = y, middle
    return best, most


@wrong("the nearest voter decides, not all of them")
def least_risk(candidates, voters, utility):
    best, most = None, float("-inf")
    for y in candidates:
        nearest = max(utility(y, other) for other in voters)
        if nearest > most:
            best, most = y, nearest
    return best, most


@wrong("divided by the number of candidates")
def least_risk(candidates, voters, utility):
    best, most = None, float("-inf")
    for y in candidates:
        mean = sum(utility(y, other) for other in voters) / len(candidates)
        if mean > most:
            best, most = y, mean
    return best, most


@wrong("the text that was drawn most often, with its mean")
def least_risk(candidates, voters, utility):
    best = Counter(candidates).most_common(1)[0][0]
    return best, sum(utility(best, other) for other in voters) / len(voters)


@wrong("the candidates vote, the voters are not asked")
def least_risk(candidates, voters, utility):
    best, most = None, float("-inf")
    for y in candidates:
        mean = sum(utility(y, other) for other in candidates) / len(candidates)
        if mean > most:
            best, most = y, mean
    return best, most


@wrong("one of the voters is returned, not one of the candidates")
def least_risk(candidates, voters, utility):
    best, most = None, float("-inf")
    for y in voters:
        mean = sum(utility(y, other) for other in voters) / len(voters)
        if mean > most:
            best, most = y, mean
    return best, most


@wrong("candidate i is compared with voter i only")
def least_risk(candidates, voters, utility):
    best, most = None, float("-inf")
    for y, other in zip(candidates, voters):
        if utility(y, other) > most:
            best, most = y, utility(y, other)
    return best, most


@wrong("the library's chrF, whatever utility is given")
def least_risk(candidates, voters, utility):
    best, most = None, float("-inf")
    for y in candidates:
        mean = sum(sentence_chrf(y, other) for other in voters) / len(voters)
        if mean > most:
            best, most = y, mean
    return best, most


@wrong("the sum is not begun anew for each candidate")
def least_risk(candidates, voters, utility):
    best, most, total = None, float("-inf"), 0.0
    for y in candidates:
        for other in voters:
            total += utility(y, other)
        if total / len(voters) > most:
            best, most = y, total / len(voters)
    return best, most


@wrong("the return stands inside the loop: always the first candidate")
def least_risk(candidates, voters, utility):
    best, most = None, float("-inf")
    for y in candidates:
        mean = sum(utility(y, other) for other in voters) / len(voters)
        if mean > most:
            best, most = y, mean
        return best, most


@wrong("the right candidate with the mean of the last one")
def least_risk(candidates, voters, utility):
    best, most = None, float("-inf")
    for y in candidates:
        mean = sum(utility(y, other) for other in voters) / len(voters)
        if mean > most:
            best, most = y, mean
    return best, mean


@wrong("the risk comes back: 1 minus the mean")
def least_risk(candidates, voters, utility):
    means = [sum(utility(y, o) for o in voters) / len(voters) for y in candidates]
    best = max(range(len(means)), key=means.__getitem__)
    return candidates[best], 1 - means[best]


@wrong("the mean is cut to a whole number")
def least_risk(candidates, voters, utility):
    best, most = None, float("-inf")
    for y in candidates:
        mean = sum(utility(y, other) for other in voters) // len(voters)
        if mean > most:
            best, most = y, mean
    return best, most


@wrong("an empty text counts as none yet, and is always overwritten")
def least_risk(candidates, voters, utility):
    best, most = "", 0.0
    for y in candidates:
        mean = sum(utility(y, other) for other in voters) / len(voters)
        if not best or mean > most:
            best, most = y, mean
    return best, most


@wrong("sorts the given candidates: the caller's list is changed")
def least_risk(candidates, voters, utility):
    def mean(y):
        return sum(utility(y, other) for other in voters) / len(voters)

    candidates.sort(key=mean, reverse=True)
    return candidates[0], mean(candidates[0])


@wrong("takes the candidates out of the voters: the caller's list is changed")
def least_risk(candidates, voters, utility):
    best, most = None, float("-inf")
    for y in candidates:
        if y in voters:
            voters.remove(y)
        mean = sum(utility(y, other) for other in voters) / max(len(voters), 1)
        if mean > most:
            best, most = y, mean
    return best, most


@wrong("absolute values: a large negative utility counts as good")
def least_risk(candidates, voters, utility):
    best, most = None, float("-inf")
    for y in candidates:
        mean = sum(abs(utility(y, other)) for other in voters) / len(voters)
        if mean > most:
            best, most = y, mean
    return best, most


@wrong("voters that are equal to the candidate vote once only")
def least_risk(candidates, voters, utility):
    best, most = None, float("-inf")
    for y in candidates:
        votes = [utility(y, other) for other in voters if other != y]
        votes += [utility(y, y)] if y in voters else []
        if sum(votes) / len(votes) > most:
            best, most = y, sum(votes) / len(votes)
    return best, most


@right
def least_risk(candidates, voters, utility):
    def mean(y):
        return sum(utility(y, other) for other in voters) / len(voters)

    best = max(candidates, key=mean)
    return best, mean(best)


@right
def least_risk(candidates, voters, utility):
    counts = Counter(voters)
    means = {}
    for y in set(candidates):
        means[y] = sum(n * utility(y, other) for other, n in counts.items()) / len(voters)
    return max(means.items(), key=lambda item: item[1])


@right
def least_risk(candidates, voters, utility):
    table = torch.tensor([[float(utility(y, other)) for other in voters] for y in candidates])
    mean, where = table.mean(dim=1).max(dim=0)
    return candidates[where], mean.item()


@right
def least_risk(candidates, voters, utility):
    # Of equal ones the last: the task does not say which.
    best_text, best_mean = candidates[0], fmean(utility(candidates[0], v) for v in voters)
    for text in candidates[1:]:
        mean = fmean(utility(text, v) for v in voters)
        if mean >= best_mean:
            best_text, best_mean = text, mean
    return [best_text, best_mean]
