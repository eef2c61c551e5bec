"""Exercise 3.4: ``last_real``."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor

from attnbook.checks.shared import Inputs, normal
from attnbook.exercises import Call, Exercise
from attnlib import masking


def last_real(x: Tensor, mask: Tensor) -> Tensor:
    """Each row of x (B, S, F) at its last position where mask (B, S) is True → (B, F)."""
    return x[torch.arange(len(x), device=x.device), mask.sum(1) - 1]


def _states() -> Inputs:
    yield {
        "x": torch.tensor([[[1.0], [2.0], [9.0]], [[3.0], [4.0], [5.0]]]),
        "mask": torch.tensor([[True, True, False], [True, True, True]]),
    }
    make = normal(3)
    yield {
        "x": make(2, 5, 3).requires_grad_(),
        "mask": masking.lengths_to_mask(torch.tensor([2, 4]), 5),
    }
    yield {"x": make(4, 6, 5), "mask": masking.lengths_to_mask(torch.tensor([3, 6, 1, 5]))}


def _padding_is_not_read(call: Call) -> str | None:
    touched = call.x.masked_fill(~call.mask.unsqueeze(-1), 7.0)
    if torch.allclose(call(x=touched), call.result):
        return None
    return "When only the numbers at padding change, the result changes: padding has been read."


def _its_own_last(call: Call) -> str | None:
    for b, (states, real, got) in enumerate(zip(call.x, call.mask, call.result)):
        last = int(real.sum()) - 1
        if torch.allclose(got, states[last], atol=1e-5):
            continue
        found = [j for j, state in enumerate(states) if torch.allclose(got, state, atol=1e-5)]
        what = f"the state of position {found[0]}" if found else "none of its states"
        return f"Row {b} gives {what}; its last real state stands at position {last}."
    return None


def _at(position: Any) -> Any:
    """Each row at a position made of the rows' lengths (B,) and S."""

    def pick(x: Any, mask: Any) -> Any:
        where = position(mask.sum(1), x.shape[1]).expand(len(x))
        return x[torch.arange(len(x)), where]

    return pick


POSITIONS: dict[str, Any] = {
    "All rows are read where the longest one ends. Each has a last position of its own.": (
        lambda n, size: n.max() - 1
    ),
    "All rows are read where the first one ends. Each has a last position of its own.": (
        lambda n, size: n[0] - 1
    ),
    "All rows are read where the last one ends. Each has a last position of its own.": (
        lambda n, size: n[-1] - 1
    ),
    "All rows are read where the shortest one ends. Each has a last position of its own.": (
        lambda n, size: n.min() - 1
    ),
    "In a row without padding this is the first state: where no position is False, argmin says "
    "0.": lambda n, size: torch.where(n == size, 0, n - 1),
    "One position too far: a row of length n ends at position n − 1. A row without padding has no "
    "position n.": lambda n, size: n,
}
TOO_FAR = "One position too far: a row of length n ends at position n − 1."
TOO_EARLY = "One position too early: this is the last real state but one."
STATES: dict[str, Any] = {
    "This is x[:, −1], the last column of the table. For every row but the longest that is "
    "padding.": lambda x, mask: x[:, -1],
    "Padding becomes 0, and then the last column is taken: a row that ends earlier gives zeros.": (
        lambda x, mask: (x * mask.unsqueeze(-1))[:, -1]
    ),
    "This is the first position, not the last.": lambda x, mask: x[:, 0],
    "This is the mean of the real states. Asked for is one of them.": (
        lambda x, mask: (x * mask.unsqueeze(-1)).sum(1) / mask.sum(1, keepdim=True)
    ),
    "This is the mean of all states, padding and all. Asked for is one of them.": (
        lambda x, mask: x.mean(1)
    ),
    "This is the sum of the real states. Asked for is one of them.": (
        lambda x, mask: (x * mask.unsqueeze(-1)).sum(1)
    ),
    "This is the largest number of each feature, not the last.": (
        lambda x, mask: x.masked_fill(~mask.unsqueeze(-1), -torch.inf).amax(1)
    ),
    "x[:, positions] reads every row at the positions of all rows, (B, B, F). Two index tensors "
    "side by side pick one entry a row.": lambda x, mask: x[:, mask.sum(1) - 1],
    "x[positions] picks whole rows, (B, S, F): the first index counts the sentences. Two index "
    "tensors side by side pick one entry a row.": lambda x, mask: x[mask.sum(1) - 1],
    "The dimension of the steps is still there, (B, 1, F). squeeze(1) takes it away.": (
        lambda x, mask: last_real(x, mask).unsqueeze(1)
    ),
    "This is x[:, −1:], the last column of the table, with a dimension left over. For every row "
    "but the longest it is padding.": lambda x, mask: x[:, -1:],
    "One number of each state is left, its last feature. The whole state is asked for, (B, F).": (
        lambda x, mask: last_real(x, mask)[:, -1]
    ),
    "This is the last feature of every state, (B, S). Asked for is the last real state of each "
    "row, (B, F).": lambda x, mask: x[..., -1],
    "The states stand one behind the other in one row. stack keeps them apart, (B, F); cat does "
    "not.": lambda x, mask: last_real(x, mask).flatten(),
    "These are all real states of all rows, one below the other. Asked for is one a row.": (
        lambda x, mask: x[mask]
    ),
    "This is the last row of the batch, all its states. Asked for is the last real state of each "
    "row.": lambda x, mask: x[-1],
}

CHECK = Exercise(
    "last_real",
    reference=last_real,
    inputs=_states,
    rules={
        "what stands at padding does not matter": _padding_is_not_read,
        "every row gives the last of its own real states": _its_own_last,
    },
    mistakes=[
        *STATES.items(),
        *((told, _at(position)) for told, position in POSITIONS.items()),
        (TOO_FAR, _at(lambda n, size: n.clamp(max=size - 1))),
        (TOO_FAR, _at(lambda n, size: n % size)),
        (TOO_EARLY, _at(lambda n, size: (n - 2).clamp(min=0))),
        (TOO_EARLY, _at(lambda n, size: n - 2)),
    ],
)
