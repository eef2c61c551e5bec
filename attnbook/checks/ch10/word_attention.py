"""Exercise 10.7: ``word_attention``."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import torch
from torch import Tensor

from attnbook.checks.shared import Inputs
from attnbook.exercises import Call, Exercise, Mistake

# word_attention -----------------------------------------------------------------------------------


def _pieces() -> Inputs:
    yield {"weights": torch.tensor([[0.5, 0.3, 0.2]]), "src_words": [0, 0, 1], "tgt_words": [0]}
    yield {
        "weights": torch.tensor([[0.6, 0.4], [0.2, 0.8]]),
        "src_words": [0, 1],
        "tgt_words": [0, 0],
    }
    generator = torch.Generator().manual_seed(0)
    for rows, columns in (([0, 1, 1, 2], [0, 0, 1, 2, 2, 2]), ([0, 0, 0, 1, 2], [0, 1, 1])):
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


def _other_way(rows: str, columns: str) -> Callable[..., Tensor]:
    """Merge pieces with "sum", "mean", "max" or "first"."""

    def merge(weights: Tensor, words: Sequence[int], how: str) -> Tensor:
        found = []
        for word in range(max(words) + 1):
            part = weights[[k for k, w in enumerate(words) if w == word]]
            named = {"sum": part.sum(0), "mean": part.mean(0), "max": part.amax(0)}
            found.append(named.get(how, part[0]))
        return torch.stack(found)

    def wrong(weights: Tensor, src_words: Sequence[int], tgt_words: Sequence[int]) -> Tensor:
        return merge(merge(weights.T, src_words, columns).T, tgt_words, rows)

    return wrong


def _rows_are_distributions(call: Call) -> str | None:
    sums = call.result.sum(1)
    if bool((sums - 1).abs().max() < 1e-4):
        return None
    worst = int((sums - 1).abs().argmax())
    return (
        f"Row {worst} sums to {float(sums[worst]):.2f}. Every row of the pieces is a distribution, "
        "so every row of the words must be one: which of the two directions is summed, and which "
        "averaged?"
    )


def _one_piece_a_word(call: Call) -> str | None:
    rows, columns = call.weights.shape
    same = call(src_words=list(range(columns)), tgt_words=list(range(rows)))
    if torch.allclose(same, call.weights, atol=1e-5):
        return None
    return (
        "Where every piece is a word of its own, the weights must stay as they are. They sum to 1 "
        "already: is there a second softmax or division?"
    )


CHECK = Exercise(
    "word_attention",
    reference=_word_attention,
    inputs=_pieces,
    rules={
        "every row sums to 1": _rows_are_distributions,
        "words of one piece keep their weights": _one_piece_a_word,
    },
    mistakes=[
        Mistake(
            "The columns of a word are averaged, so a long word loses attention with every piece "
            "it is cut into. What is the probability of looking at *any* of its pieces?",
            _other_way("mean", "mean"),
        ),
        Mistake(
            "The rows of a word are added, so a word of two pieces gets a row that sums to 2. "
            "Rows average.",
            _other_way("sum", "sum"),
        ),
        Mistake(
            "The two directions are exchanged: a row is a distribution over the source, so its "
            "parts *add up* along the source; target pieces are several looks, which *average*.",
            _other_way("sum", "mean"),
        ),
        Mistake(
            "Only the largest weight of a word is kept, and the attention on its other pieces is "
            "lost. A distribution adds up.",
            _other_way("mean", "max"),
        ),
        Mistake(
            "Only the first piece of each target word is looked at. The later pieces look "
            "somewhere too: average their rows.",
            _other_way("first", "sum"),
        ),
    ],
)
