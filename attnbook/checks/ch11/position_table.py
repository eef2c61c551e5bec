"""Exercise 11.1: ``position_table``."""

from __future__ import annotations

import math
from typing import Any

import torch
from torch import Tensor

from attnbook.checks.shared import Inputs, agrees, relatives, same
from attnbook.exercises import Call, Exercise


def position_table(length: int, size: int) -> Tensor:
    """Sinusoidal positions (Vaswani et al. 2017, §3.5). Two numbers → tensor (length, size)."""
    speeds = 10000.0 ** (-torch.arange(0, size, 2) / size)  # (size / 2,)
    angles = torch.arange(length).unsqueeze(1) * speeds  # (length, size / 2)
    table = torch.zeros(length, size)
    table[:, 0::2] = angles.sin()
    table[:, 1::2] = angles.cos()
    return table


def _interleaved(sines: Tensor, cosines: Tensor) -> Tensor:
    return torch.stack([sines, cosines], dim=-1).flatten(1)


def _table(
    length: int,
    size: int,
    *,
    positions: Any = same,
    exponents: Any = same,
    speeds: Any = lambda exponents: 10000.0**-exponents,
    waves: Any = lambda angles: (angles.sin(), angles.cos()),
    place: Any = _interleaved,
    after: Any = same,
) -> Tensor:
    """The table, of which one part may be another."""
    exponent = exponents(torch.arange(0, size, 2) / size)
    angles = positions(torch.arange(length).float()).unsqueeze(1) * speeds(exponent)
    return after(place(*waves(angles)))


def _all_speeds(length: int, size: int) -> Tensor:
    """An angle of its own for every column, where two should share one."""
    angles = torch.arange(length).unsqueeze(1) * 10000.0 ** (-torch.arange(size) / size)
    return torch.where(torch.arange(size) % 2 == 0, angles.sin(), angles.cos())


def _tables() -> Inputs:
    yield {"length": 2, "size": 2}
    yield {"length": 3, "size": 4}
    yield {"length": 11, "size": 8}
    yield {"length": 5, "size": 6}
    yield {"length": 70, "size": 16}
    yield {"length": 1, "size": 2}
    yield {"length": 4, "size": 8}


