"""Answers to exercise ``bucket_scores``, written from its statement alone."""

import math

from answering import right, wrong


@wrong("the upper edge is left out")
def bucket_scores(lengths, edges, score, least=30):
    picks = [[i for i, n in enumerate(lengths) if a <= n < b] for a, b in edges]
    return [score(p) if len(p) >= least else math.nan for p in picks]


@wrong("the lower edge is left out")
def bucket_scores(lengths, edges, score, least=30):
    picks = [[i for i, n in enumerate(lengths) if a < n <= b] for a, b in edges]
    return [score(p) if len(p) >= least else math.nan for p in picks]


@wrong("exactly least sentences are too few")
def bucket_scores(lengths, edges, score, least=30):
    picks = [[i for i, n in enumerate(lengths) if a <= n <= b] for a, b in edges]
    return [score(p) if len(p) > least else math.nan for p in picks]


@wrong("lengths are handed over instead of indices")
def bucket_scores(lengths, edges, score, least=30):
    picks = [[n for n in lengths if a <= n <= b] for a, b in edges]
    return [score(p) if len(p) >= least else math.nan for p in picks]


@wrong("30 hard-coded")
def bucket_scores(lengths, edges, score, least=30):
    picks = [[i for i, n in enumerate(lengths) if a <= n <= b] for a, b in edges]
    return [score(p) if len(p) >= 30 else math.nan for p in picks]


@wrong("small buckets are left out of the list")
def bucket_scores(lengths, edges, score, least=30):
    picks = [[i for i, n in enumerate(lengths) if a <= n <= b] for a, b in edges]
    return [score(p) for p in picks if len(p) >= least]


@wrong("0 instead of nan")
def bucket_scores(lengths, edges, score, least=30):
    picks = [[i for i, n in enumerate(lengths) if a <= n <= b] for a, b in edges]
    return [score(p) if len(p) >= least else 0.0 for p in picks]


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
