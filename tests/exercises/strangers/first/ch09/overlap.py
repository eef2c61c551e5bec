"""Answers to exercise ``overlap``, written from its statement alone."""

from collections import Counter

from answering import right, wrong

from attnlib import metrics


@wrong("not clipped: every n-gram of the hypothesis that the reference has counts in full")
def overlap(hypothesis, reference, n):
    a = metrics.ngram_counts(metrics.tokenize_13a(hypothesis), n)
    b = metrics.ngram_counts(metrics.tokenize_13a(reference), n)
    common = sum(c for g, c in a.items() if g in b)
    x, y = sum(a.values()), sum(b.values())
    p, r = common / x if x else 0.0, common / y if y else 0.0
    return p, r, 2 * p * r / (p + r) if p + r else 0.0


@wrong("sets: repeated n-grams count once")
def overlap(hypothesis, reference, n):
    a = set(metrics.ngram_counts(metrics.tokenize_13a(hypothesis), n))
    b = set(metrics.ngram_counts(metrics.tokenize_13a(reference), n))
    p = len(a & b) / len(a) if a else 0.0
    r = len(a & b) / len(b) if b else 0.0
    return p, r, 2 * p * r / (p + r) if p + r else 0.0


@wrong("precision and recall are exchanged")
def overlap(hypothesis, reference, n):
    a = metrics.ngram_counts(metrics.tokenize_13a(hypothesis), n)
    b = metrics.ngram_counts(metrics.tokenize_13a(reference), n)
    common, x, y = ((c.total() if hasattr(c, "total") else sum(c.values())) for c in (a & b, a, b))
    p, r = common / y if y else 0.0, common / x if x else 0.0
    return p, r, 2 * p * r / (p + r) if p + r else 0.0


@wrong("F1 as the plain mean")
def overlap(hypothesis, reference, n):
    a = metrics.ngram_counts(metrics.tokenize_13a(hypothesis), n)
    b = metrics.ngram_counts(metrics.tokenize_13a(reference), n)
    common = sum((a & b).values())
    p = common / sum(a.values()) if a else 0.0
    r = common / sum(b.values()) if b else 0.0
    return p, r, (p + r) / 2


@wrong("cut at spaces, so the full stop sticks to its word")
def overlap(hypothesis, reference, n):
    a = Counter(metrics.ngram_counts(hypothesis.split(), n))
    b = Counter(metrics.ngram_counts(reference.split(), n))
    common = sum((a & b).values())
    p = common / sum(a.values()) if a else 0.0
    r = common / sum(b.values()) if b else 0.0
    return p, r, 2 * p * r / (p + r) if p + r else 0.0


@wrong("divided by zero where there is nothing")
def overlap(hypothesis, reference, n):
    a = metrics.ngram_counts(metrics.tokenize_13a(hypothesis), n)
    b = metrics.ngram_counts(metrics.tokenize_13a(reference), n)
    common = sum((a & b).values())
    p, r = common / sum(a.values()), common / sum(b.values())
    return p, r, 2 * p * r / (p + r)


@wrong("divided by the number of tokens, not of n-grams")
def overlap(hypothesis, reference, n):
    h, f = metrics.tokenize_13a(hypothesis), metrics.tokenize_13a(reference)
    common = sum((metrics.ngram_counts(h, n) & metrics.ngram_counts(f, n)).values())
    p, r = common / len(h) if h else 0.0, common / len(f) if f else 0.0
    return p, r, 2 * p * r / (p + r) if p + r else 0.0


@wrong("upper and lower case are the same")
def overlap(hypothesis, reference, n):
    a = metrics.ngram_counts(metrics.tokenize_13a(hypothesis.lower()), n)
    b = metrics.ngram_counts(metrics.tokenize_13a(reference.lower()), n)
    common = sum((a & b).values())
    p = common / sum(a.values()) if a else 0.0
    r = common / sum(b.values()) if b else 0.0
    return p, r, 2 * p * r / (p + r) if p + r else 0.0


@right
def overlap(hypothesis, reference, n):
    def grams(text):
        tokens = list(metrics.tokenize_13a(text))
        return [tuple(tokens[i : i + n]) for i in range(len(tokens) - n + 1)]

    ours, left = grams(hypothesis), grams(reference)
    total, common = len(left), 0
    for g in ours:
        if g in left:
            left.remove(g)
            common += 1
    if common == 0:
        return 0.0, 0.0, 0.0
    return common / len(ours), common / total, 2 * common / (len(ours) + total)


@right
def overlap(hypothesis, reference, n):
    a = metrics.ngram_counts(metrics.tokenize_13a(hypothesis), n)
    b = metrics.ngram_counts(metrics.tokenize_13a(reference), n)
    common = sum(min(c, b[g]) for g, c in a.items())
    p = common / max(sum(a.values()), 1)
    r = common / max(sum(b.values()), 1)
    f = 0.0 if common == 0 else 2 / (1 / p + 1 / r)
    return [p, r, f]
