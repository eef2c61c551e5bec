"""Exercise 10.3: ``adam_step``."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor

from attnbook.checks.shared import Inputs, normal, only_a_part
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
    one, none = torch.ones(1), torch.zeros(1)
    yield {"gradient": 2 * one, "mean": none, "square": none, "step": 1}
    yield {"gradient": -one, "mean": one, "square": one, "step": 3}
    yield {
        "gradient": torch.tensor([1.0, 1e-3, 0.0]),
        "mean": torch.zeros(3),
        "square": torch.zeros(3),
        "step": 1,
    }
    yield {
        "gradient": torch.tensor([1e-4, -1e-4]),  # here it matters where ε stands
        "mean": torch.tensor([1e-5, 0.0]),
        "square": torch.tensor([2e-10, 1e-10]),
        "step": 2,
    }
    make = normal(4)
    yield {"gradient": make(2, 3), "mean": 0.3 * make(2, 3), "square": make(2, 3) ** 2, "step": 7}


def _inputs() -> Inputs:
    make = normal(9)
    for given in _steps():
        yield {"parameter": make(*given["gradient"].shape), **given, "rate": 0.5}


def _shown(values: Tensor) -> str:
    return ", ".join(f"{float(value):.4g}" for value in values.flatten()[:3])


def _first_step(call: Call) -> str | None:
    gradient = torch.tensor([3.0, -0.001])
    nothing = torch.zeros(2)
    given = {"mean": nothing, "square": nothing, "step": 1, "rate": 0.5}
    moved = call(parameter=nothing, gradient=gradient, **given)[0]
    if torch.allclose(moved, torch.tensor([-0.5, 0.5]), atol=1e-3):
        return None
    return (
        "At step 1, from means of 0, every number moves by the rate against the sign of its "
        f"gradient. With the rate 0.5 and the gradients 3 and −0.001 yours moves by "
        f"{_shown(moved)}."
    )


def _without_gradient(call: Call) -> str | None:
    nothing = torch.zeros(1)
    given = {"mean": nothing, "square": nothing, "step": 1}
    stays = call(parameter=torch.ones(1), gradient=nothing, **given)[0]
    if float(stays) == 1.0:
        return None
    return (
        f"A number whose gradients were all 0 stays where it is; 1 became {float(stays):g}. "
        "What is ε for?"
    )


def _mean_kept(call: Call) -> str | None:
    mean, square, gradient = call.result[1], call.result[2], call.gradient
    if not torch.allclose(mean, call.expected[1], rtol=1e-4, atol=1e-12):
        return (
            f"The first mean after the step is 0.9 · mean + 0.1 · gradient, "
            f"{_shown(call.expected[1])}; yours is {_shown(mean)}."
        )
    if torch.allclose(square, call.expected[2], rtol=1e-4, atol=1e-14):
        return None
    if torch.allclose(square, B2 * call.square + (1 - B2) * gradient):
        return "The second mean is of the *squares* of the gradients; here they are not squared."
    return (
        f"The second mean after the step is 0.98 · square + 0.02 · gradient², "
        f"{_shown(call.expected[2])}; yours is {_shown(square)}."
    )


def _made(
    first: Callable[..., Any] = lambda m, g: B1 * m + (1 - B1) * g,
    second: Callable[..., Any] = lambda v, g, m: B2 * v + (1 - B2) * g**2,
    corrected: Callable[..., Any] = lambda m, v, t: (m / (1 - B1**t), v / (1 - B2**t)),
    move: Callable[..., Any] = lambda m, v, g: m / (v**0.5 + EPS),
    kept: Callable[..., Any] = lambda m, v, m_hat, v_hat: (m, v),
    sign: int = -1,
) -> Callable[..., Any]:
    """The right step, where one part of it is another."""

    def step_of(
        parameter: Any, gradient: Any, mean: Any, square: Any, step: int, rate: float
    ) -> Any:
        m = first(mean, gradient)
        v = second(square, gradient, m)
        m_hat, v_hat = corrected(m, v, step)
        return (
            parameter + sign * rate * move(m_hat, v_hat, gradient),
            *kept(m, v, m_hat, v_hat),
        )

    return step_of


def _early_epsilon(
    parameter: Any, gradient: Any, mean: Any, square: Any, step: int, rate: float
) -> Any:
    """ε is added to the root of the square that is not corrected yet."""
    _, m, v = adam_step(parameter, gradient, mean, square, step, rate)
    size = rate * math.sqrt(1 - B2**step) / (1 - B1**step)
    return parameter - size * m / (v**0.5 + EPS), m, v


def _with_old_means(
    parameter: Any, gradient: Any, mean: Any, square: Any, step: int, rate: float
) -> Any:
    corrected, of_squares = mean / (1 - B1**step), square / (1 - B2**step)
    _, m, v = adam_step(parameter, gradient, mean, square, step, rate)
    return parameter - rate * corrected / (of_squares**0.5 + EPS), m, v


def _new_part_corrected(
    parameter: Any, gradient: Any, mean: Any, square: Any, step: int, rate: float
) -> Any:
    corrected = B1 * mean + (1 - B1) * gradient / (1 - B1**step)
    of_squares = B2 * square + (1 - B2) * gradient**2 / (1 - B2**step)
    _, m, v = adam_step(parameter, gradient, mean, square, step, rate)
    return parameter - rate * corrected / (of_squares**0.5 + EPS), m, v


CHECK = Exercise(
    "adam_step",
    reference=adam_step,
    inputs=_inputs,
    gradients=(),
    rules={
        "both running means are those of the equations": _mean_kept,
        "a number whose gradients were 0 stays": _without_gradient,
        "at the first step every number moves by the rate": _first_step,
    },
    mistakes=[
        (
            "The means are not corrected before they are used: they began at 0 and are too small "
            "at first.",
            _made(corrected=lambda m, v, t: (m, v)),
        ),
        (
            "Only the first mean is corrected. The mean of the squares began at 0, too.",
            _made(corrected=lambda m, v, t: (m / (1 - B1**t), v)),
        ),
        (
            "Only the mean of the squares is corrected. The first mean began at 0, too.",
            _made(corrected=lambda m, v, t: (m, v / (1 - B2**t))),
        ),
        (
            "The corrected means come back. Kept are the plain ones: the correction is made anew "
            "at every step.",
            _made(kept=lambda m, v, m_hat, v_hat: (m_hat, v_hat)),
        ),
        (
            "The correction is 1 − β to the *power* t; here it is 1 − β · t or the like.",
            _made(corrected=lambda m, v, t: (m / (1 - B1 * t), v / (1 - B2 * t))),
        ),
        (
            "The correction does not change with the step: 1 − β is right at the first step only. "
            "β is raised to the power of the step.",
            _made(corrected=lambda m, v, t: (m / (1 - B1), v / (1 - B2))),
        ),
        (
            "The power is one too large: `step` is 1 at the first update already.",
            _made(corrected=lambda m, v, t: (m / (1 - B1 ** (t + 1)), v / (1 - B2 ** (t + 1)))),
        ),
        (
            "β₁ and β₂ are exchanged: 0.9 is that of the first mean, 0.98 that of the squares.",
            _made(
                first=lambda m, g: B2 * m + (1 - B2) * g,
                second=lambda v, g, m: B1 * v + (1 - B1) * g**2,
                corrected=lambda m, v, t: (m / (1 - B2**t), v / (1 - B1**t)),
            ),
        ),
        (
            "β₁ and β₂ are exchanged in the correction.",
            _made(corrected=lambda m, v, t: (m / (1 - B2**t), v / (1 - B1**t))),
        ),
        (
            "The weights of old and new are exchanged: 0.9 and 0.98 belong to what was there "
            "before.",
            _made(
                first=lambda m, g: (1 - B1) * m + B1 * g,
                second=lambda v, g, m: (1 - B2) * v + B2 * g**2,
            ),
        ),
        (
            "β₂ is 0.999 here, which is torch's default. This book's is 0.98.",
            _made(
                second=lambda v, g, m: 0.999 * v + 0.001 * g**2,
                corrected=lambda m, v, t: (m / (1 - B1**t), v / (1 - 0.999**t)),
            ),
        ),
        (
            "What is averaged is the square of the mean. The second mean is of the squares of the "
            "gradient itself.",
            _made(second=lambda v, g, m: B2 * v + (1 - B2) * m**2),
        ),
        (
            "The root is missing: the step is divided by √v̂, so that the size of the gradient "
            "cancels.",
            _made(move=lambda m, v, g: m / (v + EPS)),
        ),
        (
            "ε stands under the root. It is added to the root.",
            _made(move=lambda m, v, g: m / (v + EPS) ** 0.5),
        ),
        (
            "The step goes up the gradient. The sign is a minus: the loss is to become smaller.",
            _made(sign=1),
        ),
        (
            "This moves by the rate times the gradient, which is plain gradient descent: the two "
            "means are kept and not used.",
            _made(move=lambda m, v, g: g),
        ),
        (
            "This moves along the first mean alone, which is momentum. Divide by the root of the "
            "second.",
            _made(move=lambda m, v, g: m),
        ),
        (
            "The gradient itself is divided by √v̂; above stands its corrected mean m̂.",
            _made(move=lambda m, v, g: g / (v**0.5 + EPS)),
        ),
        (
            "β₂ is 0.9 here, like β₁. It is 0.98.",
            _made(
                second=lambda v, g, m: B1 * v + (1 - B1) * g**2,
                corrected=lambda m, v, t: (m / (1 - B1**t), v / (1 - B1**t)),
            ),
        ),
        (
            "The power is one too small: `step` is 1 at the first update, and 1 − β⁰ would be 0.",
            _made(corrected=lambda m, v, t: (m / (1 - B1 ** (t - 1)), v / (1 - B2 ** (t - 1)))),
        ),
        (
            "The correction makes the means smaller. They are too small at first: *divide* by "
            "1 − βᵗ.",
            _made(corrected=lambda m, v, t: (m * (1 - B1**t), v * (1 - B2**t))),
        ),
        (
            "The root is taken before the correction. It is taken of the corrected square.",
            _made(corrected=lambda m, v, t: (m / (1 - B1**t), v / (1 - B2**t) ** 2)),
        ),
        (
            "β ^ t is an exclusive or in Python. The power is β**t.",
            _made(corrected=lambda m, v, t: (m / operator.xor(1 - B1, t), v)),
        ),
        (
            "Only the new part of each mean is corrected: without parentheses, / comes before +.",
            _new_part_corrected,
        ),
        (
            "Below the line ε is missing: where all gradients were 0, 0 is divided by 0.",
            _made(move=lambda m, v, g: m / v**0.5),
        ),
        (
            "ε is 10⁻⁷ here, which in Python is also 10e-8. 10⁻⁸ is 1e-8.",
            _made(move=lambda m, v, g: m / (v**0.5 + 1e-7)),
        ),
        (
            "ε is added to the root of the square before it is corrected. It is added to √v̂.",
            _early_epsilon,
        ),
        (
            "math.sqrt takes a single number, and here are tensors: torch.sqrt, or ** 0.5.",
            _made(move=lambda m, v, g: m / (math.sqrt(v) + EPS)),
        ),
        (
            "The step is made with the means from before. The new ones are corrected and used.",
            _with_old_means,
        ),
        (
            "The means come back as they were given. The new ones are asked for.",
            lambda parameter, gradient, mean, square, step, rate: (
                adam_step(parameter, gradient, mean, square, step, rate)[0],
                1 * mean,
                1 * square,
            ),
        ),
        (
            "The means that are given have no effect, as if every step were the first.",
            lambda parameter, gradient, mean, square, step, rate: adam_step(
                parameter, gradient, 0 * mean, 0 * square, 1, rate
            ),
        ),
        *(
            (
                "One square for all numbers of the tensor: Adam has one for each.",
                _made(second=lambda v, g, m, of=of: B2 * v + (1 - B2) * of(g**2)),
            )
            for of in (torch.mean, torch.sum)
        ),
        (
            "These are sums. In a mean the new part is weighted, too, by 1 − β.",
            _made(first=lambda m, g: B1 * m + g, second=lambda v, g, m: B2 * v + g**2),
        ),
        (
            "This moves by the rate against the sign of the gradient, at every step. Adam does so "
            "at the first one; later the means decide.",
            _made(move=lambda m, v, g: torch.sign(g)),
        ),
        (
            "The rate has no effect: the step is multiplied by it.",
            lambda parameter, gradient, mean, square, step, rate: adam_step(
                parameter, gradient, mean, square, step, 1.0
            ),
        ),
        (
            "The order is another: the parameter, the mean and the square are asked for.",
            lambda parameter, gradient, mean, square, step, rate: operator.itemgetter(0, 2, 1)(
                adam_step(parameter, gradient, mean, square, step, rate)
            ),
        ),
        *only_a_part(adam_step, "the parameter", "the mean", "the square"),
    ],
)
