"""Exercise 2.6: ``lstm_reach``."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor

from attnbook.checks.ch02.shared import Pair, listed, lstm
from attnbook.checks.shared import Inputs, normal
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


Step = Callable[[Tensor, Pair], Pair]


def _reach_inputs() -> Inputs:
    sizes = ((4, 1, 3, 1, 1), (5, 1, 5, 2, 3), (23, 1, 6, 3, 4), (8, 3, 4, 2, 5), (9, 2, 5, 3, 4))
    for seed, batch, steps, features, units in sizes:
        make = normal(seed)
        rows = 4 * units
        weights = [make(rows, features), make(rows, units), make(rows), make(rows)]
        for weight in weights:
            weight.requires_grad_()

        def step(x: Tensor, state: Pair, weights: list[Tensor] = weights) -> Pair:
            w_ih, w_hh, b_ih, b_hh = (weight.to(x.device) for weight in weights)
            return lstm(x, state, w_ih, w_hh, b_ih, b_hh)

        yield {
            "step": step,
            "inputs": make(batch, steps, features),
            "state": (make(batch, units), make(batch, units)),
        }


def _sum(states: list[Pair]) -> Tensor:
    return states[-1][0].sum()


def _norm(gradient: Tensor) -> Tensor:
    return gradient.norm()


def _reach(
    step: Step,
    inputs: Tensor,
    state: Pair,
    *,
    part: int = 1,
    read: Callable[[list[Pair]], Tensor] = _sum,
    measure: Callable[[Tensor], Tensor] = _norm,
    over: Callable[[Tensor], Tensor | float] = lambda norms: norms[0],
    cut: str = "",
    zeros: bool = False,
) -> Tensor:
    """The reach of an LSTM's cell state, and other things that look like it."""
    states = []
    if zeros:
        state = torch.zeros_like(state[0]), torch.zeros_like(state[1])
    for x in inputs.unbind(1):
        hidden, cell = state
        state = step(
            x,
            (
                hidden.detach() if cut == "hidden" else hidden,
                cell.detach() if cut == "cell" else cell,
            ),
        )
        states.append(state)
    kept = [pair[part] for pair in states]
    grads = torch.autograd.grad(read(states), kept, allow_unused=True)
    norms = [measure(torch.zeros_like(k) if g is None else g) for g, k in zip(grads, kept)]
    reach = torch.stack(norms).flip(0)
    return reach / over(reach)


def _wrong_reach(**turn: Any) -> Callable[..., Tensor]:
    return lambda step, inputs, state: _reach(step, inputs, state, **turn)


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
        given = {
            "step": _adder(through),
            "inputs": torch.ones(1, 3, 1),
            "state": (torch.zeros(1, 1), torch.zeros(1, 1)),
        }
        mine, right = call(**given), torch.tensor([1.0, factor, factor**2])
        if mine.shape == right.shape and not torch.allclose(mine, right, atol=1e-5):
            rest = f" + {through} h_{{t−1}}" * bool(through)
            return (
                f"Where c_t = x + 0.5 c_{{t−1}}{rest} and h_t = c_t the way back goes through "
                f"{road}, and the lengths are {listed(right)}; yours are {listed(mine)}."
            )
    return None


def _adder(through: float) -> Step:
    one = torch.ones((), requires_grad=True)

    def step(x: Tensor, state: Pair) -> Pair:
        cell = one * x + 0.5 * state[1] + through * state[0]
        return 1.0 * cell, cell

    return step


