"""Exercise 10.6: ``word_attention``."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch
from torch import Tensor

from attnbook.checks.shared import Inputs, same
from attnbook.exercises import Call, Exercise


def word_attention(weights: Tensor, src_words: Sequence[int], tgt_words: Sequence[int]) -> Tensor:
    """Weights of words from weights of subwords (T, S) → (words, words)."""
    rows, columns = torch.tensor(tgt_words), torch.tensor(src_words)
    merged = weights.new_zeros(max(tgt_words) + 1, max(src_words) + 1)
    for a in range(len(merged)):
        for b in range(merged.shape[1]):
            merged[a, b] = weights[rows == a][:, columns == b].sum() / (rows == a).sum()
    return merged


def _subwords() -> Inputs:
    # As many subwords in both sentences: with the two lists exchanged nothing is raised here.
    yield {
        "weights": torch.tensor([[0.6, 0.4], [0.2, 0.8]]),
        "src_words": [0, 1],
        "tgt_words": [0, 0],
    }
    weights = torch.tensor([[0.5, 0.3, 0.1, 0.1]])
    yield {"weights": weights, "src_words": [0, 0, 1, 1], "tgt_words": [0]}
    generator = torch.Generator().manual_seed(0)
    for rows, columns in (
        ([0, 1, 1, 2], [0, 0, 1, 2, 2, 2, 3]),
        ([0, 0, 0, 1, 2], [0, 1, 1]),
        ([0, 1, 1, 2], [0, 0, 1, 2]),
    ):
        weights = torch.rand(len(rows), len(columns), generator=generator)
        yield {
            "weights": weights / weights.sum(1, keepdim=True),
            "src_words": columns,
            "tgt_words": rows,
        }


# Ways to get it wrong -----------------------------------------------------------------------------


def _sum(part: Tensor) -> Tensor:
    return part.sum(0)


def _mean(part: Tensor) -> Tensor:
    return part.mean(0)


def _largest(part: Tensor) -> Tensor:
    return part.amax(0)


def _first(part: Tensor) -> Tensor:
    return part[0]


def _last(part: Tensor) -> Tensor:
    return part[-1]


def _merged(subwords: Tensor, words: Sequence[int], merge: Any) -> Tensor:
    number = torch.tensor(words)
    return torch.stack([merge(subwords[number == word]) for word in range(max(words) + 1)])


def _with(rows: Any = _mean, columns: Any = _sum, after: Any = same) -> Any:
    """Other ways to merge the rows of a word and its columns; None leaves the subwords."""

    def wrong(weights: Tensor, src_words: Sequence[int], tgt_words: Sequence[int]) -> Tensor:
        found = weights if columns is None else _merged(weights.T, src_words, columns).T
        return after(found if rows is None else _merged(found, tgt_words, rows))

    return wrong


def _divided(found: Tensor) -> Tensor:
    return found / found.sum(1, keepdim=True)


def _padded(weights: Tensor, src_words: Sequence[int], tgt_words: Sequence[int]) -> Tensor:
    found, full = word_attention(weights, src_words, tgt_words), torch.zeros_like(weights)
    full[: found.shape[0], : found.shape[1]] = found
    return full


# Rules --------------------------------------------------------------------------------------------


def _rows_are_distributions(call: Call) -> str | None:
    sums = call.result.sum(1)
    if bool((sums - 1).abs().max() < 1e-4):
        return None
    worst = int((sums - 1).abs().argmax())
    return (
        f"Row {worst} sums to {float(sums[worst]):.2f}. Every row of the subwords is a "
        "distribution, so every row of the words must be one: the parts of a row are added up "
        "along the source, and rows are averaged."
    )


def _one_subword_a_word(call: Call) -> str | None:
    rows, columns = call.weights.shape
    same = call(src_words=list(range(columns)), tgt_words=list(range(rows)))
    if torch.allclose(same, call.weights, atol=1e-5):
        return None
    return (
        "Where every subword is a word of its own, the weights must stay as they are. Here "
        f"{float(call.weights[0, 0]):.3g} at [0, 0] becomes {float(same[0, 0]):.3g}."
    )


def _each_word(call: Call) -> str | None:
    wrong = ~torch.isclose(call.result, call.expected, atol=1e-5)
    if not bool(wrong.any()):
        return None
    a, b = wrong.nonzero()[0].tolist()
    rows = [t for t, word in enumerate(call.tgt_words) if word == a]
    columns = [j for j, word in enumerate(call.src_words) if word == b]
    return (
        f"Target word {a} is made of the subwords {rows}, source word {b} of {columns}. Looking at "
        f"any of these, in the mean of its looks, is {float(call.expected[a, b]):.4g}; at "
        f"[{a}, {b}] stands {float(call.result[a, b]):.4g}."
    )


CHECK = Exercise(
    "word_attention",
    reference=word_attention,
    inputs=_subwords,
    rules={
        "every row sums to 1": _rows_are_distributions,
        "words of one subword keep their weights": _one_subword_a_word,
        "to look at a word is to look at any of its subwords": _each_word,
    },
    gradients=(),  # it is for a picture; nothing goes back through that
    mistakes=[
        *(
            (
                "Only the largest weight of a word is kept, and dividing by the row's sum "
                "afterwards does not bring the others back. Add up the subwords of a word.",
                _with(rows, _largest, _divided),
            )
            for rows in (_mean, _largest)
        ),
        *(
            (
                "A second softmax flattens the weights. They are probabilities already.",
                _with(rows, after=lambda found: found.softmax(-1)),
            )
            for rows in (_mean, _sum)
        ),
        *{
            "The columns of a word are averaged, so a long word loses attention with every subword "
            "it is cut into. What is the probability of looking at *any* of its subwords?": _with(
                columns=_mean
            ),
            "The rows of a word are added, so a word of two subwords gets a row that sums to 2. "
            "Rows average.": _with(_sum),
            "The two directions are exchanged: a row is a distribution over the source, so its "
            "parts *add up* along the source; target subwords are several looks, which "
            "*average*.": _with(_sum, _mean),
            "Only the largest weight of a word is kept, and the attention on its other subwords is "
            "lost. A distribution adds up.": _with(columns=_largest),
            "Only the first subword of each target word is looked at. The later subwords look "
            "somewhere too: average their rows.": _with(_first),
            "The columns of a word are averaged, and dividing by the row's sum afterwards does "
            "not mend it: a long word has lost attention by then. Add up its subwords.": _with(
                columns=_mean, after=_divided
            ),
            "The two lists are exchanged: rows belong to tgt_words, columns to "
            "src_words.": lambda weights, src_words, tgt_words: word_attention(
                weights, tgt_words, src_words
            ),
            "The last word of each sentence is missing: words are numbered from 0, so there is one "
            "more than the largest number.": _with(after=lambda found: found[:-1, :-1]),
            "There are as many rows and columns as subwords, and the last stay 0. Asked for is one "
            "a word.": _padded,
            "Only the last subword of each target word is looked at: average the rows of all its "
            "subwords.": _with(_last),
            "Only the first subword of each source word is looked at: add up all of them.": _with(
                columns=_first
            ),
            "Only the last subword of each source word is looked at: add up all of them.": _with(
                columns=_last
            ),
            "Of the rows of a target word the largest weights are kept, so its row sums to more "
            "than 1. Rows average.": _with(_largest),
            "The target subwords are not merged: one row is asked for each target *word*.": _with(
                None
            ),
            "The source subwords are not merged: one column per source *word* is asked for.": _with(
                columns=None
            ),
            "The weights of words are written back to the subwords. Asked for is one row and one "
            "column a word.": lambda weights, src_words, tgt_words: word_attention(
                weights, src_words, tgt_words
            )[list(tgt_words)][:, list(src_words)],
            "Source words stand in the rows: are two dimensions swapped? Target words are the "
            "rows, as in the weights of the subwords.": _with(after=lambda found: found.T),
        }.items(),
    ],
)
