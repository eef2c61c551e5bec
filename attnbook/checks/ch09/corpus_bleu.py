"""Exercise 9.4: ``corpus_bleu``."""

from __future__ import annotations

import math
import statistics
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

from attnbook.checks.ch09.shared import ORDERS, REFERENCE, Grams, ratio, refused, sentences, unlike
from attnbook.checks.shared import Inputs
from attnbook.exercises import Call, Exercise
from attnbook.exercises.values import difference, shown
from attnlib import metrics
from attnlib.metrics import Real, tokenize_13a


def corpus_bleu(hypotheses: Any, references: Any) -> Any:
    """BLEU of a corpus, 0 to 100, unsmoothed. Two lists of strings of equal length → float."""
    c = r = 0
    matches, totals = [0] * 4, [0] * 4
    for hypothesis, reference in zip(hypotheses, references):
        one, other = metrics.tokenize_13a(hypothesis), metrics.tokenize_13a(reference)
        c, r = c + len(one), r + len(other)
        for n in range(4):
            said, known = metrics.ngram_counts(one, n + 1), metrics.ngram_counts(other, n + 1)
            matches[n] += (said & known).total()
            totals[n] += said.total()
    if min(matches) == 0:
        return 0.0
    mean = sum(math.log(m / t) for m, t in zip(matches, totals)) / 4
    return 100 * metrics.brevity_penalty(c, r) * math.exp(mean)


Corpus: TypeAlias = Sequence[str]
Tokenize: TypeAlias = Callable[[str], list[str]]


def _corpora() -> Inputs:
    yield {
        "hypotheses": ["the cat sat on the mat", "a dog ran"],
        "references": ["the cat sat on a mat", "a dog ran under the hat"],
    }
    yield {
        "hypotheses": ["the cat sat on the mat.", "the the the the dog ran on the mat."],
        "references": ["the cat sat on the mat and ran.", "a dog ran on the mat."],
    }
    yield {"hypotheses": ["a dog ran on"], "references": ["a dog ran on it"]}
    yield {"hypotheses": ["it sat on the mat"], "references": ["a dog ran on the hat"]}
    yield {"hypotheses": ["the dog ran"], "references": ["the dog ran under the hat"]}
    yield {
        "hypotheses": ["The cat sat on it", "a dog ran and ran and ran and ran"],
        "references": ["the cat sat on it all day", "a dog ran and ran and ran"],
    }
    yield {
        "hypotheses": ["", "the cat sat on the mat", "it did"],
        "references": ["a dog", "the cat sat on the mat and the dog sat on it", "yes, it did."],
    }
    hypotheses, references = sentences(1, 6, 0.8)
    yield {"hypotheses": hypotheses, "references": references}


def _clipped(h: Grams, r: Grams) -> int:
    return (h & r).total()


def _geometric(precisions: Sequence[Real]) -> float:
    if min(precisions) <= 0:
        return 0.0
    return math.exp(sum(map(math.log, precisions)) / len(precisions))


def _penalty(c: Real, r: Real) -> float:
    if not c:
        return 0.0
    return 1.0 if c >= r else math.exp(1 - r / c)


def _counts(
    hypotheses: Corpus,
    references: Corpus,
    *,
    tokenize: Tokenize = tokenize_13a,
    orders: Sequence[int] = ORDERS,
    shared: Callable[[Grams, Grams], int] = _clipped,
    change: Callable[[Grams], Grams] = lambda grams: grams,
    recall: bool = False,
) -> tuple[list[tuple[int, int]], list[list[tuple[int, int]]]]:
    """Of every sentence (c, r), and (matches, total) of every order."""
    lengths, counts = [], []
    for pair in zip(hypotheses, references):
        one, other = map(tokenize, pair)
        lengths.append((len(one), len(other)))
        both = [
            (change(metrics.ngram_counts(one, n)), change(metrics.ngram_counts(other, n)))
            for n in orders
        ]
        counts.append([(shared(h, r), (r if recall else h).total()) for h, r in both])
    return lengths, counts


def _summed(rows: Sequence[Sequence[tuple[int, int]]]) -> list[Real]:
    """Precisions of the corpus."""
    return [ratio(sum(m for m, _ in order), sum(t for _, t in order)) for order in zip(*rows)]


