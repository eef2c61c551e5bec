"""Answers to exercise ``bucket_scores``, as learners write them."""

import math

from answering import wrong


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


@wrong("10 sentences are at least 10")
def bucket_scores(lengths, edges, score, least=30):
    found = []
    for low, high in edges:
        picks = [i for i, n in enumerate(lengths) if low <= n <= high]
        found.append(score(picks) if len(picks) > least else math.nan)
    return found
