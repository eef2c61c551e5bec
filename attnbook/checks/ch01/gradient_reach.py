"""Exercise 1.7: ``gradient_reach``."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import torch
from torch import Tensor

from attnbook.checks.ch01.shared import cell
from attnbook.checks.ch01.unroll import unroll
from attnbook.checks.shared import Inputs, normal
from attnbook.exercises import Call, Exercise


def gradient_reach(run: Any, inputs: Any) -> Any:
    """‖∂(Σ h_T)/∂x_{T−d}‖ relative to d = 0. run: inputs (T, E) → states (T, H); returns (T,)."""
    inputs = inputs.detach().requires_grad_()
    (gradient,) = torch.autograd.grad(run(inputs)[-1].sum(), inputs)
    norms = gradient.norm(dim=1).flip(0)
    return norms / norms[0]


Run = Callable[[Tensor], Tensor]


def _tanh_network(seed: int, size: int, hidden: int) -> Run:
    step = cell(seed, size, hidden)

    def run(inputs: Tensor) -> Tensor:
        return unroll(step, inputs.unsqueeze(0))[0][0]

    return run


def _halving(inputs: Tensor) -> Tensor:
    state, states = torch.zeros(inputs.shape[1]), []
    for x in inputs:
        state = 0.5 * state + 2 * x
        states.append(state)
    return torch.stack(states)


def _doubling(inputs: Tensor) -> Tensor:
    state, states = torch.zeros(inputs.shape[1]), []
    for x in inputs:
        state = 2 * state + x
        states.append(state)
    return torch.stack(states)


def _runs() -> Inputs:
    yield {"run": _halving, "inputs": torch.tensor([[1.0], [2.0], [-1.0]])}
    yield {"run": _doubling, "inputs": torch.tensor([[1.0, 0.5], [2.0, 3.0], [-1.0, 0.0]])}
    make = normal(9)
    for seed, length, size, hidden in ((10, 4, 2, 3), (11, 6, 3, 4), (12, 5, 5, 5)):
        yield {"run": _tanh_network(seed, size, hidden), "inputs": make(length, size)}


def _slopes(run: Run, inputs: Tensor, last: Callable[[Tensor], Tensor]) -> Tensor:
    inputs = inputs.detach().requires_grad_()
    return torch.autograd.grad(last(run(inputs)), inputs)[0]


def _by_distance(gradient: Tensor) -> Tensor:
    norms = gradient.norm(dim=1).flip(0)
    return norms / norms[0]


def _end(states: Tensor) -> Tensor:
    return states[-1].sum()


def _scale_is_free(call: Call) -> str | None:
    """A network whose gradient is known: h_t = x_t + factor · h_{t−1}."""
    for factor, of in ((0.5, _halving), (2.0, _doubling)):
        made = call(run=of, inputs=torch.tensor([[1.0], [2.0], [-1.0]]))
        right = [1.0, factor, factor**2]
        if made.shape == (3,) and not torch.allclose(made, torch.tensor(right), atol=1e-5):
            found = [round(x, 4) for x in made.tolist()]
            return (
                f"Where each state is {factor:g} times the last one plus a multiple of x, the "
                f"gradient is {factor:g} times as long at each step back: {right} is expected "
                f"for inputs 1, 2, −1, and {found} comes back."
            )
    return None


def _begins_with_one(call: Call) -> str | None:
    if abs(float(call.result[0]) - 1) < 1e-5:
        return None
    return (
        f"At distance 0, which is the last input and comes first, stands "
        f"{float(call.result[0]):.3g}; relative to itself it is 1."
    )


def _lengths(
    run: Run, inputs: Tensor, *, power: float = 2.0, last: Callable[[Tensor], Tensor] = _end
) -> Tensor:
    return _slopes(run, inputs, last).norm(power, dim=1).flip(0)


def _measured(lengths: Callable[[Run, Tensor], Tensor]) -> Callable[[Run, Tensor], Tensor]:
    return lambda run, inputs: lengths(run, inputs) / lengths(run, inputs)[0]


CHECK = Exercise(
    "gradient_reach",
    reference=gradient_reach,
    inputs=_runs,
    rules={
        "at distance 0 stands 1": _begins_with_one,
        "a network that halves its state halves the gradient at each step back": _scale_is_free,
    },
    mistakes=[
        (
            "This runs from the first word to the last. Distance 0 is the *last* input: turn it "
            "around.",
            lambda run, inputs: _by_distance(_slopes(run, inputs, _end)).flip(0),
        ),
        (
            "This is relative to the first word of the sentence. Distance 0 is the last: turn "
            "around before you divide.",
            lambda run, inputs: _by_distance(_slopes(run, inputs, _end).flip(0)),
        ),
        (
            "These are the lengths themselves: divide by the one at distance 0.",
            lambda run, inputs: _slopes(run, inputs, _end).norm(dim=1).flip(0),
        ),
        (
            "The sum of *all* states is taken: then every word is near one of them. Take the last "
            "state only.",
            lambda run, inputs: _by_distance(_slopes(run, inputs, lambda s: s.sum())),
        ),
        (
            "The numbers of a gradient are added up, so that they cancel. Its length is the root "
            "of the sum of their squares: .norm(dim=1).",
            _measured(lambda run, inputs: _slopes(run, inputs, _end).sum(1).abs().flip(0)),
        ),
        (
            "Only one number of the last state is taken. Take the sum of all.",
            lambda run, inputs: _by_distance(_slopes(run, inputs, lambda s: s[-1, 0])),
        ),
        (
            "The numbers of a gradient are added up, so that signs cancel. Its length is the norm "
            "of the row.",
            lambda run, inputs: (lambda sums: sums / sums[0])(
                _slopes(run, inputs, _end).sum(dim=1).flip(0)
            ),
        ),
        (
            "These are squares of lengths.",
            lambda run, inputs: _by_distance(_slopes(run, inputs, _end)) ** 2,
        ),
        (
            "These are the lengths of the states. Asked for is how the last one depends on each "
            "input: a gradient.",
            lambda run, inputs: _by_distance(run(inputs)),
        ),
        (
            "They are divided by the largest of all. Divide by the one at distance 0.",
            lambda run, inputs: (lambda norms: norms / norms.max())(
                _slopes(run, inputs, _end).norm(dim=1).flip(0)
            ),
        ),
        (
            "They are divided by their sum. Divide by the one at distance 0.",
            lambda run, inputs: (lambda norms: norms / norms.sum())(
                _slopes(run, inputs, _end).norm(dim=1).flip(0)
            ),
        ),
        (
            "They are divided by the length at the first word. Divide by the one at distance 0, "
            "the last word.",
            lambda run, inputs: (lambda norms: norms / norms[-1])(
                _slopes(run, inputs, _end).norm(dim=1).flip(0)
            ),
        ),
        (
            "Each length is divided by the one before it. All are divided by that at distance 0.",
            lambda run, inputs: (
                lambda norms: torch.cat([norms[:1] / norms[0], norms[1:] / norms[:-1]])
            )(_slopes(run, inputs, _end).norm(dim=1).flip(0)),
        ),
        *(
            (
                "The sizes of the numbers are added up or averaged, or the largest is taken. The "
                "length of a row is its norm: the root of the sum of squares.",
                _measured(partial(_lengths, power=power)),
            )
            for power in (1.0, float("inf"))
        ),
        *(
            (
                "The gradient of another number is taken: asked for is that of the sum of the "
                "last state.",
                _measured(partial(_lengths, last=last)),
            )
            for last in (
                lambda s: s[-1].norm(),
                lambda s: s[-1].square().sum(),
                lambda s: s[-1].abs().sum(),
                lambda s: s[-1].max(),
                lambda s: s[-1].prod(),
                lambda s: s.norm(),
                lambda s: s[-1][-1],
            )
        ),
        (
            "The gradient is of the first state. It sees no later word: take the last, states[-1].",
            lambda run, inputs: _by_distance(_slopes(run, inputs, lambda s: s[0].sum())),
        ),
        (
            "The gradient is multiplied with the inputs. Its length alone is asked for.",
            lambda run, inputs: _by_distance(_slopes(run, inputs, _end) * inputs),
        ),
        (
            "The gradient is divided by the inputs. Its length alone is asked for.",
            lambda run, inputs: _by_distance(_slopes(run, inputs, _end) / inputs),
        ),
        (
            "This runs down the columns: one length for each feature. Take one for each position "
            "(dim=1).",
            lambda run, inputs: (lambda norms: norms / norms[0])(
                _slopes(run, inputs, _end).norm(dim=0).flip(0)
            ),
        ),
        (
            "This runs down the columns: one length for each feature. Take one for each position "
            "(dim=1).",
            lambda run, inputs: (lambda norms: norms / norms[0])(
                _slopes(run, inputs, _end).norm(dim=0)
            ),
        ),
        (
            "Distance 0 itself is missing: the result begins with it, and with 1.",
            lambda run, inputs: _by_distance(_slopes(run, inputs, _end))[1:],
        ),
        (
            "The first word is missing: its distance is T − 1.",
            lambda run, inputs: _by_distance(_slopes(run, inputs, _end))[:-1],
        ),
        (
            "This is the logarithm of what is asked for.",
            lambda run, inputs: _by_distance(_slopes(run, inputs, _end)).log(),
        ),
    ],
)
