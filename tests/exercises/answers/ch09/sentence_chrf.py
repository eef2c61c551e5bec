"""Answers to exercise ``sentence_chrf``, as learners write them."""

from answering import wrong


@wrong("This is F1")
def sentence_chrf(hypothesis, reference):
    from attnlib import metrics as bleu

    h, r = "".join(hypothesis.split()), "".join(reference.split())
    P, R = [], []
    for n in range(1, 7):
        a, b = bleu.ngram_counts(h, n), bleu.ngram_counts(r, n)
        if a and b:
            P.append((a & b).total() / a.total())
            R.append((a & b).total() / b.total())
    p, q = (sum(P) / len(P), sum(R) / len(R)) if P else (0.0, 0.0)
    return 100 * 2 * p * q / (p + q) if p + q else 0.0


@wrong("taken for each n")
def sentence_chrf(hypothesis, reference):
    from attnlib import metrics as bleu

    h, r = "".join(hypothesis.split()), "".join(reference.split())
    F = []
    for n in range(1, 7):
        a, b = bleu.ngram_counts(h, n), bleu.ngram_counts(r, n)
        if a and b:
            m = (a & b).total()
            p, q = m / a.total(), m / b.total()
            F.append(5 * p * q / (4 * p + q) if m else 0.0)
    return 100 * sum(F) / len(F) if F else 0.0


@wrong("divided by 6")
def sentence_chrf(hypothesis, reference):
    from attnlib import metrics as bleu

    h, r = "".join(hypothesis.split()), "".join(reference.split())
    p = q = 0
    for n in range(1, 7):
        a, b = bleu.ngram_counts(h, n), bleu.ngram_counts(r, n)
        p += (a & b).total() / max(1, a.total()) / 6
        q += (a & b).total() / max(1, b.total()) / 6
    return 100 * 5 * p * q / (4 * p + q) if p + q else 0.0


@wrong("n-grams of words")
def sentence_chrf(hypothesis, reference):
    from attnlib import metrics as bleu

    P, R = [], []
    for n in range(1, 7):
        a, b = bleu.ngram_counts(hypothesis.split(), n), bleu.ngram_counts(reference.split(), n)
        if a and b:
            P.append((a & b).total() / a.total())
            R.append((a & b).total() / b.total())
    p, q = (sum(P) / len(P), sum(R) / len(R)) if P else (0.0, 0.0)
    return 100 * 5 * p * q / (4 * p + q) if p + q else 0.0
