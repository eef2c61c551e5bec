"""Exercise 5.9: ``gradients_by_path``."""

from __future__ import annotations

from collections.abc import Callable

import torch
from torch import Tensor

from attnbook.checks.ch05.shared import Decoder
from attnbook.checks.shared import Inputs, normal
from attnbook.exercises import Call, Exercise, Mistake


def _encoder(size: int) -> Callable[[Tensor], Tensor]:
    matrix = 0.8 * torch.eye(size) + 0.1

    def encode(x: Tensor) -> Tensor:
        state, states = torch.zeros(size), []
        for row in x:
            state = torch.tanh(matrix @ state + row)
            states.append(state)
        return torch.stack(states)

    return encode


def _decoder(keys: Tensor, last: Tensor) -> Tensor:
    weights = torch.softmax(keys @ last, 0)
    signs = (-1.0) ** torch.arange(len(last))
    return (signs * (weights @ keys)).sum() - 2 * (signs * last).sum()


def _mean_decoder(keys: Tensor, last: Tensor) -> Tensor:
    return keys.mean(0).sum() + 3 * last.sum()


def _roads() -> Inputs:
    yield {"encode": _encoder(1), "decode": _mean_decoder, "x": torch.tensor([[0.5], [-0.5]])}
    make = normal(9)
    yield {"encode": _encoder(3), "decode": _decoder, "x": make(4, 3)}


def _roads_of(encode: Decoder, decode: Decoder, x: Tensor) -> tuple[Tensor, Tensor]:
    return (
        _gradient(lambda states: decode(states, states[-1].detach()), encode, x),
        _gradient(lambda states: decode(states.detach(), states[-1]), encode, x),
    )


def _gradient(loss: Callable[[Tensor], Tensor], encode: Decoder, x: Tensor) -> Tensor:
    x = x.detach().requires_grad_()
    return torch.autograd.grad(loss(encode(x)), x)[0]


def _add_up(call: Call) -> str | None:
    whole = _gradient(lambda states: call.decode(states, states[-1]), call.encode, call.x)
    both = call.result[0] + call.result[1]
    if torch.allclose(both, whole, atol=1e-5):
        return None
    return (
        f"The two gradients add up to a length of {float(both.norm()):.3f}; with nothing detached "
        f"the gradient has a length of {float(whole.norm()):.3f}. Which road is missing, or "
        "counted twice?"
    )


def _twice(encode: Decoder, decode: Decoder, x: Tensor) -> tuple[Tensor, Tensor]:
    whole = _gradient(lambda states: decode(states, states[-1]), encode, x)
    return whole, whole


CHECK = Exercise(
    "gradients_by_path",
    reference=_roads_of,
    inputs=_roads,
    rules={"the two roads add up to the whole gradient": _add_up},
    mistakes=[
        Mistake(
            "The two are exchanged: what is detached gets no gradient, so to follow the keys you "
            "detach the last state.",
            lambda encode, decode, x: _roads_of(encode, decode, x)[::-1],
        ),
        Mistake(
            "Both are the whole gradient. Was nothing detached, or has one .grad collected both "
            "roads?",
            _twice,
        ),
        Mistake(
            "The second is the whole gradient: when you follow the last state, the keys must be "
            "detached.",
            lambda encode, decode, x: (
                _roads_of(encode, decode, x)[0],
                _twice(encode, decode, x)[1],
            ),
        ),
        Mistake(
            "The first is the whole gradient: when you follow the keys, the last state must be "
            "detached.",
            lambda encode, decode, x: (
                _twice(encode, decode, x)[0],
                _roads_of(encode, decode, x)[1],
            ),
        ),
        Mistake(
            "These are absolute values: a gradient has a direction, so keep its signs.",
            lambda encode, decode, x: tuple(road.abs() for road in _roads_of(encode, decode, x)),
        ),
    ],
)
