"""Exercise 9.6: ``sentence_chrf``.

Long, because it can be wrong in counting, in averaging and in each of its special cases.
"""

from __future__ import annotations

import math
from collections import Counter
from typing import Any

from attnbook.checks.ch09.shared import REFERENCE, ratio, refused, unclipped, unlike
from attnbook.checks.shared import Inputs
from attnbook.exercises import Call, Exercise
from attnbook.exercises.trial import listed
from attnbook.exercises.values import difference, shown
from attnlib import metrics
from attnlib.metrics import tokenize_13a


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


def _letters() -> Inputs:
    for hypothesis, reference in (
        ("cat", "cats"),
        ("갔다", "갔습니다"),
        ("Cats", "cat sat"),
        ("cat", "dog"),
        ("the cats", "a\tcat\n"),
        ("the mat sat on the cat", REFERENCE),
        ("나는 학교에 갔다", "나는 어제 학교에 갔습니다"),
        ("the the the the", REFERENCE),
        ("the cat, it sat.", "the cat sat on the mat, it did!"),
        ("banana banana", "a banana, an anagram"),
    ):
        yield {"hypothesis": hypothesis, "reference": reference}


# Ways to get it wrong -----------------------------------------------------------------------------


def _joined(text: str) -> str:
    return "".join(text.split())


def _mean(numbers: Any) -> Any:
    return ratio(sum(numbers), len(numbers))


def _geometric(numbers: Any) -> Any:
    return math.prod(numbers) ** (1 / len(numbers)) if numbers else 0.0


def _f(beta: Any) -> Any:
    return lambda p, r: ratio((1 + beta**2) * p * r, beta**2 * p + r)


_F2 = _f(2)


def _both(h: Any, r: Any) -> Any:
    return h and r, h and r


def _shares(
    hypothesis: str,
    reference: str,
    *,
    letters: Any = _joined,
    orders: Any = range(1, 7),
    which: Any = _both,
    shared: Any = lambda h, r: (h & r).total(),
    change: Any = lambda grams: grams,
) -> Any:
    """Precisions and recalls; ``which`` says of an order for which of the two it counts."""
    precisions, recalls = [], []
    for n in orders:
        h, r = (change(metrics.ngram_counts(letters(x), n)) for x in (hypothesis, reference))
        in_p, in_r = which(bool(h), bool(r))
        precisions += [ratio(shared(h, r), h.total())] * in_p
        recalls += [ratio(shared(h, r), r.total())] * in_r
    return precisions, recalls


def _chrf(
    hypothesis: str, reference: str, *, f: Any = _F2, mean: Any = _mean, **options: Any
) -> Any:
    return 100 * f(*map(mean, _shares(hypothesis, reference, **options)))


def _with(**options: Any) -> Any:
    return lambda hypothesis, reference: _chrf(hypothesis, reference, **options)


def _f_of_each(f: Any = _F2, which: Any = _both) -> Any:
    """F is taken for each n."""
    return lambda hypothesis, reference: (
        100 * _mean([f(p, r) for p, r in zip(*_shares(hypothesis, reference, which=which))])
    )


def _pooled(hypothesis: str, reference: str, longest: int = 6) -> Any:
    """The n-grams of all orders are put together."""
    one, other = (
        sum((metrics.ngram_counts(_joined(x), n) for n in range(1, longest + 1)), Counter())
        for x in (hypothesis, reference)
    )
    both = (one & other).total()
    return 100 * _F2(ratio(both, one.total()), ratio(both, other.total()))


def _pooled_where_both_have_some(hypothesis: str, reference: str) -> Any:
    shortest = min(len(_joined(hypothesis)), len(_joined(reference)))
    return _pooled(hypothesis, reference, min(shortest, 6))


def _with_words(hypothesis: str, reference: str) -> Any:
    letters = _shares(hypothesis, reference)
    words = _shares(hypothesis, reference, letters=tokenize_13a, orders=(1, 2))
    return 100 * _F2(*(_mean(one + other) for one, other in zip(letters, words)))


# Rules --------------------------------------------------------------------------------------------


def _scores(why: str, *pairs: tuple[str, str]) -> Any:
    """A rule: each hypothesis has the score with its reference that it should."""

    def rule(call: Call) -> str | None:
        for hypothesis, reference in pairs:
            given = {"hypothesis": hypothesis, "reference": reference}
            if told := unlike(call, sentence_chrf(**given), why, **given):
                return told
        return None

    return rule


