"""Exercise 4.6: ``leave_one_out``."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor

from attnbook.checks.shared import Inputs, normal
from attnbook.exercises import Call, Exercise


def leave_one_out(keys: Tensor, values: Tensor, bandwidth: float) -> Tensor:
    """Each value, predicted from all others. keys (S, D), values (S,) → (S,)."""
    squares = (keys.unsqueeze(1) - keys).square().sum(dim=-1)  # (S, S)
    itself = torch.eye(len(keys), dtype=torch.bool)
    scores = (-squares / (2 * bandwidth**2)).masked_fill(itself, -torch.inf)
    return scores.softmax(dim=-1) @ values


def _points() -> Inputs:
    yield {
        "keys": torch.tensor([[0.0], [1.0], [3.0]]),
        "values": torch.tensor([0.0, 6.0, 9.0]),
        "bandwidth": 1.0,
    }
    make = normal(6)
    yield {"keys": make(5, 1), "values": make(5), "bandwidth": 0.5}
    yield {"keys": make(4, 3), "values": make(4), "bandwidth": 2.0}
    twins = torch.tensor([[0.0, 1.0], [0.0, 1.0], [2.0, -1.0], [0.5, 0.5]])
    yield {"keys": twins, "values": torch.tensor([1.0, 5.0, -2.0, 3.0]), "bandwidth": 0.7}
    # Every other kernel of the first is 0, and the scores of the last lie below −10⁹.
    far = torch.tensor([[0.0], [40.0], [41.0], [-1e5]])
    yield {"keys": far, "values": torch.tensor([2.0, 4.0, 8.0, -3.0]), "bandwidth": 0.5}
    yield {"keys": make(2, 2), "values": make(2), "bandwidth": 1.0}


def _not_itself(call: Call) -> str | None:
    """What a point is told does not hang on its own value."""
    for j in range(len(call.values)):
        values = call.values.clone()
        values[j] += 100.0
        if abs(float(call(values=values)[j] - call.result[j])) > 1e-3:
            return (
                f"The value of point {j} was raised by 100, and the prediction for that very point "
                f"changed by {float(call(values=values)[j] - call.result[j]):.3g}: it looked "
                "itself up. Its own score must become −∞ before the softmax."
            )
    return None


def _equal_values(call: Call) -> str | None:
    for answer in call(values=torch.full_like(call.values, 5.0)).tolist():
        if abs(answer - 5.0) > 1e-4:
            return (
                f"When every value is 5, a prediction is {answer:.2f}, and a weighted mean of "
                "fives is 5: the weights of the others must sum to 1."
            )
    return None


def _by_the_kernel(call: Call) -> str | None:
    """A value of 1 for one key and 0 for the others shows that key's weight."""
    each = torch.eye(len(call.values)).to(call.values)
    weights = torch.stack([call(values=value) for value in each], 1)  # (S, S)
    right = torch.stack([leave_one_out(call.keys, v, call.bandwidth) for v in each], 1)
    for t, j in (~torch.isclose(weights, right, atol=1e-4)).nonzero().tolist():
        return (
            f"In the prediction for point {t} the weight of point {j} should be "
            f"{float(right[t, j]):.3g}; yours is {float(weights[t, j]):.3g}. As in exercise 4.5, "
            "the score of two points is −distance²/(2h²)."
        )
    return None


def _squares(keys: Any) -> Any:
    return (keys.unsqueeze(1) - keys).square().sum(-1)


def _itself(keys: Any) -> Any:
    return torch.eye(len(keys)).bool()


def _scored(score: Any) -> Any:
    """Leaving one out with other scores, made of keys and the bandwidth; the diagonal is masked."""
    return lambda keys, values, bandwidth: (
        score(keys, bandwidth).masked_fill(_itself(keys), -torch.inf).softmax(-1) @ values
    )


def _masked(mask: Any) -> Any:
    """The right scores (S, S), and what is made of them and of the diagonal: weights (S, S)."""
    return lambda keys, values, bandwidth: (
        mask(-_squares(keys) / (2 * bandwidth**2), _itself(keys)) @ values
    )


