"""Exercise 10.3: ``adam_step``."""

from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor

from attnbook.checks.inputs import Inputs, normal
from attnbook.checks.mistakes import only_a_part
from attnbook.exercises import Call, Exercise

B1, B2, EPS = 0.9, 0.98, 1e-8


def adam_step(
    parameter: Any, gradient: Any, mean: Any, square: Any, step: int, rate: float
) -> tuple[Any, Any, Any]:
    """One update by Adam → the parameter, the mean and the square after it."""
    mean = 0.9 * mean + 0.1 * gradient
    square = 0.98 * square + 0.02 * gradient**2
    corrected, of_squares = mean / (1 - 0.9**step), square / (1 - 0.98**step)
    return parameter - rate * corrected / (of_squares**0.5 + 1e-8), mean, square


def _steps() -> Inputs:
    ones, zeros = torch.ones(1), torch.zeros(1)
    yield {"gradient": 2 * ones, "mean": zeros, "square": zeros, "step": 1}
    yield {"gradient": -ones, "mean": ones, "square": ones, "step": 3}
    yield {
        "gradient": torch.tensor([1.0, 1e-3, 0.0]),
        "mean": torch.zeros(3),
        "square": torch.zeros(3),
        "step": 1,
    }
    yield {
        "gradient": torch.tensor([1e-6, -1e-6]),  # so small that it matters where ε is added
        "mean": torch.tensor([1e-7, 0.0]),
        "square": torch.tensor([2e-14, 1e-14]),
        "step": 2,
    }
    make = normal(4)
    yield {"gradient": make(2, 3), "mean": 0.3 * make(2, 3), "square": make(2, 3) ** 2, "step": 7}


def _inputs() -> Inputs:
    make = normal(9)
    for step in _steps():
        yield {"parameter": make(*step["gradient"].shape), **step, "rate": 0.5}


def _shown(values: Tensor) -> str:
    return ", ".join(f"{float(value):.4g}" for value in values.flatten()[:3])


def _running_means(call: Call) -> str | None:
    mean, square, gradient = call.result[1], call.result[2], call.gradient
    if not torch.allclose(mean, call.expected[1], rtol=1e-4, atol=1e-12):
        return (
            f"The first mean after the step is 0.9 · mean + 0.1 · gradient, "
            f"{_shown(call.expected[1])}; yours is {_shown(mean)}."
        )
    if torch.allclose(square, call.expected[2], rtol=1e-4, atol=1e-14):
        return None
    if torch.allclose(square, B2 * call.square + (1 - B2) * gradient):
        return "The second mean is of the *squares* of the gradients; you do not square them."
    return (
        f"The second mean after the step is 0.98 · square + 0.02 · gradient², "
        f"{_shown(call.expected[2])}; yours is {_shown(square)}."
    )


def _root(square: Any) -> Any:
    return square**0.5 + EPS


def _move(call: Call) -> str | None:
    moved, expected = (x[0] - call.parameter for x in (call.result, call.expected))
    if torch.allclose(moved, expected, rtol=1e-4):
        return None
    m, v = call.expected[1] / (1 - B1**call.step), call.expected[2] / (1 - B2**call.step)
    return (
        f"At step {call.step}, with the rate {call.rate:g}, the parameters move by −rate · m̂ / (√v̂ "
        f"+ ε), {_shown(expected)}, where m̂ = {_shown(m)} and v̂ = {_shown(v)}. Yours move by "
        f"{_shown(moved)}."
    )


def _with(move: Callable[[Any, Any, int], Any]) -> Callable[..., Any]:
    """Another step, made of the right means m and v and the number t of the step."""

    def step_of(
        parameter: Any, gradient: Any, mean: Any, square: Any, step: int, rate: float
    ) -> Any:
        _, m, v = adam_step(parameter, gradient, mean, square, step, rate)
        return parameter - rate * move(m, v, step), m, v

    return step_of


CHECK = Exercise(
    adam_step,
    inputs=_inputs,
    gradients=(),
    rules={
        "both running means follow the equations": _running_means,
        "the parameters move by the corrected mean over the root of the corrected square": _move,
    },
    mistakes={
        "You use the means without correcting them: they began at 0 and are too small at "
        "first.": _with(lambda m, v, t: m / _root(v)),
        "The correction does not change with the step: 1 − β is right at the first step only. "
        "Raise β to the power of the step.": _with(
            lambda m, v, t: m / (1 - B1) / _root(v / (1 - B2))
        ),
        "You put ε under the root. Add it to the root.": _with(
            lambda m, v, t: m / (1 - B1**t) / (v / (1 - B2**t) + EPS) ** 0.5
        ),
        "ε is missing from the denominator: where all gradients were 0, you divide 0 by 0.": _with(
            lambda m, v, t: m / (1 - B1**t) / (v / (1 - B2**t)) ** 0.5
        ),
        "The power is one too small: `step` is 1 at the first update, and 1 − β⁰ would be 0.": (
            _with(lambda m, v, t: m / (1 - B1 ** (t - 1)) / _root(v / (1 - B2 ** (t - 1))))
        ),
        **only_a_part(adam_step, "the parameter", "the mean", "the square"),
    },
)
