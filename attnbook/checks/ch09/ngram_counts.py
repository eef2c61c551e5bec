"""Exercise 9.1: ``ngram_counts``."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Sequence

from attnbook.checks.ch09.shared import Grams
from attnbook.checks.shared import Inputs
from attnbook.exercises import Call, Exercise
from attnbook.exercises.values import shown
from attnlib import metrics
from attnlib.metrics import Real


def ngram_counts(tokens: Sequence, n: int) -> Counter:
    """How often each run of n tokens occurs. tokens: list of strings → dict tuple → int."""
    return Counter(tuple(tokens[i : i + n]) for i in range(len(tokens) - n + 1))


Counts = Callable[[Sequence[str], int], object]


def _tokens_and_order() -> Inputs:
    yield {"tokens": ["a", "b", "a", "b"], "n": 2}
    yield {"tokens": ["the", "cat", "sat", "on", "the", "mat"], "n": 1}
    yield {"tokens": ["the", "cat", "the", "cat", "the", "cat", "sat"], "n": 3}
    yield {"tokens": ["나는", "집에"], "n": 4}
    yield {"tokens": ["나는", "어제", "집에"], "n": 3}
    yield {"tokens": ["The", "cat", "and", "the", "cat", "and", "The", "cat", "."], "n": 2}
    yield {"tokens": ["나는", "나는", "나는", "나는", "나는", "집에"], "n": 2}
    yield {"tokens": [], "n": 1}


def _windows(tokens: Sequence[str], starts: Iterable[int], n: int) -> Grams:
    return Counter(tuple(tokens[i : i + n]) for i in starts)


def _longer(more: int) -> Counts:
    return lambda tokens, n: _windows(tokens, range(len(tokens) - n + 1), n + more)


def _keys(change: Callable[[tuple[str, ...]], Hashable]) -> Counts:
    """The keys are something else than tuples in the order of the sentence."""
    return lambda tokens, n: Counter(
        change(gram) for gram in metrics.ngram_counts(tokens, n).elements()
    )


def _values(change: Callable[[int, int], Real]) -> Counts:
    """The values are something else than counts; ``change`` gets a count and the sum of all."""

    def counts(tokens: Sequence[str], n: int) -> object:
        grams = metrics.ngram_counts(tokens, n)
        return {gram: change(count, grams.total()) for gram, count in grams.items()}

    return counts


def _how_many(call: Call) -> str | None:
    counted, tokens = sum(call.result.values()), len(call.tokens)
    right = max(0, tokens - call.n + 1)
    if counted == right:
        return None
    return (
        f"The counts add up to {shown(counted)}: {tokens} tokens have {right} runs of n = {call.n} "
        "(T − n + 1 of them, or none)."
    )


def _how_often(call: Call) -> str | None:
    for gram, count in call.expected.items():
        if call.result[gram] != count:
            found = shown(call.result[gram])
            return (
                f"{shown(gram)} occurs {count} times in {shown(call.tokens)}, and counts {found}."
            )
    return None


_BEYOND = "It reads beyond the last token: the last n-gram begins at token len(tokens) − n."
_STRINGS = (
    "The keys are strings: take tuples of tokens, so that (ab, c) and (a, bc) cannot be taken for "
    "one another."
)

CHECK = Exercise(
    "ngram_counts",
    reference=ngram_counts,
    inputs=_tokens_and_order,
    rules={
        "T tokens have T − n + 1 n-grams, or none": _how_many,
        "every n-gram counts as often as it occurs": _how_often,
    },
    mistakes=[
        (
            "The windows do not overlap: after the n-gram that begins at token i comes the one "
            "that begins at i + 1, not at i + n.",
            lambda tokens, n: _windows(tokens, range(0, len(tokens) - n + 1, n), n),
        ),
        (
            "The windows do not overlap, and a stump stands at the end: after the n-gram that "
            "begins at token i comes the one that begins at i + 1.",
            lambda tokens, n: _windows(tokens, range(0, len(tokens), n), n),
        ),
        (
            "The last n-gram is missing: with T tokens and n = 1 there are T of them. Where does "
            "the last one begin?",
            lambda tokens, n: _windows(tokens, range(len(tokens) - n), n),
        ),
        (
            "The first n-gram is missing: it begins at token 0.",
            lambda tokens, n: _windows(tokens, range(1, len(tokens) - n + 1), n),
        ),
        (
            "Stumps shorter than n stand at the end of the sentence. Stop when fewer than n "
            "tokens are left.",
            lambda tokens, n: _windows(tokens, range(len(tokens)), n),
        ),
        (
            "One window too many: a stump of n − 1 tokens stands at the end.",
            lambda tokens, n: _windows(tokens, range(len(tokens) - n + 2), n),
        ),
        *(
            (
                "A sentence shorter than n is counted as one run. It has none, and the dictionary "
                "is empty.",
                function,
            )
            for function in (
                lambda tokens, n: _windows(tokens, range(max(1, len(tokens) - n + 1)), n),
                lambda tokens, n: _windows(
                    tokens, range(max(bool(tokens), len(tokens) - n + 1)), n
                ),
            )
        ),
        *(
            (
                f"The runs have {what} tokens. They have n.",
                _longer(more),
            )
            for what, more in (("up to n + 1", 1), ("n − 1", -1))
        ),
        (
            "The sentence is bent to a ring: the last runs go on at its beginning.",
            lambda tokens, n: Counter(
                tuple((*tokens, *tokens)[i : i + n]) for i in range(len(tokens))
            ),
        ),
        (
            "Tokens that do not stand side by side are put together. An n-gram is a run without "
            "gaps.",
            lambda tokens, n: Counter(itertools.combinations(tokens, n)),
        ),
        (
            "Every n-gram has the count 1: an n-gram that occurs twice should count 2.",
            _values(lambda count, total: 1),
        ),
        (
            "Every count is too small by one: the first time, an n-gram counts 1.",
            _values(lambda count, total: count - 1),
        ),
        (
            "Every count is too large by one: the first time, an n-gram counts 1.",
            _values(lambda count, total: count + 1),
        ),
        (
            "These are shares of all n-grams. Counts are asked: do not divide.",
            _values(lambda count, total: count / total),
        ),
        *(
            (_STRINGS, _keys(function))
            for function in (
                " ".join,
                "".join,
                "_".join,
                "-".join,
                str,
                lambda gram: str(list(gram)),
            )
        ),
        (
            "For n = 1 the keys are the tokens themselves. They are tuples for every n, of one "
            "token there: (token,).",
            _keys(lambda gram: gram[0] if len(gram) == 1 else gram),
        ),
        (
            "The keys are sets: the order of the tokens, and what occurs twice in a run, is lost. "
            "Take tuples.",
            _keys(frozenset),
        ),
        (
            "All orders from 1 to n are counted together. Only runs of exactly n tokens are asked.",
            lambda tokens, n: sum(
                (metrics.ngram_counts(tokens, k) for k in range(1, n + 1)), Counter()
            ),
        ),
        (
            "The tokens of a key are sorted: (the, cat) and (cat, the) are different bigrams, and "
            "that is what n-grams are for.",
            _keys(lambda gram: tuple(sorted(gram))),
        ),
        (
            "The tokens of a key stand in the reverse order.",
            _keys(lambda gram: gram[::-1]),
        ),
        (
            "Capitals are made small: The and the are two tokens here.",
            lambda tokens, n: metrics.ngram_counts([token.lower() for token in tokens], n),
        ),
        (
            "The letters are counted, and not the tokens.",
            lambda tokens, n: metrics.ngram_counts("".join(tokens), n),
        ),
        (
            "The letters are counted, and not the tokens.",
            lambda tokens, n: metrics.ngram_counts(" ".join(tokens), n),
        ),
        (
            "The places of an n-gram are collected. How many there are is asked.",
            lambda tokens, n: {
                gram: [i for i in range(len(tokens) - n + 1) if tuple(tokens[i : i + n]) == gram]
                for gram in metrics.ngram_counts(tokens, n)
            },
        ),
        (
            "The n-grams are listed one by one. A dictionary from n-gram to count is asked.",
            lambda tokens, n: [tuple(tokens[i : i + n]) for i in range(len(tokens) - n + 1)],
        ),
        (
            "The n-grams are listed, without their counts. A dictionary from n-gram to count is "
            "asked.",
            lambda tokens, n: set(metrics.ngram_counts(tokens, n)),
        ),
        (
            "A list cannot be a key of a dictionary, as it can change: tuple(…) makes a key of it.",
            lambda tokens, n: Counter(tokens[i : i + n] for i in range(len(tokens) - n + 1)),
        ),
        (
            _BEYOND,
            lambda tokens, n: Counter(
                tuple(tokens[i + k] for k in range(n)) for i in range(len(tokens))
            ),
        ),
        (
            _BEYOND,
            lambda tokens, n: Counter(
                tuple(tokens[i + k] for k in range(n)) for i in range(len(tokens) - n + 2)
            ),
        ),
    ],
)