def _divided(divide: Any) -> Any:
    """An answer made of the kernels (S, S), 0 on the diagonal, and the values."""

    def wrong(keys: Any, values: Any, bandwidth: Any) -> Any:
        kernel = (-_squares(keys) / (2 * bandwidth**2)).exp() * ~_itself(keys)
        return divide(kernel, values)

    return wrong


def _after(find: Any) -> Any:
    """The right predictions, and what is made of them and of the values."""
    return lambda keys, values, bandwidth: find(leave_one_out(keys, values, bandwidth), values)


NOTHING_LEFT = (
    "Far from all others their kernels, or the weights that are left after the softmax, are 0 in "
    "the computer's numbers, and 0/0 is not a number. With −∞ on the diagonal *before* the softmax "
    "the weights of the others sum to 1 by themselves."
)
MASKS: dict[str, Any] = {
    "Every point looks itself up: nothing is left out. (Its score with itself is 0, and to make it "
    "0 changes nothing. Which score does the softmax turn into a weight of 0?)": (
        lambda s, itself: s.softmax(-1)
    ),
    "The mask comes after the softmax: the weights of the others no longer sum to 1.": (
        lambda s, itself: s.softmax(-1) * ~itself
    ),
    "The mask is the wrong way round: every point is predicted from itself alone, and masked_fill "
    "fills where the mask is True.": lambda s, itself: s.masked_fill(~itself, -torch.inf).softmax(
        -1
    ),
    "Every pair at the same place is forbidden. Two points at one place are two points, and each "
    "may look up the other: only the diagonal is forbidden.": (
        lambda s, itself: s.masked_fill(s == 0, -torch.inf).softmax(-1)
    ),
    "The softmax runs over the queries. It must run over the keys, the last dimension.": (
        lambda s, itself: s.masked_fill(itself, -torch.inf).softmax(0)
    ),
    "On the diagonal stands +∞, or NaN (0 times ∞ is not a number), and the softmax makes NaN of "
    "the whole row. masked_fill writes −∞ there.": (
        lambda s, itself: s.masked_fill(itself, torch.inf).softmax(-1)
    ),
    "Only the points before it predict a point: the keys are no sequence, and those behind it "
    "count as well.": lambda s, itself: (
        s.masked_fill(torch.ones_like(s).triu().bool(), -torch.inf).softmax(-1).nan_to_num()
    ),
    "The next point is left out as well. Behind keys[:i] it goes on with keys[i + 1:].": (
        lambda s, itself: (
            s.masked_fill(itself | itself.roll(1, 1).triu(), -torch.inf).softmax(-1).nan_to_num()
        )
    ),
    NOTHING_LEFT: lambda s, itself: (
        (s.softmax(-1) * ~itself) / (s.softmax(-1) * ~itself).sum(-1, keepdim=True)
    ),
}
UNSQUARED = "The bandwidth is not squared: u = distance/h, and u is squared as a whole."
NO_SQUARE = "The distance is not squared: K(u) = exp(−u²/2)."
SCORES: dict[str, Any] = {
    "The 2 is missing: K(u) = exp(−u²/2), so the score is −distance²/(2h²).": (
        lambda keys, h: -_squares(keys) / h**2
    ),
    "The 2 is squared, too: −u²/2 is −distance²/(2h²), not −(distance/2h)².": (
        lambda keys, h: -_squares(keys) / (2 * h) ** 2
    ),
    "The bandwidth is not used: u = distance/h.": lambda keys, h: -_squares(keys) / 2,
    "The coordinates' squares are averaged. A squared distance is their sum.": (
        lambda keys, h: -_squares(keys) / keys.shape[1] / (2 * h**2)
    ),
    "Only the first coordinate is looked at.": lambda keys, h: -_squares(keys[:, :1]) / (2 * h**2),
    "The coordinates are added up before they are squared, so that they cancel. Square each of "
    "them first.": lambda keys, h: -_squares(keys.sum(1, keepdim=True)) / (2 * h**2),
    "Far keys weigh more than near ones here: which sign has the score?": (
        lambda keys, h: _squares(keys) / (2 * h**2)
    ),
    "The score is a dot product here. It is −distance²/(2h²), and the two differ as soon as keys "
    "differ in length.": lambda keys, h: keys @ keys.mT / h**2,
}
FAR = (
    "Far from all others the answer is 0 here, whatever the values are: 0/0 was made 0, or a small "
    "number was added below the line. It should be a mean of the other values: the softmax of the "
    "scores needs no such help."
)
DIVIDED: dict[str, Any] = {
    NOTHING_LEFT: (lambda kernel, values: kernel @ values / kernel.sum(-1)),
    FAR: lambda kernel, values: (kernel @ values / kernel.sum(-1)).nan_to_num(),
    "The kernels are not divided by their sum: the weights of the others should sum to 1.": (
        lambda kernel, values: kernel @ values
    ),
    "The kernels are divided by the number of keys, not by their sum.": (
        lambda kernel, values: kernel @ values / len(values)
    ),
}
AFTER: dict[str, Any] = {
    "This is the mean squared error. The predictions themselves are asked for, (S,).": (
        lambda found, values: (found - values).square().mean()
    ),
    "This is the mean of the predictions. They themselves are asked for, (S,).": (
        lambda found, values: found.mean()
    ),
    "These are the squared errors. The predictions themselves are asked for.": (
        lambda found, values: (found - values).square()
    ),
    "These are the errors. The predictions themselves are asked for.": (
        lambda found, values: found - values
    ),
    "These are the errors, value less prediction. The predictions themselves are asked for.": (
        lambda found, values: values - found
    ),
    "The predictions stand in a column, (S, 1). They should be (S,), as the values are.": (
        lambda found, values: found.unsqueeze(1)
    ),
}

