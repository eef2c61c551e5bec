"""Answers to exercise ``overlap``, written from its statement alone."""

from collections import Counter

from answering import right, wrong

from attnlib import metrics


@wrong("not clipped: every n-gram of the hypothesis that occurs in the reference counts")
def overlap(hypothesis, reference, n):
    a = metrics.ngram_counts(metrics.tokenize_13a(hypothesis), n)
    b = metrics.ngram_counts(metrics.tokenize_13a(reference), n)
    both = sum(count for gram, count in a.items() if gram in b)
    p = both / a.total() if a.total() else 0.0
    r = both / b.total() if b.total() else 0.0
    return p, r, 2 * p * r / (p + r) if p + r else 0.0


@wrong("precision and recall are swapped")
def overlap(hypothesis, reference, n):
    a = metrics.ngram_counts(metrics.tokenize_13a(hypothesis), n)
    b = metrics.ngram_counts(metrics.tokenize_13a(reference), n)
    both = (a & b).total()
    p = both / b.total() if b.total() else 0.0
    r = both / a.total() if a.total() else 0.0
    return p, r, 2 * p * r / (p + r) if p + r else 0.0


@wrong("the plain mean for F1")
def overlap(hypothesis, reference, n):
    a = metrics.ngram_counts(metrics.tokenize_13a(hypothesis), n)
    b = metrics.ngram_counts(metrics.tokenize_13a(reference), n)
    both = (a & b).total()
    p = both / a.total() if a.total() else 0.0
    r = both / b.total() if b.total() else 0.0
    return p, r, (p + r) / 2


@wrong("the texts are cut at spaces, so the full stop clings to its word")
def overlap(hypothesis, reference, n):
    a = metrics.ngram_counts(hypothesis.split(), n)
    b = metrics.ngram_counts(reference.split(), n)
    both = (a & b).total()
    p = both / a.total() if a.total() else 0.0
    r = both / b.total() if b.total() else 0.0
    return p, r, 2 * p * r / (p + r) if p + r else 0.0


@wrong("the last n-gram is missing")
def overlap(hypothesis, reference, n):
    def grams(text):
        tokens = metrics.tokenize_13a(text)
        return Counter(tuple(tokens[i : i + n]) for i in range(len(tokens) - n))

    a, b = grams(hypothesis), grams(reference)
    both = (a & b).total()
    p = both / a.total() if a.total() else 0.0
    r = both / b.total() if b.total() else 0.0
    return p, r, 2 * p * r / (p + r) if p + r else 0.0


@wrong("divided by the number of tokens, not of n-grams")
def overlap(hypothesis, reference, n):
    x, y = metrics.tokenize_13a(hypothesis), metrics.tokenize_13a(reference)
    both = (metrics.ngram_counts(x, n) & metrics.ngram_counts(y, n)).total()
    p = both / len(x) if x else 0.0
    r = both / len(y) if y else 0.0
    return p, r, 2 * p * r / (p + r) if p + r else 0.0


@wrong("letters are made small first")
def overlap(hypothesis, reference, n):
    a = metrics.ngram_counts(metrics.tokenize_13a(hypothesis.lower()), n)
    b = metrics.ngram_counts(metrics.tokenize_13a(reference.lower()), n)
    both = (a & b).total()
    p = both / a.total() if a.total() else 0.0
    r = both / b.total() if b.total() else 0.0
    return p, r, 2 * p * r / (p + r) if p + r else 0.0


@wrong("two empty counts are called perfect")
def overlap(hypothesis, reference, n):
    a = metrics.ngram_counts(metrics.tokenize_13a(hypothesis), n)
    b = metrics.ngram_counts(metrics.tokenize_13a(reference), n)
    if not a and not b:
        return 1.0, 1.0, 1.0
    both = (a & b).total()
    p = both / a.total() if a.total() else 0.0
    r = both / b.total() if b.total() else 0.0
    return p, r, 2 * p * r / (p + r) if p + r else 0.0


@right
def overlap(hypothesis, reference, n):
    def grams(text):
        tokens = list(metrics.tokenize_13a(text))
        return list(zip(*[tokens[i:] for i in range(n)]))

    mine, theirs = grams(hypothesis), grams(reference)
    left, both = list(theirs), 0
    for gram in mine:
        if gram in left:
            left.remove(gram)
            both += 1
    p = r = f1 = 0.0
    if mine:
        p = both / len(mine)
    if theirs:
        r = both / len(theirs)
    if both:
        f1 = 2 * both / (len(mine) + len(theirs))
    return [p, r, f1]


@right
def overlap(hypothesis, reference, n):
    a = metrics.ngram_counts(metrics.tokenize_13a(hypothesis), n)
    b = metrics.ngram_counts(metrics.tokenize_13a(reference), n)
    both = sum(min(a[g], b[g]) for g in set(a) | set(b))
    p = both / max(sum(a.values()), 1)
    r = both / max(sum(b.values()), 1)
    try:
        return p, r, 2 / (1 / p + 1 / r)
    except ZeroDivisionError:
        return p, r, 0
