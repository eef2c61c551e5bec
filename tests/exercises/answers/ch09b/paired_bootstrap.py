"""Answers to exercise ``paired_bootstrap``, as learners write them."""

import random

from answering import right, wrong

from attnlib import metrics


def _of_sample(system, references, picks):
    return metrics.corpus_bleu([system[i] for i in picks], [references[i] for i in picks]).score


def _shares(first, second, references, samples, pick, score=_of_sample):
    wins = losses = 0
    for _ in range(samples):
        picks = pick(range(len(references)), k=len(references))
        a, b = (score(system, references, picks) for system in (first, second))
        wins, losses = wins + (a > b), losses + (a < b)
    return wins / samples, losses / samples


@wrong("without replacement")
def paired_bootstrap(first, second, references, samples, seed):
    return _shares(first, second, references, samples, random.Random(seed).sample)


@wrong("begins anew for every sample")
def paired_bootstrap(first, second, references, samples, seed):
    def pick(numbers, k):
        return random.Random(seed).choices(numbers, k=k)

    return _shares(first, second, references, samples, pick)


@wrong("The references are not drawn along")
def paired_bootstrap(first, second, references, samples, seed):
    def score(system, references, picks):
        return metrics.corpus_bleu([system[i] for i in picks], references).score

    return _shares(first, second, references, samples, random.Random(seed).choices, score)


@wrong("Other seeds draw other samples")
def paired_bootstrap(first, second, references, samples, seed):
    return _shares(first, second, references, samples, random.Random(1).choices)


@right
def paired_bootstrap(first, second, references, samples, seed):
    import random

    import numpy as np

    from attnlib import metrics as bleu

    draw = random.Random(seed)
    gaps = []
    for _ in range(samples):
        a, b, r = zip(*draw.choices(list(zip(first, second, references)), k=len(first)))
        gaps.append(bleu.corpus_bleu(a, r).score - bleu.corpus_bleu(b, r).score)
    gaps = np.array(gaps)
    return np.array([(gaps > 0).mean(), (gaps < 0).mean()], dtype=np.float32)


@right
def paired_bootstrap(first, second, references, samples, seed):
    import random

    import torch

    from attnlib import metrics as bleu

    draw, n = random.Random(seed), len(references)
    signs = torch.zeros(samples)
    for number in range(samples):
        picks = draw.choices(range(n), k=n)
        a, b = (
            bleu.corpus_bleu([system[i] for i in picks], [references[i] for i in picks]).score
            for system in (first, second)
        )
        signs[number] = (a > b) - (a < b)
    return (signs == 1).double().mean(), (signs == -1).double().mean()
