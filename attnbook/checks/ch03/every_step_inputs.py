"""Exercise 3.8: ``every_step_inputs``."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor

from attnbook.checks.shared import Inputs, normal
from attnbook.exercises import Call, Exercise, Mistake


def _list(x: Tensor) -> list[Any]:
    return [round(number, 2) for number in x.tolist()]


def _embedded_and_final() -> Inputs:
    yield {
        "embedded": torch.tensor([[[1.0], [2.0]], [[3.0], [4.0]]]),
        "final": torch.tensor([[7.0], [8.0]]),
    }
    make = normal(6)
    yield {"embedded": make(2, 3, 4), "final": make(2, 4)}
    yield {"embedded": make(3, 2, 5), "final": make(3, 2)}


def _same_at_every_step(call: Call) -> str | None:
    context = call.result[..., call.embedded.shape[-1] :]
    for row, final in zip(context, call.final):
        for t, given in enumerate(row):
            if not torch.allclose(given, final):
                return (
                    f"At step {t} stands {_list(given)} beside the word; this sentence's final "
                    f"state is {_list(final)}."
                )
    return None


def _beside(embedded: Tensor, final: Tensor) -> Tensor:
    return torch.cat([embedded, final.unsqueeze(1).expand(-1, embedded.shape[1], -1)], dim=-1)


def _first_step_only(embedded: Tensor, final: Tensor) -> Tensor:
    result = _beside(embedded, final)
    result[:, 1:, embedded.shape[-1] :] = 0.0
    return result


CHECK = Exercise(
    "every_step_inputs",
    reference=_beside,
    inputs=_embedded_and_final,
    rules={"beside every word stands its own sentence's final state": _same_at_every_step},
    mistakes=[
        Mistake(
            "The context comes first here. The word comes first, then the context.",
            lambda embedded, final: torch.cat(
                [final.unsqueeze(1).expand(-1, embedded.shape[1], -1), embedded], dim=-1
            ),
        ),
        Mistake(
            "Only the first step is given the context: later steps get zeros. Every step needs it.",
            _first_step_only,
        ),
        Mistake(
            "The rows are mixed up: some steps get the final state of another sentence of the "
            "batch. repeat() copies the whole table, row after row; unsqueeze and expand keep each "
            "row with its sentence.",
            lambda embedded, final: torch.cat(
                [embedded, final.repeat(embedded.shape[1], 1).view(*embedded.shape[:2], -1)], -1
            ),
        ),
        Mistake(
            "All sentences are given the first one's final state.",
            lambda embedded, final: _beside(embedded, final[:1].expand(len(final), -1)),
        ),
        Mistake(
            "All sentences are given the mean of the batch: a sentence must not feel its "
            "neighbours.",
            lambda embedded, final: _beside(
                embedded, final.mean(0, keepdim=True).expand(len(final), -1)
            ),
        ),
        Mistake(
            "The context is added to the word. It stands beside it: the last dimension grows.",
            lambda embedded, final: embedded + final.unsqueeze(1),
        ),
        Mistake(
            "The context is stacked behind the words as one more step. It belongs beside each "
            "word: the last dimension grows, not the second.",
            lambda embedded, final: torch.cat(
                [
                    embedded,
                    torch.nn.functional.pad(
                        final, (0, embedded.shape[-1] - final.shape[-1])
                    ).unsqueeze(1),
                ],
                dim=1,
            ),
        ),
    ],
)
