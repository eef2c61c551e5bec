"""Exercise 11.2: ``multi_head``.

Long, because heads can be split, masked, scaled and joined wrongly, one by one or together.
"""

from __future__ import annotations

import math
from typing import Any

import torch
from torch import Tensor

from attnbook.checks.shared import Inputs, agrees, are_weights, first_for_all, normal
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


# Ways to get it wrong -----------------------------------------------------------------------------


def _striped(x: Tensor, heads: int) -> Tensor:
    """Features in the order in which heads of every heads-th feature have them."""
    return x.unflatten(-1, (-1, heads)).transpose(-2, -1).flatten(-2)


def _in_pieces(x: Tensor, heads: int) -> Tensor:
    """What a split by reshape alone gives to the heads, side by side."""
    return x.reshape(x.shape[0], heads, x.shape[1], -1).transpose(1, 2).flatten(-2)


def _weighed(weigh: Any) -> Any:
    """Other weights, from the scores and from the mask (B or 1, 1, T or 1, S)."""

    def wrong(query: Tensor, keys: Tensor, values: Tensor, allowed: Tensor, heads: int) -> Any:
        q, k, v = (x.unflatten(-1, (heads, -1)).transpose(1, 2) for x in (query, keys, values))
        scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
        weights = weigh(scores, allowed.unsqueeze(-3))
        return (weights @ v).transpose(1, 2).flatten(-2), weights

    return wrong


def _at_one(mask: Tensor) -> Tensor:
    """allowed.unsqueeze(1), which is not unsqueeze(-3) where allowed is (T, S)."""
    return mask.squeeze(-3).unsqueeze(1)


def _summed(scores: Tensor) -> Tensor:
    return scores.sum(1, keepdim=True).expand_as(scores)


def _filled(scores: Tensor, mask: Tensor) -> Tensor:
    return scores.masked_fill(~mask, torch.finfo(scores.dtype).min)


_masked_at_one = _weighed(lambda scores, mask: masked_softmax(scores, _at_one(mask)))


