"""Exercise 11.2: ``multi_head``."""

from __future__ import annotations

import math
from collections.abc import Callable

import torch
from torch import Tensor

from attnbook.checks.shared import Inputs, normal
from attnbook.exercises import Call, Exercise, Mistake
from attnlib.masking import masked_softmax


def _multi_head(
    query: Tensor,
    keys: Tensor,
    values: Tensor,
    allowed: Tensor,
    heads: int,
    *,
    root: int | None = None,
    split: Callable[[Tensor, int], Tensor] | None = None,
    merge: Callable[[Tensor], Tensor] | None = None,
    masked: bool = True,
) -> tuple[Tensor, Tensor]:
    """Multi-head attention (Vaswani et al. 2017, §3.2.2), and what it is with one part wrong."""
    cut = split or (lambda x, h: x.unflatten(-1, (h, -1)).transpose(1, 2))
    q, k, v = (cut(x, heads) for x in (query, keys, values))
    scores = q @ k.transpose(-2, -1) / math.sqrt(root or q.shape[-1])
    weights = masked_softmax(scores, allowed.unsqueeze(-3) if masked else None)
    context = weights @ v
    return (merge or (lambda x: x.transpose(1, 2).flatten(-2)))(context), weights


def _for_heads() -> Inputs:
    make = normal(2)
    everything = torch.ones(1, 1, 2, dtype=torch.bool)
    yield {
        "query": torch.tensor([[[1.0, 0.0, 0.0, 2.0]]]),
        "keys": torch.tensor([[[1.0, 1.0, 0.0, 0.0], [0.0, 0.0, 1.0, 1.0]]]),
        "values": torch.tensor([[[1.0, 2.0, 3.0, 4.0], [5.0, 6.0, 7.0, 8.0]]]),
        "allowed": everything,
        "heads": 2,
    }
    allowed = torch.tensor([[True] * 5, [True] * 3 + [False] * 2]).unsqueeze(1)
    sizes = (make(2, 3, 6), make(2, 5, 6), make(2, 5, 6))
    yield {**dict(zip(("query", "keys", "values"), sizes)), "allowed": allowed, "heads": 3}
    x = make(2, 4, 8)
    past = torch.ones(1, 4, 4, dtype=torch.bool).tril()
    yield {"query": x, "keys": make(2, 4, 8), "values": make(2, 4, 8), "allowed": past, "heads": 2}


def _rows_sum_to_one(call: Call) -> str | None:
    sums = call.result[1].sum(-1)
    if torch.allclose(sums, torch.ones_like(sums), atol=1e-4):
        return None
    return (
        f"A row of weights sums to {sums.flatten()[0]:.3f}: softmax runs over the keys, and once."
    )


def _forbidden_are_zero(call: Call) -> str | None:
    barred = ~call.allowed.unsqueeze(-3).expand_as(call.result[1])
    worst = float(call.result[1][barred].abs().max()) if barred.any() else 0.0
    if worst == 0:
        return None
    return (
        f"A position that may not be attended has weight {worst:.3f}: is the mask applied before "
        "the softmax, in every head?"
    )


def _own_slice(call: Call) -> str | None:
    """Head 1 may use the first slice alone."""
    width = call.query.shape[-1] // call.heads
    other = call.query.clone()
    other[..., width:] += 1.0
    if torch.allclose(call(query=other)[1][:, 0], call.result[1][:, 0], atol=1e-5):
        return None
    return (
        f"The weights of the first head changed when only features {width} and up of the query "
        f"did. Head 1 reads features 0 to {width - 1}: which features does your split give it?"
    )


CHECK = Exercise(
    "multi_head",
    reference=lambda query, keys, values, allowed, heads: _multi_head(
        query, keys, values, allowed, heads
    ),
    inputs=_for_heads,
    rules={
        "each row of weights sums to 1": _rows_sum_to_one,
        "a position that is not allowed has weight 0": _forbidden_are_zero,
        "a head reads its own slice of neighbouring features": _own_slice,
    },
    mistakes=[
        Mistake(
            "The scores were divided by the root of D, the size of all heads together: each head's "
            "products have only D / heads terms.",
            lambda query, keys, values, allowed, heads: _multi_head(
                query, keys, values, allowed, heads, root=query.shape[-1]
            ),
        ),
        Mistake(
            "The scores were not divided by a root at all.",
            lambda query, keys, values, allowed, heads: _multi_head(
                query, keys, values, allowed, heads, root=1
            ),
        ),
        Mistake(
            "The mask was not used: a position that may not be attended has weight.",
            lambda query, keys, values, allowed, heads: _multi_head(
                query, keys, values, allowed, heads, masked=False
            ),
        ),
        Mistake(
            "Heads and features are mixed up in the split: neighbouring features belong to one "
            "head, so unflatten to (heads, D / heads), in this order.",
            lambda query, keys, values, allowed, heads: _multi_head(
                query,
                keys,
                values,
                allowed,
                heads,
                split=lambda x, h: x.unflatten(-1, (-1, h)).permute(0, 3, 1, 2),
            ),
        ),
        Mistake(
            "The heads come back in the wrong order: the contexts hold the right numbers, one "
            "feature of each head in turn. Put whole heads side by side.",
            lambda query, keys, values, allowed, heads: _multi_head(
                query,
                keys,
                values,
                allowed,
                heads,
                merge=lambda x: x.permute(0, 2, 3, 1).flatten(-2),
            ),
        ),
        Mistake(
            "The split went through reshape without a transposition: it cuts the sentence into "
            "pieces, not the features into slices. Unflatten the last dimension, then transpose.",
            lambda query, keys, values, allowed, heads: _multi_head(
                query,
                keys,
                values,
                allowed,
                heads,
                split=lambda x, h: x.reshape(x.shape[0], h, x.shape[1], -1),
            ),
        ),
    ],
)
