"""Answers to exercise ``pick_score``, as learners write them."""

from answering import wrong


@wrong("judge on the second half")
def pick_score(fit, query, keys, wanted):
    n = len(query) // 2
    right = {}
    for kind in ("dot", "general", "concat"):
        score = fit(kind, query, keys, wanted)
        right[kind] = (score(query, keys).argmax(1) == wanted).float().mean().item()
    return max(right, key=right.get)


@wrong("judged on the examples that they were fitted to")
def pick_score(fit, query, keys, wanted):
    n = len(query) // 2
    right = {}
    for kind in ("dot", "general", "concat"):
        score = fit(kind, query[:n], keys[:n], wanted[:n])
        found = score(query[:n], keys[:n]).argmax(dim=-1)
        right[kind] = int((found == wanted[:n]).sum())
    return max(right, key=right.get)


@wrong("Of equally good scores the last is taken")
def pick_score(fit, query, keys, wanted):
    n = len(query) // 2
    right = {}
    for kind in ("dot", "general", "concat"):
        score = fit(kind, query[:n], keys[:n], wanted[:n])
        found = score(query[n:], keys[n:]).argmax(dim=-1)
        right[kind] = int((found == wanted[n:]).sum())
    return sorted(right, key=right.get)[-1]


@wrong("right least often")
def pick_score(fit, query, keys, wanted):
    n = len(query) // 2
    right = {}
    for kind in ("dot", "general", "concat"):
        score = fit(kind, query[:n], keys[:n], wanted[:n])
        found = score(query[n:], keys[n:]).argmax(dim=-1)
        right[kind] = int((found == wanted[n:]).sum())
    return min(right, key=right.get)


@wrong("always answers concat")
def pick_score(fit, query, keys, wanted):
    return "concat"


@wrong("The score dot was never fitted")
def pick_score(fit, query, keys, wanted):
    n = len(query) // 2
    right = {}
    for kind in ("general", "concat"):
        score = fit(kind, query[:n], keys[:n], wanted[:n])
        right[kind] = int((score(query[n:], keys[n:]).argmax(1) == wanted[n:]).sum())
    return max(right, key=right.get)


@wrong("is none of")
def pick_score(fit, query, keys, wanted):
    n = len(query) // 2
    right = {}
    for kind in ("dot", "general", "concat"):
        fit(kind, query, keys, wanted)
    return "Concat"


@wrong("It always answers general")
def pick_score(fit, query, keys, wanted):
    n = len(query) // 2
    right = {}
    for kind in ("dot", "general", "concat"):
        fit(kind, query, keys, wanted)
    return "general"
