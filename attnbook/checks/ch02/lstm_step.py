"""Exercise 2.2: ``lstm_step``."""

from __future__ import annotations

from collections.abc import Callable
from itertools import islice, permutations
from typing import Any

import torch
from torch import Tensor

from attnbook.checks.ch02.shared import SIGMOID, TANH, Pair, cell_inputs, listed, lstm
from attnbook.checks.shared import Inputs
from attnbook.exercises import Call, Exercise


def lstm_step(
    x: Any, state: Any, weight_ih: Any, weight_hh: Any, bias_ih: Any, bias_hh: Any
) -> Any:
    """One LSTM step. x (B, E), state (hidden, cell), each (B, H); blocks i, f, g, o of H rows."""
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
    for given in islice(cell_inputs(6, 4, small, True), 1, 2):  # what is learned goes through both
        for part in (0, 1):
            state = tuple(one.clone() for one in given["state"])
            state[part].requires_grad_()
            yield {**given, "state": state}


def _wrong_lstm(**turn: Any) -> Callable[..., Pair]:
    return lambda x, state, weight_ih, weight_hh, bias_ih, bias_hh: lstm(
        x, state, weight_ih, weight_hh, bias_ih, bias_hh, **turn
    )


def _returned(choose: Callable[[Tensor, Tensor, Tensor], Any]) -> Callable[..., Any]:
    """A right step, whose result is put together in another way."""

    return lambda x, state, weight_ih, weight_hh, bias_ih, bias_hh: choose(
        *lstm(x, state, weight_ih, weight_hh, bias_ih, bias_hh), state[1]
    )


def _without_weights(call: Call) -> str | None:
    """All weights and biases zero but one block of a bias."""
    units = call.state[1].shape[1]
    off = {
        name: torch.zeros_like(call.arguments[name])
        for name in ("weight_ih", "weight_hh", "bias_ih", "bias_hh")
    }
    for block, name in enumerate("ifgo"):
        bias = off["bias_ih"].clone()
        bias[block * units : (block + 1) * units] = 1.0
        given = {**call.arguments, **off, "bias_ih": bias}
        for part, mine, right in zip(("h_t", "c_t"), call(**given), lstm(**given)):
            if not torch.allclose(mine, right, atol=1e-5):
                return (
                    f"With weights and biases of zero, but 1 in block {name} of bias_ih, {part} "
                    f"is {listed(right)} for c_{{t−1}} = {listed(call.state[1])}; yours is "
                    f"{listed(mine)}."
                )
    return None


def _four_sums(call: Call) -> str | None:
    """The sums may as well stand in one bias: nothing else of x and h is used."""
    hidden = call.state[0]
    sums = call.x @ call.weight_ih.T + call.bias_ih + hidden @ call.weight_hh.T + call.bias_hh
    for row in range(len(sums)):
        alone = {
            "x": 0 * call.x[:1],
            "state": (0 * hidden[:1], call.state[1][row : row + 1]),
            "weight_ih": 0 * call.weight_ih,
            "weight_hh": 0 * call.weight_hh,
            "bias_ih": sums[row],
            "bias_hh": 0 * call.bias_hh,
        }
        if not torch.allclose(call(**alone)[1][0], call.result[1][row], atol=1e-5):
            return (
                "The gates are right where their sums stand in bias_ih alone, and wrong where the "
                "sums have to be made: x W_ihᵀ + b_ih + h W_hhᵀ + b_hh, each row of the batch from "
                "its own x and h."
            )
    return None


