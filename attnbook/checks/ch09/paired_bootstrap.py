"""Exercise 9.7: ``paired_bootstrap``."""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Sequence
from typing import Any

from attnbook.checks.ch09.shared import sentences
from attnbook.checks.shared import Inputs
from attnbook.exercises import Call, Exercise, Mistake
from attnlib import metrics


def _two_systems() -> Inputs:
    first, references = sentences(5, 4, 0.8, damage=1)
    second = sentences(5, 4, 0.8, damage=2)[0]
    yield {
        "first": first, "second": second, "references": references, "samples": 10, "seed": 3
    }  # fmt: skip
    one, references = sentences(7, 5, 0.8, damage=1)
    other = [*one[:2], *sentences(7, 5, 0.8, damage=2)[0][2:4], references[4]]
    yield {
        "first": one, "second": other, "references": references, "samples": 16, "seed": 4
    }  # fmt: skip


def _texts(texts: Sequence[str], picks: Sequence[int]) -> list[str]:
    return [texts[i] for i in picks]


def _score(system: Sequence[str], references: Sequence[str], picks: Sequence[int]) -> float:
    return metrics.corpus_bleu(_texts(system, picks), _texts(references, picks)).score


def _paired(
    first: Sequence[str],
    second: Sequence[str],
    references: Sequence[str],
    samples: int,
    seed: int,
    *,
    again: bool = False,
    apart: bool = False,
    without: bool = False,
    ties: bool = False,
) -> tuple[float, float]:
    """Koehn's paired bootstrap; the options are ways to get it wrong."""
    draw, everyone = random.Random(seed), range(len(references))
    wins = losses = 0
    for _ in range(samples):
        draw = random.Random(seed) if again else draw
        many = len(everyone)
        picks = draw.sample(everyone, k=many) if without else draw.choices(everyone, k=many)
        others = draw.choices(everyone, k=many) if apart else picks
        a, b = _score(first, references, picks), _score(second, references, others)
        wins += a >= b if ties else a > b
        losses += a < b
    return wins / samples, losses / samples


def _paired_variant(**options: Any) -> Callable[..., tuple[float, float]]:
    return lambda first, second, references, samples, seed: _paired(
        first, second, references, samples, seed, **options
    )


def _by_sentences(
    first: Sequence[str],
    second: Sequence[str],
    references: Sequence[str],
    samples: int,
    seed: int,
) -> tuple[float, float]:
    """No resampling: in how many sentences is one better?"""
    pairs = [
        (_score(first, references, [i]), _score(second, references, [i]))
        for i in range(len(references))
    ]
    return sum(a > b for a, b in pairs) / len(pairs), sum(a < b for a, b in pairs) / len(pairs)


def _equals_never_win(call: Call) -> str | None:
    shares = call(second=call.first)
    if max(shares) == 0:
        return None
    return (
        f"A system against itself wins {max(shares):.0%} of the samples. On the *same* sentences "
        "it would tie every time, and a tie is no win."
    )


def _the_other_way_round(call: Call) -> bool:
    one, other = call(first=call.second, second=call.first)
    return math.isclose(one, call.result[1]) and math.isclose(other, call.result[0])


CHECK = Exercise(
    "paired_bootstrap",
    reference=lambda first, second, references, samples, seed: _paired(
        first, second, references, samples, seed
    ),
    inputs=_two_systems,
    rules={
        "a system never wins against itself": _equals_never_win,
        "when the systems change places, so do the shares": _the_other_way_round,
    },
    mistakes=[
        Mistake(
            "The two systems are scored on different samples: then chance alone makes one win. "
            "Draw once a sample, and score both on it.",
            _paired_variant(apart=True),
        ),
        Mistake(
            "Drawn without replacement, all sentences are in every sample, and nothing varies. "
            "Draw with replacement: draw.choices.",
            _paired_variant(without=True),
        ),
        Mistake(
            "The generator begins anew for every sample, so that all samples are one and the same. "
            "Make it once, before the loop.",
            _paired_variant(again=True),
        ),
        Mistake(
            "A tie is counted as a win of the first.",
            _paired_variant(ties=True),
        ),
        Mistake(
            "These are the shares of single sentences. BLEU belongs to a corpus: score whole "
            "resampled test sets.",
            _by_sentences,
        ),
        Mistake(
            "These are numbers of samples. Divide by how many there are.",
            lambda first, second, references, samples, seed: tuple(
                share * samples for share in _paired(first, second, references, samples, seed)
            ),
        ),
    ],
    seconds=20.0,
)
