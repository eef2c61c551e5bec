"""Answers to exercise ``paired_bootstrap``, as learners write them."""

import random

from answering import wrong

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
