"""Exercise 11.1: ``position_table``."""

from __future__ import annotations

import torch
from torch import Tensor

from attnbook.checks.shared import Inputs
from attnbook.exercises import Call, Exercise, Mistake


def _angles(length: int, size: int, base: float = 10000.0, step: int = 1) -> Tensor:
    speeds = base ** (-torch.arange(0, size, 2) * step / size)
    return torch.arange(length).unsqueeze(1) * speeds  # (length, size / 2)


def _all(length: int, size: int) -> Tensor:
    """An angle of its own for every column, where two should share one."""
    return torch.arange(length).unsqueeze(1) * 10000.0 ** (-torch.arange(size) / size)


def _interleaved(even: Tensor, odd: Tensor) -> Tensor:
    return torch.stack([even, odd], dim=-1).flatten(1)


def _tables() -> Inputs:
    yield {"length": 2, "size": 2}
    yield {"length": 3, "size": 4}
    yield {"length": 11, "size": 8}


def _first_row(call: Call) -> str | None:
    row = [round(x, 3) for x in call.result[0].tolist()]
    if row == [0.0, 1.0] * (call.size // 2):
        return None
    return (
        f"Position 0 is {row}. Every hand of the clock starts at angle 0: "
        "what are sin 0 and cos 0, and which columns do they belong to?"
    )


CHECK = Exercise(
    "position_table",
    reference=lambda length, size: _interleaved(
        _angles(length, size).sin(), _angles(length, size).cos()
    ),
    inputs=_tables,
    rules={
        "position 0 has sin 0 in the even columns and cos 0 in the odd": _first_row,
        "all numbers lie between -1 and 1": lambda call: bool((call.result.abs() <= 1.0001).all()),
    },
    mistakes=[
        Mistake(
            "The sines fill the left half and the cosines the right: here they take turns, sine in "
            "the even columns, cosine in the odd ones.",
            lambda length, size: torch.cat(
                [_angles(length, size).sin(), _angles(length, size).cos()], dim=1
            ),
        ),
        Mistake(
            "Sine and cosine have changed places: the even columns are the sines.",
            lambda length, size: _interleaved(
                _angles(length, size).cos(), _angles(length, size).sin()
            ),
        ),
        Mistake(
            "The first position is 1 here: positions count from 0.",
            lambda length, size: _interleaved(
                _angles(length + 1, size)[1:].sin(), _angles(length + 1, size)[1:].cos()
            ),
        ),
        Mistake(
            "The speeds fall too fast: the exponent has been doubled. arange(0, size, 2) is 2i "
            "already.",
            lambda length, size: _interleaved(
                _angles(length, size, step=2).sin(), _angles(length, size, step=2).cos()
            ),
        ),
        Mistake(
            "The two columns of a pair turn at different speeds: columns 2i and 2i + 1 share the "
            "exponent 2i / size.",
            lambda length, size: torch.where(
                torch.arange(size) % 2 == 0, _all(length, size).sin(), _all(length, size).cos()
            ),
        ),
        Mistake(
            "Later columns turn faster here: the angle is t divided by 10000^(2i/size), not "
            "multiplied.",
            lambda length, size: _interleaved(
                _angles(length, size, base=1e-4).sin(), _angles(length, size, base=1e-4).cos()
            ),
        ),
    ],
    tolerance=1e-3,
)
