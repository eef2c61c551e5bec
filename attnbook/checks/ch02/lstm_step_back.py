"""Exercise 2.5: ``lstm_step_back``."""

from __future__ import annotations

from collections.abc import Callable
from itertools import permutations
from typing import Any

import torch
from torch import Tensor

from attnbook.checks.ch02.shared import Pair, listed
from attnbook.checks.shared import Inputs, normal
from attnbook.exercises import Call, Exercise


def lstm_step_back(grad_hidden: Any, grad_cell: Any, gates: Any, cell: Any, weight_hh: Any) -> Any:
    """(∂L/∂h_{t−1}, ∂L/∂c_{t−1}) of one step, each (B, H), from the gradients at h_t and c_t."""
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


def _back(
    grad_hidden: Tensor,
    grad_cell: Tensor,
    gates: Tensor,
    cell: Tensor,
    weight_hh: Tensor,
    *,
    order: str = "ifgo",
    gated: Callable[[Tensor, str], Tensor] = lambda gate, name: gate,
    summed: Callable[..., Tensor] = lambda i, f, g, c: f * c + i * g,
    slope: Callable[[Tensor, Tensor], Tensor | float] = lambda bent, new: 1 - bent**2,
    at_cell: Callable[..., Tensor] = lambda late, hid, o, slope: late + hid * o * slope,
    parts: Callable[..., dict[str, Tensor]] = lambda d, i, f, g, c: {
        "i": d * g,
        "f": d * c,
        "g": d * i,
    },
    read: Callable[[Tensor, Tensor], Tensor] = lambda bent, new: bent,
    rise: Callable[[Tensor, str], Tensor | float] = lambda gate, name: (
        1 - gate**2 if name == "g" else gate * (1 - gate)
    ),
    leave: Callable[..., Tensor] = lambda d, i, f, o: d * f,
    back: Callable[[Tensor], Tensor] = lambda weight: weight,
    drop: str = "",
) -> Pair:
    """An LSTM step backwards, and the turns that can go wrong in it."""
    gate = {name: gated(part, name) for name, part in zip(order, gates.chunk(4, dim=-1))}
    i, f, g, o = (gate[name] for name in "ifgo")
    new = summed(i, f, g, cell)
    bent = torch.tanh(new)
    d = at_cell(grad_cell, grad_hidden, o, slope(bent, new))
    grads = {**parts(d, i, f, g, cell), "o": grad_hidden * read(bent, new)}
    inner = [grads[name] * rise(gate[name], name) * (name not in drop) for name in order]
    return torch.cat(inner, dim=-1) @ back(weight_hh), leave(d, i, f, o)


def _wrong_back(**turn: Any) -> Callable[..., Pair]:
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


def _through_hidden(call: Call) -> str | None:
    zero = torch.zeros_like(call.grad_cell)
    mine, right = call(grad_cell=zero)[1], _back(**{**call.arguments, "grad_cell": zero})[1]
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
    units = call.cell.shape[1]
    for block, name in enumerate("ifgo"):
        rows = slice(block * units, (block + 1) * units)
        weight = torch.zeros_like(call.weight_hh)
        weight[rows] = torch.eye(units)
        given = {**call.arguments, "weight_hh": weight}
        mine, right = call(**given)[0], _back(**given)[0]
        if not torch.allclose(mine, right, atol=1e-5):
            return (
                f"Where weight_hh is the identity in block {name} and zero in the others, "
                f"∂L/∂h_{{t−1}} is {_FORMULA[name]}, {listed(right)}; yours is {listed(mine)}."
            )
    return None


def _restacked(order: str) -> Callable[..., Pair]:
    def back(weight: Tensor) -> Tensor:
        blocks = dict(zip(order, weight.chunk(4)))
        return torch.cat([blocks[name] for name in "ifgo"])

    return _wrong_back(back=back)


