"""Exercise 2.1: ``lstm_step``."""

from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor

from attnbook.checks.inputs import Inputs
from attnbook.checks.recurrent import beside_right, cell_inputs
from attnbook.exercises import Call, Exercise, Function


def lstm_step(
    x: Any, state: Any, weight_ih: Any, weight_hh: Any, bias_ih: Any, bias_hh: Any
) -> Any:
    """One LSTM step: x (B, E), state (hidden, cell) of (B, H); blocks i, f, g, o."""
    hidden, cell = state
    sums = x @ weight_ih.T + bias_ih + hidden @ weight_hh.T + bias_hh  # (B, 4H)
    i, f, g, o = sums.chunk(4, dim=-1)
    cell = torch.sigmoid(f) * cell + torch.sigmoid(i) * torch.tanh(g)
    return torch.sigmoid(o) * torch.tanh(cell), cell


def _lstm_inputs() -> Inputs:
    small = {
        "x": torch.tensor([[1.0]]),
        "state": (torch.tensor([[0.5]]), torch.tensor([[2.0]])),
        "weight_ih": torch.tensor([[1.0], [2.0], [0.5], [-1.0]]),
        "weight_hh": torch.zeros(4, 1),
        "bias_ih": torch.tensor([0.0, -1.0, 0.5, 0.0]),
        "bias_hh": torch.tensor([0.5, 0.0, 0.0, 1.5]),
    }
    yield from cell_inputs(0, 4, small, True)
    _, inputs, *_ = cell_inputs(6, 4, small, True)
    for part in (0, 1):  # what is learned goes through both
        state = tuple(x.clone() for x in inputs["state"])
        state[part].requires_grad_()
        yield {**inputs, "state": state}


_WEIGHTS = ("weight_ih", "weight_hh", "bias_ih", "bias_hh")


def _without_weights(call: Call) -> str | None:
    """All weights and biases zero but one block of a bias."""
    changed = {name: torch.zeros_like(call.arguments[name]) for name in _WEIGHTS}
    for block, name in enumerate("ifgo"):
        changed["bias_ih"] = torch.zeros_like(call.bias_ih)
        changed["bias_ih"].chunk(4)[block].fill_(1.0)
        for part, what in enumerate(("h_t", "c_t")):
            if unlike := beside_right(call, lstm_step, part, **changed):
                return (
                    f"With all weights and biases zero, except for 1 in block {name} of bias_ih, "
                    f"{what} is {unlike}."
                )
    return None


def _four_sums(call: Call) -> str | None:
    """The sums may as well stand in one bias: nothing else of x and h is used."""
    hidden, cell = call.state
    sums = call.x @ call.weight_ih.T + call.bias_ih + hidden @ call.weight_hh.T + call.bias_hh
    off = {name: torch.zeros_like(call.arguments[name]) for name in _WEIGHTS}
    for row in range(len(sums)):
        state = (0 * hidden[:1], cell[row : row + 1])
        arguments = {**off, "x": 0 * call.x[:1], "state": state, "bias_ih": sums[row]}
        pairs = zip(call(**arguments), call.result)
        if not all(torch.allclose(alone[0], batch[row], atol=1e-5) for alone, batch in pairs):
            return (
                "With the pre-activations only in bias_ih, the gates are right. With x and h, they "
                "are wrong: the sum is x W_ihᵀ + b_ih + h W_hhᵀ + b_hh, each row of the batch from "
                "its own x and h."
            )
    return None


def _variant(
    *,
    candidate: Callable[[Tensor], Tensor] = torch.tanh,
    read: Function = lambda o, c, old: o * c.tanh(),
    order: str = "ifgo",
) -> Function:
    """A step of which one part is made in another way."""

    def step(x: Any, state: Any, weight_ih: Any, weight_hh: Any, bias_ih: Any, bias_hh: Any) -> Any:
        hidden, old = state
        sums = (x @ weight_ih.T + hidden @ weight_hh.T + bias_ih + bias_hh).chunk(4, dim=-1)
        i, f, g, o = (sums[order.index(name)] for name in "ifgo")
        new = torch.sigmoid(f) * old + torch.sigmoid(i) * candidate(g)
        return read(torch.sigmoid(o), new, old), new

    return step


CHECK = Exercise(
    lstm_step,
    inputs=_lstm_inputs,
    rules={
        "each block of pre-activations does what its gate does": _without_weights,
        "the pre-activations are computed from x, h and both biases": _four_sums,
    },
    mistakes={
        "The blocks are read as i, f, o, g. Torch stacks them as i, f, g, o: the candidate is "
        "the third, the output gate the last.": _variant(order="ifog"),
        "The candidate g goes through a sigmoid. A gate is between 0 and 1, but what is written "
        "can be negative, so g takes the tanh.": _variant(candidate=torch.sigmoid),
        "h_t = o ⊙ tanh(c_t): the tanh of the cell state is missing.": (
            _variant(read=lambda o, c, old: o * c)
        ),
        "You compute h_t from the old cell state c_{t−1}. First write the cell, then read it.": (
            _variant(read=lambda o, c, old: o * old.tanh())
        ),
        "One of the two biases is left out: torch adds bias_ih and bias_hh.": [
            lambda bias_hh, **others: lstm_step(bias_hh=0 * bias_hh, **others),
            lambda bias_ih, **others: lstm_step(bias_ih=0 * bias_ih, **others),
        ],
        "The result is (hidden, cell), in this order. You swap the two on the way out.": (
            lambda **arguments: lstm_step(**arguments)[::-1]
        ),
        "The state is (hidden, cell), in this order. You swap the two on the way in.": (
            lambda state, **others: lstm_step(state=state[::-1], **others)
        ),
    },
)