def _first_row(call: Call) -> str | None:
    row = [round(x, 3) for x in call.result[0].tolist()]
    if row == [0.0, 1.0] * (call.size // 2):
        return None
    return (
        f"Position 0 is {row}. Every hand of the clock starts at angle 0: "
        "what are sin 0 and cos 0, and which columns do they belong to?"
    )


def _within_one(call: Call) -> str | None:
    largest = float(call.result.abs().max())
    if largest <= 1.0001:
        return None
    return f"There is a {largest:.4g} in the table; sines and cosines lie between −1 and 1."


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


def _speeds(call: Call) -> str | None:
    if call.length < 2:
        return None
    turned = torch.atan2(call.result[1, 0::2], call.result[1, 1::2])
    right = torch.atan2(call.expected[1, 0::2], call.expected[1, 1::2])
    bad = (turned - right).abs() > 1e-5 + 1e-3 * right.abs()
    if not bool(bad.any()):
        return None
    i = int(bad.nonzero()[0])
    return (
        f"From position 0 to 1 the hand of columns {2 * i} and {2 * i + 1} turns by "
        f"{float(turned[i]):.4g}; with i = {i} and size = {call.size} it is "
        f"1 / 10000^(2i/size) = {float(right[i]):.4g}."
    )


CHECK = Exercise(
    "position_table",
    reference=position_table,
    inputs=_tables,
    rules={
        "position 0 has sin 0 in the even columns and cos 0 in the odd": _first_row,
        "all numbers lie between -1 and 1": _within_one,
        "the two columns of a pair are sine and cosine of one angle": _on_the_clock,
        "hand i turns by 1 / 10000^(2i/size) a position": _speeds,
        "every position has its own angle": agrees("position", "column"),
    },
    mistakes=[
        (
            "The two columns of a pair turn at different speeds: columns 2i and 2i + 1 share the "
            "exponent 2i / size.",
            _all_speeds,
        ),
        *relatives(
            _table,
            place={
                "The sines fill the left half and the cosines the right: here they take turns, "
                "sine in "
                "the even columns, cosine in the odd ones.": lambda s, c: torch.cat([s, c], dim=1),
                "The cosines fill the left half and the sines the right: here they take turns, "
                "sine in "
                "the even columns, cosine in the odd ones.": lambda s, c: torch.cat([c, s], dim=1),
                "Sine and cosine have "
                "changed places: the even columns are the sines.": lambda s, c: _interleaved(c, s),
                "All columns are sines: the odd ones should be cosines.": lambda s, c: _interleaved(
                    s, s
                ),
                "All columns are cosines: the even ones should be sines.": lambda s, c: (
                    _interleaved(c, c)
                ),
                "The odd columns are still 0: the cosines are missing.": lambda s, c: _interleaved(
                    s, 0 * s
                ),
                "The even columns are still 0: the sines are missing.": lambda s, c: _interleaved(
                    0 * s, c
                ),
                "Only half of the columns are there: the cosines are missing.": lambda s, c: s,
            },
            positions={
                "The first position is 1 here: positions count from 0.": lambda t: t + 1,
                "The positions are divided by the length: position t is t.": lambda t: t / len(t),
                "The positions run backwards: row t is position t.": lambda t: t.flip(0),
                "The positions are turned into "
                "radians by π/180: the angle is a number as it is.": lambda t: t * math.pi / 180,
                "The positions are multiplied by 2π: the angle is a number as it is.": lambda t: (
                    t * 2 * math.pi
                ),
                "The positions are multiplied by π: the angle is a number as it is.": lambda t: (
                    t * math.pi
                ),
            },
            exponents={
                "The speeds fall too fast: the exponent has been doubled. arange(0, size, 2) is 2i "
                "already.": lambda e: 2 * e,
                "The speeds fall too slowly, as with the exponent i / size, or with 100 for 10000. "
                "It is 10000^(2i/size).": lambda e: e / 2,
                "All hands turn at the same speed, that of exponent 0: // leaves whole numbers "
                "only, or the exponent is missing.": lambda e: torch.zeros_like(e),
                "The exponent begins with 2 / size: i counts from 0.": lambda e: e + 1 / len(e),
                "The exponent is (2i "
                "+ 1) / size: both columns of a pair have 2i / size.": lambda e: e + 0.5 / len(e),
                "The last exponent is 1 here. 2i is "
                "divided by size, and it ends before it.": lambda e: torch.linspace(0, 1, len(e)),
                "The exponent is 2i: it has not been divided by size.": lambda e: e * 2 * len(e),
                "The slow hands come first: the speeds are in the opposite order.": lambda e: (
                    e.flip(0)
                ),
            },
            speeds={
                "Later columns turn faster here: the angle is t divided by 10000^(2i/size), not "
                "multiplied.": lambda e: 10000.0**e,
                "The base is e here. It is 10000.": lambda e: (-e).exp(),
                **{
                    f"The base is {base} here. It is 10000.": lambda e, base=base: base**-e
                    for base in (1000, 100000, 10, 2)
                },
                "The angle is divided by 10000 · 2i / size. 2i / size is an exponent.": lambda e: (
                    1 / (10000.0 * e).clamp(min=1.0)
                ),
            },
            waves={
                "These are the angles themselves: sine and cosine are missing.": lambda x: (x, x),
                "The cosines have the opposite sign.": lambda x: (x.sin(), -x.cos()),
                "The sines have the opposite sign.": lambda x: (-x.sin(), x.cos()),
            },
            after={
                "The table is (size, length): row t is position t.": lambda table: table.T,
                "Only half of the columns are there: (length, size) is asked for.": lambda table: (
                    table[:, : table.shape[1] // 2]
                ),
                "The table has a dimension too many: it is (length, size).": lambda table: (
                    table.unsqueeze(0)
                ),
            },
        ),
    ],
    tolerance=1e-4,
)
