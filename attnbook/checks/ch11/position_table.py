"""Exercise 11.1: ``position_table``."""

import math
from collections.abc import Callable

import torch
from torch import Tensor

from attnbook.checks.inputs import Inputs
from attnbook.exercises import Call, Exercise


def position_table(length: int, size: int) -> Tensor:
    """Sinusoidal positions (Vaswani et al. 2017, §3.5). Two numbers → tensor (length, size)."""
    speeds = 10000.0 ** (-torch.arange(0, size, 2) / size)  # (size / 2,)
    angles = torch.arange(length).unsqueeze(1) * speeds  # (length, size / 2)
    table = torch.zeros(length, size)
    table[:, 0::2] = angles.sin()
    table[:, 1::2] = angles.cos()
    return table


def _tables() -> Inputs:
    for length, size in ((2, 2), (3, 4), (11, 8), (5, 6), (70, 16), (1, 2)):
        yield {"length": length, "size": size}


def _first_row(call: Call) -> str | None:
    row = [round(x, 3) for x in call.result[0].tolist()]
    if row == [0.0, 1.0] * (call.size // 2):
        return None
    return (
        f"Position 0 is {row}. Every hand of the clock starts at angle 0: "
        "what are sin 0 and cos 0, and which columns do they belong to?"
    )


def _on_the_clock(call: Call) -> str | None:
    sizes = call.result[:, 0::2] ** 2 + call.result[:, 1::2] ** 2
    bad = (sizes - 1).abs() > 1e-3
    if not bool(bad.any()):
        return None
    t, i = bad.nonzero()[0].tolist()
    return (
        f"At position {t} the squares of columns {2 * i} and {2 * i + 1} sum to "
        f"{float(sizes[t, i]):.4g}, not to 1: the two are sine and cosine of one angle."
    )


#: What else the exponent of 10000 or the speed of a hand may be made of, by i and size.
_OTHER_SPEEDS: dict[str, Callable[[int, int], float]] = {
    "You use the exponent i / size, or 100 instead of 10000: it is 10000^(2i/size).": (
        lambda i, size: 10000 ** (-i / size)
    ),
    "All hands turn at the same speed: did you use //, which leaves only whole numbers, or omit "
    "the exponent?": (lambda i, size: 1.0),
    "The angle is t divided by 10000^(2i/size), not multiplied.": (
        lambda i, size: 10000 ** (2 * i / size)
    ),
    "The base is 1000 here. It is 10000.": lambda i, size: 1000 ** (-2 * i / size),
}


def _speeds(call: Call) -> str | None:
    size = 8
    _, second = call(length=2, size=size)
    for i in range(size // 2):
        turned = math.atan2(second[2 * i], second[2 * i + 1])
        expected = 10000 ** (-2 * i / size)
        if abs(turned - expected) > 1e-5 + 1e-3 * expected:
            message = (
                f"From position 0 to 1 the hand of columns {2 * i} and {2 * i + 1} turns by "
                f"{turned:.4g}; with i = {i} and size = {size} it is 1 / 10000^(2i/size) = "
                f"{expected:.4g}."
            )
            if i:
                for clue, speed in _OTHER_SPEEDS.items():
                    gap = math.remainder(turned - speed(i, size), 2 * math.pi)
                    if abs(gap) < 1e-3 * min(speed(i, size), 1):
                        return f"{message} {clue}"
            return message
    return None


def _in_halves(length: int, size: int) -> Tensor:
    table = position_table(length, size)
    return torch.cat([table[:, 0::2], table[:, 1::2]], dim=1)


CHECK = Exercise(
    position_table,
    inputs=_tables,
    rules={
        "position 0 has sin 0 in the even columns and cos 0 in the odd": _first_row,
        "the two columns of a pair are sine and cosine of one angle": _on_the_clock,
        "hand i turns by 1 / 10000^(2i/size) a position": _speeds,
    },
    mistakes={
        "The sines fill the left half and the cosines the right: here they must alternate, sine "
        "in the even columns, cosine in the odd ones.": _in_halves,
        "Sine and cosine are swapped: the even columns are the sines.": (
            lambda length, size: (
                position_table(length, size).unflatten(1, (-1, 2)).flip(2).flatten(1)
            )
        ),
        "Your first position is 1: positions count from 0.": (
            lambda length, size: position_table(length + 1, size)[1:]
        ),
    },
    tolerance=1e-4,
)
