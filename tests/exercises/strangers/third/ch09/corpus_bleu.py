import math
from collections import Counter

import numpy as np
from answering import right, wrong

from attnlib import metrics


@wrong("the brevity penalty is left out")
def corpus_bleu(hypotheses, references):
    matches, totals = [0] * 4, [0] * 4
    c = r = 0
    for hypothesis, reference in zip(hypotheses, references):
        said, known = metrics.tokenize_13a(hypothesis), metrics.tokenize_13a(reference)
        c += len(said)
        r += len(known)
        for n in range(1, 5):
            a, b = metrics.ngram_counts(said, n), metrics.ngram_counts(known, n)
            matches[n - 1] += sum((a & b).values())
            totals[n - 1] += sum(a.values())
    if 0 in matches:
        return 0.0
    mean = sum(math.log(m / t) for m, t in zip(matches, totals)) / 4
    return 100 * math.exp(mean)


@wrong("the lengths are swapped in the penalty")
def corpus_bleu(hypotheses, references):
    matches, totals = [0] * 4, [0] * 4
    c = r = 0
    for hypothesis, reference in zip(hypotheses, references):
        said, known = metrics.tokenize_13a(hypothesis), metrics.tokenize_13a(reference)
        c += len(said)
        r += len(known)
        for n in range(1, 5):
            a, b = metrics.ngram_counts(said, n), metrics.ngram_counts(known, n)
            matches[n - 1] += sum((a & b).values())
            totals[n - 1] += sum(a.values())
    if 0 in matches:
        return 0.0
    mean = sum(math.log(m / t) for m, t in zip(matches, totals)) / 4
    return 100 * metrics.brevity_penalty(r, c) * math.exp(mean)


@wrong("the penalty is taken inside the mean of the logarithms")
def corpus_bleu(hypotheses, references):
    matches, totals = [0] * 4, [0] * 4
    c = r = 0
    for hypothesis, reference in zip(hypotheses, references):
        said, known = metrics.tokenize_13a(hypothesis), metrics.tokenize_13a(reference)
        c += len(said)
        r += len(known)
        for n in range(1, 5):
            a, b = metrics.ngram_counts(said, n), metrics.ngram_counts(known, n)
            matches[n - 1] += sum((a & b).values())
            totals[n - 1] += sum(a.values())
    if 0 in matches:
        return 0.0
    mean = sum(math.log(m / t) for m, t in zip(matches, totals)) / 4
    return 100 * math.exp(mean + math.log(metrics.brevity_penalty(c, r)) / 4)


@wrong("from 0 to 1")
def corpus_bleu(hypotheses, references):
    matches, totals = [0] * 4, [0] * 4
    c = r = 0
    for hypothesis, reference in zip(hypotheses, references):
        said, known = metrics.tokenize_13a(hypothesis), metrics.tokenize_13a(reference)
        c += len(said)
        r += len(known)
        for n in range(1, 5):
            a, b = metrics.ngram_counts(said, n), metrics.ngram_counts(known, n)
            matches[n - 1] += sum((a & b).values())
            totals[n - 1] += sum(a.values())
    if 0 in matches:
        return 0.0
    mean = sum(math.log(m / t) for m, t in zip(matches, totals)) / 4
    return metrics.brevity_penalty(c, r) * math.exp(mean)


@wrong("the arithmetic mean of the four precisions")
def corpus_bleu(hypotheses, references):
    matches, totals = [0] * 4, [0] * 4
    c = r = 0
    for hypothesis, reference in zip(hypotheses, references):
        said, known = metrics.tokenize_13a(hypothesis), metrics.tokenize_13a(reference)
        c += len(said)
        r += len(known)
        for n in range(1, 5):
            a, b = metrics.ngram_counts(said, n), metrics.ngram_counts(known, n)
            matches[n - 1] += sum((a & b).values())
            totals[n - 1] += sum(a.values())
    if 0 in matches:
        return 0.0
    mean = sum(m / t for m, t in zip(matches, totals)) / 4
    return 100 * metrics.brevity_penalty(c, r) * mean


@wrong("three orders only: range(1, 4)")
def corpus_bleu(hypotheses, references):
    matches, totals = [0] * 3, [0] * 3
    c = r = 0
    for hypothesis, reference in zip(hypotheses, references):
        said, known = metrics.tokenize_13a(hypothesis), metrics.tokenize_13a(reference)
        c += len(said)
        r += len(known)
        for n in range(1, 4):
            a, b = metrics.ngram_counts(said, n), metrics.ngram_counts(known, n)
            matches[n - 1] += sum((a & b).values())
            totals[n - 1] += sum(a.values())
    if 0 in matches:
        return 0.0
    mean = sum(math.log(m / t) for m, t in zip(matches, totals)) / 3
    return 100 * metrics.brevity_penalty(c, r) * math.exp(mean)


