"""Exercise 9.1: ``ngram_counts``."""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence

from attnbook.checks.inputs import Inputs
from attnbook.exercises import Call, Exercise
from attnbook.exercises.values import fmt


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


def _tuples(call: Call) -> str | None:
    for key in call.result:
        if not isinstance(key, tuple) or len(key) != call.n:
            return (
                f"{fmt(key)} is a key. Every key is a tuple of n = {call.n} tokens"
                + ", even for one token: (token,)" * (call.n == 1)
                + f"; the {len(call.tokens)} tokens here have none" * (len(call.tokens) < call.n)
                + "."
            )
    return None


def _how_many(call: Call) -> str | None:
    counted, tokens = sum(call.result.values()), len(call.tokens)
    expected = max(0, tokens - call.n + 1)
    if counted == expected:
        return None
    return (
        f"The counts add up to {fmt(counted)}: {tokens} tokens have {expected} runs of n = "
        f"{call.n} (T − n + 1 of them, or none)."
    )


def _how_often(call: Call) -> str | None:
    for gram, count in call.expected.items():
        if call.result[gram] != count:
            returned = fmt(call.result[gram])
            return (
                f"{fmt(gram)} occurs {count} times in {fmt(call.tokens)}, but you count {returned}."
            )
    return None


def _windows(starts: Callable[[int, int], Iterable[int]]) -> Callable[..., Counter]:
    """Runs that begin elsewhere; ``starts`` gets how many tokens there are, and n."""
    return lambda tokens, n: Counter(tuple(tokens[i : i + n]) for i in starts(len(tokens), n))


CHECK = Exercise(
    ngram_counts,
    inputs=_tokens_and_order,
    rules={
        "every key is a tuple of n tokens": _tuples,
        "T tokens have T − n + 1 n-grams, or none": _how_many,
        "every n-gram counts as often as it occurs": _how_often,
    },
    mistakes={
        "The windows do not overlap: after the n-gram that begins at token i comes the one "
        "that begins at i + 1, not at i + n.": _windows(lambda size, n: range(0, size - n + 1, n)),
        "The last n-gram is missing: with T tokens and n = 1 there are T of them. Where does "
        "the last one begin?": _windows(lambda size, n: range(size - n)),
        "Every n-gram has the count 1: an n-gram that occurs twice should count 2.": (
            lambda tokens, n: dict.fromkeys(ngram_counts(tokens, n), 1)
        ),
        "A list cannot be a key of a dictionary, because it can change: tuple(…) turns it into a "
        "key.": (lambda tokens, n: Counter(tokens[i : i + n] for i in range(len(tokens) - n + 1))),
    },
)
