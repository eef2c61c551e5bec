import random
from collections import Counter

import numpy as np
from answering import right, wrong

from attnlib import metrics


@wrong("every system gets picks of its own")
def paired_bootstrap(first, second, references, samples, seed):
    draw = random.Random(seed)
    n = len(references)
    wins = losses = 0
    for _ in range(samples):
        picks = draw.choices(range(n), k=n)
        truth = [references[i] for i in picks]
        a = metrics.corpus_bleu([first[i] for i in picks], truth).score
        picks = draw.choices(range(n), k=n)
        truth = [references[i] for i in picks]
        b = metrics.corpus_bleu([second[i] for i in picks], truth).score
        wins += a > b
        losses += b > a
    return wins / samples, losses / samples


@wrong("a tie is a win of the second: its share is what is left")
def paired_bootstrap(first, second, references, samples, seed):
    draw = random.Random(seed)
    n = len(references)
    wins = losses = 0
    for _ in range(samples):
        picks = draw.choices(range(n), k=n)
        truth = [references[i] for i in picks]
        a = metrics.corpus_bleu([first[i] for i in picks], truth).score
        b = metrics.corpus_bleu([second[i] for i in picks], truth).score
        wins += a > b
        losses += b > a
    return wins / samples, 1 - wins / samples


@wrong("a tie counts for the first: >= instead of >")
def paired_bootstrap(first, second, references, samples, seed):
    draw = random.Random(seed)
    n = len(references)
    wins = losses = 0
    for _ in range(samples):
        picks = draw.choices(range(n), k=n)
        truth = [references[i] for i in picks]
        a = metrics.corpus_bleu([first[i] for i in picks], truth).score
        b = metrics.corpus_bleu([second[i] for i in picks], truth).score
        wins += a >= b
        losses += b > a
    return wins / samples, losses / samples


@wrong("the references are not picked: hypothesis i meets another reference")
def paired_bootstrap(first, second, references, samples, seed):
    draw = random.Random(seed)
    n = len(references)
    wins = losses = 0
    for _ in range(samples):
        picks = draw.choices(range(n), k=n)
        truth = references
        a = metrics.corpus_bleu([first[i] for i in picks], truth).score
        b = metrics.corpus_bleu([second[i] for i in picks], truth).score
        wins += a > b
        losses += b > a
    return wins / samples, losses / samples


@wrong("the draw begins anew in every sample: all samples are the same")
def paired_bootstrap(first, second, references, samples, seed):
    n = len(references)
    wins = losses = 0
    for _ in range(samples):
        draw = random.Random(seed)
        picks = draw.choices(range(n), k=n)
        truth = [references[i] for i in picks]
        a = metrics.corpus_bleu([first[i] for i in picks], truth).score
        b = metrics.corpus_bleu([second[i] for i in picks], truth).score
        wins += a > b
        losses += b > a
    return wins / samples, losses / samples


@wrong("without putting back: a shuffle, which scores as the whole")
def paired_bootstrap(first, second, references, samples, seed):
    draw = random.Random(seed)
    n = len(references)
    wins = losses = 0
    for _ in range(samples):
        picks = draw.sample(range(n), k=n)
        truth = [references[i] for i in picks]
        a = metrics.corpus_bleu([first[i] for i in picks], truth).score
        b = metrics.corpus_bleu([second[i] for i in picks], truth).score
        wins += a > b
        losses += b > a
    return wins / samples, losses / samples


@wrong("counts, not shares")
def paired_bootstrap(first, second, references, samples, seed):
    draw = random.Random(seed)
    n = len(references)
    wins = losses = 0
    for _ in range(samples):
        picks = draw.choices(range(n), k=n)
        truth = [references[i] for i in picks]
        a = metrics.corpus_bleu([first[i] for i in picks], truth).score
        b = metrics.corpus_bleu([second[i] for i in picks], truth).score
        wins += a > b
        losses += b > a
    return wins, losses


@wrong("the seed is not used")
def paired_bootstrap(first, second, references, samples, seed):
    draw = random.Random(0)
    n = len(references)
    wins = losses = 0
    for _ in range(samples):
        picks = draw.choices(range(n), k=n)
        truth = [references[i] for i in picks]
        a = metrics.corpus_bleu([first[i] for i in picks], truth).score
        b = metrics.corpus_bleu([second[i] for i in picks], truth).score
        wins += a > b
        losses += b > a
    return wins / samples, losses / samples


