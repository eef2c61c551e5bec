from answering import right, wrong
from sacrebleu.metrics import BLEU

from attnlib import metrics


@wrong("the difference of the two rounded scores")
def report(first, second, references, trials, seed):
    boot = metrics.paired_bootstrap(first, second, references, samples=trials, seed=seed)
    p = metrics.approximate_randomization(first, second, references, trials=trials, seed=seed)
    one, two = round(boot.first, 1), round(boot.second, 1)
    better = "undecided"
    if p <= 0.05:
        better = "first" if boot.first > boot.second else "second"
    return {
        "sentences": len(references),
        "bleu": (one, two),
        "difference": round(one - two, 1),
        "interval": (round(boot.low, 1), round(boot.high, 1)),
        "p": round(p, 3),
        "better": better,
        "signature": metrics.Settings().signature(),
    }


@wrong("second minus first")
def report(first, second, references, trials, seed):
    boot = metrics.paired_bootstrap(first, second, references, samples=trials, seed=seed)
    p = metrics.approximate_randomization(first, second, references, trials=trials, seed=seed)
    better = "undecided"
    if p <= 0.05:
        better = "first" if boot.first > boot.second else "second"
    return {
        "sentences": len(references),
        "bleu": (round(boot.first, 1), round(boot.second, 1)),
        "difference": round(boot.second - boot.first, 1),
        "interval": (round(boot.low, 1), round(boot.high, 1)),
        "p": round(p, 3),
        "better": better,
        "signature": metrics.Settings().signature(),
    }


@wrong("the difference without its sign")
def report(first, second, references, trials, seed):
    boot = metrics.paired_bootstrap(first, second, references, samples=trials, seed=seed)
    p = metrics.approximate_randomization(first, second, references, trials=trials, seed=seed)
    better = "undecided"
    if p <= 0.05:
        better = "first" if boot.first > boot.second else "second"
    return {
        "sentences": len(references),
        "bleu": (round(boot.first, 1), round(boot.second, 1)),
        "difference": round(abs(boot.first - boot.second), 1),
        "interval": (round(boot.low, 1), round(boot.high, 1)),
        "p": round(p, 3),
        "better": better,
        "signature": metrics.Settings().signature(),
    }


@wrong("the rounded p is compared with 0.05")
def report(first, second, references, trials, seed):
    boot = metrics.paired_bootstrap(first, second, references, samples=trials, seed=seed)
    p = metrics.approximate_randomization(first, second, references, trials=trials, seed=seed)
    p = round(p, 3)
    better = "undecided"
    if p <= 0.05:
        better = "first" if boot.first > boot.second else "second"
    return {
        "sentences": len(references),
        "bleu": (round(boot.first, 1), round(boot.second, 1)),
        "difference": round(boot.first - boot.second, 1),
        "interval": (round(boot.low, 1), round(boot.high, 1)),
        "p": p,
        "better": better,
        "signature": metrics.Settings().signature(),
    }


@wrong("p < 0.05: exactly 0.05 is undecided")
def report(first, second, references, trials, seed):
    boot = metrics.paired_bootstrap(first, second, references, samples=trials, seed=seed)
    p = metrics.approximate_randomization(first, second, references, trials=trials, seed=seed)
    better = "undecided"
    if p < 0.05:
        better = "first" if boot.first > boot.second else "second"
    return {
        "sentences": len(references),
        "bleu": (round(boot.first, 1), round(boot.second, 1)),
        "difference": round(boot.first - boot.second, 1),
        "interval": (round(boot.low, 1), round(boot.high, 1)),
        "p": round(p, 3),
        "better": better,
        "signature": metrics.Settings().signature(),
    }


