"""Exercise 5.6: ``first_state``."""

from __future__ import annotations

from collections.abc import Callable

import torch
from torch import Tensor

from attnbook.checks.shared import Inputs, normal
from attnbook.exercises import Exercise, Mistake


def _states_and_weight() -> Inputs:
    yield {
        "states": torch.tensor([[[0.1, 0.9], [0.3, 0.5]]]),
        "weight": torch.tensor([[1.0]]),
    }
    make = normal(5)
    yield {"states": make(2, 4, 6), "weight": make(5, 3)}
    yield {"states": make(3, 5, 8), "weight": make(4, 4)}


def _start(pick: Callable[[Tensor], Tensor]) -> Callable[..., Tensor]:
    return lambda states, weight: torch.tanh(pick(states) @ weight.T)


CHECK = Exercise(
    "first_state",
    reference=_start(lambda states: states[:, 0].chunk(2, dim=-1)[1]),
    inputs=_states_and_weight,
    rules={
        "what follows the first position does not matter": lambda call: torch.equal(
            call(states=torch.cat([call.states, call.states], dim=1)), call.result
        ),
    },
    mistakes=[
        Mistake(
            "This is the backward state of the last position: it has read one word only, and in "
            "a padded batch not even a word. Where does reading from right to left end?",
            _start(lambda states: states[:, -1].chunk(2, dim=-1)[1]),
        ),
        Mistake(
            "This is the forward state of the first position: it has read one word. Which half "
            "is the backward one?",
            _start(lambda states: states[:, 0].chunk(2, dim=-1)[0]),
        ),
        Mistake(
            "This is the forward state of the last position, and in a padded batch that is "
            "padding. The formula asks for the backward state of the first.",
            _start(lambda states: states[:, -1].chunk(2, dim=-1)[0]),
        ),
        Mistake(
            "Where is the tanh?",
            lambda states, weight: states[:, 0].chunk(2, dim=-1)[1] @ weight.T,
        ),
        Mistake(
            "This is the mean of the backward states, padding included. The formula asks for "
            "one of them.",
            _start(lambda states: states.chunk(2, dim=-1)[1].mean(1)),
        ),
    ],
)
