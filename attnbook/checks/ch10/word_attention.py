"""Exercise 10.6: ``word_attention``."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import torch
from torch import Tensor

from attnbook.checks.shared import Inputs
from attnbook.exercises import Call, Exercise


def word_attention(weights: Tensor, src_words: Sequence[int], tgt_words: Sequence[int]) -> Tensor:
    """Weights of words from those of pieces: (T, S), word of each piece → (words, words)."""
    rows, columns = torch.tensor(tgt_words), torch.tensor(src_words)
    merged = weights.new_zeros(max(tgt_words) + 1, max(src_words) + 1)
    for a in range(len(merged)):
        for b in range(merged.shape[1]):
            merged[a, b] = weights[rows == a][:, columns == b].sum() / (rows == a).sum()
    return merged


# word_attention -----------------------------------------------------------------------------------


def _pieces() -> Inputs:
    # As many pieces in both sentences: with the two lists exchanged nothing is raised here.
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


def _belongs(words: Sequence[int]) -> Tensor:
    """(pieces, words): 1.0 where a piece belongs to a word."""
    number = torch.tensor(words)
    return (number.unsqueeze(1) == torch.arange(int(number.max()) + 1)).float()


def _word_attention(weights: Tensor, src_words: Sequence[int], tgt_words: Sequence[int]) -> Tensor:
    rows, columns = (_belongs(words).to(weights) for words in (tgt_words, src_words))
    return (rows / rows.sum(0)).T @ weights @ columns


def _other_way(rows: str, columns: str, then: str = "") -> Callable[..., Tensor]:
    """Merge pieces with "sum", "mean", "max", "first", "last" or not ("no"); then do more."""

    def merge(weights: Tensor, words: Sequence[int], how: str) -> Tensor:
        found = []
        for word in range(max(words) + 1):
            part = weights[[k for k, w in enumerate(words) if w == word]]
            if how == "no":
                return weights
            named = {
                "last": part[-1],
                "sum": part.sum(0),
                "mean": part.mean(0),
                "max": part.amax(0),
            }
            found.append(named.get(how, part[0]))
        return torch.stack(found)

    def wrong(weights: Tensor, src_words: Sequence[int], tgt_words: Sequence[int]) -> Tensor:
        found = merge(merge(weights.T, src_words, columns).T, tgt_words, rows)
        if then == "divide":
            return found / found.sum(1, keepdim=True)
        if then == "padded":
            full = torch.zeros_like(weights)
            full[: found.shape[0], : found.shape[1]] = found
            return full
        if then == "one less":
            return found[:-1, :-1]
        if then == "pieces":
            return found[list(tgt_words)][:, list(src_words)]
        return {"": found, "turn": found.T, "softmax": found.softmax(-1)}[then]

    return wrong


def _rows_are_distributions(call: Call) -> str | None:
    sums = call.result.sum(1)
    if bool((sums - 1).abs().max() < 1e-4):
        return None
    worst = int((sums - 1).abs().argmax())
    return (
        f"Row {worst} sums to {float(sums[worst]):.2f}. Every row of the pieces is a distribution, "
        "so every row of the words must be one: the parts of a row are added up along the source, "
        "and rows are averaged."
    )


def _one_piece_a_word(call: Call) -> str | None:
    rows, columns = call.weights.shape
    same = call(src_words=list(range(columns)), tgt_words=list(range(rows)))
    if torch.allclose(same, call.weights, atol=1e-5):
        return None
    return (
        "Where every piece is a word of its own, the weights must stay as they are. Here "
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
        f"Target word {a} is made of the pieces {rows}, source word {b} of {columns}. Looking at "
        f"any of these, in the mean of its looks, is {float(call.expected[a, b]):.4g}; at "
        f"[{a}, {b}] stands {float(call.result[a, b]):.4g}."
    )


CHECK = Exercise(
    "word_attention",
    reference=word_attention,
    inputs=_pieces,
    rules={
        "every row sums to 1": _rows_are_distributions,
        "words of one piece keep their weights": _one_piece_a_word,
        "to look at a word is to look at any of its pieces": _each_word,
    },
    gradients=(),  # it is for a picture; nothing goes back through that
    mistakes=[
        (
            "The columns of a word are averaged, so a long word loses attention with every piece "
            "it is cut into. What is the probability of looking at *any* of its pieces?",
            _other_way("mean", "mean"),
        ),
        (
            "The rows of a word are added, so a word of two pieces gets a row that sums to 2. "
            "Rows average.",
            _other_way("sum", "sum"),
        ),
        (
            "The two directions are exchanged: a row is a distribution over the source, so its "
            "parts *add up* along the source; target pieces are several looks, which *average*.",
            _other_way("sum", "mean"),
        ),
        (
            "Only the largest weight of a word is kept, and the attention on its other pieces is "
            "lost. A distribution adds up.",
            _other_way("mean", "max"),
        ),
        (
            "Only the first piece of each target word is looked at. The later pieces look "
            "somewhere too: average their rows.",
            _other_way("first", "sum"),
        ),
        *(
            (
                "The columns of a word are averaged, and dividing by the row's sum afterwards does "
                "not mend it: a long word has lost attention by then. Add up its pieces.",
                _other_way(rows, "mean", "divide"),
            )
            for rows in ("mean",)
        ),
        *(
            (
                "Only the largest weight of a word is kept, and dividing by the row's sum "
                "afterwards does not bring the others back. Add up the pieces of a word.",
                _other_way(rows, "max", "divide"),
            )
            for rows in ("mean", "max")
        ),
        (
            "The two lists are exchanged: rows belong to tgt_words, columns to src_words.",
            lambda weights, src_words, tgt_words: _word_attention(weights, tgt_words, src_words),
        ),
        (
            "The last word of each sentence is missing: words are numbered from 0, so there is one "
            "more than the largest number.",
            _other_way("mean", "sum", "one less"),
        ),
        (
            "There are as many rows and columns as pieces, and the last stay 0. Asked for is one "
            "a word.",
            _other_way("mean", "sum", "padded"),
        ),
        *(
            (
                f"Only the {which} piece of each {side} word is looked at: {remedy}.",
                _other_way(rows, columns),
            )
            for which, side, remedy, rows, columns in (
                ("last", "target", "average the rows of all its pieces", "last", "sum"),
                ("first", "source", "add up all its pieces", "mean", "first"),
                ("last", "source", "add up all its pieces", "mean", "last"),
            )
        ),
        (
            "Of the rows of a target word the largest weights are kept, so its row sums to more "
            "than 1. Rows average.",
            _other_way("max", "sum"),
        ),
        (
            "The target pieces are not merged: one row is asked for each target *word*.",
            _other_way("no", "sum"),
        ),
        (
            "The source pieces are not merged: one column is asked for each source *word*.",
            _other_way("mean", "no"),
        ),
        (
            "The weights of words are written back to the pieces. Asked for is one row and one "
            "column a word.",
            _other_way("mean", "sum", "pieces"),
        ),
        (
            "Source words stand in the rows: are two dimensions swapped? Target words are the "
            "rows, as in the weights of the pieces.",
            _other_way("mean", "sum", "turn"),
        ),
        *(
            (
                "A second softmax flattens the weights. They are probabilities already.",
                _other_way(rows, "sum", "softmax"),
            )
            for rows in ("mean", "sum")
        ),
    ],
)
