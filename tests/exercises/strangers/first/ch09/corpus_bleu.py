"""Answers to exercise ``corpus_bleu``, written from its statement alone."""

import math
from collections import Counter

from answering import right, wrong

from attnlib import metrics


@wrong("the mean of the sentences' scores")
def corpus_bleu(hypotheses, references):
    scores = []
    for hypothesis, reference in zip(hypotheses, references):
        h, f = metrics.tokenize_13a(hypothesis), metrics.tokenize_13a(reference)
        logs = []
        for n in range(1, 5):
            a, b = metrics.ngram_counts(h, n), metrics.ngram_counts(f, n)
            m, t = sum((a & b).values()), sum(a.values())
            logs.append(math.log(m / t) if m else -math.inf)
        scores.append(100 * metrics.brevity_penalty(len(h), len(f)) * math.exp(sum(logs) / 4))
    return sum(scores) / len(scores)


@wrong("no brevity penalty")
def corpus_bleu(hypotheses, references):
    matches, totals = [0] * 4, [0] * 4
    for hypothesis, reference in zip(hypotheses, references):
        h, f = metrics.tokenize_13a(hypothesis), metrics.tokenize_13a(reference)
        for n in range(4):
            a, b = metrics.ngram_counts(h, n + 1), metrics.ngram_counts(f, n + 1)
            matches[n] += sum((a & b).values())
            totals[n] += sum(a.values())
    if min(matches) == 0:
        return 0.0
    return 100 * math.exp(sum(math.log(m / t) for m, t in zip(matches, totals)) / 4)


@wrong("a share from 0 to 1")
def corpus_bleu(hypotheses, references):
    matches, totals, c, r = [0] * 4, [0] * 4, 0, 0
    for hypothesis, reference in zip(hypotheses, references):
        h, f = metrics.tokenize_13a(hypothesis), metrics.tokenize_13a(reference)
        c, r = c + len(h), r + len(f)
        for n in range(4):
            a, b = metrics.ngram_counts(h, n + 1), metrics.ngram_counts(f, n + 1)
            matches[n] += sum((a & b).values())
            totals[n] += sum(a.values())
    if min(matches) == 0:
        return 0.0
    mean = sum(math.log(m / t) for m, t in zip(matches, totals)) / 4
    return metrics.brevity_penalty(c, r) * math.exp(mean)


@wrong("the plain mean of the precisions")
def corpus_bleu(hypotheses, references):
    matches, totals, c, r = [0] * 4, [0] * 4, 0, 0
    for hypothesis, reference in zip(hypotheses, references):
        h, f = metrics.tokenize_13a(hypothesis), metrics.tokenize_13a(reference)
        c, r = c + len(h), r + len(f)
        for n in range(4):
            a, b = metrics.ngram_counts(h, n + 1), metrics.ngram_counts(f, n + 1)
            matches[n] += sum((a & b).values())
            totals[n] += sum(a.values())
    if min(matches) == 0:
        return 0.0
    mean = sum(m / t for m, t in zip(matches, totals)) / 4
    return 100 * metrics.brevity_penalty(c, r) * mean


@wrong("the counts are put together first and clipped over the whole corpus")
def corpus_bleu(hypotheses, references):
    a, b = [Counter() for _ in range(4)], [Counter() for _ in range(4)]
    c = r = 0
    for hypothesis, reference in zip(hypotheses, references):
        h, f = metrics.tokenize_13a(hypothesis), metrics.tokenize_13a(reference)
        c, r = c + len(h), r + len(f)
        for n in range(4):
            a[n].update(metrics.ngram_counts(h, n + 1))
            b[n].update(metrics.ngram_counts(f, n + 1))
    matches = [sum((x & y).values()) for x, y in zip(a, b)]
    if min(matches) == 0:
        return 0.0
    mean = sum(math.log(m / sum(x.values())) for m, x in zip(matches, a)) / 4
    return 100 * metrics.brevity_penalty(c, r) * math.exp(mean)


