"""Exercise 3.2: ``last_real``."""

import torch
from torch import Tensor

from attnbook.checks.inputs import Inputs, normal
from attnbook.exercises import Call, Exercise
from attnlib import masking


def last_real(x: Tensor, mask: Tensor) -> Tensor:
    """Each row of x (B, S, F) at its last position where mask (B, S) is True → (B, F)."""
    return x[torch.arange(len(x), device=x.device), mask.sum(1) - 1]


def _states() -> Inputs:
    make = normal(3)
    for x, lengths in (
        (torch.tensor([[[1.0], [2.0], [9.0]], [[3.0], [4.0], [5.0]]]), [2, 3]),
        (make(2, 5, 3).requires_grad_(), [2, 4]),
        (make(4, 6, 5), [3, 6, 1, 5]),
    ):
        yield {"x": x, "mask": masking.lengths_to_mask(torch.tensor(lengths), x.shape[1])}


def _padding_is_not_read(call: Call) -> bool | str:
    changed = call.x.masked_fill(~call.mask.unsqueeze(-1), 7.0)
    return torch.allclose(call(x=changed), call.result) or (
        "When only the numbers at padding change, the result changes: padding has been read. "
        f"{_its_own_last(call) or ''}".strip()
    )


def _its_own_last(call: Call) -> str | None:
    for b, (states, real, got) in enumerate(zip(call.x, call.mask, call.result)):
        last = int(real.sum()) - 1
        if torch.allclose(got, states[last], atol=1e-5):
            continue
        positions = [j for j, state in enumerate(states) if torch.allclose(got, state, atol=1e-5)]
        what = f"the state of position {positions[0]}" if positions else "none of its states"
        return f"Row {b} gives {what}; its last real state is at position {last}."
    return None


CHECK = Exercise(
    last_real,
    inputs=_states,
    rules={
        "the states at padding do not matter": _padding_is_not_read,
        "every row gives the last of its own real states": _its_own_last,
    },
    mistakes={
        "This is the mean of the real states. Return one of them.": (
            lambda x, mask: (x * mask.unsqueeze(-1)).sum(1) / mask.sum(1, keepdim=True)
        ),
        "x[:, positions] reads every row at the positions of all rows, (B, B, F). Two index "
        "tensors side by side pick one entry per row.": lambda x, mask: x[:, mask.sum(1) - 1],
        "The dimension of the steps is still there, (B, 1, F). squeeze(1) removes it.": (
            lambda x, mask: last_real(x, mask).unsqueeze(1)
        ),
    },
)