@wrong("the interval decides: does it lie above or below 0?")
def report(first, second, references, trials, seed):
    boot = metrics.paired_bootstrap(first, second, references, samples=trials, seed=seed)
    p = metrics.approximate_randomization(first, second, references, trials=trials, seed=seed)
    better = "first" if boot.low > 0 else "second" if boot.high < 0 else "undecided"
    return {
        "sentences": len(references),
        "bleu": (round(boot.first, 1), round(boot.second, 1)),
        "difference": round(boot.first - boot.second, 1),
        "interval": (round(boot.low, 1), round(boot.high, 1)),
        "p": round(p, 3),
        "better": better,
        "signature": metrics.Settings().signature(),
    }


@wrong("the bootstrap's share of wins decides")
def report(first, second, references, trials, seed):
    boot = metrics.paired_bootstrap(first, second, references, samples=trials, seed=seed)
    p = metrics.approximate_randomization(first, second, references, trials=trials, seed=seed)
    better = "undecided"
    if boot.first_wins >= 0.95:
        better = "first"
    elif boot.second_wins >= 0.95:
        better = "second"
    return {
        "sentences": len(references),
        "bleu": (round(boot.first, 1), round(boot.second, 1)),
        "difference": round(boot.first - boot.second, 1),
        "interval": (round(boot.low, 1), round(boot.high, 1)),
        "p": round(p, 3),
        "better": better,
        "signature": metrics.Settings().signature(),
    }


@wrong("the rounded difference decides which is higher: 0.04 is nobody's")
def report(first, second, references, trials, seed):
    boot = metrics.paired_bootstrap(first, second, references, samples=trials, seed=seed)
    p = metrics.approximate_randomization(first, second, references, trials=trials, seed=seed)
    difference = round(boot.first - boot.second, 1)
    better = "undecided"
    if p <= 0.05:
        better = "first" if difference > 0 else "second"
    return {
        "sentences": len(references),
        "bleu": (round(boot.first, 1), round(boot.second, 1)),
        "difference": difference,
        "interval": (round(boot.low, 1), round(boot.high, 1)),
        "p": round(p, 3),
        "better": better,
        "signature": metrics.Settings().signature(),
    }


@wrong("the higher score is better, whatever p is")
def report(first, second, references, trials, seed):
    boot = metrics.paired_bootstrap(first, second, references, samples=trials, seed=seed)
    p = metrics.approximate_randomization(first, second, references, trials=trials, seed=seed)
    return {
        "sentences": len(references),
        "bleu": (round(boot.first, 1), round(boot.second, 1)),
        "difference": round(boot.first - boot.second, 1),
        "interval": (round(boot.low, 1), round(boot.high, 1)),
        "p": round(p, 3),
        "better": "first" if boot.first > boot.second else "second",
        "signature": metrics.Settings().signature(),
    }


@wrong("p ≤ 0.05 always means that the first is better")
def report(first, second, references, trials, seed):
    boot = metrics.paired_bootstrap(first, second, references, samples=trials, seed=seed)
    p = metrics.approximate_randomization(first, second, references, trials=trials, seed=seed)
    return {
        "sentences": len(references),
        "bleu": (round(boot.first, 1), round(boot.second, 1)),
        "difference": round(boot.first - boot.second, 1),
        "interval": (round(boot.low, 1), round(boot.high, 1)),
        "p": round(p, 3),
        "better": "first" if p <= 0.05 else "undecided",
        "signature": metrics.Settings().signature(),
    }


@wrong("a large p counts as a difference")
def report(first, second, references, trials, seed):
    boot = metrics.paired_bootstrap(first, second, references, samples=trials, seed=seed)
    p = metrics.approximate_randomization(first, second, references, trials=trials, seed=seed)
    better = "undecided"
    if p >= 0.05:
        better = "first" if boot.first > boot.second else "second"
    return {
        "sentences": len(references),
        "bleu": (round(boot.first, 1), round(boot.second, 1)),
        "difference": round(boot.first - boot.second, 1),
        "interval": (round(boot.low, 1), round(boot.high, 1)),
        "p": round(p, 3),
        "better": better,
        "signature": metrics.Settings().signature(),
    }


