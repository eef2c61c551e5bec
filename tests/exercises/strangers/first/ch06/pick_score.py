"""Answers to exercise ``pick_score``, written from its statement alone."""

import torch
from answering import right, wrong


@wrong("judged on the half that it was fitted to")
def pick_score(fit, query, keys, wanted):
    half = len(query) // 2
    right = {}
    for kind in ("dot", "general", "concat"):
        score = fit(kind, query[:half], keys[:half], wanted[:half])
        right[kind] = (score(query[:half], keys[:half]).argmax(-1) == wanted[:half]).sum().item()
    return max(right, key=right.get)


@wrong("fitted to everything, the second half included")
def pick_score(fit, query, keys, wanted):
    half = len(query) // 2
    right = {}
    for kind in ("dot", "general", "concat"):
        score = fit(kind, query, keys, wanted)
        right[kind] = (score(query[half:], keys[half:]).argmax(-1) == wanted[half:]).sum().item()
    return max(right, key=right.get)


@wrong("of equally good ones the last")
def pick_score(fit, query, keys, wanted):
    half = len(query) // 2
    best, most = None, -1
    for kind in ("dot", "general", "concat"):
        score = fit(kind, query[:half], keys[:half], wanted[:half])
        n = (score(query[half:], keys[half:]).argmax(-1) == wanted[half:]).sum().item()
        if n >= most:
            best, most = kind, n
    return best


@wrong("ties are decided by the alphabet")
def pick_score(fit, query, keys, wanted):
    half = len(query) // 2
    right = []
    for kind in ("dot", "general", "concat"):
        score = fit(kind, query[:half], keys[:half], wanted[:half])
        n = (score(query[half:], keys[half:]).argmax(-1) == wanted[half:]).sum().item()
        right.append((n, kind))
    return max(right)[1]


@wrong("fitted to the second half, judged on the first")
def pick_score(fit, query, keys, wanted):
    half = len(query) // 2
    right = {}
    for kind in ("dot", "general", "concat"):
        score = fit(kind, query[half:], keys[half:], wanted[half:])
        right[kind] = (score(query[:half], keys[:half]).argmax(-1) == wanted[:half]).sum().item()
    return max(right, key=right.get)


@wrong("if no kind finds anything, none is returned: the search begins at 0 right ones")
def pick_score(fit, query, keys, wanted):
    half = len(query) // 2
    best, most = None, 0
    for kind in ("dot", "general", "concat"):
        score = fit(kind, query[:half], keys[:half], wanted[:half])
        n = (score(query[half:], keys[half:]).argmax(-1) == wanted[half:]).sum().item()
        if n > most:
            best, most = kind, n
    return best


@wrong("the highest score over the examples, not over the keys")
def pick_score(fit, query, keys, wanted):
    half = len(query) // 2
    right = {}
    for kind in ("dot", "general", "concat"):
        score = fit(kind, query[:half], keys[:half], wanted[:half])
        found = score(query[half:], keys[half:]).argmax()
        right[kind] = (found == wanted[half:]).sum().item()
    return max(right, key=right.get)


@wrong("judged by the size of the wanted key's score, not by how often it is highest")
def pick_score(fit, query, keys, wanted):
    half = len(query) // 2
    mean = {}
    for kind in ("dot", "general", "concat"):
        score = fit(kind, query[:half], keys[:half], wanted[:half])
        scores = score(query[half:], keys[half:])
        mean[kind] = scores.gather(1, wanted[half:].unsqueeze(1)).mean().item()
    return max(mean, key=mean.get)


@wrong("concat is never tried")
def pick_score(fit, query, keys, wanted):
    half = len(query) // 2
    best, most = "dot", -1
    for kind in ("dot", "general"):
        score = fit(kind, query[:half], keys[:half], wanted[:half])
        n = (score(query[half:], keys[half:]).argmax(-1) == wanted[half:]).sum().item()
        if n > most:
            best, most = kind, n
    return best


@wrong("the number of right ones comes back, too")
def pick_score(fit, query, keys, wanted):
    half = len(query) // 2
    right = {}
    for kind in ("dot", "general", "concat"):
        score = fit(kind, query[:half], keys[:half], wanted[:half])
        right[kind] = (score(query[half:], keys[half:]).argmax(-1) == wanted[half:]).sum().item()
    best = max(right, key=right.get)
    return best, right[best]


@right
def pick_score(fit, query, keys, wanted):
    n = query.shape[0] // 2
    kinds = ["dot", "general", "concat"]
    accuracy = []
    for kind in kinds:
        score = fit(kind, query[:n], keys[:n], wanted[:n])
        with torch.no_grad():
            found = score(query[n:], keys[n:]).max(dim=1).indices
        accuracy.append(sum(int(a) == int(b) for a, b in zip(found, wanted[n:])))
    return kinds[accuracy.index(max(accuracy))]


@right
def pick_score(fit, query, keys, wanted):
    half = len(query) // 2

    def mistakes(kind):
        score = fit(kind, query[:half], keys[:half], wanted[:half])
        return int((score(query[half:], keys[half:]).argmax(1) != wanted[half:]).sum())

    return min(("dot", "general", "concat"), key=mistakes)
