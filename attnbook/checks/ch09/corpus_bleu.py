"""Exercise 9.4: ``corpus_bleu``."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from attnbook.checks.ch09.shared import ORDERS, REFERENCE, Numbers, ratio, sentences
from attnbook.checks.shared import Inputs
from attnbook.exercises import Call, Exercise, Mistake
from attnlib import metrics
from attnlib.metrics import Real, tokenize_13a


def _corpora() -> Inputs:
    yield {
        "hypotheses": ["the cat sat on the mat", "a dog ran"],
        "references": ["the cat sat on a mat", "a dog ran under the hat"],
    }
    yield {
        "hypotheses": ["the cat sat on the mat.", "the the the the dog ran on the mat."],
        "references": ["the cat sat on the mat and ran.", "a dog ran on the mat."],
    }
    yield {"hypotheses": ["a dog ran"], "references": ["a dog ran on"]}
    hypotheses, references = sentences(1, 6, 0.8)
    yield {"hypotheses": hypotheses, "references": references}


def _rows(hypotheses: Sequence[str], references: Sequence[str]) -> list[list[Real]]:
    """c, r, matches of n = 1 … 4, totals of n = 1 … 4 of every sentence."""
    rows: list[list[Real]] = []
    for pair in zip(hypotheses, references):
        one, other = map(tokenize_13a, pair)
        grams = [(metrics.ngram_counts(one, n), metrics.ngram_counts(other, n)) for n in ORDERS]
        rows.append([len(one), len(other)])
        rows[-1] += [(h & r).total() for h, r in grams] + [h.total() for h, _ in grams]
    return rows


def _sums(rows: Sequence[Numbers]) -> list[Real]:
    return [sum(column) for column in zip(*rows)]


def _geometric(numbers: Numbers) -> float:
    return math.exp(sum(map(math.log, numbers)) / len(numbers)) if min(numbers) > 0 else 0.0


def _precisions(sums: Numbers) -> list[float]:
    return [ratio(m, t) for m, t in zip(sums[2:6], sums[6:])]


def _from_sums(sums: Numbers, mean: Callable[[Numbers], Real] = _geometric) -> float:
    penalty = metrics.brevity_penalty(int(sums[0]), int(sums[1]))
    return 100 * penalty * mean(_precisions(sums))


def _corpus_bleu(hypotheses: Sequence[str], references: Sequence[str]) -> float:
    return _from_sums(_sums(_rows(hypotheses, references)))


def _mean_of_precisions(hypotheses: Sequence[str], references: Sequence[str]) -> float:
    rows = _rows(hypotheses, references)
    means = [sum(p) / len(rows) for p in zip(*map(_precisions, rows))]
    sums = _sums(rows)
    return 100 * metrics.brevity_penalty(int(sums[0]), int(sums[1])) * _geometric(means)


def _unclipped(hypotheses: Sequence[str], references: Sequence[str]) -> float:
    rows = _rows(hypotheses, references)
    for row, h, r in zip(rows, hypotheses, references):
        for n in ORDERS:
            known = metrics.ngram_counts(tokenize_13a(r), n)
            grams = metrics.ngram_counts(tokenize_13a(h), n)
            row[1 + n] = sum(count for gram, count in grams.items() if gram in known)
    return _from_sums(_sums(rows))


def _order_of_sentences(call: Call) -> bool:
    turned = call(hypotheses=call.hypotheses[::-1], references=call.references[::-1])
    return math.isclose(turned, call.result, rel_tol=1e-9, abs_tol=1e-9)


def _a_word_more_or_less(call: Call) -> str | None:
    score = call(hypotheses=[REFERENCE, "a dog ran"], references=[REFERENCE, "a dog ran"])
    if abs(score - 100) < 1e-6:
        return None
    return (
        f"Two perfect sentences, one of them of three words, get {score:.1f} and not 100. A "
        "sentence without 4-grams adds 0 to the matches and 0 to the total: sum first, then divide."
    )


CHECK = Exercise(
    "corpus_bleu",
    reference=_corpus_bleu,
    inputs=_corpora,
    rules={
        "a perfect translation scores 100": _a_word_more_or_less,
        "the order of the sentences does not matter": _order_of_sentences,
        "where no 4-gram matches, the score is 0": lambda call: (
            call(hypotheses=["a cat ran"], references=["a dog ran"]) == 0
        ),
    },
    mistakes=[
        Mistake(
            "This is the mean of the sentences' scores. Add up the counts of all sentences first, "
            "and divide once.",
            lambda hypotheses, references: (
                sum(map(_from_sums, _rows(hypotheses, references))) / len(hypotheses)
            ),
        ),
        Mistake(
            "The precisions of the sentences are averaged. p_n is all matches of the corpus over "
            "all n-grams of the corpus.",
            _mean_of_precisions,
        ),
        Mistake(
            "The brevity penalty is missing: here a translation may stop early, and that is free.",
            lambda hypotheses, references: (
                100 * _geometric(_precisions(_sums(_rows(hypotheses, references))))
            ),
        ),
        Mistake(
            "The four precisions are averaged with the plain mean. BLEU takes the geometric one, "
            "exp of the mean of the logarithms.",
            lambda hypotheses, references: _from_sums(
                _sums(_rows(hypotheses, references)), lambda p: sum(p) / len(p)
            ),
        ),
        Mistake(
            'The matches are not clipped: "the the the" finds its one "the" three times.',
            _unclipped,
        ),
        Mistake(
            "The sentences are glued together before counting: n-grams cross their borders, and a "
            "word may be found in another sentence's reference. Count in each sentence.",
            lambda hypotheses, references: _corpus_bleu(
                [" ".join(hypotheses)], [" ".join(references)]
            ),
        ),
        Mistake(
            "The value lies between 0 and 1. BLEU is written from 0 to 100.",
            lambda hypotheses, references: _corpus_bleu(hypotheses, references) / 100,
        ),
        Mistake(
            "The precisions are multiplied, and the fourth root is missing.",
            lambda hypotheses, references: _from_sums(
                _sums(_rows(hypotheses, references)), math.prod
            ),
        ),
        Mistake(
            "The brevity penalty is min(1, c/r) here. Use exp(1 − r/c) below r.",
            lambda hypotheses, references: _linear(_sums(_rows(hypotheses, references))),
        ),
    ],
)


def _linear(sums: Numbers) -> float:
    return 100 * min(1.0, sums[0] / sums[1]) * _geometric(_precisions(sums))
