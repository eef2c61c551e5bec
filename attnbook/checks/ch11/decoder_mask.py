"""Exercise 11.3: ``decoder_mask``."""

import torch
from torch import Tensor

from attnbook.checks.inputs import Inputs
from attnbook.exercises import Call, Exercise


def decoder_mask(real: Tensor) -> Tensor:
    """real (B, T), boolean → who may attend to whom (B, T, T), True = may."""
    steps = real.shape[1]
    past = torch.ones(steps, steps, dtype=torch.bool, device=real.device).tril()
    return real.unsqueeze(1) & past


def _past(steps: int) -> Tensor:
    return torch.ones(steps, steps, dtype=torch.bool).tril()


def _columns(real: Tensor) -> Tensor:
    return real.unsqueeze(1).expand(-1, real.shape[1], -1)


def _real() -> Inputs:
    yield {"real": torch.tensor([[True, True]])}
    yield {"real": torch.tensor([[True, False, False], [True, True, True]])}
    real = [[1, 1, 1, 1, 0], [1, 1, 0, 0, 0], [1, 1, 1, 1, 1], [0, 0, 1, 1, 1]]
    yield {"real": torch.tensor(real).bool()}


def _who_attends(call: Call) -> str | None:
    real, past = _columns(call.real), _past(call.real.shape[1])
    for bad, what in (
        (call.result & ~past, "may attend to position {}, which comes after it"),
        (call.result & ~real, "may attend to position {}, which is padding"),
        (
            ~call.result & real & past,
            "may not attend to position {}, which is real and not after it",
        ),
    ):
        for b, t, j in bad.nonzero().tolist():
            return f"In sentence {b} position {t} {what.format(j)}."
    return None


CHECK = Exercise(
    decoder_mask,
    inputs=_real,
    rules={
        "a position sees all real ones up to itself, no padding and nothing later": _who_attends,
    },
    mistakes={
        "You removed the padding from the rows and the columns. The question is which positions "
        "may be *attended*, and those are only the columns j.": (
            lambda real: decoder_mask(real) & real.unsqueeze(2)
        ),
        "You removed the padding from the rows, not the columns: the question is which positions "
        "may be *attended*, and those are the columns j.": (
            lambda real: real.unsqueeze(2) & _past(real.shape[1])
        ),
        "Every position sees the words *after* it: rows are t, columns j, and j ≤ t is on and "
        "below the diagonal.": (lambda real: _columns(real) & _past(real.shape[1]).T),
        "You require only one of the two (or): j is real *and* not after t.": (
            lambda real: _columns(real) | _past(real.shape[1])
        ),
        "This is the other way around: True marks what may be attended, but yours marks what may "
        "not.": (lambda real: ~decoder_mask(real)),
    },
)
