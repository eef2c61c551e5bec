"""Answers to exercise ``corpus_bleu``, as learners write them."""

from answering import wrong


@wrong("mean of the sentences' scores")
def corpus_bleu(hypotheses, references):
    from attnlib import metrics as bleu

    scores = [
        bleu.corpus_bleu([h], [r], smoothing="none").score for h, r in zip(hypotheses, references)
    ]
    return sum(scores) / len(scores)


@wrong("wrong way round")
def corpus_bleu(hypotheses, references):
    from attnlib import metrics as bleu

    found = bleu.corpus_bleu(hypotheses, references, smoothing="none")
    if not found.score:
        return 0.0
    penalty = bleu.brevity_penalty(found.reference_length, found.hypothesis_length)
    return found.score / found.brevity_penalty * penalty


@wrong("it raises ValueError")
def corpus_bleu(hypotheses, references):
    import math

    from attnlib import metrics as bleu

    found = bleu.corpus_bleu(hypotheses, references, smoothing="none")
    shares = [m / t if t else 0.0 for m, t in zip(found.counts, found.totals)]
    return 100 * found.brevity_penalty * math.exp(sum(math.log(p) for p in shares) / 4)


@wrong("c = 4 and r = 5, so that the penalty is 0.7788")
def corpus_bleu(hypotheses, references):
    from attnlib import metrics as bleu

    found = bleu.corpus_bleu(hypotheses, references, smoothing="none")
    return found.score * found.brevity_penalty
