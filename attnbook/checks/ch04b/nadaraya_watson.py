"""Exercise 4.4: ``nadaraya_watson``."""

from typing import Any

import torch
from torch import Tensor

from attnbook.checks.attention import lookup_weights
from attnbook.checks.inputs import Inputs, normal
from attnbook.checks.rules import as_list
from attnbook.exercises import Call, Exercise


def nadaraya_watson(query: Tensor, keys: Tensor, values: Tensor, bandwidth: float) -> Tensor:
    """Kernel regression, exp(−u²/2). query (T, D), keys (S, D), values (S,) → (T,)."""
    squares = (query.unsqueeze(1) - keys).square().sum(dim=-1)  # (T, S)
    return (-squares / (2 * bandwidth**2)).softmax(dim=-1) @ values


def _points() -> Inputs:
    make = normal(2)
    far = torch.tensor([[40.0, 0.0], [0.5, -1.0], [0.0, -60.0]])
    for query, keys, values, bandwidth in (
        (torch.tensor([[1.0]]), torch.tensor([[0.0], [3.0]]), torch.tensor([0.0, 8.0]), 1.5),
        (make(3, 1), make(5, 1), make(5), 0.5),
        (make(5, 3), make(4, 3), make(4), 2.0),
        (far, make(6, 2), make(6), 0.5),
    ):
        yield {"query": query, "keys": keys, "values": values, "bandwidth": bandwidth}


def _by_the_kernel(call: Call) -> str | None:
    distance = (call.query.unsqueeze(1) - call.keys).norm(dim=-1)  # (T, S)
    weights = lookup_weights(call)
    kernel = (-(distance / call.bandwidth).square() / 2).softmax(-1)
    for t, j in (~torch.isclose(weights, kernel, atol=1e-4)).nonzero().tolist():
        near = int(distance[t].argmin())
        other = near if near != j else int(distance[t].argsort()[1])
        u = distance[t] / call.bandwidth
        return (
            f"Keys {j} and {other} are at distances {as_list(distance[t, [j, other]])} from query "
            f"{t}, so u = {as_list(u[[j, other]])}. Their weights should be proportional to "
            f"exp(−u²/2), here {as_list(kernel[t, [j, other]])}; yours are "
            f"{as_list(weights[t, [j, other]])}."
        )
    return None


def _squares(differences: Any) -> Any:
    return differences.square().sum(-1)


#: Wrong scores (T, S), made of the differences (T, S, D) of query and keys and of the bandwidth.
SCORES: dict[str, list[Any]] = {
    "The bandwidth is not squared: u = distance/h, and u is squared as a whole.": [
        lambda d, h: -_squares(d) / (2 * h)
    ],
    "The distance is not squared: the kernel is exp(−u²/2).": [
        lambda d, h: -_squares(d).sqrt() / (2 * h**2),
        lambda d, h: -_squares(d).sqrt() / (2 * h),
    ],
    "The 2 is missing: the kernel is exp(−u²/2), so the score is −distance²/(2h²).": [
        lambda d, h: -_squares(d) / h**2
    ],
    "You average the squares of the coordinates. A squared distance is their sum.": [
        lambda d, h: -d.square().mean(-1) / (2 * h**2)
    ],
    "Only the first coordinate is used.": [lambda d, h: -d[..., 0].square() / (2 * h**2)],
    "You add up the coordinates before you square them, so they cancel. Square each one first.": [
        lambda d, h: -d.sum(-1).square() / (2 * h**2)
    ],
    "Far keys weigh more than near ones here: what sign does the score have?": [
        lambda d, h: _squares(d) / (2 * h**2)
    ],
}


def _scored(score: Any, dim: int = -1) -> Any:
    """Kernel regression with other scores."""
    return lambda query, keys, values, bandwidth: (
        score(query.unsqueeze(1) - keys, bandwidth).softmax(dim) @ values
    )


def _divided(more: float) -> Any:
    """The ratio of kernels itself, with a small number more below the line."""

    def wrong(query: Any, keys: Any, values: Any, bandwidth: Any) -> Any:
        kernel = (-_squares(query.unsqueeze(1) - keys) / (2 * bandwidth**2)).exp()
        return kernel @ values / (kernel.sum(-1) + more)

    return wrong


CHECK = Exercise(
    nadaraya_watson,
    inputs=_points,
    rules={"the weights are proportional to exp(−u²/2)": _by_the_kernel},
    mistakes={
        **{diagnosis: [_scored(one) for one in scores] for diagnosis, scores in SCORES.items()},
        "The softmax runs over the queries. It must run over the keys, the last dimension of "
        "(T, S).": _scored(lambda d, h: -_squares(d) / (2 * h**2), dim=0),
        "Far from all keys, every kernel is 0 in the computer's numbers, and 0/0 is not a number. "
        "The softmax of the logarithms is the same ratio, computed safely.": _divided(0.0),
        "Far from all keys, your answer is 0, whatever the values are. Did you replace 0/0 by 0, "
        "or add a small number to the denominator? It should be a mean of the values: the softmax "
        "of the logarithms of the kernels is the same ratio, and needs no such help.": [
            _divided(10.0**-power) for power in range(4, 13)
        ],
    },
)