_ROAD = (
    "c_t also acts through h_t = o ⊙ tanh(c_t): ∂L/∂c_t has a second part, made of "
    "grad_hidden, that is missing."
)
_BEND = "Between h_t and c_t stands a tanh: its slope 1 − tanh²(c_t) is missing."
_FORGET = "This is ∂L/∂c_t. One step further back stands the forget gate: c_t = f ⊙ c_{t−1} + …"
_RISES = "The slope of a sigmoid is s(1 − s): one of the two factors is missing."
_SQUARE = "The slope of tanh is 1 − tanh²(c_t): the square is missing."
_TURNS: list[tuple[str, dict[str, Any]]] = [
    (_ROAD, {"at_cell": lambda late, hid, o, slope: late}),
    (
        "grad_cell is not used: what comes back from the next step along the cell is lost.",
        {"at_cell": lambda late, hid, o, slope: hid * o * slope},
    ),
    (
        "The output gate is missing on the road from h_t to c_t: h_t = o ⊙ tanh(c_t).",
        {"at_cell": lambda late, hid, o, slope: late + hid * slope},
    ),
    (
        "grad_cell goes through o and the tanh as well. It comes straight to c_t: add it after.",
        {"at_cell": lambda late, hid, o, slope: (late + hid) * o * slope},
    ),
    (
        "grad_cell goes through the tanh as well. It comes straight to c_t: add it after.",
        {"at_cell": lambda late, hid, o, slope: (late + hid * o) * slope},
    ),
    (
        "The two parts of ∂L/∂c_t are multiplied. They are added.",
        {"at_cell": lambda late, hid, o, slope: late * hid * o * slope},
    ),
    (_BEND, {"slope": lambda bent, new: 1.0}),
    (_SQUARE, {"slope": lambda bent, new: 1 - bent}),
    (
        "The slope of tanh at c_t is 1 − tanh²(c_t), not 1 − c_t².",
        {"slope": lambda bent, new: 1 - new**2},
    ),
    (
        "On the road from h_t to c_t stands tanh(c_t) itself. Its slope belongs there, "
        "1 − tanh²(c_t).",
        {"slope": lambda bent, new: bent},
    ),
    (
        "tanh is taken of the old cell state. h_t was made of the new one, f ⊙ c + i ⊙ g.",
        {"summed": lambda i, f, g, c: c},
    ),
    (
        "The gates are given after their sigmoid and tanh. To come to the sums before them, "
        "multiply by the slopes: s(1 − s) for a sigmoid, 1 − g² for the tanh.",
        {"rise": lambda gate, name: 1.0},
    ),
    (
        "The slope of g is that of a sigmoid, g(1 − g). The candidate went through a tanh.",
        {"rise": lambda gate, name: gate * (1 - gate)},
    ),
    (
        "All slopes are those of a tanh, 1 − s². The gates i, f and o went through a sigmoid.",
        {"rise": lambda gate, name: 1 - gate**2},
    ),
    (
        "The slope of tanh is 1 − g²: the square is missing at the candidate.",
        {"rise": lambda gate, name: 1 - gate if name == "g" else gate * (1 - gate)},
    ),
    (
        "The slope of the candidate's tanh, 1 − g², is missing.",
        {"rise": lambda gate, name: 1.0 if name == "g" else gate * (1 - gate)},
    ),
    (
        "The slopes of the sigmoids, s(1 − s), are missing.",
        {"rise": lambda gate, name: 1 - gate**2 if name == "g" else 1.0},
    ),
    (_RISES, {"rise": lambda gate, name: 1 - gate**2 if name == "g" else 1 - gate}),
    (_RISES, {"rise": lambda gate, name: 1 - gate**2 if name == "g" else gate}),
    (
        "The gates are given after their sigmoid and tanh; here they are bent once more.",
        {"gated": lambda gate, name: gate.tanh() if name == "g" else gate.sigmoid()},
    ),
    (
        "The slopes are taken of gates that are bent once more: they are given after sigmoid and "
        "tanh.",
        {
            "rise": lambda gate, name: (
                1 - gate.tanh() ** 2 if name == "g" else gate.sigmoid() * (1 - gate.sigmoid())
            )
        },
    ),
    (
        "The output gate hears c_t without its tanh: h_t = o ⊙ tanh(c_t).",
        {"read": lambda bent, new: new},
    ),
    (
        "The output gate's part has the slope of tanh. It is grad_hidden ⊙ tanh(c_t).",
        {"read": lambda bent, new: 1 - bent**2},
    ),
    (
        "The output gate depends on h_{t−1}, too: its part, grad_hidden ⊙ tanh(c_t), is missing.",
        {"drop": "o"},
    ),
    ("The input gate's part is missing: h_{t−1} works through i, too.", {"drop": "i"}),
    ("The forget gate's part is missing: h_{t−1} works through f, too.", {"drop": "f"}),
    ("The candidate's part is missing: h_{t−1} works through g, too.", {"drop": "g"}),
    (
        "The input gate's part is made with i: c_t = i ⊙ g + …, so i hears g, and g hears i.",
        {"parts": lambda d, i, f, g, c: {"i": d * i, "f": d * c, "g": d * g}},
    ),
    (
        "The forget gate's part is made with the new cell state. f multiplied the old one, "
        "c_{t−1}.",
        {"parts": lambda d, i, f, g, c: {"i": d * g, "f": d * (f * c + i * g), "g": d * i}},
    ),
    (
        "The forget gate's part is made with f. c_t = f ⊙ c_{t−1} + …: f hears c_{t−1}.",
        {"parts": lambda d, i, f, g, c: {"i": d * g, "f": d * f, "g": d * i}},
    ),
    (_FORGET, {"leave": lambda d, i, f, o: d}),
    (
        "The input gate stands on the way back to c_{t−1}. That is the forget gate: "
        "c_t = f ⊙ c_{t−1} + …",
        {"leave": lambda d, i, f, o: d * i},
    ),
    (
        "weight_hh is the wrong way round in its blocks: rows belong to the sums of the gates, "
        "columns to h_{t−1}.",
        {"back": lambda weight: torch.cat([part.T for part in weight.chunk(4)])},
    ),
]


