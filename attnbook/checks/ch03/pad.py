"""Exercise 3.2: ``pad``."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import torch
from torch import Tensor

from attnbook.checks.shared import Inputs
from attnbook.exercises import Call, Exercise
from attnlib import data, masking
from attnlib.data import BOS, EOS, PAD


def pad(sentences: Sequence[Sequence[int]]) -> tuple[Tensor, Tensor]:
    """Lists of token numbers → (table (B, S), short rows end in PAD; mask (B, S), True = real)."""
    lengths = torch.tensor([len(sentence) for sentence in sentences])
    longest = int(lengths.max())
    rows = [list(sentence) + [PAD] * (longest - len(sentence)) for sentence in sentences]
    return torch.tensor(rows), masking.lengths_to_mask(lengths)


Sentences = list[list[int]]


def _sentences() -> Inputs:
    yield {"sentences": [[5, 6, 8], [7]]}
    yield {"sentences": [[1, 12, 7, 9, 4, 11]]}
    yield {"sentences": [[4], [6, 7, 5, 9]]}
    yield {"sentences": [[8, 9], [4], [6, 5, 7, 10], [11, 12]]}
    yield {"sentences": [[4, 5, 7], [6, 7, 8]]}


def _table(
    sentences: Sentences, filler: int = PAD, left: bool = False, size: int | None = None
) -> Tensor:
    size = max(map(len, sentences)) if size is None else size
    rows = [sentence[:size] for sentence in sentences]
    fill = [[filler] * (size - len(row)) for row in rows]
    return torch.tensor([f + row if left else row + f for f, row in zip(fill, rows)])


def _mask(sentences: Sentences, size: int | None = None) -> Tensor:
    lengths = torch.tensor([len(sentence) for sentence in sentences])
    size = int(lengths.max()) if size is None else size
    return masking.lengths_to_mask(lengths.clamp(max=size), size)


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


def _sized(sentences: Sentences, size: int) -> tuple[Tensor, Tensor]:
    return _table(sentences, size=size), _mask(sentences, size)


def _filled(number: int) -> Callable[[Sentences], tuple[Tensor, Tensor]]:
    return lambda sentences: (_table(sentences, number), _mask(sentences))


def _sorted(sentences: Sentences, longest_first: bool) -> Any:
    return data.pad(sorted(sentences, key=len, reverse=longest_first))


_FILLED = "The short rows are filled with {}. Padding has a number of its own, PAD."
_MASK_OF_NUMBERS = "The mask holds the numbers 1 and 0. A mask is boolean: it holds True and False."
_ORDER = "The sentences have changed places: row b of the table belongs to sentence b."

CHECK = Exercise(
    "pad",
    reference=pad,
    inputs=_sentences,
    rules={
        "the mask picks the sentence out of its row": _sentences_are_there,
        "behind the sentence stands PAD": _rows,
    },
    mistakes=[
        (
            "The mask is the wrong way round: True marks a real token.",
            lambda sentences: (_table(sentences), ~_mask(sentences)),
        ),
        (
            "The padding stands in front of the sentences. In this book it comes last, so that a "
            "network that reads from the left meets the words first.",
            lambda sentences: (_table(sentences, left=True), _mask(sentences).flip(1)),
        ),
        (
            "The padding stands in front of the sentences, and the mask says that it stands "
            "behind. In this book it comes last.",
            lambda sentences: (_table(sentences, left=True), _mask(sentences)),
        ),
        *(
            (_FILLED.format(name), _filled(number))
            for name, number in (("EOS", EOS), ("BOS", BOS), ("1", 1), ("−1", -1))
        ),
        (
            "Long sentences have been cut to the shortest one. Short ones are filled up instead.",
            lambda sentences: _sized(sentences, min(map(len, sentences))),
        ),
        (
            "All rows are as long as the first sentence. They should be as long as the longest.",
            lambda sentences: _sized(sentences, len(sentences[0])),
        ),
        (
            "All rows are as long as the last sentence. They should be as long as the longest.",
            lambda sentences: _sized(sentences, len(sentences[-1])),
        ),
        (
            "There is a column of nothing but PAD: the longest sentence needs no filling.",
            lambda sentences: _sized(sentences, max(map(len, sentences)) + 1),
        ),
        (
            "EOS is put behind the sentences. They come with all the tokens that they need; only "
            "PAD is added.",
            lambda sentences: data.pad([[*sentence, EOS] for sentence in sentences]),
        ),
        (
            "BOS and EOS are put around the sentences. They come with all the tokens that they "
            "need; only PAD is added.",
            lambda sentences: data.pad([[BOS, *sentence, EOS] for sentence in sentences]),
        ),
        (
            "The rows have different lengths, and torch.tensor wants them equally long: fill them "
            "up first.",
            lambda sentences: (torch.tensor(sentences), torch.tensor(sentences) != PAD),
        ),
        (
            "Everything is marked as real, the padding too.",
            lambda sentences: (_table(sentences), torch.ones_like(_mask(sentences))),
        ),
        (
            "The mask holds one length a sentence. It should say of each position whether it is "
            "real, (B, S).",
            lambda sentences: (_table(sentences), _mask(sentences).sum(1)),
        ),
        (_MASK_OF_NUMBERS, lambda sentences: (_table(sentences), _mask(sentences).long())),
        (_MASK_OF_NUMBERS, lambda sentences: (_table(sentences), _mask(sentences).float())),
        (
            "The table holds decimal numbers. Token numbers are whole ones: only these can be "
            "looked up in an embedding.",
            lambda sentences: (_table(sentences).float(), _mask(sentences)),
        ),
        (
            "The table holds decimal numbers (whole ones can be looked up in an embedding), and "
            "the mask numbers, where True and False are wanted.",
            lambda sentences: (_table(sentences).float(), _mask(sentences).float()),
        ),
        (
            "Rows and columns are swapped: a row for each sentence, a column for each position.",
            lambda sentences: (_table(sentences).T, _mask(sentences).T),
        ),
        (
            "Rows and columns of the table are swapped: a row for each sentence.",
            lambda sentences: (_table(sentences).T, _mask(sentences)),
        ),
        (_ORDER, lambda sentences: _sorted(sentences, True)),
        (_ORDER, lambda sentences: _sorted(sentences, False)),
        (
            "Mask and table are exchanged: the table comes first.",
            lambda sentences: (_mask(sentences), _table(sentences)),
        ),
        (
            "Only the table is returned. The mask belongs to it: return two tensors.",
            lambda sentences: _table(sentences),
        ),
        (
            "Rows are filled by repeating the sentence. They are filled with PAD.",
            lambda sentences: (
                torch.tensor(
                    [(s * max(map(len, sentences)))[: max(map(len, sentences))] for s in sentences]
                ),
                _mask(sentences),
            ),
        ),
    ],
)