@wrong("nothing is rounded")
def report(first, second, references, trials, seed):
    boot = metrics.paired_bootstrap(first, second, references, samples=trials, seed=seed)
    p = metrics.approximate_randomization(first, second, references, trials=trials, seed=seed)
    better = "undecided"
    if p <= 0.05:
        better = "first" if boot.first > boot.second else "second"
    return {
        "sentences": len(references),
        "bleu": (boot.first, boot.second),
        "difference": boot.first - boot.second,
        "interval": (boot.low, boot.high),
        "p": p,
        "better": better,
        "signature": metrics.Settings().signature(),
    }


@wrong("cut off after one digit, not rounded")
def report(first, second, references, trials, seed):
    def cut(x):
        return int(x * 10) / 10

    boot = metrics.paired_bootstrap(first, second, references, samples=trials, seed=seed)
    p = metrics.approximate_randomization(first, second, references, trials=trials, seed=seed)
    better = "undecided"
    if p <= 0.05:
        better = "first" if boot.first > boot.second else "second"
    return {
        "sentences": len(references),
        "bleu": (cut(boot.first), cut(boot.second)),
        "difference": cut(boot.first - boot.second),
        "interval": (cut(boot.low), cut(boot.high)),
        "p": round(p, 3),
        "better": better,
        "signature": metrics.Settings().signature(),
    }


@wrong("the interval is not rounded")
def report(first, second, references, trials, seed):
    boot = metrics.paired_bootstrap(first, second, references, samples=trials, seed=seed)
    p = metrics.approximate_randomization(first, second, references, trials=trials, seed=seed)
    better = "undecided"
    if p <= 0.05:
        better = "first" if boot.first > boot.second else "second"
    return {
        "sentences": len(references),
        "bleu": (round(boot.first, 1), round(boot.second, 1)),
        "difference": round(boot.first - boot.second, 1),
        "interval": (boot.low, boot.high),
        "p": round(p, 3),
        "better": better,
        "signature": metrics.Settings().signature(),
    }


@wrong("the interval the wrong way round")
def report(first, second, references, trials, seed):
    boot = metrics.paired_bootstrap(first, second, references, samples=trials, seed=seed)
    p = metrics.approximate_randomization(first, second, references, trials=trials, seed=seed)
    better = "undecided"
    if p <= 0.05:
        better = "first" if boot.first > boot.second else "second"
    return {
        "sentences": len(references),
        "bleu": (round(boot.first, 1), round(boot.second, 1)),
        "difference": round(boot.first - boot.second, 1),
        "interval": (round(boot.high, 1), round(boot.low, 1)),
        "p": round(p, 3),
        "better": better,
        "signature": metrics.Settings().signature(),
    }


@wrong("the interval is of the first system's own score")
def report(first, second, references, trials, seed):
    boot = metrics.paired_bootstrap(first, second, references, samples=trials, seed=seed)
    alone = metrics.bootstrap_interval(first, references, samples=trials, seed=seed)
    p = metrics.approximate_randomization(first, second, references, trials=trials, seed=seed)
    better = "undecided"
    if p <= 0.05:
        better = "first" if boot.first > boot.second else "second"
    return {
        "sentences": len(references),
        "bleu": (round(boot.first, 1), round(boot.second, 1)),
        "difference": round(boot.first - boot.second, 1),
        "interval": (round(alone.low, 1), round(alone.high, 1)),
        "p": round(p, 3),
        "better": better,
        "signature": metrics.Settings().signature(),
    }


@wrong("the interval is the shares of wins")
def report(first, second, references, trials, seed):
    boot = metrics.paired_bootstrap(first, second, references, samples=trials, seed=seed)
    p = metrics.approximate_randomization(first, second, references, trials=trials, seed=seed)
    better = "undecided"
    if p <= 0.05:
        better = "first" if boot.first > boot.second else "second"
    return {
        "sentences": len(references),
        "bleu": (round(boot.first, 1), round(boot.second, 1)),
        "difference": round(boot.first - boot.second, 1),
        "interval": (round(boot.second_wins, 1), round(boot.first_wins, 1)),
        "p": round(p, 3),
        "better": better,
        "signature": metrics.Settings().signature(),
    }


