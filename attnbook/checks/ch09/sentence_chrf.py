"""Exercise 9.5: ``sentence_chrf``."""

from collections import Counter
from typing import Any

from attnbook.checks.inputs import Inputs
from attnbook.checks.ngrams import REFERENCE, ratio
from attnbook.checks.rules import refused, unlike
from attnbook.exercises import Call, Exercise
from attnbook.exercises.values import difference, fmt
from attnlib import metrics


def sentence_chrf(hypothesis: Any, reference: Any) -> Any:
    """chrF2 of one sentence, 0 to 100. Two strings → float."""
    texts = "".join(hypothesis.split()), "".join(reference.split())
    precisions, recalls = [], []
    for n in range(1, 7):
        written, known = (metrics.ngram_counts(text, n) for text in texts)
        if written and known:
            shared = (written & known).total()
            precisions.append(shared / written.total())
            recalls.append(shared / known.total())
    if not sum(precisions):
        return 0.0
    p, r = sum(precisions) / len(precisions), sum(recalls) / len(recalls)
    return 100 * 5 * p * r / (4 * p + r)


def _letters() -> Inputs:
    for hypothesis, reference in (
        ("cat", "cats"),
        ("갔다", "갔습니다"),
        ("bananas", "bandanas"),
        ("the mat sat on the cat", REFERENCE),
        ("the cat, it sat.", "the cat sat on the mat, it did!"),
        ("banana banana", "a banana, an anagram"),
    ):
        yield {"hypothesis": hypothesis, "reference": reference}


def _joined(text: str) -> str:
    return "".join(text.split())


def _mean(numbers: Any) -> Any:
    return ratio(sum(numbers), len(numbers))


def _f2(p: float, r: float) -> float:
    return ratio(5 * p * r, 4 * p + r)


def _shares(
    hypothesis: str,
    reference: str,
    letters: Any = _joined,
) -> Any:
    """Precisions and recalls of the orders for which both texts have n-grams."""
    precisions, recalls = [], []
    for n in range(1, 7):
        h, r = (metrics.ngram_counts(letters(x), n) for x in (hypothesis, reference))
        if h and r:
            shared = (h & r).total()
            precisions.append(shared / h.total())
            recalls.append(shared / r.total())
    return precisions, recalls


def _score(why: str, hypothesis: str, reference: str) -> Any:
    """A rule: a hypothesis has the score with its reference that it should."""
    texts = {"hypothesis": hypothesis, "reference": reference}
    return lambda call: unlike(call, sentence_chrf(**texts), why, **texts)


def _every_number(call: Call) -> str | None:
    """The numbers on the way to a score."""
    if not difference(call.result, call.expected):
        return None
    precisions, recalls = _shares(call.hypothesis, call.reference)
    return (
        f"You return {fmt(call.result)}, where {fmt(call.expected)} is expected. The precisions of "
        f"n = 1 … {len(precisions)} are {fmt(precisions)}, the recalls {fmt(recalls)}. Their means "
        f"are P = {fmt(_mean(precisions))} and R = {fmt(_mean(recalls))}. F is 5 P R / (4 P + R), "
        "times 100."
    )


def _nothing_in_common(call: Call) -> str | None:
    for hypothesis, reference in (("cat", "dog"), ("", "cat")):
        texts = {"hypothesis": hypothesis, "reference": reference}
        message = refused(call, "Nothing in common scores 0.", **texts)
        if message := message or unlike(call, 0.0, "nothing in common scores 0.", **texts):
            return message
    return None


def _with(of_means: Any = _f2, letters: Any = _joined) -> Any:
    """chrF with other letters, or with something else than F with β = 2."""
    return lambda hypothesis, reference: (
        100 * of_means(*map(_mean, _shares(hypothesis, reference, letters)))
    )


def _pooled(hypothesis: str, reference: str) -> float:
    """The n-grams of all orders that both texts have are put together."""
    texts = _joined(hypothesis), _joined(reference)
    orders = range(1, min(6, *map(len, texts)) + 1)
    of_hypothesis, of_reference = (
        sum((metrics.ngram_counts(x, n) for n in orders), Counter()) for x in texts
    )
    matches = (of_hypothesis & of_reference).total()
    return 100 * _f2(ratio(matches, of_hypothesis.total()), ratio(matches, of_reference.total()))


CHECK = Exercise(
    sentence_chrf,
    inputs=_letters,
    rules={
        "precisions and recalls of n = 1 … 6 are averaged, and F is computed once": _every_number,
        "white space does not count": _score(
            "they differ only in white space, which does not count.",
            "thecat",
            " the\tcat\n",
        ),
        "capitals count": _score("C and c are two letters.", "Cat!", "cat!"),
        "nothing in common scores 0, without an error": _nothing_in_common,
    },
    mistakes={
        "This is F1. chrF weighs recall twice as much as precision: β = 2.": _with(
            lambda p, r: ratio(2 * p * r, p + r)
        ),
        "β is on the wrong side: β² belongs to the precision in the denominator, and that "
        "makes *recall* count more.": _with(lambda p, r: ratio(5 * p * r, p + 4 * r)),
        "You use β without its square: F is (1 + β²) P R / (β² P + R).": _with(
            lambda p, r: ratio(3 * p * r, 2 * p + r)
        ),
        "You compute F for each n and then average. Average the precisions and the recalls first, "
        "and compute F once.": (
            lambda hypothesis, reference: (
                100 * _mean([_f2(p, r) for p, r in zip(*_shares(hypothesis, reference))])
            )
        ),
        "You divide the sum by 6 even where the words are too short for 6-grams. Average over "
        "those n for which both sides have n-grams.": (
            lambda hypothesis, reference: (
                100 * _f2(*(sum(shares) / 6 for shares in _shares(hypothesis, reference)))
            )
        ),
        "You put the n-grams of all orders together before dividing, so the short ones outnumber "
        "the long. Divide for each n, and average the six.": _pooled,
        "These are n-grams of words. chrF counts letters.": _with(letters=str.split),
    },
)
