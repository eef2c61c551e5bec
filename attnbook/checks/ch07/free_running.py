"""Exercise 7.1: ``free_running``."""

import torch
from torch import Tensor
from torch.nn import functional as F

from attnbook.checks.decoders import (
    Step,
    chain,
    is_right,
    logits_mistakes,
    logits_unchanged,
    state_carried,
)
from attnbook.checks.inputs import Inputs
from attnbook.checks.rules import calls_to, repeats
from attnbook.exercises import Call, Exercise


def free_running(step: Step, state: Tensor, first: Tensor, length: int) -> Tensor:
    """Logits (B, length, V) of a run fed by itself. step(tokens (B,), state) → (logits, state)."""
    tokens, outputs = first, []
    for _ in range(length):
        logits, state = step(tokens, state)
        tokens = logits.argmax(-1)
        outputs.append(logits)
    return torch.stack(outputs, dim=1)


def _starts() -> Inputs:
    first = torch.tensor([2])
    yield {"step": chain(1, 4), "state": torch.zeros(1), "first": first, "length": 3}
    for seed in (3, 6):
        state, first = torch.tensor([0.0, 3.0, 1.5]), torch.tensor([2, 5, 2])
        yield {"step": chain(seed, 7), "state": state, "first": first, "length": 6}
    state, first = torch.tensor([1.0, 0.5, 2.0, 0.0, 1.5]), torch.tensor([0, 3, 1, 4, 0])
    yield {"step": chain(8, 5), "state": state, "first": first, "length": 1}


def _length_steps(call: Call) -> str | None:
    """Whatever word is written, the run goes on."""
    words = call.expected.shape[-1]
    for word in range(words):

        def insists(tokens: Tensor, state: Tensor, word: int = word) -> tuple[Tensor, Tensor]:
            logits, new = call.step(tokens, state)
            return logits + 20 * F.one_hot(torch.tensor(word), words), new

        try:
            call(step=insists)
        except Exception as fault:
            if call.error(step=insists) is not None or "shape" not in str(fault):
                raise
            return (
                f"When the decoder writes word {word} at every step, the result no longer has "
                f"{call.length} steps. `length` sets the number of steps, whatever is written."
            )
    return None


def _reads_its_own_word(call: Call) -> str | None:
    if is_right(call):
        return None
    calls = calls_to(call, "step")
    if len(calls) != call.length:
        return f"For {call.length} steps the decoder was called {len(calls)} times."
    if not torch.equal(calls[0][0], call.first):
        return (
            f"The first step was fed {calls[0][0].tolist()}. It reads `first`, "
            f"{call.first.tolist()}."
        )
    own = call.result.argmax(-1)
    for t in range(1, call.length):
        if not torch.equal(calls[t][0], own[:, t - 1]):
            return (
                f"At step {t + 1} the decoder was fed {calls[t][0].tolist()}; its most probable "
                f"word of step {t} was {own[:, t - 1].tolist()}. Feed it what it has just written."
            )
    return None


CHECK = Exercise(
    free_running,
    inputs=_starts,
    rules={
        "the same call writes the same words": repeats(
            "nothing is drawn here: take the most probable word."
        ),
        "every step reads the most probable word of the step before": _reads_its_own_word,
        "every step is given the state of the step before": state_carried,
        "the logits are returned as the decoder gave them": logits_unchanged,
        "the run has `length` steps, whatever is written": _length_steps,
    },
    mistakes={
        **logits_mistakes(free_running, "length"),
        "The logits of the first step are missing, and there is an extra step at the end.": (
            lambda step, state, first, length: free_running(step, state, first, length + 1)[:, 1:]
        ),
    },
)
