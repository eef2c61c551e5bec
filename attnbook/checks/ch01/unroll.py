"""Exercise 1.1: ``unroll``."""

from typing import Any

import torch

from attnbook.checks.inputs import Inputs, normal
from attnbook.checks.recurrent import cell
from attnbook.checks.rules import calls_to, first_unlike
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
    sizes = ((3, 1, 1, 1, 1), (3, 1, 2, 1, 1), (3, 1, 3, 1, 1), (4, 3, 5, 2, 4), (5, 2, 4, 3, 2))
    for seed, rows, length, size, hidden in sizes:
        yield {
            "cell": cell(seed, size, hidden),
            "inputs": make(rows, length, size),
            "state": make(rows, hidden).tanh(),
        }


def _ends_with_last(call: Call) -> bool | str:
    return torch.allclose(call.result[0][:, -1], call.result[1], atol=1e-5) or (
        "The last of all states and the last state differ, but they should be the same."
    )


def _each_from_the_one_before(call: Call) -> str | None:
    states, state = call.result[0], call.state
    for t in range(call.inputs.shape[1]):
        before = f"states[:, {t - 1}]" if t else "state"
        state = call.cell(call.inputs[:, t], state)
        if unlike := first_unlike(states[:, t], state):
            at, got, right = unlike
            return (
                f"states[:, {t}] should be cell(inputs[:, {t}], {before}), which is {right} at "
                f"{at}, not {got}."
            )
    return None


def _can_learn(call: Call) -> str | None:
    """The state that goes into the last step depends on the words before it."""
    if call.inputs.shape[1] < 3:
        return None
    sentence = {"inputs": call.inputs[:1].clone().requires_grad_(), "state": call.state[:1]}
    states = [state for _, state, _ in calls_to(call, "cell", **sentence)]
    if not states or states[-1] is None or states[-1].requires_grad:
        return None
    return (
        "The state that you pass on carries no gradient back to the words before it. Did you "
        "detach it? Nothing could be learned over more than one step."
    )


def _over_the_batch(cell: Any, inputs: Any, state: Any) -> Any:
    states, state = unroll(cell, inputs.transpose(0, 1), state)
    return states.transpose(0, 1), state


CHECK = Exercise(
    unroll,
    inputs=_sentences,
    rules={
        "each state is computed from the one before": _each_from_the_one_before,
        "the last state is the last of all states": _ends_with_last,
        "the gradient goes back from state to state": _can_learn,
    },
    mistakes={
        "The loop runs over dimension 0, the batch. Time is dimension 1, so step t reads "
        "inputs[:, t].": _over_the_batch,
    },
)
