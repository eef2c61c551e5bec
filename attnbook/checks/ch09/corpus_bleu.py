"""Exercise 9.4: ``corpus_bleu``.

Long, because BLEU is computed wrongly in some sixty known ways, and each has its sentence.
"""

from __future__ import annotations

import math
import statistics
from collections import Counter
from typing import Any

from attnbook.checks.ch09.shared import (
    ORDERS,
    REFERENCE,
    ratio,
    refused,
    sentences,
    unclipped,
    unlike,
)
from attnbook.checks.shared import Inputs
from attnbook.exercises import Call, Exercise
from attnbook.exercises.values import difference, shown
from attnlib import metrics
from attnlib.metrics import tokenize_13a


def corpus_bleu(hypotheses: Any, references: Any) -> Any:
    """BLEU of a corpus, 0 to 100, unsmoothed. Two lists of strings → float."""
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


def _corpora() -> Inputs:
    for hypotheses, references in (
        ("the cat sat on the mat|a dog ran", "the cat sat on a mat|a dog ran under the hat"),
        (
            "the cat sat on the mat.|the the the the dog ran on the mat.",
            "the cat sat on the mat and ran.|a dog ran on the mat.",
        ),
        ("a dog ran on", "a dog ran on it"),
        ("it sat on the mat", "a dog ran on the hat"),
        ("the dog ran", "the dog ran under the hat"),
        (
            "The cat sat on it|a dog ran and ran and ran and ran",
            "the cat sat on it all day|a dog ran and ran and ran",
        ),
        (
            "|the cat sat on the mat|it did",
            "a dog|the cat sat on the mat and the dog sat on it|yes, it did.",
        ),
        map("|".join, sentences(1, 6, 0.8)),
    ):
        yield {"hypotheses": hypotheses.split("|"), "references": references.split("|")}


# Ways to get it wrong -----------------------------------------------------------------------------


def _geometric(precisions: Any) -> Any:
    return math.prod(precisions) ** (1 / len(precisions))


def _without_zeros(precisions: Any) -> Any:
    return _geometric([p for p in precisions if p] or [0.0])


def _counts(
    hypotheses: Any,
    references: Any,
    tokenize: Any = tokenize_13a,
    orders: Any = ORDERS,
    shared: Any = lambda h, r: (h & r).total(),
    total: Any = lambda h, r: h.total(),
) -> Any:
    """c, r and, of every order, each sentence's matches and total."""
    pairs = [(tokenize(h), tokenize(r)) for h, r in zip(hypotheses, references)]
    rows = []
    for n in orders:
        grams = [(metrics.ngram_counts(h, n), metrics.ngram_counts(r, n)) for h, r in pairs]
        rows.append([(shared(h, r), total(h, r)) for h, r in grams])
    return *(sum(map(len, side)) for side in zip(*pairs)), rows


def _bleu(
    hypotheses: Any,
    references: Any,
    *,
    precision: Any = lambda row: ratio(*map(sum, zip(*row))),
    mean: Any = _geometric,
    penalty: Any = metrics.brevity_penalty,
    **options: Any,
) -> Any:
    """BLEU, with other ways to count or to put the counts together."""
    c, r, rows = _counts(hypotheses, references, **options)
    return 100 * penalty(c, r) * mean([precision(row) for row in rows])


def _with(**options: Any) -> Any:
    return lambda hypotheses, references: _bleu(hypotheses, references, **options)


def _of_other_texts(change: Any) -> Any:
    return lambda hypotheses, references: corpus_bleu(change(hypotheses), change(references))


def _other_score(change: Any) -> Any:
    return lambda hypotheses, references: change(corpus_bleu(hypotheses, references))


def _of_sentences(score: Any) -> Any:
    """The mean of the sentences' scores."""
    return lambda hypotheses, references: statistics.fmean(
        score([h], [r]) for h, r in zip(hypotheses, references)
    )


def _smoothed(kind: str) -> Any:
    return lambda hypotheses, references: (
        metrics.corpus_bleu(hypotheses, references, smoothing=kind).score
    )


def _penalties(choose: Any) -> Any:
    """The penalty is chosen from those of the sentences."""

    def score(hypotheses: Any, references: Any) -> Any:
        pairs = zip(hypotheses, references)
        each = [metrics.brevity_penalty(*map(len, map(tokenize_13a, pair))) for pair in pairs]
        return _bleu(hypotheses, references, penalty=lambda c, r: choose(each))

    return score