@wrong("the logarithms are summed, not averaged: the product of the four precisions")
def corpus_bleu(hypotheses, references):
    matches, totals = [0] * 4, [0] * 4
    c = r = 0
    for hypothesis, reference in zip(hypotheses, references):
        said, known = metrics.tokenize_13a(hypothesis), metrics.tokenize_13a(reference)
        c += len(said)
        r += len(known)
        for n in range(1, 5):
            a, b = metrics.ngram_counts(said, n), metrics.ngram_counts(known, n)
            matches[n - 1] += sum((a & b).values())
            totals[n - 1] += sum(a.values())
    if 0 in matches:
        return 0.0
    mean = sum(math.log(m / t) for m, t in zip(matches, totals))
    return 100 * metrics.brevity_penalty(c, r) * math.exp(mean)


@wrong("divided by the n-grams of the reference: recalls")
def corpus_bleu(hypotheses, references):
    matches, totals = [0] * 4, [0] * 4
    c = r = 0
    for hypothesis, reference in zip(hypotheses, references):
        said, known = metrics.tokenize_13a(hypothesis), metrics.tokenize_13a(reference)
        c += len(said)
        r += len(known)
        for n in range(1, 5):
            a, b = metrics.ngram_counts(said, n), metrics.ngram_counts(known, n)
            matches[n - 1] += sum((a & b).values())
            totals[n - 1] += sum(b.values())
    if 0 in matches:
        return 0.0
    mean = sum(math.log(m / t) for m, t in zip(matches, totals)) / 4
    return 100 * metrics.brevity_penalty(c, r) * math.exp(mean)


@wrong("not clipped")
def corpus_bleu(hypotheses, references):
    matches, totals = [0] * 4, [0] * 4
    c = r = 0
    for hypothesis, reference in zip(hypotheses, references):
        said, known = metrics.tokenize_13a(hypothesis), metrics.tokenize_13a(reference)
        c += len(said)
        r += len(known)
        for n in range(1, 5):
            a, b = metrics.ngram_counts(said, n), metrics.ngram_counts(known, n)
            matches[n - 1] += sum(count for run, count in a.items() if run in b)
            totals[n - 1] += sum(a.values())
    if 0 in matches:
        return 0.0
    mean = sum(math.log(m / t) for m, t in zip(matches, totals)) / 4
    return 100 * metrics.brevity_penalty(c, r) * math.exp(mean)


@wrong("orders without a match are left out of the mean instead of making the score 0")
def corpus_bleu(hypotheses, references):
    matches, totals = [0] * 4, [0] * 4
    c = r = 0
    for hypothesis, reference in zip(hypotheses, references):
        said, known = metrics.tokenize_13a(hypothesis), metrics.tokenize_13a(reference)
        c += len(said)
        r += len(known)
        for n in range(1, 5):
            a, b = metrics.ngram_counts(said, n), metrics.ngram_counts(known, n)
            matches[n - 1] += sum((a & b).values())
            totals[n - 1] += sum(a.values())
    logs = [math.log(m / t) for m, t in zip(matches, totals) if m]
    if not logs:
        return 0.0
    mean = sum(logs) / len(logs)
    return 100 * metrics.brevity_penalty(c, r) * math.exp(mean)


@wrong("cut at spaces")
def corpus_bleu(hypotheses, references):
    matches, totals = [0] * 4, [0] * 4
    c = r = 0
    for hypothesis, reference in zip(hypotheses, references):
        said, known = hypothesis.split(), reference.split()
        c += len(said)
        r += len(known)
        for n in range(1, 5):
            a, b = metrics.ngram_counts(said, n), metrics.ngram_counts(known, n)
            matches[n - 1] += sum((a & b).values())
            totals[n - 1] += sum(a.values())
    if 0 in matches:
        return 0.0
    mean = sum(math.log(m / t) for m, t in zip(matches, totals)) / 4
    return 100 * metrics.brevity_penalty(c, r) * math.exp(mean)


@wrong("a penalty for every sentence, and their mean")
def corpus_bleu(hypotheses, references):
    matches, totals = [0] * 4, [0] * 4
    penalties = []
    for hypothesis, reference in zip(hypotheses, references):
        said, known = metrics.tokenize_13a(hypothesis), metrics.tokenize_13a(reference)
        penalties.append(metrics.brevity_penalty(len(said), len(known)))
        for n in range(1, 5):
            a, b = metrics.ngram_counts(said, n), metrics.ngram_counts(known, n)
            matches[n - 1] += sum((a & b).values())
            totals[n - 1] += sum(a.values())
    if 0 in matches:
        return 0.0
    mean = sum(math.log(m / t) for m, t in zip(matches, totals)) / 4
    return 100 * sum(penalties) / len(penalties) * math.exp(mean)


