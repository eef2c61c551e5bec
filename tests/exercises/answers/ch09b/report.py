"""Answers to exercise ``report``, as learners write them."""

from answering import right, wrong

from attnlib import metrics


@wrong("times the number of comparisons")
def report(first, second, references, comparisons, trials, seed):
    boot = metrics.paired_bootstrap(first, second, references, samples=trials, seed=seed)
    p = metrics.approximate_randomization(first, second, references, trials=trials, seed=seed)
    return {
        "sentences": len(references),
        "bleu": (round(boot.first, 1), round(boot.second, 1)),
        "difference": round(boot.first - boot.second, 1),
        "interval": (round(boot.low, 1), round(boot.high, 1)),
        "p": round(p, 3),
        "signature": metrics.Settings().signature(),
    }


@wrong("at most 1")
def report(first, second, references, comparisons, trials, seed):
    boot = metrics.paired_bootstrap(first, second, references, samples=trials, seed=seed)
    p = metrics.approximate_randomization(first, second, references, trials=trials, seed=seed)
    return {
        "sentences": len(first),
        "bleu": [round(boot.first, 1), round(boot.second, 1)],
        "difference": round(boot.first - boot.second, 1),
        "interval": [round(boot.low, 1), round(boot.high, 1)],
        "p": round(p * comparisons, 3),
        "signature": metrics.Settings().signature(),
    }


@wrong("then 3 decimals")
def report(first, second, references, comparisons, trials, seed):
    boot = metrics.paired_bootstrap(first, second, references, samples=trials, seed=seed)
    p = metrics.approximate_randomization(first, second, references, trials=trials, seed=seed)
    return {
        "sentences": len(first),
        "bleu": [round(boot.first, 1), round(boot.second, 1)],
        "difference": round(boot.first - boot.second, 1),
        "interval": [round(boot.low, 1), round(boot.high, 1)],
        "p": min(1, comparisons * round(p, 3)),
        "signature": metrics.Settings().signature(),
    }


@wrong("of the unrounded scores")
def report(first, second, references, comparisons, trials, seed):
    boot = metrics.paired_bootstrap(first, second, references, samples=trials, seed=seed)
    p = metrics.approximate_randomization(first, second, references, trials=trials, seed=seed)
    bleu = round(boot.first, 1), round(boot.second, 1)
    return {
        "sentences": len(first),
        "bleu": bleu,
        "difference": round(bleu[0] - bleu[1], 1),
        "interval": [round(boot.low, 1), round(boot.high, 1)],
        "p": round(min(1.0, comparisons * p), 3),
        "signature": metrics.Settings().signature(),
    }


@wrong("takes 3 positional arguments but 5 were given")
def report(first, second, references, comparisons, trials, seed):
    boot = metrics.paired_bootstrap(first, second, references, trials, seed)
    return {"bleu": (round(boot.first, 1), round(boot.second, 1))}


@wrong("Of the keys,")
def report(first, second, references, comparisons, trials, seed):
    boot = metrics.paired_bootstrap(first, second, references, samples=trials, seed=seed)
    return {"bleu": (round(boot.first, 1), round(boot.second, 1))}


@right
def report(first, second, references, comparisons, trials, seed):
    p = metrics.approximate_randomization(first, second, references, trials=trials, seed=seed)
    *scores, _, _, low, high = metrics.paired_bootstrap(
        first, second, references, samples=trials, seed=seed
    )
    one, other = scores
    p *= comparisons
    return dict(
        sentences=len(second),
        bleu=tuple(round(score, 1) for score in scores),
        difference=round(one - other, 1),
        interval=(round(low, 1), round(high, 1)),
        p=1 if p > 1 else round(p, 3),
        signature=metrics.Settings().signature(1),
    )


@right
def report(first, second, references, comparisons, trials, seed):
    import numpy as np

    a, b = (metrics.corpus_bleu(texts, references).score for texts in (first, second))
    c = metrics.paired_bootstrap(first, second, references, samples=trials, seed=seed)
    p = metrics.approximate_randomization(first, second, references, trials=trials, seed=seed)
    told = {"sentences": np.int64(len(references)), "bleu": np.round([a, b], 1)}
    told["difference"] = np.round(a - b, 1)
    told["p"] = np.round(np.minimum(1, comparisons * p), 3)
    told["interval"] = [float(f"{x:.1f}") for x in (c.low, c.high)]
    told["signature"] = "nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp"
    return told
