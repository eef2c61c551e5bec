"""Exercise 3.2: ``pad``."""

from collections.abc import Sequence
from typing import Any

import torch
from torch import Tensor

from attnbook.checks.inputs import Inputs
from attnbook.exercises import Call, Exercise, Function
from attnlib.data import PAD


def pad(sentences: Sequence[Sequence[int]]) -> tuple[Tensor, Tensor]:
    """Lists of token numbers → (table (B, S), short rows end in PAD; mask (B, S), True = real)."""
    lengths = torch.tensor([len(sentence) for sentence in sentences])
    longest = int(lengths.max())
    rows = [list(sentence) + [PAD] * (longest - len(sentence)) for sentence in sentences]
    return torch.tensor(rows), torch.arange(longest) < lengths.unsqueeze(1)


def _sentences() -> Inputs:
    for sentences in (
        [[5, 6, 8], [7]],
        [[1, 12, 7, 9, 4, 11]],
        [[4], [6, 7, 5, 9]],
        [[8, 9], [4], [6, 5, 7, 10], [11, 12]],
        [[4, 5, 7], [6, 7, 8]],
        [[4, 5], [7], [4, 5]],  # one of them twice
    ):
        yield {"sentences": sentences}


def _sentences_are_there(call: Call) -> str | None:
    table, mask = call.result
    for number, (sentence, row, real) in enumerate(zip(call.sentences, table, mask)):
        if row[real].tolist() != sentence:
            return (
                f"Where the mask of row {number} is True the table has {row[real].tolist()}; the "
                f"sentence is {sentence}."
            )
    return None


def _rows(call: Call) -> str | None:
    table, mask = call.result
    for number, (sentence, row) in enumerate(zip(call.sentences, table.tolist())):
        if row != sentence + [PAD] * (len(row) - len(sentence)):
            return (
                f"Row {number} of the table is {row}. First comes the sentence, {sentence}, and "
                f"then nothing but PAD, which is {PAD}."
            )
    return None


def _sized(length: Function) -> Function:
    """All rows are as long as ``length`` of the sentences' lengths says: cut, or filled up."""

    def wrong(sentences: Any) -> Any:
        size = length([len(sentence) for sentence in sentences])
        table, mask = pad([*sentences, [PAD] * size])  # wide enough, whatever the sentences are
        return table[:-1, :size], mask[:-1, :size]

    return wrong


def _in_front(sentences: Any) -> Any:
    table, mask = pad([sentence[::-1] for sentence in sentences])
    return table.flip(1), mask.flip(1)


CHECK = Exercise(
    pad,
    inputs=_sentences,
    rules={
        "the mask picks the sentence out of its row": _sentences_are_there,
        "behind the sentence stands PAD": _rows,
    },
    mistakes={
        "The mask holds one length a sentence. It should say of each position whether it is "
        "real, (B, S).": lambda sentences: (pad(sentences)[0], pad(sentences)[1].sum(1)),
        "The padding stands in front of the sentences. In this book it comes last, so that a "
        "network that reads from the left meets the words first.": _in_front,
        "Long sentences have been cut to the shortest one. Short ones are filled up instead.": (
            _sized(min)
        ),
        "There is a column of nothing but PAD: the longest sentence needs no filling.": (
            _sized(lambda lengths: max(lengths) + 1)
        ),
    },
)
