"""Answers to exercise ``paired_bootstrap``, written from its statement alone."""

import random

import numpy as np
from answering import right, wrong

from attnlib import metrics


@wrong("each system gets picks of its own: not paired")
def paired_bootstrap(first, second, references, samples, seed):
    draw, n = random.Random(seed), len(references)
    wins = losses = 0
    for _ in range(samples):
        p = draw.choices(range(n), k=n)
        a = metrics.corpus_bleu([first[i] for i in p], [references[i] for i in p]).score
        p = draw.choices(range(n), k=n)
        b = metrics.corpus_bleu([second[i] for i in p], [references[i] for i in p]).score
        wins += a > b
        losses += a < b
    return wins / samples, losses / samples


@wrong("the references are not picked: they stay in their order")
def paired_bootstrap(first, second, references, samples, seed):
    draw, n = random.Random(seed), len(references)
    wins = losses = 0
    for _ in range(samples):
        p = draw.choices(range(n), k=n)
        a = metrics.corpus_bleu([first[i] for i in p], references).score
        b = metrics.corpus_bleu([second[i] for i in p], references).score
        wins += a > b
        losses += a < b
    return wins / samples, losses / samples


@wrong("the second share is 1 minus the first: ties go to the second")
def paired_bootstrap(first, second, references, samples, seed):
    draw, n = random.Random(seed), len(references)
    wins = 0
    for _ in range(samples):
        p = draw.choices(range(n), k=n)
        refs = [references[i] for i in p]
        a = metrics.corpus_bleu([first[i] for i in p], refs).score
        b = metrics.corpus_bleu([second[i] for i in p], refs).score
        wins += a > b
    return wins / samples, 1 - wins / samples


@wrong("the seed is set anew in every round: all samples are the same")
def paired_bootstrap(first, second, references, samples, seed):
    n = len(references)
    wins = losses = 0
    for _ in range(samples):
        p = random.Random(seed).choices(range(n), k=n)
        refs = [references[i] for i in p]
        a = metrics.corpus_bleu([first[i] for i in p], refs).score
        b = metrics.corpus_bleu([second[i] for i in p], refs).score
        wins += a > b
        losses += a < b
    return wins / samples, losses / samples


@wrong("counts, not shares")
def paired_bootstrap(first, second, references, samples, seed):
    draw, n = random.Random(seed), len(references)
    wins = losses = 0
    for _ in range(samples):
        p = draw.choices(range(n), k=n)
        refs = [references[i] for i in p]
        a = metrics.corpus_bleu([first[i] for i in p], refs).score
        b = metrics.corpus_bleu([second[i] for i in p], refs).score
        wins += a > b
        losses += a < b
    return wins, losses


@wrong("drawn without replacement: every sample is the whole set")
def paired_bootstrap(first, second, references, samples, seed):
    draw, n = random.Random(seed), len(references)
    wins = losses = 0
    for _ in range(samples):
        p = draw.sample(range(n), k=n)
        refs = [references[i] for i in p]
        a = metrics.corpus_bleu([first[i] for i in p], refs).score
        b = metrics.corpus_bleu([second[i] for i in p], refs).score
        wins += a > b
        losses += a < b
    return wins / samples, losses / samples


@wrong("ties count for both")
def paired_bootstrap(first, second, references, samples, seed):
    draw, n = random.Random(seed), len(references)
    wins = losses = 0
    for _ in range(samples):
        p = draw.choices(range(n), k=n)
        refs = [references[i] for i in p]
        a = metrics.corpus_bleu([first[i] for i in p], refs).score
        b = metrics.corpus_bleu([second[i] for i in p], refs).score
        wins += a >= b
        losses += a <= b
    return wins / samples, losses / samples


@wrong("divided by the number of sentences")
def paired_bootstrap(first, second, references, samples, seed):
    draw, n = random.Random(seed), len(references)
    wins = losses = 0
    for _ in range(samples):
        p = draw.choices(range(n), k=n)
        refs = [references[i] for i in p]
        a = metrics.corpus_bleu([first[i] for i in p], refs).score
        b = metrics.corpus_bleu([second[i] for i in p], refs).score
        wins += a > b
        losses += a < b
    return wins / n, losses / n


@right
def paired_bootstrap(first, second, references, samples, seed):
    draw = random.Random(seed)
    n = len(first)

    def score(texts, picks):
        chosen = [texts[i] for i in picks]
        return metrics.corpus_bleu(chosen, [references[i] for i in picks]).score

    gaps = []
    for _ in range(samples):
        picks = draw.choices(range(n), k=n)
        gaps.append(score(first, picks) - score(second, picks))
    gaps = np.array(gaps)
    return (gaps > 0).mean(), (gaps < 0).mean()


@right
def paired_bootstrap(first, second, references, samples, seed):
    draw = random.Random(seed)
    triples = list(zip(first, second, references))
    result = {1: 0, 0: 0, -1: 0}
    for _ in range(samples):
        picks = draw.choices(range(len(triples)), k=len(triples))
        a, b, r = (list(column) for column in zip(*(triples[i] for i in picks)))
        x, y = metrics.corpus_bleu(a, r).score, metrics.corpus_bleu(b, r).score
        result[(x > y) - (x < y)] += 1
    return [result[1] / samples, result[-1] / samples]
