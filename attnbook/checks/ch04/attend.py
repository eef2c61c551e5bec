"""Exercise 4.7: ``attend``."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor
from torch.nn import functional as F

from attnbook.checks.ch04.shared import listed
from attnbook.checks.shared import Inputs, are_weights, normal
from attnbook.exercises import Call, Exercise
from attnlib.model import DotAttention


def attend(query: Tensor, keys: Tensor, values: Tensor, mask: Tensor | None) -> Any:
    """Context (B, T, Hv) and weights (B, T, S). query (B, T, H), keys (B, S, H), mask (B, S)."""
    scores = query @ keys.transpose(1, 2)  # (B, T, S)
    if mask is not None:
        scores = scores.masked_fill(~mask.unsqueeze(1), -torch.inf)
    weights = scores.softmax(dim=-1)
    return weights @ values, weights


def _batch() -> Inputs:
    yield {
        "query": torch.tensor([[[1.0, 0.0]]]),
        "keys": torch.tensor([[[2.0, 0.0], [0.0, 1.0], [3.0, 3.0]]]),
        "values": torch.tensor(
            [[[1.0, 0.0, 0.0, 5.0], [0.0, 1.0, 0.0, 5.0], [7.0, 7.0, 7.0, 7.0]]]
        ),
        "mask": torch.tensor([[True, True, False]]),
    }
    make = normal(4)
    yield {"query": make(2, 3, 5), "keys": make(2, 4, 5), "values": make(2, 4, 6), "mask": None}
    mask = torch.arange(5) < torch.tensor([[5], [3], [1]])
    yield {"query": make(3, 2, 4), "keys": make(3, 5, 4), "values": make(3, 5, 6), "mask": mask}
    mask = torch.tensor([[True, False, True, True, False, False], [False, True] * 3])  # with gaps
    large = 15 * make(2, 6, 4)
    yield {"query": 9 * make(2, 3, 4), "keys": large, "values": make(2, 6, 5), "mask": mask}


def _padding_has_none(call: Call) -> str | None:
    if call.mask is None:
        return None
    on_padding = call.result[1].masked_fill(call.mask.unsqueeze(1), 0.0).abs()
    if float(on_padding.max()) == 0.0:
        return None
    b, t, j = (on_padding == on_padding.max()).nonzero()[0].tolist()
    return (
        f"Entry {j} of sentence {b} is not there, and has weight {float(on_padding.max()):.2g} for "
        f"query {t}."
    )


def _weights_sum_to_one(call: Call) -> str | None:
    worst = max(call.result[1].sum(-1).flatten().tolist(), key=lambda total: abs(total - 1))
    if abs(worst - 1) < 1e-4:
        return None
    return f"The weights of a query sum to {worst:.2f}, not to 1."


def _by_the_scores(call: Call) -> str | None:
    weights, right = call.result[1], call.expected[1]
    scores = torch.einsum("bth,bsh->bts", call.query, call.keys)
    for b, t, _ in (~torch.isclose(weights, right, atol=1e-5)).nonzero().tolist():
        real = call.mask[b] if call.mask is not None else torch.ones(right.shape[-1]).bool()
        return (
            f"Query {t} of sentence {b} has dot products {listed(scores[b, t][real])} with the "
            f"keys that are there. Their softmax is {listed(right[b, t][real])}, and your weights "
            f"are {listed(weights[b, t][real])}."
        )
    return None


def _context_of_weights(call: Call) -> str | None:
    context, weights = call.result
    if torch.allclose(context, weights @ call.values, atol=1e-4):
        return None
    return (
        "The context is not the sum of weight times value: for query 0 of sentence 0 that is "
        f"{listed((weights @ call.values)[0, 0])} with your weights, and your context is "
        f"{listed(context[0, 0])}."
    )


def _attend(query: Tensor, keys: Tensor, values: Tensor, mask: Tensor | None) -> Any:
    size = query.shape[-1]
    return DotAttention(size, size)(query, keys, values, mask)


def _attends(weigh: Callable[[Tensor, Tensor], Tensor]) -> Callable[..., Any]:
    """Attention whose weights are made otherwise, from scores and a mask (B, 1, S)."""

    def wrong(query: Tensor, keys: Tensor, values: Tensor, mask: Tensor | None) -> Any:
        scores = query @ keys.transpose(1, 2)
        real = torch.ones(scores.shape[0], 1, scores.shape[2], dtype=torch.bool)
        weights = weigh(scores, real if mask is None else mask.unsqueeze(1))
        return weights @ values, weights

    return wrong


def _scored(score: Callable[[Tensor, Tensor], Tensor]) -> Callable[..., Any]:
    """Attention with another score of query (B, T, H) and keys (B, S, H)."""

    def wrong(query: Tensor, keys: Tensor, values: Tensor, mask: Tensor | None) -> Any:
        scores = score(query, keys)
        if mask is not None:
            scores = scores.masked_fill(~mask.unsqueeze(1), -torch.inf)
        weights = scores.softmax(-1)
        return weights @ values, weights

    return wrong


def _masked(prepare: Callable[[Any], Any]) -> Callable[..., Any]:
    """Attention that does not ask whether there is a mask, or gives it another shape."""

    def wrong(query: Tensor, keys: Tensor, values: Tensor, mask: Any) -> Any:
        scores = query @ keys.transpose(1, 2)
        weights = scores.masked_fill(prepare(mask), -torch.inf).softmax(-1)
        return weights @ values, weights

    return wrong


def _wrong_way_round(query: Tensor, keys: Tensor, values: Tensor, mask: Tensor | None) -> Any:
    return _attends(
        lambda scores, real: scores.masked_fill(
            torch.zeros_like(real) if mask is None else real, -torch.inf
        ).softmax(-1)
    )(query, keys, values, mask)


def _first_mask(query: Tensor, keys: Tensor, values: Tensor, mask: Tensor | None) -> Any:
    return _attend(query, keys, values, mask if mask is None else mask[:1].expand_as(mask))


def _low(low: int) -> Callable[..., Any]:
    return _attends(lambda scores, mask: scores.masked_fill(~mask, -float(low)).softmax(-1))


def _attends_if(prepare: Callable[[Tensor], Tensor]) -> Callable[..., Any]:
    """A mask of another shape, where there is one."""
    without = _attends(lambda scores, real: scores.softmax(-1))
    return lambda query, keys, values, mask: (without if mask is None else _masked(prepare))(
        query, keys, values, mask
    )


def _added(amount: Callable[[Tensor], Tensor]) -> Callable[..., Any]:
    """Something is added to the scores, where there is a mask."""

    def wrong(query: Tensor, keys: Tensor, values: Tensor, mask: Tensor | None) -> Any:
        scores = query @ keys.transpose(1, 2)
        weights = (scores if mask is None else scores + amount(mask)).softmax(-1)
        return weights @ values, weights

    return wrong


def _part(change: Callable[[Tensor, Tensor], Any]) -> Callable[..., Any]:
    """The right context and weights, and something done to them."""
    return lambda query, keys, values, mask: change(*_attend(query, keys, values, mask))


def _zero_after_the_exponential(scores: Tensor, mask: Tensor) -> Tensor:
    top = scores.masked_fill(~mask, -torch.inf).amax(-1, keepdim=True)
    powers = (scores - top).exp() * mask
    return powers / powers.sum(-1, keepdim=True)


OVER_QUERIES = "The softmax runs over the queries. It must run over the keys, the last dimension."
NO_MASK = "mask may be None, and then all entries are real: ask for it before you use the mask."
LOW = (
    "Entries that are not there have a low score, and so a little weight. The softmax gives weight "
    "0 to the score −∞."
)
UNMASKED = "The mask is not used: entries that are not there get weight."
AS_IT_IS = (
    "The mask is (B, S), the scores (B, T, S): they do not fit. mask.unsqueeze(1) is (B, 1, S), "
    "the same row for every query."
)
UNDER_ROOT = (
    "The scores are divided by √H. That is the scaled dot product of chapter 6; here the bare one "
    "is asked for."
)

CHECK = Exercise(
    "attend",
    reference=attend,
    inputs=_batch,
    rules={
        "every weight lies between 0 and 1": are_weights(1),
        "an entry that is not there has weight 0": _padding_has_none,
        "the weights of a query sum to 1": _weights_sum_to_one,
        "the weights are the softmax of the dot products": _by_the_scores,
        "the context is the sum of weight times value": _context_of_weights,
    },
    mistakes=[
        (UNMASKED, _attends(lambda scores, mask: scores.softmax(-1))),
        (
            "The mask is the wrong way round: True marks what is real, and masked_fill fills "
            "where True.",
            _wrong_way_round,
        ),
        (
            "A score of 0 is a score like any other, e⁰ = 1. Which score does the softmax turn "
            "into 0?",
            _attends(lambda scores, mask: scores.masked_fill(~mask, 0.0).softmax(-1)),
        ),
        *(
            (LOW, _low(low))
            for low in (1, 5, 10, 20, 30, 50, 99, 100)
        ),
        (
            "The mask comes after the softmax: what is left no longer sums to 1.",
            _attends(lambda scores, mask: scores.softmax(-1) * mask),
        ),
        (
            "The mask is added to the scores, +1 for what is real. It should leave them as they "
            "are, and put −∞ where nothing is.",
            _attends(lambda scores, mask: (scores + mask).softmax(-1)),
        ),
        (
            "Only the values of entries that are not there are made 0; their weights remain.",
            lambda query, keys, values, mask: _attends(lambda scores, real: scores.softmax(-1))(
                query, keys, values if mask is None else values * mask.unsqueeze(-1), mask
            ),
        ),
        ("All sentences are given the first one's mask.", _first_mask),
        (
            OVER_QUERIES,
            _attends(lambda scores, mask: scores.masked_fill(~mask, -torch.inf).softmax(1)),
        ),
        (
            OVER_QUERIES,
            _attends(lambda scores, mask: scores.masked_fill(~mask, -1e9).softmax(1)),
        ),
        (
            f"{OVER_QUERIES} And the mask is not used.",
            _attends(lambda scores, mask: scores.softmax(1)),
        ),
        (
            "The softmax runs over the sentences of the batch. It must run over the keys.",
            _attends(lambda scores, mask: scores.masked_fill(~mask, -torch.inf).softmax(0)),
        ),
        (
            "The softmax runs over queries and keys together. Every query has its own.",
            _attends(
                lambda scores, mask: (
                    scores.masked_fill(~mask, -torch.inf).flatten(1).softmax(1).view_as(scores)
                )
            ),
        ),
        (
            "The exponential of a large score is ∞ in the computer's numbers, and ∞/∞ is not a "
            "number. softmax takes the largest off all of them first, which changes nothing else.",
            _attends(
                lambda scores, mask: (scores.exp() * mask) / (scores.exp() * mask).sum(-1, True)
            ),
        ),
        (
            "The exponential of a large score is ∞ in the computer's numbers, and ∞/∞ is not a "
            "number. softmax takes the largest off all of them first, which changes nothing else.",
            _attends(
                lambda scores, mask: (
                    (e := scores.masked_fill(~mask, -torch.inf).exp()) / e.sum(-1, True)
                )
            ),
        ),
        (
            "The mask comes after the exponential. A large score at padding takes the whole share "
            "with it, and what is left is 0/0 (or, where only the largest real score was taken "
            "off, ∞ · 0). Put −∞ there before the softmax.",
            _attends(_zero_after_the_exponential),
        ),
        (
            "The scores are divided by their sum, without an exponential: the weights are to be "
            "their softmax.",
            _attends(
                lambda scores, mask: scores * mask / (scores * mask).sum(-1, keepdim=True)
            ),
        ),
        (UNDER_ROOT, _scored(lambda q, k: q @ k.mT / q.shape[-1] ** 0.5)),
        (
            "The scores are divided by H. The bare dot product is asked for.",
            _scored(lambda q, k: q @ k.mT / q.shape[-1]),
        ),
        (
            "The scores are cosines: the lengths of query and keys are lost, and with them the "
            "temperature.",
            _scored(lambda q, k: F.normalize(q, dim=-1) @ F.normalize(k, dim=-1).mT),
        ),
        (
            "The scores are minus the distances between query and keys. The dot product is asked "
            "for.",
            _scored(lambda q, k: -torch.cdist(q, k)),
        ),
        (
            "The sign of the score is turned round: the least similar entry gets the most weight.",
            _scored(lambda q, k: -(q @ k.mT)),
        ),
        (
            "reshape keeps the order of the numbers, so that those of different keys are mixed. "
            "transpose(1, 2) exchanges the dimensions.",
            _scored(lambda q, k: q @ k.reshape(k.shape[0], k.shape[2], k.shape[1])),
        ),
        (
            "query @ keys does not fit: (B, T, H) wants (B, H, S), which is "
            "keys.transpose(1, 2).",
            _scored(lambda q, k: q @ k),
        ),
        (
            "keys.T turns round all three dimensions, the batch's too. keys.transpose(1, 2) "
            "exchanges the last two.",
            _scored(lambda q, k: q @ k.permute(2, 1, 0)),
        ),
        (
            "0 times ∞ is not a number: where the mask is True the score becomes NaN. masked_fill "
            "puts −∞ only where it is told to.",
            _added(lambda mask: ~mask.unsqueeze(1) * -torch.inf),
        ),
        (
            "The mask is the wrong way round: True marks what is real.",
            _added(lambda mask: -1e9 * mask.unsqueeze(1)),
        ),
        (
            "The scores are divided by √S. The bare dot product is asked for.",
            _scored(lambda q, k: q @ k.mT / k.shape[1] ** 0.5),
        ),
        (NO_MASK, _masked(lambda mask: ~mask.unsqueeze(1))),
        (NO_MASK, _masked(lambda mask: ~mask[:, None])),
        (NO_MASK, _masked(lambda mask: (~mask).unsqueeze(1))),
        (NO_MASK, _masked(lambda mask: mask.logical_not().unsqueeze(1))),
        (
            NO_MASK,
            lambda query, keys, values, mask: torch.where(mask.unsqueeze(1), query, keys),
        ),
        *(
            (
                AS_IT_IS,
                _attends_if(prepare),
            )
            for prepare in (lambda mask: ~mask, lambda mask: ~mask.unsqueeze(-1))
        ),
        (
            "Weights and context are exchanged: the context comes first.",
            _part(lambda context, weights: (weights, context)),
        ),
        (
            "Only the context comes back. Return two tensors, context and weights.",
            _part(lambda context, weights: context),
        ),
        (
            "The keys are added up, not the values.",
            lambda query, keys, values, mask: _attend(query, keys, keys, mask),
        ),
        (
            "The second tensor is the scores. The weights are their softmax.",
            lambda query, keys, values, mask: (
                _attend(query, keys, values, mask)[0],
                query @ keys.transpose(1, 2),
            ),
        ),
        (
            "The context is averaged over the keys once more: the weights sum to 1 already.",
            lambda query, keys, values, mask: (
                _attend(query, keys, values, mask)[0] / keys.shape[1],
                _attend(query, keys, values, mask)[1],
            ),
        ),
        (
            "The weights stand on their side, (B, S, T). A row belongs to each query, (B, T, S).",
            _part(lambda context, weights: (context, weights.transpose(1, 2))),
        ),
    ],
)  # fmt: skip