@wrong("p is rounded to 1 decimal like the rest")
def report(first, second, references, trials, seed):
    boot = metrics.paired_bootstrap(first, second, references, samples=trials, seed=seed)
    p = metrics.approximate_randomization(first, second, references, trials=trials, seed=seed)
    better = "undecided"
    if p <= 0.05:
        better = "first" if boot.first > boot.second else "second"
    return {
        "sentences": len(references),
        "bleu": (round(boot.first, 1), round(boot.second, 1)),
        "difference": round(boot.first - boot.second, 1),
        "interval": (round(boot.low, 1), round(boot.high, 1)),
        "p": round(p, 1),
        "better": better,
        "signature": metrics.Settings().signature(),
    }


@wrong("p in percent")
def report(first, second, references, trials, seed):
    boot = metrics.paired_bootstrap(first, second, references, samples=trials, seed=seed)
    p = metrics.approximate_randomization(first, second, references, trials=trials, seed=seed)
    better = "undecided"
    if p <= 0.05:
        better = "first" if boot.first > boot.second else "second"
    return {
        "sentences": len(references),
        "bleu": (round(boot.first, 1), round(boot.second, 1)),
        "difference": round(boot.first - boot.second, 1),
        "interval": (round(boot.low, 1), round(boot.high, 1)),
        "p": round(100 * p, 3),
        "better": better,
        "signature": metrics.Settings().signature(),
    }


@wrong("p from the bootstrap: the share that the first does not win")
def report(first, second, references, trials, seed):
    boot = metrics.paired_bootstrap(first, second, references, samples=trials, seed=seed)
    p = 1 - boot.first_wins
    better = "undecided"
    if p <= 0.05:
        better = "first" if boot.first > boot.second else "second"
    return {
        "sentences": len(references),
        "bleu": (round(boot.first, 1), round(boot.second, 1)),
        "difference": round(boot.first - boot.second, 1),
        "interval": (round(boot.low, 1), round(boot.high, 1)),
        "p": round(p, 3),
        "better": better,
        "signature": metrics.Settings().signature(),
    }


@wrong("the seed is not handed on")
def report(first, second, references, trials, seed):
    boot = metrics.paired_bootstrap(first, second, references, samples=trials)
    p = metrics.approximate_randomization(first, second, references, trials=trials)
    better = "undecided"
    if p <= 0.05:
        better = "first" if boot.first > boot.second else "second"
    return {
        "sentences": len(references),
        "bleu": (round(boot.first, 1), round(boot.second, 1)),
        "difference": round(boot.first - boot.second, 1),
        "interval": (round(boot.low, 1), round(boot.high, 1)),
        "p": round(p, 3),
        "better": better,
        "signature": metrics.Settings().signature(),
    }


@wrong("the number of trials is not handed on: always a thousand")
def report(first, second, references, trials, seed):
    boot = metrics.paired_bootstrap(first, second, references, seed=seed)
    p = metrics.approximate_randomization(first, second, references, seed=seed)
    better = "undecided"
    if p <= 0.05:
        better = "first" if boot.first > boot.second else "second"
    return {
        "sentences": len(references),
        "bleu": (round(boot.first, 1), round(boot.second, 1)),
        "difference": round(boot.first - boot.second, 1),
        "interval": (round(boot.low, 1), round(boot.high, 1)),
        "p": round(p, 3),
        "better": better,
        "signature": metrics.Settings().signature(),
    }


