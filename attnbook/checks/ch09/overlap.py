"""Exercise 9.2: ``overlap``."""

import math
from collections import Counter
from typing import Any

from attnbook.checks.inputs import Inputs
from attnbook.checks.ngrams import REFERENCE
from attnbook.checks.rules import refused, unlike
from attnbook.exercises import Call, Exercise
from attnbook.exercises.values import fmt
from attnlib import metrics
from attnlib.metrics import tokenize_13a


def overlap(hypothesis: Any, reference: Any, n: Any) -> Any:
    """(precision, recall, F1) of n-grams, clipped. Two strings and n → three floats."""
    of_hypothesis = metrics.ngram_counts(metrics.tokenize_13a(hypothesis), n)
    of_reference = metrics.ngram_counts(metrics.tokenize_13a(reference), n)
    shared = (of_hypothesis & of_reference).total()
    p = shared / of_hypothesis.total() if of_hypothesis else 0.0
    r = shared / of_reference.total() if of_reference else 0.0
    return p, r, 2 * p * r / (p + r) if p + r else 0.0


def _two_texts() -> Inputs:
    for hypothesis, reference, n in (
        ("the the the", "the cat", 1),
        (REFERENCE, REFERENCE, 2),
        ("the cat ran", "the cat sat on it", 2),
        ("the mat sat on the cat", REFERENCE, 2),
        ("The cat sat.", "The black cat sat on the mat.", 1),
        ("the cat", REFERENCE, 3),
        (REFERENCE, "the cat", 3),
        (
            "the cat and the cat and the dog ran.",
            "the cat and the dog and the dog and the dog sat on the cat.",
            2,
        ),
    ):
        yield {"hypothesis": hypothesis, "reference": reference, "n": n}


def _measures(why: str, hypothesis: str, reference: str, n: int) -> Any:
    """A rule: two texts have the precision, recall and F1 that they should."""
    texts: dict[str, Any] = {"hypothesis": hypothesis, "reference": reference, "n": n}
    return lambda call: unlike(call, overlap(**texts), why, **texts)


def _nothing(call: Call) -> str | None:
    for hypothesis, reference, n in (
        ("a dog", "the cat", 1),
        ("the cat", REFERENCE, 3),
        (REFERENCE, "the cat", 3),
        ("", "", 1),
    ):
        texts = {"hypothesis": hypothesis, "reference": reference, "n": n}
        why = "what would be divided by zero is 0."
        message = refused(call, why.capitalize(), **texts) or unlike(call, (0.0,) * 3, why, **texts)
        if message:
            return message
    return None


def _shares(call: Call) -> str | None:
    grams = [
        metrics.ngram_counts(tokenize_13a(text), call.n)
        for text in (call.hypothesis, call.reference)
    ]
    matches = (grams[0] & grams[1]).total()
    names = ("precision", "recall"), ("hypothesis", "reference"), map(Counter.total, grams)
    result, expected = call.result, call.expected
    for name, side, total, result_share, expected_share in zip(*names, result, expected):
        if not math.isclose(result_share, expected_share, rel_tol=1e-5, abs_tol=1e-5):
            of = f"{matches}/{total} = {fmt(expected_share)}" if total else "0"
            return (
                f"The {name} is {fmt(result_share)}. The {side} has {total} n-grams, and "
                f"{matches} are shared (each at most as often as both texts have it): {of} is "
                "expected."
            )
    if not math.isclose(result[2], expected[2], rel_tol=1e-5, abs_tol=1e-5):
        p, r, f, true = map(fmt, (*result, expected[2]))
        return f"P = {p} and R = {r}: F1 = 2 P R / (P + R) is {true}, not {f}."
    return None


CHECK = Exercise(
    overlap,
    inputs=_two_texts,
    rules={
        "precision divides by the hypothesis, recall by the reference, F1 combines both": _shares,
        "capitals count": _measures(
            "The and the are two tokens, because capitals count.", "the cat", "The cat", 1
        ),
        "a full stop is a token": _measures(
            "tokenize_13a makes the full stop a separate token.", "the cat", "the cat.", 1
        ),
        "what would be divided by zero is 0": _nothing,
    },
    mistakes={
        "Precision and recall are swapped: precision divides by the n-grams of the hypothesis "
        "(how much of what I said is right?).": (
            lambda hypothesis, reference, n: overlap(reference, hypothesis, n)
        ),
    },
)
