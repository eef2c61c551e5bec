"""Exercise 8.2: ``greedy_tokens``."""

import math
from functools import partial
from typing import Any

import torch

from attnbook.checks.inputs import Inputs
from attnbook.checks.search import (
    BOS,
    EOS,
    OF_THE_MODEL,
    PAD,
    SIZE,
    TRAP,
    WRITTEN,
    Answer,
    Step,
    random_step,
    start,
)
from attnbook.exercises import Call, Exercise


def greedy_tokens(step: Step, memory: Any, state: Any, max_length: int) -> Answer:
    """The tokens of greedy search, without eos, and their log-probability, eos included."""
    tokens, log_prob, last = [], 0.0, BOS
    for _ in range(max_length):
        log_probs, state, _ = step(torch.tensor([[last]]), memory, state)
        row = log_probs[0, 0].clone()
        row[[PAD, BOS]] = -math.inf
        last = int(row.argmax())
        log_prob += float(row[last])
        if last == EOS:
            break
        tokens.append(last)
    return tokens, log_prob


def _to_walk() -> Inputs:
    yield {"step": TRAP, **start(), "max_length": 4}
    for seed in (2, 5, 6, 11, 14, 16, 20):  # ended after 3, 2, 3, 1, 0, 2, 3 words
        yield {"step": random_step(seed), **start(), "max_length": 5}
    yield {"step": random_step(7), **start(), "max_length": 1}
    yield {"step": random_step(8, never_ends=True), **start(), "max_length": 3}


def _flawed(flaw, step, memory, state, max_length):
    """Greedy search with one flaw."""
    tokens, total, last = [], 0.0, BOS
    for _ in range(max_length - (flaw == "too short")):
        log_probs, new, _ = step(torch.tensor([[last]]), memory, state)
        row = log_probs[0, 0].clone()
        row[[PAD, BOS]] = -math.inf
        token = int(row.argmax())
        total += float((row.log_softmax(-1) if flaw == "softmax again" else row)[token])
        if token == EOS:
            break
        tokens.append(token)
        state = state if flaw == "first state" else new
        last = BOS if flaw == "start token" else token
    return tokens, total


def _most_probable(call: Call) -> str | None:
    tokens, state, last = list(call.result[0]), call.state, BOS
    for n in range(call.max_length):
        log_probs, state, _ = call.step(torch.tensor([[last]]), call.memory, state)
        row = log_probs[0, 0].clone()
        row[[PAD, BOS]] = -math.inf
        best, last = int(row.argmax()), int(tokens[n]) if n < len(tokens) else EOS
        if last in (PAD, BOS) or not 0 <= last < SIZE:
            return None  # another rule says more
        if last != best:
            before = f"After {tokens[:n]}" if n else "At the first step"
            took = "your answer ends" if last == EOS else f"you take {last}"
            return (
                f"{before}, the most probable token that you may choose is {best} (log-probability "
                f"{float(row[best]):.3f}), but {took} ({float(row[last]):.3f}). Here 3 is the eos."
            )
        if last == EOS:
            break
    return None


#: A flaw of the search, and its diagnosis.
_FLAWS = {
    "first state": "Every step gets the initial state, so the model does not know what was "
    "written before. Pass on the state that the step returns.",
    "start token": "Every step is fed the start token. From the second step on, feed the token "
    "that was just chosen.",
    "softmax again": "You normalize again after ruling out pad and sos. Add up what the model "
    "gave to the chosen tokens, without a second softmax.",
    "too short": "Your answer is one token too short: max_length counts the eos and nothing else "
    "that is not written.",
}

CHECK = Exercise(
    greedy_tokens,
    inputs=_to_walk,
    rules={
        "every token is the most probable one that may be chosen": _most_probable,
        **WRITTEN,
        **OF_THE_MODEL,
    },
    mistakes={diagnosis: partial(_flawed, flaw) for flaw, diagnosis in _FLAWS.items()},
)
