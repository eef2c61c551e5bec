"""Exercise 9.6: ``sentence_chrf``."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

from attnbook.checks.ch09.shared import ORDERS, REFERENCE, ratio
from attnbook.checks.shared import Inputs
from attnbook.exercises import Call, Exercise, Mistake
from attnlib import metrics


def _letters() -> Inputs:
    yield {"hypothesis": "cat", "reference": "cats"}
    yield {"hypothesis": "갔다", "reference": "갔습니다"}
    yield {"hypothesis": "the mat sat on the cat", "reference": REFERENCE}
    yield {"hypothesis": "나는 학교에 갔다", "reference": "나는 어제 학교에 갔습니다"}
    yield {"hypothesis": "the the the the", "reference": REFERENCE}


def _chrf(
    hypothesis: str,
    reference: str,
    *,
    beta: float = 2.0,
    spaces: bool = False,
    orders: Sequence[int] = (1, 2, 3, 4, 5, 6),
    every: bool = False,
    kinds: bool = False,
    each: bool = False,
) -> float:
    """chrF; the options are ways to get it wrong."""
    one, other = (
        list(text) if spaces else list("".join(text.split())) for text in (hypothesis, reference)
    )
    pairs: list[tuple[float, float]] = []
    for n in orders:
        h, r = metrics.ngram_counts(one, n), metrics.ngram_counts(other, n)
        if kinds:
            h, r = Counter(set(h)), Counter(set(r))
        if every or (h and r):
            shared = (h & r).total()
            pairs.append((ratio(shared, h.total()), ratio(shared, r.total())))
    if not pairs:
        return 0.0
    if each:
        return 100 * sum(_f(p, r, beta) for p, r in pairs) / len(pairs)
    precision, recall = (sum(column) / len(pairs) for column in zip(*pairs))
    return 100 * _f(precision, recall, beta)


def _f(precision: float, recall: float, beta: float) -> float:
    return ratio((1 + beta**2) * precision * recall, beta**2 * precision + recall)


def _chrf_variant(**options: Any) -> Callable[..., float]:
    return lambda hypothesis, reference: _chrf(hypothesis, reference, **options)


def _spaces_do_not_count(call: Call) -> str | None:
    one, other = (
        call(hypothesis="thecat", reference="the cat"),
        call(hypothesis="the cat", reference="the cat"),
    )
    if abs(one - other) < 1e-6:
        return None
    return (
        f'"thecat" gets {one:.1f} for "the cat", and "the cat" {other:.1f}: leave out the spaces.'
    )


def _short_words_can_be_perfect(call: Call) -> str | None:
    score = call(hypothesis="cat", reference="cat")
    if abs(score - 100) < 1e-6:
        return None
    return (
        f'"cat" for "cat" gets {score:.1f}: it has no 4-grams. Average over those n for which both '
        "sides have n-grams."
    )


CHECK = Exercise(
    "sentence_chrf",
    reference=lambda hypothesis, reference: _chrf(hypothesis, reference),
    inputs=_letters,
    rules={
        "white space does not count": _spaces_do_not_count,
        "a word shorter than six letters can be perfect": _short_words_can_be_perfect,
    },
    mistakes=[
        Mistake(
            "This is F1. chrF weighs recall twice as much as precision: β = 2.",
            _chrf_variant(beta=1.0),
        ),
        Mistake(
            "β stands on the wrong side: β² belongs to the precision in the denominator, and that "
            "makes *recall* count more.",
            _chrf_variant(beta=0.5),
        ),
        Mistake(
            "F is taken for each n and then averaged. Average the precisions and the recalls "
            "first, and take F once.",
            _chrf_variant(each=True),
        ),
        Mistake(
            "The spaces are counted as letters. Join the words first.",
            _chrf_variant(spaces=True),
        ),
        Mistake(
            "The sum is divided by 6 even where the words are too short for 6-grams. Average over "
            "those n for which both sides have n-grams.",
            _chrf_variant(every=True),
        ),
        Mistake(
            "Only 6-grams are counted. All orders from 1 to 6 are.",
            _chrf_variant(orders=(6,)),
        ),
        Mistake(
            "The orders stop at 4, as in BLEU. chrF goes to 6 letters.",
            _chrf_variant(orders=ORDERS),
        ),
        Mistake(
            "Kinds of n-grams are counted, not occurrences.",
            _chrf_variant(kinds=True),
        ),
        Mistake(
            "The value lies between 0 and 1. chrF is written from 0 to 100.",
            lambda hypothesis, reference: _chrf(hypothesis, reference) / 100,
        ),
    ],
)