@wrong("the lengths of the last sentence only: = in place of +=")
def corpus_bleu(hypotheses, references):
    matches, totals = [0] * 4, [0] * 4
    c = r = 0
    for hypothesis, reference in zip(hypotheses, references):
        said, known = metrics.tokenize_13a(hypothesis), metrics.tokenize_13a(reference)
        c = len(said)
        r = len(known)
        for n in range(1, 5):
            a, b = metrics.ngram_counts(said, n), metrics.ngram_counts(known, n)
            matches[n - 1] += sum((a & b).values())
            totals[n - 1] += sum(a.values())
    if 0 in matches:
        return 0.0
    mean = sum(math.log(m / t) for m, t in zip(matches, totals)) / 4
    return 100 * metrics.brevity_penalty(c, r) * math.exp(mean)


@wrong("the lengths are letters: len of the strings")
def corpus_bleu(hypotheses, references):
    matches, totals = [0] * 4, [0] * 4
    c = r = 0
    for hypothesis, reference in zip(hypotheses, references):
        said, known = metrics.tokenize_13a(hypothesis), metrics.tokenize_13a(reference)
        c += len(hypothesis)
        r += len(reference)
        for n in range(1, 5):
            a, b = metrics.ngram_counts(said, n), metrics.ngram_counts(known, n)
            matches[n - 1] += sum((a & b).values())
            totals[n - 1] += sum(a.values())
    if 0 in matches:
        return 0.0
    mean = sum(math.log(m / t) for m, t in zip(matches, totals)) / 4
    return 100 * metrics.brevity_penalty(c, r) * math.exp(mean)


@wrong("the mean of the sentences' own scores")
def corpus_bleu(hypotheses, references):
    scores = []
    for hypothesis, reference in zip(hypotheses, references):
        said, known = metrics.tokenize_13a(hypothesis), metrics.tokenize_13a(reference)
        p = []
        for n in range(1, 5):
            a, b = metrics.ngram_counts(said, n), metrics.ngram_counts(known, n)
            total = sum(a.values())
            p.append(sum((a & b).values()) / total if total else 0.0)
        if 0.0 in p:
            scores.append(0.0)
        else:
            mean = sum(math.log(x) for x in p) / 4
            scores.append(metrics.brevity_penalty(len(said), len(known)) * math.exp(mean))
    return 100 * sum(scores) / len(scores)


@wrong("everything is joined into one long text, so that n-grams cross from sentence to sentence")
def corpus_bleu(hypotheses, references):
    said = metrics.tokenize_13a(" ".join(hypotheses))
    known = metrics.tokenize_13a(" ".join(references))
    product = 1.0
    for n in range(1, 5):
        a, b = metrics.ngram_counts(said, n), metrics.ngram_counts(known, n)
        if not sum((a & b).values()):
            return 0.0
        product *= sum((a & b).values()) / sum(a.values())
    return 100 * metrics.brevity_penalty(len(said), len(known)) * product**0.25


@right
def corpus_bleu(hypotheses, references):
    said = [metrics.tokenize_13a(text) for text in hypotheses]
    known = [metrics.tokenize_13a(text) for text in references]
    product = 1.0
    for n in (1, 2, 3, 4):
        hits = total = 0
        for a, b in zip(said, known):
            runs = Counter(zip(*(a[k:] for k in range(n))))
            others = Counter(zip(*(b[k:] for k in range(n))))
            hits += (runs & others).total()
            total += runs.total()
        if hits == 0:
            return 0.0
        product *= hits / total
    c, r = sum(map(len, said)), sum(map(len, known))
    bp = 1.0 if c >= r else math.exp(1 - r / c)
    return 100 * bp * product**0.25


@right
def corpus_bleu(hypotheses, references):
    table = np.zeros((4, 2))
    lengths = np.zeros(2, dtype=int)
    for texts in zip(hypotheses, references):
        tokens = [metrics.tokenize_13a(text) for text in texts]
        lengths += [len(t) for t in tokens]
        for n in range(4):
            a, b = (Counter(metrics.ngram_counts(t, n + 1)) for t in tokens)
            table[n] += [(a & b).total(), a.total()]
    if (table[:, 0] == 0).any():
        return 0.0
    mean = np.log(table[:, 0] / table[:, 1]).mean()
    return float(100 * metrics.brevity_penalty(int(lengths[0]), int(lengths[1])) * np.exp(mean))
