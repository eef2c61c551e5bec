"""Exercise 11.3: ``decoder_mask``."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor

from attnbook.checks.shared import Inputs, relatives, same
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


def _mask(
    real: Tensor,
    *,
    past: Any = same,
    seen: Any = same,
    join: Any = torch.logical_and,
    after: Any = same,
) -> Tensor:
    """Who may attend to whom, of which one part may be another."""
    return after(join(seen(_columns(real)), past(_past(real.shape[1]))))


def _real() -> Inputs:
    yield {"real": torch.tensor([[True, True]])}
    yield {"real": torch.tensor([[True, False, False], [True, True, True]])}
    real = [[1, 1, 1, 1, 0], [1, 1, 0, 0, 0], [1, 1, 1, 1, 1], [0, 0, 1, 1, 1]]
    yield {"real": torch.tensor(real).bool()}


def _told(call: Call, bad: Tensor, what: str) -> str | None:
    if not bool(bad.any()):
        return None
    b, t, j = bad.nonzero()[0].tolist()
    return f"In sentence {b} position {t} {what.format(j=j)}."


def _no_future(call: Call) -> str | None:
    later = ~_past(call.real.shape[1])
    return _told(call, call.result & later, "may attend to position {j}, which comes after it")


def _no_padding(call: Call) -> str | None:
    padding = ~_columns(call.real)
    return _told(call, call.result & padding, "may attend to position {j}, which is padding")


def _real_past(call: Call) -> str | None:
    may = _columns(call.real) & _past(call.real.shape[1])
    return _told(
        call, ~call.result & may, "may not attend to position {j}, which is real and not after it"
    )


def _first(call: Call) -> str | None:
    if bool(call.result[:, 0, 0][call.real[:, 0]].all()):
        return None
    return "The first position may attend to nothing, not even to itself. With what would it start?"


CHECK = Exercise(
    "decoder_mask",
    reference=decoder_mask,
    inputs=_real,
    rules={
        "the first position sees itself": _first,
        "no position sees what comes after it": _no_future,
        "no position sees padding": _no_padding,
        "every position sees all real ones up to itself": _real_past,
    },
    mistakes=[
        (
            "The padding was taken out of the rows and of the columns. The question is which "
            "positions may be *looked at*, and those are the columns j alone.",
            lambda real: decoder_mask(real) & real.unsqueeze(2),
        ),
        (
            "Only which words are real comes back. Each position has a row of its own: (B, T, T).",
            lambda real: real.clone(),
        ),
        *(
            (
                "One table comes back for all sentences. Each has its own padding: (B, T, T).",
                whole,
            )
            for whole in (
                lambda real: real.any(0) & _past(real.shape[1]),
                lambda real: real.all(0) & _past(real.shape[1]),
                lambda real: real[0] & _past(real.shape[1]),
                lambda real: _past(real.shape[1]),
            )
        ),
        *relatives(
            _mask,
            past={
                "Every position sees the words *after* it: rows are t, columns j, and j ≤ t is on "
                "and below the diagonal.": lambda p: p.T,
                "The diagonal is missing: position t may attend to itself, it is the last word "
                "read.": lambda p: p.tril(-1),
                "One word of the future may be attended: "
                "the triangle ends one diagonal too late.": lambda p: torch.ones_like(p).tril(1),
                "The padding is hidden, the future is not.": lambda p: torch.ones_like(p),
                "Every position "
                "sees itself alone: all words before it may be attended, too.": lambda p: p & p.T,
                "Only the future "
                "is open, without the position itself: j ≤ t is the other half.": lambda p: ~p,
            },
            seen={
                "Padding may be attended: the future is hidden, the padding is not.": lambda c: (
                    torch.ones_like(c)
                ),
                "The padding was taken out of the rows, not of the columns: the question is which "
                "positions may be *looked "
                "at*, and those are the columns j.": lambda c: c.transpose(1, 2),
                "The padding of the first sentence is used for every sentence.": lambda c: c[
                    :1
                ].expand_as(c),
                "Padding may "
                "be attended, and real words may not: real is True at real words.": lambda c: ~c,
                "Only what is real in every sentence "
                "may be attended: each has its own padding.": lambda c: c.all(0).expand_as(c),
            },
            join={
                "One "
                "of the two is enough here (or): j is real *and* not after t.": torch.logical_or,
                "Exactly "
                "one of the two holds here (xor): j is real *and* not after t.": torch.logical_xor,
            },
            after={
                "This is the other way round: True marks what may be attended, and here it marks "
                "what may not.": torch.logical_not,
                "Numbers come back. A mask is boolean: & joins two masks, and neither of "
                "them need be numbers.": Tensor.float,
                "Numbers to be added to scores come back, 0 and −∞. A boolean "
                "mask is asked for.": lambda m: torch.zeros(m.shape).masked_fill(~m, -torch.inf),
                "There is a dimension "
                "too many, perhaps for the heads: the mask is (B, T, T).": lambda m: m.unsqueeze(1),
                "Rows and columns are exchanged: rows are t, columns j.": lambda m: m.transpose(
                    1, 2
                ),
            },
        ),
    ],
)
