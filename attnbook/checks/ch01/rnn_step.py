"""Exercise 1.1: ``rnn_step``."""

from __future__ import annotations

import torch

from attnbook.checks.ch01.shared import step
from attnbook.checks.shared import Inputs, normal
from attnbook.exercises import Call, Exercise, Mistake


def _steps() -> Inputs:
    yield {
        "x": torch.tensor([[1.0]]),
        "state": torch.tensor([[0.5]]),
        "weight_ih": torch.tensor([[2.0]]),
        "weight_hh": torch.tensor([[-1.0]]),
        "bias_ih": torch.tensor([0.1]),
        "bias_hh": torch.tensor([-0.4]),
    }
    make = normal(1)
    for batch, size, hidden in ((2, 3, 3), (2, 4, 3), (3, 2, 5)):
        yield {
            "x": make(batch, size),
            "state": make(batch, hidden).tanh(),
            "weight_ih": 0.5 * make(hidden, size),
            "weight_hh": 0.5 * make(hidden, hidden),
            "bias_ih": 0.5 * make(hidden),
            "bias_hh": 0.5 * make(hidden),
        }


def _bounded(call: Call) -> str | None:
    largest = float(call(x=20 * call.x).abs().max())
    if largest <= 1.0:
        return None
    return f"There is a {largest:.1f} in the new state. What keeps it between −1 and 1?"


def _remembers(call: Call) -> str | None:
    if not torch.allclose(call(state=call.state - 0.3), call.result):
        return None
    return "Another old state gives the same new state: nothing is remembered."


CHECK = Exercise(
    "rnn_step",
    reference=step,
    inputs=_steps,
    rules={
        "every number of the state lies between −1 and 1": _bounded,
        "the new state depends on the old": _remembers,
    },
    mistakes=[
        Mistake(
            "Where is the tanh? Without it the state can grow without end.",
            lambda x, state, weight_ih, weight_hh, bias_ih, bias_hh: (
                x @ weight_ih.T + bias_ih + state @ weight_hh.T + bias_hh
            ),
        ),
        Mistake(
            "This bends with a sigmoid, into (0, 1). The formula says tanh.",
            lambda x, state, weight_ih, weight_hh, bias_ih, bias_hh: torch.sigmoid(
                x @ weight_ih.T + bias_ih + state @ weight_hh.T + bias_hh
            ),
        ),
        Mistake(
            "There are two tanh here: word and state are added first, then bent once together.",
            lambda x, state, weight_ih, weight_hh, bias_ih, bias_hh: (
                torch.tanh(x @ weight_ih.T + bias_ih) + torch.tanh(state @ weight_hh.T + bias_hh)
            ),
        ),
        Mistake(
            "A bias is missing: there are two, bias_ih and bias_hh, and both are added.",
            lambda x, state, weight_ih, weight_hh, bias_ih, bias_hh: torch.tanh(
                x @ weight_ih.T + bias_ih + state @ weight_hh.T
            ),
        ),
        Mistake(
            "A bias is missing: there are two, bias_ih and bias_hh, and both are added.",
            lambda x, state, weight_ih, weight_hh, bias_ih, bias_hh: torch.tanh(
                x @ weight_ih.T + state @ weight_hh.T
            ),
        ),
        Mistake(
            "The weight of the state is used as it stands. For rows it must be transposed, like "
            "that of the word: row i of the matrix makes number i.",
            lambda x, state, weight_ih, weight_hh, bias_ih, bias_hh: torch.tanh(
                x @ weight_ih.T + bias_ih + state @ weight_hh + bias_hh
            ),
        ),
        Mistake(
            "The weights are used as they stand: a weight (H, E) acts on rows (B, E) as x @ W.T.",
            lambda x, state, weight_ih, weight_hh, bias_ih, bias_hh: torch.tanh(
                x @ weight_ih + bias_ih + state @ weight_hh + bias_hh
            ),
        ),
        Mistake(
            "The old state is added as it is: it must go through its matrix first.",
            lambda x, state, weight_ih, weight_hh, bias_ih, bias_hh: torch.tanh(
                x @ weight_ih.T + bias_ih + state + bias_hh
            ),
        ),
        Mistake(
            "The old state does not take part: this network remembers nothing.",
            lambda x, state, weight_ih, weight_hh, bias_ih, bias_hh: torch.tanh(
                x @ weight_ih.T + bias_ih + bias_hh
            ),
        ),
    ],
)