_END = "The gradient of another number is taken: asked for is that of the sum of h_T."
_LENGTH = "The length of a gradient is its norm: the root of the sum of its numbers' squares."
_SIGNS = "The numbers of a gradient are added up, so that signs cancel. Its length is .norm()."
_FIRST_ROW = "Only the first sentence counts here. A length is that of the whole batch, (B, H)."
_TURNS: list[tuple[str, dict[str, Any]]] = [
    (
        "These are the bare lengths. Divide them by the length at c_T.",
        {"over": lambda norms: 1.0},
    ),
    (
        "These are the gradients with respect to the hidden states h_t. Asked for are the "
        "cell states c_t, the second part of the state.",
        {"part": 0},
    ),
    (
        "These are squares of lengths: take the root, or .norm().",
        {"measure": lambda g: g.norm() ** 2},
    ),
    (
        "The hidden states of all steps are summed up. Asked for is the gradient of the last "
        "one, h_T.",
        {"read": lambda states: torch.stack([hidden for hidden, _ in states]).sum()},
    ),
    (
        "The gradient of the last *cell* state is taken. Asked for is that of h_T.",
        {"read": lambda states: states[-1][1].sum()},
    ),
    (
        "The gradient of h_T and c_T together is taken. Asked for is that of h_T.",
        {"read": lambda states: states[-1][0].sum() + states[-1][1].sum()},
    ),
    (_END, {"read": lambda states: states[-1][0].norm()}),
    (_END, {"read": lambda states: states[-1][0].square().sum()}),
    (_END, {"read": lambda states: states[-1][0][:, 0].sum()}),
    (_END, {"read": lambda states: states[-1][0].flatten()[0]}),
    (_END, {"read": lambda states: states[-1][0].max()}),
    (_SIGNS, {"measure": lambda g: g.sum().abs()}),
    (_SIGNS, {"measure": lambda g: g.sum()}),
    (_LENGTH, {"measure": lambda g: g.abs().sum()}),
    (_LENGTH, {"measure": lambda g: g.abs().max()}),
    (_FIRST_ROW, {"measure": lambda g: g[0].norm()}),
    (
        "The lengths of the sentences are averaged. A length is that of the whole (B, H).",
        {"measure": lambda g: g.norm(dim=-1).mean()},
    ),
    (
        "The lengths are divided by the largest of them. Divide by the one at c_T.",
        {"over": lambda norms: norms.max()},
    ),
    (
        "They are divided by their sum. Divide by the one at c_T.",
        {"over": lambda norms: norms.sum()},
    ),
    (
        "They are divided by the length at the first step. Divide by the one at c_T.",
        {"over": lambda norms: norms[-1]},
    ),
    (
        "Each is divided by the one before it. All are divided by that at c_T.",
        {"over": lambda norms: torch.cat([norms[:1], norms[:-1]])},
    ),
    (
        "Only the road along the memory counts here: the hidden states are detached. All roads "
        "count.",
        {"cut": "hidden"},
    ),
    (
        "Only the road through the hidden states counts here: the cell states are detached. All "
        "roads count.",
        {"cut": "cell"},
    ),
    ("The state that was given is not used: reading begins from zeros.", {"zeros": True}),
]
_SHOWN: list[tuple[str, Callable[[Tensor], Tensor]]] = [
    (
        "The list runs from the first step to the last. Distance 0, that is c_T, comes first.",
        lambda reach: reach.flip(0),
    ),
    (
        "The list runs from the first step to the last, divided by its first. Distance 0, that is "
        "c_T, comes first.",
        lambda reach: reach.flip(0) / reach[-1],
    ),
    ("The first step, distance T − 1, is missing.", lambda reach: reach[:-1]),
    ("Distance 0 itself is missing: the list begins with it, and with 1.", lambda reach: reach[1:]),
]


def _shown(change: Callable[[Tensor], Tensor]) -> Callable[..., Tensor]:
    return lambda step, inputs, state: change(_reach(step, inputs, state))


def _with_start(step: Step, inputs: Tensor, state: Pair) -> Tensor:
    state = state[0], state[1].detach().requires_grad_()
    cells = [state[1]]
    for x in inputs.unbind(1):
        state = step(x, state)
        cells.append(state[1])
    grads = torch.autograd.grad(state[0].sum(), cells)
    norms = torch.stack([grad.norm() for grad in grads]).flip(0)
    return norms / norms[0]


def _mean_of_sentences(step: Step, inputs: Tensor, state: Pair) -> Tensor:
    cells = []
    for x in inputs.unbind(1):
        state = step(x, state)
        cells.append(state[1])
    grads = torch.autograd.grad(state[0].sum(), cells)
    norms = torch.stack([grad.norm(dim=1) for grad in grads]).flip(0)
    return (norms / norms[0]).mean(1)


def _over_batch(step: Step, inputs: Tensor, state: Pair) -> Tensor:
    cells = []
    for x in inputs:
        state = step(x, state)
        cells.append(state[1])
    grads = torch.autograd.grad(state[0].sum(), cells)
    norms = torch.stack([grad.norm() for grad in grads]).flip(0)
    return norms / norms[0]


def _over_batch_twice(step: Step, inputs: Tensor, state: Pair) -> Tensor:
    cells = []
    for t in range(len(inputs)):
        state = step(inputs[:, t], state)
        cells.append(state[1])
    grads = torch.autograd.grad(state[0].sum(), cells)
    norms = torch.stack([grad.norm() for grad in grads]).flip(0)
    return norms / norms[0]


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
        *((said, _wrong_reach(**turn)) for said, turn in _TURNS),
        *((said, _shown(change)) for said, change in _SHOWN),
        (
            "A reach is taken for each sentence, and then their mean. A length is that of the "
            "whole batch, (B, H): one norm over all of it.",
            _mean_of_sentences,
        ),
        ("The state that was given comes first as well: c_0. Begin with c_1.", _with_start),
        *(
            ("This goes over the sentences of the batch. Go over time: inputs[:, t].", made)
            for made in (_over_batch, _over_batch_twice)
        ),
    ],
)