def _keeps(call: Call) -> str | None:
    """Forget gate open, input gate shut: c_t = c_{t−1}."""
    units = call.state[1].shape[1]
    bias = torch.zeros_like(call.bias_ih)
    bias[:units], bias[units : 2 * units] = -200.0, 200.0
    cell = call(bias_ih=bias)[1]
    if torch.allclose(cell, call.state[1], atol=1e-4):
        return None
    return (
        "With −200 in block i (the first) and 200 in block f (the second), input gate shut and "
        "forget gate open, the new cell state should be the old one, "
        f"{listed(call.state[1])}; it is {listed(cell)}."
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


_BIAS = "One of the two biases is left out: torch adds bias_ih and bias_hh."
_TURNS: list[tuple[str, dict[str, Any]]] = [
    (
        "The blocks are read as i, f, o, g. Torch stacks them as i, f, g, o: the candidate is "
        "the third, the output gate the last.",
        {"order": "ifog"},
    ),
    (
        "Input gate and forget gate are exchanged: torch's first block is i, its second f.",
        {"order": "figo"},
    ),
    (
        "Every fourth row is taken for a gate. The gates stand in blocks: first all H rows of i, "
        "then those of f, g and o.",
        {"strided": True},
    ),
    (
        "The candidate g goes through a sigmoid. A gate lies between 0 and 1; what is written "
        "may be negative, so g takes the tanh.",
        {"candidate": SIGMOID},
    ),
    ("The candidate g is not bent: it goes through tanh.", {"candidate": lambda g: g}),
    ("The candidate g goes through a ReLU. It takes the tanh.", {"candidate": torch.relu}),
    ("The gates i, f and o are not bent: each goes through a sigmoid.", {"gate": lambda s: s}),
    ("The gates i, f and o go through tanh. Each takes a sigmoid.", {"gate": TANH}),
    (
        "h_t = o ⊙ tanh(c_t): the tanh of the cell state is missing.",
        {"out": lambda cell: cell},
    ),
    ("h_t = o ⊙ tanh(c_t): here the cell state goes through a sigmoid.", {"out": SIGMOID}),
    (
        "h_t is made of the old cell state c_{t−1}. First write the cell, then read it.",
        {"read": lambda o, new, old: o * old},
    ),
    ("The output gate is not used: h_t = o ⊙ tanh(c_t).", {"read": lambda o, new, old: new}),
    (
        "The output gate is the wrong way round: o = 1 shows the cell.",
        {"read": lambda o, new, old: (1 - o) * new},
    ),
    (
        "Nothing is ever forgotten: the old cell state is not multiplied by f. That is the "
        "cell of 1997.",
        {"write": lambda i, f, g, cell: cell + i * g},
    ),
    (
        "The candidate is written in full: it is multiplied by i.",
        {"write": lambda i, f, g, cell: f * cell + g},
    ),
    (
        "The forget gate is the wrong way round: f = 1 keeps the cell.",
        {"write": lambda i, f, g, cell: (1 - f) * cell + i * g},
    ),
    (
        "1 − f stands for the input gate. An LSTM has an input gate of its own.",
        {"write": lambda i, f, g, cell: f * cell + (1 - f) * g},
    ),
    (
        "1 − i stands for the forget gate. An LSTM has a forget gate of its own.",
        {"write": lambda i, f, g, cell: (1 - i) * cell + i * g},
    ),
    (
        "A bracket is in the wrong place: f multiplies the old cell only.",
        {"write": lambda i, f, g, cell: f * (cell + i * g)},
    ),
    ("The old cell state is not used.", {"write": lambda i, f, g, cell: i * g}),
    (
        "The new cell state is bent by a tanh. It stays as it is: the tanh comes when it is read.",
        {"write": lambda i, f, g, cell: torch.tanh(f * cell + i * g)},
    ),
    (_BIAS, {"sums": lambda u, v, b, c: u + v + b}),
    (_BIAS, {"sums": lambda u, v, b, c: u + v + c}),
    ("Both biases are left out.", {"sums": lambda u, v, b, c: u + v}),
    ("The old hidden state is not used in the sums.", {"sums": lambda u, v, b, c: u + b + c}),
    ("x is not used in the sums.", {"sums": lambda u, v, b, c: v + b + c}),
    (
        "The cell state goes through weight_hh. That matrix is for the hidden state.",
        {"recurrent": 1},
    ),
]
_RESULTS: list[tuple[str, Callable[[Tensor, Tensor, Tensor], Any]]] = [
    (
        "The result is (hidden, cell), in this order: the two are exchanged on the way out.",
        lambda hidden, cell, old: (cell, hidden),
    ),
    (
        "Only the hidden state comes back. The next step needs the cell, too: (hidden, cell).",
        lambda hidden, cell, old: hidden,
    ),
    (
        "Only the cell state comes back. Return the pair (hidden, cell).",
        lambda hidden, cell, old: cell,
    ),
    (
        "The old cell state comes back in the pair. The next step needs the new one.",
        lambda hidden, cell, old: (hidden, old),
    ),
    (
        "The hidden state comes back twice. Return the pair (hidden, cell).",
        lambda hidden, cell, old: (hidden, hidden),
    ),
    (
        "One tensor comes back, the two side by side. Return the pair (hidden, cell).",
        lambda hidden, cell, old: torch.cat([hidden, cell], dim=-1),
    ),
    (
        "One tensor comes back, the two stacked. Return the pair (hidden, cell).",
        lambda hidden, cell, old: torch.stack([hidden, cell]),
    ),
]

CHECK = Exercise(
    "lstm_step",
    reference=lstm_step,
    inputs=_lstm_inputs,
    rules={
        "input gate shut, forget gate open: the cell keeps what it has": _keeps,
        "output gate open: the hidden state is tanh of the new cell state": _hidden_of_cell,
        "each block of sums does what its gate does": _without_weights,
        "the sums are made of x, h and both biases": _four_sums,
    },
    mistakes=[
        *((said, _wrong_lstm(**turn)) for said, turn in _TURNS),
        *((said, _returned(choose)) for said, choose in _RESULTS),
        *(
            (
                f"The blocks are read as {', '.join(order)}. Torch stacks them as i, f, g, o.",
                _wrong_lstm(order="".join(order)),
            )
            for order in permutations("ifgo")
            if "".join(order) not in ("ifgo", "ifog", "figo")
        ),
        (
            "The state is (hidden, cell), in this order: the two are exchanged on the way in.",
            lambda x, state, weight_ih, weight_hh, bias_ih, bias_hh: lstm(
                x, state[::-1], weight_ih, weight_hh, bias_ih, bias_hh
            ),
        ),
    ],
)