def _clipped_at_the_end(hypotheses: Any, references: Any) -> Any:
    """The counts of all sentences are put together, and clipped then."""

    def counted(texts: Any, n: int) -> Any:
        return sum((metrics.ngram_counts(tokenize_13a(text), n) for text in texts), Counter())

    both = [(counted(hypotheses, n), counted(references, n)) for n in ORDERS]
    precisions = [ratio((h & r).total(), h.total()) for h, r in both]
    return _bleu(hypotheses, references, mean=lambda _: _geometric(precisions))


def _all_match(hypotheses: Any, references: Any) -> bool:
    """Whether each of the sentences has a match in every order."""
    return all(m for row in _counts(hypotheses, references)[2] for m, _ in row)


def _without_empty_orders(hypotheses: Any, references: Any) -> Any:
    kept = [(h, r) for h, r in zip(hypotheses, references) if _all_match([h], [r])]
    return corpus_bleu(*zip(*kept)) if kept else 0.0


# Rules --------------------------------------------------------------------------------------------


def _scores(why: str, *pairs: tuple[str, str]) -> Any:
    """A rule: sentences and their references have the score that they should."""
    hypotheses, references = map(list, zip(*pairs))
    return lambda call: unlike(
        call,
        corpus_bleu(hypotheses, references),
        why,
        hypotheses=hypotheses,
        references=references,
    )


def _order_of_sentences(call: Call) -> str | None:
    turned = call(hypotheses=call.hypotheses[::-1], references=call.references[::-1])
    if math.isclose(turned, call.result, rel_tol=1e-6, abs_tol=1e-6):
        return None
    return (
        f"The same sentences in the reverse order get {shown(turned)}, and {shown(call.result)} in "
        "this one. Sums do not depend on the order."
    )


def _tokens(call: Call) -> str | None:
    stop = "metrics.tokenize_13a makes the same seven tokens of both."
    capital = "The and the are two tokens, capitals count."
    return _scores(stop, ("a dog ran on the mat .", "a dog ran on the mat."))(call) or _scores(
        capital, ("The dog ran on the mat", "the dog ran on the mat")
    )(call)


def _zeros(call: Call) -> str | None:
    why = "where one of the four precisions is 0, or there are no n-grams, the score is 0."
    for hypothesis, reference in (
        ("the cat sat on", "a dog ran under it"),
        ("the cat sat", "the cat sat"),
        ("a cat sat on the", "the cat sat on it"),
        ("the cat sat on", "the cat sits on"),
        ("", "the cat sat on it"),
    ):
        given: dict[str, Any] = {"hypotheses": [hypothesis], "references": [reference]}
        told = refused(call, why.capitalize(), **given)
        if told := told or unlike(call, corpus_bleu(**given), why, **given):
            return told
    return None


def _formula(call: Call) -> str | None:
    """Every number on the way."""
    if not difference(call.result, call.expected):
        return None
    c, r, rows = _counts(call.hypotheses, call.references)
    shares = ", ".join("{}/{}".format(*map(sum, zip(*row))) for row in rows)
    return (
        f"{shown(call.result)} comes, where {shown(call.expected)} is expected: over all sentences "
        f"the precisions are {shares}, c = {c} and r = {r}, so that the penalty is "
        f"{shown(metrics.brevity_penalty(c, r))}."
    )


_MEAN = (
    "This is the mean of the sentences' scores. Add up the counts of all sentences first, and "
    "divide once."
)
_AVERAGED = (
    "The precisions of the sentences are averaged. p_n is all matches of the corpus over all "
    "n-grams of the corpus."
)
_EXCHANGED = (
    "The brevity penalty is given the lengths the wrong way round: c, the length of the "
    "hypotheses, comes first."
)
_ONE_PENALTY = "The penalty is that of one sentence. Sum the lengths over all sentences."
_PLAIN = (
    "The four precisions are averaged with the plain mean. BLEU takes the geometric one, exp of "
    "the mean of the logarithms."
)
_RECALL = (
    "The matches are divided by the n-grams of the reference: that is recall. Precision divides "
    "by those of the hypothesis."
)
_GLUED = (
    "The sentences are glued together before counting: n-grams cross their borders, and a word may "
    "be found in another sentence's reference. Count in each sentence."
)
_SMALL = "Capitals are made small: The and the are two tokens here."
_ZERO = (
    "Where one of the four precisions is 0, the score is 0, without smoothing; here something "
    "comes in its place."
)
_ROUNDED = "The score is rounded. Give it as it is; whoever prints it may round it."

