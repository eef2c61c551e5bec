"""Exercise 11.2: ``multi_head``."""

import math
from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor

from attnbook.checks.inputs import Inputs, normal
from attnbook.exercises import Call, Exercise
from attnlib.masking import masked_softmax


def multi_head(query: Tensor, keys: Tensor, values: Tensor, allowed: Tensor, heads: int) -> Any:
    """query (B, T, D), keys, values (B, S, D) → contexts (B, T, D), weights (B, heads, T, S)."""
    query, keys, values = (
        x.unflatten(-1, (heads, -1)).transpose(1, 2) for x in (query, keys, values)
    )  # each (B, heads, T or S, D / heads)
    scores = query @ keys.transpose(-2, -1) / math.sqrt(query.shape[-1])
    weights = masked_softmax(scores, allowed.unsqueeze(-3))  # (B, heads, T, S)
    return (weights @ values).transpose(1, 2).flatten(-2), weights


def _for_heads() -> Inputs:
    make = normal(2)
    yield {
        "query": torch.tensor([[[1.0, 0.0, 0.0, 2.0]]]),
        "keys": torch.tensor([[[1.0, 1.0, 0.0, 0.0], [0.0, 0.0, 1.0, 1.0]]]),
        "values": torch.tensor([[[1.0, 2.0, 3.0, 4.0], [5.0, 6.0, 7.0, 8.0]]]),
        "allowed": torch.ones(1, 1, 2, dtype=torch.bool),
        "heads": 2,
    }

    def padded(batch: int, positions: int) -> Tensor:
        lengths = torch.tensor([[positions - 1], [positions], [1]])[:batch]
        return (torch.arange(positions) < lengths).unsqueeze(1)

    past = torch.ones(4, 4, dtype=torch.bool).tril()
    for (batch, queries, positions, size, heads), allowed in (
        ((2, 3, 5, 6, 3), padded(2, 5)),
        ((2, 4, 4, 8, 2), past.unsqueeze(0)),
        ((2, 2, 3, 6, 2), past[:2, :3]),  # (T, S)
        ((3, 3, 3, 12, 3), padded(3, 3) & past[:3, :3]),
        ((2, 3, 4, 10, 2), torch.tensor([[[True, False, True, True]]])),
    ):
        yield {
            "query": make(batch, queries, size),
            "keys": make(batch, positions, size),
            "values": make(batch, positions, size),
            "allowed": allowed,
            "heads": heads,
        }


def _are_weights(call: Call) -> str | None:
    weights = call.result[1]
    forbidden = weights[~call.allowed.unsqueeze(-3).expand_as(weights)]
    if bool((forbidden != 0).any()):
        worst = float(forbidden.abs().max())
        return f"A position that may not be attended has weight {worst:.3g}."
    sums = weights.sum(-1)
    for b, head, t in ((sums - 1).abs() > 1e-4).nonzero().tolist():
        return (
            f"In sentence {b} the weights of head {head} and query {t} sum to "
            f"{float(sums[b, head, t]):.4g}, not to 1."
        )
    return None


def _own_slice(call: Call) -> str | None:
    """Head 0 may use the first slice alone."""
    width = call.query.shape[-1] // call.heads
    for name in ("query", "keys"):
        other = call.arguments[name].clone()
        other[..., width:] += torch.linspace(1.0, 2.0, other[..., width:].numel()).view(
            other[..., width:].shape
        )
        if not torch.allclose(call(**{name: other})[1][:, 0], call.result[1][:, 0], atol=1e-5):
            return (
                f"The weights of the first head changed when only features {width} and up of the "
                f"{name} did. It reads features 0 to {width - 1}: which ones does your split give "
                "it? Unflatten the last dimension to (heads, D / heads), in this order, and then "
                "transpose."
            )
    return None


def _scale(call: Call) -> str | None:
    """The logarithms of weights differ as the scores do."""
    make, heads, keys, d = normal(5), 3, 5, 4
    query, memory = make(1, 2, heads * d), make(1, keys, heads * d)
    allowed = torch.ones(1, 1, keys, dtype=torch.bool)
    arguments: dict[str, Any] = {"query": query, "keys": memory, "values": memory}
    arguments |= {"allowed": allowed, "heads": heads}
    weights = call.without_comparison(**arguments)[1], multi_head(**arguments)[1]
    gaps, expected = (w.log().diff(dim=-1) for w in weights)
    factor = float(gaps.flatten()[0] / expected.flatten()[0])
    if (
        factor < 1e-3
        or abs(factor - 1) < 1e-3
        or not torch.allclose(gaps, factor * expected, atol=1e-3)
    ):
        return None
    return (
        f"The scores are {factor:.4g} times what they should be, q · k / √(D / heads): take the "
        "root of the size of one head, not of all heads together."
    )


def _mixed(call: Call) -> str | None:
    """The context is made of the weights that come back with it."""
    context, weights = call.result
    values = call.values.unflatten(-1, (call.heads, -1)).transpose(1, 2)
    contexts = weights @ values  # (B, heads, T, D / heads)
    if torch.allclose(context, contexts.transpose(1, 2).flatten(-2), atol=1e-4):
        return None
    message = (
        "The contexts are not each head's weights times its slice of the values, side by side."
    )
    if torch.allclose(context, contexts.reshape(context.shape), atol=1e-4):
        message += (
            " You merged them without transposing back: heads must come after the positions, (B, "
            "T, heads, D / heads), before the last two become D."
        )
    return message


def _weighed(weigh: Callable[[Tensor, Tensor], Tensor]) -> Callable[..., Any]:
    """Other weights, from the scores and from the mask (B or 1, 1, T or 1, S)."""

    def wrong(query: Tensor, keys: Tensor, values: Tensor, allowed: Tensor, heads: int) -> Any:
        q, k, v = (x.unflatten(-1, (heads, -1)).transpose(1, 2) for x in (query, keys, values))
        scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
        weights = weigh(scores, allowed.unsqueeze(-3))
        return (weights @ v).transpose(1, 2).flatten(-2), weights

    return wrong


CHECK = Exercise(
    multi_head,
    inputs=_for_heads,
    rules={
        "each row of weights sums to 1, and a position that is not allowed has 0": _are_weights,
        "a head reads its own slice of neighboring features": _own_slice,
        "a head's context is in its own slice": _mixed,
        "the scores are divided by the root of the slice's size": _scale,
    },
    mistakes={
        "The mask is the wrong way around: True marks what may be attended.": _weighed(
            lambda scores, mask: masked_softmax(scores, ~mask)
        ),
        "The mask comes after the softmax: what is not allowed has 0, but its share is gone with "
        "it, so the rest no longer sums to 1.": _weighed(
            lambda scores, mask: scores.softmax(-1) * mask
        ),
        "The mask has no dimension for the heads: (B, T, S) meets (B, heads, T, S), and B lines "
        "up with the heads. allowed.unsqueeze(-3) makes room.": _weighed(
            lambda scores, mask: masked_softmax(scores, mask.squeeze(-3))
        ),
    },
)