@wrong("the two shares are in the wrong order")
def paired_bootstrap(first, second, references, samples, seed):
    draw = random.Random(seed)
    n = len(references)
    wins = losses = 0
    for _ in range(samples):
        picks = draw.choices(range(n), k=n)
        truth = [references[i] for i in picks]
        a = metrics.corpus_bleu([first[i] for i in picks], truth).score
        b = metrics.corpus_bleu([second[i] for i in picks], truth).score
        wins += a > b
        losses += b > a
    return losses / samples, wins / samples


@wrong("sentence by sentence: how many picked sentences are won, not which sample")
def paired_bootstrap(first, second, references, samples, seed):
    draw = random.Random(seed)
    n = len(references)
    wins = losses = 0
    for _ in range(samples):
        picks = draw.choices(range(n), k=n)
        truth = [references[i] for i in picks]
        for i, one in zip(picks, truth):
            a = metrics.corpus_bleu([first[i]], [one]).score
            b = metrics.corpus_bleu([second[i]], [one]).score
            wins += (a > b) / n
            losses += (b > a) / n
    return wins / samples, losses / samples


@wrong("half as many picks as there are sentences")
def paired_bootstrap(first, second, references, samples, seed):
    draw = random.Random(seed)
    n = len(references)
    wins = losses = 0
    for _ in range(samples):
        picks = draw.choices(range(n), k=max(1, n // 2))
        truth = [references[i] for i in picks]
        a = metrics.corpus_bleu([first[i] for i in picks], truth).score
        b = metrics.corpus_bleu([second[i] for i in picks], truth).score
        wins += a > b
        losses += b > a
    return wins / samples, losses / samples


@wrong("one sample more than asked")
def paired_bootstrap(first, second, references, samples, seed):
    draw = random.Random(seed)
    n = len(references)
    wins = losses = 0
    for _ in range(samples + 1):
        picks = draw.choices(range(n), k=n)
        truth = [references[i] for i in picks]
        a = metrics.corpus_bleu([first[i] for i in picks], truth).score
        b = metrics.corpus_bleu([second[i] for i in picks], truth).score
        wins += a > b
        losses += b > a
    return wins / samples, losses / samples


@wrong("the ties are shared: half a win for each")
def paired_bootstrap(first, second, references, samples, seed):
    draw = random.Random(seed)
    n = len(references)
    wins = losses = 0
    for _ in range(samples):
        picks = draw.choices(range(n), k=n)
        truth = [references[i] for i in picks]
        a = metrics.corpus_bleu([first[i] for i in picks], truth).score
        b = metrics.corpus_bleu([second[i] for i in picks], truth).score
        wins += (a > b) + 0.5 * (a == b)
        losses += (b > a) + 0.5 * (a == b)
    return wins / samples, losses / samples


@wrong("divided by the number of sentences")
def paired_bootstrap(first, second, references, samples, seed):
    draw = random.Random(seed)
    n = len(references)
    wins = losses = 0
    for _ in range(samples):
        picks = draw.choices(range(n), k=n)
        truth = [references[i] for i in picks]
        a = metrics.corpus_bleu([first[i] for i in picks], truth).score
        b = metrics.corpus_bleu([second[i] for i in picks], truth).score
        wins += a > b
        losses += b > a
    return wins / n, losses / n


@wrong("the mean difference of the scores as a second value, not a share")
def paired_bootstrap(first, second, references, samples, seed):
    draw = random.Random(seed)
    n = len(references)
    wins = losses = 0.0
    for _ in range(samples):
        picks = draw.choices(range(n), k=n)
        truth = [references[i] for i in picks]
        a = metrics.corpus_bleu([first[i] for i in picks], truth).score
        b = metrics.corpus_bleu([second[i] for i in picks], truth).score
        wins += a > b
        losses += a - b
    return wins / samples, losses / samples


@right
def paired_bootstrap(first, second, references, samples, seed):
    draw = random.Random(seed)
    triples = list(zip(first, second, references))
    outcomes = Counter()
    for _ in range(samples):
        picked = [triples[i] for i in draw.choices(range(len(triples)), k=len(triples))]
        one, two, truth = map(list, zip(*picked))
        gap = metrics.corpus_bleu(one, truth).score - metrics.corpus_bleu(two, truth).score
        outcomes[(gap > 0) - (gap < 0)] += 1
    return outcomes[1] / samples, outcomes[-1] / samples


@right
def paired_bootstrap(first, second, references, samples, seed):
    draw = random.Random(seed)
    n = len(first)
    scores = np.zeros((samples, 2))
    for row in scores:
        picks = draw.choices(range(n), k=n)
        for column, system in enumerate((first, second)):
            said = [system[i] for i in picks]
            row[column] = metrics.corpus_bleu(said, [references[i] for i in picks]).score
    a, b = scores.T
    return float((a > b).mean()), float((b > a).mean())
