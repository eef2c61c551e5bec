"""Exercise 1.5: ``bptt``."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import torch
from torch import Tensor

from attnbook.checks.shared import Inputs, normal
from attnbook.exercises import Call, Exercise
from attnbook.exercises.values import shown


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


def _walk(
    inputs: Tensor,
    states: Tensor,
    grad_states: Tensor,
    weight_hh: Tensor,
    *,
    slope: Callable[[Tensor, Tensor], Tensor | float] = lambda new, old: 1 - new**2,
    back: Callable[[Tensor], Tensor] = lambda weight: weight.T,
    carry: str = "a",
    word: int = 1,
    before: int = 1,
    steps: Callable[[int], Iterable[int]] = lambda last: range(last, 0, -1),
    heard: str = "all",
    direct: bool = True,
    turned: str = "",
    bend: Callable[[Tensor, int], Tensor] = lambda part, steps: part,
    keep: str = "sum",
) -> Three:
    """Back through time; with other settings, the ways in which it goes wrong."""
    length, hidden = len(inputs), states.shape[1]
    carried, parts = torch.zeros(hidden), []
    for t in steps(length):
        loss = grad_states[t - 1] * (heard == "all" or (t == length) == (heard == "last"))
        g = carried + direct * loss
        a = g * slope(states[t], states[t - 1])
        parts.append((torch.outer(a, inputs[t - word]), torch.outer(a, states[t - before]), a))
        moved = back(weight_hh) @ (g if carry == "unbent" else a)
        carried = carried + moved if carry == "pile" else moved
    last = parts[-1:] if keep == "last" else parts[:1] if keep == "first" else parts
    sums = [sum(column, torch.zeros(())) for column in zip(*last)]
    ih, hh, bias = (bend(part, length) for part in sums)
    return ih.T if "i" in turned else ih, hh.T if "h" in turned else hh, bias


def _wrong_walk(**turn: Any) -> Callable[..., Three]:
    return lambda inputs, states, grad_states, weight_hh: _walk(
        inputs, states, grad_states, weight_hh, **turn
    )


_PARTS = ("W_ih", "W_hh", "b")


def _apart(mine: Three, right: Three) -> str | None:
    """Which of the three gradients is another, the simplest first."""
    for name, got, wanted in reversed(list(zip(_PARTS, mine, right))):
        if not torch.allclose(got, wanted, rtol=1e-4, atol=1e-5):
            return f"the gradient of {name} is {shown(wanted)}; yours is {shown(got)}"
    return None


def _one_step(call: Call) -> str | None:
    """A sentence of one word."""
    one = {
        "inputs": call.inputs[:1],
        "states": call.states[:2],
        "grad_states": call.grad_states[:1] + 1.0,
        "weight_hh": call.weight_hh,
    }
    if told := _apart(call(**one), _walk(**one)):
        return (
            "Even a sentence of one word, where nothing travels back, comes out wrong. With "
            f"x = {shown(one['inputs'][0])}, h_0 = {shown(one['states'][0])}, "
            f"h_1 = {shown(one['states'][1])} and dL/dh_1 = {shown(one['grad_states'][0])} {told}."
        )
    return None


def _alone(call: Call) -> str | None:
    """Without W_hh nothing travels: each step has its own loss only, and the parts are added."""
    apart = {**call.arguments, "weight_hh": torch.zeros_like(call.weight_hh)}
    if told := _apart(call(**apart), _walk(**apart)):
        return (
            "One step alone is right. If W_hh is zero nothing travels back, and the parts of all "
            f"steps, each with the loss at its own state, are added up: {told}."
        )
    return None


def _reaches_the_first(call: Call) -> str | None:
    """The loss of the last state alone must teach the first input's weights."""
    late = torch.zeros_like(call.grad_states)
    late[-1] = 1.0
    told = _apart(call(grad_states=late), _walk(**{**call.arguments, "grad_states": late}))
    if told:
        return (
            "Each step by itself is right. If the loss speaks to the last state only, it still "
            f"reaches every step before, through W_hhᵀ from step to step: {told}."
        )
    return None


