from collections import Counter

from answering import right, wrong

from attnlib import metrics


@wrong("not clipped: every n-gram of the hypothesis that occurs in the reference counts fully")
def overlap(hypothesis, reference, n):
    a = metrics.ngram_counts(metrics.tokenize_13a(hypothesis), n)
    b = metrics.ngram_counts(metrics.tokenize_13a(reference), n)
    both = sum(count if run in b else 0 for run, count in a.items())
    said, known = sum(a.values()), sum(b.values())
    p = both / said if said else 0.0
    r = both / known if known else 0.0
    f = 2 * p * r / (p + r) if both else 0.0
    return p, r, f


@wrong("sets: an n-gram that occurs twice counts once")
def overlap(hypothesis, reference, n):
    a = metrics.ngram_counts(metrics.tokenize_13a(hypothesis), n)
    b = metrics.ngram_counts(metrics.tokenize_13a(reference), n)
    a, b = dict.fromkeys(a, 1), dict.fromkeys(b, 1)
    both = len(a.keys() & b.keys())
    said, known = sum(a.values()), sum(b.values())
    p = both / said if said else 0.0
    r = both / known if known else 0.0
    f = 2 * p * r / (p + r) if both else 0.0
    return p, r, f


@wrong("precision and recall are swapped")
def overlap(hypothesis, reference, n):
    a = metrics.ngram_counts(metrics.tokenize_13a(hypothesis), n)
    b = metrics.ngram_counts(metrics.tokenize_13a(reference), n)
    both = sum(min(count, b.get(run, 0)) for run, count in a.items())
    said, known = sum(a.values()), sum(b.values())
    p = both / said if said else 0.0
    r = both / known if known else 0.0
    f = 2 * p * r / (p + r) if both else 0.0
    return r, p, f


@wrong("the plain mean of the two instead of the harmonic one")
def overlap(hypothesis, reference, n):
    a = metrics.ngram_counts(metrics.tokenize_13a(hypothesis), n)
    b = metrics.ngram_counts(metrics.tokenize_13a(reference), n)
    both = sum(min(count, b.get(run, 0)) for run, count in a.items())
    said, known = sum(a.values()), sum(b.values())
    p = both / said if said else 0.0
    r = both / known if known else 0.0
    f = (p + r) / 2 if both else 0.0
    return p, r, f


@wrong("the 2 is forgotten in F1")
def overlap(hypothesis, reference, n):
    a = metrics.ngram_counts(metrics.tokenize_13a(hypothesis), n)
    b = metrics.ngram_counts(metrics.tokenize_13a(reference), n)
    both = sum(min(count, b.get(run, 0)) for run, count in a.items())
    said, known = sum(a.values()), sum(b.values())
    p = both / said if said else 0.0
    r = both / known if known else 0.0
    f = p * r / (p + r) if both else 0.0
    return p, r, f


@wrong("nothing is done against a division by zero")
def overlap(hypothesis, reference, n):
    a = metrics.ngram_counts(metrics.tokenize_13a(hypothesis), n)
    b = metrics.ngram_counts(metrics.tokenize_13a(reference), n)
    both = sum(min(count, b.get(run, 0)) for run, count in a.items())
    said, known = sum(a.values()), sum(b.values())
    p = both / said
    r = both / known
    f = 2 * p * r / (p + r)
    return p, r, f


@wrong("cut at spaces: the full stop sticks to its word")
def overlap(hypothesis, reference, n):
    a = metrics.ngram_counts(hypothesis.split(), n)
    b = metrics.ngram_counts(reference.split(), n)
    both = sum(min(count, b.get(run, 0)) for run, count in a.items())
    said, known = sum(a.values()), sum(b.values())
    p = both / said if said else 0.0
    r = both / known if known else 0.0
    f = 2 * p * r / (p + r) if both else 0.0
    return p, r, f


@wrong("the letters are counted: the strings are not cut into tokens")
def overlap(hypothesis, reference, n):
    a = metrics.ngram_counts(hypothesis, n)
    b = metrics.ngram_counts(reference, n)
    both = sum(min(count, b.get(run, 0)) for run, count in a.items())
    said, known = sum(a.values()), sum(b.values())
    p = both / said if said else 0.0
    r = both / known if known else 0.0
    f = 2 * p * r / (p + r) if both else 0.0
    return p, r, f


