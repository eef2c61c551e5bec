"""Exercise 4.5: ``leave_one_out``."""

from typing import Any

import torch
from torch import Tensor

from attnbook.checks.attention import lookup_weights
from attnbook.checks.ch04b.nadaraya_watson import SCORES
from attnbook.checks.inputs import Inputs, normal
from attnbook.checks.rules import first_unlike
from attnbook.exercises import Call, Exercise


def leave_one_out(keys: Tensor, values: Tensor, bandwidth: float) -> Tensor:
    """Each value, predicted from all others. keys (S, D), values (S,) → (S,)."""
    squares = (keys.unsqueeze(1) - keys).square().sum(dim=-1)  # (S, S)
    itself = torch.eye(len(keys), dtype=torch.bool)
    scores = (-squares / (2 * bandwidth**2)).masked_fill(itself, -torch.inf)
    return scores.softmax(dim=-1) @ values


def _points() -> Inputs:
    make = normal(6)
    twins = torch.tensor([[0.0, 1.0], [0.0, 1.0], [2.0, -1.0], [0.5, 0.5]])
    # Every other kernel of the first is 0, and the scores of the last lie below −10⁹.
    far = torch.tensor([[0.0], [40.0], [41.0], [-1e5]])
    for keys, values, bandwidth in (
        (torch.tensor([[0.0], [1.0], [3.0]]), torch.tensor([0.0, 6.0, 9.0]), 1.0),
        (make(5, 1), make(5), 0.5),
        (make(4, 3), make(4), 2.0),
        (twins, torch.tensor([1.0, 5.0, -2.0, 3.0]), 0.7),
        (far, torch.tensor([2.0, 4.0, 8.0, -3.0]), 0.5),
        (make(2, 2), make(2), 1.0),
    ):
        yield {"keys": keys, "values": values, "bandwidth": bandwidth}


def _not_itself(call: Call) -> str | None:
    """The prediction for a point does not depend on its own value."""
    for j in range(len(call.values)):
        values = call.values.clone()
        values[j] += 100.0
        change = float(call(values=values)[j] - call.result[j])
        if abs(change) > 1e-3:
            return (
                f"The value of point {j} was raised by 100, and the prediction for that very point "
                f"changed by {change:.3g}: it looked itself up. Its own score must become −∞ "
                "before the softmax."
            )
    return None


def _by_the_kernel(call: Call) -> str | None:
    each = torch.eye(len(call.values))
    expected = torch.stack([leave_one_out(call.keys, v, call.bandwidth) for v in each], 1)
    if not (unlike := first_unlike(lookup_weights(call), expected)):
        return None
    (t, j), got, right = unlike
    return (
        f"In the prediction for point {t} the weight of point {j} should be {right}; yours is "
        f"{got}. As in exercise 4.4, the score of two points is −distance²/(2h²), and every point "
        "but itself counts."
    )


def _itself(keys: Any) -> Any:
    return torch.eye(len(keys)).bool()


def _scored(score: Any) -> Any:
    """Leaving one out with other scores; the diagonal is masked."""
    return lambda keys, values, bandwidth: (
        score(keys.unsqueeze(1) - keys, bandwidth)
        .masked_fill(_itself(keys), -torch.inf)
        .softmax(-1)
        @ values
    )


def _masked(mask: Any) -> Any:
    """The right scores (S, S), and what is made of them and of the diagonal: weights (S, S)."""

    def wrong(keys: Any, values: Any, bandwidth: Any) -> Any:
        squares = (keys.unsqueeze(1) - keys).square().sum(-1)
        return mask(-squares / (2 * bandwidth**2), _itself(keys)) @ values

    return wrong


def _after(scores: Any, itself: Any) -> Any:
    return scores.softmax(-1) * ~itself


CHECK = Exercise(
    leave_one_out,
    inputs=_points,
    rules={
        "no point is predicted from itself": _not_itself,
        "the weights are proportional to exp(−u²/2)": _by_the_kernel,
    },
    mistakes={
        "The mask comes after the softmax: the weights of the others no longer sum to 1.": (
            _masked(_after)
        ),
        "You forbid every pair at the same place. Two points at one place are still two points, "
        "and each may look up the other; forbid only the diagonal.": (
            _masked(lambda scores, itself: scores.masked_fill(scores == 0, -torch.inf).softmax(-1))
        ),
        "The softmax runs over the queries. It must run over the keys, the last dimension.": (
            _masked(lambda scores, itself: scores.masked_fill(itself, -torch.inf).softmax(0))
        ),
        "The diagonal is +∞, or NaN (0 times ∞ is not a number), and the softmax turns the whole "
        "row into NaN. Use masked_fill to write −∞ there.": (
            _masked(lambda scores, itself: scores.masked_fill(itself, torch.inf).softmax(-1))
        ),
        "Far from all others, the kernels, or the weights that are left after the softmax, are 0 "
        "in the computer's numbers, and 0/0 is not a number. With −∞ on the diagonal *before* the "
        "softmax, the weights of the others sum to 1 by themselves.": (
            _masked(lambda *given: _after(*given) / _after(*given).sum(-1, keepdim=True))
        ),
        **{diagnosis: [_scored(one) for one in scores] for diagnosis, scores in SCORES.items()},
        "These are the errors. Return the predictions themselves.": (
            lambda keys, values, bandwidth: leave_one_out(keys, values, bandwidth) - values
        ),
    },
)