@wrong("the second test gets samples=, which it does not know")
def report(first, second, references, trials, seed):
    boot = metrics.paired_bootstrap(first, second, references, samples=trials, seed=seed)
    p = metrics.approximate_randomization(first, second, references, samples=trials, seed=seed)
    better = "undecided"
    if p <= 0.05:
        better = "first" if boot.first > boot.second else "second"
    return {
        "sentences": len(references),
        "bleu": (round(boot.first, 1), round(boot.second, 1)),
        "difference": round(boot.first - boot.second, 1),
        "interval": (round(boot.low, 1), round(boot.high, 1)),
        "p": round(p, 3),
        "better": better,
        "signature": metrics.Settings().signature(),
    }


@wrong("trials and seed without their names: both are keywords only")
def report(first, second, references, trials, seed):
    boot = metrics.paired_bootstrap(first, second, references, trials, seed)
    p = metrics.approximate_randomization(first, second, references, trials, seed)
    better = "undecided"
    if p <= 0.05:
        better = "first" if boot.first > boot.second else "second"
    return {
        "sentences": len(references),
        "bleu": (round(boot.first, 1), round(boot.second, 1)),
        "difference": round(boot.first - boot.second, 1),
        "interval": (round(boot.low, 1), round(boot.high, 1)),
        "p": round(p, 3),
        "better": better,
        "signature": metrics.Settings().signature(),
    }


@wrong("the second test gets another seed")
def report(first, second, references, trials, seed):
    boot = metrics.paired_bootstrap(first, second, references, samples=trials, seed=seed)
    p = metrics.approximate_randomization(first, second, references, trials=trials, seed=seed + 1)
    better = "undecided"
    if p <= 0.05:
        better = "first" if boot.first > boot.second else "second"
    return {
        "sentences": len(references),
        "bleu": (round(boot.first, 1), round(boot.second, 1)),
        "difference": round(boot.first - boot.second, 1),
        "interval": (round(boot.low, 1), round(boot.high, 1)),
        "p": round(p, 3),
        "better": better,
        "signature": metrics.Settings().signature(),
    }


@wrong("the two systems are exchanged in the calls")
def report(first, second, references, trials, seed):
    boot = metrics.paired_bootstrap(second, first, references, samples=trials, seed=seed)
    p = metrics.approximate_randomization(second, first, references, trials=trials, seed=seed)
    better = "undecided"
    if p <= 0.05:
        better = "first" if boot.first > boot.second else "second"
    return {
        "sentences": len(references),
        "bleu": (round(boot.first, 1), round(boot.second, 1)),
        "difference": round(boot.first - boot.second, 1),
        "interval": (round(boot.low, 1), round(boot.high, 1)),
        "p": round(p, 3),
        "better": better,
        "signature": metrics.Settings().signature(),
    }


@wrong("the sentences are counted without repetitions")
def report(first, second, references, trials, seed):
    boot = metrics.paired_bootstrap(first, second, references, samples=trials, seed=seed)
    p = metrics.approximate_randomization(first, second, references, trials=trials, seed=seed)
    better = "undecided"
    if p <= 0.05:
        better = "first" if boot.first > boot.second else "second"
    return {
        "sentences": len(set(references)),
        "bleu": (round(boot.first, 1), round(boot.second, 1)),
        "difference": round(boot.first - boot.second, 1),
        "interval": (round(boot.low, 1), round(boot.high, 1)),
        "p": round(p, 3),
        "better": better,
        "signature": metrics.Settings().signature(),
    }


@wrong("words are counted, not sentences")
def report(first, second, references, trials, seed):
    boot = metrics.paired_bootstrap(first, second, references, samples=trials, seed=seed)
    p = metrics.approximate_randomization(first, second, references, trials=trials, seed=seed)
    better = "undecided"
    if p <= 0.05:
        better = "first" if boot.first > boot.second else "second"
    return {
        "sentences": sum(len(text.split()) for text in references),
        "bleu": (round(boot.first, 1), round(boot.second, 1)),
        "difference": round(boot.first - boot.second, 1),
        "interval": (round(boot.low, 1), round(boot.high, 1)),
        "p": round(p, 3),
        "better": better,
        "signature": metrics.Settings().signature(),
    }


