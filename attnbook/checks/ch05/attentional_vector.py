"""Exercise 5.4: ``attentional_vector``."""

from __future__ import annotations

import torch

from attnbook.checks.ch05.shared import cat
from attnbook.checks.shared import Inputs, normal
from attnbook.exercises import Call, Exercise, Mistake


def _context_state_weight() -> Inputs:
    yield {
        "context": torch.tensor([[[1.0]]]),
        "state": torch.tensor([[[0.5]]]),
        "weight": torch.tensor([[1.0, 0.0], [0.2, 0.4]]),
    }
    make = normal(3)
    yield {"context": make(2, 3, 4), "state": make(2, 3, 4), "weight": make(4, 8)}
    yield {"context": make(2, 3, 4), "state": make(2, 3, 5), "weight": make(6, 9)}


def _within_one(call: Call) -> str | None:
    largest = float(call(context=10 * call.context, state=10 * call.state).abs().max())
    if largest <= 1.0:
        return None
    return f"There is a {largest:.1f} in the result. What keeps s̃ between −1 and 1?"


CHECK = Exercise(
    "attentional_vector",
    reference=lambda context, state, weight: torch.tanh(cat(context, state) @ weight.T),
    inputs=_context_state_weight,
    rules={"every number lies between −1 and 1": _within_one},
    mistakes=[
        Mistake(
            "The state comes first here: the left columns of W_c belong to the context.",
            lambda context, state, weight: torch.tanh(cat(state, context) @ weight.T),
        ),
        Mistake(
            "Where is the tanh?",
            lambda context, state, weight: cat(context, state) @ weight.T,
        ),
        Mistake(
            "The tanh comes last: first concatenate, then multiply by W_c, then bend.",
            lambda context, state, weight: torch.tanh(cat(context, state)) @ weight.T,
        ),
        Mistake(
            "This bends with a sigmoid. The formula says tanh.",
            lambda context, state, weight: torch.sigmoid(cat(context, state) @ weight.T),
        ),
        Mistake(
            "This is a softmax: s̃ is a vector of features, the softmax comes after W_s.",
            lambda context, state, weight: (cat(context, state) @ weight.T).softmax(-1),
        ),
        Mistake(
            "Only the context is used: the state belongs into s̃ as well.",
            lambda context, state, weight: torch.tanh(context @ weight[:, : context.shape[-1]].T),
        ),
    ],
)
