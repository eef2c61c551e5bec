"""Exercise 1.6: ``bptt``."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor

from attnbook.checks.inputs import Inputs, normal
from attnbook.exercises import Call, Exercise
from attnbook.exercises.values import fmt


def bptt(inputs: Any, states: Any, grad_states: Any, weight_hh: Any) -> Any:
    """Gradients for W_ih (H, E), W_hh (H, H), b (H,) from x (T, E), h (T+1, H), dL/dh (T, H)."""
    grad_ih = torch.zeros(states.shape[1], inputs.shape[1])
    grad_hh, grad_bias = torch.zeros_like(weight_hh), torch.zeros(states.shape[1])
    carried = torch.zeros(states.shape[1])
    for t in range(len(inputs), 0, -1):
        a = (carried + grad_states[t - 1]) * (1 - states[t] ** 2)
        grad_ih = grad_ih + torch.outer(a, inputs[t - 1])
        grad_hh = grad_hh + torch.outer(a, states[t - 1])
        grad_bias = grad_bias + a
        carried = weight_hh.T @ a
    return grad_ih, grad_hh, grad_bias


Three = tuple[Tensor, Tensor, Tensor]


def _histories() -> Inputs:
    yield {
        "inputs": torch.tensor([[0.5], [-0.3]]),
        "states": torch.tensor([[0.2], [0.6], [0.1]]),
        "grad_states": torch.tensor([[0.0], [1.0]]),
        "weight_hh": torch.tensor([[0.8]]),
    }
    make = normal(7)
    for length, size, hidden in ((3, 2, 2), (4, 3, 3), (5, 2, 4)):
        yield {
            "inputs": make(length, size),
            "states": make(length + 1, hidden).tanh(),
            "grad_states": make(length, hidden),
            "weight_hh": 0.8 * make(hidden, hidden),
        }


_PARTS = ("W_ih", "W_hh", "b")


def _first_difference(results: Three, references: Three) -> str | None:
    """Which of the three gradients is another, the simplest first."""
    for name, result, expected in reversed(list(zip(_PARTS, results, references))):
        if not torch.allclose(result, expected, rtol=1e-4, atol=1e-5):
            return f"the gradient of {name} is {fmt(expected)}; yours is {fmt(result)}"
    return None


def _one_step(call: Call) -> str | None:
    """A sentence of one word."""
    arguments = {
        "inputs": call.inputs[:1],
        "states": call.states[:2],
        "grad_states": call.grad_states[:1] + 1.0,
        "weight_hh": call.weight_hh,
    }
    if difference := _first_difference(call(**arguments), bptt(**arguments)):
        return (
            "Even a sentence of one word, where nothing travels back, comes out wrong. With x = "
            f"{fmt(arguments['inputs'][0])}, h_0 = {fmt(arguments['states'][0])}, h_1 = "
            f"{fmt(arguments['states'][1])} and dL/dh_1 = {fmt(arguments['grad_states'][0])} "
            f"{difference}."
        )
    return None


def _alone(call: Call) -> str | None:
    """Without W_hh nothing travels: each step has its own loss only, and the parts are added."""
    arguments = {**call.arguments, "weight_hh": torch.zeros_like(call.weight_hh)}
    if difference := _first_difference(call(**arguments), bptt(**arguments)):
        return (
            "One step alone is right. If W_hh is zero nothing travels back, and the parts of all "
            f"steps, each with the loss at its own state, are added up: {difference}."
        )
    return None


def _reaches_the_first(call: Call) -> str | None:
    """The loss of the last state alone must teach the first input's weights."""
    late = torch.zeros_like(call.grad_states)
    late[-1] = 1.0
    difference = _first_difference(
        call(grad_states=late), bptt(**{**call.arguments, "grad_states": late})
    )
    if difference:
        return (
            "Each step by itself is right. If the loss speaks to the last state only, it still "
            f"reaches every step before, through W_hhᵀ from step to step: {difference}."
        )
    if difference := _first_difference(call.result, call.expected):
        return f"Each step by itself is right, and what the last loss sends back. But {difference}."
    return None


def _walk(
    *,
    slope: Callable[[Tensor, Tensor], Tensor] = lambda h, old: 1 - h**2,
    carry: Callable[[Tensor, Tensor], Tensor] = lambda weight, a: weight.T @ a,
    made_with: int = 1,
) -> Callable[..., Three]:
    """Back through time, where one part of the work is done in another way."""

    def walked(inputs: Tensor, states: Tensor, grad_states: Tensor, weight_hh: Tensor) -> Three:
        carried, parts = torch.zeros(states.shape[1]), []
        for t in range(len(inputs), 0, -1):
            a = (carried + grad_states[t - 1]) * slope(states[t], states[t - 1])
            parts.append((torch.outer(a, inputs[t - 1]), torch.outer(a, states[t - made_with]), a))
            carried = carry(weight_hh, a)
        ih, hh, bias = (torch.stack(column).sum(0) for column in zip(*parts))
        return ih, hh, bias

    return walked


def _averaged(inputs: Any, states: Any, grad_states: Any, weight_hh: Any) -> Any:
    return tuple(x / len(inputs) for x in bptt(inputs, states, grad_states, weight_hh))


CHECK = Exercise(
    "bptt",
    reference=bptt,
    inputs=_histories,
    rules={
        "a sentence of one word is right": _one_step,
        "without W_hh every step is for itself, and all are added up": _alone,
        "the last loss reaches every step": _reaches_the_first,
    },
    varied=False,  # T steps have T + 1 states
    gradients=(),  # it computes a gradient by hand; nobody goes back through that
    mistakes=[
        (
            "Each step gets only its own part of the loss: nothing travels back through W_hh.",
            _walk(carry=lambda weight, a: 0 * a),
        ),
        (
            "On the way back stands W_hh as on the way forward: backward it is transposed.",
            _walk(carry=lambda weight, a: weight @ a),
        ),
        (
            "The slope is taken at the state before: it belongs to h_t itself, states[t].",
            _walk(slope=lambda h, old: 1 - old**2),
        ),
        (
            "W_hh was multiplied with the state *before*, h_{t−1}; here its part is made with h_t.",
            _walk(made_with=0),
        ),
        ("The parts are averaged over the steps. They are added.", _averaged),
    ],
)
