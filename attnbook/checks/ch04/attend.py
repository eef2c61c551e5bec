"""Exercise 4.2: ``attend``."""

from typing import Any

import torch
from torch import Tensor

from attnbook.checks.attention import softmax
from attnbook.checks.inputs import Inputs, normal
from attnbook.checks.mistakes import first_for_all, only_a_part
from attnbook.checks.rules import are_weights, first_unlike
from attnbook.exercises import Call, Exercise
from attnlib import masking


def attend(query: Tensor, keys: Tensor, values: Tensor, mask: Tensor) -> tuple[Tensor, Tensor]:
    """Context (B, T, D) and weights (B, T, S); mask (B, S) is True at real entries."""
    scores = query @ keys.transpose(1, 2)  # (B, T, H) (B, H, S) → (B, T, S)
    scores = scores.masked_fill(~mask.unsqueeze(1), -torch.inf)
    weights = scores.softmax(dim=-1)  # over the keys
    return weights @ values, weights


def _lookups() -> Inputs:
    yield {
        "query": torch.tensor([[[2.0]]]),
        "keys": torch.tensor([[[1.0], [0.0], [3.0]]]),
        "values": torch.tensor([[[4.0], [8.0], [90.0]]]),
        "mask": torch.tensor([[True, True, False]]),
    }
    for seed, (queries, of_keys, of_values, lengths) in enumerate(
        [(3, 2, 2, [3]), (4, 3, 2, [5, 3]), (4, 4, 4, [4, 2, 3, 1]), (2, 5, 3, [1, 6, 4])]
    ):
        make, batch, longest = normal(70 + seed), len(lengths), max(lengths)
        yield {
            "query": make(batch, queries, of_keys),
            "keys": make(batch, longest, of_keys),
            "values": make(batch, longest, of_values),
            "mask": masking.lengths_to_mask(torch.tensor(lengths), longest),
        }


def _shapes(call: Call) -> str | None:
    for name, got, expected in zip(("context", "weights"), call.result, call.expected):
        if got.shape != expected.shape:
            return (
                f"The {name} should have the shape {tuple(expected.shape)}; yours has "
                f"{tuple(got.shape)}."
            )
    return None


def _padding_is_zero(call: Call) -> str | None:
    padding = call.result[1].masked_fill(call.mask.unsqueeze(1), 0.0)
    if not bool(padding.any()):
        return None
    return (
        f"Padding gets the weight {float(padding.max()):.3g}. Its score must become −∞ before the "
        "softmax."
    )


def _rows_sum_to_one(call: Call) -> str | None:
    totals = call.result[1].sum(-1)
    if torch.allclose(totals, torch.ones_like(totals), atol=1e-4):
        return None
    b, t = first_unlike(totals, torch.ones_like(totals))[0]  # type: ignore[index]
    return (
        f"The weights of query {t} of sentence {b} sum to {float(totals[b, t]):.3g}, not to 1. "
        "Take the softmax over the keys, the last dimension, after padding has been excluded."
    )


def _one_row(call: Call) -> str | None:
    """By hand, where the weights or the context differ first."""
    for name, got, right in zip(("weights", "context"), call.result[::-1], call.expected[::-1]):
        if unlike := first_unlike(got, right):
            (b, t, *_), mine, expected = unlike
            n = int(call.mask[b].sum())
            scores = (call.keys[b, :n] @ call.query[b, t]).tolist()
            return (
                f"Sentence {b} has {n} real entries. The scores of its query {t} are "
                f"{[round(x, 2) for x in scores]}, their softmax is "
                f"{[round(x, 2) for x in call.expected[1][b, t, :n].tolist()]}. Your {name} "
                f"have {mine} where {expected} belongs."
            )
    return None


def _with(
    scored: Any = lambda query, keys: query @ keys.transpose(1, 2),
    low: float = -torch.inf,
    weigh: Any = softmax,
    after: Any = lambda weights, mask: weights,
    mixed: Any = lambda keys, values: values,
    turned: bool = False,
) -> Any:
    """The solution with one part changed."""

    def wrong(query: Tensor, keys: Tensor, values: Tensor, mask: Tensor) -> Any:
        real = (~mask if turned else mask).unsqueeze(1)
        weights = after(weigh(scored(query, keys).masked_fill(~real, low)), real)
        return weights @ mixed(keys, values), weights

    return wrong


def _unmasked(query: Tensor, keys: Tensor, values: Tensor, mask: Tensor) -> Any:
    weights = softmax(query @ keys.transpose(1, 2))
    return weights @ values, weights


def _late(again: bool) -> Any:
    """The mask after the softmax; ``again`` takes a softmax of what is left."""

    def wrong(query: Tensor, keys: Tensor, values: Tensor, mask: Tensor) -> Any:
        weights = _unmasked(query, keys, values, mask)[1] * mask.unsqueeze(1)
        weights = softmax(weights) if again else weights
        return weights @ values, weights

    return wrong


CHECK = Exercise(
    attend,
    inputs=_lookups,
    rules={
        "the context is (B, T, D) and the weights are (B, T, S)": _shapes,
        "every weight lies between 0 and 1": are_weights(1),
        "padding has the weight 0": _padding_is_zero,
        "the weights of each query sum to 1": _rows_sum_to_one,
        "weights and context follow from the scores": _one_row,
    },
    mistakes={
        **only_a_part(attend, "the context", "the weights"),
        "The mask is not used: padding is looked up like any other entry.": _unmasked,
        "The mask is the wrong way around: it is True at real entries, and masked_fill writes "
        "where it is True.": _with(turned=True),
        "The scores of padding are set to 0, and e⁰ = 1, so padding still gets a weight. Which "
        "score does the exponential turn into 0?": _with(low=0.0),
        "The mask comes after the softmax. Padding has already taken its share, so the remaining "
        "weights do not sum to 1. Mask the scores.": [_late(again=False), _late(again=True)],
        "The softmax is taken over the queries. Each query needs weights that sum to 1 over the "
        "keys, the last dimension.": _with(weigh=lambda scores: scores.softmax(1)),
        "There is no softmax: these weights are the scores themselves.": [
            _with(weigh=lambda scores: scores, low=0.0),
            _with(weigh=lambda scores: scores),
        ],
        "You mix the context from the keys. Keys are for finding an entry; the values are what is "
        "returned.": _with(mixed=lambda keys, values: keys),
        "The scores are divided by √H. That is a good idea in chapter 6; here they are bare dot "
        "products.": _with(
            lambda query, keys: query @ keys.transpose(1, 2) / query.shape[-1] ** 0.5
        ),
        "The scores are cosines: the lengths of the vectors have been divided out. A dot product "
        "keeps them.": _with(
            lambda query, keys: (
                torch.nn.functional.normalize(query, dim=-1)
                @ torch.nn.functional.normalize(keys, dim=-1).transpose(1, 2)
            )
        ),
        "The keys of the first sentence are used for every sentence; sentence b has its own, "
        "keys[b].": _with(lambda query, keys: query @ first_for_all(keys).transpose(1, 2)),
        "The values of the first sentence are used for every sentence; sentence b has its own, "
        "values[b].": _with(mixed=lambda keys, values: first_for_all(values)),
    },
)