def _bleu(
    hypotheses: Corpus,
    references: Corpus,
    *,
    mean: Callable[[Sequence[Real]], Real] = _geometric,
    penalty: Callable[[Real, Real], Real] = _penalty,
    lengths_by: Callable[[Sequence[int]], Real] = sum,
    each: bool = False,
    **options: Any,
) -> float:
    """BLEU; the options are ways to get it wrong."""
    lengths, counts = _counts(hypotheses, references, **options)
    factor = (
        sum(penalty(c, r) for c, r in lengths) / len(lengths)
        if each
        else penalty(*map(lengths_by, zip(*lengths)))
    )
    return 100 * factor * mean(_summed(counts))


def _variant(**options: Any) -> Callable[..., Real]:
    return lambda hypotheses, references: _bleu(hypotheses, references, **options)


def _of_sentences(**options: Any) -> Callable[..., Real]:
    """The mean of the sentences' scores."""
    return lambda hypotheses, references: statistics.fmean(
        _bleu([h], [r], **options) for h, r in zip(hypotheses, references)
    )


def _mean_of_precisions(over: str) -> Callable[..., Real]:
    """The precisions of the sentences are averaged: over all, or over those that have n-grams."""

    def score(hypotheses: Corpus, references: Corpus) -> float:
        lengths, counts = _counts(hypotheses, references)
        means = []
        for order in zip(*counts):
            shares = [ratio(m, t) for m, t in order if t or over == "all"]
            means.append(ratio(sum(shares), len(shares)))
        return 100 * _penalty(*map(sum, zip(*lengths))) * _geometric(means)

    return score


def _clipped_at_the_end(hypotheses: Corpus, references: Corpus) -> float:
    """The counts of all sentences are put together, and clipped then."""
    sides: list[list[Grams]] = []
    for texts in (hypotheses, references):
        grams = [[metrics.ngram_counts(tokenize_13a(text), n) for text in texts] for n in ORDERS]
        sides.append([sum(counts, Counter()) for counts in grams])
    precisions = [ratio(_clipped(h, r), h.total()) for h, r in zip(*sides)]
    lengths, _ = _counts(hypotheses, references)
    return 100 * _penalty(*map(sum, zip(*lengths))) * _geometric(precisions)


def _of_library(kind: str) -> Callable[..., Real]:
    return lambda hypotheses, references: statistics.fmean(
        metrics.corpus_bleu([h], [r], smoothing=kind).score for h, r in zip(hypotheses, references)
    )


def _rounded(digits: int) -> Callable[..., Real]:
    return lambda hypotheses, references: round(_bleu(hypotheses, references), digits)


def _glued(join: str) -> Callable[..., Real]:
    return lambda hypotheses, references: _bleu([join.join(hypotheses)], [join.join(references)])


def _smoothed(kind: str) -> Callable[..., Real]:
    return lambda hypotheses, references: (
        metrics.corpus_bleu(hypotheses, references, smoothing=kind).score
    )


def _last_only(hypotheses: Corpus, references: Corpus) -> float:
    return _bleu(hypotheses[-1:], references[-1:])


def _first_only(hypotheses: Corpus, references: Corpus) -> float:
    return _bleu(hypotheses[:1], references[:1])


def _without_empty_orders(hypotheses: Corpus, references: Corpus) -> float:
    """Sentences without a match in some order are left out."""
    kept = [
        (h, r) for h, r in zip(hypotheses, references) if all(m for m, _ in _counts([h], [r])[1][0])
    ]
    return _bleu(*zip(*kept)) if kept else 0.0


def _zero_at_once(hypotheses: Corpus, references: Corpus) -> float:
    """One sentence without a match in some order makes all 0."""
    rows = _counts(hypotheses, references)[1]
    return _bleu(hypotheses, references) * all(m for row in rows for m, _ in row)


def _no_zeros(precisions: Sequence[Real]) -> float:
    return _geometric([p for p in precisions if p] or [0.0])


def _nearly(epsilon: Real) -> Callable[[Sequence[Real]], Real]:
    return lambda precisions: math.exp(
        sum(math.log(p if p else epsilon) for p in precisions) / len(precisions)
    )