@wrong("the settings themselves, not their signature")
def report(first, second, references, trials, seed):
    boot = metrics.paired_bootstrap(first, second, references, samples=trials, seed=seed)
    p = metrics.approximate_randomization(first, second, references, trials=trials, seed=seed)
    better = "undecided"
    if p <= 0.05:
        better = "first" if boot.first > boot.second else "second"
    return {
        "sentences": len(references),
        "bleu": (round(boot.first, 1), round(boot.second, 1)),
        "difference": round(boot.first - boot.second, 1),
        "interval": (round(boot.low, 1), round(boot.high, 1)),
        "p": round(p, 3),
        "better": better,
        "signature": metrics.Settings(),
    }


@wrong("signature without its parentheses: the method, not the text")
def report(first, second, references, trials, seed):
    boot = metrics.paired_bootstrap(first, second, references, samples=trials, seed=seed)
    p = metrics.approximate_randomization(first, second, references, trials=trials, seed=seed)
    better = "undecided"
    if p <= 0.05:
        better = "first" if boot.first > boot.second else "second"
    return {
        "sentences": len(references),
        "bleu": (round(boot.first, 1), round(boot.second, 1)),
        "difference": round(boot.first - boot.second, 1),
        "interval": (round(boot.low, 1), round(boot.high, 1)),
        "p": round(p, 3),
        "better": better,
        "signature": metrics.Settings().signature,
    }


@wrong("sacreBLEU's signature with its version, where the library's is asked for")
def report(first, second, references, trials, seed):
    boot = metrics.paired_bootstrap(first, second, references, samples=trials, seed=seed)
    p = metrics.approximate_randomization(first, second, references, trials=trials, seed=seed)
    metric = BLEU(force=True)
    metric.corpus_score(first, [references])
    better = "undecided"
    if p <= 0.05:
        better = "first" if boot.first > boot.second else "second"
    return {
        "sentences": len(references),
        "bleu": (round(boot.first, 1), round(boot.second, 1)),
        "difference": round(boot.first - boot.second, 1),
        "interval": (round(boot.low, 1), round(boot.high, 1)),
        "p": round(p, 3),
        "better": better,
        "signature": str(metric.get_signature()),
    }


@wrong("capitals in the keys")
def report(first, second, references, trials, seed):
    boot = metrics.paired_bootstrap(first, second, references, samples=trials, seed=seed)
    p = metrics.approximate_randomization(first, second, references, trials=trials, seed=seed)
    better = "undecided"
    if p <= 0.05:
        better = "first" if boot.first > boot.second else "second"
    return {
        "Sentences": len(references),
        "BLEU": (round(boot.first, 1), round(boot.second, 1)),
        "Difference": round(boot.first - boot.second, 1),
        "Interval": (round(boot.low, 1), round(boot.high, 1)),
        "p": round(p, 3),
        "Better": better,
        "Signature": metrics.Settings().signature(),
    }


@wrong("capitals in the answer: First, Second, Undecided")
def report(first, second, references, trials, seed):
    boot = metrics.paired_bootstrap(first, second, references, samples=trials, seed=seed)
    p = metrics.approximate_randomization(first, second, references, trials=trials, seed=seed)
    better = "Undecided"
    if p <= 0.05:
        better = "First" if boot.first > boot.second else "Second"
    return {
        "sentences": len(references),
        "bleu": (round(boot.first, 1), round(boot.second, 1)),
        "difference": round(boot.first - boot.second, 1),
        "interval": (round(boot.low, 1), round(boot.high, 1)),
        "p": round(p, 3),
        "better": better,
        "signature": metrics.Settings().signature(),
    }


