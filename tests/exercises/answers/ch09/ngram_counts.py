"""Answers to exercise ``ngram_counts``, as learners write them."""

from answering import wrong


@wrong("The windows do not overlap")
def ngram_counts(tokens, n):
    counts = {}
    for i in range(0, len(tokens), n):
        gram = tuple(tokens[i : i + n])
        if len(gram) == n:
            counts[gram] = counts.get(gram, 0) + 1
    return counts


@wrong("The last n-gram is missing")
def ngram_counts(tokens, n):
    counts = {}
    for i in range(len(tokens) - n):
        gram = tuple(tokens[i : i + n])
        counts[gram] = counts.get(gram, 0) + 1
    return counts


@wrong("Stumps shorter than n")
def ngram_counts(tokens, n):
    counts = {}
    for i, _ in enumerate(tokens):
        gram = tuple(tokens[i : i + n])
        counts[gram] = counts.get(gram, 0) + 1
    return counts


@wrong("should count 2")
def ngram_counts(tokens, n):
    grams = {tuple(tokens[i : i + n]) for i in range(len(tokens) - n + 1)}
    return {gram: 1 for gram in grams}


@wrong("The keys are strings")
def ngram_counts(tokens, n):
    from collections import Counter

    return Counter(" ".join(tokens[i : i + n]) for i in range(len(tokens) - n + 1))


@wrong("All orders from 1 to n")
def ngram_counts(tokens, n):
    from collections import Counter

    counts = Counter()
    for k in range(1, n + 1):
        for i in range(len(tokens) - k + 1):
            counts[tuple(tokens[i : i + k])] += 1
    return counts


@wrong("The tokens of a key are sorted")
def ngram_counts(tokens, n):
    counts = {}
    for i in range(len(tokens) - n + 1):
        gram = tuple(sorted(tokens[i : i + n]))
        counts[gram] = counts.get(gram, 0) + 1
    return counts
