"""Exercise 3.2: ``pad``."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch
from torch import Tensor

from attnbook.checks.shared import Inputs
from attnbook.exercises import Call, Exercise
from attnlib.data import BOS, EOS, PAD


def pad(sentences: Sequence[Sequence[int]]) -> tuple[Tensor, Tensor]:
    """Lists of token numbers → (table (B, S), short rows end in PAD; mask (B, S), True = real)."""
    lengths = torch.tensor([len(sentence) for sentence in sentences])
    longest = int(lengths.max())
    rows = [list(sentence) + [PAD] * (longest - len(sentence)) for sentence in sentences]
    return torch.tensor(rows), torch.arange(longest) < lengths.unsqueeze(1)


def _sentences() -> Inputs:
    yield {"sentences": [[5, 6, 8], [7]]}
    yield {"sentences": [[1, 12, 7, 9, 4, 11]]}
    yield {"sentences": [[4], [6, 7, 5, 9]]}
    yield {"sentences": [[8, 9], [4], [6, 5, 7, 10], [11, 12]]}
    yield {"sentences": [[4, 5, 7], [6, 7, 8]]}
    yield {"sentences": [[4, 5], [7], [4, 5]]}  # one of them twice


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


def _filled(number: int) -> Any:
    def wrong(sentences: Any) -> Any:
        table, mask = pad(sentences)
        return table.masked_fill(~mask, number), mask

    return wrong


def _sized(length: Any) -> Any:
    """All rows are as long as ``length`` of the sentences says: cut, or filled up."""

    def wrong(sentences: Any) -> Any:
        size = length(sentences)
        table, mask = pad([*sentences, [PAD] * size])  # wide enough, whatever the sentences are
        return table[:-1, :size], mask[:-1, :size]

    return wrong


def _longest(sentences: Any) -> int:
    return max(map(len, sentences))


def _in_front(sentences: Any) -> Any:
    return torch.tensor([[PAD] * (_longest(sentences) - len(s)) + s for s in sentences])


def _repeated(sentences: Any) -> Any:
    size = _longest(sentences)
    return torch.tensor([(sentence * size)[:size] for sentence in sentences])


def _changed(change: Any) -> Any:
    """The right table and mask, and something done to them."""
    return lambda sentences: change(*pad(sentences))


CHANGED: dict[str, Any] = {
    "The mask is the wrong way round: True marks a real token.": lambda table, mask: (table, ~mask),
    "Everything is marked as real, the padding too.": (
        lambda table, mask: (table, torch.ones_like(mask))
    ),
    "The mask holds one length a sentence. It should say of each position whether it is real, (B, "
    "S).": lambda table, mask: (table, mask.sum(1)),
    "The table holds decimal numbers. Token numbers are whole ones: only these can be looked up in "
    "an embedding.": lambda table, mask: (table.float(), mask),
    "The table holds decimal numbers (whole ones can be looked up in an embedding), and the mask "
    "numbers, where True and False are wanted.": lambda table, mask: (table.float(), mask.float()),
    "Rows and columns are swapped: a row for each sentence, a column for each position.": (
        lambda table, mask: (table.T, mask.T)
    ),
    "Rows and columns of the table are swapped: a row for each sentence.": (
        lambda table, mask: (table.T, mask)
    ),
    "Mask and table are exchanged: the table comes first.": lambda table, mask: (mask, table),
    "Only the table is returned. The mask belongs to it: return two tensors.": (
        lambda table, mask: table
    ),
}
SENTENCES: dict[str, Any] = {
    "The padding stands in front of the sentences. In this book it comes last, so that a network "
    "that reads from the left meets the words first.": (
        lambda sentences: (_in_front(sentences), pad(sentences)[1].flip(1))
    ),
    "The padding stands in front of the sentences, and the mask says that it stands behind. In "
    "this book it comes last.": lambda sentences: (_in_front(sentences), pad(sentences)[1]),
    "EOS is put behind the sentences. They come with all the tokens that they need; only PAD is "
    "added.": lambda sentences: pad([[*sentence, EOS] for sentence in sentences]),
    "BOS and EOS are put around the sentences. They come with all the tokens that they need; only "
    "PAD is added.": lambda sentences: pad([[BOS, *sentence, EOS] for sentence in sentences]),
    "The rows have different lengths, and torch.tensor wants them equally long: fill them up "
    "first.": lambda sentences: (torch.tensor(sentences), torch.tensor(sentences) != PAD),
    "Rows are filled by repeating the sentence. They are filled with PAD.": (
        lambda sentences: (_repeated(sentences), pad(sentences)[1])
    ),
}
SIZES: dict[str, Any] = {
    "Long sentences have been cut to the shortest one. Short ones are filled up instead.": (
        lambda sentences: min(map(len, sentences))
    ),
    "All rows are as long as the first sentence. They should be as long as the longest.": (
        lambda sentences: len(sentences[0])
    ),
    "All rows are as long as the last sentence. They should be as long as the longest.": (
        lambda sentences: len(sentences[-1])
    ),
    "There is a column of nothing but PAD: the longest sentence needs no filling.": (
        lambda sentences: _longest(sentences) + 1
    ),
}
MASK_OF_NUMBERS = "The mask holds the numbers 1 and 0. A mask is boolean: it holds True and False."
ORDER = "The sentences have changed places: row b of the table belongs to sentence b."

CHECK = Exercise(
    "pad",
    reference=pad,
    inputs=_sentences,
    rules={
        "the mask picks the sentence out of its row": _sentences_are_there,
        "behind the sentence stands PAD": _rows,
    },
    mistakes=[
        (MASK_OF_NUMBERS, _changed(lambda table, mask: (table, mask.long()))),
        (MASK_OF_NUMBERS, _changed(lambda table, mask: (table, mask.float()))),
        *((told, _changed(change)) for told, change in CHANGED.items()),
        *SENTENCES.items(),
        *((told, _sized(length)) for told, length in SIZES.items()),
        *(
            (
                f"The short rows are filled with {name}. Padding has a number of its own, PAD.",
                _filled(number),
            )
            for name, number in (("EOS", EOS), ("BOS", BOS), ("1", 1), ("−1", -1))
        ),
        (ORDER, lambda sentences: pad(sorted(sentences, key=len, reverse=True))),
        (ORDER, lambda sentences: pad(sorted(sentences, key=len))),
    ],
)