@wrong("a zero is an error: the logarithm of 0")
def corpus_bleu(hypotheses, references):
    matches, totals, c, r = [0] * 4, [0] * 4, 0, 0
    for hypothesis, reference in zip(hypotheses, references):
        h, f = metrics.tokenize_13a(hypothesis), metrics.tokenize_13a(reference)
        c, r = c + len(h), r + len(f)
        for n in range(4):
            a, b = metrics.ngram_counts(h, n + 1), metrics.ngram_counts(f, n + 1)
            matches[n] += sum((a & b).values())
            totals[n] += sum(a.values())
    mean = sum(math.log(m / t) for m, t in zip(matches, totals)) / 4
    return 100 * metrics.brevity_penalty(c, r) * math.exp(mean)


@wrong("the penalty is the mean of the sentences' penalties")
def corpus_bleu(hypotheses, references):
    matches, totals, penalties = [0] * 4, [0] * 4, []
    for hypothesis, reference in zip(hypotheses, references):
        h, f = metrics.tokenize_13a(hypothesis), metrics.tokenize_13a(reference)
        penalties.append(metrics.brevity_penalty(len(h), len(f)))
        for n in range(4):
            a, b = metrics.ngram_counts(h, n + 1), metrics.ngram_counts(f, n + 1)
            matches[n] += sum((a & b).values())
            totals[n] += sum(a.values())
    if min(matches) == 0:
        return 0.0
    mean = sum(math.log(m / t) for m, t in zip(matches, totals)) / 4
    return 100 * sum(penalties) / len(penalties) * math.exp(mean)


@wrong("cut at spaces")
def corpus_bleu(hypotheses, references):
    matches, totals, c, r = [0] * 4, [0] * 4, 0, 0
    for hypothesis, reference in zip(hypotheses, references):
        h, f = hypothesis.split(), reference.split()
        c, r = c + len(h), r + len(f)
        for n in range(4):
            a, b = metrics.ngram_counts(h, n + 1), metrics.ngram_counts(f, n + 1)
            matches[n] += sum((a & b).values())
            totals[n] += sum(a.values())
    if min(matches) == 0:
        return 0.0
    mean = sum(math.log(m / t) for m, t in zip(matches, totals)) / 4
    return 100 * metrics.brevity_penalty(c, r) * math.exp(mean)


@wrong("the brevity penalty is given the lengths the wrong way round")
def corpus_bleu(hypotheses, references):
    matches, totals, c, r = [0] * 4, [0] * 4, 0, 0
    for hypothesis, reference in zip(hypotheses, references):
        h, f = metrics.tokenize_13a(hypothesis), metrics.tokenize_13a(reference)
        c, r = c + len(h), r + len(f)
        for n in range(4):
            a, b = metrics.ngram_counts(h, n + 1), metrics.ngram_counts(f, n + 1)
            matches[n] += sum((a & b).values())
            totals[n] += sum(a.values())
    if min(matches) == 0:
        return 0.0
    mean = sum(math.log(m / t) for m, t in zip(matches, totals)) / 4
    return 100 * metrics.brevity_penalty(r, c) * math.exp(mean)


@right
def corpus_bleu(hypotheses, references):
    hs = [list(metrics.tokenize_13a(h)) for h in hypotheses]
    fs = [list(metrics.tokenize_13a(f)) for f in references]
    product = 1.0
    for n in (1, 2, 3, 4):
        matches = total = 0
        for h, f in zip(hs, fs):
            left = [f[i : i + n] for i in range(len(f) - n + 1)]
            for i in range(len(h) - n + 1):
                total += 1
                if h[i : i + n] in left:
                    left.remove(h[i : i + n])
                    matches += 1
        if matches == 0:
            return 0.0
        product *= matches / total
    c, r = sum(map(len, hs)), sum(map(len, fs))
    return 100.0 * min(1.0, math.exp(1 - r / c)) * product**0.25


@right
def corpus_bleu(hypotheses, references):
    matches, totals, c, r = Counter(), Counter(), 0, 0
    for h, f in zip(hypotheses, references):
        h, f = metrics.tokenize_13a(h), metrics.tokenize_13a(f)
        c += len(h)
        r += len(f)
        for n in range(1, 5):
            ours, theirs = metrics.ngram_counts(h, n), metrics.ngram_counts(f, n)
            for g, count in ours.items():
                matches[n] += min(count, theirs[g])
                totals[n] += count
    if any(matches[n] == 0 for n in range(1, 5)):
        return 0.0
    logs = [math.log(matches[n]) - math.log(totals[n]) for n in range(1, 5)]
    return math.exp(sum(logs) / 4) * 100 * metrics.brevity_penalty(c, r)
