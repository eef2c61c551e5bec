"""Exercise 11.2: ``multi_head``."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor

from attnbook.checks.shared import (
    Inputs,
    agrees,
    are_weights,
    first_for_all,
    normal,
    plain,
    relatives,
    same,
)
from attnbook.exercises import Call, Exercise, Mistake
from attnlib.masking import masked_softmax


def multi_head(query: Tensor, keys: Tensor, values: Tensor, allowed: Tensor, heads: int) -> Any:
    """query (B, T, D), keys, values (B, S, D) → contexts (B, T, D), weights (B, heads, T, S)."""
    query, keys, values = (
        x.unflatten(-1, (heads, -1)).transpose(1, 2) for x in (query, keys, values)
    )  # each (B, heads, T or S, D / heads)
    scores = query @ keys.transpose(-2, -1) / math.sqrt(query.shape[-1])
    weights = masked_softmax(scores, allowed.unsqueeze(-3))  # (B, heads, T, S)
    return (weights @ values).transpose(1, 2).flatten(-2), weights


Split = Callable[[Tensor, int], Tensor]


def _slices(x: Tensor, heads: int) -> Tensor:
    return x.unflatten(-1, (heads, -1)).transpose(1, 2)


def _stripes(x: Tensor, heads: int) -> Tensor:
    return x.unflatten(-1, (-1, heads)).permute(0, 3, 1, 2)


def _pieces(x: Tensor, heads: int) -> Tensor:
    return x.reshape(x.shape[0], heads, x.shape[1], -1)


def _side_by_side(contexts: Tensor) -> Tensor:
    return contexts.transpose(1, 2).flatten(-2)


def _uncrossed(contexts: Tensor) -> Tensor:
    return contexts.reshape(contexts.shape[0], contexts.shape[2], -1)


def _masked(scores: Tensor, allowed: Tensor) -> Tensor:
    return masked_softmax(scores, allowed)


def _heads(
    query: Tensor,
    keys: Tensor,
    values: Tensor,
    allowed: Tensor,
    heads: int,
    *,
    of_query: Split = _slices,
    of_keys: Split = _slices,
    of_values: Split = _slices,
    root: Callable[[Tensor, Tensor, int], float] = lambda query, keys, heads: math.sqrt(
        query.shape[-1] / heads
    ),
    of_mask: Callable[[Tensor], Tensor] = lambda allowed: allowed.unsqueeze(-3),
    share: Callable[[Tensor, Tensor], Tensor] = _masked,
    merge: Callable[[Tensor], Tensor] = _side_by_side,
    out: Callable[..., Any] = lambda context, weights: (context, weights),
) -> Any:
    """Multi-head attention (Vaswani et al. 2017, §3.2.2), and what it is with one part wrong."""
    q, k, v = of_query(query, heads), of_keys(keys, heads), of_values(values, heads)
    weights = share(q @ k.transpose(-2, -1) / root(query, keys, heads), of_mask(allowed))
    return out(merge(weights @ v), weights)


def _for_heads() -> Inputs:
    make = normal(2)
    yield {
        "query": torch.tensor([[[1.0, 0.0, 0.0, 2.0]]]),
        "keys": torch.tensor([[[1.0, 1.0, 0.0, 0.0], [0.0, 0.0, 1.0, 1.0]]]),
        "values": torch.tensor([[[1.0, 2.0, 3.0, 4.0], [5.0, 6.0, 7.0, 8.0]]]),
        "allowed": torch.ones(1, 1, 2, dtype=torch.bool),
        "heads": 2,
    }

    def padded(batch: int, read: int) -> Tensor:
        lengths = torch.tensor([[read - 1], [read], [1]])[:batch]
        return (torch.arange(read) < lengths).unsqueeze(1)

    def past(steps: int) -> Tensor:
        return torch.ones(steps, steps, dtype=torch.bool).tril()

    for (batch, asked, read, size, heads), allowed in (
        ((2, 3, 5, 6, 3), padded(2, 5)),
        ((2, 4, 4, 8, 2), past(4).unsqueeze(0)),
        ((2, 2, 3, 6, 2), torch.ones(2, 3, dtype=torch.bool).tril()),  # (T, S)
        ((3, 3, 3, 12, 3), padded(3, 3) & past(3)),
        ((2, 3, 4, 10, 2), torch.tensor([[[True, False, True, True]]])),
    ):
        yield {"query": make(batch, asked, size), "keys": make(batch, read, size),
               "values": make(batch, read, size), "allowed": allowed, "heads": heads}  # fmt: skip


def _forbidden_are_zero(call: Call) -> str | None:
    barred = ~call.allowed.unsqueeze(-3).expand_as(call.result[1])
    worst = float(call.result[1][barred].abs().max()) if barred.any() else 0.0
    if worst == 0:
        return None
    return f"A position that may not be attended has weight {worst:.3g}."


def _rows_sum_to_one(call: Call) -> str | None:
    gaps = (call.result[1].sum(-1) - 1).abs()
    if float(gaps.max()) < 1e-4:
        return None
    b, head, t = (gaps > 1e-4).nonzero()[0].tolist()
    return (
        f"In sentence {b} the weights of head {head} and query {t} sum to "
        f"{float(call.result[1][b, head, t].sum()):.4g}, not to 1."
    )


def _forbidden_do_not_matter(call: Call) -> str | None:
    barred = ~call.allowed.expand(call.query.shape[0], call.query.shape[1], call.keys.shape[1])
    nobody = barred.all(1).unsqueeze(-1)  # what no query may attend to
    keys, values = (x.masked_fill(nobody, 9.0) for x in (call.keys, call.values))
    if torch.allclose(call(keys=keys, values=values)[0], call.result[0], atol=1e-5):
        return None
    return "The context changes with keys and values that no query may attend to."


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
                "it?"
            )
    return None


def _own_place(call: Call) -> str | None:
    """The first slice of the values makes the first slice of the context."""
    width = call.query.shape[-1] // call.heads
    other = call.values.clone()
    other[..., width:] += 1.0
    moved = (call(values=other)[0] - call.result[0]).abs()
    bad = moved[..., :width] > 1e-5
    if bool(bad.any()):
        return (
            f"Feature {int(bad.nonzero()[0, -1])} of the context changed when only features "
            f"{width} and up of the values did. Head 0 mixes features 0 to {width - 1} and puts "
            "them there again."
        )
    return None


_SPLIT = (
    "Heads and features are mixed up in the split{of}: neighboring features belong to one head, "
    "so unflatten to (heads, D / heads), in this order."
)
_PIECES = (
    "The split{of} went through reshape without a transposition: it cuts the sentence into pieces, "
    "not the features into slices. Unflatten the last dimension, then transpose."
)


def _in_front(allowed: Tensor) -> Tensor:
    return allowed.unsqueeze(-3)


def _at_one(allowed: Tensor) -> Tensor:
    return allowed.unsqueeze(1)


def _splits(told: str, split: Split, *merges: Callable[[Tensor], Tensor]) -> list[Mistake]:
    """All three split wrongly, with one or another merge, and a mask that (T, S) fits or not."""
    return [
        (told, plain(_heads, of_query=split, of_keys=split, of_values=split, merge=merge,
                            of_mask=of_mask))
        for of_mask in (_in_front, _at_one)
        for merge in merges
    ]  # fmt: skip


def _striped(contexts: Tensor) -> Tensor:
    return contexts.permute(0, 2, 3, 1).flatten(-2)


CHECK = Exercise(
    "multi_head",
    reference=multi_head,
    inputs=_for_heads,
    rules={
        "every weight lies between 0 and 1": are_weights(1),
        "a position that is not allowed has weight 0": _forbidden_are_zero,
        "each row of weights sums to 1": _rows_sum_to_one,
        "what no query may attend to does not matter": _forbidden_do_not_matter,
        "a head reads its own slice of neighboring features": _own_slice,
        "a head's context stands in its own slice": _own_place,
        "every head has its weights": agrees("sentence", "head", "query", "key", part=1),
        "every query has its context": agrees("sentence", "query", "feature", part=0),
    },
    mistakes=[
        *_splits(_SPLIT.format(of=""), _stripes, _side_by_side, _striped),
        *_splits(_PIECES.format(of=""), _pieces, _side_by_side, _uncrossed),
        *relatives(
            _heads,
            root={
                "The scores were divided by the root of D, the size of all heads together: each "
                "head's products have only D / heads terms.":
                    lambda query, keys, heads: math.sqrt(query.shape[-1]),
                "The scores were not divided by a root at all.": lambda query, keys, heads: 1.0,
                "The scores were divided by the root of the number of heads. It is the root of "
                "the slice's size, D / heads.": lambda query, keys, heads: math.sqrt(heads),
                "The scores were divided by the slice's size, not by its root.":
                    lambda query, keys, heads: query.shape[-1] / heads,
                "The scores were divided by the root of the number of keys. It is the root of the "
                "slice's size, D / heads.": lambda query, keys, heads: math.sqrt(keys.shape[1]),
                "The scores were multiplied by the root. They are divided by it.":
                    lambda query, keys, heads: math.sqrt(heads / query.shape[-1]),
            },
            share={
                "A second softmax was taken.":
                    lambda scores, allowed: _masked(scores, allowed).softmax(-1),
                "The mask was not used: a position that may not be attended has weight.":
                    lambda scores, allowed: scores.softmax(-1),
                "The mask comes after the softmax: what is not allowed has 0, but it has taken its "
                "share along, and the rest no longer sums to 1.":
                    lambda scores, allowed: scores.softmax(-1) * allowed,
                "The mask is the wrong way round: True marks what may be attended.":
                    lambda scores, allowed: masked_softmax(scores, ~allowed),
                "The mask is the wrong way round: masked_fill fills where True, and True marks "
                "what may be attended.": lambda scores, allowed: (
                    scores.masked_fill(allowed, -torch.inf).softmax(-1)
                ),
                "A score of 0 is a score like any other: e⁰ = 1, so what is not allowed still has "
                "weight.": lambda scores, allowed: (
                    scores.masked_fill(~allowed, 0.0).softmax(-1)
                ),
                "The softmax runs over the queries: each query shares 1 among the keys, the last "
                "dimension.": lambda scores, allowed: (
                    scores.masked_fill(~allowed, torch.finfo(scores.dtype).min).softmax(-2)
                ),
                "The softmax runs over the heads: each query shares 1 among the keys, the last "
                "dimension.": lambda scores, allowed: (
                    scores.masked_fill(~allowed, torch.finfo(scores.dtype).min).softmax(1)
                ),
                "The scores of all heads are added up before the softmax: each head has its own.":
                    lambda scores, allowed: masked_softmax(
                        scores.sum(1, keepdim=True).expand_as(scores), allowed
                    ),
                "The first head's weights are used in every head.": lambda scores, allowed: (
                    masked_softmax(scores, allowed)[:, :1].expand_as(scores)
                ),
                "These are the scores, not the weights: where is the softmax?":
                    lambda scores, allowed: scores.masked_fill(~allowed, 0.0),
            },
            of_mask={
                "The mask has no dimension for the heads: (B, T, S) meets (B, heads, T, S), and B "
                "falls on the heads. allowed.unsqueeze(-3) makes room.": same,
                "unsqueeze(1) counts from the front: for a mask (T, S) that is not in front of the "
                "last two dimensions. unsqueeze(-3) is.": lambda allowed: allowed.unsqueeze(1),
                "The mask of the first sentence is used for every sentence.":
                    lambda allowed: allowed.reshape(-1, *allowed.shape[-2:])[:1].unsqueeze(1),
                "The mask of the first query is used for every query.":
                    lambda allowed: allowed.unsqueeze(-3)[..., :1, :],
            },
            merge={
                "The heads come back in the wrong order: the contexts hold the right numbers, one "
                "feature of each head in turn. Put whole heads side by side.": _striped,
                "The contexts were merged without transposing back: heads must stand behind the "
                "positions, (B, T, heads, D / heads), before the last two become D.": _uncrossed,
                "The heads were added up: put them side by side.": lambda contexts: contexts.sum(1),
                "The mean of the heads was taken: put them side by side.":
                    lambda contexts: contexts.mean(1),
                "The mean of the heads was taken, and repeated to the size: put them side by side.":
                    lambda contexts: contexts.mean(1).repeat(1, 1, contexts.shape[1]),
                "The heads are side by side in the opposite order.":
                    lambda contexts: contexts.flip(1).transpose(1, 2).flatten(-2),
                "Only the context of the first head comes back: put all heads side by side.":
                    lambda contexts: contexts[:, 0],
                "The contexts are not merged yet: (B, T, D) is asked for.": same,
                "The contexts have two dimensions for the features: flatten the last two to D.":
                    lambda contexts: contexts.transpose(1, 2),
            },
            of_query={
                _SPLIT.format(of=" of the query"): _stripes,
                "The queries of the first sentence are used for every sentence.":
                    lambda x, heads: _slices(first_for_all(x), heads),
            },
            of_keys={
                _SPLIT.format(of=" of the keys"): _stripes,
                _PIECES.format(of=" of the keys"): _pieces,
                "The keys of the first sentence are used for every sentence.":
                    lambda x, heads: _slices(first_for_all(x), heads),
            },
            of_values={
                _SPLIT.format(of=" of the values"): _stripes,
                _PIECES.format(of=" of the values"): _pieces,
                "The values of the first sentence are used for every sentence.":
                    lambda x, heads: _slices(first_for_all(x), heads),
            },
            out={
                "The weights are averaged over the heads: every head's are asked for.":
                    lambda context, weights: (context, weights.mean(1)),
                "The weights are averaged over the heads: each head's are asked for.":
                    lambda context, weights: (context, weights.mean(1, keepdim=True)),
                "The weights are added up over the heads: every head's are asked for.":
                    lambda context, weights: (context, weights.sum(1)),
                "The weights are (B, T, heads, S): heads come before the queries.":
                    lambda context, weights: (context, weights.transpose(1, 2)),
                "The weights have queries and keys exchanged: they are (B, heads, T, S).":
                    lambda context, weights: (context, weights.transpose(2, 3)),
                "Weights and contexts have changed places: the contexts come first.":
                    lambda context, weights: (weights, context),
                "Only the contexts come back: the weights are asked for as well.":
                    lambda context, weights: context,
                "Only the weights of the first head come back.":
                    lambda context, weights: (context, weights[:, 0]),
            },
        ),
        (
            "Keys and values have changed places: a query is compared with keys, and values are "
            "mixed.",
            lambda query, keys, values, allowed, heads: _heads(query, values, keys, allowed, heads),
        ),
        (
            "The keys are mixed. What the weights mix are the values.",
            lambda query, keys, values, allowed, heads: _heads(query, keys, keys, allowed, heads),
        ),
    ],
)  # fmt: skip
