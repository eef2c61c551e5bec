"""Exercise 1.7: ``gradient_reach``."""

from __future__ import annotations

from collections.abc import Callable

import torch
from torch import Tensor

from attnbook.checks.ch01.shared import cell, loop
from attnbook.checks.shared import Inputs, normal
from attnbook.exercises import Call, Exercise, Mistake

Run = Callable[[Tensor], Tensor]


def _tanh_network(seed: int, size: int, hidden: int) -> Run:
    step = cell(seed, size, hidden)

    def run(inputs: Tensor) -> Tensor:
        return loop(step, inputs.unsqueeze(0), None, None)[0][0]

    return run


def _halving(inputs: Tensor) -> Tensor:
    state, states = torch.zeros(inputs.shape[1]), []
    for x in inputs:
        state = 0.5 * state + 2 * x
        states.append(state)
    return torch.stack(states)


def _runs() -> Inputs:
    yield {"run": _halving, "inputs": torch.tensor([[1.0], [2.0], [-1.0]])}
    make = normal(9)
    for seed, length, size, hidden in ((10, 4, 2, 3), (11, 6, 3, 4), (12, 5, 5, 5)):
        yield {"run": _tanh_network(seed, size, hidden), "inputs": make(length, size)}


def _slopes(run: Run, inputs: Tensor, last: Callable[[Tensor], Tensor]) -> Tensor:
    inputs = inputs.detach().requires_grad_()
    return torch.autograd.grad(last(run(inputs)), inputs)[0]


def _by_distance(gradient: Tensor) -> Tensor:
    norms = gradient.norm(dim=1).flip(0)
    return norms / norms[0]


def _end(states: Tensor) -> Tensor:
    return states[-1].sum()


def _begins_with_one(call: Call) -> str | None:
    if abs(float(call.result[0]) - 1) < 1e-5:
        return None
    return (
        f"At distance 0 stands {float(call.result[0]):.3g}; relative to itself it is 1. Is the "
        "first of the result the *last* input, and was everything divided by it?"
    )


CHECK = Exercise(
    "gradient_reach",
    reference=lambda run, inputs: _by_distance(_slopes(run, inputs, _end)),
    inputs=_runs,
    rules={"at distance 0 stands 1": _begins_with_one},
    mistakes=[
        Mistake(
            "This runs from the first word to the last. Distance 0 is the *last* input: turn it "
            "round.",
            lambda run, inputs: _by_distance(_slopes(run, inputs, _end)).flip(0),
        ),
        Mistake(
            "This is relative to the first word of the sentence. Distance 0 is the last: turn "
            "round before you divide.",
            lambda run, inputs: _by_distance(_slopes(run, inputs, _end).flip(0)),
        ),
        Mistake(
            "These are the lengths themselves: divide by the one at distance 0.",
            lambda run, inputs: _slopes(run, inputs, _end).norm(dim=1).flip(0),
        ),
        Mistake(
            "The sum of *all* states is taken: then every word is near one of them. Take the last "
            "state only.",
            lambda run, inputs: _by_distance(_slopes(run, inputs, lambda s: s.sum())),
        ),
        Mistake(
            "Only one number of the last state is taken. Take the sum of all.",
            lambda run, inputs: _by_distance(_slopes(run, inputs, lambda s: s[-1, 0])),
        ),
        Mistake(
            "The numbers of a gradient are added up, so that signs cancel. Its length is the norm "
            "of the row.",
            lambda run, inputs: (lambda sums: sums / sums[0])(
                _slopes(run, inputs, _end).sum(dim=1).flip(0)
            ),
        ),
        Mistake(
            "These are squares of lengths.",
            lambda run, inputs: _by_distance(_slopes(run, inputs, _end)) ** 2,
        ),
        Mistake(
            "These are the lengths of the states. Asked for is how the last one depends on each "
            "input: a gradient.",
            lambda run, inputs: _by_distance(run(inputs)),
        ),
    ],
)