def _one_letter(call: Call) -> str | None:
    why = "only n = 1 counts, P = {} and R = {}, and F is 5 P R / (4 P + R), times 100."
    return _scores(why.format("1", "1/3"), ("c", "cat"))(call) or _scores(
        why.format("1/3", "1"), ("cat", "c")
    )(call)


def _formula(call: Call) -> str | None:
    """Every number on the way, for a plain pair and for this one."""
    plain = {"hypothesis": "bananas", "reference": "bandanas"}
    for given, found in ((plain, call(**plain)), (call.arguments, call.result)):
        precisions, recalls = _shares(**given)
        right = sentence_chrf(**given)
        if precisions and difference(found, right):
            return (
                f"With {', '.join(listed(given))} comes {shown(found)}, where {shown(right)} is "
                f"expected: the precisions of n = 1 … {len(precisions)} are {shown(precisions)}, "
                f"the recalls {shown(recalls)}; their means P = {shown(_mean(precisions))} and "
                f"R = {shown(_mean(recalls))}; F = 5 P R / (4 P + R), times 100."
            )
    return None


def _capitals_and_marks(call: Call) -> str | None:
    mark = "the mark at the end is a letter like others, only white space is left out."
    return _scores("C and c are two letters.", ("Cat!", "cat!"))(call) or _scores(
        mark, ("cat", "cat!")
    )(call)


def _nothing_in_common(call: Call) -> str | None:
    for hypothesis, reference in (("cat", "dog"), ("", "cat"), ("cat", ""), ("", "")):
        given = {"hypothesis": hypothesis, "reference": reference}
        told = refused(call, "Nothing in common is 0.", **given)
        if told := told or unlike(call, 0.0, "nothing in common is 0.", **given):
            return told
    return None


_EACH = (
    "F is taken for each n and then averaged. Average the precisions and the recalls first, and "
    "take F once."
)
_WORDS = "These are n-grams of words. chrF counts letters."
_SMALL = "Capitals are made small: C and c are two letters."
_DIVIDED = (
    "The sum is divided by 6 even where the words are too short for 6-grams. Average over "
    "those n for which both sides have n-grams."
)
_POOLED = (
    "The n-grams of all orders are put together before dividing, so that short ones outnumber the "
    "long. Divide for each n, and average the six."
)
_GEOMETRIC = (
    "The precisions (and the recalls) are put together by the geometric mean. The plain mean is "
    "asked: one order without a match does not make all 0."
)
_FROM_TWO = "The orders begin at 2. Single letters, n = 1, count as well."

