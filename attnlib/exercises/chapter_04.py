"""Checks of chapter 4: a dictionary made soft."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from typing import Any

import torch
from torch import Tensor

from ..attention import DotAttention
from .spec import Call, Exercise, Mistake

Inputs = Iterator[dict[str, Any]]


def _random(seed: int) -> Callable[..., Tensor]:
    generator = torch.Generator().manual_seed(seed)
    return lambda *size: torch.randn(*size, generator=generator)


def _list(x: Tensor) -> str:
    return str([round(number, 2) for number in x.flatten().tolist()])


# 4.1 ---------------------------------------------------------------------------------------------


def _similarities() -> Inputs:
    note = {"similarities": torch.tensor([0.1, 0.9, 0.7]), "values": torch.tensor([9.0, 2.0, 3.0])}
    for kind in ("ratio", "softmax"):
        yield {
            "similarities": torch.tensor([1.0, 3.0]),
            "values": torch.tensor([0.0, 8.0]),
            "kind": kind,
        }
        yield {**note, "kind": kind}
    make = _random(0)
    yield {"similarities": make(6), "values": make(6), "kind": "softmax"}


def _average(call: Call) -> str | None:
    answer = float(call(values=torch.full_like(call.values, 5.0)))
    if abs(answer - 5.0) < 1e-4:
        return None
    return f"When every value is 5, the answer is {answer:.2f}. To what do the weights sum?"


def _indifferent(call: Call) -> str | None:
    if call.kind == "ratio":
        changed, told = call(similarities=3 * call.similarities), "times 3"
    else:
        changed, told = call(similarities=call.similarities + 10), "plus 10"
    if torch.allclose(changed, call.result, atol=1e-4):
        return None
    return (
        f'kind = "{call.kind}": with all similarities {told} the answer changes from '
        f"{float(call.result):.3f} to {float(changed):.3f}, and it should not."
    )


def _soft_lookup(similarities: Tensor, values: Tensor, kind: str) -> Tensor:
    weights = similarities / similarities.sum() if kind == "ratio" else similarities.softmax(0)
    return weights @ values


SOFT_LOOKUP = Exercise(
    "soft_lookup",
    reference=_soft_lookup,
    inputs=_similarities,
    rules={
        "the weights sum to 1": _average,
        "the ratio ignores a factor, the softmax a shift": _indifferent,
    },
    mistakes=[
        Mistake(
            "Both kinds are the ratio here. The softmax takes the exponential before it divides: "
            "it is not the share of the total similarity.",
            lambda similarities, values, kind: similarities / similarities.sum() @ values,
        ),
        Mistake(
            "Both kinds are the softmax here. The ratio divides the similarities themselves.",
            lambda similarities, values, kind: similarities.softmax(0) @ values,
        ),
        Mistake(
            "The two kinds are exchanged: which of them has the exponential?",
            lambda similarities, values, kind: _soft_lookup(
                similarities, values, "softmax" if kind == "ratio" else "ratio"
            ),
        ),
        Mistake(
            "Similarity times value is added up, but nothing is divided: the weights do not sum "
            "to 1.",
            lambda similarities, values, kind: similarities @ values,
        ),
        Mistake(
            "The exponentials are not divided by their sum: the weights do not sum to 1.",
            lambda similarities, values, kind: (
                (similarities / similarities.sum() if kind == "ratio" else similarities.exp())
                @ values
            ),
        ),
        Mistake(
            "This is the value of the most similar key alone: a hard lookup.",
            lambda similarities, values, kind: values[similarities.argmax()],
        ),
        Mistake(
            "This is the plain mean of the values: no similarity has been used.",
            lambda similarities, values, kind: values.mean(),
        ),
    ],
)


# 4.2 ---------------------------------------------------------------------------------------------


def _numbers_of_keys() -> Inputs:
    for n in (1, 2, 3, 20, 50):
        yield {"n": n}


def _alone(call: Call) -> str | None:
    weight = call(n=1)
    if math.isclose(weight, 1.0, abs_tol=1e-6):
        return None
    return (
        f"A single key must get the whole weight, and here it gets {weight:.3f}. "
        "Is it counted among the others as well?"
    )


def _less_for_more(call: Call) -> str | None:
    more = call(n=call.n + 1)
    if more < call.result:
        return None
    return (
        f"One of {call.n} keys gets {call.result:.3f}, one of {call.n + 1} gets {more:.3f}. "
        "Where does the weight of the additional key come from?"
    )


MAX_COSINE_WEIGHT = Exercise(
    "max_cosine_weight",
    reference=lambda n: math.e**2 / (math.e**2 + n - 1),
    inputs=_numbers_of_keys,
    rules={
        "one key alone has all the weight": _alone,
        "more keys leave less": _less_for_more,
    },
    mistakes=[
        Mistake(
            "Here the other keys have cosine 0, at right angles. In the best case they point the "
            "opposite way: which cosine is that?",
            lambda n: math.e / (math.e + n - 1),
        ),
        Mistake(
            "All n keys are counted as others. The right key is one of them: how many are left?",
            lambda n: math.e**2 / (math.e**2 + n),
        ),
        Mistake(
            "This is the even share: it is what a key gets when all scores are equal.",
            lambda n: 1 / n,
        ),
        Mistake(
            "A weight of 1 would need scores that differ by infinity. Cosines differ by 2 at most.",
            lambda n: 1.0,
        ),
        Mistake(
            "The exponent is too large by a factor of 2: numerator and denominator are "
            "multiplied by e once, and e⁻¹ · e is 1.",
            lambda n: math.e**2 / (math.e**2 + (n - 1) * math.e**-2),
        ),
    ],
)


# 4.3 ---------------------------------------------------------------------------------------------


def _targets() -> Inputs:
    yield {"n": 2, "target": 0.75}
    yield {"n": 3, "target": 0.9}
    yield {"n": 20, "target": 0.5}
    yield {"n": 588, "target": 0.99}
    yield {"n": 50, "target": 0.03}


def _temperature_for(n: int, target: float) -> float:
    if not 1 / n < target < 1:
        raise ValueError(f"target must lie between 1/{n} and 1, got {target}")
    return 2 / math.log(target * (n - 1) / (1 - target))


def _reaches(call: Call) -> str | None:
    tau = call.result
    if tau <= 0:
        return f"A temperature is positive, and this is {tau:.3f}."
    weight = 1 / (1 + (call.n - 1) * math.exp(-2 / tau))
    if math.isclose(weight, call.target, abs_tol=1e-4):
        return None
    return (
        f"At the temperature {tau:.3f} the largest weight of {call.n} keys is {weight:.3f}, "
        f"wanted is {call.target}."
    )


def _refuses(call: Call) -> str | None:
    for target in (1.0, 1.5, 1 / call.n, 0.5 / call.n):
        problem = call.error(target=target)
        if not isinstance(problem, ValueError) or "math domain" in str(problem):
            what = "nothing is raised" if problem is None else f"{type(problem).__name__} comes"
            return (
                f"For n = {call.n} no temperature gives the weight {target:.3g}, and {what}. "
                "Raise a ValueError with a sentence of your own before you compute."
            )
    return None


TEMPERATURE_FOR = Exercise(
    "temperature_for",
    reference=_temperature_for,
    inputs=_targets,
    rules={
        "at this temperature the largest weight is the target": _reaches,
        "a target that no temperature reaches is refused": _refuses,
    },
    mistakes=[
        Mistake(
            "This is 1/τ: scores are divided by the temperature, so it stands under the 2.",
            lambda n, target: math.log(target * (n - 1) / (1 - target)) / 2,
        ),
        Mistake(
            "The best case has cosines 1 and −1, a difference of 2. Here it is 1.",
            lambda n, target: 1 / math.log(target * (n - 1) / (1 - target)),
        ),
        Mistake(
            "All n keys are counted as others: the right key is one of them.",
            lambda n, target: 2 / math.log(target * n / (1 - target)),
        ),
        Mistake(
            "The logarithm must be the natural one, for the softmax uses powers of e.",
            lambda n, target: 2 / math.log10(target * (n - 1) / (1 - target)),
        ),
        Mistake(
            "The fraction is upside down: a higher target needs a colder lookup.",
            lambda n, target: 2 / math.log((1 - target) / (target * (n - 1))),
        ),
        Mistake(
            "1 − target has been forgotten: x = target · (x + n − 1) has x on both sides.",
            lambda n, target: 2 / math.log(target * (n - 1) + 1),
        ),
    ],
)


# 4.4 ---------------------------------------------------------------------------------------------


def _scores_and_values() -> Inputs:
    for kind in ("soft", "hard"):
        yield {
            "scores": torch.tensor([0.0, 0.0]),
            "values": torch.tensor([[0.0], [8.0]]),
            "kind": kind,
        }
        make = _random(1)
        yield {"scores": make(3), "values": make(3, 2), "kind": kind}
        yield {"scores": make(5), "values": make(5, 5), "kind": kind}


def _no_gradient_if_hard(call: Call) -> str | None:
    if call.kind != "hard" or not bool(call.result.any()):
        return None
    return (
        f'kind = "hard": the largest entry is {float(call.result.abs().max()):.2f}. Add a '
        "millionth to any score: does the value of the largest score change?"
    )


def _sums_to_zero(call: Call) -> str | None:
    total = call.result.sum(0)
    if torch.allclose(total, torch.zeros_like(total), atol=1e-5):
        return None
    return (
        f"The rows sum to {_list(total)}. Adding the same number to all scores changes nothing, "
        "so they must sum to 0. When one weight rises, what do the others do?"
    )


def _try_it(call: Call) -> str | None:
    """Finite differences, in words."""
    if call.kind == "hard":
        return None
    scores, values = call.scores.double(), call.values.double()
    for j in range(len(scores)):
        step = torch.zeros_like(scores)
        step[j] = 1e-4
        up, down = ((scores + s).softmax(0) @ values for s in (step, -step))
        slope = (up - down) / 2e-4
        if not torch.allclose(slope, call.result[j].double(), atol=1e-4):
            return (
                f"Score {j} is raised a little, to see: the answer changes by {_list(slope)} "
                f"for each unit. Row {j} says {_list(call.result[j])}."
            )
    return None


def _lookup_gradient(scores: Tensor, values: Tensor, kind: str) -> Tensor:
    if kind == "hard":
        return torch.zeros_like(values)
    weights = scores.softmax(0)
    return weights.unsqueeze(1) * (values - weights @ values)


def _if_soft(soft: Callable[[Tensor, Tensor], Tensor]) -> Callable[..., Tensor]:
    """A mistake in the soft gradient alone; it is given weights and values."""

    def wrong(scores: Tensor, values: Tensor, kind: str) -> Tensor:
        return torch.zeros_like(values) if kind == "hard" else soft(scores.softmax(0), values)

    return wrong


def _one_hot_gradient(scores: Tensor, values: Tensor, kind: str) -> Tensor:
    if kind == "soft":
        return _lookup_gradient(scores, values, kind)
    return torch.eye(len(scores))[scores.argmax()].unsqueeze(1) * values


LOOKUP_GRADIENT = Exercise(
    "lookup_gradient",
    reference=_lookup_gradient,
    inputs=_scores_and_values,
    rules={
        "a hard lookup has no gradient": _no_gradient_if_hard,
        "a shift of all scores changes nothing": _sums_to_zero,
        "it is what trying it out gives": _try_it,
    },
    mistakes=[
        Mistake(
            "α_j v_j is the contribution, not the gradient. When one weight rises the others "
            "fall, so the value counts only as far as it differs from the answer.",
            _if_soft(lambda w, v: w.unsqueeze(1) * v),
        ),
        Mistake(
            "α_j (1 − α_j) v_j is only what happens to the weight of j itself. The other weights "
            "change, too, and their values with them.",
            _if_soft(lambda w, v: (w * (1 - w)).unsqueeze(1) * v),
        ),
        Mistake(
            "The sign is turned round: raising a score pulls the answer towards its value.",
            _if_soft(lambda w, v: w.unsqueeze(1) * (w @ v - v)),
        ),
        Mistake(
            "The weight is missing: a key that has no weight has no pull, wherever its value is.",
            _if_soft(lambda w, v: v - w @ v),
        ),
        Mistake(
            "The values are compared with their plain mean, and should be with the answer, which "
            "is their weighted mean.",
            _if_soft(lambda w, v: w.unsqueeze(1) * (v - v.mean(0))),
        ),
        Mistake(
            "This is the gradient for the values: ∂c/∂v_j = α_j. Asked is the one for the scores.",
            _if_soft(lambda w, v: w.unsqueeze(1).expand_as(v)),
        ),
        Mistake(
            "The kind is not looked at: a hard lookup does not change when a score moves a little.",
            lambda scores, values, kind: _lookup_gradient(scores, values, "soft"),
        ),
        Mistake(
            "The hard lookup gives the value of the largest score, but its *slope* is another "
            "matter: add a millionth to that score, and nothing changes.",
            _one_hot_gradient,
        ),
    ],
)


# 4.5 ---------------------------------------------------------------------------------------------


def _points() -> Inputs:
    yield {
        "query": torch.tensor([[1.0]]),
        "keys": torch.tensor([[0.0], [3.0]]),
        "values": torch.tensor([0.0, 8.0]),
        "bandwidth": 1.5,
    }
    make = _random(2)
    yield {"query": make(3, 1), "keys": make(5, 1), "values": make(5), "bandwidth": 0.5}
    yield {"query": make(4, 3), "keys": make(4, 3), "values": make(4), "bandwidth": 2.0}
    far = torch.tensor([[40.0, 0.0], [0.0, 0.0]])
    yield {"query": far, "keys": make(6, 2), "values": make(6), "bandwidth": 0.5}


def _equal_values(call: Call) -> str | None:
    for answer in call(values=torch.full_like(call.values, 5.0)).tolist():
        if abs(answer - 5.0) > 1e-4:
            return (
                f"When every value is 5, a prediction is {answer:.2f}. To what do the weights of "
                "one query sum?"
            )
    return None


def _cold_is_nearest(call: Call) -> str | None:
    cold = call(bandwidth=1e-3 * call.bandwidth, query=call.keys)
    if torch.allclose(cold, call.values, atol=1e-3):
        return None
    return (
        "With a tiny bandwidth, a query that stands on a key should get that key's value, "
        f"{_list(call.values[:1])}; it gets {_list(cold[:1])}. Do near keys weigh more than far?"
    )


def _nadaraya_watson(query: Tensor, keys: Tensor, values: Tensor, bandwidth: float) -> Tensor:
    squares = (query.unsqueeze(1) - keys).square().sum(-1)
    return (-squares / (2 * bandwidth**2)).softmax(-1) @ values


def _underflow(query: Tensor, keys: Tensor, values: Tensor, bandwidth: float) -> Tensor:
    squares = (query.unsqueeze(1) - keys).square().sum(-1)
    kernel = (-squares / (2 * bandwidth**2)).exp()
    return kernel @ values / kernel.sum(-1)


def _with(distance: Callable[[Tensor, float], Tensor]) -> Callable[..., Tensor]:
    """Kernel regression whose scores are made otherwise, from differences (T, S, D)."""

    def wrong(query: Tensor, keys: Tensor, values: Tensor, bandwidth: float) -> Tensor:
        return distance(query.unsqueeze(1) - keys, bandwidth).softmax(-1) @ values

    return wrong


NADARAYA_WATSON = Exercise(
    "nadaraya_watson",
    reference=_nadaraya_watson,
    inputs=_points,
    rules={
        "the weights of a query sum to 1": _equal_values,
        "a tiny bandwidth takes the nearest key": _cold_is_nearest,
    },
    mistakes=[
        Mistake(
            "Far from all keys every kernel is 0 in the computer's numbers, and 0/0 is not a "
            "number. The softmax of the logarithms is the same ratio, computed safely.",
            _underflow,
        ),
        Mistake(
            "The 2 is missing: K(u) = exp(−u²/2), so the score is −distance²/(2h²).",
            _with(lambda d, h: -d.square().sum(-1) / h**2),
        ),
        Mistake(
            "The bandwidth is not squared: u = distance/h, and u is squared as a whole.",
            _with(lambda d, h: -d.square().sum(-1) / (2 * h)),
        ),
        Mistake(
            "The distance is not squared: K(u) = exp(−u²/2).",
            _with(lambda d, h: -d.square().sum(-1).sqrt() / (2 * h**2)),
        ),
        Mistake(
            "Far keys weigh more than near ones here: which sign has the score?",
            _with(lambda d, h: d.square().sum(-1) / (2 * h**2)),
        ),
        Mistake(
            "This is the value of the nearest key alone. Kernel regression averages.",
            lambda query, keys, values, bandwidth: values[
                (query.unsqueeze(1) - keys).square().sum(-1).argmin(-1)
            ],
        ),
        Mistake(
            "The softmax runs over the queries. It must run over the keys, the last dimension of "
            "(T, S).",
            lambda query, keys, values, bandwidth: (
                (-(query.unsqueeze(1) - keys).square().sum(-1) / (2 * bandwidth**2)).softmax(0)
                @ values
            ),
        ),
    ],
)


# 4.6 ---------------------------------------------------------------------------------------------


def _weights_and_values() -> Inputs:
    yield {
        "weights": torch.tensor([[[0.75, 0.25]]]),
        "values": torch.tensor([[[0.0, 1.0], [4.0, 3.0]]]),
    }
    make = _random(3)
    yield {"weights": make(2, 3, 3).softmax(-1), "values": make(2, 3, 3)}
    yield {"weights": make(2, 4, 3).softmax(-1), "values": make(2, 3, 5)}


def _rows_sum_to_one(call: Call) -> str | None:
    total = float(call.result[0, 0].sum())
    if abs(total - 1) < 1e-4:
        return None
    return f"The shares of one query sum to {total:.2f}, not to 1. What are they shares of?"


def _tiny_value(call: Call) -> str | None:
    values = call.values.clone()
    values[:, 0] *= 1e-3
    share, weight = float(call(values=values)[0, 0, 0]), float(call.weights[0, 0, 0])
    if share < 0.02:
        return None
    return (
        "The first value was made a thousand times shorter, so it brings next to nothing, "
        f"whatever its weight ({weight:.2f}). Your share for it is {share:.2f}."
    )


def _contribution_shares(weights: Tensor, values: Tensor) -> Tensor:
    lengths = weights * values.norm(dim=-1).unsqueeze(1)
    return lengths / lengths.sum(-1, keepdim=True)


def _shares(measure: Callable[[Tensor], Tensor], dim: int = -1) -> Callable[..., Tensor]:
    """Shares of another measure of the parts α_tj v_j, (B, T, S, H) → (B, T, S)."""

    def wrong(weights: Tensor, values: Tensor) -> Tensor:
        parts = measure(weights.unsqueeze(-1) * values.unsqueeze(1))
        return parts / parts.sum(dim, keepdim=True)

    return wrong


CONTRIBUTION_SHARES = Exercise(
    "contribution_shares",
    reference=_contribution_shares,
    inputs=_weights_and_values,
    rules={
        "the shares of a query sum to 1": _rows_sum_to_one,
        "a short value contributes little": _tiny_value,
    },
    mistakes=[
        Mistake(
            "These are the weights themselves: how long is what each of them multiplies?",
            lambda weights, values: weights.clone(),
        ),
        Mistake(
            "The lengths are not divided by their sum: shares are asked for.",
            lambda weights, values: weights * values.norm(dim=-1).unsqueeze(1),
        ),
        Mistake(
            "The weights are not used: a long value with a small weight contributes little.",
            lambda weights, values: _contribution_shares(torch.ones_like(weights), values),
        ),
        Mistake(
            "These are shares of *squared* lengths: the root is missing.",
            _shares(lambda parts: parts.square().sum(-1)),
        ),
        Mistake(
            "The entries of α v are added with their signs. A length is the root of the sum of "
            "squares.",
            _shares(lambda parts: parts.sum(-1)),
        ),
        Mistake(
            "The absolute entries are added. The length ‖v‖ is the root of the sum of squares.",
            _shares(lambda parts: parts.abs().sum(-1)),
        ),
        Mistake(
            "The shares sum to 1 over the queries. They should over the keys: what does one "
            "answer consist of?",
            _shares(lambda parts: parts.norm(dim=-1), dim=1),
        ),
        Mistake(
            "The lengths are divided by the length of the context. Contributions may point in "
            "different directions: divide by the sum of their lengths.",
            lambda weights, values: (
                weights
                * values.norm(dim=-1).unsqueeze(1)
                / (weights @ values).norm(dim=-1, keepdim=True)
            ),
        ),
    ],
)


# 4.7 ---------------------------------------------------------------------------------------------


def _batch() -> Inputs:
    yield {
        "query": torch.tensor([[[1.0, 0.0]]]),
        "keys": torch.tensor([[[2.0, 0.0], [0.0, 1.0], [3.0, 3.0]]]),
        "values": torch.tensor([[[1.0, 0.0], [0.0, 1.0], [7.0, 7.0]]]),
        "mask": torch.tensor([[True, True, False]]),
    }
    make = _random(4)
    mask = torch.arange(5) < torch.tensor([[5], [3], [1]])
    yield {"query": make(2, 3, 3), "keys": make(2, 3, 3), "values": make(2, 3, 3), "mask": None}
    yield {"query": make(3, 5, 4), "keys": make(3, 5, 4), "values": make(3, 5, 4), "mask": mask}
    yield {"query": make(3, 2, 4), "keys": make(3, 5, 4), "values": make(3, 5, 6), "mask": mask}


def _padding_has_none(call: Call) -> str | None:
    if call.mask is None:
        return None
    on_padding = float(call.result[1].masked_fill(call.mask.unsqueeze(1), 0.0).abs().max())
    if on_padding == 0.0:
        return None
    return (
        f"An entry that is not there has weight {on_padding:.2f}. Is True taken for 'real', and "
        "does the mask come before the softmax?"
    )


def _weights_sum_to_one(call: Call) -> str | None:
    worst = max(call.result[1].sum(-1).flatten().tolist(), key=lambda total: abs(total - 1))
    if abs(worst - 1) < 1e-4:
        return None
    return (
        f"The weights of a query sum to {worst:.2f}, not to 1. Over which dimension does the "
        "softmax run, and does the mask come before it?"
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


ATTEND = Exercise(
    "attend",
    reference=_attend,
    inputs=_batch,
    rules={
        "an entry that is not there has weight 0": _padding_has_none,
        "the weights of a query sum to 1": _weights_sum_to_one,
    },
    mistakes=[
        Mistake(
            "The mask is not used: entries that are not there get weight.",
            _attends(lambda scores, mask: scores.softmax(-1)),
        ),
        Mistake(
            "The mask is the wrong way round: True marks what is real, and masked_fill fills "
            "where True.",
            lambda query, keys, values, mask: _attends(
                lambda scores, real: scores.masked_fill(
                    torch.zeros_like(real) if mask is None else real, -torch.inf
                ).softmax(-1)
            )(query, keys, values, mask),
        ),
        Mistake(
            "A score of 0 is a score like any other, e⁰ = 1. Which score does the softmax turn "
            "into 0?",
            _attends(lambda scores, mask: scores.masked_fill(~mask, 0.0).softmax(-1)),
        ),
        Mistake(
            "The mask comes after the softmax: what is left no longer sums to 1.",
            _attends(lambda scores, mask: scores.softmax(-1) * mask),
        ),
        Mistake(
            "The softmax runs over the queries. It must run over the keys, the last dimension.",
            _attends(lambda scores, mask: scores.masked_fill(~mask, -torch.inf).softmax(1)),
        ),
        Mistake(
            "The scores are divided by √H. That is the scaled dot product of chapter 6; here the "
            "bare one is asked for.",
            lambda query, keys, values, mask: _attend(
                query / query.shape[-1] ** 0.5, keys, values, mask
            ),
        ),
        Mistake(
            "The scores are cosines: the lengths of query and keys are lost, and with them the "
            "temperature.",
            lambda query, keys, values, mask: _attend(
                torch.nn.functional.normalize(query, dim=-1),
                torch.nn.functional.normalize(keys, dim=-1),
                values,
                mask,
            ),
        ),
        Mistake(
            "Weights and context are exchanged: the context comes first.",
            lambda query, keys, values, mask: _attend(query, keys, values, mask)[::-1],
        ),
        Mistake(
            "The keys are added up, not the values.",
            lambda query, keys, values, mask: _attend(query, keys, keys, mask),
        ),
    ],
)
