"""Exercise 9.2: ``overlap``."""

from __future__ import annotations

import itertools
import math
from collections import Counter
from collections.abc import Callable
from typing import Any, TypeAlias

from attnbook.checks.ch09.shared import REFERENCE, Grams, ratio, refused, unlike
from attnbook.checks.shared import Inputs, only_a_part
from attnbook.exercises import Call, Exercise
from attnbook.exercises.trial import listed
from attnbook.exercises.values import shown
from attnlib import metrics
from attnlib.metrics import Real, tokenize_13a


def overlap(hypothesis: Any, reference: Any, n: Any) -> Any:
    """(precision, recall, F1) of n-grams, clipped, 0 to 1. Two strings and n → three floats."""
    said = metrics.ngram_counts(metrics.tokenize_13a(hypothesis), n)
    known = metrics.ngram_counts(metrics.tokenize_13a(reference), n)
    shared = (said & known).total()
    p = shared / said.total() if said else 0.0
    r = shared / known.total() if known else 0.0
    return p, r, 2 * p * r / (p + r) if p + r else 0.0


Shares: TypeAlias = tuple[Real, Real, Real]


def _two_texts() -> Inputs:
    yield {"hypothesis": "the the the", "reference": "the cat", "n": 1}
    yield {"hypothesis": "the cat", "reference": "the the the mat", "n": 1}
    yield {"hypothesis": "the the the the the the", "reference": REFERENCE, "n": 1}
    yield {"hypothesis": "the mat sat on the cat", "reference": REFERENCE, "n": 2}
    yield {"hypothesis": "The cat sat.", "reference": "The black cat sat on the mat.", "n": 1}
    yield {"hypothesis": "the Cat sat on a mat", "reference": "The cat sat on the mat.", "n": 1}
    yield {"hypothesis": "the cat", "reference": REFERENCE, "n": 3}
    yield {"hypothesis": REFERENCE, "reference": "the cat", "n": 3}
    yield {"hypothesis": "a dog ran", "reference": "the cat sat on it", "n": 1}
    yield {
        "hypothesis": "the cat and the cat and the dog ran.",
        "reference": "the cat and the dog and the dog and the dog sat on the cat.",
        "n": 2,
    }


def _harmonic(p: Real, r: Real) -> float:
    return ratio(2 * p * r, p + r)


def _clipped(h: Grams, r: Grams) -> int:
    return (h & r).total()


def _measures(
    hypothesis: str,
    reference: str,
    n: int,
    *,
    shared: Callable[[Grams, Grams], Real] = _clipped,
    tokenize: Callable[[str], list[str]] = tokenize_13a,
    totals: Callable[[Grams, Grams], tuple[Real, Real]] = lambda h, r: (h.total(), r.total()),
    mean: Callable[[Real, Real], Real] = _harmonic,
    change: Callable[[Grams], Grams] = lambda grams: grams,
) -> Shares:
    """Precision, recall, F1 of n-grams; the options are ways to get it wrong."""
    one, other = (
        change(metrics.ngram_counts(tokenize(text), n)) for text in (hypothesis, reference)
    )
    both = shared(one, other)
    precision, recall = map(ratio, (both, both), totals(one, other))
    return precision, recall, mean(precision, recall)


def _with(**options: Any) -> Callable[..., Shares]:
    return lambda hypothesis, reference, n: _measures(hypothesis, reference, n, **options)


def _never_above_one(call: Call) -> str | None:
    largest = max(call.result)
    if largest <= 1 + 1e-9:
        return None
    return f"One of the three is {shown(largest)}, and a share cannot be larger than 1."


def _nothing(call: Call) -> str | None:
    for given in (
        {"hypothesis": "a dog", "reference": "the cat", "n": 1},
        {"hypothesis": "the cat", "reference": REFERENCE, "n": 3},
        {"hypothesis": REFERENCE, "reference": "the cat", "n": 3},
        {"hypothesis": "", "reference": "", "n": 1},
    ):
        why = "what would be divided by zero is 0."
        told = refused(call, why.capitalize(), **given) or unlike(call, (0.0,) * 3, why, **given)
        if told:
            return told
    return None


def _capitals(call: Call) -> str | None:
    return unlike(
        call, (0.5, 0.5, 0.5), "The and the are two tokens, capitals count.",
        hypothesis="the cat", reference="The cat", n=1,
    )  # fmt: skip


def _full_stop(call: Call) -> str | None:
    return unlike(
        call, (1.0, 2 / 3, 0.8), "tokenize_13a makes a token of its own of the full stop.",
        hypothesis="the cat", reference="the cat.", n=1,
    )  # fmt: skip


