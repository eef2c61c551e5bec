from answering import right, wrong


@wrong("judged on the half that it was fitted to")
def pick_score(fit, query, keys, wanted):
    n = len(query) // 2
    hits = {}
    for kind in ("dot", "general", "concat"):
        score = fit(kind, query[:n], keys[:n], wanted[:n])
        hits[kind] = int((score(query[:n], keys[:n]).argmax(-1) == wanted[:n]).sum())
    return max(hits, key=hits.get)


@wrong("fitted to everything, the half that judges included")
def pick_score(fit, query, keys, wanted):
    n = len(query) // 2
    hits = {}
    for kind in ("dot", "general", "concat"):
        score = fit(kind, query, keys, wanted)
        hits[kind] = int((score(query[n:], keys[n:]).argmax(-1) == wanted[n:]).sum())
    return max(hits, key=hits.get)


@wrong("of equally good ones the last: >= instead of >")
def pick_score(fit, query, keys, wanted):
    n = len(query) // 2
    best, found = -1, None
    for kind in ("dot", "general", "concat"):
        score = fit(kind, query[:n], keys[:n], wanted[:n])
        hits = int((score(query[n:], keys[n:]).argmax(-1) == wanted[n:]).sum())
        if hits >= best:
            best, found = hits, kind
    return found


@wrong("the worst kind: the fewest hits")
def pick_score(fit, query, keys, wanted):
    n = len(query) // 2
    hits = {}
    for kind in ("dot", "general", "concat"):
        score = fit(kind, query[:n], keys[:n], wanted[:n])
        hits[kind] = int((score(query[n:], keys[n:]).argmax(-1) == wanted[n:]).sum())
    return min(hits, key=hits.get)


@wrong("the argmax over the examples")
def pick_score(fit, query, keys, wanted):
    n = len(query) // 2
    hits = {}
    for kind in ("dot", "general", "concat"):
        score = fit(kind, query[:n], keys[:n], wanted[:n])
        picked = score(query[n:], keys[n:]).argmax(0)
        m = min(len(picked), len(wanted) - n)
        hits[kind] = int((picked[:m] == wanted[n : n + m]).sum())
    return max(hits, key=hits.get)


@wrong("the count is returned, not the name")
def pick_score(fit, query, keys, wanted):
    n = len(query) // 2
    hits = []
    for kind in ("dot", "general", "concat"):
        score = fit(kind, query[:n], keys[:n], wanted[:n])
        hits.append(int((score(query[n:], keys[n:]).argmax(-1) == wanted[n:]).sum()))
    return max(hits)


@wrong("the sum of the wanted keys' scores instead of how often they are highest")
def pick_score(fit, query, keys, wanted):
    n = len(query) // 2
    quality = {}
    for kind in ("dot", "general", "concat"):
        score = fit(kind, query[:n], keys[:n], wanted[:n])
        table = score(query[n:], keys[n:])
        quality[kind] = float(table.gather(1, wanted[n:, None]).sum())
    return max(quality, key=quality.get)


@wrong("the halves are the other way round: fitted to the second, judged on the first")
def pick_score(fit, query, keys, wanted):
    n = len(query) // 2
    hits = {}
    for kind in ("dot", "general", "concat"):
        score = fit(kind, query[n:], keys[n:], wanted[n:])
        hits[kind] = int((score(query[:n], keys[:n]).argmax(-1) == wanted[:n]).sum())
    return max(hits, key=hits.get)


@wrong("concat is forgotten among the kinds")
def pick_score(fit, query, keys, wanted):
    n = len(query) // 2
    hits = {}
    for kind in ("dot", "general"):
        score = fit(kind, query[:n], keys[:n], wanted[:n])
        hits[kind] = int((score(query[n:], keys[n:]).argmax(-1) == wanted[n:]).sum())
    return max(hits, key=hits.get)


@wrong("ties by the alphabet: concat before dot")
def pick_score(fit, query, keys, wanted):
    n = len(query) // 2
    hits = {}
    for kind in sorted(["dot", "general", "concat"]):
        score = fit(kind, query[:n], keys[:n], wanted[:n])
        hits[kind] = int((score(query[n:], keys[n:]).argmax(-1) == wanted[n:]).sum())
    return max(hits, key=hits.get)


@wrong("wanted is not cut: the second half is compared with the first half's answers")
def pick_score(fit, query, keys, wanted):
    n = len(query) // 2
    hits = {}
    for kind in ("dot", "general", "concat"):
        score = fit(kind, query[:n], keys[:n], wanted[:n])
        picked = score(query[n:], keys[n:]).argmax(-1)
        hits[kind] = int((picked == wanted[: len(picked)]).sum())
    return max(hits, key=hits.get)


@right
def pick_score(fit, query, keys, wanted):
    half = len(wanted) // 2
    best, most = "", -1.0
    for kind in ["dot", "general", "concat"]:
        score = fit(kind, query[:half], keys[:half], wanted[:half])
        table = score(query[half:], keys[half:])
        share = (table.max(dim=1).indices == wanted[half:]).float().mean().item()
        if share > most:
            best, most = kind, share
    return best


@right
def pick_score(fit, query, keys, wanted):
    half = len(query) // 2
    first, second = slice(None, half), slice(half, None)

    def misses(kind):
        score = fit(kind, query[first], keys[first], wanted[first])
        rows = score(query[second], keys[second]).tolist()
        goals = wanted[second].tolist()
        return sum(row.index(max(row)) != goal for row, goal in zip(rows, goals))

    kinds = ["dot", "general", "concat"]
    return sorted(kinds, key=misses)[0]