CHECK = Exercise(
    "lstm_step_back",
    reference=lstm_step_back,
    inputs=_back_inputs,
    rules={
        "with no gradient at h_t the cell's is multiplied by f": _straight_road,
        "h_{t−1} works through weight_hh only": _deaf,
        "the gradient at h_t reaches the cell through o and the tanh": _through_hidden,
        "each gate passes on its part": _by_gate,
    },
    gradients=(),  # it computes a gradient by hand; nobody goes back through that
    mistakes=[
        *((said, _wrong_back(**turn)) for said, turn in _TURNS),
        *(
            (
                f"The gates are read as {', '.join(order)}. They are given as i, f, g, o.",
                _wrong_back(order="".join(order)),
            )
            for order in permutations("ifgo")
            if "".join(order) != "ifgo"
        ),
        *(
            (
                "The gates are read rightly, but stacked in another order than i, f, g, o, in "
                "which weight_hh has its rows.",
                _restacked("".join(order)),
            )
            for order in permutations("ifgo")
            if "".join(order) != "ifgo"
        ),
        (
            "The order of the two is (∂L/∂h_{t−1}, ∂L/∂c_{t−1}): they are exchanged.",
            lambda grad_hidden, grad_cell, gates, cell, weight_hh: _back(
                grad_hidden, grad_cell, gates, cell, weight_hh
            )[::-1],
        ),
        (
            "∂L/∂c_{t−1} holds the way through h_{t−1} as well. Asked for is the road along the "
            "memory only.",
            lambda grad_hidden, grad_cell, gates, cell, weight_hh: (
                lambda two: (two[0], two[0] + two[1])
            )(_back(grad_hidden, grad_cell, gates, cell, weight_hh)),
        ),
    ],
)
