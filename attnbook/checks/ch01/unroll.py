"""Exercise 1.2: ``unroll``."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor

from attnbook.checks.inputs import Inputs, normal
from attnbook.checks.recurrent import cell
from attnbook.checks.rules import calls_to
from attnbook.exercises import Call, Exercise


def unroll(cell: Any, inputs: Any, state: Any) -> Any:
    """All states (B, T, H) and the last one (B, H), of inputs (B, T, E) and a first state."""
    states = []
    for t in range(inputs.shape[1]):
        state = cell(inputs[:, t], state)
        states.append(state)
    return torch.stack(states, dim=1), state


def _sentences() -> Inputs:
    make = normal(2)
    for seed, rows, length, size, hidden in (
        (3, 1, 1, 1, 1),
        (3, 1, 2, 1, 1),
        (3, 1, 3, 1, 1),
        (4, 3, 5, 2, 4),
        (5, 2, 4, 3, 2),
    ):
        yield {
            "cell": cell(seed, size, hidden),
            "inputs": make(rows, length, size),
            "state": make(rows, hidden).tanh(),
        }


def _alike(a: Tensor, b: Tensor) -> bool:
    return torch.allclose(a, b, atol=1e-5)


def _along_time(call: Call) -> str | None:
    """The cell gets inputs[:, t]; a loop over the batch hands it a whole sentence."""
    calls = calls_to(call, "cell")
    sentence, words = call.inputs[0], call.inputs[:, 0]
    if not calls or calls[0][0].shape != sentence.shape or not _alike(calls[0][0], sentence):
        return None
    if sentence.shape == words.shape and _alike(sentence, words):
        return None
    return (
        f"The cell is given the {len(sentence)} words of one sentence at once. The loop runs over "
        "dimension 0, the batch: time is dimension 1, and step t reads inputs[:, t]."
    )


def _ends_with_last(call: Call) -> str | None:
    if _alike(call.result[0][:, -1], call.result[1]):
        return None
    return "The last of the states and the last state differ: they are one and the same."


def _starts_with_the_cell(call: Call) -> str | None:
    """Every state is the cell's, of the word and of the state before."""
    states, state = call.result[0], call.state
    for t in range(call.inputs.shape[1]):
        state = call.cell(call.inputs[:, t], state)
        unlike = ~torch.isclose(states[:, t], state, atol=1e-5)
        if bool(unlike.any()):
            row, unit = unlike.nonzero()[0].tolist()
            return (
                f"states[:, {t}] should be cell(inputs[:, {t}], "
                f"{f'states[:, {t - 1}]' if t else 'state'}), which is "
                f"{float(state[row, unit]):.4g} at [{row}, {unit}]; there stands "
                f"{float(states[row, t, unit]):.4g}."
            )
    return None


def _can_learn(call: Call) -> str | None:
    """The state that goes into the last step depends on the words before it."""
    count = call.inputs.shape[1]
    if count < 3:
        return None
    sentence = {"inputs": call.inputs[:1].clone().requires_grad_(), "state": call.state[:1]}
    states = [state for _, state, _ in calls_to(call, "cell", **sentence)]
    if not states or states[-1] is None or states[-1].requires_grad:
        return None
    return (
        "The state that is handed on carries no gradient back to the words before it: is it "
        "detached? Nothing could be learned over more than one step."
    )


CHECK = Exercise(
    "unroll",
    reference=unroll,
    inputs=_sentences,
    rules={
        "each step reads one word of every sentence": _along_time,
        "the last state is the last of all states": _ends_with_last,
        "each state is made of the one before": _starts_with_the_cell,
        "the gradient goes back from state to state": _can_learn,
    },
)