def _perfect(call: Call) -> str | None:
    text = [REFERENCE]
    return unlike(call, 100.0, "a perfect translation.", hypotheses=text, references=text)


def _sum_first(call: Call) -> str | None:
    texts = [REFERENCE, "a dog ran"]
    why = (
        "two perfect sentences, one of them of three words. A sentence without 4-grams adds 0 to "
        "the matches and 0 to the total: sum first, then divide."
    )
    return unlike(call, 100.0, why, hypotheses=texts, references=texts)


def _short(call: Call) -> str | None:
    whole = "the cat sat on the mat and the dog"
    why = "all n-grams are right, but c = 6 and r = 9: only exp(1 − 9/6) of 100 is left."
    right = 100 * _penalty(6, 9)
    return unlike(call, right, why, hypotheses=[REFERENCE], references=[whole])


def _long(call: Call) -> str | None:
    given: dict[str, Any] = {
        "hypotheses": ["the cat sat on the mat and the dog"],
        "references": [REFERENCE],
    }
    why = (
        "matches 6, 5, 4, 3 of 9, 8, 7, 6 n-grams, and the fourth root of the product of these "
        "precisions; c = 9 is more than r = 6, and that costs nothing."
    )
    return unlike(call, _bleu(**given), why, **given)


def _clips(call: Call) -> str | None:
    given: dict[str, Any] = {"hypotheses": ["a b c d a b c d"], "references": ["a b c d e f g h"]}
    why = (
        "what the reference has once counts once, so the matches are 4, 3, 2, 1 of 8, 7, 6, 5 "
        "n-grams."
    )
    return unlike(call, _bleu(**given), why, **given)


def _over_sentences(call: Call) -> str | None:
    given: dict[str, Any] = {
        "hypotheses": ["the cat sat on the mat", "a dog ran on"],
        "references": [REFERENCE, "a dog ran on a hat and a mat"],
    }
    why = (
        "all n-grams of the corpus are right, c = 6 + 4 and r = 6 + 9 are sums over the sentences, "
        "and the penalty is taken once, exp(1 − 15/10)."
    )
    return unlike(call, 100 * _penalty(10, 15), why, **given)


def _order_of_sentences(call: Call) -> str | None:
    turned = call(hypotheses=call.hypotheses[::-1], references=call.references[::-1])
    if math.isclose(turned, call.result, rel_tol=1e-6, abs_tol=1e-6):
        return None
    return (
        f"The same sentences in the reverse order get {shown(turned)}, and {shown(call.result)} in "
        "this one. Sums do not depend on the order."
    )


def _tokens(call: Call) -> str | None:
    for hypothesis, reference, why in (
        (
            "a dog ran on the mat .",
            "a dog ran on the mat.",
            "metrics.tokenize_13a makes the same seven tokens of both.",
        ),
        (
            "The dog ran on the mat",
            "the dog ran on the mat",
            "The and the are two tokens, capitals count.",
        ),
    ):
        given: dict[str, Any] = {"hypotheses": [hypothesis], "references": [reference]}
        if told := unlike(call, _bleu(**given), why, **given):
            return told
    return None


def _zeros(call: Call) -> str | None:
    for hypothesis, reference in (
        ("the cat sat on", "a dog ran under it"),
        ("the cat sat", "the cat sat"),
        ("a cat sat on the", "the cat sat on it"),
        ("the cat sat on", "the cat sits on"),
        ("", "the cat sat on it"),
    ):
        why = "where one of the four precisions is 0, or there are no n-grams, the score is 0."
        given: dict[str, Any] = {"hypotheses": [hypothesis], "references": [reference]}
        told = refused(call, why.capitalize(), **given)
        if told := told or unlike(call, _bleu(**given), why, **given):
            return told
    return None


def _formula(call: Call) -> str | None:
    """Every number on the way."""
    if not difference(call.result, call.expected):
        return None
    lengths, counts = _counts(call.hypotheses, call.references)
    c, r = map(sum, zip(*lengths))
    shares = ", ".join(
        f"{sum(m for m, _ in order)}/{sum(t for _, t in order)}" for order in zip(*counts)
    )
    return (
        f"{shown(call.result)} comes, where {shown(call.expected)} is expected: over all sentences "
        f"the precisions are {shares}, c = {c} and r = {r}, so that the penalty is "
        f"{shown(_penalty(c, r))}."
    )


