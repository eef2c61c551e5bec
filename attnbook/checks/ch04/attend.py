"""Exercise 4.7: ``attend``."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor
from torch.nn import functional as F

from attnbook.checks.ch04.shared import listed
from attnbook.checks.shared import Inputs, are_weights, normal
from attnbook.exercises import Call, Exercise


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
        "values": torch.tensor([[[1.0, 0.0, 0.0, 5.0], [0.0, 1.0, 0.0, 5.0], [7.0] * 4]]),
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


def _weighed(weigh: Any) -> Any:
    """Attention whose weights are made otherwise, from the scores and a mask (B, 1, S)."""

    def wrong(query: Any, keys: Any, values: Any, mask: Any) -> Any:
        real = torch.ones(keys.shape[:2]).bool() if mask is None else mask
        weights = weigh(query @ keys.mT, real.unsqueeze(1))
        return weights @ values, weights

    return wrong


def _filled(scores: Any, mask: Any) -> Any:
    return scores if mask is None else scores.masked_fill(~mask.unsqueeze(1), -torch.inf)


def _scored(score: Any, use: Any = _filled) -> Any:
    """Attention with another score of query and keys, or another ``use`` of scores and mask."""

    def wrong(query: Any, keys: Any, values: Any, mask: Any) -> Any:
        weights = use(score(query, keys), mask).softmax(-1)
        return weights @ values, weights

    return wrong


def _masked(use: Any) -> Any:
    """Attention that uses the mask otherwise, whether there is one or not."""
    return _scored(lambda query, keys: query @ keys.mT, use)


def _if_masked(use: Any) -> Any:
    return _masked(lambda s, mask: s if mask is None else use(s, mask))


def _changed(change: Any) -> Any:
    """The right context and weights, and something done to them."""
    return lambda query, keys, values, mask: change(*attend(query, keys, values, mask))


def _shares(parts: Any) -> Any:
    return parts / parts.sum(-1, keepdim=True)


def _zero_after_the_exponential(scores: Any, real: Any) -> Any:
    top = scores.masked_fill(~real, -torch.inf).amax(-1, keepdim=True)
    return _shares((scores - top).exp() * real)


OVER_QUERIES = "The softmax runs over the queries. It must run over the keys, the last dimension."
OVERFLOW = (
    "The exponential of a large score is ∞ in the computer's numbers, and ∞/∞ is not a number. "
    "softmax takes the largest off all of them first, which changes nothing else."
)
WEIGHTS: dict[str, Any] = {
    "The mask is not used: entries that are not there get weight.": lambda s, real: s.softmax(-1),
    "A score of 0 is a score like any other, e⁰ = 1. Which score does the softmax turn into 0?": (
        lambda s, real: s.masked_fill(~real, 0.0).softmax(-1)
    ),
    "The mask comes after the softmax: what is left no longer sums to 1.": (
        lambda s, real: s.softmax(-1) * real
    ),
    "The mask is added to the scores, +1 for what is real. It should leave them as they are, and "
    "put −∞ where nothing is.": lambda s, real: (s + real).softmax(-1),
    OVER_QUERIES: lambda s, real: s.masked_fill(~real, -torch.inf).softmax(1),
    f"{OVER_QUERIES} And the mask is not used.": lambda s, real: s.softmax(1),
    "The softmax runs over the sentences of the batch. It must run over the keys.": (
        lambda s, real: s.masked_fill(~real, -torch.inf).softmax(0)
    ),
    "The softmax runs over queries and keys together. Every query has its own.": (
        lambda s, real: s.masked_fill(~real, -torch.inf).flatten(1).softmax(1).view_as(s)
    ),
    OVERFLOW: lambda s, real: _shares(s.exp() * real),
    "The mask comes after the exponential. A large score at padding takes the whole share with it, "
    "and what is left is 0/0 (or, where only the largest real score was taken off, ∞ · 0). Put −∞ "
    "there before the softmax.": _zero_after_the_exponential,
    "The scores are divided by their sum, without an exponential: the weights are to be their "
    "softmax.": lambda s, real: _shares(s * real),
}
SCORES: dict[str, Any] = {
    "The scores are divided by √H. That is the scaled dot product of chapter 6; here the bare one "
    "is asked for.": lambda q, k: q @ k.mT / q.shape[-1] ** 0.5,
    "The scores are divided by H. The bare dot product is asked for.": (
        lambda q, k: q @ k.mT / q.shape[-1]
    ),
    "The scores are divided by √S. The bare dot product is asked for.": (
        lambda q, k: q @ k.mT / k.shape[1] ** 0.5
    ),
    "The scores are cosines: the lengths of query and keys are lost, and with them the "
    "temperature.": lambda q, k: F.normalize(q, dim=-1) @ F.normalize(k, dim=-1).mT,
    "The scores are minus the distances between query and keys. The dot product is asked for.": (
        lambda q, k: -torch.cdist(q, k)
    ),
    "The sign of the score is turned round: the least similar entry gets the most weight.": (
        lambda q, k: -q @ k.mT
    ),
    "reshape keeps the order of the numbers, so that those of different keys are mixed. "
    "transpose(1, 2) exchanges the dimensions.": lambda q, k: q @ k.reshape(k.mT.shape),
    "query @ keys does not fit: (B, T, H) wants (B, H, S), which is keys.transpose(1, 2).": (
        lambda q, k: q @ k
    ),
    "keys.T turns round all three dimensions, the batch's too. keys.transpose(1, 2) exchanges the "
    "last two.": lambda q, k: q @ k.permute(2, 1, 0),
}
RESULTS: dict[str, Any] = {
    "Weights and context are exchanged: the context comes first.": lambda c, w: (w, c),
    "Only the context comes back. Return two tensors, context and weights.": lambda c, w: c,
    "The context is averaged over the keys once more: the weights sum to 1 already.": (
        lambda c, w: (c / w.shape[-1], w)
    ),
    "The weights stand on their side, (B, S, T). A row belongs to each query, (B, T, S).": (
        lambda c, w: (c, w.mT)
    ),
}
AS_IT_IS = (
    "The mask is (B, S), the scores (B, T, S): they do not fit. mask.unsqueeze(1) is (B, 1, S), "
    "the same row for every query."
)
MASKED: dict[str, Any] = {
    "The mask is the wrong way round: True marks what is real, and masked_fill fills where True.": (
        lambda s, mask: s.masked_fill(mask.unsqueeze(1), -torch.inf)
    ),
    "The mask is the wrong way round: True marks what is real.": (
        lambda s, mask: s - 1e9 * mask.unsqueeze(1)
    ),
    "All sentences are given the first one's mask.": (
        lambda s, mask: s.masked_fill(~mask[:1].unsqueeze(1), -torch.inf)
    ),
    "0 times ∞ is not a number: where the mask is True the score becomes NaN. masked_fill puts −∞ "
    "only where it is told to.": lambda s, mask: s + ~mask.unsqueeze(1) * -torch.inf,
    AS_IT_IS: lambda s, mask: s.masked_fill(~mask, -torch.inf),
}
LOW = (
    "Entries that are not there have a low score, and so a little weight. The softmax gives weight "
    "0 to the score −∞."
)
NO_MASK = "mask may be None, and then all entries are real: ask for it before you use the mask."

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
        *((told, _weighed(weigh)) for told, weigh in WEIGHTS.items()),
        (OVER_QUERIES, _weighed(lambda s, real: s.masked_fill(~real, -1e9).softmax(1))),
        (OVERFLOW, _weighed(lambda s, real: _shares(s.masked_fill(~real, -torch.inf).exp()))),
        *((told, _scored(score)) for told, score in SCORES.items()),
        *((told, _changed(change)) for told, change in RESULTS.items()),
        *((told, _if_masked(use)) for told, use in MASKED.items()),
        (AS_IT_IS, _if_masked(lambda s, mask: s.masked_fill(~mask.unsqueeze(-1), -torch.inf))),
        (NO_MASK, _masked(lambda s, mask: s.masked_fill(~mask.unsqueeze(1), -torch.inf))),
        (NO_MASK, _masked(lambda s, mask: s.masked_fill(~mask[:, None], -torch.inf))),
        (NO_MASK, _masked(lambda s, mask: s.masked_fill((~mask).unsqueeze(1), -torch.inf))),
        (
            NO_MASK,
            _masked(lambda s, mask: s.masked_fill(mask.logical_not().unsqueeze(1), -torch.inf)),
        ),
        *(
            (LOW, _weighed(lambda s, real, low=low: s.masked_fill(~real, -low).softmax(-1)))
            for low in (1.0, 5.0, 10.0, 20.0, 30.0, 50.0, 99.0, 100.0)
        ),
        (
            "Only the values of entries that are not there are made 0; their weights remain.",
            lambda query, keys, values, mask: attend(
                query, keys, values if mask is None else values * mask.unsqueeze(-1), None
            ),
        ),
        (
            "The keys are added up, not the values.",
            lambda query, keys, values, mask: attend(query, keys, keys, mask),
        ),
        (
            "The second tensor is the scores. The weights are their softmax.",
            lambda query, keys, values, mask: (
                attend(query, keys, values, mask)[0],
                query @ keys.mT,
            ),
        ),
    ],
)