CHECK = Exercise(
    "leave_one_out",
    reference=leave_one_out,
    inputs=_points,
    rules={
        "no point is predicted from itself": _not_itself,
        "the weights of the others sum to 1": _equal_values,
        "the weights are as exp(−u²/2)": _by_the_kernel,
    },
    mistakes=[
        *((told, _masked(mask)) for told, mask in MASKS.items()),
        *((told, _scored(score)) for told, score in SCORES.items()),
        *((told, _divided(divide)) for told, divide in DIVIDED.items()),
        *((told, _after(find)) for told, find in AFTER.items()),
        (UNSQUARED, _scored(lambda keys, h: -_squares(keys) / (2 * h))),
        (UNSQUARED, _scored(lambda keys, h: -_squares(keys) / h)),
        (NO_SQUARE, _scored(lambda keys, h: -_squares(keys).sqrt() / (2 * h**2))),
        (NO_SQUARE, _scored(lambda keys, h: -_squares(keys).sqrt() / (2 * h))),
        (NO_SQUARE, _scored(lambda keys, h: -_squares(keys).sqrt() / h)),
        *(
            (FAR, _divided(lambda kernel, values, s=s: kernel @ values / (kernel.sum(-1) + s)))
            for s in (1e-4, 1e-6, 1e-8, 1e-9, 1e-10, 1e-12)
        ),
        *(
            (
                "The point's own score is low, and so it keeps a little weight, or all of it where "
                "the others are farther still. The softmax gives weight 0 to the score −∞.",
                _masked(lambda s, itself, low=low: s.masked_fill(itself, -low).softmax(-1)),
            )
            for low in (1.0, 5.0, 10.0, 20.0, 50.0, 100.0, 1e3, 1e9)
        ),
        (
            "This is the plain mean of the other values: no distance has been used.",
            lambda keys, values, bandwidth: (values.sum() - values) / (len(values) - 1),
        ),
        (
            "This is the value of the nearest other point alone. Kernel regression averages.",
            lambda keys, values, bandwidth: values[
                _squares(keys).masked_fill(_itself(keys), torch.inf).argmin(-1)
            ],
        ),
        (
            "These are the weights (S, S). The predictions are their sums with the values, (S,).",
            lambda keys, values, bandwidth: (
                (-_squares(keys) / (2 * bandwidth**2))
                .masked_fill(_itself(keys), -torch.inf)
                .softmax(-1)
            ),
        ),
    ],
)