_MEAN = (
    "This is the mean of the sentences' scores. Add up the counts of all sentences first, and "
    "divide once."
)
_AVERAGED = (
    "The precisions of the sentences are averaged. p_n is all matches of the corpus over all "
    "n-grams of the corpus."
)
_PLAIN = (
    "The four precisions are averaged with the plain mean. BLEU takes the geometric one, exp of "
    "the mean of the logarithms."
)
_GLUED = (
    "The sentences are glued together before counting: n-grams cross their borders, and a word may "
    "be found in another sentence's reference. Count in each sentence."
)
_ZERO = (
    "Where one of the four precisions is 0, the score is 0, without smoothing; here something "
    "comes in its place."
)

CHECK = Exercise(
    "corpus_bleu",
    reference=corpus_bleu,
    inputs=_corpora,
    rules={
        "a perfect translation scores 100": _perfect,
        "the counts of all sentences are summed, and then divided": _sum_first,
        "what is too short is worth exp(1 − r/c) of it": _short,
        "the precisions are put together by their geometric mean": _long,
        "matches are clipped": _clips,
        "lengths are summed, and the penalty is taken once": _over_sentences,
        "the order of the sentences does not matter": _order_of_sentences,
        "texts are cut by tokenize_13a": _tokens,
        "where an order has no match, the score is 0, and no error": _zeros,
        "the score is 100 · penalty · the fourth root of the product of the precisions": _formula,
    },
    mistakes=[
        *((_MEAN, _of_sentences(mean=mean)) for mean in (_geometric, _no_zeros)),
        *((_MEAN, _of_library(kind)) for kind in metrics.SMOOTHINGS),
        *((_AVERAGED, _mean_of_precisions(over)) for over in ("all", "some")),
        (
            "The brevity penalty is missing: here a translation may stop early, and that is free.",
            _variant(penalty=lambda c, r: 1.0),
        ),
        *(
            (
                "The brevity penalty is given the lengths the wrong way round: c, the length of "
                "the hypotheses, comes first.",
                _variant(penalty=penalty),
            )
            for penalty in (
                lambda c, r: metrics.brevity_penalty(r, c),
                lambda c, r: 1.0 if r >= c else math.exp(1 - c / r),
                lambda c, r: 1.0 if c >= r else math.exp(1 - c / r),
            )
        ),
        (
            "The penalty has no upper limit: what is too long is rewarded. It is 1 at most.",
            _variant(penalty=lambda c, r: math.exp(1 - r / c) if c else 0.0),
        ),
        (
            "The fourth root is taken of the penalty as well, as where its logarithm is inside the "
            "mean. The penalty is a factor of the whole.",
            _variant(penalty=lambda c, r: _penalty(c, r) ** 0.25),
        ),
        (
            "The penalty is taken for each sentence and averaged. Sum the lengths, and take it "
            "once: a short sentence may be made up for by a long one.",
            _variant(each=True),
        ),
        *(
            (
                "The penalty is that of one sentence. Sum the lengths over all sentences.",
                _variant(lengths_by=lambda column, place=place: column[place]),
            )
            for place in (0, -1)
        ),
        (
            "The lengths are numbers of letters. They are numbers of tokens.",
            lambda hypotheses, references: (
                _bleu(hypotheses, references, penalty=lambda c, r: 1.0)
                * _penalty(sum(map(len, hypotheses)), sum(map(len, references)))
            ),
        ),
        (
            "The brevity penalty is min(1, c/r) here. Use exp(1 − r/c) below r.",
            _variant(penalty=lambda c, r: min(1.0, ratio(c, r))),
        ),
        (_PLAIN, _variant(mean=statistics.fmean)),
        (
            _PLAIN,
            _variant(mean=lambda ps: statistics.fmean(ps) if min(ps) > 0 else 0.0),
        ),
        (
            "The four precisions are put together by the harmonic mean. BLEU takes the geometric "
            "one, exp of the mean of the logarithms.",
            _variant(mean=lambda ps: statistics.harmonic_mean(ps) if min(ps) > 0 else 0.0),
        ),
        (
            "The precisions are multiplied, and the fourth root is missing.",
            _variant(mean=math.prod),
        ),
        *(
            (
                f"The root of the product is {what}, and four precisions ask for the fourth.",
                _variant(mean=lambda ps, root=root: math.prod(ps) ** (1 / root)),
            )
            for what, root in (("the square root", 2), ("the third", 3), ("the fifth", 5))
        ),
        *(
            (
                f"The logarithm has the base {base}, and exp undoes the natural one: math.log.",
                _variant(
                    mean=lambda ps, base=base: (
                        math.exp(sum(math.log(p, base) for p in ps) / 4) if min(ps) > 0 else 0.0
                    )
                ),
            )
            for base in (2, 10)
        ),
        (
            'The matches are not clipped: "the the the" finds its one "the" three times.',
            _variant(shared=lambda h, r: sum(count for gram, count in h.items() if gram in r)),
        ),
        (
            "Kinds of n-grams are counted, not occurrences.",
            _variant(change=lambda grams: Counter(set(grams))),
        ),
        (
            "The matches are kinds of n-grams, and the totals occurrences. What both have twice "
            "counts twice.",
            _variant(shared=lambda h, r: len(h & r)),
        ),
        *(
            (
                "The matches are divided by the n-grams of the reference: that is recall. "
                "Precision divides by those of the hypothesis.",
                _variant(recall=True, penalty=penalty),
            )
            for penalty in (_penalty, lambda c, r: 1.0)
        ),
        *((_GLUED, _glued(join)) for join in (" ", "")),
        (
            "The counts of all sentences are put together before they are clipped, so that a word "
            "may be found in another sentence's reference. Clip in each sentence, and sum then.",
            _clipped_at_the_end,
        ),
        (
            'Split at spaces, "mat." is another token than "mat": cut with metrics.tokenize_13a.',
            _variant(tokenize=str.split),
        ),
        *(
            (
                "Capitals are made small: The and the are two tokens here.",
                _variant(tokenize=tokenize),
            )
            for tokenize in (
                lambda text: tokenize_13a(text.lower()),
                lambda text: text.lower().split(),
            )
        ),
        (
            "These are n-grams of letters. Cut the texts into tokens, with metrics.tokenize_13a.",
            _variant(tokenize=list),
        ),
        *(
            (f"{what}. BLEU counts n = 1, 2, 3 and 4.", _variant(orders=orders))
            for what, orders in (
                *((f"Only n = {n} is counted", (n,)) for n in ORDERS[:3]),
                ("Only n = 4 is counted, or the smallest precision", (4,)),
                ("Only n = 1 and 2 are counted", (1, 2)),
                ("The orders stop at 3", (1, 2, 3)),
                ("The orders begin at 2", (2, 3, 4)),
                ("The orders go from 2 to 5", (2, 3, 4, 5)),
                ("The orders go on to 5", (1, 2, 3, 4, 5)),
                ("The orders go on to 6", (1, 2, 3, 4, 5, 6)),
            )
        ),
        *((_ZERO, _smoothed(kind)) for kind in metrics.SMOOTHINGS if kind != "none"),
        (
            "A precision that is 0 is left out of the mean. Where one is 0, the score is 0.",
            _variant(mean=_no_zeros),
        ),
        *((_ZERO, _variant(mean=_nearly(10.0**-power))) for power in (6, 8, 9, 10, 12, 16)),
        (
            "A sentence without a match in some order is left out. It adds to totals and lengths, "
            "and its other matches count.",
            _without_empty_orders,
        ),
        (
            "One sentence without a match in some order makes the whole score 0. Look at the sums "
            "after the loop.",
            _zero_at_once,
        ),
        ("Only the last sentence is scored. Sum over all of them.", _last_only),
        ("Only the first sentence is scored. Is the return in the loop?", _first_only),
        (
            "The value lies between 0 and 1. BLEU is written from 0 to 100.",
            lambda hypotheses, references: _bleu(hypotheses, references) / 100,
        ),
        *(
            (
                "The score is rounded. Give it as it is; whoever prints it may round it.",
                _rounded(digits),
            )
            for digits in range(3)
        ),
    ],
)
