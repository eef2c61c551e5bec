"""Exercise 9.6: ``sentence_chrf``."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

from attnbook.checks.ch09.shared import REFERENCE, Grams, ratio, refused, unlike
from attnbook.checks.shared import Inputs
from attnbook.exercises import Call, Exercise
from attnbook.exercises.trial import listed
from attnbook.exercises.values import difference, shown
from attnlib import metrics
from attnlib.metrics import Real, tokenize_13a


def sentence_chrf(hypothesis: Any, reference: Any) -> Any:
    """chrF2 of one sentence, 0 to 100. Two strings → float."""
    one, other = "".join(hypothesis.split()), "".join(reference.split())
    precisions, recalls = [], []
    for n in range(1, 7):
        said, known = metrics.ngram_counts(one, n), metrics.ngram_counts(other, n)
        if said and known:
            shared = (said & known).total()
            precisions.append(shared / said.total())
            recalls.append(shared / known.total())
    if not sum(precisions):
        return 0.0
    p, r = sum(precisions) / len(precisions), sum(recalls) / len(recalls)
    return 100 * 5 * p * r / (4 * p + r)


SIX = 1, 2, 3, 4, 5, 6


def _letters() -> Inputs:
    yield {"hypothesis": "cat", "reference": "cats"}
    yield {"hypothesis": "갔다", "reference": "갔습니다"}
    yield {"hypothesis": "Cats", "reference": "cat sat"}
    yield {"hypothesis": "cat", "reference": "dog"}
    yield {"hypothesis": "the cats", "reference": "a\tcat\n"}
    yield {"hypothesis": "the mat sat on the cat", "reference": REFERENCE}
    yield {"hypothesis": "나는 학교에 갔다", "reference": "나는 어제 학교에 갔습니다"}
    yield {"hypothesis": "the the the the", "reference": REFERENCE}
    yield {"hypothesis": "the cat, it sat.", "reference": "the cat sat on the mat, it did!"}
    yield {"hypothesis": "banana banana", "reference": "a banana, an anagram"}


def _joined(text: str) -> Sequence[str]:
    return "".join(text.split())


def _clipped(h: Grams, r: Grams) -> int:
    return (h & r).total()


def _unclipped(h: Grams, r: Grams) -> int:
    return sum(count for gram, count in h.items() if gram in r)


def _mean(numbers: Sequence[Real]) -> float:
    return ratio(sum(numbers), len(numbers))


def _geometric(numbers: Sequence[Real]) -> float:
    return math.prod(numbers) ** (1 / len(numbers)) if numbers else 0.0


def _f(beta: Real) -> Callable[[Real, Real], Real]:
    return lambda p, r: ratio((1 + beta**2) * p * r, beta**2 * p + r)


def _shares(
    hypothesis: str,
    reference: str,
    *,
    letters: Callable[[str], Sequence[str]] = _joined,
    orders: Sequence[int] = SIX,
    which: Callable[[bool, bool], tuple[bool, bool]] = lambda h, r: (h and r, h and r),
    shared: Callable[[Grams, Grams], Real] = _clipped,
    change: Callable[[Grams], Grams] = lambda grams: grams,
) -> tuple[list[Real], list[Real]]:
    """Precisions and recalls of the orders that count; the options are ways to get it wrong."""
    one, other = letters(hypothesis), letters(reference)
    precisions, recalls = [], []
    for n in orders:
        h, r = change(metrics.ngram_counts(one, n)), change(metrics.ngram_counts(other, n))
        in_p, in_r = which(bool(h), bool(r))
        precisions += [ratio(shared(h, r), h.total())] * in_p
        recalls += [ratio(shared(h, r), r.total())] * in_r
    return precisions, recalls


F2 = _f(2)


def _chrf(
    hypothesis: str,
    reference: str,
    *,
    f: Callable[[Real, Real], Real] = F2,
    mean: Callable[[Sequence[Real]], Real] = _mean,
    each: bool = False,
    **options: Any,
) -> float:
    """chrF; the options are ways to get it wrong."""
    precisions, recalls = _shares(hypothesis, reference, **options)
    if each:
        return 100 * mean([f(p, r) for p, r in zip(precisions, recalls)])
    return 100 * f(mean(precisions), mean(recalls))


def _variant(**options: Any) -> Callable[..., Real]:
    return lambda hypothesis, reference: _chrf(hypothesis, reference, **options)


def _pooled_over(hypothesis: str, reference: str, orders: Sequence[int]) -> float:
    one, other = (
        Counter(gram for n in orders for gram in metrics.ngram_counts(_joined(text), n).elements())
        for text in (hypothesis, reference)
    )
    both = _clipped(one, other)
    return 100 * F2(ratio(both, one.total()), ratio(both, other.total()))


def _pooled(hypothesis: str, reference: str) -> float:
    return _pooled_over(hypothesis, reference, SIX)


def _pooled_both(hypothesis: str, reference: str) -> float:
    shortest = min(len(_joined(hypothesis)), len(_joined(reference)), 6)
    return _pooled_over(hypothesis, reference, range(1, shortest + 1))


def _chrf_with_words(hypothesis: str, reference: str) -> float:
    letters, words = (
        _shares(hypothesis, reference),
        _shares(hypothesis, reference, letters=tokenize_13a, orders=(1, 2)),
    )
    return 100 * F2(*(_mean(one + other) for one, other in zip(letters, words)))


def _perfect(call: Call) -> str | None:
    why = "all its n-grams are there, so P = R = 1, and 5 P R / (4 P + R) is 1, times 100."
    return unlike(call, 100.0, why, hypothesis="singing", reference="singing")


def _short_words_can_be_perfect(call: Call) -> str | None:
    why = "it has no 4-grams; average over those n for which both texts have n-grams, here 1 to 3."
    return unlike(call, 100.0, why, hypothesis="cat", reference="cat")


def _one_letter(call: Call) -> str | None:
    for hypothesis, reference, p, r in (("c", "cat", "1", "1/3"), ("cat", "c", "1/3", "1")):
        why = f"only n = 1 counts, P = {p} and R = {r}, and F is 5 P R / (4 P + R), times 100."
        right = _chrf(hypothesis, reference)
        if told := unlike(call, right, why, hypothesis=hypothesis, reference=reference):
            return told
    return None


def _formula(call: Call) -> str | None:
    """Every number on the way, for a plain pair and for this one."""
    plain = {"hypothesis": "bananas", "reference": "bandanas"}
    pairs = (plain, call(**plain)), (call.arguments, call.result)
    for given, found in pairs:
        precisions, recalls = _shares(**given)
        right = _chrf(**given)
        if precisions and difference(found, right):
            return (
                f"With {', '.join(listed(given))} comes {shown(found)}, where {shown(right)} is "
                f"expected: the precisions of n = 1 … {len(precisions)} are {shown(precisions)}, "
                f"the recalls {shown(recalls)}; their means P = {shown(_mean(precisions))} and "
                f"R = {shown(_mean(recalls))}; F = 5 P R / (4 P + R), times 100."
            )
    return None


def _spaces_do_not_count(call: Call) -> str | None:
    for text in ("the cat", "the\tcat", " the cat\n"):
        why = "they differ in nothing but white space, and that does not count."
        if told := unlike(call, 100.0, why, hypothesis="thecat", reference=text):
            return told
    return None


def _capitals_and_marks(call: Call) -> str | None:
    for hypothesis, why in (
        ("Cat!", "C and c are two letters."),
        ("cat", "the mark at the end is a letter like others, only white space is left out."),
    ):
        given: dict[str, Any] = {"hypothesis": hypothesis, "reference": "cat!"}
        if told := unlike(call, _chrf(**given), why, **given):
            return told
    return None


def _nothing_in_common(call: Call) -> str | None:
    for hypothesis, reference in (("cat", "dog"), ("", "cat"), ("cat", ""), ("", "")):
        given = {"hypothesis": hypothesis, "reference": reference}
        told = refused(call, "Nothing in common is 0.", **given)
        if told := told or unlike(call, 0.0, "nothing in common is 0.", **given):
            return told
    return None


_DIVIDED = (
    "The sum is divided by 6 even where the words are too short for 6-grams. Average over "
    "those n for which both sides have n-grams."
)
_STOP = "The orders stop at {}. chrF goes to 6 letters."

CHECK = Exercise(
    "sentence_chrf",
    reference=sentence_chrf,
    inputs=_letters,
    rules={
        "a word has 100 with itself": _perfect,
        "a word shorter than six letters can be perfect": _short_words_can_be_perfect,
        "F has β = 2: recall counts more than precision": _one_letter,
        "white space does not count": _spaces_do_not_count,
        "precisions and recalls of n = 1 … 6 are averaged, and F is taken once": _formula,
        "capitals and marks count": _capitals_and_marks,
        "nothing in common is 0, and no error": _nothing_in_common,
    },
    mistakes=[
        (
            "This is F1. chrF weighs recall twice as much as precision: β = 2.",
            _variant(f=_f(1)),
        ),
        (
            "β stands on the wrong side: β² belongs to the precision in the denominator, and that "
            "makes *recall* count more.",
            _variant(f=_f(0.5)),
        ),
        ("β is 3 here, as in the first paper's table. chrF2 has β = 2.", _variant(f=_f(3))),
        (
            "β stands in F without its square: it is (1 + β²) P R / (β² P + R), with β = 2.",
            _variant(f=lambda p, r: ratio(3 * p * r, 2 * p + r)),
        ),
        (
            "β² is missing in the denominator: F is (1 + β²) P R / (β² P + R).",
            _variant(f=lambda p, r: ratio(5 * p * r, p + r)),
        ),
        (
            "The factor 1 + β² = 5 is missing in F: what is perfect gets 20.",
            _variant(f=lambda p, r: ratio(p * r, 4 * p + r)),
        ),
        (
            "The factor of F is β² = 4 here. It is 1 + β² = 5.",
            _variant(f=lambda p, r: ratio(4 * p * r, 4 * p + r)),
        ),
        ("This is the precision alone.", _variant(f=lambda p, r: p)),
        ("This is the recall alone.", _variant(f=lambda p, r: r)),
        (
            "This is the plain mean of P and R. F is (1 + β²) P R / (β² P + R).",
            _variant(f=lambda p, r: (p + r) / 2),
        ),
        *(
            (
                "F is taken for each n and then averaged. Average the precisions and the recalls "
                "first, and take F once.",
                _variant(each=True, **options),
            )
            for options in (
                {},
                {"f": _f(1)},
                {"f": _f(0.5)},
                {"which": lambda h, r: (True, True)},
                {"which": lambda h, r: (h or r, h or r)},
            )
        ),
        ("The spaces are counted as letters. Join the words first.", _variant(letters=str)),
        (
            "White space is left out at both ends only. Inside as well: join the words first.",
            _variant(letters=str.strip),
        ),
        (
            "Only the space is left out. Tabs and line ends are white space as well: "
            '"".join(text.split()).',
            _variant(letters=lambda text: text.replace(" ", "")),
        ),
        *(
            ("These are n-grams of words. chrF counts letters.", _variant(letters=letters))
            for letters in (str.split, tokenize_13a)
        ),
        (
            "Words are counted beside the letters, as in chrF++. Letters alone are asked.",
            _chrf_with_words,
        ),
        *(
            (
                "Capitals are made small: C and c are two letters.",
                _variant(letters=lambda text, letters=letters: letters(text.lower())),
            )
            for letters in (_joined, str)
        ),
        (
            "Marks such as . and , are left out. Only white space is.",
            _variant(letters=lambda text: [letter for letter in text if letter.isalnum()]),
        ),
        (
            _DIVIDED,
            _variant(which=lambda h, r: (True, True)),
        ),
        (
            _DIVIDED,
            lambda hypothesis, reference: (
                100 * F2(*(sum(x) / 6 for x in _shares(hypothesis, reference)))
            ),
        ),
        (
            "Precisions are averaged over the n that the hypothesis has, recalls over those that "
            "the reference has. Only an n for which *both* texts have n-grams counts, for both.",
            _variant(which=lambda h, r: (h, r)),
        ),
        *(
            (
                f"An n counts as soon as {who} has n-grams. Both texts must have some, or the n "
                "adds to neither average.",
                _variant(which=which),
            )
            for who, which in (
                ("the hypothesis", lambda h, r: (h, h)),
                ("the reference", lambda h, r: (r, r)),
                ("one of the texts", lambda h, r: (h or r, h or r)),
            )
        ),
        (
            "An n without matches is left out. It counts as a precision and a recall of 0 where "
            "both texts have n-grams.",
            lambda hypothesis, reference: (
                100
                * F2(
                    *(
                        _mean([share for share in shares if share])
                        for shares in _shares(hypothesis, reference)
                    )
                )
            ),
        ),
        *(
            (
                "The n-grams of all orders are put together before dividing, so that short ones "
                "outnumber the long. Divide for each n, and average the six.",
                function,
            )
            for function in (_pooled, _pooled_both)
        ),
        *(
            (
                "The precisions (and the recalls) are put together by the geometric mean. The "
                "plain mean is asked: one order without a match does not make all 0.",
                _variant(mean=mean),
            )
            for mean in (_geometric, math.prod)
        ),
        (
            "Sums stand where averages are asked: divide by how many n there are.",
            _variant(mean=sum),
        ),
        *(
            (f"Only {n}-grams are counted. All orders from 1 to 6 are.", _variant(orders=(n,)))
            for n in SIX
        ),
        ("The orders stop at 4, as in BLEU. chrF goes to 6 letters.", _variant(orders=SIX[:4])),
        *((_STOP.format(n), _variant(orders=SIX[:n])) for n in (2, 3, 5)),
        *(
            (
                "The orders begin at 2. Single letters, n = 1, count as well.",
                _variant(orders=range(2, last + 1)),
            )
            for last in (6, 7)
        ),
        *(
            (
                f"The orders go on to {last}. chrF stops at 6 letters.",
                _variant(orders=range(1, last + 1)),
            )
            for last in (7, 8)
        ),
        (
            "The matches are not clipped: an n-gram counts as often as both texts have it.",
            _variant(shared=_unclipped),
        ),
        (
            "Kinds of n-grams are counted, not occurrences.",
            _variant(change=lambda grams: Counter(set(grams))),
        ),
        (
            "The matches are kinds of n-grams, and the totals are occurrences. What both have "
            "twice counts twice.",
            _variant(shared=lambda h, r: len(h & r)),
        ),
        (
            "The value lies between 0 and 1. chrF is written from 0 to 100.",
            lambda hypothesis, reference: _chrf(hypothesis, reference) / 100,
        ),
    ],
)