def _itself(call: Call) -> str | None:
    return unlike(
        call, (1.0, 1.0, 1.0), "all n-grams of a text are in the text itself, and its 6 tokens "
        "have 5 bigrams.",
        hypothesis=REFERENCE, reference=REFERENCE, n=2,
    )  # fmt: skip


def _shares(call: Call) -> str | None:
    plain = {"hypothesis": "the cat ran", "reference": "the cat sat on it", "n": 2}
    return _share(plain, call(**plain)) or _share(call.arguments, call.result)


def _share(given: dict[str, Any], result: Shares) -> str | None:
    one, other = (
        metrics.ngram_counts(tokenize_13a(given[side]), given["n"])
        for side in ("hypothesis", "reference")
    )
    both, expected = _clipped(one, other), _measures(**given)
    where = f"With {', '.join(listed(given))}:"
    names = ("precision", "recall"), ("hypothesis", "reference"), (one.total(), other.total())
    for name, side, total, found, right in zip(*names, result, expected):
        if not math.isclose(found, right, rel_tol=1e-5, abs_tol=1e-5):
            of = f"{both}/{total} = {shown(right)}" if total else "0"
            return (
                f"{where} the {name} is {shown(found)}. The {side} has {total} n-grams, and {both} "
                f"are shared (each at most as often as both texts have it): {of} is expected."
            )
    if not math.isclose(result[2], expected[2], rel_tol=1e-5, abs_tol=1e-5):
        p, r, f, true = map(shown, (*result, expected[2]))
        return f"{where} P = {p} and R = {r}: F1 = 2 P R / (P + R) is {true}, and not {f}."
    return None


def _by_place(hypothesis: str, reference: str, n: int) -> Shares:
    one, other = (
        list(zip(*(tokenize_13a(text)[i:] for i in range(n)))) for text in (hypothesis, reference)
    )
    both = sum(a == b for a, b in zip(one, other))
    precision, recall = ratio(both, len(one)), ratio(both, len(other))
    return precision, recall, _harmonic(precision, recall)


def _by_tokens(hypothesis: str, reference: str, n: int) -> Shares:
    one, other = tokenize_13a(hypothesis), tokenize_13a(reference)
    shared = _clipped(metrics.ngram_counts(one, n), metrics.ngram_counts(other, n))
    precision, recall = ratio(shared, len(one)), ratio(shared, len(other))
    return precision, recall, _harmonic(precision, recall)


def _all_orders(hypothesis: str, reference: str, n: int) -> Shares:
    one, other = (
        Counter(
            itertools.chain.from_iterable(
                metrics.ngram_counts(tokenize_13a(text), k).elements() for k in range(1, n + 1)
            )
        )
        for text in (hypothesis, reference)
    )
    both = _clipped(one, other)
    precision, recall = ratio(both, one.total()), ratio(both, other.total())
    return precision, recall, _harmonic(precision, recall)


def _single_words(tokenize: Callable[[str], list[str]]) -> Callable[..., Shares]:
    return lambda hypothesis, reference, n: _measures(hypothesis, reference, 1, tokenize=tokenize)


def _letters(text: str) -> list[str]:
    return list(text)


def _words(text: str) -> list[str]:
    return [token for token in tokenize_13a(text) if token.isalnum()]


def _small(text: str) -> list[str]:
    return tokenize_13a(text.lower())


def _unclipped(h: Grams, r: Grams) -> int:
    return sum(count for gram, count in h.items() if gram in r)


_KINDS = (
    "Kinds of n-grams are counted, not occurrences: in a set, three times the is as good as once."
)
_CASE = "Capitals are made small: The and the are two tokens here."
_EXCHANGED = (
    "Precision and recall are exchanged: precision divides by the n-grams of the hypothesis (how "
    "much of what I said is right?)."
)

