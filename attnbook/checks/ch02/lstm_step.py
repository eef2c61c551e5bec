"""Exercise 2.2: ``lstm_step``."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor

from attnbook.checks.ch02.shared import Pair, cell_inputs, listed, lstm
from attnbook.checks.shared import Inputs
from attnbook.exercises import Call, Exercise, Mistake


def _lstm_inputs() -> Inputs:
    small = {
        "x": torch.tensor([[1.0]]),
        "state": (torch.tensor([[0.5]]), torch.tensor([[2.0]])),
        "weight_ih": torch.tensor([[1.0], [2.0], [0.5], [-1.0]]),
        "weight_hh": torch.zeros(4, 1),
        "bias_ih": torch.tensor([0.0, -1.0, 0.5, 0.0]),
        "bias_hh": torch.tensor([0.5, 0.0, 0.0, 1.5]),
    }
    return cell_inputs(0, 4, small, True)


def _lstm_of_old_cell(
    x: Tensor, state: Pair, weight_ih: Tensor, weight_hh: Tensor, bias_ih: Tensor, bias_hh: Tensor
) -> Pair:
    hidden, cell = lstm(x, state, weight_ih, weight_hh, bias_ih, bias_hh)
    return hidden / torch.tanh(cell) * torch.tanh(state[1]), cell


def _wrong_lstm(**turn: Any) -> Callable[..., Pair]:
    return lambda x, state, weight_ih, weight_hh, bias_ih, bias_hh: lstm(
        x, state, weight_ih, weight_hh, bias_ih, bias_hh, **turn
    )


def _keeps(call: Call) -> str | None:
    """Forget gate open, input gate shut: c_t = c_{t−1}."""
    units = call.state[1].shape[1]
    bias = torch.zeros_like(call.bias_ih)
    bias[:units], bias[units : 2 * units] = -200.0, 200.0
    cell = call(bias_ih=bias)[1]
    if torch.allclose(cell, call.state[1], atol=1e-4):
        return None
    return (
        "With the input gate shut and the forget gate open the new cell state should be the old "
        f"one, {listed(call.state[1])}; it is {listed(cell)}. Torch stacks the gates as i, f, g, o."
    )


def _hidden_of_cell(call: Call) -> str | None:
    units = call.state[1].shape[1]
    bias = torch.zeros_like(call.bias_ih)
    bias[3 * units :] = 200.0
    hidden, cell = call(bias_ih=bias)
    if torch.allclose(hidden, torch.tanh(cell), atol=1e-4):
        return None
    return (
        "With the output gate open h_t should be tanh(c_t) of the *new* cell state, "
        f"{listed(torch.tanh(cell))}; it is {listed(hidden)}."
    )


CHECK = Exercise(
    "lstm_step",
    reference=lambda x, state, weight_ih, weight_hh, bias_ih, bias_hh: lstm(
        x, state, weight_ih, weight_hh, bias_ih, bias_hh
    ),
    inputs=_lstm_inputs,
    rules={
        "input gate shut, forget gate open: the cell keeps what it has": _keeps,
        "output gate open: the hidden state is tanh of the new cell state": _hidden_of_cell,
    },
    mistakes=[
        Mistake(
            "The blocks are read as i, f, o, g. Torch stacks them as i, f, g, o: the candidate is "
            "the third, the output gate the last.",
            _wrong_lstm(order="ifog"),
        ),
        Mistake(
            "Input gate and forget gate are exchanged: torch's first block is i, its second f.",
            _wrong_lstm(order="figo"),
        ),
        Mistake(
            "The candidate g goes through a sigmoid. A gate lies between 0 and 1; what is written "
            "may be negative, so g takes the tanh.",
            _wrong_lstm(candidate=torch.sigmoid),
        ),
        Mistake(
            "h_t = o ⊙ tanh(c_t): the tanh of the cell state is missing.",
            _wrong_lstm(out=lambda cell: cell),
        ),
        Mistake(
            "h_t is made of the old cell state c_{t−1}. First write the cell, then read it.",
            _lstm_of_old_cell,
        ),
        Mistake(
            "Nothing is ever forgotten: the old cell state is not multiplied by f. That is the "
            "cell of 1997.",
            _wrong_lstm(keep=False),
        ),
        Mistake(
            "One of the two biases is left out: torch adds bias_ih and bias_hh.",
            lambda x, state, weight_ih, weight_hh, bias_ih, bias_hh: lstm(
                x, state, weight_ih, weight_hh, bias_ih, 0 * bias_hh
            ),
        ),
        Mistake(
            "The state is (hidden, cell), in this order: the two are exchanged on the way in.",
            lambda x, state, weight_ih, weight_hh, bias_ih, bias_hh: lstm(
                x, state[::-1], weight_ih, weight_hh, bias_ih, bias_hh
            ),
        ),
        Mistake(
            "The result is (hidden, cell), in this order: the two are exchanged on the way out.",
            lambda x, state, weight_ih, weight_hh, bias_ih, bias_hh: lstm(
                x, state, weight_ih, weight_hh, bias_ih, bias_hh
            )[::-1],
        ),
    ],
)
