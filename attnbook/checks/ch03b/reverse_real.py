"""Exercise 3.6: ``reverse_real``."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor

from attnbook.checks.shared import Inputs, normal
from attnbook.exercises import Call, Exercise
from attnlib import masking


def reverse_real(x: Tensor, mask: Tensor) -> Tensor:
    """x (B, S, F) with each row's real tokens (mask (B, S)) reversed; padding stays at the end."""
    position = torch.arange(x.shape[1], device=x.device).expand(mask.shape)
    mirrored = mask.sum(1, keepdim=True) - 1 - position
    source = torch.where(mask, mirrored, position)
    return x.gather(1, source.unsqueeze(-1).expand_as(x))


def _rows() -> Inputs:
    yield {
        "x": torch.tensor([[[1.0], [2.0], [3.0], [9.0]]]),
        "mask": torch.tensor([[True, True, True, False]]),
    }
    make = normal(4)
    yield {"x": make(2, 5, 3), "mask": masking.lengths_to_mask(torch.tensor([4, 2]), 5)}
    yield {"x": make(4, 6, 3), "mask": masking.lengths_to_mask(torch.tensor([1, 5, 3, 6]))}


def _undoes_itself(call: Call) -> str | None:
    again = call(x=call.result)
    if torch.allclose(again, call.x):
        return None
    return "Reversed twice it is not what it was before."


def _each_in_its_place(call: Call) -> str | None:
    for b, (before, real, after) in enumerate(zip(call.x, call.mask, call.result)):
        n = int(real.sum())
        for j, got in enumerate(after):
            wanted = n - 1 - j if j < n else j
            if torch.allclose(got, before[wanted], atol=1e-6):
                continue
            found = [i for i, x in enumerate(before) if torch.allclose(got, x, atol=1e-6)]
            what = f"what stood at position {found[0]}" if found else "nothing that stood there"
            right = f"what stood at {wanted}" if j < n else "the padding that stood there before"
            return (
                f"Row {b} has {n} real tokens. Its position {j} holds {what} of that row before, "
                f"and should hold {right}."
            )
    return None


def _from(source: Any) -> Any:
    """Position j of a row takes what stands at ``source`` of j, length (B, 1) and mask."""

    def move(x: Any, mask: Any) -> Any:
        where = source(torch.arange(x.shape[1]), mask.sum(1, keepdim=True), mask)
        return x.gather(1, where.clamp(0, x.shape[1] - 1).unsqueeze(-1).expand_as(x))

    return move


def _rows_of(change: Any) -> Any:
    """Every row is made of its real part (n, F) and its padding."""
    return lambda x, mask: torch.stack(
        [torch.cat(change(row[real], row[~real])) for row, real in zip(x, mask)]
    )


def _same_length(choose: Any) -> Any:
    def move(x: Any, mask: Any) -> Any:
        n = int(choose(mask.sum(1)))
        return torch.cat([x[:, :n].flip(1), x[:, n:]], 1)

    return move


def _written_over(real: Any) -> Any:
    for j in range(len(real)):
        real[j] = real[len(real) - 1 - j]
    return real


ANSWERS: dict[str, Any] = {
    "The whole row is reversed, so that padding comes first. Only the real tokens change places.": (
        lambda x, mask: x.flip(1)
    ),
    "The whole row is reversed and then the padding's places are blanked: some real tokens are "
    "gone.": lambda x, mask: x.flip(1) * mask.unsqueeze(-1),
    "The whole row is reversed, and this is looked at where the mask is True: there stands padding "
    "now, and some real tokens are gone.": (
        lambda x, mask: torch.where(mask.unsqueeze(-1), x.flip(1), x)
    ),
    "The whole row is reversed and then moved by the padding of one row. Each row has its own "
    "length.": lambda x, mask: x.flip(1).roll(-int((~mask).sum(1).max()), 1),
    "The real tokens are right; the padding is not as it was. It stays where it stands.": (
        lambda x, mask: reverse_real(x, mask) * mask.unsqueeze(-1)
    ),
    "gather takes one feature here: its index must be as wide as x. .unsqueeze(-1).expand_as(x) "
    "makes it so.": lambda x, mask: reverse_real(x, mask)[..., :1],
    "Nothing has been reversed.": lambda x, mask: x,
}
ROWS: dict[str, Any] = {
    "Order and features are reversed, both. A token's features stay as they are.": (
        lambda real, rest: [real.flip(0, 1), rest]
    ),
    "The last real token stays where it is, and the others are reversed before it. x[:n] has all n "
    "of them: the end of a slice is not in it.": (
        lambda real, rest: [real[:-1].flip(0), real[-1:], rest]
    ),
    "The first real token stays where it is, and the others are reversed behind it. Positions "
    "count from 0.": lambda real, rest: [real[:1], real[1:].flip(0), rest],
    "The real tokens are reversed as if there were one more: padding has come among them.": (
        lambda real, rest: [rest[:1], real.flip(0), rest[1:]]
    ),
    "The real tokens are right; the padding has been reversed as well. It stays where it stands.": (
        lambda real, rest: [real.flip(0), rest.flip(0)]
    ),
    "The real tokens are reversed, and stand behind the padding. It stays at the end.": (
        lambda real, rest: [rest, real.flip(0)]
    ),
    "Only the first and the last real token change places. All of them do.": (
        lambda real, rest: [real[-1:], real[1:-1], real[:-1][:1], rest]
    ),
    "The second half of a sentence is what it was before: were its tokens written over before they "
    "were read? Read from x and write into a copy, at all n positions.": (
        lambda real, rest: [_written_over(real), rest]
    ),
    "The real tokens are moved along by one, in a circle. They are to be reversed.": (
        lambda real, rest: [real.roll(1, 0), rest]
    ),
}
FEATURES = "The features of each token are reversed, not the order of the tokens."
SENTENCES = (
    "The sentences of the batch change places, not the tokens of a sentence: the first dimension "
    "counts the sentences."
)

CHECK = Exercise(
    "reverse_real",
    reference=reverse_real,
    inputs=_rows,
    rules={
        "real tokens change places, padding does not": _each_in_its_place,
        "reversed twice a sentence is as before": _undoes_itself,
    },
    mistakes=[
        *ANSWERS.items(),
        *((told, _rows_of(change)) for told, change in ROWS.items()),
        (FEATURES, lambda x, mask: x.flip(-1)),
        (FEATURES, lambda x, mask: torch.where(mask.unsqueeze(-1), x.flip(-1), x)),
        (SENTENCES, lambda x, mask: x.flip(0)),
        (SENTENCES, lambda x, mask: torch.where(mask.unsqueeze(-1), x.flip(0), x)),
        *(
            (
                f"All rows are reversed as far as the {which} one is long. Each has a length of "
                "its own.",
                _same_length(choose),
            )
            for which, choose in (
                ("first", lambda n: n[0]),
                ("last", lambda n: n[-1]),
                ("longest", torch.max),
                ("shortest", torch.min),
            )
        ),
        (
            "One position too far: position 0 takes its token from position n − 1.",
            _from(lambda j, n, real: torch.where(real, n - j, j)),
        ),
        (
            "One position too early: position 0 takes its token from position n − 1.",
            _from(lambda j, n, real: torch.where(real, n - 2 - j, j)),
        ),
        (
            "n − 1 − j is below 0 at padding, and no position. There a row takes what stands at j "
            "itself: torch.where chooses between the two.",
            lambda x, mask: x.gather(
                1,
                (mask.sum(1, keepdim=True) - 1 - torch.arange(x.shape[1]))
                .unsqueeze(-1)
                .expand_as(x),
            ),
        ),
    ],
)
