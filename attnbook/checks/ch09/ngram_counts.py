"""Exercise 9.1: ``ngram_counts``."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Sequence
from typing import Any

from attnbook.checks.shared import Inputs
from attnbook.exercises import Call, Exercise
from attnbook.exercises.values import shown


def ngram_counts(tokens: Sequence, n: int) -> Counter:
    """How often each run of n tokens occurs. List of strings → dict tuple → int."""
    return Counter(tuple(tokens[i : i + n]) for i in range(len(tokens) - n + 1))


def _tokens_and_order() -> Inputs:
    for text, n in (
        ("a b a b", 2),
        ("the cat sat on the mat", 1),
        ("the cat the cat the cat sat", 3),
        ("나는 집에", 4),
        ("나는 어제 집에", 3),
        ("The cat and the cat and The cat .", 2),
        ("나는 나는 나는 나는 나는 집에", 2),
        ("", 1),
    ):
        yield {"tokens": text.split(), "n": n}


# Ways to get it wrong -----------------------------------------------------------------------------


def _windows(starts: Any, more: int = 0) -> Any:
    """Runs that begin elsewhere; ``starts`` gets how many tokens there are, and n."""
    return lambda tokens, n: Counter(
        tuple(tokens[i : i + n + more]) for i in starts(len(tokens), n)
    )


def _indexed(end: Any) -> Any:
    """Runs put together token by token: what lies beyond the last raises IndexError."""
    return lambda tokens, n: Counter(
        tuple(tokens[i + k] for k in range(n)) for i in range(end(len(tokens), n))
    )


def _keys(change: Any) -> Any:
    """The keys are something else than tuples in the order of the sentence."""
    return lambda tokens, n: Counter(map(change, ngram_counts(tokens, n).elements()))


def _values(change: Any) -> Any:
    """The values are something else than counts; ``change`` gets a count and the sum of all."""

    def counts(tokens: Any, n: int) -> Any:
        grams = ngram_counts(tokens, n)
        return {gram: change(count, grams.total()) for gram, count in grams.items()}

    return counts


# Rules --------------------------------------------------------------------------------------------


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


_SHORT = (
    "A sentence shorter than n is counted as one run. It has none, and the dictionary is empty."
)
_STRINGS = (
    "The keys are strings: take tuples of tokens, so that (ab, c) and (a, bc) cannot be taken for "
    "one another."
)
_LETTERS = "The letters are counted, and not the tokens."
_BEYOND = "It reads beyond the last token: the last n-gram begins at token len(tokens) − n."

CHECK = Exercise(
    "ngram_counts",
    reference=ngram_counts,
    inputs=_tokens_and_order,
    rules={
        "T tokens have T − n + 1 n-grams, or none": _how_many,
        "every n-gram counts as often as it occurs": _how_often,
    },
    mistakes=[
        (_SHORT, _windows(lambda size, n: range(max(1, size - n + 1)))),
        (_SHORT, _windows(lambda size, n: range(max(size > 0, size - n + 1)))),
        *((_STRINGS, _keys(join)) for join in (" ".join, "".join, "_".join, "-".join, str)),
        (_STRINGS, _keys(lambda gram: str(list(gram)))),
        (_LETTERS, lambda tokens, n: ngram_counts("".join(tokens), n)),
        (_LETTERS, lambda tokens, n: ngram_counts(" ".join(tokens), n)),
        *((_BEYOND, _indexed(end)) for end in (lambda size, n: size, lambda size, n: size - n + 2)),
        *{
            "The windows do not overlap: after the n-gram that begins at token i comes the one "
            "that begins at i + 1, not at i + n.": _windows(
                lambda size, n: range(0, size - n + 1, n)
            ),
            "The windows do not overlap, and a stump stands at the end: after the n-gram that "
            "begins at token i comes the one that begins at i + 1.": _windows(
                lambda size, n: range(0, size, n)
            ),
            "The last n-gram is missing: with T tokens and n = 1 there are T of them. Where does "
            "the last one begin?": _windows(lambda size, n: range(size - n)),
            "The first n-gram is missing: it begins at token 0.": _windows(
                lambda size, n: range(1, size - n + 1)
            ),
            "Stumps shorter than n stand at the end of the sentence. Stop when fewer than n "
            "tokens are left.": _windows(lambda size, n: range(size)),
            "One window too many: a stump of n − 1 tokens stands at the end.": _windows(
                lambda size, n: range(size - n + 2)
            ),
            "The runs have up to n + 1 tokens. They have n.": _windows(
                lambda size, n: range(size - n + 1), 1
            ),
            "The runs have n − 1 tokens. They have n.": _windows(
                lambda size, n: range(size - n + 1), -1
            ),
            "The sentence is bent to a ring: the last runs go on at its "
            "beginning.": lambda tokens, n: Counter(
                tuple((*tokens, *tokens)[i : i + n]) for i in range(len(tokens))
            ),
            "Tokens that do not stand side by side are put together. An n-gram is a run without "
            "gaps.": lambda tokens, n: Counter(itertools.combinations(tokens, n)),
            "Every n-gram has the count 1: an n-gram that occurs twice should count 2.": _values(
                lambda count, total: 1
            ),
            "Every count is too small by one: the first time, an n-gram counts 1.": _values(
                lambda count, total: count - 1
            ),
            "Every count is too large by one: the first time, an n-gram counts 1.": _values(
                lambda count, total: count + 1
            ),
            "These are shares of all n-grams. Counts are asked: do not divide.": _values(
                lambda count, total: count / total
            ),
            "For n = 1 the keys are the tokens themselves. They are tuples for every n, of one "
            "token there: (token,).": _keys(lambda gram: gram[0] if len(gram) == 1 else gram),
            "The keys are sets: the order of the tokens, and what occurs twice in a run, is lost. "
            "Take tuples.": _keys(frozenset),
            "All orders from 1 to n are counted together. Only runs of exactly n tokens are "
            "asked.": lambda tokens, n: sum(
                (ngram_counts(tokens, k) for k in range(1, n + 1)), Counter()
            ),
            "The tokens of a key are sorted: (the, cat) and (cat, the) are different bigrams, and "
            "that is what n-grams are for.": _keys(lambda gram: tuple(sorted(gram))),
            "The tokens of a key stand in the reverse order.": _keys(lambda gram: gram[::-1]),
            "Capitals are made small: The and the are two tokens here.": lambda tokens, n: (
                ngram_counts([token.lower() for token in tokens], n)
            ),
            "The places of an n-gram are collected. How many there are is "
            "asked.": lambda tokens, n: {
                gram: [i for i in range(len(tokens) - n + 1) if tuple(tokens[i : i + n]) == gram]
                for gram in ngram_counts(tokens, n)
            },
            "The n-grams are listed one by one. A dictionary from n-gram to count is "
            "asked.": lambda tokens, n: [
                tuple(tokens[i : i + n]) for i in range(len(tokens) - n + 1)
            ],
            "The n-grams are listed, without their counts. A dictionary from n-gram to count is "
            "asked.": lambda tokens, n: set(ngram_counts(tokens, n)),
            "A list cannot be a key of a dictionary, as it can change: tuple(…) makes a key of "
            "it.": lambda tokens, n: Counter(tokens[i : i + n] for i in range(len(tokens) - n + 1)),
        }.items(),
    ],
)
