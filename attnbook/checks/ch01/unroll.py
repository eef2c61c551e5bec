"""Exercise 1.2: ``unroll``."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor

from attnbook.checks.ch01.shared import cell, loop
from attnbook.checks.shared import Inputs, normal
from attnbook.exercises import Call, Exercise, Mistake


def _sentences() -> Inputs:
    make = normal(2)
    yield {"cell": cell(3, 1, 1), "inputs": make(1, 2, 1), "state": None, "mask": None}
    yield {
        "cell": cell(3, 1, 1),
        "inputs": make(1, 3, 1),
        "state": None,
        "mask": torch.tensor([[True, True, False]]),
    }
    lengths = torch.tensor([[5], [2], [3]])
    for state in (None, make(3, 4).tanh()):
        yield {
            "cell": cell(4, 2, 4),
            "inputs": make(3, 5, 2),
            "state": state,
            "mask": torch.arange(5) < lengths,
        }
    yield {"cell": cell(5, 3, 2), "inputs": make(2, 4, 3), "state": make(2, 2), "mask": None}


def _deaf_to_padding(call: Call) -> str | None:
    if call.mask is None or bool(call.mask.all()):
        return None
    other = torch.where(call.mask.unsqueeze(2), call.inputs, call.inputs + 1)
    before, after = call.result[1], call(inputs=other)[1]
    if torch.allclose(before, after):
        return None
    moved = float((before - after).abs().max())
    return (
        f"When only padding changes, the last state changes by {moved:.2f}. Padding (mask False) "
        "must not be read: which state stays?"
    )


def _ends_with_last(call: Call) -> str | None:
    if torch.allclose(call.result[0][:, -1], call.result[1]):
        return None
    return (
        "The last of the states and the last state differ. What goes into the list is the state "
        "after the choice at padding, and the last state is the last of the list."
    )


def _never_updated(cell: Any, inputs: Tensor, state: Any, mask: Any) -> tuple[Tensor, Tensor]:
    states = []
    for t in range(inputs.shape[1]):
        new = cell(inputs[:, t], state)
        if mask is not None:
            old = torch.zeros_like(new) if state is None else state
            new = torch.where(mask[:, t].unsqueeze(1), new, old)
        states.append(new)
    return torch.stack(states, dim=1), states[-1]


def _backward(cell: Any, inputs: Tensor, state: Any, mask: Any) -> tuple[Tensor, Tensor]:
    turned = None if mask is None else mask.flip(1)
    states, last = loop(cell, inputs.flip(1), state, turned)
    return states.flip(1), last


def _raw_list(cell: Any, inputs: Tensor, state: Any, mask: Any) -> tuple[Tensor, Tensor]:
    states = []
    for t in range(inputs.shape[1]):
        new = cell(inputs[:, t], state)
        states.append(new)
        old = torch.zeros_like(new) if state is None else state
        state = new if mask is None else torch.where(mask[:, t].unsqueeze(1), new, old)
    return torch.stack(states, dim=1), state


CHECK = Exercise(
    "unroll",
    reference=lambda cell, inputs, state=None, mask=None: loop(cell, inputs, state, mask),
    inputs=_sentences,
    rules={
        "what stands at padding changes nothing": _deaf_to_padding,
        "the last state is the last of all states": _ends_with_last,
    },
    mistakes=[
        Mistake(
            "The mask is not used: the network reads on through the padding.",
            lambda cell, inputs, state, mask: loop(cell, inputs, state, mask, padded="read"),
        ),
        Mistake(
            "The mask is the wrong way round: True marks a real token, and there the new state "
            "counts.",
            lambda cell, inputs, state, mask: loop(cell, inputs, state, mask, padded="swapped"),
        ),
        Mistake(
            "At padding the state becomes zero: everything read is lost. It should stay what it "
            "was.",
            lambda cell, inputs, state, mask: loop(cell, inputs, state, mask, padded="zero"),
        ),
        Mistake(
            "The state is not handed on: every word starts from the state at the beginning.",
            _never_updated,
        ),
        Mistake(
            "The state is not handed on: every word starts from nothing.",
            lambda cell, inputs, state, mask: loop(cell, inputs, state, mask, hand_on=False),
        ),
        Mistake(
            "The state that was given is not used: reading begins from zeros.",
            lambda cell, inputs, state, mask: loop(cell, inputs, None, mask),
        ),
        Mistake(
            "This reads from the last word to the first.",
            _backward,
        ),
        Mistake(
            "The list holds the states from before the choice: at padding too the state that was "
            "kept belongs into it.",
            _raw_list,
        ),
    ],
)
