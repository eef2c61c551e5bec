"""Answers to exercise ``report``, as learners write them."""

from answering import right, wrong

from attnlib import metrics


@wrong("and not the bootstrap")
def report(first, second, references, trials, seed):
    boot = metrics.paired_bootstrap(first, second, references, samples=trials, seed=seed)
    p = metrics.approximate_randomization(first, second, references, trials=trials, seed=seed)
    if boot.low > 0:
        better = "first"
    elif boot.high < 0:
        better = "second"
    else:
        better = "undecided"
    return {
        "sentences": len(references),
        "bleu": (round(boot.first, 1), round(boot.second, 1)),
        "difference": round(boot.first - boot.second, 1),
        "interval": (round(boot.low, 1), round(boot.high, 1)),
        "p": round(p, 3),
        "better": better,
        "signature": metrics.Settings().signature(),
    }


@wrong("0.05 itself, too")
def report(first, second, references, trials, seed):
    boot = metrics.paired_bootstrap(first, second, references, samples=trials, seed=seed)
    p = metrics.approximate_randomization(first, second, references, trials=trials, seed=seed)
    ahead = ["second", "first"][boot.first > boot.second]
    return {
        "sentences": len(first),
        "bleu": [round(boot.first, 1), round(boot.second, 1)],
        "difference": round(boot.first - boot.second, 1),
        "interval": [round(boot.low, 1), round(boot.high, 1)],
        "p": round(p, 3),
        "better": ahead if p < 0.05 else "undecided",
        "signature": metrics.Settings().signature(),
    }


@wrong("takes 3 positional arguments but 5 were given")
def report(first, second, references, trials, seed):
    boot = metrics.paired_bootstrap(first, second, references, trials, seed)
    return {"bleu": (round(boot.first, 1), round(boot.second, 1))}


@wrong("Of the keys,")
def report(first, second, references, trials, seed):
    boot = metrics.paired_bootstrap(first, second, references, samples=trials, seed=seed)
    return {"bleu": (round(boot.first, 1), round(boot.second, 1))}


@right
def report(first, second, references, trials, seed):
    p = metrics.approximate_randomization(first, second, references, trials=trials, seed=seed)
    *scores, _, _, low, high = metrics.paired_bootstrap(
        first, second, references, samples=trials, seed=seed
    )
    one, other = scores
    better = {True: "first", False: "second"}[one > other]
    return dict(
        sentences=len(second),
        bleu=tuple(round(score, 1) for score in scores),
        difference=round(one - other, 1),
        interval=(round(low, 1), round(high, 1)),
        p=round(p, 3),
        better="undecided" if p > 0.05 else better,
        signature=metrics.Settings().signature(1),
    )


@right
def report(first, second, references, trials, seed):
    import numpy as np

    a, b = (metrics.corpus_bleu(texts, references).score for texts in (first, second))
    c = metrics.paired_bootstrap(first, second, references, samples=trials, seed=seed)
    p = metrics.approximate_randomization(first, second, references, trials=trials, seed=seed)
    told = {"sentences": np.int64(len(references)), "bleu": np.round([a, b], 1)}
    told["difference"], told["p"] = np.round(a - b, 1), np.round(p, 3)
    told["interval"] = [float(f"{x:.1f}") for x in (c.low, c.high)]
    told["better"] = "undecided"
    if p <= 0.05:
        told["better"] = "first" if a > b else "second"
    told["signature"] = "nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp"
    return told
