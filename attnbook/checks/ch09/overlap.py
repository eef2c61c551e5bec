"""Exercise 9.2: ``overlap``."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable
from typing import Any

from attnbook.checks.inputs import Inputs
from attnbook.checks.mistakes import only_a_part
from attnbook.checks.ngrams import REFERENCE, ratio, unclipped
from attnbook.checks.rules import refused, unlike
from attnbook.exercises import Call, Exercise
from attnbook.exercises.trial import as_statements
from attnbook.exercises.values import fmt
from attnlib import metrics
from attnlib.metrics import tokenize_13a


def overlap(hypothesis: Any, reference: Any, n: Any) -> Any:
    """(precision, recall, F1) of n-grams, clipped. Two strings and n → three floats."""
    said = metrics.ngram_counts(metrics.tokenize_13a(hypothesis), n)
    known = metrics.ngram_counts(metrics.tokenize_13a(reference), n)
    shared = (said & known).total()
    p = shared / said.total() if said else 0.0
    r = shared / known.total() if known else 0.0
    return p, r, 2 * p * r / (p + r) if p + r else 0.0


def _two_texts() -> Inputs:
    for hypothesis, reference, n in (
        ("the the the", "the cat", 1),
        ("the cat", "the the the mat", 1),
        ("the the the the the the", REFERENCE, 1),
        ("the mat sat on the cat", REFERENCE, 2),
        ("The cat sat.", "The black cat sat on the mat.", 1),
        ("the Cat sat on a mat", "The cat sat on the mat.", 1),
        ("the cat", REFERENCE, 3),
        (REFERENCE, "the cat", 3),
        ("a dog ran", "the cat sat on it", 1),
        (
            "the cat and the cat and the dog ran.",
            "the cat and the dog and the dog and the dog sat on the cat.",
            2,
        ),
    ):
        yield {"hypothesis": hypothesis, "reference": reference, "n": n}


def _with(
    shared: Any = lambda h, r: (h & r).total(), count: Any = metrics.ngram_counts
) -> Callable[..., Any]:
    """Precision, recall and F1 with other matches or other counts."""

    def wrong(hypothesis: str, reference: str, n: int) -> Any:
        one, other = (count(tokenize_13a(text), n) for text in (hypothesis, reference))
        both = shared(one, other)
        p, r = ratio(both, one.total()), ratio(both, other.total())
        return p, r, ratio(2 * p * r, p + r)

    return wrong


def _measures(why: str, hypothesis: str, reference: str, n: int) -> Any:
    """A rule: two texts have the precision, recall and F1 that they should."""
    given: dict[str, Any] = {"hypothesis": hypothesis, "reference": reference, "n": n}
    return lambda call: unlike(call, overlap(**given), why, **given)


def _never_above_one(call: Call) -> str | None:
    largest = max(call.result)
    if largest <= 1 + 1e-9:
        return None
    message = f"One of the three is {fmt(largest)}, and a share cannot be larger than 1."
    return message + " Are these percents?" * (max(call.expected) * 100 == largest)


def _nothing(call: Call) -> str | None:
    for hypothesis, reference, n in (
        ("a dog", "the cat", 1),
        ("the cat", REFERENCE, 3),
        (REFERENCE, "the cat", 3),
        ("", "", 1),
    ):
        given = {"hypothesis": hypothesis, "reference": reference, "n": n}
        why = "what would be divided by zero is 0."
        message = refused(call, why.capitalize(), **given) or unlike(call, (0.0,) * 3, why, **given)
        if message:
            return message
    return None


def _shares(call: Call) -> str | None:
    plain = {"hypothesis": "the cat ran", "reference": "the cat sat on it", "n": 2}
    return _share(plain, call(**plain)) or _share(call.arguments, call.result)


def _share(given: dict[str, Any], result: Any) -> str | None:
    expected = overlap(**given)
    grams = [
        metrics.ngram_counts(tokenize_13a(given[side]), given["n"])
        for side in ("hypothesis", "reference")
    ]
    both = (grams[0] & grams[1]).total()
    where = f"With {', '.join(as_statements(given))}:"
    names = ("precision", "recall"), ("hypothesis", "reference"), map(Counter.total, grams)
    for name, side, total, found, right in zip(*names, result, expected):
        if not math.isclose(found, right, rel_tol=1e-5, abs_tol=1e-5):
            of = f"{both}/{total} = {fmt(right)}" if total else "0"
            return (
                f"{where} the {name} is {fmt(found)}. The {side} has {total} n-grams, and {both} "
                f"are shared (each at most as often as both texts have it): {of} is expected."
            )
    if not math.isclose(result[2], expected[2], rel_tol=1e-5, abs_tol=1e-5):
        p, r, f, true = map(fmt, (*result, expected[2]))
        return f"{where} P = {p} and R = {r}: F1 = 2 P R / (P + R) is {true}, and not {f}."
    return None


CHECK = Exercise(
    "overlap",
    reference=overlap,
    inputs=_two_texts,
    rules={
        "precision, recall and F1 lie between 0 and 1": _never_above_one,
        "a text has precision and recall 1 with itself": _measures(
            "all n-grams of a text are in the text itself, and its 6 tokens have 5 bigrams.",
            REFERENCE,
            REFERENCE,
            2,
        ),
        "precision divides by the hypothesis, recall by the reference, F1 is of both": _shares,
        "capitals count": _measures(
            "The and the are two tokens, capitals count.", "the cat", "The cat", 1
        ),
        "a full stop is a token": _measures(
            "tokenize_13a makes a token of its own of the full stop.", "the cat", "the cat.", 1
        ),
        "what would be divided by zero is 0": _nothing,
    },
    mistakes=[
        (
            'Not clipped: "the" occurs once in the reference "the cat", so only one "the" of three '
            "may count as a match.",
            _with(shared=unclipped),
        ),
        (
            "Kinds of n-grams are counted, not occurrences: in a set, three times the is as good "
            "as once.",
            _with(count=lambda *given: Counter(set(metrics.ngram_counts(*given)))),
        ),
        (
            "Precision and recall are exchanged: precision divides by the n-grams of the "
            "hypothesis (how much of what I said is right?).",
            lambda hypothesis, reference, n: overlap(reference, hypothesis, n),
        ),
        *(
            (
                f"n has no effect: these are the shares of n = {k}.",
                _with(count=lambda tokens, n, k=k: metrics.ngram_counts(tokens, k)),
            )
            for k in (1, 2)
        ),
        *only_a_part(overlap, "precision", "recall", "F1"),
    ],
)
