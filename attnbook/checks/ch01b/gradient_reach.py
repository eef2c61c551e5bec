"""Exercise 1.6: ``gradient_reach``."""

from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor

from attnbook.checks.ch01.unroll import unroll
from attnbook.checks.inputs import Inputs, normal
from attnbook.checks.recurrent import cell
from attnbook.checks.rules import as_list, first_unlike
from attnbook.exercises import Call, Exercise, Function
from attnbook.exercises.values import fmt


def gradient_reach(run: Any, inputs: Any) -> Any:
    """‖∂(Σ h_T)/∂x_{T−d}‖ relative to d = 0. run: inputs (T, E) → states (T, H); returns (T,)."""
    inputs = inputs.detach().requires_grad_()
    (gradient,) = torch.autograd.grad(run(inputs)[-1].sum(), inputs)
    norms = gradient.norm(dim=1).flip(0)
    return norms / norms[0]


Run = Callable[[Tensor], Tensor]


def _network(step: Callable[[Tensor, Tensor | None], Tensor]) -> Run:
    """All states (T, H) of one sentence (T, E), whose first state is None."""
    return lambda inputs: unroll(step, inputs.unsqueeze(0), None)[0][0]


_HALVING = _network(lambda x, state: 2 * x if state is None else 0.5 * state + 2 * x)
_DOUBLING = _network(lambda x, state: x if state is None else 2 * state + x)


def _runs() -> Inputs:
    yield {"run": _HALVING, "inputs": torch.tensor([[1.0], [2.0], [-1.0]])}
    yield {"run": _DOUBLING, "inputs": torch.tensor([[1.0, 0.5], [2.0, 3.0], [-1.0, 0.0]])}
    make = normal(9)
    for seed, length, size, hidden in ((10, 4, 2, 3), (11, 6, 3, 4), (12, 5, 5, 5)):
        yield {"run": _network(cell(seed, size, hidden)), "inputs": make(length, size)}


def _scale_is_free(call: Call) -> str | None:
    """Networks whose gradient is known, h_t = x_t + factor · h_{t−1}; then that of the input."""
    for factor, of in ((0.5, _HALVING), (2.0, _DOUBLING)):
        reach = call(run=of, inputs=torch.tensor([[1.0], [2.0], [-1.0]]))
        expected = [1.0, factor, factor**2]
        if reach.shape == (3,) and not torch.allclose(reach, torch.tensor(expected), atol=1e-5):
            return (
                f"Where each state is {factor:g} times the last one plus a multiple of x, the "
                f"gradient is {factor:g} times as long at each step back. For inputs 1, 2, −1 you "
                f"return {as_list(reach)}, where {expected} is expected."
            )
    if unlike := first_unlike(call.result, call.expected):
        (d,), got, right = unlike
        inputs = call.inputs.detach().requires_grad_()
        (slopes,) = torch.autograd.grad(call.run(inputs)[-1].sum(), inputs)
        slope = slopes[-1 - d]
        return (
            f"At distance {d} the gradient of the sum of the last state is {fmt(slope)}, a vector "
            f"of length {float(slope.norm()):.4g}. That is {right} times the length at distance "
            f"0, and yours is {got}."
        )
    return None


def _variant(
    of: Callable[[Tensor], Tensor] = lambda states: states[-1].sum(),
    over: Callable[[Tensor], Any] = lambda lengths: lengths[0],
) -> Function:
    """The reach of another number, or relative to another length."""

    def reach(run: Run, inputs: Tensor) -> Tensor:
        inputs = inputs.detach().requires_grad_()
        (slopes,) = torch.autograd.grad(of(run(inputs)), inputs)
        lengths = slopes.norm(dim=1).flip(0)
        return lengths / over(lengths)

    return reach


CHECK = Exercise(
    gradient_reach,
    inputs=_runs,
    rules={
        "a network that halves its state halves the gradient at each step back": _scale_is_free,
    },
    mistakes={
        "This runs from the first word to the last. Distance 0 is the *last* input, so reverse the "
        "order.": lambda run, inputs: gradient_reach(run, inputs).flip(0),
        "These are the lengths themselves: divide by the one at distance 0.": (
            _variant(over=lambda lengths: 1.0)
        ),
        "They are divided by the largest of all. Divide by the one at distance 0.": (
            _variant(over=torch.max)
        ),
        "You take the sum of *all* states, so every word is near one of them. Take only the last "
        "state.": _variant(lambda states: states.sum()),
        "These are squares of lengths.": lambda run, inputs: gradient_reach(run, inputs).square(),
    },
)