CHECK = Exercise(
    "corpus_bleu",
    reference=corpus_bleu,
    inputs=_corpora,
    rules={
        "a perfect translation scores 100": _scores(
            "a perfect translation.", (REFERENCE, REFERENCE)
        ),
        "the counts of all sentences are summed, and then divided": _scores(
            "two perfect sentences, one of them of three words. A sentence without 4-grams adds 0 "
            "to the matches and 0 to the total: sum first, then divide.",
            (REFERENCE, REFERENCE),
            ("a dog ran", "a dog ran"),
        ),
        "what is too short is worth exp(1 − r/c) of it": _scores(
            "all n-grams are right, but c = 6 and r = 9: only exp(1 − 9/6) of 100 is left.",
            (REFERENCE, "the cat sat on the mat and the dog"),
        ),
        "the precisions are put together by their geometric mean": _scores(
            "matches 6, 5, 4, 3 of 9, 8, 7, 6 n-grams, and the fourth root of the product of these "
            "precisions; c = 9 is more than r = 6, and that costs nothing.",
            ("the cat sat on the mat and the dog", REFERENCE),
        ),
        "matches are clipped": _scores(
            "what the reference has once counts once, so the matches are 4, 3, 2, 1 of 8, 7, 6, 5 "
            "n-grams.",
            ("a b c d a b c d", "a b c d e f g h"),
        ),
        "lengths are summed, and the penalty is taken once": _scores(
            "all n-grams of the corpus are right, c = 6 + 4 and r = 6 + 9 are sums over the "
            "sentences, and the penalty is taken once, exp(1 − 15/10).",
            (REFERENCE, REFERENCE),
            ("a dog ran on", "a dog ran on a hat and a mat"),
        ),
        "the order of the sentences does not matter": _order_of_sentences,
        "texts are cut by tokenize_13a": _tokens,
        "where an order has no match, the score is 0, and no error": _zeros,
        "the score is 100 · penalty · the fourth root of the product of the precisions": _formula,
    },
    mistakes=[
        (_MEAN, _of_sentences(corpus_bleu)),
        (_MEAN, _of_sentences(_with(mean=_without_zeros))),
        *((_MEAN, _of_sentences(_smoothed(kind))) for kind in metrics.SMOOTHINGS),
        (_AVERAGED, _with(precision=lambda row: statistics.fmean(ratio(m, t) for m, t in row))),
        (
            _AVERAGED,
            _with(precision=lambda row: statistics.fmean([m / t for m, t in row if t] or [0.0])),
        ),
        (_EXCHANGED, _with(penalty=lambda c, r: metrics.brevity_penalty(r, c))),
        (_EXCHANGED, _with(penalty=lambda c, r: 1.0 if r >= c else math.exp(1 - c / r))),
        (_EXCHANGED, _with(penalty=lambda c, r: 1.0 if c >= r else math.exp(1 - c / r))),
        (_ONE_PENALTY, _penalties(lambda each: each[0])),
        (_ONE_PENALTY, _penalties(lambda each: each[-1])),
        (_PLAIN, _with(mean=statistics.fmean)),
        (_PLAIN, _with(mean=lambda ps: statistics.fmean(ps) * all(ps))),
        (_RECALL, _with(total=lambda h, r: r.total())),
        (_RECALL, _with(total=lambda h, r: r.total(), penalty=lambda c, r: 1.0)),
        (_GLUED, _of_other_texts(lambda texts: [" ".join(texts)])),
        (_GLUED, _of_other_texts(lambda texts: ["".join(texts)])),
        (_SMALL, _with(tokenize=lambda text: tokenize_13a(text.lower()))),
        (_SMALL, _with(tokenize=lambda text: text.lower().split())),
        *((_ZERO, _smoothed(kind)) for kind in metrics.SMOOTHINGS if kind != "none"),
        *(
            (_ZERO, _with(mean=lambda ps, tiny=tiny: _geometric([p or tiny for p in ps])))
            for tiny in (1e-6, 1e-8, 1e-9, 1e-10, 1e-12, 1e-16)
        ),
        *(
            (f"{what}. BLEU counts n = 1, 2, 3 and 4.", _with(orders=orders))
            for what, orders in {
                "Only n = 1 is counted": (1,),
                "Only n = 2 is counted": (2,),
                "Only n = 3 is counted": (3,),
                "Only n = 4 is counted, or the smallest precision": (4,),
                "Only n = 1 and 2 are counted": (1, 2),
                "The orders stop at 3": (1, 2, 3),
                "The orders begin at 2": (2, 3, 4),
                "The orders go from 2 to 5": (2, 3, 4, 5),
                "The orders go on to 5": (1, 2, 3, 4, 5),
                "The orders go on to 6": (1, 2, 3, 4, 5, 6),
            }.items()
        ),
        (_ROUNDED, _other_score(round)),
        (_ROUNDED, _other_score(lambda score: round(score, 1))),
        (_ROUNDED, _other_score(lambda score: round(score, 2))),
        *{
            "The brevity penalty is missing: here a translation may stop early, and that is "
            "free.": _with(penalty=lambda c, r: 1.0),
            "The penalty has no upper limit: what is too long is rewarded. It is 1 at most.": _with(
                penalty=lambda c, r: math.exp(1 - r / c) if c else 0.0
            ),
            "The fourth root is taken of the penalty as well, as where its logarithm is inside the "
            "mean. The penalty is a factor of the whole.": _with(
                penalty=lambda c, r: metrics.brevity_penalty(c, r) ** 0.25
            ),
            "The penalty is taken for each sentence and averaged. Sum the lengths, and take it "
            "once: a short sentence may be made up for by a long one.": _penalties(
                statistics.fmean
            ),
            "The lengths are numbers of letters. They are numbers of "
            "tokens.": lambda hypotheses, references: _bleu(
                hypotheses,
                references,
                penalty=lambda c, r: metrics.brevity_penalty(
                    len("".join(hypotheses)), len("".join(references))
                ),
            ),
            "The brevity penalty is min(1, c/r) here. Use exp(1 − r/c) below r.": _with(
                penalty=lambda c, r: min(1.0, ratio(c, r))
            ),
            "The four precisions are put together by the harmonic mean. BLEU takes the geometric "
            "one, exp of the mean of the logarithms.": _with(mean=statistics.harmonic_mean),
            "The precisions are multiplied, and the fourth root is missing.": _with(mean=math.prod),
            **{
                f"The root of the product is {what}, and four precisions ask for the "
                "fourth.": _with(mean=lambda ps, root=root: math.prod(ps) ** (1 / root))
                for what, root in (("the square root", 2), ("the third", 3), ("the fifth", 5))
            },
            **{
                f"The logarithm has the base {base}, and exp undoes the natural one: math.log.": (
                    _with(mean=lambda ps, base=base: _geometric(ps) ** (1 / math.log(base)))
                )
                for base in (2, 10)
            },
            'The matches are not clipped: "the the the" finds its one "the" three times.': _with(
                shared=unclipped
            ),
            "Kinds of n-grams are counted, not occurrences.": _with(
                shared=lambda h, r: len(h & r), total=lambda h, r: len(h)
            ),
            "The matches are kinds of n-grams, and the totals occurrences. What both have twice "
            "counts twice.": _with(shared=lambda h, r: len(h & r)),
            "The counts of all sentences are put together before they are clipped, so that a word "
            "may be found in another sentence's reference. Clip in each sentence, and sum "
            "then.": _clipped_at_the_end,
            'Split at spaces, "mat." is another token than "mat": cut with '
            "metrics.tokenize_13a.": _with(tokenize=str.split),
            "These are n-grams of letters. Cut the texts into tokens, with "
            "metrics.tokenize_13a.": _with(tokenize=list),
            "A precision that is 0 is left out of the mean. Where one is 0, the score is 0.": _with(
                mean=_without_zeros
            ),
            "A sentence without a match in some order is left out. It adds to totals and lengths, "
            "and its other matches count.": _without_empty_orders,
            "One sentence without a match in some order makes the whole score 0. Look at the sums "
            "after the loop.": lambda hypotheses, references: (
                corpus_bleu(hypotheses, references) * _all_match(hypotheses, references)
            ),
            "Only the last sentence is scored. Sum over all of them.": _of_other_texts(
                lambda texts: texts[-1:]
            ),
            "Only the first sentence is scored. Is the return in the loop?": _of_other_texts(
                lambda texts: texts[:1]
            ),
            "The value lies between 0 and 1. BLEU is written from 0 to 100.": _other_score(
                lambda score: score / 100
            ),
        }.items(),
    ],
)
