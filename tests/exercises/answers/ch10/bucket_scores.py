"""Answers to exercise ``bucket_scores``, as learners write them."""

import math

from answering import right, wrong


@wrong("however few sentences")
def bucket_scores(lengths, edges, score, least=30):
    found = []
    for low, high in edges:
        picks = [i for i, n in enumerate(lengths) if low <= n <= high]
        found.append(score(picks) if picks else math.nan)
    return found


@wrong("gets 0, which would be drawn")
def bucket_scores(lengths, edges, score, least=30):
    found = []
    for low, high in edges:
        picks = [i for i, n in enumerate(lengths) if low <= n <= high]
        found.append(score(picks) if len(picks) >= least else 0.0)
    return found


@wrong("is given lengths")
def bucket_scores(lengths, edges, score, least=30):
    found = []
    for low, high in edges:
        inside = [n for n in lengths if n >= low and n <= high]
        found.append(score(inside) if len(inside) >= least else math.nan)
    return found


@wrong("upper edge is left out")
def bucket_scores(lengths, edges, score, least=30):
    found = []
    for low, high in edges:
        picks = [i for i, n in enumerate(lengths) if n in range(low, high)]
        found.append(score(picks) if len(picks) >= least else math.nan)
    return found


@wrong("Exactly `least` sentences are refused")
def bucket_scores(lengths, edges, score, least=30):
    found = []
    for low, high in edges:
        picks = [i for i, n in enumerate(lengths) if low <= n <= high]
        found.append(score(picks) if len(picks) > least else math.nan)
    return found


@wrong("lower edge is left out")
def bucket_scores(lengths, edges, score, least=30):
    picks = [[i for i, n in enumerate(lengths) if a < n <= b] for a, b in edges]
    return [score(p) if len(p) >= least else math.nan for p in picks]


@wrong("30 is written into")
def bucket_scores(lengths, edges, score, least=30):
    picks = [[i for i, n in enumerate(lengths) if a <= n <= b] for a, b in edges]
    return [score(p) if len(p) >= 30 else math.nan for p in picks]


@wrong("left out of the list")
def bucket_scores(lengths, edges, score, least=30):
    picks = [[i for i, n in enumerate(lengths) if a <= n <= b] for a, b in edges]
    return [score(p) for p in picks if len(p) >= least]


@right
def bucket_scores(lengths, edges, score, least=30):
    result = []
    for edge in edges:
        picks = []
        for i in range(len(lengths)):
            if not (lengths[i] < edge[0] or lengths[i] > edge[1]):
                picks.append(i)
        result.append(float("nan") if len(picks) < least else score(picks))
    return result


@right
def bucket_scores(lengths, edges, score, least=30):
    def one(low, high):
        picks = list(filter(lambda i: lengths[i] in range(low, high + 1), range(len(lengths))))
        return score(picks) if len(picks) >= least else math.nan

    return [one(*edge) for edge in edges]
