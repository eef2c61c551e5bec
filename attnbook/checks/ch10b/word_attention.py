"""Exercise 10.4: ``word_attention``."""

from collections.abc import Sequence

import torch
from torch import Tensor

from attnbook.checks.inputs import Inputs
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


def _rows_are_distributions(call: Call) -> str | None:
    sums = call.result.sum(1)
    if bool((sums - 1).abs().max() < 1e-4):
        return None
    worst = int((sums - 1).abs().argmax())
    return (
        f"Row {worst} sums to {float(sums[worst]):.2f}. Every row of the subwords is a "
        "distribution, so every row of the words must be one. Add up along the source, and take "
        "the mean of the rows."
    )


def _each_word(call: Call) -> str | None:
    wrong = ~torch.isclose(call.result, call.expected, atol=1e-5)
    if not bool(wrong.any()):
        return None
    a, b = wrong.nonzero()[0].tolist()
    rows = [t for t, word in enumerate(call.tgt_words) if word == a]
    columns = [j for j, word in enumerate(call.src_words) if word == b]
    return (
        f"Target word {a} consists of the subwords {rows}, source word {b} of {columns}. The "
        f"weights of {columns}, added up in each of the rows {rows}, have the mean "
        f"{float(call.expected[a, b]):.4g}; at [{a}, {b}] you have {float(call.result[a, b]):.4g}."
    )


def _by_first_row(weights: Tensor, src_words: Sequence[int], tgt_words: Sequence[int]) -> Tensor:
    words = list(range(max(tgt_words) + 1))
    return word_attention(weights[[tgt_words.index(word) for word in words]], src_words, words)


def _mean_made_one(weights: Tensor, src_words: Sequence[int], tgt_words: Sequence[int]) -> Tensor:
    """Columns are averaged, and then each row is divided by its sum."""
    merged = word_attention(weights, src_words, tgt_words)
    merged = merged / torch.tensor(src_words).bincount()
    return merged / merged.sum(1, keepdim=True)


CHECK = Exercise(
    word_attention,
    inputs=_subwords,
    rules={
        "every row sums to 1": _rows_are_distributions,
        "a word has the sum over source subwords, the mean over target subwords": _each_word,
    },
    gradients=(),  # it is for a picture; nothing goes back through that
    mistakes={
        "Only the first subword of each target word is used: average the rows of all its "
        "subwords.": _by_first_row,
        "You average the columns of a word, and dividing by the row's sum afterward does not fix "
        "it: a long word has lost attention by then. Add up its subwords.": _mean_made_one,
        "The last word of each sentence is missing: words are numbered from 0, so there is one "
        "more than the largest number.": (
            lambda weights, src_words, tgt_words: word_attention(weights, src_words, tgt_words)[
                :-1, :-1
            ]
        ),
    },
)
