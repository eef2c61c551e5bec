"""Answers to exercise ``ngram_counts``, written from its statement alone."""

from collections import Counter

from answering import right, wrong


@wrong("the last run is left out")
def ngram_counts(tokens, n):
    return Counter(tuple(tokens[i : i + n]) for i in range(len(tokens) - n))


@wrong("short ends count as runs, too")
def ngram_counts(tokens, n):
    return Counter(tuple(tokens[i : i + n]) for i in range(len(tokens)))


@wrong("the runs do not overlap")
def ngram_counts(tokens, n):
    return Counter(tuple(tokens[i : i + n]) for i in range(0, len(tokens) - n + 1, n))


@wrong("the keys are strings, not tuples")
def ngram_counts(tokens, n):
    return Counter(" ".join(tokens[i : i + n]) for i in range(len(tokens) - n + 1))


@wrong("every run counts once")
def ngram_counts(tokens, n):
    return {tuple(tokens[i : i + n]): 1 for i in range(len(tokens) - n + 1)}


@wrong("all shorter runs are counted as well")
def ngram_counts(tokens, n):
    counts = Counter()
    for m in range(1, n + 1):
        counts.update(tuple(tokens[i : i + m]) for i in range(len(tokens) - m + 1))
    return counts


@wrong("the order within a run is lost")
def ngram_counts(tokens, n):
    return Counter(tuple(sorted(tokens[i : i + n])) for i in range(len(tokens) - n + 1))


@wrong("a sentence that is too short counts as one run")
def ngram_counts(tokens, n):
    return Counter(tuple(tokens[i : i + n]) for i in range(max(1, len(tokens) - n + 1)))


@right
def ngram_counts(tokens, n):
    counts = {}
    for i in range(len(tokens)):
        run = tuple(tokens[i : i + n])
        if len(run) == n:
            counts[run] = counts.get(run, 0) + 1
    return counts


@right
def ngram_counts(tokens, n):
    return dict(Counter(zip(*[tokens[i:] for i in range(n)])))
