"""Exercise 2.6: ``lstm_reach``."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor

from attnbook.checks.ch02.lstm_step import lstm_step
from attnbook.checks.ch02.shared import Pair, listed
from attnbook.checks.shared import Inputs, normal, same
from attnbook.exercises import Call, Exercise


def lstm_reach(step: Any, inputs: Any, state: Any) -> Any:
    """‖∂(Σ h_T)/∂c_{T−d}‖ relative to d = 0, for d = 0 … T − 1. inputs (B, T, E) → (T,)."""
    cells = []
    for x in inputs.unbind(1):
        state = step(x, state)
        cells.append(state[1])
    gradients = torch.autograd.grad(state[0].sum(), cells)
    lengths = torch.stack([gradient.norm() for gradient in gradients]).flip(0)
    return lengths / lengths[0]


def _cell(*weights: Tensor) -> Any:
    """An LSTM with weights that learn."""
    for weight in weights:
        weight.requires_grad_()

    def step(x: Tensor, state: Pair) -> Pair:
        return lstm_step(x, state, *(weight.to(x.device) for weight in weights))

    return step


def _reach_inputs() -> Inputs:
    sizes = ((4, 1, 3, 1, 1), (5, 1, 5, 2, 3), (23, 1, 6, 3, 4), (8, 3, 4, 2, 5), (9, 2, 5, 3, 4))
    for seed, batch, steps, features, units in sizes:
        make, rows = normal(seed), 4 * units
        yield {
            "step": _cell(make(rows, features), make(rows, units), make(rows), make(rows)),
            "inputs": make(batch, steps, features),
            "state": (make(batch, units), make(batch, units)),
        }


def _starts_at_one(call: Call) -> str | None:
    if abs(float(call.result[0]) - 1) < 1e-4:
        return None
    return (
        f"At distance 0 stands {float(call.result[0]):.4g}. Each length is divided by that "
        "of c_T, which comes first, and relative to itself it is 1."
    )


def _long_lists(call: Call) -> str | None:
    """Doubling the number of steps leaves the first entries as many as there are steps."""
    steps = call.inputs.shape[1]
    count = len(call(inputs=torch.cat([call.inputs, call.inputs], dim=1)))
    return None if count == 2 * steps else f"For {2 * steps} inputs it returns {count} numbers."


def _known_reach(call: Call) -> str | None:
    """Cells whose gradient is known."""
    for through, road in ((0.0, "the memory alone"), (0.25, "memory and hidden state")):
        factor = 0.5 + through
        start = torch.zeros(1, 1), torch.zeros(1, 1)
        mine = call(step=_adder(through), inputs=torch.ones(1, 3, 1), state=start)
        right = torch.tensor([1.0, factor, factor**2])
        if mine.shape == right.shape and not torch.allclose(mine, right, atol=1e-5):
            rest = f" + {through} h_{{t−1}}" * bool(through)
            return (
                f"Where c_t = x + 0.5 c_{{t−1}}{rest} and h_t = c_t the way back goes through "
                f"{road}, and the lengths are {listed(right)}; yours are {listed(mine)}."
            )
    return None


def _adder(through: float) -> Any:
    one = torch.ones((), requires_grad=True)

    def step(x: Tensor, state: Pair) -> Pair:
        cell = one * x + 0.5 * state[1] + through * state[0]
        return 1.0 * cell, cell

    return step


def _made(
    *,
    before: Callable[..., Any] = lambda hidden, cell: (hidden, cell),
    part: int = 1,
    read: Callable[..., Tensor] = lambda hiddens, cells: hiddens[-1].sum(),
    measure: Callable[[Tensor], Tensor] = torch.norm,
    over: Callable[[Tensor], Any] = lambda norms: norms[0],
    after: Callable[[Tensor], Tensor] = same,
) -> Callable[..., Tensor]:
    """The reach, where one part of the work is done in another way."""

    def reach(step: Any, inputs: Tensor, state: Pair) -> Tensor:
        states = []
        for x in inputs.unbind(1):
            state = step(x, before(*state))
            states.append(state)
        both = tuple(zip(*states))
        gradients = torch.autograd.grad(read(*both), both[part])
        norms = torch.stack([measure(gradient) for gradient in gradients]).flip(0)
        return after(norms / over(norms))

    return reach


def _with_start(step: Any, inputs: Tensor, state: Pair) -> Tensor:
    """c_0 is among the cell states, as if a step before the first had made it."""
    start = state[0], state[1].detach().requires_grad_()

    def late(x: Tensor, state: Any) -> Pair:
        return start if state is None else step(x, state)

    return lstm_reach(late, torch.cat([inputs[:, :1], inputs], dim=1), None)


_END = "The gradient of another number is taken: asked for is that of the sum of h_T."
_LENGTH = "The length of a gradient is its norm: the root of the sum of its numbers' squares."
_SIGNS = "The numbers of a gradient are added up, so that signs cancel. Its length is .norm()."
_TIME = "This goes over the sentences of the batch. Go over time: inputs[:, t]."

CHECK = Exercise(
    "lstm_reach",
    reference=lstm_reach,
    inputs=_reach_inputs,
    rules={
        "there is a number for every step": _long_lists,
        "the distance 0 comes first, and is 1": _starts_at_one,
        "a cell whose gradient is known has the reach that it should": _known_reach,
    },
    mistakes=[
        (
            "These are the bare lengths. Divide them by the length at c_T.",
            _made(over=torch.ones_like),
        ),
        (
            "These are the gradients with respect to the hidden states h_t. Asked for are the "
            "cell states c_t, the second part of the state.",
            _made(part=0),
        ),
        ("These are squares of lengths: take the root, or .norm().", _made(after=torch.square)),
        (
            "The hidden states of all steps are summed up. Asked for is the gradient of the last "
            "one, h_T.",
            _made(read=lambda hiddens, cells: torch.stack(hiddens).sum()),
        ),
        (
            "The gradient of the last *cell* state is taken. Asked for is that of h_T.",
            _made(read=lambda hiddens, cells: cells[-1].sum()),
        ),
        (
            "The gradient of h_T and c_T together is taken. Asked for is that of h_T.",
            _made(read=lambda hiddens, cells: (hiddens[-1] + cells[-1]).sum()),
        ),
        (_END, _made(read=lambda hiddens, cells: hiddens[-1].norm())),
        (_END, _made(read=lambda hiddens, cells: hiddens[-1].square().sum())),
        (_END, _made(read=lambda hiddens, cells: hiddens[-1][:, 0].sum())),
        (_END, _made(read=lambda hiddens, cells: hiddens[-1].flatten()[0])),
        (_END, _made(read=lambda hiddens, cells: hiddens[-1].max())),
        (_SIGNS, _made(measure=lambda gradient: gradient.sum().abs())),
        (_SIGNS, _made(measure=torch.sum)),
        (_LENGTH, _made(measure=lambda gradient: gradient.abs().sum())),
        (_LENGTH, _made(measure=lambda gradient: gradient.abs().max())),
        (
            "Only the first sentence counts here. A length is that of the whole batch, (B, H).",
            _made(measure=lambda gradient: gradient[0].norm()),
        ),
        (
            "The lengths of the sentences are averaged. A length is that of the whole (B, H).",
            _made(measure=lambda gradient: gradient.norm(dim=1).mean()),
        ),
        (
            "A reach is taken for each sentence, and then their mean. A length is that of the "
            "whole batch, (B, H): one norm over all of it.",
            _made(measure=lambda gradient: gradient.norm(dim=1), after=lambda all: all.mean(1)),
        ),
        (
            "The lengths are divided by the largest of them. Divide by the one at c_T.",
            _made(over=torch.max),
        ),
        ("They are divided by their sum. Divide by the one at c_T.", _made(over=torch.sum)),
        (
            "They are divided by the length at the first step. Divide by the one at c_T.",
            _made(over=lambda norms: norms[-1]),
        ),
        (
            "Each is divided by the one before it. All are divided by that at c_T.",
            _made(over=lambda norms: torch.cat([norms[:1], norms[:-1]])),
        ),
        (
            "Only the road along the memory counts here: the hidden states are detached. All roads "
            "count.",
            _made(before=lambda hidden, cell: (hidden.detach(), cell)),
        ),
        (
            "Only the road through the hidden states counts here: the cell states are detached. "
            "All roads count.",
            _made(before=lambda hidden, cell: (hidden, cell.detach())),
        ),
        (
            "The state that was given is not used: reading begins from zeros.",
            lambda step, inputs, state: lstm_reach(step, inputs, (0 * state[0], 0 * state[1])),
        ),
        (
            "The list runs from the first step to the last. Distance 0, that is c_T, comes first.",
            _made(after=lambda reach: reach.flip(0)),
        ),
        (
            "The list runs from the first step to the last, divided by its first. Distance 0, that "
            "is c_T, comes first.",
            _made(after=lambda reach: reach.flip(0) / reach[-1]),
        ),
        ("The first step, distance T − 1, is missing.", _made(after=lambda reach: reach[:-1])),
        (
            "Distance 0 itself is missing: the list begins with it, and with 1.",
            _made(after=lambda reach: reach[1:]),
        ),
        ("The state that was given comes first as well: c_0. Begin with c_1.", _with_start),
        (_TIME, lambda step, inputs, state: lstm_reach(step, inputs.transpose(0, 1), state)),
        (_TIME, lambda step, inputs, state: lstm_reach(step, inputs[:, : len(inputs)], state)),
    ],
)
