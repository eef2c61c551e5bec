"""Exercise 6.6: ``score_spread``."""

from typing import Any

import torch
from torch import Tensor

from attnbook.checks.inputs import Inputs, normal
from attnbook.exercises import Call, Exercise
from attnbook.exercises.values import fmt


def score_spread(query: Tensor, keys: Tensor, query_mask: Tensor, key_mask: Tensor) -> Tensor:
    """Root of the mean variance of a row of real scores. (B, T, H), (B, S, H), (B, T), (B, S)."""
    scores = query @ keys.transpose(1, 2)  # (B, T, S)
    real = key_mask.unsqueeze(1).to(scores.dtype)  # (B, 1, S)
    count = real.sum(dim=-1)
    mean = (scores * real).sum(dim=-1) / count  # (B, T)
    squares = (scores - mean.unsqueeze(-1)).square() * real
    variance = squares.sum(dim=-1) / count
    return variance[query_mask].mean().sqrt()


def _masks(lengths: list[list[int]], steps: int, positions: int) -> dict[str, Tensor]:
    """A row a sentence: how many real queries, how many real keys."""
    ends = torch.tensor(lengths)
    return {
        "query_mask": torch.arange(steps) < ends[:, :1],
        "key_mask": torch.arange(positions) < ends[:, 1:],
    }


def _batches() -> Inputs:
    yield {
        "query": torch.tensor([[[1.0, 0.0], [0.0, 1.0]]]),
        "keys": torch.tensor([[[1.0, 2.0], [5.0, 0.0]]]),
        **_masks([[2, 2]], 2, 2),
    }
    yield {
        "query": torch.tensor([[[1.0, 0.0], [0.0, 1.0], [2.0, 2.0]]]),
        "keys": torch.tensor([[[1.0, 2.0], [5.0, 0.0], [7.0, -3.0]]]),
        **_masks([[2, 2]], 3, 3),
    }
    make = normal(26)
    for lengths, steps, positions, size in (
        ([[4, 5], [4, 5]], 4, 5, 3),
        ([[3, 6], [5, 2], [1, 4]], 5, 6, 4),
        ([[2, 1], [4, 3]], 4, 4, 7),
        ([[3, 3], [1, 5]], 3, 5, 16),
    ):
        count = len(lengths)
        yield {
            "query": make(count, steps, size) + 0.5,
            "keys": make(count, positions, size) + 0.5,
            **_masks(lengths, steps, positions),
        }


def _rows(query: Tensor, keys: Tensor, query_mask: Tensor, key_mask: Tensor) -> list[Tensor]:
    """The real scores of every real query."""
    scores = query @ keys.transpose(1, 2)
    return [scores[b, t, key_mask[b]] for b, t in query_mask.nonzero().tolist()]


def _variance(row: Tensor) -> Tensor:
    return (row - row.mean()).square().mean()


def _of_rows(measure: Any) -> Any:
    """Something else made of the rows of real scores."""
    return lambda query, keys, query_mask, key_mask: measure(
        _rows(query, keys, query_mask, key_mask)
    )


def _by_rows(call: Call) -> str | None:
    if abs(float(call.result) - float(call.expected)) < 1e-4 * max(1.0, float(call.expected)):
        return None
    rows = _rows(call.query, call.keys, call.query_mask, call.key_mask)
    variances = torch.stack([_variance(row) for row in rows])
    return (
        f"Over the real keys the {len(rows)} real queries' rows have the variances "
        f"{fmt(variances)}, each about the row's own mean. Their mean is "
        f"{fmt(variances.mean().item())} and its root {fmt(float(call.expected))}; "
        f"{fmt(float(call.result))} is returned."
    )


CHECK = Exercise(
    score_spread,
    inputs=_batches,
    rules={
        "the spread is the root of the mean of the rows' variances": _by_rows,
    },
    gradients=(),  # it measures; nothing goes back through that
    mistakes={
        "This is the mean *variance*. A variance is in squares: take the root at the end.": (
            _of_rows(lambda rows: torch.stack([_variance(row) for row in rows]).mean())
        ),
        "The root of each row's variance is taken first, and then their mean. First the mean "
        "of the variances, then one root.": _of_rows(
            lambda rows: torch.stack([_variance(row).sqrt() for row in rows]).mean()
        ),
        "The squares of a row are divided by one fewer than there are real keys, which for a "
        "single key is 0 / 0. Here they are divided by their number.": _of_rows(
            lambda rows: torch.stack([row.var() for row in rows]).mean().sqrt()
        ),
    },
)