def _scaled(factor: Any) -> Any:
    """The right scores times a factor, made from the slice's size, the heads and the keys."""
    return lambda query, keys, values, allowed, heads: multi_head(
        query * factor(query.shape[-1] // heads, heads, keys.shape[1]), keys, values, allowed, heads
    )


def _merged(merge: Any, attend: Any = multi_head) -> Any:
    """The contexts (B, T, heads, D / heads) are put together in another way."""

    def wrong(query: Tensor, keys: Tensor, values: Tensor, allowed: Tensor, heads: int) -> Any:
        contexts, weights = attend(query, keys, values, allowed, heads)
        return merge(contexts.unflatten(-1, (heads, -1))), weights

    return wrong


def _one_of_each(contexts: Tensor) -> Tensor:
    return contexts.transpose(-2, -1).flatten(-2)


def _uncrossed(contexts: Tensor) -> Tensor:
    return contexts.transpose(1, 2).reshape(*contexts.shape[:2], -1)


def _changed(change: Any, which: Any = (0, 1, 2), attend: Any = multi_head) -> Any:
    """Of query (0), keys (1) and values (2), some are split in another way."""
    return lambda query, keys, values, allowed, heads: attend(
        *(change(x, heads) if i in which else x for i, x in enumerate((query, keys, values))),
        allowed,
        heads,
    )


def _returned(out: Any) -> Any:
    return lambda *given, **named: out(*multi_head(*given, **named))


# Inputs and rules ---------------------------------------------------------------------------------


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

    past = torch.ones(4, 4, dtype=torch.bool).tril()
    for (batch, asked, read, size, heads), allowed in (
        ((2, 3, 5, 6, 3), padded(2, 5)),
        ((2, 4, 4, 8, 2), past.unsqueeze(0)),
        ((2, 2, 3, 6, 2), past[:2, :3]),  # (T, S)
        ((3, 3, 3, 12, 3), padded(3, 3) & past[:3, :3]),
        ((2, 3, 4, 10, 2), torch.tensor([[[True, False, True, True]]])),
    ):
        yield {
            "query": make(batch, asked, size),
            "keys": make(batch, read, size),
            "values": make(batch, read, size),
            "allowed": allowed,
            "heads": heads,
        }


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
_AT_ONE = (
    "unsqueeze(1) counts from the front: for a mask (T, S) that is not in front of the last two "
    "dimensions. unsqueeze(-3) is."
)
_WRONG_ORDER = (
    "The heads come back in the wrong order: the contexts hold the right numbers, one feature of "
    "each head in turn. Put whole heads side by side."
)
_LATE = (
    "The mask comes after the softmax: what is not allowed has 0, but it has taken its share "
    "along, and the rest no longer sums to 1."
)
_SUMMED = "The scores of all heads are added up before the softmax: each head has its own."
_SUMMED_AND_ROOT = f"{_SUMMED} Divide by the root of its size, D / heads, and not of D."

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
        *(
            (told.format(of=""), _merged(merge, _changed(split, attend=attend)))
            for told, split, undone in (
                (_SPLIT, _striped, _one_of_each),
                (_PIECES, _in_pieces, _uncrossed),
            )
            for merge in (lambda c: c.flatten(-2), undone)
            for attend in (multi_head, _masked_at_one)
        ),
        (_SPLIT.format(of=" of the query"), _changed(_striped, (0,))),
        *(
            (told.format(of=of), _changed(split, (which,)))
            for which, of in ((1, " of the keys"), (2, " of the values"))
            for told, split in ((_SPLIT, _striped), (_PIECES, _in_pieces))
        ),
        *(
            (
                f"The {what} of the first sentence are used for every sentence.",
                _changed(lambda x, heads: first_for_all(x), (which,)),
            )
            for which, what in enumerate(("queries", "keys", "values"))
        ),
        *(
            (told, _scaled(factor))
            for told, factor in {
                "The scores were divided by the root of D, the size of all heads together: each "
                "head's products have only D / heads terms.": lambda d, heads, s: heads**-0.5,
                "The scores were not divided by a root at all.": lambda d, heads, s: d**0.5,
                "The scores were divided by the root of the number of heads. It is the root of "
                "the slice's size, D / heads.": lambda d, heads, s: (d / heads) ** 0.5,
                "The scores "
                "were divided by the slice's size, not by its root.": lambda d, heads, s: d**-0.5,
                "The scores were divided by the root of the number of keys. It is the root of the "
                "slice's size, D / heads.": lambda d, heads, s: (d / s) ** 0.5,
                "The scores "
                "were multiplied by the root. They are divided by it.": lambda d, heads, s: d,
            }.items()
        ),
        *(
            (told, _weighed(weigh))
            for told, weigh in {
                "A second softmax was taken.": lambda s, m: masked_softmax(s, m).softmax(-1),
                "The mask was not "
                "used: a position that may not be attended has weight.": lambda s, m: s.softmax(-1),
                _LATE: lambda s, m: s.softmax(-1) * m,
                f"{_LATE} And: {_AT_ONE}": lambda s, m: s.softmax(-1) * _at_one(m),
                "The mask is the wrong way round: True marks what may be attended.": lambda s, m: (
                    masked_softmax(s, ~m)
                ),
                "The mask is the wrong way round: masked_fill fills where True, and True marks "
                "what may be attended.": lambda s, m: s.masked_fill(m, -torch.inf).softmax(-1),
                "A score of 0 is a score like any other: e⁰ = 1, so what is not allowed still has "
                "weight.": lambda s, m: (s * m).softmax(-1),
                "The softmax runs over the queries: each query shares 1 among the keys, the last "
                "dimension.": lambda s, m: _filled(s, m).softmax(-2),
                "The softmax runs over the heads: each query shares 1 among the keys, the last "
                "dimension.": lambda s, m: _filled(s, m).softmax(1),
                _SUMMED: lambda s, m: masked_softmax(_summed(s), m),
                _SUMMED_AND_ROOT: lambda s, m: masked_softmax(_summed(s) / s.shape[1] ** 0.5, m),
                "The first head's weights are used in every head.": lambda s, m: masked_softmax(
                    s, m
                )[:, :1].expand_as(s),
                "These are the scores, not the weights: where is the softmax?": lambda s, m: s * m,
                "The mask has no dimension for the heads: (B, T, S) meets (B, heads, T, S), and B "
                "falls on the heads. "
                "allowed.unsqueeze(-3) makes room.": lambda s, m: masked_softmax(s, m.squeeze(-3)),
                "The mask of the first sentence is used for every sentence.": lambda s, m: (
                    masked_softmax(s, m.reshape(-1, 1, *m.shape[-2:])[:1])
                ),
                "The mask of the first query is used for every query.": lambda s, m: masked_softmax(
                    s, m[..., :1, :]
                ),
            }.items()
        ),
        *(
            (told, _merged(merge))
            for told, merge in {
                _WRONG_ORDER: _one_of_each,
                "The contexts were merged without transposing back: heads must stand behind the "
                "positions, (B, T, heads, D / heads), before the last two become D.": _uncrossed,
                "The heads were added up: put them side by side.": lambda c: c.sum(2),
                "The mean of the heads was taken: put them side by side.": lambda c: c.mean(2),
                "The mean of the heads was taken, and repeated to the size: put them side by "
                "side.": lambda c: c.mean(2).repeat(1, 1, c.shape[2]),
                "The heads are side by side in the opposite order.": lambda c: c.flip(2).flatten(
                    -2
                ),
                "Only the context "
                "of the first head comes back: put all heads side by side.": lambda c: c[:, :, 0],
                "The contexts are not merged yet: (B, T, D) is asked for.": lambda c: c.transpose(
                    1, 2
                ),
                "The contexts have two dimensions for the features: flatten the last two to "
                "D.": lambda c: c,
            }.items()
        ),
        *(
            (told, _returned(out))
            for told, out in {
                "The weights are "
                "averaged over the heads: every head's are asked for.": lambda c, w: (c, w.mean(1)),
                "The weights are averaged over "
                "the heads: each head's are asked for.": lambda c, w: (c, w.mean(1, keepdim=True)),
                "The weights are "
                "added up over the heads: every head's are asked for.": lambda c, w: (c, w.sum(1)),
                "The weights are (B, T, heads, S): heads come before the queries.": lambda c, w: (
                    c,
                    w.transpose(1, 2),
                ),
                "The weights have queries and "
                "keys exchanged: they are (B, heads, T, S).": lambda c, w: (c, w.transpose(2, 3)),
                "Weights and contexts have changed places: the contexts come first.": lambda c, w: (
                    w,
                    c,
                ),
                "Only the contexts come back: the weights are asked for as well.": lambda c, w: c,
                "Only the weights of the first head come back.": lambda c, w: (c, w[:, 0]),
            }.items()
        ),
        *{
            _AT_ONE: _masked_at_one,
            f"{_WRONG_ORDER} And: {_AT_ONE}": _merged(_one_of_each, _masked_at_one),
            "Keys and values have changed places: a query is compared with keys, and values are "
            "mixed.": lambda query, keys, values, allowed, heads: multi_head(
                query, values, keys, allowed, heads
            ),
            "The keys are mixed. What the weights mix are the "
            "values.": lambda query, keys, values, allowed, heads: multi_head(
                query, keys, keys, allowed, heads
            ),
        }.items(),
    ],
)
