"""Exercise 5.1: ``safe_softmax``."""

from typing import Any

import torch
from torch import Tensor

from attnbook.checks.inputs import Inputs, normal
from attnbook.checks.rules import are_weights
from attnbook.exercises import Call, Exercise


def safe_softmax(scores: Tensor, mask: Tensor) -> Tensor:
    """Softmax over the last dimension where mask is True; 0 elsewhere. Both (..., S), mask bool."""
    lowest = torch.finfo(scores.dtype).min
    weights = scores.masked_fill(~mask, lowest).softmax(-1)
    return weights.masked_fill(~mask, 0.0)


def _scores_and_mask() -> Inputs:
    for numbers, allowed in (
        ([1.0, 1.0, 3.0], [1, 1, 0]),
        ([[-2.0, -3.0, 0.0], [2.0, 1.0, 0.5]], [[1, 1, 0], [1, 1, 1]]),
        ([[1.0, 2.0, 0.5], [1.0, 2.0, 3.0]], [[1, 0, 1], [0, 0, 0]]),
        ([-20000.0, -20001.0, -3.0], [1, 1, 0]),
        ([[-2e12, -3e12, 0.0, 1.0], [2e12, 1.0, 3e12, 0.5]], [[1, 1, 0, 0], [1, 1, 0, 0]]),
    ):
        yield {"scores": torch.tensor(numbers), "mask": torch.tensor(allowed).bool()}
    make = normal(2)
    square = make(4, 4).requires_grad_()
    yield {"scores": square, "mask": torch.ones(4, 4, dtype=torch.bool).tril()}
    yield {"scores": make(2, 3, 2, 5).double(), "mask": make(2, 3, 2, 5) > 0}
    mask = torch.arange(6) < torch.tensor([[[6]], [[4]], [[1]]])
    yield {"scores": make(3, 2, 6), "mask": mask.expand(3, 2, 6)}
    yield {"scores": 300 * make(3, 2, 6), "mask": mask.expand(3, 2, 6)}
    for shape in ((1, 3), (2, 1), (1, 2, 1)):
        yield {"scores": make(*shape), "mask": torch.ones(shape, dtype=torch.bool)}


def _rows(tensor: Tensor) -> Tensor:
    return tensor.reshape(-1, tensor.shape[-1])


def _empty_row(call: Call) -> bool | str:
    scores = call.scores.detach()  # what is 0 whatever comes in need not have a gradient
    result = call(scores=scores, mask=torch.zeros_like(call.mask))
    return not bool(result.any()) or (
        f"A row in which nothing is allowed gets weights of {float(result.max()):.2f}. It should "
        "be all zeros: fill once more, with 0, after the softmax."
    )


def _rows_alone(call: Call) -> str | None:
    rows = zip(_rows(call.scores.detach()), _rows(call.mask), _rows(call.result))
    for number, (scores, mask, among) in enumerate(rows):
        alone = call(scores=scores, mask=mask)
        if call.scores.dim() > 1 and not torch.allclose(alone, among, atol=1e-5):
            at = int((alone - among).abs().argmax())
            return (
                f"Row {number} has weight {float(among[at]):.4g} at position {at} among the "
                f"others, and {float(alone[at]):.4g} alone: a row should depend only on its own "
                "scores and mask."
            )
    return None


def _shares_one(call: Call) -> str | None:
    for mask, row in zip(_rows(call.mask), _rows(call.result)):
        total = float(row[mask].sum())
        if bool(mask.any()) and abs(total - 1) > 1e-5:
            return f"The weights of the allowed positions sum to {total:.6g}, not to 1."
    return None


def _forbidden_scores(call: Call) -> str | None:
    for height in (30.0, 1000.0):
        raised = call(scores=call.scores.masked_fill(~call.mask, height))
        if not torch.allclose(raised, call.result, atol=1e-5):
            return (
                f"With {height:.0f} for every forbidden score, the weights change. A forbidden "
                "score should not matter, however high it is."
            )
    return None


def _half(call: Call) -> str | None:
    scores = call.scores.detach().half()
    if bool(scores.isinf().any()):
        return None
    problem = call.error(scores=scores)
    if problem is not None and "overflow" in str(problem):
        return (
            "It fails in half precision: your code has a number beyond 65504, such as −10⁹. Ask "
            "torch.finfo(scores.dtype) for the smallest."
        )
    try:
        call(scores=scores)
    except Exception:  # the engine says so of a NaN, but not where it comes from
        return (
            "In half precision the result is not a number. Do you use a number that half precision "
            "cannot represent? Beyond 65504 it becomes ∞, and below 6e-8 it becomes 0."
        )
    return None


def _masked(low: Any = None, again: bool = True) -> Any:
    """The solution with another number for forbidden scores, or no second fill."""

    def wrong(scores: Tensor, mask: Tensor) -> Tensor:
        number = torch.finfo(scores.dtype).min if low is None else low
        weights = scores.masked_fill(~mask, number).softmax(-1)
        return weights.masked_fill(~mask, 0.0) if again else weights

    return wrong


def _divided(epsilon: float) -> Any:
    """Exponentials over their sum, with a small number against 0/0."""

    def wrong(scores: Tensor, mask: Tensor) -> Tensor:
        powers = scores.exp() * mask
        return powers / (powers.sum(-1, keepdim=True) + epsilon)

    return wrong


CHECK = Exercise(
    safe_softmax,
    inputs=_scores_and_mask,
    rules={
        "every weight lies between 0 and 1": are_weights(),
        "a forbidden position has weight exactly 0": lambda call: (
            not bool(call.result.masked_fill(call.mask, 0.0).any())
        ),
        "a row with nothing allowed is all zeros": _empty_row,
        "every row has its own softmax": _rows_alone,
        "the allowed positions share 1": _shares_one,
        "the scores of forbidden positions do not matter": _forbidden_scores,
        "the softmax works in half precision": _half,
    },
    mistakes={
        "A score of 0 is a score like any other: e⁰ = 1, so padding still gets a weight. "
        "Which score does the softmax turn into 0?": _masked(0.0, again=False),
        "A score of 0 is a score like any other: e⁰ = 1, so padding takes its share of the "
        "sum. Once it is set to 0, the rest does not sum to 1.": _masked(0.0),
        "The mask comes after the softmax: padding has 0 now, but it has taken its share of the "
        "sum along, and what is left no longer sums to 1.": (
            lambda scores, mask: scores.softmax(-1) * mask
        ),
        "The mask is the wrong way around: True marks what may be attended, and masked_fill fills "
        "where True.": lambda scores, mask: safe_softmax(scores, ~mask),
        "A row in which nothing is allowed becomes NaN (0/0): take the smallest finite number "
        "instead of −∞, and fill once more after the softmax.": _masked(-torch.inf, again=False),
        "No fixed number for forbidden scores fits every dtype. An allowed score may be lower, and "
        "then the forbidden ones take all the weight. In half precision a number beyond 65504, "
        "such as −10⁹, does not exist. torch.finfo(scores.dtype).min is the lowest of each "
        "dtype.": [_masked(low) for low in (-1e9, -1e5, -65504.0, -1e4, -1e3, -100.0)],
        "The exponential of a high score is ∞, and that of a low one is 0. First "
        "subtract the largest score of the row from all of them.": [
            _divided(epsilon) for epsilon in (0.0, 1e-30, 1e-8)
        ],
    },
)
