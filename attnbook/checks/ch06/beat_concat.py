"""Exercise 6.3: ``beat_concat``."""

from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor

from attnbook.checks.inputs import Inputs, normal
from attnbook.exercises import Call, Exercise

Score = Callable[[Tensor, Tensor], Tensor]
Examples = tuple[Tensor, Tensor]


def beat_concat(score: Score, query: Tensor, keys: Tensor, wanted: Tensor) -> Examples:
    """query (N, H) and keys (N, S, H) with the examples that score gets right mirrored."""
    right = score(query, keys).argmax(-1) == wanted
    sign = torch.where(right, -1.0, 1.0)
    return sign.unsqueeze(1) * query, sign.view(-1, 1, 1) * keys


class _Concat:
    """v^T tanh(W [s ; h]), of random weights: an odd score."""

    def __init__(self, seed: int, size: int) -> None:
        make = normal(seed)
        self.from_query, self.from_key, self.v = make(size, 6), make(size, 6), make(6)

    def __call__(self, query: Tensor, keys: Tensor) -> Tensor:
        hidden = (query @ self.from_query).unsqueeze(1) + keys @ self.from_key
        return hidden.tanh() @ self.v


def _even(query: Tensor, keys: Tensor) -> Tensor:
    return (keys @ query.unsqueeze(2)).squeeze(2)


def _example(seed: int, count: int, choices: int, size: int) -> dict[str, Any]:
    """Of random examples every second one is wrong."""
    make = normal(seed)
    score, query, keys = _Concat(seed, size), make(count, size), make(count, choices, size)
    wanted = score(query, keys).argmax(-1)
    wanted[1::2] = (wanted[1::2] + 1) % choices
    return {"score": score, "query": query, "keys": keys, "wanted": wanted}


def _examples() -> Inputs:
    for seed, count, choices, size in ((1, 2, 2, 2), (2, 4, 3, 3), (3, 4, 4, 2), (4, 12, 5, 3)):
        yield _example(seed, count, choices, size)
    yield _example(7, 3, 3, 3)  # whatever a sign lies along
    example = _example(8, 2, 3, 2)
    yield {**example, "wanted": example["score"](example["query"], example["keys"]).argmax(-1)}
    example = _example(6, 3, 4, 2)
    yield {**example, "wanted": example["score"](example["query"], example["keys"]).argmin(-1)}
    make = normal(5)
    keys = make(5, 3, 4)
    wanted = torch.tensor([2, 0, 1, 1, 0])
    query = keys[torch.arange(5), wanted] + 0.5 * make(5, 4)
    yield {"score": _even, "query": query, "keys": keys, "wanted": wanted}


def _sign(new: Tensor, original: Tensor) -> int:
    """1 where a tensor came back as it was, −1 where its signs are flipped, 0 where neither."""
    return next((sign for sign in (1, -1) if torch.allclose(new, sign * original, atol=1e-5)), 0)


_WORDS = {1: "as it was", -1: "flipped", 0: "something else"}


def _each_example(call: Call) -> str | None:
    right = call.score(call.query, call.keys).argmax(-1) == call.wanted
    for n, is_right in enumerate(right.tolist()):
        of_query = _WORDS[_sign(call.result[0][n], call.query[n])]
        of_keys = [_WORDS[_sign(new, key)] for new, key in zip(call.result[1][n], call.keys[n])]
        if {of_query, *of_keys} != {"flipped" if is_right else "as it was"}:
            message = f"The score gets example {n} wrong: leave the query and all keys as they are."
            if is_right:
                message = f"The score gets example {n} right: flip the signs of its query and keys."
            return f"{message} Its query is {of_query}; its keys, one by one: {', '.join(of_keys)}."
    return None


def _turned(which: Callable[[Tensor, Tensor], Tensor]) -> Callable[..., Examples]:
    """Mirror the examples of a mask that is made from scores and wanted."""

    def wrong(score: Score, query: Tensor, keys: Tensor, wanted: Tensor) -> Examples:
        sign = torch.where(which(score(query, keys), wanted), -1.0, 1.0)
        return sign.unsqueeze(1) * query, sign.view(-1, 1, 1) * keys

    return wrong


def _is_right(scores: Tensor, wanted: Tensor) -> Tensor:
    return scores.argmax(-1) == wanted


def _along_numbers(score: Score, query: Tensor, keys: Tensor, wanted: Tensor) -> Examples:
    sign = torch.where(_is_right(score(query, keys), wanted), -1.0, 1.0)
    return sign * query, sign * keys


CHECK = Exercise(
    beat_concat,
    inputs=_examples,
    rules={
        "what the score gets right is mirrored, and what it gets wrong is not": _each_example,
    },
    gradients=(),  # examples are chosen; nothing goes back through that
    mistakes={
        "The wrong examples are mirrored and the right ones kept: it is the other way round.": (
            _turned(lambda scores, wanted: ~_is_right(scores, wanted))
        ),
        "The highest of all scores of all examples is taken. Each example has its own: argmax "
        "over the last dimension.": _turned(lambda scores, wanted: scores.argmax() == wanted),
        "The factor is (N,), so that it lies along the numbers of a vector. It lies along the "
        "examples as (N, 1) for the query and (N, 1, 1) for the keys.": _along_numbers,
    },
)
