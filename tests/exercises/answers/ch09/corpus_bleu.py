"""Answers to exercise ``corpus_bleu``, as learners write them."""

from answering import right, wrong


@wrong("mean of the sentences' scores")
def corpus_bleu(hypotheses, references):
    from attnlib import metrics as bleu

    scores = [
        bleu.corpus_bleu([h], [r], smoothing="none").score for h, r in zip(hypotheses, references)
    ]
    return sum(scores) / len(scores)


@wrong("precisions of the sentences are averaged")
def corpus_bleu(hypotheses, references):
    import math

    from attnlib import metrics as bleu

    means = [0.0] * 4
    c = r = 0
    for h, ref in zip(hypotheses, references):
        h, ref = bleu.tokenize_13a(h), bleu.tokenize_13a(ref)
        c, r = c + len(h), r + len(ref)
        for n in range(1, 5):
            grams, known = bleu.ngram_counts(h, n), bleu.ngram_counts(ref, n)
            if grams:
                share = (grams & known).total() / grams.total()
                means[n - 1] += share / len(hypotheses)
    if min(means) == 0:
        return 0.0
    return 100 * bleu.brevity_penalty(c, r) * math.exp(sum(map(math.log, means)) / 4)


@wrong("brevity penalty is missing")
def corpus_bleu(hypotheses, references):
    from attnlib import metrics as bleu

    found = bleu.corpus_bleu(hypotheses, references, smoothing="none")
    p = [m / t if t else 0.0 for m, t in zip(found.counts, found.totals)]
    return 100 * (p[0] * p[1] * p[2] * p[3]) ** 0.25


@wrong("the geometric one")
def corpus_bleu(hypotheses, references):
    from attnlib import metrics as bleu

    found = bleu.corpus_bleu(hypotheses, references, smoothing="none")
    p = [m / t if t else 0.0 for m, t in zip(found.counts, found.totals)]
    return 100 * found.brevity_penalty * sum(p) / 4


@wrong("not clipped")
def corpus_bleu(hypotheses, references):
    import math

    from attnlib import metrics as bleu

    found = bleu.corpus_bleu(hypotheses, references)
    p = []
    for n in range(1, 5):
        hits = total = 0
        for h, r in zip(hypotheses, references):
            known = bleu.ngram_counts(bleu.tokenize_13a(r), n)
            for gram, count in bleu.ngram_counts(bleu.tokenize_13a(h), n).items():
                total += count
                hits += count * (gram in known)
        p.append(hits / total if total else 0.0)
    if min(p) == 0:
        return 0.0
    return 100 * found.brevity_penalty * math.exp(sum(math.log(x) for x in p) / 4)


@wrong("glued together")
def corpus_bleu(hypotheses, references):
    from attnlib import metrics as bleu

    texts = " ".join(hypotheses), " ".join(references)
    return bleu.corpus_bleu([texts[0]], [texts[1]], smoothing="none").score


@wrong("between 0 and 1")
def corpus_bleu(hypotheses, references):
    from attnlib import metrics as bleu

    found = bleu.corpus_bleu(hypotheses, references, smoothing="none")
    return found.score / 100


@wrong("fourth root is missing")
def corpus_bleu(hypotheses, references):
    from attnlib import metrics as bleu

    found = bleu.corpus_bleu(hypotheses, references, smoothing="none")
    result = 100 * found.brevity_penalty
    for p in found.precisions:
        result *= p / 100
    return result


@wrong("Use exp(1 − r/c) below r")
def corpus_bleu(hypotheses, references):
    from attnlib import metrics as bleu

    found = bleu.corpus_bleu(hypotheses, references, smoothing="none")
    if not found.score:
        return 0.0
    ratio = found.hypothesis_length / found.reference_length
    return found.score / found.brevity_penalty * min(1, ratio)


@wrong("wrong way round")
def corpus_bleu(hypotheses, references):
    from attnlib import metrics as bleu

    found = bleu.corpus_bleu(hypotheses, references, smoothing="none")
    if not found.score:
        return 0.0
    penalty = bleu.brevity_penalty(found.reference_length, found.hypothesis_length)
    return found.score / found.brevity_penalty * penalty


@wrong("Split at spaces")
def corpus_bleu(hypotheses, references):
    from attnlib import metrics as bleu

    return bleu.corpus_bleu(hypotheses, references, smoothing="none", tokenize="none").score


@wrong("here something comes in its place")
def corpus_bleu(hypotheses, references):
    from attnlib import metrics as bleu

    return bleu.corpus_bleu(hypotheses, references).score


@wrong("it raises ValueError")
def corpus_bleu(hypotheses, references):
    import math

    from attnlib import metrics as bleu

    found = bleu.corpus_bleu(hypotheses, references, smoothing="none")
    shares = [m / t if t else 0.0 for m, t in zip(found.counts, found.totals)]
    return 100 * found.brevity_penalty * math.exp(sum(math.log(p) for p in shares) / 4)


@wrong("only exp(1 − 9/6) of 100 is left")
def corpus_bleu(hypotheses, references):
    from attnlib import metrics as bleu

    found = bleu.corpus_bleu(hypotheses, references, smoothing="none")
    return found.score * found.brevity_penalty


@right
def corpus_bleu(hypotheses, references):
    import numpy as np

    from attnlib import metrics as bleu

    found = bleu.corpus_bleu(hypotheses, references, smoothing="none")
    with np.errstate(divide="ignore", invalid="ignore"):
        shares = np.array(found.counts) / np.maximum(found.totals, 1)
        return 100 * found.brevity_penalty * np.exp(np.log(shares).mean())


@right
def corpus_bleu(hypotheses, references):
    import torch

    from attnlib import metrics as bleu

    found = bleu.corpus_bleu(hypotheses, references, smoothing="none")
    shares = torch.tensor(found.counts).double() / torch.tensor(found.totals).clamp(min=1)
    return 100 * found.brevity_penalty * shares.prod() ** 0.25
