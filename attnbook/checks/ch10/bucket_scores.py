"""Exercise 10.6: ``bucket_scores``."""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Sequence
from typing import Any

from attnbook.checks.shared import Inputs
from attnbook.exercises import Call, Exercise, Mistake

# bucket_scores ------------------------------------------------------------------------------------


def _mean_index(picks: Sequence[int]) -> float:
    """The mean of the picked indices."""
    return sum(picks) / len(picks)


def _how_many(picks: Sequence[int]) -> float:
    """How many indices were picked."""
    return float(len(picks))


def _reports() -> Inputs:
    yield {"lengths": [1, 2, 3, 9], "edges": [(1, 3), (4, 9)], "score": _how_many, "least": 2}
    yield {"lengths": [5, 5, 6, 7, 8, 8], "edges": [(1, 4), (5, 6), (7, 8)], "score": _mean_index,
           "least": 3}  # fmt: skip
    draw = random.Random(3)
    lengths = [draw.randint(1, 30) for _ in range(60)]
    yield {"lengths": lengths, "edges": [(1, 10), (11, 20), (21, 30)], "score": _mean_index,
           "least": 15}  # fmt: skip


def _bucket_scores(
    lengths: Sequence[int],
    edges: Sequence[tuple[int, int]],
    score: Callable[[list[int]], float],
    least: int = 30,
) -> list[float]:
    chosen = [[i for i, n in enumerate(lengths) if low <= n <= high] for low, high in edges]
    return [score(picks) if len(picks) >= least else math.nan for picks in chosen]


def _reported(
    lengths: Sequence[int], edges: Sequence[tuple[int, int]], score: Any, least: int, **how: Any
) -> list[float]:
    """Like ``_bucket_scores``, with one thing wrong."""
    found = []
    for low, high in edges:
        picks = [
            n if how.get("by_length") else i
            for i, n in enumerate(lengths)
            if low <= n < high + (not how.get("open"))
        ]
        enough = len(picks) > least if how.get("strict") else len(picks) >= least
        if how.get("always"):
            enough = len(picks) > 0
        found.append(score(picks) if enough else how.get("empty", math.nan))
    return found


def _few_are_refused(call: Call) -> str | None:
    got = call(lengths=[4] * 9, edges=[(1, 9)], score=_how_many, least=10)[0]
    if got != got:
        return None
    return (
        f"9 sentences, at least 10 wanted, and {got:g} is reported: math.nan is asked for. A score "
        "of so few says little, and one of 0 would be drawn as if it had been measured."
    )


def _enough_are_enough(call: Call) -> str | None:
    got = call(lengths=[4] * 10, edges=[(1, 9)], score=_how_many, least=10)[0]
    return None if got == got else "10 sentences are at least 10, and no score is reported."


def _edges_belong(call: Call) -> str | None:
    got = call(lengths=[3, 6], edges=[(3, 6)], score=_how_many, least=1)[0]
    if got == 2:
        return None
    return f"Of the lengths 3 and 6 the bucket (3, 6) holds {got:g}: both edges belong to it."


CHECK = Exercise(
    "bucket_scores",
    reference=_bucket_scores,
    inputs=_reports,
    rules={
        "both edges belong to a bucket": _edges_belong,
        "a bucket with too few sentences is refused": _few_are_refused,
        "a bucket with just enough is reported": _enough_are_enough,
    },
    mistakes=[
        Mistake(
            "Every bucket is reported, however few sentences it holds. What is `least` for?",
            lambda lengths, edges, score, least=30: _reported(
                lengths, edges, score, least, always=True
            ),
        ),
        Mistake(
            "A bucket with too few sentences gets 0, which would be drawn as if it had been "
            "measured. math.nan leaves a gap.",
            lambda lengths, edges, score, least=30: _reported(
                lengths, edges, score, least, empty=0.0
            ),
        ),
        Mistake(
            "The score is given lengths. It wants the indices of the sentences, to pick "
            "translations and references with.",
            lambda lengths, edges, score, least=30: _reported(
                lengths, edges, score, least, by_length=True
            ),
        ),
        Mistake(
            "The upper edge is left out: range(low, high) ends before high, and a bucket (1, 3) "
            "holds length 3.",
            lambda lengths, edges, score, least=30: _reported(
                lengths, edges, score, least, open=True
            ),
        ),
    ],
)
