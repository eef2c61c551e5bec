"""Exercise 2.8: ``gru_step``."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor

from attnbook.checks.ch02.shared import cell_inputs
from attnbook.checks.shared import Inputs
from attnbook.exercises import Call, Exercise, Mistake


def _gru_inputs() -> Inputs:
    small = {
        "x": torch.tensor([[1.0]]),
        "state": torch.tensor([[2.0]]),
        "weight_ih": torch.tensor([[1.0], [-1.0], [0.5]]),
        "weight_hh": torch.tensor([[0.0], [0.0], [1.0]]),
        "bias_ih": torch.tensor([0.0, 0.5, 0.0]),
        "bias_hh": torch.tensor([-1.0, 0.0, -1.5]),
    }
    return cell_inputs(8, 3, small, False)


def _gru(
    x: Tensor,
    state: Tensor,
    weight_ih: Tensor,
    weight_hh: Tensor,
    bias_ih: Tensor,
    bias_hh: Tensor,
    *,
    order: str = "rzn",
    reset: str = "after",
    paper_update: bool = False,
    bend: Callable[[Tensor], Tensor] = torch.tanh,
) -> Tensor:
    """A GRU step, and the other ways to read its equations."""
    from_x = dict(zip(order, (x @ weight_ih.T + bias_ih).chunk(3, dim=-1)))
    from_h = dict(zip(order, (state @ weight_hh.T + bias_hh).chunk(3, dim=-1)))
    block = order.index("n") * state.shape[1]
    rows = slice(block, block + state.shape[1])
    r, z = (torch.sigmoid(from_x[name] + from_h[name]) for name in "rz")
    sums = {
        "after": from_x["n"] + r * from_h["n"],
        "before": from_x["n"] + (r * state) @ weight_hh[rows].T + bias_hh[rows],
        "not the bias": from_x["n"] + r * (state @ weight_hh[rows].T) + bias_hh[rows],
        "all": r * (from_x["n"] + from_h["n"]),
        "never": from_x["n"] + from_h["n"],
    }
    n = bend(sums[reset])
    return (1 - z) * state + z * n if paper_update else (1 - z) * n + z * state


def _wrong_gru(**turn: Any) -> Callable[..., Tensor]:
    return lambda x, state, weight_ih, weight_hh, bias_ih, bias_hh: _gru(
        x, state, weight_ih, weight_hh, bias_ih, bias_hh, **turn
    )


def _update_open(call: Call) -> str | None:
    units = call.state.shape[1]
    bias = call.bias_ih.clone()
    bias[units : 2 * units] = 200.0
    if torch.allclose(call(bias_ih=bias), call.state, atol=1e-4):
        return None
    return (
        "With z = 1 a GRU of torch's kind keeps its old state. Yours does not: is z the second "
        "block, and does it multiply h_{t−1}? (For Bahdanau et al. z lets the new one in.)"
    )


CHECK = Exercise(
    "gru_step",
    reference=lambda x, state, weight_ih, weight_hh, bias_ih, bias_hh: _gru(
        x, state, weight_ih, weight_hh, bias_ih, bias_hh
    ),
    inputs=_gru_inputs,
    rules={"z = 1 keeps the old state": _update_open},
    mistakes=[
        Mistake(
            "This is the papers' GRU: r multiplies h_{t−1} *before* the matrix. In torch it "
            "multiplies the product: r ⊙ (W_hn h_{t−1} + b_hn).",
            _wrong_gru(reset="before"),
        ),
        Mistake(
            "z works the other way round. In torch z = 1 keeps the old state: "
            "(1 − z) ⊙ n + z ⊙ h_{t−1}. (For Bahdanau et al. z lets the new one in.)",
            _wrong_gru(paper_update=True),
        ),
        Mistake(
            "Both conventions are those of Bahdanau et al.: reset before the matrix, and z lets "
            "the new state in. Torch does both the other way.",
            _wrong_gru(reset="before", paper_update=True),
        ),
        Mistake(
            "The blocks are read as z, r, n. Torch stacks them as r, z, n.",
            _wrong_gru(order="zrn"),
        ),
        Mistake(
            "The bias b_hn stands inside the bracket that r multiplies: r ⊙ (W_hn h_{t−1} + b_hn).",
            _wrong_gru(reset="not the bias"),
        ),
        Mistake(
            "r multiplies the input's part as well. It only resets what comes from h_{t−1}.",
            _wrong_gru(reset="all"),
        ),
        Mistake(
            "The reset gate r is not used.",
            _wrong_gru(reset="never"),
        ),
        Mistake(
            "The candidate n goes through a sigmoid; it takes the tanh.",
            _wrong_gru(bend=torch.sigmoid),
        ),
    ],
)
