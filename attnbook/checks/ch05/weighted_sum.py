"""Exercise 5.1: ``weighted_sum``."""

from __future__ import annotations

import torch
from torch import Tensor

from attnbook.checks.ch05.shared import all_sentences, each, first_step, last_step, softmax, told
from attnbook.checks.shared import Inputs, agrees, first_for_all, normal
from attnbook.exercises import Call, Exercise


def weighted_sum(weights: Tensor, values: Tensor) -> Tensor:
    """Contexts c_t = Σ_j α_tj v_j. weights (B, T, S), values (B, S, H) → (B, T, H)."""
    return weights @ values


def _weights_and_values() -> Inputs:
    yield {
        "weights": torch.tensor([[[0.25, 0.75]]]),
        "values": torch.tensor([[[4.0, 0.0, 1.0], [0.0, 8.0, 1.0]]]),
    }
    make = normal(0)
    yield {"weights": make(2, 3, 3).softmax(-1), "values": make(2, 3, 3)}
    yield {"weights": make(2, 4, 3).softmax(-1), "values": make(2, 3, 5)}
    weights, values = make(3, 2, 5).softmax(-1), make(3, 5, 4)
    yield {"weights": weights.requires_grad_(), "values": values}
    yield {"weights": weights.detach().double(), "values": values.double().requires_grad_()}


def _list(tensor: Tensor) -> list[float]:
    return [round(float(number), 3) for number in tensor]


def _fetches_one(call: Call) -> str | None:
    for j in range(call.weights.shape[-1]):
        one_hot = torch.zeros_like(call.weights)
        one_hot[..., j] = 1.0
        fetched, right = call(weights=one_hot), call.values[:, j : j + 1].expand_as(call.result)
        for b, t in (~torch.isclose(fetched, right, atol=1e-5)).any(-1).nonzero().tolist():
            return (
                f"With all weight on value {j}, which in sentence {b} is {_list(right[b, t])}, the "
                f"context of its query {t} is {_list(fetched[b, t])}. What should it be?"
            )
    return None


def _halves(call: Call) -> str | None:
    half = call(weights=call.weights / 2)
    if torch.allclose(half, call.result / 2, atol=1e-4):
        return None
    return (
        f"With all weights halved the first number of a context goes from "
        f"{float(call.result[0, 0, 0]):.4g} to {float(half[0, 0, 0]):.4g}, not to half of it. Are "
        "the weights divided by their sum? They are weights already, and a row of zeros, where "
        "nothing may be attended, would become NaN."
    )


CHECK = Exercise(
    "weighted_sum",
    reference=weighted_sum,
    inputs=_weights_and_values,
    rules={
        "weight 1 on one value fetches that value": _fetches_one,
        "half of every weight makes half of the context": _halves,
        "every query has its own weights, every sentence its own values": agrees(
            "sentence", "query", "feature"
        ),
    },
    mistakes=[
        *each(
            lambda mix: lambda weights, values: mix(values).expand(-1, weights.shape[1], -1),
            (
                "This is the plain mean of the values: no weight has been used.",
                lambda values: values.mean(1, keepdim=True),
            ),
            (
                "This is the plain sum of the values: each must first be multiplied by its weight.",
                lambda values: values.sum(1, keepdim=True),
            ),
        ),
        (
            "The sum is divided by the number of values. The weights sum to 1 already.",
            lambda weights, values: weights @ values / values.shape[1],
        ),
        (
            "The products are not summed yet: one dimension, that of the words j, is too many.",
            lambda weights, values: weights.unsqueeze(-1) * values.unsqueeze(1),
        ),
        (
            "The products are summed over the queries. The sum runs over the words j.",
            lambda weights, values: (weights.unsqueeze(-1) * values.unsqueeze(1)).sum(1),
        ),
        (
            "The values are transposed: a row of weights is over the words j, and so is the first "
            "dimension of values behind the batch.",
            lambda weights, values: weights @ values.transpose(1, 2),
        ),
        *each(
            lambda change: lambda weights, values: change(weights) @ values,
            ("A softmax was taken once more: the weights given are weights already.", softmax),
            (
                "The weights are transposed: row t of the weights belongs to query t, and the sum "
                "runs along the row.",
                lambda weights: weights.transpose(1, 2),
            ),
            (
                "Only the value with the largest weight is taken. A context mixes them all.",
                lambda weights: torch.eye(weights.shape[-1]).to(weights)[weights.argmax(-1)],
            ),
            (
                "The weights were divided by their sum over the queries. A row, over the values, "
                "sums to 1 already.",
                lambda weights: weights / weights.sum(1, keepdim=True),
            ),
            ("The weights of the first sentence are used for every sentence.", first_for_all),
            ("The weights were squared.", torch.square),
            ("The weights run backwards: weight j belongs to value j.", lambda x: x.flip(-1)),
        ),
        *each(
            lambda change: lambda weights, values: change(weights) @ values,
            ("The weights of the first query stand for every query.", first_step),
            ("The weights of the last query stand for every query.", last_step),
            ("The mean of all queries is used.", lambda x: x.mean(1, keepdim=True).expand_as(x)),
            end=" Each has a row of its own.",
        ),
        *each(
            lambda change: lambda weights, values: weights @ change(values),
            ("The values of the first sentence are used for every sentence.", first_for_all),
            *told(
                "The values of all sentences of the batch are added up: each sentence has its own.",
                all_sentences,
                lambda values: values.mean(0).expand_as(values),
            ),
        ),
        *each(
            lambda part: lambda weights, values: weights[..., part] @ values[:, part],
            ("The first value is left out of the sum: it begins at j = 0.", slice(1, None)),
            ("The last value is left out of the sum.", slice(-1)),
            ("Only the last product is there: is the sum overwritten each time?", slice(-1, None)),
            ("Only the first product is there. The sum runs over all words j.", slice(1)),
        ),
        *each(
            lambda after: lambda weights, values: after(weights @ values),
            (
                "Every query is given the context of the one before it: row t of the result "
                "belongs to query t.",
                lambda context: context.roll(1, 1),
            ),
            (
                "The contexts of all queries so far are added up: each query has its own.",
                lambda context: context.cumsum(1),
            ),
            (
                "The result is (B, H, T): a row should be the context of one query, (B, T, H).",
                lambda context: context.transpose(1, 2),
            ),
            ("A softmax was taken of the contexts, which are sums of values.", softmax),
            ("A tanh was taken of the contexts, which are sums of values.", torch.tanh),
            (
                "There is one context for a sentence: the queries, dimension 1, were summed away.",
                lambda context: context.sum(1),
            ),
            ("Only the last query's context comes back; all T are asked for.", lambda x: x[:, -1]),
        ),
    ],
)
