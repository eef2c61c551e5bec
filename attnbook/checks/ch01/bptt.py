"""Exercise 1.5: ``bptt``."""

from __future__ import annotations

import torch
from torch import Tensor

from attnbook.checks.shared import Inputs, normal
from attnbook.exercises import Call, Exercise, Mistake

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


def _walk(
    inputs: Tensor,
    states: Tensor,
    grad_states: Tensor,
    weight_hh: Tensor,
    *,
    slope: int = 0,
    back: Tensor | None = None,
    before: int = 1,
    only_end: bool = False,
) -> Three:
    """Back through time; with other settings, the ways in which it goes wrong."""
    hidden = states.shape[1]
    grad_ih, grad_hh = torch.zeros(hidden, inputs.shape[1]), torch.zeros(hidden, hidden)
    grad_bias, carried = torch.zeros(hidden), torch.zeros(hidden)
    matrix = weight_hh.T if back is None else back
    for t in range(len(inputs), 0, -1):
        direct = grad_states[t - 1] * (not only_end or t == len(inputs))
        a = (carried + direct) * (1.0 if slope < 0 else 1 - states[t - slope] ** 2)
        grad_ih = grad_ih + torch.outer(a, inputs[t - 1])
        grad_hh = grad_hh + torch.outer(a, states[t - before])
        grad_bias, carried = grad_bias + a, matrix @ a
    return grad_ih, grad_hh, grad_bias


def _last_use_only(inputs: Tensor, states: Tensor, grad_states: Tensor, weight_hh: Tensor) -> Three:
    a, parts = torch.zeros(states.shape[1]), []
    for t in range(len(inputs), 0, -1):
        a = (weight_hh.T @ a + grad_states[t - 1]) * (1 - states[t] ** 2)
        parts.append((torch.outer(a, inputs[t - 1]), torch.outer(a, states[t - 1]), a))
    return parts[-1]


def _reaches_the_first(call: Call) -> str | None:
    """The loss of the last state alone must teach the first input's weights."""
    direct = torch.zeros_like(call.grad_states)
    direct[-1] = 1.0
    inputs = torch.zeros_like(call.inputs)
    inputs[0] = 1.0
    if float(call(inputs=inputs, grad_states=direct)[0].abs().max()) > 0:
        return None
    return (
        "The loss speaks to the last state only and only the first input is not zero: then W_ih "
        "gets no gradient at all. Does anything travel back from step to step?"
    )


CHECK = Exercise(
    "bptt",
    reference=lambda inputs, states, grad_states, weight_hh: _walk(
        inputs, states, grad_states, weight_hh
    ),
    inputs=_histories,
    rules={"the last loss reaches the first word": _reaches_the_first},
    mistakes=[
        Mistake(
            "Each step hears only its own part of the loss: nothing travels back through W_hh.",
            lambda inputs, states, grad_states, weight_hh: _walk(
                inputs, states, grad_states, weight_hh, back=torch.zeros_like(weight_hh)
            ),
        ),
        Mistake(
            "On the way back stands W_hh as on the way forward: backward it is transposed.",
            lambda inputs, states, grad_states, weight_hh: _walk(
                inputs, states, grad_states, weight_hh, back=weight_hh
            ),
        ),
        Mistake(
            "From step to step the gradient is handed on as it is: it has to pass W_hhᵀ.",
            lambda inputs, states, grad_states, weight_hh: _walk(
                inputs, states, grad_states, weight_hh, back=torch.eye(len(weight_hh))
            ),
        ),
        Mistake(
            "The slope of the tanh is missing: each step multiplies by 1 − h².",
            lambda inputs, states, grad_states, weight_hh: _walk(
                inputs, states, grad_states, weight_hh, slope=-1
            ),
        ),
        Mistake(
            "The slope is taken at the state before: it belongs to h_t itself, states[t].",
            lambda inputs, states, grad_states, weight_hh: _walk(
                inputs, states, grad_states, weight_hh, slope=1
            ),
        ),
        Mistake(
            "W_hh was multiplied with the state *before*, h_{t−1}; here its part is made with h_t.",
            lambda inputs, states, grad_states, weight_hh: _walk(
                inputs, states, grad_states, weight_hh, before=0
            ),
        ),
        Mistake(
            "Only the loss of the last state is heard: grad_states speaks to every state.",
            lambda inputs, states, grad_states, weight_hh: _walk(
                inputs, states, grad_states, weight_hh, only_end=True
            ),
        ),
        Mistake(
            "Only one use of the weights counts here: the parts of all steps are added up.",
            _last_use_only,
        ),
        Mistake(
            "The gradient of W_hh is transposed: its rows belong to a_t, its columns to h_{t−1}.",
            lambda inputs, states, grad_states, weight_hh: (
                lambda three: (three[0], three[1].T, three[2])
            )(_walk(inputs, states, grad_states, weight_hh)),
        ),
        Mistake(
            "The parts are averaged over the steps. They are added.",
            lambda inputs, states, grad_states, weight_hh: tuple(
                part / len(inputs) for part in _walk(inputs, states, grad_states, weight_hh)
            ),
        ),
    ],
)
