"""Answers to exercise ``paired_bootstrap``, as learners write them."""

import random

from answering import right, wrong

from attnlib import metrics


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


@wrong("The references are not drawn along")
def paired_bootstrap(first, second, references, samples, seed):
    import random

    from attnlib import metrics as bleu

    draw, n = random.Random(seed), len(references)
    wins = losses = 0
    for _ in range(samples):
        picks = draw.choices(range(n), k=n)
        a = bleu.corpus_bleu([first[i] for i in picks], references).score
        b = bleu.corpus_bleu([second[i] for i in picks], references).score
        wins += a > b
        losses += a < b
    return wins / samples, losses / samples


@wrong("all that the first does not win")
def paired_bootstrap(first, second, references, samples, seed):
    import random

    from attnlib import metrics as bleu

    draw, n = random.Random(seed), len(references)
    wins = 0
    for _ in range(samples):
        picks = draw.choices(range(n), k=n)
        r = [references[i] for i in picks]
        a = bleu.corpus_bleu([first[i] for i in picks], r).score
        b = bleu.corpus_bleu([second[i] for i in picks], r).score
        wins += a > b
    return wins / samples, 1 - wins / samples


@wrong("The same seed draws the same")
def paired_bootstrap(first, second, references, samples, seed):
    import random

    from attnlib import metrics as bleu

    n = len(references)
    wins = losses = 0
    for _ in range(samples):
        picks = random.choices(range(n), k=n)
        r = [references[i] for i in picks]
        a = bleu.corpus_bleu([first[i] for i in picks], r).score
        b = bleu.corpus_bleu([second[i] for i in picks], r).score
        wins += a > b
        losses += a < b
    return wins / samples, losses / samples


@wrong("drawn otherwise than draw.choices")
def paired_bootstrap(first, second, references, samples, seed):
    import random

    from attnlib import metrics as bleu

    draw, n = random.Random(seed), len(references)
    wins = losses = 0
    for _ in range(samples):
        picks = [draw.randint(0, n - 1) for _ in range(n)]
        r = [references[i] for i in picks]
        a = bleu.corpus_bleu([first[i] for i in picks], r).score
        b = bleu.corpus_bleu([second[i] for i in picks], r).score
        wins += a > b
        losses += a < b
    return wins / samples, losses / samples


@wrong("of draw.choices(range(4), k=4) is")
def paired_bootstrap(first, second, references, samples, seed):
    import numpy as np

    from attnlib import metrics as bleu

    draw, n = np.random.default_rng(seed), len(references)
    wins = losses = 0
    for _ in range(samples):
        picks = draw.integers(0, n, size=n)
        r = [references[i] for i in picks]
        a = bleu.corpus_bleu([first[i] for i in picks], r).score
        b = bleu.corpus_bleu([second[i] for i in picks], r).score
        wins += a > b
        losses += a < b
    return wins / samples, losses / samples


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


@wrong("takes the hypotheses first")
def paired_bootstrap(first, second, references, samples, seed):  # exchanged in the score
    import random

    from attnlib import metrics as bleu

    draw, n, wins, losses = random.Random(seed), len(references), 0, 0
    for _ in range(samples):
        picks = draw.choices(range(n), k=n)
        r = [references[i] for i in picks]
        a = bleu.corpus_bleu(r, [first[i] for i in picks]).score
        b = bleu.corpus_bleu(r, [second[i] for i in picks]).score
        wins, losses = wins + (a > b), losses + (a < b)
    return wins / samples, losses / samples


@wrong("on these sentences of both systems and of the references")
def paired_bootstrap(first, second, references, samples, seed):  # wins by a point at least
    import random

    from attnlib import metrics as bleu

    draw, n, wins, losses = random.Random(seed), len(references), 0, 0
    for _ in range(samples):
        picks = draw.choices(range(n), k=n)
        r = [references[i] for i in picks]
        a = bleu.corpus_bleu([first[i] for i in picks], r).score
        b = bleu.corpus_bleu([second[i] for i in picks], r).score
        wins, losses = wins + (a >= b + 1), losses + (b >= a + 1)
    return wins / samples, losses / samples


def _shares(first, second, references, samples, seed, score):
    draw, n = random.Random(seed), len(references)
    wins = losses = 0
    for _ in range(samples):
        picks = draw.choices(range(n), k=n)
        a, b = (score(system, references, picks) for system in (first, second))
        wins, losses = wins + (a > b), losses + (a < b)
    return wins / samples, losses / samples


def _of_sample(system, references, picks):
    return metrics.corpus_bleu([system[i] for i in picks], [references[i] for i in picks]).score


@wrong("a narrow win is a tie")
def paired_bootstrap(first, second, references, samples, seed):
    def rounded(*given):
        return round(_of_sample(*given))

    return _shares(first, second, references, samples, seed, rounded)


@wrong("Other seeds draw other samples")
def paired_bootstrap(first, second, references, samples, seed):
    return _shares(first, second, references, samples, 1, _of_sample)


@wrong("Draw as many as there are")
def paired_bootstrap(first, second, references, samples, seed):
    draw, n = random.Random(seed), len(references)
    wins = losses = 0
    for _ in range(samples):
        picks = draw.choices(range(n), k=10)
        truth = [references[i] for i in picks]
        a = metrics.corpus_bleu([first[i] for i in picks], truth).score
        b = metrics.corpus_bleu([second[i] for i in picks], truth).score
        wins, losses = wins + (a > b), losses + (a < b)
    return wins / samples, losses / samples


@wrong("With samples = 1 comes (0, 0)")
def paired_bootstrap(first, second, references, samples, seed):
    draw, n = random.Random(seed), len(references)
    wins = losses = 0
    for _ in range(samples if n > 1 else 0):
        picks = draw.choices(range(n), k=n)
        truth = [references[i] for i in picks]
        a = metrics.corpus_bleu([first[i] for i in picks], truth).score
        b = metrics.corpus_bleu([second[i] for i in picks], truth).score
        wins, losses = wins + (a > b), losses + (a < b)
    return wins / samples, losses / samples
