"""Exercise 9.1: ``ngram_counts``."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from attnbook.checks.ch09.shared import Grams
from attnbook.checks.shared import Inputs
from attnbook.exercises import Exercise, Mistake
from attnlib import metrics


def _tokens_and_order() -> Inputs:
    yield {"tokens": ["a", "b", "a", "b"], "n": 2}
    yield {"tokens": ["the", "cat", "sat", "on", "the", "mat"], "n": 1}
    yield {"tokens": ["the", "cat", "the", "cat", "the", "cat", "sat"], "n": 3}
    yield {"tokens": ["나는", "집에"], "n": 4}


def _windows(tokens: Sequence[str], starts: range, n: int) -> Grams:
    return Counter(tuple(tokens[i : i + n]) for i in starts)


CHECK = Exercise(
    "ngram_counts",
    reference=metrics.ngram_counts,
    inputs=_tokens_and_order,
    rules={
        "T tokens have T − n + 1 n-grams, or none": lambda call: (
            sum(call.result.values()) == max(0, len(call.tokens) - call.n + 1)
        ),
        "every key is a tuple of n tokens": lambda call: all(
            isinstance(gram, tuple) and len(gram) == call.n for gram in call.result
        ),
    },
    mistakes=[
        Mistake(
            "The windows do not overlap: after the n-gram that begins at token i comes the one "
            "that begins at i + 1, not at i + n.",
            lambda tokens, n: _windows(tokens, range(0, len(tokens) - n + 1, n), n),
        ),
        Mistake(
            "The last n-gram is missing: with T tokens and n = 1 there are T of them. Where does "
            "the last one begin?",
            lambda tokens, n: _windows(tokens, range(len(tokens) - n), n),
        ),
        Mistake(
            "Stumps shorter than n stand at the end of the sentence. Stop when fewer than n "
            "tokens are left.",
            lambda tokens, n: _windows(tokens, range(len(tokens)), n),
        ),
        Mistake(
            "Every n-gram has the count 1: an n-gram that occurs twice should count 2.",
            lambda tokens, n: dict.fromkeys(metrics.ngram_counts(tokens, n), 1),
        ),
        Mistake(
            "The keys are strings: take tuples of tokens, so that (ab, c) and (a, bc) cannot be "
            "taken for one another.",
            lambda tokens, n: {" ".join(g): c for g, c in metrics.ngram_counts(tokens, n).items()},
        ),
        Mistake(
            "All orders from 1 to n are counted together. Only runs of exactly n tokens are asked.",
            lambda tokens, n: sum(
                (metrics.ngram_counts(tokens, k) for k in range(1, n + 1)), Counter()
            ),
        ),
        Mistake(
            "The tokens of a key are sorted: (the, cat) and (cat, the) are different bigrams, and "
            "that is what n-grams are for.",
            lambda tokens, n: Counter(
                tuple(sorted(g)) for g in metrics.ngram_counts(tokens, n).elements()
            ),
        ),
    ],
)
