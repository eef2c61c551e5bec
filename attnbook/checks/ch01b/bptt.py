"""Exercise 1.5: ``bptt``."""

from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor

from attnbook.checks.inputs import Inputs, normal
from attnbook.exercises import Call, Exercise, Function
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


def _unlike(call: Call, **changed: Tensor) -> str | None:
    """Which of the three gradients is another, the simplest first."""
    results, references = call(**changed), bptt(**{**call.arguments, **changed})
    for name, result, expected in reversed([*zip(("W_ih", "W_hh", "b"), results, references)]):
        if not torch.allclose(result, expected, rtol=1e-4, atol=1e-5):
            return f"the gradient of {name} is {fmt(expected)}; yours is {fmt(result)}"
    return None


def _one_step(call: Call) -> str | None:
    """A sentence of one word."""
    inputs, states, late = call.inputs[:1], call.states[:2], call.grad_states[:1] + 1.0
    if unlike := _unlike(call, inputs=inputs, states=states, grad_states=late):
        return (
            "Even the result for one word, where nothing travels back, is wrong. With x = "
            f"{fmt(inputs[0])}, h_0 = {fmt(states[0])}, h_1 = {fmt(states[1])} and dL/dh_1 = "
            f"{fmt(late[0])}, {unlike}."
        )
    return None


def _alone(call: Call) -> str | None:
    """Without W_hh nothing travels: each step has its own loss only, and the parts are added."""
    if unlike := _unlike(call, weight_hh=torch.zeros_like(call.weight_hh)):
        return (
            "A single step is right. If W_hh is zero, nothing travels back, and the parts of all "
            f"steps, each with the loss at its own state, add up: {unlike}."
        )
    return None


def _reaches_the_first(call: Call) -> str | None:
    """The loss of the last state alone must teach the first input's weights."""
    late = torch.zeros_like(call.grad_states)
    late[-1] = 1.0
    if unlike := _unlike(call, grad_states=late):
        return (
            "Each step by itself is right. If the loss depends only on the last state, its "
            f"gradient still reaches every step before, through W_hhᵀ from step to step: {unlike}."
        )
    if unlike := _unlike(call):
        return (
            f"Each step by itself is right, and so is what the last loss sends back, but {unlike}."
        )
    return None


def _of_others(
    slope: Callable[[Tensor], Tensor], multiplied: Callable[[Tensor], Tensor]
) -> Function:
    """The slopes at other states, and other states that W_hh was multiplied with."""

    def wrong(inputs: Any, states: Any, grad_states: Any, weight_hh: Any) -> Any:
        grad_ih, _, grad_bias = bptt(inputs, slope(states), grad_states, weight_hh)
        grad_hh, *_ = bptt(multiplied(states), slope(states), grad_states, weight_hh)
        return grad_ih, grad_hh, grad_bias

    return wrong


CHECK = Exercise(
    bptt,
    inputs=_histories,
    rules={
        "a sentence of one word is right": _one_step,
        "without W_hh the steps are separate, and their parts add up": _alone,
        "the last loss reaches every step": _reaches_the_first,
    },
    varied=False,  # T steps have T + 1 states
    gradients=(),  # it computes a gradient by hand; nobody goes back through that
    mistakes={
        "You use W_hh on the way back as on the way forward. Going backward, it is transposed.": (
            lambda weight_hh, **others: bptt(weight_hh=weight_hh.T, **others)
        ),
        "You take the slope at the state before. It belongs to h_t itself, states[t].": (
            _of_others(lambda h: torch.cat([h[:1], h[:-1]]), lambda h: h[:-1])
        ),
        "W_hh multiplies the state *before*, h_{t−1}, but your gradient of W_hh uses h_t.": (
            _of_others(lambda h: h, lambda h: h[1:])
        ),
    },
)
