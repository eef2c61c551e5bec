"""Exercise 2.5: ``lstm_step_back``.

Long, because the factor of each gate can be forgotten or exchanged, and each slip is named.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import permutations
from types import SimpleNamespace
from typing import Any

import torch
from torch import Tensor

from attnbook.checks.ch02.shared import Pair, listed
from attnbook.checks.shared import Inputs, normal, same
from attnbook.exercises import Call, Exercise


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


def _straight_path(call: Call) -> str | None:
    """With no gradient at h_t and no recurrent weights only f is left."""
    grad = call(grad_hidden=torch.zeros_like(call.grad_hidden))[1]
    right = call.grad_cell * call.gates.chunk(4, dim=-1)[1]
    if torch.allclose(grad, right, atol=1e-5):
        return None
    return (
        "Where no gradient comes in at h_t, the cell's goes back through the forget gate alone: "
        f"{listed(right)} is ∂L/∂c_t times f, yours is {listed(grad)}."
    )


def _deaf(call: Call) -> str | None:
    grad = call(weight_hh=torch.zeros_like(call.weight_hh))[0]
    if float(grad.abs().max()) == 0.0:
        return None
    return "If weight_hh is zero, h_{t−1} reaches nothing, but your gradient for it is not zero."


def _through_hidden(call: Call) -> str | None:
    given = {**call.arguments, "grad_cell": torch.zeros_like(call.grad_cell)}
    mine, right = call(**given)[1], lstm_step_back(**given)[1]
    if torch.allclose(mine, right, atol=1e-5):
        return None
    return (
        "Where nothing comes in along the memory (grad_cell zero), ∂L/∂c_{t−1} is "
        f"grad_hidden ⊙ o ⊙ (1 − tanh²(c_t)) ⊙ f, {listed(right)}; yours is {listed(mine)}."
    )


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
        given = {**call.arguments, "weight_hh": weight}
        mine, right = call(**given)[0], lstm_step_back(**given)[0]
        if not torch.allclose(mine, right, atol=1e-5):
            return (
                f"Where weight_hh is the identity in block {name} and zero in the others, "
                f"∂L/∂h_{{t−1}} is {formula}, {listed(right)}; yours is {listed(mine)}."
            )
    return None


_STEPS: dict[str, Callable[[Any], Any]] = {
    "new": lambda v: v.f * v.c + v.i * v.g,
    "slope": lambda v: 1 - v.new.tanh() ** 2,
    "grad": lambda v: v.late + v.hid * v.o * v.slope,
    "to_i": lambda v: v.grad * v.g,
    "to_f": lambda v: v.grad * v.c,
    "to_g": lambda v: v.grad * v.i,
    "to_o": lambda v: v.hid * v.new.tanh(),
    "back": lambda v: v.grad * v.f,
}


def _made(
    sigmoid: Any = lambda s: s * (1 - s), tanh: Any = lambda t: 1 - t**2, **instead: Any
) -> Callable[..., Pair]:
    """The step with other slopes, or where one of its values is made in another way."""

    def back(grad_hidden: Any, grad_cell: Any, gates: Any, cell: Any, weight_hh: Any) -> Pair:
        i, f, g, o = gates.chunk(4, dim=-1)
        v = SimpleNamespace(hid=grad_hidden, late=grad_cell, c=cell, i=i, f=f, g=g, o=o)
        for name, made in {**_STEPS, **instead}.items():
            setattr(v, name, made(v))
        sums = [v.to_i * sigmoid(i), v.to_f * sigmoid(f), v.to_g * tanh(g), v.to_o * sigmoid(o)]
        return torch.cat(sums, dim=-1) @ weight_hh, v.back

    return back


def _given(of_gates: Any, of_weight: Any = same) -> Callable[..., Pair]:
    """The right step, made of other gates or weights."""
    return lambda grad_hidden, grad_cell, gates, cell, weight_hh: lstm_step_back(
        grad_hidden, grad_cell, of_gates(gates), cell, of_weight(weight_hh)
    )


def _sorted(order: str, dim: int) -> Callable[[Tensor], Tensor]:
    """Takes blocks to stand in some order, and brings them to i, f, g, o."""
    return lambda x: torch.cat([x.chunk(4, dim)[order.index(name)] for name in "ifgo"], dim)


def _bent_again(gates: Tensor) -> Tensor:
    i, f, g, o = gates.chunk(4, dim=-1)
    return torch.cat([i.sigmoid(), f.sigmoid(), g.tanh(), o.sigmoid()], dim=-1)


_ORDERS = ["".join(order) for order in permutations("ifgo")][1:]
_FACTOR = "The slope of a sigmoid is s(1 − s): one of the two factors is missing."

CHECK = Exercise(
    "lstm_step_back",
    reference=lstm_step_back,
    inputs=_back_inputs,
    rules={
        "with no gradient at h_t the cell's is multiplied by f": _straight_path,
        "h_{t−1} works through weight_hh only": _deaf,
        "the gradient at h_t reaches the cell through o and the tanh": _through_hidden,
        "each gate passes on its part": _by_gate,
    },
    gradients=(),  # it computes a gradient by hand; nobody goes back through that
    mistakes=[
        (
            "c_t also acts through h_t = o ⊙ tanh(c_t): ∂L/∂c_t has a second part, made of "
            "grad_hidden, that is missing.",
            _made(grad=lambda v: v.late),
        ),
        (
            "grad_cell is not used: what comes back from the next step along the cell is lost.",
            _made(grad=lambda v: v.hid * v.o * v.slope),
        ),
        (
            "The output gate is missing on the path from h_t to c_t: h_t = o ⊙ tanh(c_t).",
            _made(grad=lambda v: v.late + v.hid * v.slope),
        ),
        (
            "grad_cell goes through o and the tanh as well. It comes straight to c_t: add it "
            "after.",
            _made(grad=lambda v: (v.late + v.hid) * v.o * v.slope),
        ),
        (
            "grad_cell goes through the tanh as well. It comes straight to c_t: add it after.",
            _made(grad=lambda v: (v.late + v.hid * v.o) * v.slope),
        ),
        (
            "The two parts of ∂L/∂c_t are multiplied. They are added.",
            _made(grad=lambda v: v.late * v.hid * v.o * v.slope),
        ),
        (
            "Between h_t and c_t stands a tanh: its slope 1 − tanh²(c_t) is missing.",
            _made(slope=lambda v: 1.0),
        ),
        (
            "The slope of tanh is 1 − tanh²(c_t): the square is missing.",
            _made(slope=lambda v: 1 - v.new.tanh()),
        ),
        ("The slope of tanh is 1 − tanh²(c_t), not 1 − c_t².", _made(slope=lambda v: 1 - v.new**2)),
        (
            "On the path from h_t to c_t stands tanh(c_t) itself. Its slope belongs there, "
            "1 − tanh²(c_t).",
            _made(slope=lambda v: v.new.tanh()),
        ),
        (
            "tanh is taken of the old cell state. h_t was made of the new one, f ⊙ c + i ⊙ g.",
            _made(new=lambda v: v.c),
        ),
        (
            "The gates are given after their sigmoid and tanh. To come to the pre-activations, "
            "multiply by the slopes: s(1 − s) for a sigmoid, 1 − g² for the tanh.",
            _made(sigmoid=torch.ones_like, tanh=torch.ones_like),
        ),
        (
            "The slope of g is that of a sigmoid, g(1 − g). The candidate went through a tanh.",
            _made(tanh=lambda t: t * (1 - t)),
        ),
        (
            "All slopes are those of a tanh, 1 − s². The gates i, f and o went through a sigmoid.",
            _made(sigmoid=lambda s: 1 - s**2),
        ),
        ("The slope at g is 1 − g²: the square is missing.", _made(tanh=lambda t: 1 - t)),
        ("The slope of the candidate's tanh, 1 − g², is missing.", _made(tanh=torch.ones_like)),
        ("The slopes of the sigmoids, s(1 − s), are missing.", _made(sigmoid=torch.ones_like)),
        (_FACTOR, _made(sigmoid=lambda s: 1 - s)),
        (_FACTOR, _made(sigmoid=same)),
        (
            "The gates are given after their sigmoid and tanh; here they go through them once "
            "more.",
            _given(_bent_again),
        ),
        (
            "The slopes are taken of gates that go through σ or tanh once more: they are given "
            "after sigmoid and tanh.",
            _made(lambda s: s.sigmoid() * (1 - s.sigmoid()), lambda t: 1 - t.tanh() ** 2),
        ),
        (
            "The output gate hears c_t without its tanh: h_t = o ⊙ tanh(c_t).",
            _made(to_o=lambda v: v.hid * v.new),
        ),
        (
            "The output gate's part has the slope of tanh. It is grad_hidden ⊙ tanh(c_t).",
            _made(to_o=lambda v: v.hid * v.slope),
        ),
        (
            "The output gate depends on h_{t−1}, too: its part, grad_hidden ⊙ tanh(c_t), is "
            "missing.",
            _made(to_o=lambda v: 0 * v.o),
        ),
        ("h_{t−1} works through i, too: its part is missing.", _made(to_i=lambda v: 0 * v.i)),
        ("h_{t−1} works through f, too: its part is missing.", _made(to_f=lambda v: 0 * v.f)),
        ("h_{t−1} works through g, too: its part is missing.", _made(to_g=lambda v: 0 * v.g)),
        (
            "The input gate's part is made with i: c_t = i ⊙ g + …, so i hears g, and g hears i.",
            _made(to_i=lambda v: v.grad * v.i, to_g=lambda v: v.grad * v.g),
        ),
        (
            "The forget gate's part is made with the new cell state. f multiplied the old one, "
            "c_{t−1}.",
            _made(to_f=lambda v: v.grad * v.new),
        ),
        (
            "The forget gate's part is made with f. c_t = f ⊙ c_{t−1} + …: f hears c_{t−1}.",
            _made(to_f=lambda v: v.grad * v.f),
        ),
        (
            "This is ∂L/∂c_t. One step further back stands the forget gate: c_t = f ⊙ c_{t−1} + …",
            _made(back=lambda v: v.grad),
        ),
        (
            "The input gate stands on the way back to c_{t−1}. That is the forget gate: "
            "c_t = f ⊙ c_{t−1} + …",
            _made(back=lambda v: v.grad * v.i),
        ),
        (
            "weight_hh is the wrong way round in its blocks: rows belong to the pre-activations, "
            "columns to h_{t−1}.",
            _given(same, lambda weight: torch.cat([part.T for part in weight.chunk(4)])),
        ),
        *(
            (
                f"The gates are read as {', '.join(order)}. They are given as i, f, g, o.",
                _given(_sorted(order, -1), _sorted(order, 0)),
            )
            for order in _ORDERS
        ),
        *(
            (
                "The gates are read rightly, but stacked in another order than i, f, g, o, in "
                "which weight_hh has its rows.",
                _given(same, _sorted(order, 0)),
            )
            for order in _ORDERS
        ),
        (
            "The order of the two is (∂L/∂h_{t−1}, ∂L/∂c_{t−1}): they are exchanged.",
            lambda *given, **named: lstm_step_back(*given, **named)[::-1],
        ),
        (
            "∂L/∂c_{t−1} holds the way through h_{t−1} as well. Asked for is the path along the "
            "memory only.",
            lambda *given, **named: tuple(torch.stack(lstm_step_back(*given, **named)).cumsum(0)),
        ),
    ],
)
