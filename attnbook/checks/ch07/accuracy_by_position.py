"""Exercise 7.1: ``accuracy_by_position``."""

from __future__ import annotations

import torch
from torch import Tensor

from attnbook.checks.ch07.shared import generator
from attnbook.checks.shared import Inputs
from attnbook.exercises import Call, Exercise, Mistake


def _written_and_gold() -> Inputs:
    yield {
        "written": torch.tensor([[5, 6], [7, 0]]),
        "gold": torch.tensor([[5, 8], [7, 0]]),
        "mask": torch.tensor([[True, True], [True, False]]),
    }
    for seed, rows, length in ((1, 4, 5), (2, 6, 3)):
        draw = generator(seed)
        gold = torch.randint(4, 7, (rows, length), generator=draw)
        lengths = torch.randint(1, length + 1, (rows,), generator=draw)
        lengths[0] = length
        mask = torch.arange(length) < lengths.unsqueeze(1)
        written = torch.randint(4, 7, (rows, length), generator=draw)
        yield {"written": written, "gold": gold.masked_fill(~mask, 0), "mask": mask}


def _by_position(written: Tensor, gold: Tensor, mask: Tensor) -> Tensor:
    return ((written == gold) & mask).sum(0) / mask.sum(0)


def _padding_is_no_answer(call: Call) -> str | None:
    other = call.written.masked_fill(~call.mask, 9)
    if torch.allclose(call(written=other), call.result):
        return None
    return (
        "When other words are written at padding, the accuracy changes. There is no right answer "
        "there: count real tokens only, above and below the line."
    )


def _all_right(call: Call) -> str | None:
    found = call(written=call.gold)
    if torch.allclose(found, torch.ones_like(found)):
        return None
    return (
        "With every token right, the accuracy at some position is "
        f"{float(found.min()):.2f}, not 1. By how many sentences is it divided?"
    )


CHECK = Exercise(
    "accuracy_by_position",
    reference=_by_position,
    inputs=_written_and_gold,
    rules={
        "what is written at padding does not count": _padding_is_no_answer,
        "where every token is right it is 1 everywhere": _all_right,
    },
    mistakes=[
        Mistake(
            "Padding counts as right here (PAD equals PAD), so late positions look too good.",
            lambda written, gold, mask: (written == gold).double().mean(0).float(),
        ),
        Mistake(
            "It is divided by the number of sentences. At a late position fewer sentences are "
            "left: divide by how many still have a real token there.",
            lambda written, gold, mask: ((written == gold) & mask).sum(0) / len(mask),
        ),
        Mistake(
            "This is the accuracy of each sentence: the sum runs along the positions. Which "
            "dimension holds the sentences?",
            lambda written, gold, mask: ((written == gold) & mask).sum(1) / mask.sum(1),
        ),
        Mistake(
            "This is one number for all positions together. Where along the sentence is it lost?",
            lambda written, gold, mask: (written == gold)[mask].float().mean(),
        ),
        Mistake(
            "This is the share of mistakes. Accuracy is the share that is right.",
            lambda written, gold, mask: ((written != gold) & mask).sum(0) / mask.sum(0),
        ),
    ],
)