CHECK = Exercise(
    "sentence_chrf",
    reference=sentence_chrf,
    inputs=_letters,
    rules={
        "a word has 100 with itself": _scores(
            "all its n-grams are there, so P = R = 1, and 5 P R / (4 P + R) is 1, times 100.",
            ("singing", "singing"),
        ),
        "a word shorter than six letters can be perfect": _scores(
            "it has no 4-grams; average over those n for which both texts have n-grams, here 1 "
            "to 3.",
            ("cat", "cat"),
        ),
        "F has β = 2: recall counts more than precision": _one_letter,
        "white space does not count": _scores(
            "they differ in nothing but white space, and that does not count.",
            *(("thecat", text) for text in ("the cat", "the\tcat", " the cat\n")),
        ),
        "precisions and recalls of n = 1 … 6 are averaged, and F is taken once": _formula,
        "capitals and marks count": _capitals_and_marks,
        "nothing in common is 0, and no error": _nothing_in_common,
    },
    mistakes=[
        *((_EACH, _f_of_each(f)) for f in (_F2, _f(1), _f(0.5))),
        (_EACH, _f_of_each(which=lambda h, r: (True, True))),
        (_EACH, _f_of_each(which=lambda h, r: (h or r, h or r))),
        *((_WORDS, _with(letters=letters)) for letters in (str.split, tokenize_13a)),
        (_SMALL, _with(letters=lambda text: _joined(text.lower()))),
        (_SMALL, _with(letters=str.lower)),
        (_DIVIDED, _with(which=lambda h, r: (True, True))),
        (_DIVIDED, _with(mean=lambda numbers: sum(numbers) / 6)),
        *((_POOLED, function) for function in (_pooled, _pooled_where_both_have_some)),
        *((_GEOMETRIC, _with(mean=mean)) for mean in (_geometric, math.prod)),
        *((_FROM_TWO, _with(orders=range(2, last + 1))) for last in (6, 7)),
        *(
            (
                f"The orders go on to {last}. chrF stops at 6 letters.",
                _with(orders=range(1, last + 1)),
            )
            for last in (7, 8)
        ),
        *(
            (f"Only {n}-grams are counted. All orders from 1 to 6 are.", _with(orders=(n,)))
            for n in range(1, 7)
        ),
        ("The orders stop at 4, as in BLEU. chrF goes to 6 letters.", _with(orders=range(1, 5))),
        *(
            (f"The orders stop at {n}. chrF goes to 6 letters.", _with(orders=range(1, n + 1)))
            for n in (2, 3, 5)
        ),
        *(
            (
                f"An n counts as soon as {who} has n-grams. Both texts must have some, or the n "
                "adds to neither average.",
                _with(which=which),
            )
            for who, which in {
                "the hypothesis": lambda h, r: (h, h),
                "the reference": lambda h, r: (r, r),
                "one of the texts": lambda h, r: (h or r, h or r),
            }.items()
        ),
        *{
            "This is F1. chrF weighs recall twice as much as precision: β = 2.": _with(f=_f(1)),
            "β stands on the wrong side: β² belongs to the precision in the denominator, and that "
            "makes *recall* count more.": _with(f=_f(0.5)),
            "β is 3 here, as in the first paper's table. chrF2 has β = 2.": _with(f=_f(3)),
            "β stands in F without its square: it is (1 + β²) P R / (β² P + R), with β = 2.": _with(
                f=lambda p, r: ratio(3 * p * r, 2 * p + r)
            ),
            "β² is missing in the denominator: F is (1 + β²) P R / (β² P + R).": _with(
                f=lambda p, r: ratio(5 * p * r, p + r)
            ),
            "The factor 1 + β² = 5 is missing in F: what is perfect gets 20.": _with(
                f=lambda p, r: ratio(p * r, 4 * p + r)
            ),
            "The factor of F is β² = 4 here. It is 1 + β² = 5.": _with(
                f=lambda p, r: ratio(4 * p * r, 4 * p + r)
            ),
            "This is the precision alone.": _with(f=lambda p, r: p),
            "This is the recall alone.": _with(f=lambda p, r: r),
            "This is the plain mean of P and R. F is (1 + β²) P R / (β² P + R).": _with(
                f=lambda p, r: (p + r) / 2
            ),
            "The spaces are counted as letters. Join the words first.": _with(letters=str),
            "White space is left out at both ends only. Inside as well: join the words "
            "first.": _with(letters=str.strip),
            "Only the space is left out. Tabs and line ends are white space as well: "
            '"".join(text.split()).': _with(letters=lambda text: text.replace(" ", "")),
            "Words are counted beside the letters, as in chrF++. Letters alone are "
            "asked.": _with_words,
            "Marks such as . and , are left out. Only white space is.": _with(
                letters=lambda text: [letter for letter in text if letter.isalnum()]
            ),
            "Precisions are averaged over the n that the hypothesis has, recalls over those that "
            "the reference has. Only an n for which *both* texts have n-grams counts, for "
            "both.": _with(which=lambda h, r: (h, r)),
            "An n without matches is left out. It counts as a precision and a recall of 0 where "
            "both texts have n-grams.": _with(mean=lambda xs: _mean([x for x in xs if x])),
            "Sums stand where averages are asked: divide by how many n there are.": _with(mean=sum),
            "The matches are not clipped: an n-gram counts as often as both texts have it.": _with(
                shared=unclipped
            ),
            "Kinds of n-grams are counted, not occurrences.": _with(
                change=lambda grams: Counter(set(grams))
            ),
            "The matches are kinds of n-grams, and the totals are occurrences. What both have "
            "twice counts twice.": _with(shared=lambda h, r: len(h & r)),
            "The value lies between 0 and 1. chrF is written from 0 to "
            "100.": lambda hypothesis, reference: sentence_chrf(hypothesis, reference) / 100,
        }.items(),
    ],
)
