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


@wrong("is a key. Every key is a tuple")
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
