"""Exercise 7.2: ``free_running``."""

from __future__ import annotations

import torch
from torch import Tensor

from attnbook.checks.ch07.shared import Step, chain
from attnbook.checks.shared import Inputs
from attnbook.exercises import Call, Exercise, Mistake


def _starts() -> Inputs:
    first = torch.tensor([2])
    yield {"step": chain(1, 4), "state": torch.zeros(1), "first": first, "length": 3}
    for seed in (3, 6):
        state, first = torch.tensor([0.0, 3.0, 1.5]), torch.tensor([2, 2, 2])
        yield {"step": chain(seed, 7), "state": state, "first": first, "length": 6}


def _free_running(step: Step, state: Tensor, first: Tensor, length: int) -> Tensor:
    tokens, found = first, []
    for _ in range(length):
        logits, state = step(tokens, state)
        tokens = logits.argmax(-1)
        found.append(logits)
    return torch.stack(found, dim=1)


def _same_token(step: Step, state: Tensor, first: Tensor, length: int) -> Tensor:
    found = []
    for _ in range(length):
        logits, state = step(first, state)
        found.append(logits)
    return torch.stack(found, dim=1)


def _same_state(step: Step, state: Tensor, first: Tensor, length: int) -> Tensor:
    tokens, found = first, []
    for _ in range(length):
        logits, _ = step(tokens, state)
        tokens = logits.argmax(-1)
        found.append(logits)
    return torch.stack(found, dim=1)


def _least(step: Step, state: Tensor, first: Tensor, length: int) -> Tensor:
    tokens, found = first, []
    for _ in range(length):
        logits, state = step(tokens, state)
        tokens = logits.argmin(-1)
        found.append(logits)
    return torch.stack(found, dim=1)


def _one_step_more(call: Call) -> str | None:
    longer = call(length=call.length + 1)
    if longer.shape[1] == call.length + 1 and torch.allclose(longer[:, : call.length], call.result):
        return None
    return "With one step more, the steps before it should stay what they were."


def _reads_its_own_word(call: Call) -> str | None:
    """The step tells which tokens it was fed."""
    fed: list[Tensor] = []

    def listening(tokens: Tensor, state: Tensor) -> tuple[Tensor, Tensor]:
        fed.append(tokens.clone())
        return call.step(tokens, state)

    logits = call(step=listening)
    del fed[len(fed) - call.length :]  # by the reference, which was called after
    if len(fed) != call.length:
        return f"For {call.length} steps the decoder was called {len(fed)} times."
    own = logits.argmax(-1)
    for t in range(1, call.length):
        if not torch.equal(fed[t], own[:, t - 1]):
            return (
                f"At step {t + 1} the decoder was fed {fed[t].tolist()}; its most probable word "
                f"of step {t} was {own[:, t - 1].tolist()}. Feed it what it has just written."
            )
    return None


CHECK = Exercise(
    "free_running",
    reference=_free_running,
    inputs=_starts,
    rules={
        "every step reads the most probable word of the step before": _reads_its_own_word,
        "a longer run begins like the shorter one": _one_step_more,
    },
    mistakes=[
        Mistake(
            "Every step is fed the start token again. What has the decoder just written?",
            _same_token,
        ),
        Mistake("The new state is thrown away: every step begins in the first state.", _same_state),
        Mistake("This feeds the least probable word.", _least),
        Mistake(
            "These are the words. The loss needs their logits, one row of V numbers a step.",
            lambda step, state, first, length: _free_running(step, state, first, length).argmax(-1),
        ),
        Mistake(
            "Steps and sentences are swapped: the logits of sentence b stand in row b, so stack "
            "the steps along dimension 1.",
            lambda step, state, first, length: _free_running(step, state, first, length).transpose(
                0, 1
            ),
        ),
    ],
)
