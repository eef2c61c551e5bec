"""Answers to exercise ``paired_bootstrap``, as learners write them."""

from answering import wrong


@wrong("on different samples")
def paired_bootstrap(first, second, references, samples, seed):
    import random

    from attnlib import metrics as bleu

    draw, n = random.Random(seed), len(references)

    def one(system):
        picks = draw.choices(range(n), k=n)
        r = [references[i] for i in picks]
        return bleu.corpus_bleu([system[i] for i in picks], r)

    wins = losses = 0
    for _ in range(samples):
        a, b = one(first).score, one(second).score
        wins, losses = wins + (a > b), losses + (a < b)
    return wins / samples, losses / samples


@wrong("without replacement")
def paired_bootstrap(first, second, references, samples, seed):
    import random

    from attnlib import metrics as bleu

    draw, n = random.Random(seed), len(references)
    wins = losses = 0
    for _ in range(samples):
        picks = draw.sample(range(n), n)
        r = [references[i] for i in picks]
        a = bleu.corpus_bleu([first[i] for i in picks], r).score
        b = bleu.corpus_bleu([second[i] for i in picks], r).score
        wins += a > b
        losses += a < b
    return wins / samples, losses / samples


@wrong("begins anew for every sample")
def paired_bootstrap(first, second, references, samples, seed):
    import random

    from attnlib import metrics as bleu

    draw, n = random.Random(seed), len(references)
    wins = losses = 0
    for _ in range(samples):
        picks = random.Random(seed).choices(range(n), k=n)
        r = [references[i] for i in picks]
        a = bleu.corpus_bleu([first[i] for i in picks], r).score
        b = bleu.corpus_bleu([second[i] for i in picks], r).score
        wins += a > b
        losses += a < b
    return wins / samples, losses / samples


@wrong("A tie is counted")
def paired_bootstrap(first, second, references, samples, seed):
    import random

    from attnlib import metrics as bleu

    draw, n = random.Random(seed), len(references)
    wins = losses = 0
    for _ in range(samples):
        picks = draw.choices(range(n), k=n)
        r = [references[i] for i in picks]
        a = bleu.corpus_bleu([first[i] for i in picks], r).score
        b = bleu.corpus_bleu([second[i] for i in picks], r).score
        wins += a >= b
        losses += a < b
    return wins / samples, losses / samples


@wrong("These are numbers of samples")
def paired_bootstrap(first, second, references, samples, seed):
    import random

    from attnlib import metrics as bleu

    draw, n = random.Random(seed), len(references)
    wins = losses = 0
    for _ in range(samples):
        picks = draw.choices(range(n), k=n)
        r = [references[i] for i in picks]
        a = bleu.corpus_bleu([first[i] for i in picks], r).score
        b = bleu.corpus_bleu([second[i] for i in picks], r).score
        wins += a > b
        losses += a < b
    return wins / 1.0, losses / 1.0


@wrong("shares of single sentences")
def paired_bootstrap(first, second, references, samples, seed):
    from attnlib import metrics as bleu

    a = [bleu.corpus_bleu([h], [r]).score for h, r in zip(first, references)]
    b = [bleu.corpus_bleu([h], [r]).score for h, r in zip(second, references)]
    n = len(references)
    return sum(x > y for x, y in zip(a, b)) / n, sum(x < y for x, y in zip(a, b)) / n