@wrong("in percent")
def overlap(hypothesis, reference, n):
    a = metrics.ngram_counts(metrics.tokenize_13a(hypothesis), n)
    b = metrics.ngram_counts(metrics.tokenize_13a(reference), n)
    both = sum(min(count, b.get(run, 0)) for run, count in a.items())
    said, known = sum(a.values()), sum(b.values())
    p = both / said if said else 0.0
    r = both / known if known else 0.0
    f = 2 * p * r / (p + r) if both else 0.0
    return 100 * p, 100 * r, 100 * f


@wrong("divided by the number of different n-grams, not of all")
def overlap(hypothesis, reference, n):
    a = metrics.ngram_counts(metrics.tokenize_13a(hypothesis), n)
    b = metrics.ngram_counts(metrics.tokenize_13a(reference), n)
    both = sum(min(count, b.get(run, 0)) for run, count in a.items())
    said, known = len(a), len(b)
    p = both / said if said else 0.0
    r = both / known if known else 0.0
    f = 2 * p * r / (p + r) if both else 0.0
    return p, r, f


@wrong("divided by the tokens, not by the n-grams")
def overlap(hypothesis, reference, n):
    a = metrics.ngram_counts(metrics.tokenize_13a(hypothesis), n)
    b = metrics.ngram_counts(metrics.tokenize_13a(reference), n)
    both = sum(min(count, b.get(run, 0)) for run, count in a.items())
    said, known = len(hypothesis.split()), len(reference.split())
    p = both / said if said else 0.0
    r = both / known if known else 0.0
    f = 2 * p * r / (p + r) if both else 0.0
    return p, r, f


@wrong("lower-cased before")
def overlap(hypothesis, reference, n):
    a = metrics.ngram_counts(metrics.tokenize_13a(hypothesis.lower()), n)
    b = metrics.ngram_counts(metrics.tokenize_13a(reference.lower()), n)
    both = sum(min(count, b.get(run, 0)) for run, count in a.items())
    said, known = sum(a.values()), sum(b.values())
    p = both / said if said else 0.0
    r = both / known if known else 0.0
    f = 2 * p * r / (p + r) if both else 0.0
    return p, r, f


@wrong("the larger of the two counts: a union")
def overlap(hypothesis, reference, n):
    a = metrics.ngram_counts(metrics.tokenize_13a(hypothesis), n)
    b = metrics.ngram_counts(metrics.tokenize_13a(reference), n)
    both = sum(max(count, b[run]) for run, count in a.items() if run in b)
    said, known = sum(a.values()), sum(b.values())
    p = both / said if said else 0.0
    r = both / known if known else 0.0
    f = 2 * p * r / (p + r) if both else 0.0
    return p, r, f


@wrong("bigrams always: the n is not handed on")
def overlap(hypothesis, reference, n):
    a = metrics.ngram_counts(metrics.tokenize_13a(hypothesis), 2)
    b = metrics.ngram_counts(metrics.tokenize_13a(reference), 2)
    both = sum(min(count, b.get(run, 0)) for run, count in a.items())
    said, known = sum(a.values()), sum(b.values())
    p = both / said if said else 0.0
    r = both / known if known else 0.0
    f = 2 * p * r / (p + r) if both else 0.0
    return p, r, f


@right
def overlap(hypothesis, reference, n):
    def runs(text):
        tokens = metrics.tokenize_13a(text)
        return Counter(tuple(tokens[i : i + n]) for i in range(len(tokens) - n + 1))

    said, known = runs(hypothesis), runs(reference)
    hits = (said & known).total()
    if hits == 0:
        return 0.0, 0.0, 0.0
    return hits / said.total(), hits / known.total(), 2 * hits / (said.total() + known.total())


@right
def overlap(hypothesis, reference, n):
    cut = [metrics.tokenize_13a(text) for text in (hypothesis, reference)]
    said, known = ([t[i : i + n] for i in range(max(0, len(t) - n + 1))] for t in cut)
    left, hits = list(known), 0
    for run in said:
        if run in left:
            left.remove(run)
            hits += 1
    p = hits / max(len(said), 1)
    r = hits / max(len(known), 1)
    return p, r, 0.0 if p + r == 0 else 2 / (1 / p + 1 / r)
