"""Answers to exercise ``overlap``, as learners write them."""

from answering import wrong


@wrong("1/3 = 0.3333 is expected")
def overlap(hypothesis, reference, n):
    from attnlib import metrics as bleu

    h = bleu.ngram_counts(bleu.tokenize_13a(hypothesis), n)
    r = bleu.ngram_counts(bleu.tokenize_13a(reference), n)
    hits = sum(h[g] for g in h if g in r)
    p = hits / max(1, sum(h.values()))
    q = hits / max(1, sum(r.values()))
    return p, q, 2 * p * q / (p + q) if p + q else 0.0


@wrong("each at most as often as both texts have it")
def overlap(hypothesis, reference, n):
    from attnlib import metrics as bleu

    h = set(bleu.ngram_counts(bleu.tokenize_13a(hypothesis), n))
    r = set(bleu.ngram_counts(bleu.tokenize_13a(reference), n))
    p = len(h & r) / max(1, len(h))
    q = len(h & r) / max(1, len(r))
    return p, q, 2 * p * q / (p + q) if p + q else 0.0


@wrong("Precision and recall are exchanged")
def overlap(hypothesis, reference, n):
    from attnlib import metrics as bleu

    h = bleu.ngram_counts(bleu.tokenize_13a(hypothesis), n)
    r = bleu.ngram_counts(bleu.tokenize_13a(reference), n)
    hits = sum((h & r).values())
    p = hits / max(1, sum(r.values()))
    q = hits / max(1, sum(h.values()))
    return p, q, 2 * p * q / (p + q) if p + q else 0.0


@wrong("The and the are two tokens")
def overlap(hypothesis, reference, n):
    from attnlib import metrics as bleu

    return tuple(bleu.overlap(hypothesis.lower(), reference.lower(), n))
