"""Exercise 3.4: ``greedy_decode``."""

from typing import Any

import torch
from torch import Tensor

from attnbook.checks.inputs import Inputs
from attnbook.checks.rules import calls_to, repeats
from attnbook.exercises import Call, Exercise
from attnbook.exercises.values import fmt
from attnlib.data import BOS, EOS, PAD


def greedy_decode(step: Any, state: Any, bos: Any, eos: Any, max_length: Any) -> Any:
    """Most probable tokens, one after the other, up to eos (left out) or max_length: a list."""
    tokens, token = [], bos
    for _ in range(max_length):
        logits, state = step(token, state)
        token = int(logits.argmax())
        if token == eos:
            break
        tokens.append(token)
    return tokens


def _writer(answer: list[int], size: int, bos: int, shift: float) -> Any:
    """A decoder that writes the answer: it must be fed its own last token and its own state."""

    def step(token: Any, state: int) -> tuple[Tensor, int]:
        logits = torch.arange(float(size)) / size + shift
        before = bos if state == 0 else answer[(state - 1) % len(answer)]
        if int(token) == before:
            logits[answer[state % len(answer)]] = 2.0 + shift
        else:  # it was fed something else than what it wrote
            logits[5 + (int(token) + state) % (size - 5)] = 3.0 + shift
        logits[PAD] = shift - 5.0
        return logits, state + 1

    step.__name__ = f"a decoder that writes {answer}"
    return step


def _decoders() -> Inputs:
    for answer, longest, bos, eos, shift in (
        ([5, EOS], 4, BOS, EOS, 0.0),
        ([6, 4, 7, EOS], 9, BOS, EOS, -9.0),
        ([5, 5, 6, 8], 6, BOS, EOS, 0.0),
        ([EOS], 3, BOS, EOS, 1.0),
        ([7, 4, EOS], 3, BOS, EOS, 0.0),
        ([7, 4, EOS], 2, BOS, EOS, 0.0),
        ([7, 4, EOS], 0, BOS, EOS, 0.0),
        ([8, EOS, 2, 7], 7, 5, 7, -2.0),
    ):
        step = _writer(answer, 11, bos, shift)
        yield {"step": step, "state": 0, "bos": bos, "eos": eos, "max_length": longest}


def _no_end_in_it(call: Call) -> bool | str:
    return call.eos not in call.result or (
        f"{fmt(call.result)} contains the end, {call.eos}. The end means that the sentence is "
        "over; it is not a word of the sentence. What should happen when it comes?"
    )


def _steps(call: Call) -> str | None:
    """What each step is fed, and what is made of its logits."""
    records = [
        (int(token), state, int(logits.argmax()))
        for token, state, (logits, _) in calls_to(call, "step")
    ]
    expected = (call.bos, call.state)
    for number, (token, state, best) in enumerate(records, 1):
        if number > 1 and records[number - 2][2] == call.eos:
            return (
                f"Step {number - 1} gives the end, {call.eos}, but you take another step: "
                f"{len(records)} in all."
            )
        if number > call.max_length:
            return f"max_length is {call.max_length}, but you take {len(records)} steps."
        if (token, state) != expected:
            fed = f"fed {token}", expected[0]
            given = f"given the state {state}", expected[1]
            what, right = fed if token != expected[0] else given
            before = "at the start" if number == 1 else f"from step {number - 1}"
            return f"Step {number} is {what}; {before} it should be {right}."
        expected = best, state + 1
    if len(records) < call.max_length and (not records or records[-1][2] != call.eos):
        return (
            f"You stop after {len(records)} steps, but the end, {call.eos}, has not come and "
            f"max_length is {call.max_length}."
        )
    written = [best for _, _, best in records if best != call.eos]
    if call.result != written:
        return (
            f"The largest logits of the steps are those of {written}, but you return "
            f"{fmt(call.result)}."
        )
    return None


def _equals_raise_nothing(call: Call) -> bool | str:
    """Equal logits: which of them is taken is open, an error is not."""
    problem = call.error(step=lambda token, state: (torch.zeros(11), state + 1))
    return problem is None or (
        f"When several logits are equally large, it raises {type(problem).__name__}. You can take "
        "any one of them: argmax gives a single place."
    )


CHECK = Exercise(
    greedy_decode,
    inputs=_decoders,
    rules={
        "the same call writes the same sentence": repeats(
            "greedy draws nothing, it takes the token with the largest logit."
        ),
        "the end is not part of the sentence": _no_end_in_it,
        "every step is fed the token and the state of the step before, up to the end": _steps,
        "equal logits raise no error": _equals_raise_nothing,
    },
)
