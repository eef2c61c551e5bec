"""Exercise 2.5: ``lstm_step_back``."""

from __future__ import annotations

from collections.abc import Callable

import torch
from torch import Tensor

from attnbook.checks.ch02.shared import Pair, listed
from attnbook.checks.shared import Inputs, normal
from attnbook.exercises import Call, Exercise, Mistake


def _back_inputs() -> Inputs:
    yield {
        "grad_hidden": torch.tensor([[1.0]]),
        "grad_cell": torch.tensor([[0.5]]),
        "gates": torch.tensor([[0.8, 0.9, 0.5, 0.6]]),
        "cell": torch.tensor([[1.0]]),
        "weight_hh": torch.tensor([[1.0], [0.0], [2.0], [-1.0]]),
    }
    make = normal(3)
    for batch, units in ((1, 2), (3, 4), (2, 6)):
        i, f, o = (torch.sigmoid(make(batch, units)) for _ in range(3))
        yield {
            "grad_hidden": make(batch, units),
            "grad_cell": make(batch, units),
            "gates": torch.cat([i, f, torch.tanh(make(batch, units)), o], dim=-1),
            "cell": make(batch, units),
            "weight_hh": make(4 * units, units),
        }


def _back(
    grad_hidden: Tensor,
    grad_cell: Tensor,
    gates: Tensor,
    cell: Tensor,
    weight_hh: Tensor,
    *,
    through_hidden: bool = True,
    later: bool = True,
    bend: bool = True,
    slopes: bool = True,
    candidate: bool = True,
    reads: bool = True,
    forget: bool = True,
    old: bool = False,
) -> Pair:
    """An LSTM step backwards, and the terms that can be left out of it."""
    i, f, g, o = gates.chunk(4, dim=-1)
    squashed = torch.tanh(cell if old else f * cell + i * g)
    slope = 1 - squashed**2 if bend else 1.0
    grad = later * grad_cell + through_hidden * grad_hidden * o * slope
    grads = [grad * g, grad * cell, grad * i, reads * grad_hidden * squashed]
    if slopes:
        rise = [i * (1 - i), f * (1 - f), 1 - g**2 if candidate else g * (1 - g), o * (1 - o)]
        grads = [one * steep for one, steep in zip(grads, rise)]
    return torch.cat(grads, dim=-1) @ weight_hh, grad * f if forget else grad


def _wrong_back(**turn: bool) -> Callable[..., Pair]:
    return lambda grad_hidden, grad_cell, gates, cell, weight_hh: _back(
        grad_hidden, grad_cell, gates, cell, weight_hh, **turn
    )


def _straight_road(call: Call) -> str | None:
    """With no gradient at h_t and no recurrent weights only f is left."""
    zero = torch.zeros_like(call.grad_hidden)
    grad = call(grad_hidden=zero)[1]
    _, f, _, _ = call.gates.chunk(4, dim=-1)
    if torch.allclose(grad, call.grad_cell * f, atol=1e-5):
        return None
    return (
        "Where no gradient comes in at h_t, the cell's goes back through the forget gate alone: "
        f"{listed(call.grad_cell * f)} is ∂L/∂c_t times f, yours is {listed(grad)}."
    )


def _deaf(call: Call) -> str | None:
    grad = call(weight_hh=torch.zeros_like(call.weight_hh))[0]
    if float(grad.abs().max()) == 0.0:
        return None
    return "If weight_hh is zero, h_{t−1} reaches nothing, but your gradient for it is not zero."


CHECK = Exercise(
    "lstm_step_back",
    reference=lambda grad_hidden, grad_cell, gates, cell, weight_hh: _back(
        grad_hidden, grad_cell, gates, cell, weight_hh
    ),
    inputs=_back_inputs,
    rules={
        "with no gradient at h_t the cell's is multiplied by f": _straight_road,
        "h_{t−1} works through weight_hh only": _deaf,
    },
    mistakes=[
        Mistake(
            "c_t also acts through h_t = o ⊙ tanh(c_t): ∂L/∂c_t has a second part, made of "
            "grad_hidden, that is missing.",
            _wrong_back(through_hidden=False),
        ),
        Mistake(
            "grad_cell is not used: what comes back from the next step along the cell is lost.",
            _wrong_back(later=False),
        ),
        Mistake(
            "Between h_t and c_t stands a tanh: its slope 1 − tanh²(c_t) is missing.",
            _wrong_back(bend=False),
        ),
        Mistake(
            "tanh is taken of the old cell state. h_t was made of the new one, f ⊙ c + i ⊙ g.",
            _wrong_back(old=True),
        ),
        Mistake(
            "The gates are given after their sigmoid and tanh. To come to the sums before them, "
            "multiply by the slopes: s(1 − s) for a sigmoid, 1 − g² for the tanh.",
            _wrong_back(slopes=False),
        ),
        Mistake(
            "The slope of g is that of a sigmoid, g(1 − g). The candidate went through a tanh.",
            _wrong_back(candidate=False),
        ),
        Mistake(
            "The output gate depends on h_{t−1}, too: its part, grad_hidden ⊙ tanh(c_t), is "
            "missing.",
            _wrong_back(reads=False),
        ),
        Mistake(
            "This is ∂L/∂c_t. One step further back stands the forget gate: c_t = f ⊙ c_{t−1} + …",
            _wrong_back(forget=False),
        ),
    ],
)
