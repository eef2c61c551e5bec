"""Exercise 9.2: ``overlap``."""

from __future__ import annotations

import math
from collections.abc import Callable

from attnbook.checks.ch09.shared import REFERENCE, Grams, ratio
from attnbook.checks.shared import Inputs
from attnbook.exercises import Call, Exercise, Mistake
from attnlib import metrics
from attnlib.metrics import Real, tokenize_13a


def _two_texts() -> Inputs:
    yield {"hypothesis": "the the the", "reference": "the cat", "n": 1}
    yield {"hypothesis": "the the the the the the", "reference": REFERENCE, "n": 1}
    yield {"hypothesis": "the mat sat on the cat", "reference": REFERENCE, "n": 2}
    yield {"hypothesis": "The cat sat.", "reference": "The black cat sat on the mat.", "n": 1}
    yield {"hypothesis": "the cat", "reference": REFERENCE, "n": 3}


def _measures(
    hypothesis: str,
    reference: str,
    n: int,
    shared: Callable[[Grams, Grams], Real] = lambda h, r: (h & r).total(),
    tokenize: Callable[[str], list[str]] = tokenize_13a,
) -> tuple[float, float, float]:
    one, other = (metrics.ngram_counts(tokenize(text), n) for text in (hypothesis, reference))
    both = shared(one, other)
    precision, recall = ratio(both, one.total()), ratio(both, other.total())
    return precision, recall, ratio(2 * precision * recall, precision + recall)


def _of_kinds(hypothesis: str, reference: str, n: int) -> tuple[float, float, float]:
    one, other = (set(metrics.ngram_counts(tokenize_13a(t), n)) for t in (hypothesis, reference))
    precision, recall = ratio(len(one & other), len(one)), ratio(len(one & other), len(other))
    return precision, recall, ratio(2 * precision * recall, precision + recall)


def _never_above_one(call: Call) -> str | None:
    largest = max(call.result)
    if largest <= 1 + 1e-9:
        return None
    return f"One of the three is {largest:.2f}. A share cannot be larger than 1: is it clipped?"


def _mirror(call: Call) -> str | None:
    precision, recall, _ = call(hypothesis=call.reference, reference=call.hypothesis)
    if math.isclose(precision, call.result[1]) and math.isclose(recall, call.result[0]):
        return None
    return "When hypothesis and reference change places, precision and recall should do so too."


CHECK = Exercise(
    "overlap",
    reference=lambda hypothesis, reference, n: _measures(hypothesis, reference, n),
    inputs=_two_texts,
    rules={
        "precision, recall and F1 lie between 0 and 1": _never_above_one,
        "the other way round, precision and recall change places": _mirror,
        "a text has precision and recall 1 with itself": lambda call: (
            call(hypothesis=REFERENCE, reference=REFERENCE, n=2) == (1.0, 1.0, 1.0)
        ),
    },
    mistakes=[
        Mistake(
            'Not clipped: "the" occurs once in the reference "the cat", so only one "the" of three '
            "may count as a match.",
            lambda hypothesis, reference, n: _measures(
                hypothesis, reference, n, lambda h, r: sum(c for g, c in h.items() if g in r)
            ),
        ),
        Mistake(
            "Kinds of n-grams are counted, not occurrences: in a set, three times the is as good "
            "as once.",
            _of_kinds,
        ),
        Mistake(
            "Precision and recall are exchanged: precision divides by the n-grams of the "
            "hypothesis (how much of what I said is right?).",
            lambda hypothesis, reference, n: _measures(reference, hypothesis, n),
        ),
        Mistake(
            "The third number is the plain mean. F1 is the harmonic mean, 2 P R / (P + R), which "
            "stays near the smaller of the two.",
            lambda hypothesis, reference, n: (
                *(p := _measures(hypothesis, reference, n)[:2]),
                sum(p) / 2,
            ),
        ),
        Mistake(
            "n has no effect: these are the shares of single words.",
            lambda hypothesis, reference, n: _measures(hypothesis, reference, 1),
        ),
        Mistake(
            'Split at spaces, "sat." is another token than "sat": cut with metrics.tokenize_13a.',
            lambda hypothesis, reference, n: _measures(
                hypothesis, reference, n, tokenize=str.split
            ),
        ),
        Mistake(
            "The matches are divided by the number of tokens. How many n-grams does a sentence of "
            "T tokens have?",
            lambda hypothesis, reference, n: _by_tokens(hypothesis, reference, n),
        ),
    ],
)


def _by_tokens(hypothesis: str, reference: str, n: int) -> tuple[float, float, float]:
    one, other = tokenize_13a(hypothesis), tokenize_13a(reference)
    shared = (metrics.ngram_counts(one, n) & metrics.ngram_counts(other, n)).total()
    precision, recall = shared / len(one), shared / len(other)
    return precision, recall, ratio(2 * precision * recall, precision + recall)
