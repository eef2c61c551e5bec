"""Exercise 2.4: ``lstm_step_back``."""

from typing import Any

import torch

from attnbook.checks.inputs import Inputs, normal
from attnbook.checks.recurrent import beside_right
from attnbook.exercises import Call, Exercise, Rule


def lstm_step_back(grad_hidden: Any, grad_cell: Any, gates: Any, cell: Any, weight_hh: Any) -> Any:
    """(∂L/∂h_{t−1}, ∂L/∂c_{t−1}) of one step, (B, H), from those at h_t and c_t."""
    i, f, g, o = gates.chunk(4, dim=-1)
    squashed = torch.tanh(f * cell + i * g)
    grad = grad_cell + grad_hidden * o * (1 - squashed**2)  # ∂L/∂c_t
    sums = [grad * g * i * (1 - i), grad * cell * f * (1 - f), grad * i * (1 - g**2)]
    sums.append(grad_hidden * squashed * o * (1 - o))
    return torch.cat(sums, dim=-1) @ weight_hh, grad * f


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


def _without(name: str, what: str) -> Rule:
    """A rule: the gradient at c_{t−1} where one that comes in is zero."""

    def rule(call: Call) -> str | None:
        zero = {name: torch.zeros_like(call.arguments[name])}
        unlike = beside_right(call, lstm_step_back, 1, **zero)
        return unlike and f"{what}, {unlike}."

    return rule


_FORMULA = {
    "i": "∂L/∂c_t ⊙ g ⊙ i(1 − i)",
    "f": "∂L/∂c_t ⊙ c_{t−1} ⊙ f(1 − f)",
    "g": "∂L/∂c_t ⊙ i ⊙ (1 − g²)",
    "o": "grad_hidden ⊙ tanh(c_t) ⊙ o(1 − o)",
}


def _by_gate(call: Call) -> str | None:
    """Through one gate at a time: the other blocks of weight_hh are zero."""
    for block, (name, formula) in enumerate(_FORMULA.items()):
        weight = torch.zeros_like(call.weight_hh)
        weight.chunk(4)[block].fill_diagonal_(1.0)
        if unlike := beside_right(call, lstm_step_back, 0, weight_hh=weight):
            return (
                f"Where weight_hh is the identity in block {name} and zero in the others, "
                f"∂L/∂h_{{t−1}} is {formula}, {unlike}."
            )
    return None


CHECK = Exercise(
    lstm_step_back,
    inputs=_back_inputs,
    rules={
        "with no gradient at h_t, the cell's gradient is multiplied by f": _without(
            "grad_hidden",
            "Where no gradient comes in at h_t, the cell's gradient goes back only through the "
            "forget gate: ∂L/∂c_{t−1} is ∂L/∂c_t ⊙ f",
        ),
        "the gradient at h_t reaches the cell through o and the tanh": _without(
            "grad_cell",
            "Where nothing comes in along the memory (grad_cell zero), ∂L/∂c_{t−1} is "
            "grad_hidden ⊙ o ⊙ (1 − tanh²(c_t)) ⊙ f, where c_t = f ⊙ c_{t−1} + i ⊙ g",
        ),
        "each gate passes on its part": _by_gate,
    },
    gradients=(),  # it computes a gradient by hand; nobody goes back through that
)
