"""Exercise 1.1: ``rnn_step``."""

import torch
from torch import Tensor

from attnbook.checks.inputs import Inputs
from attnbook.checks.recurrent import cell_inputs
from attnbook.checks.rules import first_unlike
from attnbook.exercises import Call, Exercise


def rnn_step(
    x: Tensor, state: Tensor, weight_ih: Tensor, weight_hh: Tensor, bias_ih: Tensor, bias_hh: Tensor
) -> Tensor:
    """h_t = tanh(W_ih x_t + b_ih + W_hh h_{t−1} + b_hh). x (B, E), state (B, H) → (B, H)."""
    return torch.tanh(x @ weight_ih.T + bias_ih + state @ weight_hh.T + bias_hh)


def _steps() -> Inputs:
    names = ("x", "state", "weight_ih", "weight_hh", "bias_ih", "bias_hh")
    small = ([[1.0]], [[0.5]], [[2.0]], [[-1.0]], [0.1], [-0.4])
    small_step = {name: torch.tensor(part) for name, part in zip(names, small)}
    yield from cell_inputs(1, 1, small_step, pair=False)


def _bounded(call: Call) -> bool | str:
    largest = float(call(x=20 * call.x).abs().max())
    return largest <= 1.0 or (
        f"With words 20 times as large there is a {largest:.1f} in the new state. A tanh over the "
        "whole sum, done last, keeps every number between −1 and 1."
    )


def _row_by_row(call: Call) -> str | None:
    for row in range(len(call.x)):
        alone = call(x=call.x[row : row + 1], state=call.state[row : row + 1])
        if not torch.allclose(alone[0], call.result[row], atol=1e-5):
            return (
                f"Sentence {row} of the batch gets another state than when it is read alone: "
                "every row is to be made of its own x and its own old state."
            )
    return None


def _all_sum_up(call: Call) -> str | None:
    """Each of the four parts alone, where the others are zero; word and state; and all of them."""
    off = {name: torch.zeros_like(part) for name, part in call.arguments.items()}
    parts = {
        "W_ih x": "x weight_ih",
        "W_hh h": "state weight_hh",
        "b_ih": "bias_ih",
        "b_hh": "bias_hh",
        "W_ih x + W_hh h": "x weight_ih state weight_hh",
        "W_ih x + b_ih + W_hh h + b_hh": " ".join(off),
    }
    for formula, names in parts.items():
        arguments = {**off, **{name: call.arguments[name] for name in names.split()}}
        if unlike := first_unlike(call(**arguments), rnn_step(**arguments)):
            at, got, right = unlike
            where = (
                f"Where everything but {formula} is zero the" if " b_hh" not in formula else "The"
            )
            return f"{where} new state is tanh({formula}): {right} at {at}, and yours is {got}."
    return None


CHECK = Exercise(
    rnn_step,
    inputs=_steps,
    rules={
        "every number of the state lies between −1 and 1": _bounded,
        "every sentence of a batch is read as if it were alone": _row_by_row,
        "word, state and both biases are added inside the tanh": _all_sum_up,
    },
    mistakes={
        "The weight of the state is used as it stands. For rows it must be transposed, like "
        "that of the word: row i of the matrix makes number i.": (
            lambda weight_hh, **others: rnn_step(weight_hh=weight_hh.T, **others)
        ),
    },
)
