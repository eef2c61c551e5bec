"""Exercise 2.3: ``with_forget_bias``."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor

from attnbook.checks.ch02.shared import Pair, listed
from attnbook.checks.shared import Inputs, normal
from attnbook.exercises import Call, Exercise


def with_forget_bias(bias_ih: Any, bias_hh: Any, value: Any) -> Any:
    """New (bias_ih, bias_hh), each (4H,), whose forget gate adds up to value."""
    units = len(bias_ih) // 4
    bias_ih, bias_hh = bias_ih.clone(), bias_hh.clone()
    bias_ih[units : 2 * units] = value
    bias_hh[units : 2 * units] = 0.0
    return bias_ih, bias_hh


def _bias_inputs() -> Inputs:
    yield {
        "bias_ih": torch.tensor([0.1, 0.2, 0.3, 0.4]),
        "bias_hh": torch.tensor([-0.1, 0.7, -0.3, 0.1]),
        "value": 1.0,
    }
    make = normal(1)
    yield {"bias_ih": make(12), "bias_hh": make(12), "value": 3.0}
    yield {"bias_ih": make(20), "bias_hh": make(20), "value": -1.5}


def _set_bias(bias_ih: Tensor, bias_hh: Tensor, value: float, block: int = 1) -> Pair:
    units = len(bias_ih) // 4
    rows = slice(block * units, (block + 1) * units)
    bias_ih, bias_hh = bias_ih.clone(), bias_hh.clone()
    bias_ih[rows], bias_hh[rows] = value, 0.0
    return bias_ih, bias_hh


def _set_both(bias_ih: Tensor, bias_hh: Tensor, value: float) -> Pair:
    new_ih, new_hh = _set_bias(bias_ih, bias_hh, value)
    return new_ih, _set_bias(bias_hh, bias_ih, value)[0]


def _set_one(bias_ih: Tensor, bias_hh: Tensor, value: float) -> Pair:
    return _set_bias(bias_ih, bias_hh, value)[0], bias_hh.clone()


def _add_value(bias_ih: Tensor, bias_hh: Tensor, value: float) -> Pair:
    units = len(bias_ih) // 4
    bias_ih = bias_ih.clone()
    bias_ih[units : 2 * units] += value
    return bias_ih, bias_hh.clone()


def _sums_to_value(call: Call) -> str | None:
    units = len(call.bias_ih) // 4
    total = (call.result[0] + call.result[1])[units : 2 * units]
    if torch.allclose(total, torch.full_like(total, call.value), atol=1e-5):
        return None
    return (
        "What the forget gate adds is the sum of its two biases: here "
        f"{listed(total)}, where {call.value:g} is wanted."
    )


def _others_stay(call: Call) -> str | None:
    units = len(call.bias_ih) // 4
    for name, before, after in zip(
        ("bias_ih", "bias_hh"), (call.bias_ih, call.bias_hh), call.result
    ):
        for block, gate in enumerate("ifgo"):
            rows = slice(block * units, (block + 1) * units)
            if gate != "f" and not torch.equal(before[rows], after[rows]):
                return f"The block of {gate} in {name} has changed. Only the forget gate's may."
    return None


def _where_asked(call: Call) -> str | None:
    units = len(call.bias_ih) // 4
    first, second = (bias[units : 2 * units] for bias in call.result)
    if torch.allclose(first, torch.full_like(first, call.value), atol=1e-5):
        return None
    return (
        "The sum of the two is right, but asked for is the value in bias_ih and 0 in bias_hh: "
        f"yours are {listed(first)} and {listed(second)}."
    )


Pieces = Callable[[Tensor, Tensor, int, float], Any]


def _written(write: Pieces) -> Callable[..., Pair]:
    """Copies of the biases, the block of f set as asked, and then something else done to them."""

    def make(bias_ih: Tensor, bias_hh: Tensor, value: float) -> Pair:
        a, b = _set_bias(bias_ih, bias_hh, value)
        write(a, b, len(a) // 4, value)
        return a, b

    return make


def _put(place: slice, where: Tensor, value: float) -> Tensor:
    where[place] = value
    return where


_PUT: list[tuple[str, Pieces]] = [
    (
        "Half of the value stands in each bias: the sum is right, but asked for is the value in "
        "bias_ih and 0 in bias_hh.",
        lambda a, b, n, value: (
            _put(slice(n, 2 * n), a, value / 2),
            _put(slice(n, 2 * n), b, value / 2),
        )[0],
    ),
    (
        "The two biases are exchanged: the value belongs into bias_ih, 0 into bias_hh.",
        lambda a, b, n, value: (_put(slice(n, 2 * n), a, 0.0), _put(slice(n, 2 * n), b, value))[0],
    ),
    (
        "All of bias_hh becomes 0. Only the forget gate's block may.",
        lambda a, b, n, value: _put(slice(None), b, 0.0),
    ),
    (
        "From row H on everything is written, g and o too. The block ends at 2H.",
        lambda a, b, n, value: (_put(slice(n, None), a, value), _put(slice(n, None), b, 0.0))[0],
    ),
    (
        "From row H on bias_ih is written, g and o too. The block ends at 2H.",
        lambda a, b, n, value: _put(slice(n, None), a, value),
    ),
    (
        "Up to row 2H everything is written, i too. The block begins at H.",
        lambda a, b, n, value: (_put(slice(2 * n), a, value), _put(slice(2 * n), b, 0.0))[0],
    ),
    (
        "The other gates of bias_ih become 0. They keep what they have.",
        lambda a, b, n, value: (_put(slice(n), a, 0.0), _put(slice(2 * n, None), a, 0.0))[0],
    ),
    (
        "The other gates of both biases become 0. They keep what they have.",
        lambda a, b, n, value: [
            _put(rows, bias, 0.0) for bias in (a, b) for rows in (slice(n), slice(2 * n, None))
        ][0],
    ),
    (
        "The value is cut to a whole number.",
        lambda a, b, n, value: _put(slice(n, 2 * n), a, float(int(value))),
    ),
]


def _added(both: bool) -> Callable[..., Pair]:
    def make(bias_ih: Tensor, bias_hh: Tensor, value: float) -> Pair:
        rows = slice(len(bias_ih) // 4, len(bias_ih) // 2)
        a, b = bias_ih.clone(), bias_hh.clone()
        a[rows] += value
        b[rows] = b[rows] + value if both else 0.0
        return a, b

    return make


def _short_block(cut: int, front: int) -> Callable[..., Pair]:
    def make(bias_ih: Tensor, bias_hh: Tensor, value: float) -> Pair:
        units = len(bias_ih) // 4
        rows = slice(units + front, 2 * units - cut)
        a, b = bias_ih.clone(), bias_hh.clone()
        a[rows], b[rows] = value, 0.0
        return a, b

    return make


CHECK = Exercise(
    "with_forget_bias",
    reference=with_forget_bias,
    inputs=_bias_inputs,
    rules={
        "the biases of the other gates stay": _others_stay,
        "the forget gate's two biases sum to the value": _sums_to_value,
        "the value stands in bias_ih": _where_asked,
    },
    gradients=(),  # where a training begins; nothing goes back through that
    mistakes=[
        (
            "Both biases are set, so the gate gets the value twice: σ(2·value), not σ(value).",
            _set_both,
        ),
        (
            "The second bias is left as it was, and it is added, too: make its block zero.",
            _set_one,
        ),
        (
            "This is the block of the input gate. Torch's order is i, f, g, o.",
            lambda bias_ih, bias_hh, value: _set_bias(bias_ih, bias_hh, value, 0),
        ),
        (
            "This is the block of the candidate g. Torch's order is i, f, g, o.",
            lambda bias_ih, bias_hh, value: _set_bias(bias_ih, bias_hh, value, 2),
        ),
        (
            "This is the block of the output gate. Torch's order is i, f, g, o.",
            lambda bias_ih, bias_hh, value: _set_bias(bias_ih, bias_hh, value, 3),
        ),
        (
            "The value fills all four blocks. Only the forget gate is to stand open.",
            lambda bias_ih, bias_hh, value: (torch.full_like(bias_ih, value), 0 * bias_hh),
        ),
        (
            "The value is added to the random bias that stood there. It should replace it.",
            _add_value,
        ),
        *((said, _written(write)) for said, write in _PUT),
        *(
            (
                "The value is added to the random bias that stood there. It should replace it.",
                _added(both),
            )
            for both in (False, True)
        ),
        *(
            (
                "The block is one row too short or too long: the forget gate has rows H to 2H, "
                "`[H : 2 * H]`, the end of a slice not in it.",
                _short_block(cut, front),
            )
            for cut, front in ((1, 0), (0, 1), (1, 1), (-1, 0), (0, -1), (1, -1), (-1, 1))
        ),
    ],
)
