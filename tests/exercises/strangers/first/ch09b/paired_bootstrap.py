"""Answers to exercise ``paired_bootstrap``, written from its statement alone."""

import random

from answering import right, wrong

from attnlib import metrics


@wrong("each system is scored on a draw of its own")
def paired_bootstrap(first, second, references, samples, seed):
    draw, n, wins, losses = random.Random(seed), len(first), 0, 0
    for _ in range(samples):
        i = draw.choices(range(n), k=n)
        j = draw.choices(range(n), k=n)
        a = metrics.corpus_bleu([first[k] for k in i], [references[k] for k in i]).score
        b = metrics.corpus_bleu([second[k] for k in j], [references[k] for k in j]).score
        wins, losses = wins + (a > b), losses + (a < b)
    return wins / samples, losses / samples


@wrong("a tie is a win of the first")
def paired_bootstrap(first, second, references, samples, seed):
    draw, n, wins, losses = random.Random(seed), len(first), 0, 0
    for _ in range(samples):
        i = draw.choices(range(n), k=n)
        refs = [references[k] for k in i]
        a = metrics.corpus_bleu([first[k] for k in i], refs).score
        b = metrics.corpus_bleu([second[k] for k in i], refs).score
        wins, losses = wins + (a >= b), losses + (a < b)
    return wins / samples, losses / samples


@wrong("the second share is whatever the first leaves")
def paired_bootstrap(first, second, references, samples, seed):
    draw, n, wins = random.Random(seed), len(first), 0
    for _ in range(samples):
        i = draw.choices(range(n), k=n)
        refs = [references[k] for k in i]
        a = metrics.corpus_bleu([first[k] for k in i], refs).score
        b = metrics.corpus_bleu([second[k] for k in i], refs).score
        wins += a > b
    return wins / samples, 1 - wins / samples


@wrong("the generator is made anew for each sample: always the same picks")
def paired_bootstrap(first, second, references, samples, seed):
    n, wins, losses = len(first), 0, 0
    for _ in range(samples):
        i = random.Random(seed).choices(range(n), k=n)
        refs = [references[k] for k in i]
        a = metrics.corpus_bleu([first[k] for k in i], refs).score
        b = metrics.corpus_bleu([second[k] for k in i], refs).score
        wins, losses = wins + (a > b), losses + (a < b)
    return wins / samples, losses / samples


@wrong("the references are not drawn along")
def paired_bootstrap(first, second, references, samples, seed):
    draw, n, wins, losses = random.Random(seed), len(first), 0, 0
    for _ in range(samples):
        i = draw.choices(range(n), k=n)
        a = metrics.corpus_bleu([first[k] for k in i], references).score
        b = metrics.corpus_bleu([second[k] for k in i], references).score
        wins, losses = wins + (a > b), losses + (a < b)
    return wins / samples, losses / samples


@wrong("drawn without putting back: always the whole set")
def paired_bootstrap(first, second, references, samples, seed):
    draw, n, wins, losses = random.Random(seed), len(first), 0, 0
    for _ in range(samples):
        i = draw.sample(range(n), k=n)
        refs = [references[k] for k in i]
        a = metrics.corpus_bleu([first[k] for k in i], refs).score
        b = metrics.corpus_bleu([second[k] for k in i], refs).score
        wins, losses = wins + (a > b), losses + (a < b)
    return wins / samples, losses / samples


@wrong("counts, not shares")
def paired_bootstrap(first, second, references, samples, seed):
    draw, n, wins, losses = random.Random(seed), len(first), 0, 0
    for _ in range(samples):
        i = draw.choices(range(n), k=n)
        refs = [references[k] for k in i]
        a = metrics.corpus_bleu([first[k] for k in i], refs).score
        b = metrics.corpus_bleu([second[k] for k in i], refs).score
        wins, losses = wins + (a > b), losses + (a < b)
    return wins, losses


@wrong("the seed is not used")
def paired_bootstrap(first, second, references, samples, seed):
    n, wins, losses = len(first), 0, 0
    for _ in range(samples):
        i = random.choices(range(n), k=n)
        refs = [references[k] for k in i]
        a = metrics.corpus_bleu([first[k] for k in i], refs).score
        b = metrics.corpus_bleu([second[k] for k in i], refs).score
        wins, losses = wins + (a > b), losses + (a < b)
    return wins / samples, losses / samples


@right
def paired_bootstrap(first, second, references, samples, seed):
    draw = random.Random(seed)
    signs = []
    for _ in range(samples):
        picks = draw.choices(range(len(references)), k=len(references))
        a, b, refs = zip(*[(first[i], second[i], references[i]) for i in picks])
        gap = metrics.corpus_bleu(list(a), list(refs)).score
        gap -= metrics.corpus_bleu(list(b), list(refs)).score
        signs.append((gap > 0) - (gap < 0))
    return signs.count(1) / samples, signs.count(-1) / samples


@right
def paired_bootstrap(first, second, references, samples, seed):
    draw = random.Random(seed)
    draws = [draw.choices(range(len(first)), k=len(first)) for _ in range(samples)]

    def scores(system):
        return [
            metrics.corpus_bleu([system[i] for i in d], [references[i] for i in d]).score
            for d in draws
        ]

    pairs = list(zip(scores(first), scores(second)))
    return [sum(a > b for a, b in pairs) / samples, sum(b > a for a, b in pairs) / samples]