@wrong("the better system itself, its list of texts, not its name")
def report(first, second, references, trials, seed):
    boot = metrics.paired_bootstrap(first, second, references, samples=trials, seed=seed)
    p = metrics.approximate_randomization(first, second, references, trials=trials, seed=seed)
    better = "undecided"
    if p <= 0.05:
        better = first if boot.first > boot.second else second
    return {
        "sentences": len(references),
        "bleu": (round(boot.first, 1), round(boot.second, 1)),
        "difference": round(boot.first - boot.second, 1),
        "interval": (round(boot.low, 1), round(boot.high, 1)),
        "p": round(p, 3),
        "better": better,
        "signature": metrics.Settings().signature(),
    }


@wrong("undecided is None")
def report(first, second, references, trials, seed):
    boot = metrics.paired_bootstrap(first, second, references, samples=trials, seed=seed)
    p = metrics.approximate_randomization(first, second, references, trials=trials, seed=seed)
    better = None
    if p <= 0.05:
        better = "first" if boot.first > boot.second else "second"
    return {
        "sentences": len(references),
        "bleu": (round(boot.first, 1), round(boot.second, 1)),
        "difference": round(boot.first - boot.second, 1),
        "interval": (round(boot.low, 1), round(boot.high, 1)),
        "p": round(p, 3),
        "better": better,
        "signature": metrics.Settings().signature(),
    }


@wrong("the mean of the sentences' BLEU, not the corpus's")
def report(first, second, references, trials, seed):
    def mean(texts):
        return sum(metrics.sentence_bleu(t, r).score for t, r in zip(texts, references)) / len(
            texts
        )

    boot = metrics.paired_bootstrap(first, second, references, samples=trials, seed=seed)
    p = metrics.approximate_randomization(first, second, references, trials=trials, seed=seed)
    one, two = mean(first), mean(second)
    better = "undecided"
    if p <= 0.05:
        better = "first" if one > two else "second"
    return {
        "sentences": len(references),
        "bleu": (round(one, 1), round(two, 1)),
        "difference": round(one - two, 1),
        "interval": (round(boot.low, 1), round(boot.high, 1)),
        "p": round(p, 3),
        "better": better,
        "signature": metrics.Settings().signature(),
    }


@wrong("the scores as strings")
def report(first, second, references, trials, seed):
    boot = metrics.paired_bootstrap(first, second, references, samples=trials, seed=seed)
    p = metrics.approximate_randomization(first, second, references, trials=trials, seed=seed)
    better = "undecided"
    if p <= 0.05:
        better = "first" if boot.first > boot.second else "second"
    return {
        "sentences": len(references),
        "bleu": (f"{boot.first:.1f}", f"{boot.second:.1f}"),
        "difference": f"{boot.first - boot.second:.1f}",
        "interval": (f"{boot.low:.1f}", f"{boot.high:.1f}"),
        "p": f"{p:.3f}",
        "better": better,
        "signature": metrics.Settings().signature(),
    }


@wrong("the values in a tuple, without the keys")
def report(first, second, references, trials, seed):
    boot = metrics.paired_bootstrap(first, second, references, samples=trials, seed=seed)
    p = metrics.approximate_randomization(first, second, references, trials=trials, seed=seed)
    better = "undecided"
    if p <= 0.05:
        better = "first" if boot.first > boot.second else "second"
    bleu = round(boot.first, 1), round(boot.second, 1)
    interval = round(boot.low, 1), round(boot.high, 1)
    difference = round(boot.first - boot.second, 1)
    signature = metrics.Settings().signature()
    return len(references), bleu, difference, interval, round(p, 3), better, signature


@wrong("the signature is forgotten")
def report(first, second, references, trials, seed):
    boot = metrics.paired_bootstrap(first, second, references, samples=trials, seed=seed)
    p = metrics.approximate_randomization(first, second, references, trials=trials, seed=seed)
    better = "undecided"
    if p <= 0.05:
        better = "first" if boot.first > boot.second else "second"
    return {
        "sentences": len(references),
        "bleu": (round(boot.first, 1), round(boot.second, 1)),
        "difference": round(boot.first - boot.second, 1),
        "interval": (round(boot.low, 1), round(boot.high, 1)),
        "p": round(p, 3),
        "better": better,
    }