_SLOPE = "The slope of the tanh is 1 − h²: the square is missing."
_WALKS: list[tuple[str, dict[str, Any]]] = [
    (
        "Each step hears only its own part of the loss: nothing travels back through W_hh.",
        {"back": torch.zeros_like},
    ),
    (
        "On the way back stands W_hh as on the way forward: backward it is transposed.",
        {"back": lambda weight: weight},
    ),
    (
        "From step to step the gradient is handed on as it is: it has to pass W_hhᵀ.",
        {"back": lambda weight: torch.eye(len(weight))},
    ),
    (
        "The slope of the tanh is missing: each step multiplies by 1 − h².",
        {"slope": lambda new, old: 1.0},
    ),
    (
        "The slope is taken at the state before: it belongs to h_t itself, states[t].",
        {"slope": lambda new, old: 1 - old**2},
    ),
    (_SLOPE, {"slope": lambda new, old: 1 - new}),
    (_SLOPE, {"slope": lambda new, old: 1 - 2 * new}),
    (
        "The slope is that of a sigmoid, h(1 − h). These states are a tanh's: 1 − h².",
        {"slope": lambda new, old: new * (1 - new)},
    ),
    (
        "The slope is 1 − h², where h is the state, the tanh's *result*: no second tanh.",
        {"slope": lambda new, old: 1 - new.tanh() ** 2},
    ),
    ("The slope is 1 − h², with a minus.", {"slope": lambda new, old: 1 + new**2}),
    ("The slope is 1 − h², not h² − 1: the sign.", {"slope": lambda new, old: new**2 - 1}),
    ("Instead of the slope 1 − h² stands h itself.", {"slope": lambda new, old: new}),
    (
        "What is handed on has not passed the tanh: multiply by its slope first, then by W_hhᵀ.",
        {"carry": "unbent"},
    ),
    (
        "What is carried piles up: each step adds to it instead of replacing it. The gradient of "
        "earlier steps is already in it.",
        {"carry": "pile"},
    ),
    (
        "W_hh was multiplied with the state *before*, h_{t−1}; here its part is made with h_t.",
        {"before": 0},
    ),
    (
        "The words are one place off: x_t is inputs[t − 1].",
        {"word": 0, "steps": lambda last: range(last - 1, 0, -1)},
    ),
    (
        "Only the loss of the last state is heard: grad_states speaks to every state.",
        {"heard": "last"},
    ),
    ("The last step, t = T, is left out, or its loss is not heard.", {"heard": "others"}),
    (
        "This goes from the first step to the last. The gradient travels back: from t = T to 1.",
        {"steps": lambda last: range(1, last + 1)},
    ),
    ("The first step, t = 1, is left out.", {"steps": lambda last: range(last, 1, -1)}),
    (
        "Only one use of the weights counts here: the parts of all steps are added up.",
        {"keep": "last"},
    ),
    (
        "Only one use of the weights counts here: the parts of all steps are added up.",
        {"keep": "first"},
    ),
    (
        "The gradient of W_hh is transposed: its rows belong to a_t, its columns to h_{t−1}.",
        {"turned": "h"},
    ),
    (
        "The gradient of W_ih is transposed: its rows belong to a_t, its columns to x_t.",
        {"turned": "i"},
    ),
    (
        "Rows and columns of the outer products are exchanged: rows belong to a_t, columns to what "
        "the weight was multiplied with.",
        {"turned": "ih"},
    ),
    (
        "The parts are averaged over the steps. They are added.",
        {"bend": lambda part, steps: part / steps},
    ),
    ("The gradients have the wrong sign.", {"bend": lambda part, steps: -part}),
]


def _reordered(*order: int) -> Callable[..., tuple[Tensor, ...]]:
    return lambda inputs, states, grad_states, weight_hh: tuple(
        _walk(inputs, states, grad_states, weight_hh)[place] for place in order
    )


CHECK = Exercise(
    "bptt",
    reference=bptt,
    inputs=_histories,
    rules={
        "a sentence of one word is right": _one_step,
        "without W_hh every step is for itself, and all are added up": _alone,
        "the last loss reaches every step": _reaches_the_first,
    },
    gradients=(),  # it computes a gradient by hand; nobody goes back through that
    mistakes=[
        *((said, _wrong_walk(**turn)) for said, turn in _WALKS),
        *(
            ("The order of the three is W_ih, W_hh, b.", _reordered(*order))
            for order in ((1, 0, 2), (2, 0, 1), (2, 1, 0))
        ),
    ],
)
