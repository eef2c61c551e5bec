"""Exercise 9.4: ``corpus_bleu``."""

import math
import statistics
from typing import Any

from attnbook.checks.inputs import Inputs
from attnbook.checks.ngrams import REFERENCE, ratio, sentences
from attnbook.checks.rules import refused, unlike
from attnbook.exercises import Call, Exercise
from attnbook.exercises.values import difference, fmt
from attnlib import metrics
from attnlib.metrics import tokenize_13a


def corpus_bleu(hypotheses: Any, references: Any) -> Any:
    """BLEU of a corpus, 0 to 100, unsmoothed. Two lists of strings → float."""
    c = r = 0
    matches, totals = [0] * 4, [0] * 4
    for hypothesis, reference in zip(hypotheses, references):
        texts = metrics.tokenize_13a(hypothesis), metrics.tokenize_13a(reference)
        c, r = c + len(texts[0]), r + len(texts[1])
        for n in range(4):
            written, known = (metrics.ngram_counts(tokens, n + 1) for tokens in texts)
            matches[n] += (written & known).total()
            totals[n] += written.total()
    if min(matches) == 0:
        return 0.0
    mean = sum(math.log(m / t) for m, t in zip(matches, totals)) / 4
    return 100 * metrics.brevity_penalty(c, r) * math.exp(mean)


def _corpora() -> Inputs:
    long = "the cat sat on the mat and the dog"
    for hypotheses, references in (
        ("a dog ran on", "a dog ran on it"),
        (REFERENCE, REFERENCE),
        (REFERENCE, long),
        (long, REFERENCE),
        (f"{REFERENCE}|a dog ran on", f"{REFERENCE}|a dog ran on a hat and a mat"),
        ("it sat on the mat", "a dog ran on the hat"),
        (
            "the cat sat on the mat.|the the the the dog ran on the mat.",
            "the cat sat on the mat and ran.|a dog ran on the mat.",
        ),
        (
            "|the cat sat on the mat|it did",
            "a dog|the cat sat on the mat and the dog sat on it|yes, it did.",
        ),
        map("|".join, sentences(1, 6, 0.8)),
    ):
        yield {"hypotheses": hypotheses.split("|"), "references": references.split("|")}


def _counts(hypotheses: Any, references: Any) -> Any:
    """c, r and the matches and totals of the four orders."""
    pairs = [(tokenize_13a(h), tokenize_13a(r)) for h, r in zip(hypotheses, references)]
    matches, totals = [0] * 4, [0] * 4
    for pair in pairs:
        for n in range(4):
            h, r = (metrics.ngram_counts(tokens, n + 1) for tokens in pair)
            matches[n], totals[n] = matches[n] + (h & r).total(), totals[n] + h.total()
    return *(sum(map(len, side)) for side in zip(*pairs)), matches, totals


def _with(
    mean: Any = lambda precisions: math.prod(precisions) ** 0.25,
    penalty: Any = metrics.brevity_penalty,
) -> Any:
    """BLEU, with another mean of the precisions or another penalty."""

    def score(hypotheses: Any, references: Any) -> Any:
        c, r, matches, totals = _counts(hypotheses, references)
        return 100 * penalty(c, r) * mean(list(map(ratio, matches, totals)))

    return score


def _cut_into_tokens(call: Call) -> str | None:
    texts = {"hypotheses": ["a dog ran on the mat ."], "references": ["a dog ran on the mat."]}
    why = "metrics.tokenize_13a turns both into the same seven tokens."
    return unlike(call, 100.0, why, **texts)


def _zeros(call: Call) -> str | None:
    why = "where one of the four precisions is 0, or there are no n-grams, the score is 0."
    for hypothesis, reference in (
        ("the cat sat on", "a dog ran under it"),
        ("the cat sat", "the cat sat"),
        ("", "the cat sat on it"),
    ):
        texts: dict[str, Any] = {"hypotheses": [hypothesis], "references": [reference]}
        message = refused(call, why.capitalize(), **texts)
        if message := message or unlike(call, corpus_bleu(**texts), why, **texts):
            return message
    return None


def _formula(call: Call) -> str | None:
    """Every number on the way."""
    if not difference(call.result, call.expected):
        return None
    c, r, matches, totals = _counts(call.hypotheses, call.references)
    shares = ", ".join(f"{match}/{total}" for match, total in zip(matches, totals))
    return (
        f"You return {fmt(call.result)}, where {fmt(call.expected)} is expected: over all "
        f"sentences the precisions are {shares}, c = {c} and r = {r}, so the penalty is "
        f"{fmt(metrics.brevity_penalty(c, r))}."
    )


CHECK = Exercise(
    corpus_bleu,
    inputs=_corpora,
    rules={
        "the score is 100 · penalty · the fourth root of the product of the precisions": _formula,
        "texts are cut by tokenize_13a": _cut_into_tokens,
        "where an order has no match, the score is 0, without an error": _zeros,
    },
    mistakes={
        "This is the mean of the sentences' scores. Add up the counts of all sentences first, "
        "and divide once.": (
            lambda hypotheses, references: statistics.fmean(
                corpus_bleu([h], [r]) for h, r in zip(hypotheses, references)
            )
        ),
        "The brevity penalty gets the lengths the wrong way around: c, the length of the "
        "hypotheses, comes first.": _with(penalty=lambda c, r: metrics.brevity_penalty(r, c)),
        "You take the plain mean of the four precisions. BLEU takes the geometric mean, exp of "
        "the mean of the logarithms.": _with(
            mean=lambda precisions: statistics.fmean(precisions) * all(precisions)
        ),
    },
)