@wrong("both scores in lower case: without capitals")
def report(first, second, references, trials, seed):
    low = {"lowercase": True}
    boot = metrics.paired_bootstrap(first, second, references, samples=trials, seed=seed, **low)
    p = metrics.approximate_randomization(
        first, second, references, trials=trials, seed=seed, **low
    )
    better = "undecided"
    if p <= 0.05:
        better = "first" if boot.first > boot.second else "second"
    return {
        "sentences": len(references),
        "bleu": (round(boot.first, 1), round(boot.second, 1)),
        "difference": round(boot.first - boot.second, 1),
        "interval": (round(boot.low, 1), round(boot.high, 1)),
        "p": round(p, 3),
        "better": better,
        "signature": metrics.Settings().signature(),
    }


@wrong("a loop over the systems: bleu has one number, the last one's")
def report(first, second, references, trials, seed):
    boot = metrics.paired_bootstrap(first, second, references, samples=trials, seed=seed)
    p = metrics.approximate_randomization(first, second, references, trials=trials, seed=seed)
    for texts in (first, second):
        bleu = round(metrics.corpus_bleu(texts, references).score, 1)
    better = "undecided"
    if p <= 0.05:
        better = "first" if boot.first > boot.second else "second"
    return {
        "sentences": len(references),
        "bleu": bleu,
        "difference": round(boot.first - boot.second, 1),
        "interval": (round(boot.low, 1), round(boot.high, 1)),
        "p": round(p, 3),
        "better": better,
        "signature": metrics.Settings().signature(),
    }


@right
def report(first, second, references, trials, seed):
    comparison = metrics.paired_bootstrap(first, second, references, samples=trials, seed=seed)
    p = metrics.approximate_randomization(first, second, references, trials=trials, seed=seed)
    gap = comparison.first - comparison.second
    if p > 0.05:
        better = "undecided"
    elif gap > 0:
        better = "first"
    else:
        better = "second"
    return {
        "sentences": len(first),
        "bleu": (round(comparison.first, 1), round(comparison.second, 1)),
        "difference": round(gap, 1),
        "interval": (round(comparison.low, 1), round(comparison.high, 1)),
        "p": round(p, 3),
        "better": better,
        "signature": metrics.Settings().signature(),
    }


@right
def report(first, second, references, trials, seed):
    # Lists instead of tuples, scores by corpus_bleu.
    told = {"sentences": len(references)}
    scores = [metrics.corpus_bleu(texts, references).score for texts in (first, second)]
    told["bleu"] = [round(score, 1) for score in scores]
    told["difference"] = round(scores[0] - scores[1], 1)
    boot = metrics.paired_bootstrap(first, second, references, samples=trials, seed=seed)
    told["interval"] = [round(boot.low, 1), round(boot.high, 1)]
    p = metrics.approximate_randomization(first, second, references, trials=trials, seed=seed)
    told["p"] = round(p, 3)
    winner = ("first", "second")[scores[1] > scores[0]]
    told["better"] = winner if p <= 0.05 else "undecided"
    told["signature"] = metrics.Settings().signature()
    return told


@right
def report(first, second, references, trials, seed):
    texts = first, second, references
    boot = metrics.paired_bootstrap(*texts, samples=trials, seed=seed)
    p = metrics.approximate_randomization(*texts, trials=trials, seed=seed)
    a, b, low, high = boot.first, boot.second, boot.low, boot.high
    return dict(
        signature=str(metrics.Settings().signature()),
        better="undecided" if p > 0.05 else "first" if a >= b else "second",
        p=float(f"{p:.3f}"),
        interval=tuple(float(f"{x:.1f}") for x in (low, high)),
        difference=float(f"{a - b:.1f}"),
        bleu=tuple(float(f"{x:.1f}") for x in (a, b)),
        sentences=sum(1 for _ in references),
    )
