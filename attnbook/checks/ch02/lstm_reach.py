"""Exercise 2.6: ``lstm_reach``."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor

from attnbook.checks.ch02.shared import Pair, lstm
from attnbook.checks.shared import Inputs, normal
from attnbook.exercises import Call, Exercise, Mistake


def _reach_inputs() -> Inputs:
    for seed, steps, features, units in ((4, 3, 1, 1), (5, 5, 2, 3), (23, 6, 3, 4)):
        make = normal(seed)
        rows = 4 * units
        weights = [make(rows, features), make(rows, units), make(rows), make(rows)]
        for weight in weights:
            weight.requires_grad_()

        def step(x: Tensor, state: Pair, weights: list[Tensor] = weights) -> Pair:
            w_ih, w_hh, b_ih, b_hh = (weight.to(x.device) for weight in weights)
            return lstm(x, state, w_ih, w_hh, b_ih, b_hh)

        yield {
            "step": step,
            "inputs": make(1, steps, features),
            "state": (make(1, units), make(1, units)),
        }


def _reach(
    step: Callable[..., Pair],
    inputs: Tensor,
    state: Pair,
    *,
    part: int = 1,
    power: int = 1,
    relative: bool = True,
    every: bool = False,
) -> Tensor:
    """The reach of an LSTM's cell state, and other things that look like it."""
    states = []
    for x in inputs.unbind(1):
        state = step(x, state)
        states.append(state)
    read = torch.stack([hidden for hidden, _ in states]) if every else states[-1][0]
    kept = [pair[part] for pair in states]
    grads = torch.autograd.grad(read.sum(), kept)
    norms = torch.stack([grad.norm() for grad in grads]).flip(0) ** power
    return norms / norms[0] if relative else norms


def _wrong_reach(**turn: Any) -> Callable[..., Tensor]:
    return lambda step, inputs, state: _reach(step, inputs, state, **turn)


def _starts_at_one(call: Call) -> str | None:
    if abs(float(call.result[0]) - 1) < 1e-4:
        return None
    return (
        f"At distance 0 stands {float(call.result[0]):.4g}. Each length is to be divided by that "
        "of c_T, and c_T comes first: which end does your list begin with?"
    )


def _long_lists(call: Call) -> str | None:
    """Doubling the number of steps leaves the first entries as many as there are steps."""
    steps = call.inputs.shape[1]
    count = len(call(inputs=torch.cat([call.inputs, call.inputs], dim=1)))
    return None if count == 2 * steps else f"For {2 * steps} inputs it returns {count} numbers."


CHECK = Exercise(
    "lstm_reach",
    reference=lambda step, inputs, state: _reach(step, inputs, state),
    inputs=_reach_inputs,
    rules={
        "there is a number for every step": _long_lists,
        "the distance 0 comes first, and is 1": _starts_at_one,
    },
    mistakes=[
        Mistake(
            "The list runs from the first step to the last. Distance 0, that is c_T, comes first.",
            lambda step, inputs, state: _reach(step, inputs, state).flip(0),
        ),
        Mistake(
            "These are the bare lengths. Divide them by the length at c_T.",
            _wrong_reach(relative=False),
        ),
        Mistake(
            "These are the gradients with respect to the hidden states h_t. Asked for are the "
            "cell states c_t, the second part of the state.",
            _wrong_reach(part=0),
        ),
        Mistake(
            "These are squares of lengths: take the root, or .norm().",
            _wrong_reach(power=2),
        ),
        Mistake(
            "The hidden states of all steps are summed up. Asked for is the gradient of the last "
            "one, h_T.",
            _wrong_reach(every=True),
        ),
        Mistake(
            "The lengths are divided by the largest of them. Divide by the one at c_T.",
            lambda step, inputs, state: _over_largest(_reach(step, inputs, state)),
        ),
        Mistake(
            "They are divided by the length at the first step. Divide by the one at c_T.",
            lambda step, inputs, state: _over_first(_reach(step, inputs, state)),
        ),
    ],
)


def _over_largest(reach: Tensor) -> Tensor:
    return reach / reach.max()


def _over_first(reach: Tensor) -> Tensor:
    return reach / reach[-1]
