"""Answers to exercise ``pick_score``, as learners write them."""

from answering import right, wrong


@wrong("judged on examples that they were fitted to")
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


@wrong("The halves are exchanged")
def pick_score(fit, query, keys, wanted):
    n, right = len(query) // 2, {}
    for kind in ("dot", "general", "concat"):
        score = fit(kind, query[n:], keys[n:], wanted[n:])
        right[kind] = int((score(query[:n], keys[:n]).argmax(dim=-1) == wanted[:n]).sum())
    return max(right, key=right.get)


@right
def pick_score(fit, query, keys, wanted):
    half, kinds = query.shape[0] // 2, ["dot", "general", "concat"]
    counts = []
    for kind in kinds:
        score = fit(kind, query[:half], keys[:half], wanted[:half])
        found = [
            int(score(query[i : i + 1], keys[i : i + 1]).argmax()) for i in range(half, len(query))
        ]
        counts.append(sum(a == b for a, b in zip(found, wanted[half:].tolist())))
    return kinds[counts.index(max(counts))]


@right
def pick_score(fit, query, keys, wanted):
    half = len(query) // 2

    def mistakes(kind):
        score = fit(kind, *(x[:half].clone() for x in (query, keys, wanted)))
        return (score(query, keys)[half:].argmax(1) != wanted[half:]).double().mean()

    return min(("dot", "general", "concat"), key=mistakes)


@wrong("a score is right so often")
def pick_score(fit, query, keys, wanted):
    half, highest = len(query) // 2, {}
    for kind in ("dot", "general", "concat"):
        score = fit(kind, query[:half], keys[:half], wanted[:half])
        highest[kind] = float(score(query[half:], keys[half:]).max(-1).values.sum())
    return max(highest, key=highest.get)
