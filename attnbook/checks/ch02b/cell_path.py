"""Exercise 2.4: ``cell_path``."""

from __future__ import annotations

from collections.abc import Callable

import torch
from torch import Tensor

from attnbook.checks.ch02.shared import listed
from attnbook.checks.shared import Inputs, normal
from attnbook.exercises import Call, Exercise


def cell_path(forget: Tensor) -> Tensor:
    """∂c_T/∂c_t along the cell alone, (T, H): in row t the product of later rows."""
    later = forget.flip(0).cumprod(0).flip(0)[1:]
    return torch.cat([later, torch.ones_like(forget[:1])])


def _forget_inputs() -> Inputs:
    yield {"forget": torch.tensor([[0.5], [0.4], [0.1]])}
    make = normal(2)
    yield {"forget": torch.sigmoid(make(3, 3))}
    closed = torch.sigmoid(make(6, 2))
    closed[3, 0] = 0.0
    yield {"forget": closed}
    yield {"forget": torch.sigmoid(make(8, 4))}


def _last_is_one(call: Call) -> str | None:
    if torch.equal(call.result[-1], torch.ones_like(call.result[-1])):
        return None
    return (
        f"The last row is {listed(call.result[-1])}. No gate lies after the last, so it is 1: "
        "∂c_T/∂c_T."
    )


def _first_gate_free(call: Call) -> str | None:
    changed = call.forget.clone()
    changed[0] = 0.77
    if torch.allclose(call(forget=changed), call.result):
        return None
    return (
        "The result depends on the first gate, f_1. It stands between c_0 and c_1; the way from "
        "c_1 to c_T does not pass it."
    )


def _row_by_row(call: Call) -> str | None:
    last = len(call.forget)
    for row in reversed(range(last - 1)):
        right = call.forget[row + 1 :].prod(0)
        if not torch.allclose(call.result[row], right, atol=1e-5):
            gates = f"f_{row + 2} … f_{last}" if row + 2 < last else f"f_{last}"
            return (
                f"Row {row + 1} (counted from 1) is the product of the gates after it, {gates}: "
                f"{listed(right)}; yours is {listed(call.result[row])}."
            )
    return None


def _then(change: Callable[[Tensor], Tensor]) -> Callable[[Tensor], Tensor]:
    """The right rows, and then a change."""
    return lambda forget: change(cell_path(forget))


def _summed(forget: Tensor) -> Tensor:
    return forget.flip(0).cumsum(0).flip(0)


def _averaged(forget: Tensor) -> Tensor:
    means = [forget[t:].mean(0) for t in range(1, len(forget))]
    return torch.stack([*means, torch.ones_like(forget[0])])


_SUMS = "The gates are added up. A number that passes one gate after the other is multiplied."
_ACROSS = (
    "The product runs along the units, in a row. It should run along time, from row to row (dim 0)."
)
_UNITS = "The units are multiplied, too: keep one column for each, (T, H)."

CHECK = Exercise(
    "cell_path",
    reference=cell_path,
    inputs=_forget_inputs,
    rules={
        "the last row is 1": _last_is_one,
        "a gate that lies before c_t does not matter": _first_gate_free,
        "row t is the product of the gates after t": _row_by_row,
    },
    gradients=(),  # it measures; nothing goes back through that
    mistakes=[
        (
            "Each row has one gate too many: from c_t on, the first gate on the way is f_{t+1}.",
            lambda forget: forget.flip(0).cumprod(0).flip(0),
        ),
        (
            "The product runs from the beginning up to t. The gradient needs the gates after t.",
            lambda forget: forget.cumprod(0),
        ),
        (
            "The product runs over the gates *before* t. The gradient needs those after t.",
            lambda forget: cell_path(forget.flip(0)).flip(0),
        ),
        (_SUMS, _summed),
        (_SUMS, lambda forget: forget.cumsum(0)),
        (_SUMS, lambda forget: torch.cat([_summed(forget)[1:], 0 * forget[:1] + 1])),
        (_SUMS, lambda forget: torch.cat([_summed(forget)[1:], 0 * forget[:1]])),
        (_ACROSS, lambda forget: cell_path(forget.T).T),
        (_ACROSS, lambda forget: forget.flip(1).cumprod(1).flip(1)),
        (_ACROSS, lambda forget: forget.cumprod(1)),
        (
            "Every row is the product of all gates: the way from a late c_t is shorter.",
            lambda forget: forget.prod(0).expand_as(forget),
        ),
        (
            "All gates divided by the first ones (or the same by logarithms): where a gate is 0 "
            "this is 0/0. Multiply the later gates instead.",
            lambda forget: forget.prod(0) / forget.cumprod(0),
        ),
        (
            "Each row is divided by its own gate from the product of all: where a gate is 0 this "
            "is 0/0. Multiply the later gates instead.",
            lambda forget: forget.prod(0) / forget,
        ),
        (
            "A gate of 0 is lifted to a tiny number: its rows should be exactly 0.",
            lambda forget: cell_path(forget.clamp(1e-2)),
        ),
        (
            "This is only the next gate, f_{t+1}: one step, not the whole way to T.",
            lambda forget: torch.cat([forget[1:], torch.ones_like(forget[:1])]),
        ),
        (
            "One row too far: a gate is skipped. Row t holds the gates from f_{t+1} on.",
            lambda forget: torch.cat([cell_path(forget)[1:], torch.ones_like(forget[:1])]),
        ),
        (
            "Zeros stand in the last row. An empty product is 1.",
            lambda forget: torch.cat([cell_path(forget)[:-1], 0 * forget[:1]]),
        ),
        (
            "The last gate itself stands in the last row. No gate lies after the last: 1.",
            lambda forget: torch.cat([cell_path(forget)[:-1], forget[-1:]]),
        ),
        (
            "The rows stand in the order of a loop from the end. Row 1 comes first: turn them "
            "round.",
            _then(lambda rows: rows.flip(0)),
        ),
        (
            "Rolling the rows brings the product of all gates into the last one. There stands 1.",
            lambda forget: forget.flip(0).cumprod(0).flip(0).roll(-1, 0),
        ),
        (_UNITS, _then(lambda rows: rows.prod(1))),
        (_UNITS, _then(lambda rows: rows.prod(1, keepdim=True).expand_as(rows))),
        ("The last row is missing, the ones: the result is (T, H).", _then(lambda rows: rows[:-1])),
        (
            "There is a row too many: with f_1, too, (T + 1, H). Row 1 is the product after f_1.",
            lambda forget: torch.cat([forget.prod(0, keepdim=True), cell_path(forget)]),
        ),
        (
            "Only the last gate is multiplied in: row t holds all of f_{t+1} … f_T.",
            lambda forget: torch.cat([0 * forget[1:] + forget[-1], torch.ones_like(forget[:1])]),
        ),
        ("The gates are averaged. They are multiplied.", _averaged),
    ],
)
