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
    yield {"lengths": [3, 9, 4, 3], "edges": [(3, 4), (5, 8), (9, 12)], "score": _how_many,
           "least": 1}  # fmt: skip
    draw = random.Random(3)
    lengths = [draw.randint(1, 30) for _ in range(80)]
    yield {"lengths": lengths, "edges": [(1, 10), (11, 20), (21, 30)], "score": _mean_index,
           "least": 15}  # fmt: skip
    yield {"lengths": lengths, "edges": [(1, 10), (11, 30)], "score": _mean_index, "least": 30}


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
    least = how.get("at_least", least)
    for low, high in edges:
        picks = [
            n if how.get("by_length") else i
            for i, n in enumerate(lengths, 1 if how.get("from_one") else 0)
            if low + bool(how.get("above")) <= n < high + (not how.get("open"))
        ]
        enough = len(picks) > least if how.get("strict") else len(picks) >= least
        if how.get("always"):
            enough = len(picks) > 0
        if how.get("turned"):
            enough = not enough
        if enough or not how.get("dropped"):
            found.append(score(picks) if enough else how.get("empty", math.nan))
    return found


def _wrong(**how: Any) -> Callable[..., list[float]]:
    return lambda lengths, edges, score, least=30: _reported(lengths, edges, score, least, **how)


def _one_a_bucket(call: Call) -> str | None:
    if len(call.result) == len(call.edges):
        return None
    return (
        f"{len(call.edges)} buckets are asked for, and {len(call.result)} numbers come back: every "
        "bucket has its place in the list, math.nan where it holds too few sentences."
    )


def _each_bucket(call: Call) -> str | None:
    for (low, high), got, right in zip(call.edges, call.result, call.expected):
        if got == right or got != got and right != right or abs(got - right) < 1e-6:
            continue
        picks = [i for i, n in enumerate(call.lengths) if low <= n <= high]
        told = f"The bucket ({low}, {high}) holds the sentences {picks}"
        if len(picks) > 8:
            told = f"The bucket ({low}, {high}) holds {len(picks)} sentences"
        told += f", both edges included; least is {call.least}. "
        if right != right:
            return f"{told}These are fewer, so math.nan is asked for, and {got:g} comes back."
        came = "nan" if got != got else f"{got:.4g}"
        return f"{told}These are enough: their score is {right:.4g}, and {came} comes back."
    return None


def _at_the_limit(call: Call) -> str | None:
    for sentences, low, high, least in ((9, 1, 9, 10), (10, 1, 9, 10), (2, 4, 4, 1), (5, 4, 6, 5)):
        [got] = call(lengths=[4] * sentences, edges=[(low, high)], score=_how_many, least=least)
        right = math.nan if sentences < least else float(sentences)
        if str(got) != str(right):
            return (
                f"{sentences} sentences of length 4 in the bucket ({low}, {high}), and least is "
                f"{least}: {right:g} is expected where the score counts them, {got:g} comes back."
            )
    return None


CHECK = Exercise(
    "bucket_scores",
    reference=_bucket_scores,
    inputs=_reports,
    rules={
        "there is one number for each bucket": _one_a_bucket,
        "it is the score of the bucket's sentences, or nan where they are too few": _each_bucket,
        "just enough are reported, one fewer are not": _at_the_limit,
    },
    mistakes=[
        Mistake(
            "Every bucket is reported, however few sentences it holds. What is `least` for?",
            _wrong(always=True),
        ),
        Mistake(
            "A bucket with too few sentences gets 0, which would be drawn as if it had been "
            "measured. math.nan leaves a gap.",
            _wrong(empty=0.0),
        ),
        Mistake(
            "A bucket with too few sentences is left out of the list, and the numbers after it "
            "move to other buckets. Put math.nan in its place.",
            _wrong(dropped=True),
        ),
        Mistake(
            "The score is given lengths. It wants the indices of the sentences, to pick "
            "translations and references with.",
            _wrong(by_length=True),
        ),
        Mistake(
            "The indices count from 1. Sentence i is the one with length lengths[i], from 0 on.",
            _wrong(from_one=True),
        ),
        Mistake(
            "The upper edge is left out: range(low, high) ends before high, and a bucket (1, 3) "
            "holds length 3.",
            _wrong(open=True),
        ),
        Mistake(
            "The lower edge is left out: a bucket (1, 3) holds length 1.",
            _wrong(above=True),
        ),
        Mistake(
            "Both edges are left out: a bucket (1, 3) holds the lengths 1, 2 and 3.",
            _wrong(open=True, above=True),
        ),
        Mistake(
            "Exactly `least` sentences are refused. Too few are *fewer* than `least`.",
            _wrong(strict=True),
        ),
        Mistake(
            "The argument least has no effect: 30 is written into the function.",
            _wrong(at_least=30),
        ),
        Mistake(
            "It is the wrong way round: buckets with enough sentences get math.nan.",
            _wrong(turned=True),
        ),
    ],
)
