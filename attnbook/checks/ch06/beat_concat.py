"""Exercise 6.3: ``beat_concat``."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor

from attnbook.checks.ch05.shared import each, told
from attnbook.checks.shared import Inputs, normal
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


def _examples() -> Inputs:
    for seed, count, choices, size in ((1, 2, 2, 2), (2, 4, 3, 3), (3, 4, 4, 2), (4, 12, 5, 3)):
        make = normal(seed)
        score, query, keys = _Concat(seed, size), make(count, size), make(count, choices, size)
        wanted = score(query, keys).argmax(-1)
        wanted[1::2] = (wanted[1::2] + 1) % choices  # every second one is wrong
        yield {"score": score, "query": query, "keys": keys, "wanted": wanted}
    make = normal(7)
    score, query, keys = _Concat(7, 3), make(3, 3), make(3, 3, 3)  # whatever a sign lies along
    wanted = score(query, keys).argmax(-1)
    wanted[1] = (wanted[1] + 1) % 3
    yield {"score": score, "query": query, "keys": keys, "wanted": wanted}
    make = normal(8)
    score, query, keys = _Concat(8, 2), make(2, 2), make(2, 3, 2)
    wanted = score(query, keys).argmax(-1)  # all are right
    yield {"score": score, "query": query, "keys": keys, "wanted": wanted}
    make = normal(6)
    score, query, keys = _Concat(6, 2), make(3, 2), make(3, 4, 2)
    wanted = score(query, keys).argmin(-1)  # none is right
    yield {"score": score, "query": query, "keys": keys, "wanted": wanted}
    make = normal(5)
    keys = make(5, 3, 4)
    wanted = torch.tensor([2, 0, 1, 1, 0])
    query = keys[torch.arange(5), wanted] + 0.5 * make(5, 4)
    yield {"score": _even, "query": query, "keys": keys, "wanted": wanted}


def _right(call: Call) -> Tensor:
    found: Tensor = call.score(call.query, call.keys).argmax(-1) == call.wanted
    return found


def _mirrored(call: Call) -> Tensor:
    """For each example 1 where it came back as it was, −1 where mirrored, 0 where neither."""
    query, keys = call.result
    signs = []
    for n in range(len(call.query)):
        found = 0
        for sign in (1, -1):
            pairs = ((query[n], sign * call.query[n]), (keys[n], sign * call.keys[n]))
            if all(torch.allclose(a, b, atol=1e-5) for a, b in pairs):
                found = sign
        signs.append(found)
    return torch.tensor(signs)


def _whole_examples(call: Call) -> str | None:
    signs = _mirrored(call)
    if bool(signs.all()):
        return None
    n = int((signs == 0).nonzero()[0])
    return (
        f"Example {n} is neither the given one nor its mirror image: in a mirror image the query "
        "*and* all keys have flipped signs."
    )


def _wrong_stay(call: Call) -> str | None:
    for n, (sign, right) in enumerate(zip(_mirrored(call).tolist(), _right(call).tolist())):
        if sign == -1 and not right:
            return (
                f"Example {n} was mirrored, though the score got it wrong. An odd score may get "
                "its mirror image right: leave it as it is."
            )
    return None


def _right_go(call: Call) -> str | None:
    for n, (sign, right) in enumerate(zip(_mirrored(call).tolist(), _right(call).tolist())):
        if sign == 1 and right:
            return f"Example {n} came back as it was, and the score gets it right. Mirror it."
    return None


def _turned(
    which: Callable[[Tensor, Tensor], Tensor],
    query_too: bool = True,
    keys_too: bool = True,
) -> Callable[..., Any]:
    """Mirror the examples of a mask that is made from scores and wanted."""

    def answer(score: Score, query: Tensor, keys: Tensor, wanted: Tensor) -> Examples:
        sign = torch.where(which(score(query, keys), wanted), -1.0, 1.0)
        return (
            sign.unsqueeze(1) * query if query_too else query.clone(),
            sign.view(-1, 1, 1) * keys if keys_too else keys.clone(),
        )

    return answer


def _is_right(scores: Tensor, wanted: Tensor) -> Tensor:
    return scores.argmax(-1) == wanted


def _wanted_key_alone(score: Score, query: Tensor, keys: Tensor, wanted: Tensor) -> Examples:
    right, rows = _is_right(score(query, keys), wanted), torch.arange(len(wanted))
    keys = keys.clone()
    keys[rows, wanted] = torch.where(right, -1.0, 1.0).unsqueeze(1) * keys[rows, wanted]
    return torch.where(right, -1.0, 1.0).unsqueeze(1) * query, keys


def _signs(
    of_query: Callable[[Tensor], Tensor], of_keys: Callable[[Tensor], Tensor], instead: float = -1.0
) -> Callable[..., Any]:
    """Query and keys times a sign for each example, whose dimensions are these."""

    def answer(score: Score, query: Tensor, keys: Tensor, wanted: Tensor) -> Examples:
        sign = torch.where(_is_right(score(query, keys), wanted), instead, 1.0)
        return query * of_query(sign), keys * of_keys(sign)

    return answer


def _column(sign: Tensor) -> Tensor:
    return sign.unsqueeze(1)


def _asked_one_by_one(score: Score, query: Tensor, keys: Tensor, wanted: Tensor) -> Examples:
    right = [score(q, k).argmax(-1) == w for q, k, w in zip(query, keys, wanted)]
    sign = torch.where(torch.stack(right), -1.0, 1.0)
    return _column(sign) * query, sign.view(-1, 1, 1) * keys


def _about_mirror_images(score: Score, query: Tensor, keys: Tensor, wanted: Tensor) -> Examples:
    sign = torch.where(_is_right(score(-query, -keys), wanted), -1.0, 1.0)
    return _column(sign) * query, sign.view(-1, 1, 1) * keys


def _added_behind(score: Score, query: Tensor, keys: Tensor, wanted: Tensor) -> Examples:
    return torch.cat([query, -query]), torch.cat([keys, -keys])


def _others_of_keys(score: Score, query: Tensor, keys: Tensor, wanted: Tensor) -> Examples:
    new_query, new_keys = beat_concat(score, query, keys, wanted)
    rows = torch.arange(len(wanted))
    new_keys[rows, wanted] = keys[rows, wanted]
    return new_query, new_keys


def _reversed(of_query: tuple[int, ...], of_keys: tuple[int, ...]) -> Callable[..., Any]:
    """Right examples in the opposite order along some dimensions."""

    def answer(score: Score, query: Tensor, keys: Tensor, wanted: Tensor) -> Examples:
        right = _is_right(score(query, keys), wanted)
        turned = query.flip(of_query), keys.flip(of_keys)
        return (
            torch.where(right[:, None], turned[0], query),
            torch.where(right[:, None, None], turned[1], keys),
        )

    return answer


def _only(of_right: bool) -> Callable[..., Any]:
    def answer(score: Score, query: Tensor, keys: Tensor, wanted: Tensor) -> Examples:
        kept = _is_right(score(query, keys), wanted) == of_right
        sign = -1.0 if of_right else 1.0
        return sign * query[kept], sign * keys[kept]

    return answer


def _as_asked(give: Callable[..., Any]) -> Callable[..., Any]:
    """Something else than the two tensors, made from them and from which examples are right."""

    def answer(score: Score, query: Tensor, keys: Tensor, wanted: Tensor) -> Any:
        new = beat_concat(score, query, keys, wanted)
        return give(*new, _is_right(score(query, keys), wanted))

    return answer


def _sorted(x: Tensor, first: Tensor) -> Tensor:
    return torch.cat([x[first], x[~first]])


CHECK = Exercise(
    "beat_concat",
    reference=beat_concat,
    inputs=_examples,
    rules={
        "every example is the given one or its mirror image": _whole_examples,
        "what the score gets wrong stays as it is": _wrong_stay,
        "what the score gets right is mirrored": _right_go,
    },
    gradients=(),  # examples are chosen; nothing goes back through that
    mistakes=[
        *each(
            _turned,
            (
                "The wrong examples are mirrored and the right ones kept: it is the other way "
                "round.",
                lambda scores, wanted: ~_is_right(scores, wanted),
            ),
            (
                "All examples are mirrored. An odd score may then get right what it got wrong: "
                "mirror only those that it gets right.",
                lambda scores, wanted: torch.ones_like(wanted, dtype=torch.bool),
            ),
            (
                "The examples come back as they were given.",
                lambda scores, wanted: torch.zeros_like(wanted, dtype=torch.bool),
            ),
            (
                "The *lowest* score is taken for the score's choice: argmax, not argmin.",
                lambda scores, wanted: scores.argmin(-1) == wanted,
            ),
            (
                "The highest of all scores of all examples is taken. Each example has its own: "
                "argmax over the last dimension.",
                lambda scores, wanted: scores.argmax() == wanted,
            ),
            (
                "An example is mirrored if the score of its wanted key is positive. What counts "
                "is whether it is the *highest* of its row.",
                lambda scores, wanted: scores.gather(1, wanted[:, None]).squeeze(1) > 0,
            ),
            (
                "An example counts as right if its wanted key is *above the mean*. What counts is "
                "whether it is the highest of its row.",
                lambda scores, wanted: (
                    scores.gather(1, wanted[:, None]).squeeze(1) > scores.mean(-1)
                ),
            ),
            (
                "If one example is right, all are mirrored. Decide for each example: the sign "
                "needs one number per example.",
                lambda scores, wanted: _is_right(scores, wanted).any().expand(len(wanted)),
            ),
            (
                "Nothing is mirrored unless all examples are right. Decide for each example: the "
                "sign needs one number per example.",
                lambda scores, wanted: _is_right(scores, wanted).all().expand(len(wanted)),
            ),
            (
                "argmax(0) asks which *example* has the highest score. Each example has its own "
                "highest: argmax over the last dimension.",
                lambda scores, wanted: scores.argmax(0) == wanted,
            ),
            (
                "An example counts as right if the weight of its wanted key is above a half. What "
                "counts is whether its score is the *highest* of its row.",
                lambda scores, wanted: (
                    scores.softmax(-1).gather(1, wanted[:, None]).squeeze(1) > 0.5
                ),
            ),
        ),
        (
            "Only the query is mirrored. The mirror image flips the keys as well: oddness says "
            "something about (−s, −h), and nothing about (−s, h).",
            _turned(_is_right, keys_too=False),
        ),
        (
            "Only the keys are mirrored. The mirror image flips the query as well: oddness says "
            "something about (−s, −h), and nothing about (s, −h).",
            _turned(_is_right, query_too=False),
        ),
        (
            "Of the keys only the wanted one is flipped. In the mirror image all are: the score "
            "must rank the whole row in reverse.",
            _wanted_key_alone,
        ),
        (
            "Of the keys all but the wanted one are flipped. In the mirror image all are: the "
            "score must rank the whole row in reverse.",
            _others_of_keys,
        ),
        (
            "The factor of the keys is (N, 1), so that it lies along the keys of an example. It "
            "lies along the examples as (N, 1, 1).",
            _signs(_column, _column),
        ),
        (
            "The factor is (N,), so that it lies along the numbers of a vector. It lies along the "
            "examples as (N, 1) for the query and (N, 1, 1) for the keys.",
            _signs(lambda sign: sign, lambda sign: sign),
        ),
        (
            "The factor of the keys is (N,), so that it lies along the numbers of a vector. It "
            "lies along the examples as (N, 1, 1).",
            _signs(_column, lambda sign: sign),
        ),
        (
            "What is right is multiplied by 0. The mirror image is −s and −h: multiply by −1.",
            _signs(_column, lambda sign: sign.view(-1, 1, 1), 0.0),
        ),
        (
            "The score is asked about the mirror images. Asked is what it gets right of the "
            "examples as they are given.",
            _about_mirror_images,
        ),
        (
            "The score is asked about one example at a time, without the dimension of the "
            "examples. It takes all N at once, (N, H) and (N, S, H).",
            _asked_one_by_one,
        ),
        (
            "The mirror images are added behind the examples. They take the place of those that "
            "are right: N come back.",
            _added_behind,
        ),
        *told(
            "Numbers or keys change their order here. The mirror image has the opposite *signs*: "
            "−s and all −h, each in its place.",
            *(_reversed(q, k) for q in ((1,), ()) for k in ((1,), (2,), (1, 2))),
        ),
        *told(
            "Only a part of the examples comes back. All N are asked for, mirrored or not.",
            _only(True),
            _only(False),
        ),
        *each(
            _as_asked,
            (
                "The keys come first here. Return query, keys.",
                lambda query, keys, right: (keys, query),
            ),
            ("Only the query comes back. Return query, keys.", lambda query, keys, right: query),
            ("Only the keys come back. Return query, keys.", lambda query, keys, right: keys),
            *told(
                "Which examples are right comes back: the changed query and keys are asked for.",
                lambda query, keys, right: right,
                lambda query, keys, right: (right, keys),
            ),
            *told(
                "The examples have changed their places. Example n comes back as number n, "
                "mirrored or not.",
                lambda query, keys, right: (_sorted(query, right), _sorted(keys, right)),
                lambda query, keys, right: (_sorted(query, ~right), _sorted(keys, ~right)),
            ),
        ),
    ],
)
