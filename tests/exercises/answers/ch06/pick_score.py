"""Answers to exercise ``pick_score``, as learners write them."""

from answering import right, wrong


@wrong("judge on the second")
def pick_score(fit, query, keys, wanted):
    n = len(query) // 2
    right = {}
    for kind in ("dot", "general", "concat"):
        score = fit(kind, query, keys, wanted)
        right[kind] = (score(query, keys).argmax(1) == wanted).float().mean().item()
    return max(right, key=right.get)


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


@wrong("The halves are exchanged")
def pick_score(fit, query, keys, wanted):
    n, right = len(query) // 2, {}
    for kind in ("dot", "general", "concat"):
        score = fit(kind, query[n:], keys[n:], wanted[n:])
        right[kind] = int((score(query[:n], keys[:n]).argmax(dim=-1) == wanted[:n]).sum())
    return max(right, key=right.get)


@wrong("Begin it below")
def pick_score(fit, query, keys, wanted):
    n, best, most = len(query) // 2, None, 0
    for kind in ("dot", "general", "concat"):
        score = fit(kind, query[:n], keys[:n], wanted[:n])
        count = int((score(query[n:], keys[n:]).argmax(dim=-1) == wanted[n:]).sum())
        if count > most:
            best, most = kind, count
    return best


@wrong("Each example has its own highest")
def pick_score(fit, query, keys, wanted):
    n, right = len(query) // 2, {}
    for kind in ("dot", "general", "concat"):
        score = fit(kind, query[:n], keys[:n], wanted[:n])
        right[kind] = int((score(query[n:], keys[n:]).argmax() == wanted[n:]).sum())
    return max(right, key=right.get)


@wrong("scores of two kinds have two scales")
def pick_score(fit, query, keys, wanted):
    n, size = len(query) // 2, {}
    for kind in ("dot", "general", "concat"):
        score = fit(kind, query[:n], keys[:n], wanted[:n])
        size[kind] = score(query[n:], keys[n:]).gather(1, wanted[n:, None]).mean().item()
    return max(size, key=size.get)


@wrong("rows of query, keys and wanted")
def pick_score(fit, query, keys, wanted):
    n, right = len(query) // 2, {}
    for kind in ("dot", "general", "concat"):
        score = fit(kind, query[: n - 1], keys[: n - 1], wanted[: n - 1])
        right[kind] = int((score(query[n:], keys[n:]).argmax(-1) == wanted[n:]).sum())
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


@wrong("the name of the score is asked for")
def pick_score(fit, query, keys, wanted):
    half, hits = len(query) // 2, []
    for kind in ("dot", "general", "concat"):
        score = fit(kind, query[:half], keys[:half], wanted[:half])
        hits.append(int((score(query[half:], keys[half:]).argmax(-1) == wanted[half:]).sum()))
    return max(hits)


@wrong("a score is right so often")
def pick_score(fit, query, keys, wanted):
    half, highest = len(query) // 2, {}
    for kind in ("dot", "general", "concat"):
        score = fit(kind, query[:half], keys[:half], wanted[:half])
        highest[kind] = float(score(query[half:], keys[half:]).max(-1).values.sum())
    return max(highest, key=highest.get)
