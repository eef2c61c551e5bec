"""How sure a difference of BLEU is: resampling sentences, or swapping who said them."""

import random
from collections.abc import Sequence
from typing import NamedTuple

from ..checks import Number, as_int, as_number
from .bleu import Settings, bleu_of, sentence_statistics, sum_columns
from .tokenizers import References


class ConfidenceInterval(NamedTuple):
    """BLEU of a corpus and the bounds between which it is likely to lie."""

    score: float  # of the whole corpus
    low: float
    high: float


def bootstrap_interval(
    hypotheses: Sequence[str],
    references: References,
    *,
    level: Number = 0.95,
    samples: int = 1000,
    seed: int = 0,
    **settings: object,
) -> ConfidenceInterval:
    """A confidence interval for BLEU by resampling sentences (Koehn 2004, §3).

    A sample draws as many sentences as there are, with replacement. Returns the score and the
    bounds that hold the middle ``level`` of the samples. Other arguments and errors as in
    ``corpus_bleu``; samples must be at least 1, and level lies between 0 and 1.

    >>> bootstrap_interval(["a b c d"] * 3, ["a b c d"] * 3, samples=10)
    ConfidenceInterval(score=100.0, low=100.0, high=100.0)
    """
    chosen = Settings(**settings)  # type: ignore[arg-type]
    rows = sentence_statistics(hypotheses, references, chosen)
    scores = [bleu_of(x, chosen).score for x in _resample(rows, samples, seed)]
    score = bleu_of(sum_columns(rows), chosen).score
    return ConfidenceInterval(score, *_percentile_interval(scores, level))


class BootstrapComparison(NamedTuple):
    """Two systems on the same resampled sentences."""

    first: float  # BLEU of the first system
    second: float
    first_wins: float  # the share of samples in which the first is better
    second_wins: float
    low: float  # bounds of first − second that hold the middle ``level`` of the samples
    high: float


def paired_bootstrap(
    first: Sequence[str],
    second: Sequence[str],
    references: References,
    *,
    level: Number = 0.95,
    samples: int = 1000,
    seed: int = 0,
    **settings: object,
) -> BootstrapComparison:
    """Is one system better than another? Both are scored on the same resampled sentences
    (Koehn 2004, §4): what makes a sample hard is hard for both, so it does not blur the answer.

    The first is better "with 95 % confidence" where it wins at least 0.95 of the samples.
    Arguments and errors as in ``bootstrap_interval``.

    >>> paired_bootstrap(["a b c d"] * 3, ["a b c x"] * 3, ["a b c d"] * 3, samples=10).first_wins
    1.0
    """
    chosen = Settings(**settings)  # type: ignore[arg-type]
    rows = _paired_statistics(first, second, references, chosen)
    drawn = [_both_scores(row, chosen) for row in _resample(rows, samples, seed)]
    first_wins, second_wins = sum(a > b for a, b in drawn), sum(a < b for a, b in drawn)
    wins = first_wins / len(drawn), second_wins / len(drawn)
    interval = _percentile_interval([a - b for a, b in drawn], level)
    return BootstrapComparison(*_both_scores(sum_columns(rows), chosen), *wins, *interval)


def approximate_randomization(
    first: Sequence[str],
    second: Sequence[str],
    references: References,
    *,
    trials: int = 1000,
    seed: int = 0,
    **settings: object,
) -> float:
    """p of a difference of BLEU by approximate randomization (Riezler and Maxwell 2005): how often
    swapping the two translations of every sentence with probability ½ makes one as large.

    p = (1 + c) / (1 + trials); c counts the trials whose |difference| is at least the real one.
    (sacreBLEU's ``--paired-ar`` leaves out ties, and so gives a small p to a system against
    itself.) Arguments and errors as in ``paired_bootstrap``.

    >>> approximate_randomization(["a b c d"] * 9, ["a b c x"] * 9, ["a b c d"] * 9, trials=99)
    0.01
    """
    trials, seed = as_int("trials", trials), as_int("seed", seed, 0)
    chosen = Settings(**settings)  # type: ignore[arg-type]
    rows = _paired_statistics(first, second, references, chosen)
    half = len(rows[0]) // 2
    swapped = [row[half:] + row[:half] for row in rows]

    def difference(rows: list[list[int]]) -> float:
        one, other = _both_scores(sum_columns(rows), chosen)
        return abs(one - other)

    draw, real = random.Random(seed), difference(rows)
    as_large = 0
    for _ in range(trials):
        as_large += difference([draw.choice(pair) for pair in zip(rows, swapped)]) >= real
    return (1 + as_large) / (1 + trials)


def _paired_statistics(
    first: Sequence[str], second: Sequence[str], references: References, settings: Settings
) -> list[list[int]]:
    """What BLEU needs of each sentence of two systems, side by side."""
    systems = (sentence_statistics(texts, references, settings) for texts in (first, second))
    return [one + other for one, other in zip(*systems)]


def _both_scores(row: Sequence[int], settings: Settings) -> tuple[float, float]:
    """BLEU of each of two systems."""
    width = len(row) // 2
    return bleu_of(row[:width], settings).score, bleu_of(row[width:], settings).score


def _resample(rows: list[list[int]], samples: int, seed: int) -> list[list[int]]:
    draw = random.Random(as_int("seed", seed, 0))
    return [sum_columns(draw.choices(rows, k=len(rows))) for _ in range(as_int("samples", samples))]


def _percentile_interval(values: list[float], level: Number) -> tuple[float, float]:
    if not 0 < as_number(level) < 1:
        raise ValueError(f"level must lie between 0 and 1, got {level}")
    cut = int(len(values) * (1 - as_number(level)) / 2)
    return sorted(values)[cut], sorted(values)[len(values) - 1 - cut]
