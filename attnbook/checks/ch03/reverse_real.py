"""Exercise 3.8: ``reverse_real``."""

from __future__ import annotations

from collections.abc import Callable

import torch
from torch import Tensor

import attnlib
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


def _from(source: Callable[[Tensor, Tensor, Tensor], Tensor]) -> Callable[[Tensor, Tensor], Tensor]:
    """Position j of a row takes what stands at ``source`` of j, length (B, 1) and mask."""

    def move(x: Tensor, mask: Tensor) -> Tensor:
        j = torch.arange(x.shape[1]).expand(mask.shape)
        where = source(j, mask.sum(1, keepdim=True), mask).expand_as(mask)
        return x.gather(1, where.clamp(0, x.shape[1] - 1).unsqueeze(-1).expand_as(x))

    return move


def _in_real(
    change: Callable[[Tensor], Tensor],
) -> Callable[[Tensor, Tensor], Tensor]:
    """The real part (n, F) of every row, changed, and then its padding."""

    def move(x: Tensor, mask: Tensor) -> Tensor:
        return torch.stack(
            [torch.cat([change(row[real]), row[~real]]) for row, real in zip(x, mask)]
        )

    return move


def _same_length(choose: Callable[[Tensor], Tensor]) -> Callable[[Tensor, Tensor], Tensor]:
    def move(x: Tensor, mask: Tensor) -> Tensor:
        n = int(choose(mask.sum(1)))
        return torch.cat([x[:, :n].flip(1), x[:, n:]], 1)

    return move


def _ends_only(real: Tensor) -> Tensor:
    changed = real.clone()
    changed[0], changed[-1] = real[-1], real[0]
    return changed


def _mirrored(real: Tensor) -> Tensor:
    """Written over while it is read."""
    for j in range(len(real)):
        real[j] = real[len(real) - 1 - j]
    return real


WHOLE = (
    "The whole row is reversed, so that padding comes first. Only the real tokens change places."
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
        (WHOLE, lambda x, mask: x.flip(1)),
        (
            "The whole row is reversed and then the padding's places are blanked: some real tokens "
            "are gone.",
            lambda x, mask: x.flip(1) * mask.unsqueeze(-1),
        ),
        (
            "The whole row is reversed, and this is looked at where the mask is True: there stands "
            "padding now, and some real tokens are gone.",
            lambda x, mask: torch.where(mask.unsqueeze(-1), x.flip(1), x),
        ),
        (
            "The whole row is reversed and then moved by the padding of one row. Each row has its "
            "own length.",
            lambda x, mask: x.flip(1).roll(-int((~mask).sum(1).max()), 1),
        ),
        (
            "The features of each token are reversed, not the order of the tokens.",
            lambda x, mask: x.flip(-1),
        ),
        (
            "The features of each token are reversed, not the order of the tokens.",
            lambda x, mask: torch.where(mask.unsqueeze(-1), x.flip(-1), x),
        ),
        (
            "Order and features are reversed, both. A token's features stay as they are.",
            _in_real(lambda real: real.flip(0, 1)),
        ),
        (
            "The sentences of the batch change places, not the tokens of a sentence: the first "
            "dimension counts the sentences.",
            lambda x, mask: x.flip(0),
        ),
        (
            "The sentences of the batch change places, not the tokens of a sentence: the first "
            "dimension counts the sentences.",
            lambda x, mask: torch.where(mask.unsqueeze(-1), x.flip(0), x),
        ),
        (
            "One position too far: position 0 takes its token from position n − 1.",
            _from(lambda j, n, real: torch.where(real, n - j, j)),
        ),
        (
            "One position too early: position 0 takes its token from position n − 1.",
            _from(lambda j, n, real: torch.where(real, (n - 2 - j).clamp(min=0), j)),
        ),
        (
            "The last real token stays where it is, and the others are reversed before it. x[:n] "
            "has all n of them: the end of a slice is not in it.",
            _in_real(lambda real: torch.cat([real[:-1].flip(0), real[-1:]])),
        ),
        (
            "The first real token stays where it is, and the others are reversed behind it. "
            "Positions count from 0.",
            _in_real(lambda real: torch.cat([real[:1], real[1:].flip(0)])),
        ),
        (
            "The real tokens are reversed as if there were one more: padding has come among them.",
            lambda x, mask: torch.stack(
                [
                    torch.cat([row[: n + 1].flip(0), row[n + 1 :]])
                    for row, n in zip(x, mask.sum(1).tolist())
                ]
            ),
        ),
        (
            "The real tokens are right; the padding is not as it was. It stays where it stands.",
            lambda x, mask: attnlib.model.reverse_real(x, mask).masked_fill(
                ~mask.unsqueeze(-1), 0.0
            ),
        ),
        (
            "The real tokens are right; the padding has been reversed as well. It stays where it "
            "stands.",
            lambda x, mask: torch.stack(
                [torch.cat([row[real].flip(0), row[~real].flip(0)]) for row, real in zip(x, mask)]
            ),
        ),
        (
            "The real tokens are reversed, and stand behind the padding. It stays at the end.",
            lambda x, mask: torch.stack(
                [torch.cat([row[~real], row[real].flip(0)]) for row, real in zip(x, mask)]
            ),
        ),
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
            "Only the first and the last real token change places. All of them do.",
            _in_real(_ends_only),
        ),
        (
            "The second half of a sentence is what it was before: were its tokens written over "
            "before they were read? Read from x and write into a copy, at all n positions.",
            _in_real(_mirrored),
        ),
        (
            "The real tokens are moved along by one, in a circle. They are to be reversed.",
            _in_real(lambda real: real.roll(1, 0)),
        ),
        (
            "gather takes one feature here: its index must be as wide as x. "
            ".unsqueeze(-1).expand_as(x) makes it so.",
            lambda x, mask: attnlib.model.reverse_real(x, mask)[..., :1],
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
        ("Nothing has been reversed.", lambda x, mask: x),
    ],
)
