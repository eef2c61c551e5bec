"""Exercise 1.7: ``gradient_reach``."""

from __future__ import annotations

from collections.abc import Callable
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
        return unroll(step, inputs.unsqueeze(0), None)[0][0]

    return run


def _halving(inputs: Tensor) -> Tensor:
    return unroll(lambda x, state: 0.5 * state + 2 * x, inputs[None], 0 * inputs[:1])[0][0]


def _doubling(inputs: Tensor) -> Tensor:
    return unroll(lambda x, state: 2 * state + x, inputs[None], 0 * inputs[:1])[0][0]


def _runs() -> Inputs:
    yield {"run": _halving, "inputs": torch.tensor([[1.0], [2.0], [-1.0]])}
    yield {"run": _doubling, "inputs": torch.tensor([[1.0, 0.5], [2.0, 3.0], [-1.0, 0.0]])}
    make = normal(9)
    for seed, length, size, hidden in ((10, 4, 2, 3), (11, 6, 3, 4), (12, 5, 5, 5)):
        yield {"run": _tanh_network(seed, size, hidden), "inputs": make(length, size)}


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


def _made(
    of: Callable[[Tensor], Tensor] = lambda states: states[-1].sum(),
    *,
    gradient: Callable[[Tensor, Tensor], Tensor] = lambda slopes, inputs: slopes,
    length: Callable[[Tensor], Tensor] = lambda slopes: slopes.norm(dim=1),
    over: Callable[[Tensor], Any] = lambda lengths: lengths[0],
) -> Callable[..., Tensor]:
    """The reach, where one part of the work is done in another way."""

    def reach(run: Run, inputs: Tensor) -> Tensor:
        inputs = inputs.detach().requires_grad_()
        (slopes,) = torch.autograd.grad(of(run(inputs)), inputs)
        lengths = length(gradient(slopes, inputs)).flip(0)
        return lengths / over(lengths)

    return reach


def _then(change: Callable[[Tensor], Tensor]) -> Callable[..., Tensor]:
    """The right reach, changed."""
    return lambda run, inputs: change(gradient_reach(run, inputs))


def _of_states(run: Run, inputs: Tensor) -> Tensor:
    lengths = run(inputs).norm(dim=1).flip(0)
    return lengths / lengths[0]


_SIZES = (
    "The sizes of the numbers are added up or averaged, or the largest is taken. The length of a "
    "row is its norm: the root of the sum of squares."
)
_OTHER = "The gradient of another number is taken: asked for is that of the sum of the last state."
_COLUMNS = (
    "This runs down the columns: one length for each feature. Take one for each position (dim=1)."
)

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
            _then(lambda reach: reach.flip(0)),
        ),
        (
            "This is relative to the first word of the sentence. Distance 0 is the last: turn "
            "around before you divide.",
            _then(lambda reach: reach.flip(0) / reach[-1]),
        ),
        (
            "These are the lengths themselves: divide by the one at distance 0.",
            _made(over=lambda lengths: 1.0),
        ),
        (
            "The sum of *all* states is taken: then every word is near one of them. Take the last "
            "state only.",
            _made(lambda states: states.sum()),
        ),
        (
            "The numbers of a gradient are added up, so that they cancel. Its length is the root "
            "of the sum of their squares: .norm(dim=1).",
            _made(length=lambda slopes: slopes.sum(1).abs()),
        ),
        (
            "The numbers of a gradient are added up, so that signs cancel. Its length is the norm "
            "of the row.",
            _made(length=lambda slopes: slopes.sum(1)),
        ),
        (_SIZES, _made(length=lambda slopes: slopes.abs().sum(1))),
        (_SIZES, _made(length=lambda slopes: slopes.abs().amax(1))),
        (
            "Only one number of the last state is taken. Take the sum of all.",
            _made(lambda states: states[-1, 0]),
        ),
        (_OTHER, _made(lambda states: states[-1].norm())),
        (_OTHER, _made(lambda states: states[-1].square().sum())),
        (_OTHER, _made(lambda states: states[-1].abs().sum())),
        (_OTHER, _made(lambda states: states[-1].max())),
        (_OTHER, _made(lambda states: states[-1].prod())),
        (_OTHER, _made(lambda states: states.norm())),
        (_OTHER, _made(lambda states: states[-1, -1])),
        (
            "The gradient is of the first state. It sees no later word: take the last, states[-1].",
            _made(lambda states: states[0].sum()),
        ),
        ("These are squares of lengths.", _then(torch.square)),
        (
            "These are the lengths of the states. Asked for is how the last one depends on each "
            "input: a gradient.",
            _of_states,
        ),
        (
            "They are divided by the largest of all. Divide by the one at distance 0.",
            _made(over=torch.max),
        ),
        ("They are divided by their sum. Divide by the one at distance 0.", _made(over=torch.sum)),
        (
            "They are divided by the length at the first word. Divide by the one at distance 0, "
            "the last word.",
            _made(over=lambda lengths: lengths[-1]),
        ),
        (
            "Each length is divided by the one before it. All are divided by that at distance 0.",
            _made(over=lambda lengths: torch.cat([lengths[:1], lengths[:-1]])),
        ),
        (
            "The gradient is multiplied with the inputs. Its length alone is asked for.",
            _made(gradient=lambda slopes, inputs: slopes * inputs),
        ),
        (
            "The gradient is divided by the inputs. Its length alone is asked for.",
            _made(gradient=lambda slopes, inputs: slopes / inputs),
        ),
        (_COLUMNS, _made(length=lambda slopes: slopes.norm(dim=0))),
        (_COLUMNS, _made(length=lambda slopes: slopes.norm(dim=0).flip(0))),
        (
            "Distance 0 itself is missing: the result begins with it, and with 1.",
            _then(lambda reach: reach[1:]),
        ),
        ("The first word is missing: its distance is T − 1.", _then(lambda reach: reach[:-1])),
        ("This is the logarithm of what is asked for.", _then(torch.log)),
    ],
)
