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


def _mirrored(call: Call) -> list[int]:
    """The sign of each example, where its query and all of its keys have the same."""
    query, keys = call.result
    signs = []
    for n in range(len(call.query)):
        of_query, of_keys = _sign(query[n], call.query[n]), _sign(keys[n], call.keys[n])
        signs.append(of_query if of_query == of_keys else 0)
    return signs


_WORDS = {1: "as it was", -1: "flipped", 0: "something else"}


def _whole_examples(call: Call) -> str | None:
    signs = _mirrored(call)
    if all(signs):
        return None
    n = signs.index(0)
    query, keys = call.result
    of_keys = ", ".join(_WORDS[_sign(new, key)] for new, key in zip(keys[n], call.keys[n]))
    return (
        f"Example {n} is neither the given one nor its mirror image: its query is "
        f"{_WORDS[_sign(query[n], call.query[n])]}; its keys, one by one: {of_keys}. In a mirror "
        "image the query *and* all keys have flipped signs, and nothing else."
    )


def _by_the_score(call: Call) -> str | None:
    right = call.score(call.query, call.keys).argmax(-1) == call.wanted
    for n, (sign, is_right) in enumerate(zip(_mirrored(call), right.tolist())):
        if sign == 1 and is_right:
            return f"Example {n} came back as it was, and the score gets it right. Mirror it."
        if sign == -1 and not is_right:
            return (
                f"Example {n} was mirrored, though the score got it wrong. An odd score may get "
                "its mirror image right: leave it as it is."
            )
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
        "every example is the given one or its mirror image": _whole_examples,
        "what the score gets right is mirrored, and what it gets wrong is not": _by_the_score,
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
