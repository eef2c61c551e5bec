"""Exercise 9.2: ``overlap``."""

from __future__ import annotations

import math
from collections import Counter
from typing import Any

from attnbook.checks.ch09.shared import REFERENCE, ratio, refused, unclipped, unlike
from attnbook.checks.shared import Inputs, only_a_part
from attnbook.exercises import Call, Exercise
from attnbook.exercises.trial import listed
from attnbook.exercises.values import shown
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


# Ways to get it wrong -----------------------------------------------------------------------------


def _harmonic(p: Any, r: Any) -> Any:
    return ratio(2 * p * r, p + r)


def _with(
    shared: Any = lambda h, r: (h & r).total(),
    totals: Any = lambda h, r: (h.total(), r.total()),
    mean: Any = _harmonic,
    tokenize: Any = tokenize_13a,
    count: Any = metrics.ngram_counts,
) -> Any:
    """Precision, recall and F1 with something else in some place."""

    def wrong(hypothesis: str, reference: str, n: int) -> Any:
        one, other = (count(tokenize(text), n) for text in (hypothesis, reference))
        both = shared(one, other)
        precision, recall = map(ratio, (both, both), totals(one, other))
        return precision, recall, mean(precision, recall)

    return wrong


def _of_order(k: int, tokenize: Any = tokenize_13a) -> Any:
    return _with(tokenize=tokenize, count=lambda tokens, n: metrics.ngram_counts(tokens, k))


def _in_place(tokens: Any, n: int) -> Any:
    """N-grams that know where they stand."""
    return Counter(enumerate(zip(*(tokens[i:] for i in range(n)))))


def _all_orders(tokens: Any, n: int) -> Any:
    return sum((metrics.ngram_counts(tokens, k) for k in range(1, n + 1)), Counter())


def _by_tokens(hypothesis: str, reference: str, n: int) -> Any:
    lengths = [len(tokenize_13a(text)) for text in (hypothesis, reference)]
    return _with(totals=lambda h, r: lengths)(hypothesis, reference, n)


def _each_its_own(hypothesis: str, reference: str, n: int) -> Any:
    p = _with(shared=unclipped)(hypothesis, reference, n)[0]
    r = _with(shared=unclipped)(reference, hypothesis, n)[0]
    return p, r, _harmonic(p, r)


# Rules --------------------------------------------------------------------------------------------


def _measures(why: str, hypothesis: str, reference: str, n: int) -> Any:
    """A rule: two texts have the precision, recall and F1 that they should."""
    given: dict[str, Any] = {"hypothesis": hypothesis, "reference": reference, "n": n}
    return lambda call: unlike(call, overlap(**given), why, **given)


def _never_above_one(call: Call) -> str | None:
    largest = max(call.result)
    if largest <= 1 + 1e-9:
        return None
    return f"One of the three is {shown(largest)}, and a share cannot be larger than 1."


def _nothing(call: Call) -> str | None:
    for hypothesis, reference, n in (
        ("a dog", "the cat", 1),
        ("the cat", REFERENCE, 3),
        (REFERENCE, "the cat", 3),
        ("", "", 1),
    ):
        given = {"hypothesis": hypothesis, "reference": reference, "n": n}
        why = "what would be divided by zero is 0."
        told = refused(call, why.capitalize(), **given) or unlike(call, (0.0,) * 3, why, **given)
        if told:
            return told
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
    where = f"With {', '.join(listed(given))}:"
    names = ("precision", "recall"), ("hypothesis", "reference"), map(Counter.total, grams)
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
        *(
            (
                f"The third number is {what}. F1 is the harmonic mean, 2 P R / (P + R){why}.",
                _with(mean=mean),
            )
            for what, why, mean in (
                (
                    "the plain mean",
                    ", which stays near the smaller of the two",
                    lambda p, r: (p + r) / 2,
                ),
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
        *(
            ("n has no effect: these are the shares of single words.", _of_order(1, tokenize))
            for tokenize in (tokenize_13a, str.split)
        ),
        *((f"n has no effect: these are the shares of n = {k}.", _of_order(k)) for k in (2, 3, 4)),
        *only_a_part(overlap, "precision", "recall", "F1"),
        *{
            'Not clipped: "the" occurs once in the reference "the cat", so only one "the" of three '
            "may count as a match.": _with(shared=unclipped),
            "The occurrences in the reference are counted as matches. An n-gram counts as often as "
            "*both* have it: take the smaller of the two counts.": _with(
                shared=lambda h, r: unclipped(r, h)
            ),
            "The larger of the two counts is taken for a shared n-gram. The smaller one is asked: "
            "clipped.": _with(
                shared=lambda h, r: sum(max(h[x], r[x]) for x in h.keys() & r.keys())
            ),
            "Precision takes the counts of the hypothesis as they are, recall those of the "
            "reference. A shared n-gram counts as often as both have it, in both.": _each_its_own,
            "Kinds of n-grams are counted, not occurrences: in a set, three times the is as good "
            "as once.": _with(count=lambda *given: Counter(set(metrics.ngram_counts(*given)))),
            "The matches are kinds of n-grams and the totals are occurrences. What both have twice "
            "counts twice.": _with(shared=lambda h, r: len(h & r)),
            "The matches are occurrences and the totals are kinds. Divide by all n-grams, those "
            "that repeat too.": _with(totals=lambda h, r: (len(h), len(r))),
            "Precision and recall are exchanged: precision divides by the n-grams of the "
            "hypothesis (how much of what I said is right?).": lambda hypothesis, reference, n: (
                overlap(reference, hypothesis, n)
            ),
            "Both are divided by the n-grams of the hypothesis. Recall divides by those of the "
            "reference.": _with(totals=lambda h, r: (h.total(), h.total())),
            "Both are divided by the n-grams of the reference. Precision divides by those of the "
            "hypothesis.": _with(totals=lambda h, r: (r.total(), r.total())),
            "The matches are divided by the n-grams of both texts together.": _with(
                totals=lambda h, r: ((h | r).total(), (h | r).total())
            ),
            "These are percents. Shares from 0 to 1 are asked.": lambda hypothesis, reference, n: (
                tuple(100 * share for share in overlap(hypothesis, reference, n))
            ),
            "F1 stands first: precision, recall and F1 are asked for, in this "
            "order.": lambda hypothesis, reference, n: (
                (found := overlap(hypothesis, reference, n))[2:] + found[:2]
            ),
            "All orders from 1 to n are counted together. Only n-grams of n tokens are "
            "asked.": _with(count=_all_orders),
            "Only n-grams in the same place count as matches. Where they stand does not "
            "matter.": _with(count=_in_place),
            'Split at spaces, "sat." is another token than "sat": cut with '
            "metrics.tokenize_13a.": _with(tokenize=str.split),
            "Split at spaces and with capitals made small, these are other tokens than those of "
            "metrics.tokenize_13a.": _with(tokenize=lambda text: text.lower().split()),
            "Capitals are made small: The and the are two tokens here.": _with(
                tokenize=lambda text: tokenize_13a(text.lower())
            ),
            "The full stop is thrown away. tokenize_13a makes a token of it, that counts.": _with(
                tokenize=lambda text: [token for token in tokenize_13a(text) if token.isalnum()]
            ),
            "These are n-grams of letters: a text is cut into tokens first, with "
            "metrics.tokenize_13a.": _with(tokenize=list),
            "The matches are divided by the number of tokens. How many n-grams does a sentence of "
            "T tokens have?": _by_tokens,
        }.items(),
    ],
)