CHECK = Exercise(
    "overlap",
    reference=overlap,
    inputs=_two_texts,
    rules={
        "precision, recall and F1 lie between 0 and 1": _never_above_one,
        "a text has precision and recall 1 with itself": _itself,
        "precision divides by the hypothesis, recall by the reference, F1 is of both": _shares,
        "capitals count": _capitals,
        "a full stop is a token": _full_stop,
        "what would be divided by zero is 0": _nothing,
    },
    mistakes=[
        (
            'Not clipped: "the" occurs once in the reference "the cat", so only one "the" of three '
            "may count as a match.",
            _with(shared=_unclipped),
        ),
        (
            "The occurrences in the reference are counted as matches. An n-gram counts as often as "
            "*both* have it: take the smaller of the two counts.",
            _with(shared=lambda h, r: sum(count for gram, count in r.items() if gram in h)),
        ),
        (
            "The larger of the two counts is taken for a shared n-gram. The smaller one is asked: "
            "clipped.",
            _with(shared=lambda h, r: sum(max(h[gram], r[gram]) for gram in h if gram in r)),
        ),
        (
            "Precision takes the counts of the hypothesis as they are, recall those of the "
            "reference. A shared n-gram counts as often as both have it, in both.",
            lambda hypothesis, reference, n: (
                p := _with(shared=_unclipped)(hypothesis, reference, n)[0],
                r := _with(shared=_unclipped)(reference, hypothesis, n)[0],
                _harmonic(p, r),
            ),
        ),
        (_KINDS, _with(change=lambda grams: Counter(set(grams)))),
        (
            "The matches are kinds of n-grams and the totals are occurrences. What both have twice "
            "counts twice.",
            _with(shared=lambda h, r: len(h & r)),
        ),
        (
            "The matches are occurrences and the totals are kinds. Divide by all n-grams, those "
            "that repeat too.",
            _with(totals=lambda h, r: (len(h), len(r))),
        ),
        (
            _EXCHANGED,
            lambda hypothesis, reference, n: _measures(reference, hypothesis, n),
        ),
        (
            "Both are divided by the n-grams of the hypothesis. Recall divides by those of the "
            "reference.",
            _with(totals=lambda h, r: (h.total(), h.total())),
        ),
        (
            "Both are divided by the n-grams of the reference. Precision divides by those of the "
            "hypothesis.",
            _with(totals=lambda h, r: (r.total(), r.total())),
        ),
        (
            "The matches are divided by the n-grams of both texts together.",
            _with(totals=lambda h, r: ((h | r).total(), (h | r).total())),
        ),
        *(
            (f"The third number is {what}. F1 is the harmonic mean, 2 P R / (P + R){why}.",
                    _with(mean=mean))
            for what, why, mean in (
                ("the plain mean", ", which stays near the smaller of the two",
                 lambda p, r: (p + r) / 2),
                ("the geometric mean", "", lambda p, r: math.sqrt(p * r)),
                ("the product", "", lambda p, r: p * r),
                ("the sum", "", lambda p, r: p + r),
                ("half of F1: the 2 is missing", "", lambda p, r: ratio(p * r, p + r)),
                ("2 (P + R) / (P R)", "", lambda p, r: ratio(2 * (p + r), p * r)),
                ("the smaller of the two", "", min),
                ("the larger of the two", "", max),
                ("F2", ", where both weigh the same", lambda p, r: ratio(5 * p * r, 4 * p + r)),
            )
        ),
        (
            "These are percents. Shares from 0 to 1 are asked.",
            lambda hypothesis, reference, n: tuple(
                100 * share for share in _measures(hypothesis, reference, n)
            ),
        ),
        *(
            (
                "n has no effect: these are the shares of single words.",
                _single_words(tokenize),
            )
            for tokenize in (tokenize_13a, str.split)
        ),
        *(
            (
                f"n has no effect: these are the shares of n = {k}.",
                lambda hypothesis, reference, n, k=k: _measures(hypothesis, reference, k),
            )
            for k in (2, 3, 4)
        ),
        *only_a_part(_measures, "precision", "recall", "F1"),
        (
            "F1 stands first: precision, recall and F1 are asked for, in this order.",
            lambda hypothesis, reference, n: (
                (found := _measures(hypothesis, reference, n))[2:] + found[:2]
            ),
        ),
        ("All orders from 1 to n are counted together. Only n-grams of n tokens are asked.",
                _all_orders),
        ("Only n-grams in the same place count as matches. Where they stand does not "
                "matter.", _by_place),
        (
            'Split at spaces, "sat." is another token than "sat": cut with metrics.tokenize_13a.',
            _with(tokenize=str.split),
        ),
        (
            "Split at spaces and with capitals made small, these are other tokens than those of "
            "metrics.tokenize_13a.",
            _with(tokenize=lambda text: text.lower().split()),
        ),
        (_CASE, _with(tokenize=_small)),
        ("The full stop is thrown away. tokenize_13a makes a token of it, that counts.",
                _with(tokenize=_words)),
        ("These are n-grams of letters: a text is cut into tokens first, with "
                "metrics.tokenize_13a.", _with(tokenize=_letters)),
        (
            "The matches are divided by the number of tokens. How many n-grams does a sentence of "
            "T tokens have?",
            _by_tokens,
        ),
    ],
)  # fmt: skip
