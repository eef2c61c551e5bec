"""Exercise 3.2: ``pad``."""

from __future__ import annotations

import torch
from torch import Tensor

from attnbook.checks.shared import Inputs
from attnbook.exercises import Call, Exercise, Mistake
from attnlib import data, masking
from attnlib.data import EOS, PAD


def _sentences() -> Inputs:
    yield {"sentences": [[5, 6], [7]]}
    yield {"sentences": [[8, 9, 10], [4], [6, 5]]}
    yield {"sentences": [[4, 5], [6, 7]]}
    yield {"sentences": [[1, 12, 7, 9, 4, 11]]}


def _padded(sentences: list[list[int]], filler: int = PAD, left: bool = False) -> Tensor:
    size = max(map(len, sentences))
    fill = [[filler] * (size - len(sentence)) for sentence in sentences]
    return torch.tensor([f + s if left else s + f for s, f in zip(sentences, fill)])


def _mask(sentences: list[list[int]]) -> Tensor:
    return masking.lengths_to_mask(torch.tensor([len(sentence) for sentence in sentences]))


def _sentences_are_there(call: Call) -> str | None:
    table, mask = call.result
    if mask.dtype != torch.bool or table.shape != mask.shape:
        return None  # the comparison with the reference has the sentence for that
    for number, (sentence, row, real) in enumerate(zip(call.sentences, table, mask)):
        if row[real].tolist() != sentence:
            return (
                f"Where the mask of row {number} is True the table has {row[real].tolist()}; the "
                f"sentence is {sentence}."
            )
    return None


CHECK = Exercise(
    "pad",
    reference=data.pad,
    inputs=_sentences,
    rules={"the mask picks the sentence out of its row": _sentences_are_there},
    mistakes=[
        Mistake(
            "The mask is the wrong way round: True marks a real token.",
            lambda sentences: (_padded(sentences), ~_mask(sentences)),
        ),
        Mistake(
            "The padding stands in front of the sentences. In this book it comes last, so that a "
            "network that reads from the left meets the words first.",
            lambda sentences: (_padded(sentences, left=True), _mask(sentences).flip(1)),
        ),
        Mistake(
            "The short rows are filled with EOS. Padding has a number of its own, PAD.",
            lambda sentences: (_padded(sentences, filler=EOS), _mask(sentences)),
        ),
        Mistake(
            "Long sentences have been cut to the shortest one. Short ones are filled up instead.",
            lambda sentences: (
                torch.tensor([s[: min(map(len, sentences))] for s in sentences]),
                torch.ones(len(sentences), min(map(len, sentences))).bool(),
            ),
        ),
        Mistake(
            "Everything is marked as real, the padding too.",
            lambda sentences: (
                _padded(sentences),
                torch.ones_like(_padded(sentences), dtype=torch.bool),
            ),
        ),
    ],
)
