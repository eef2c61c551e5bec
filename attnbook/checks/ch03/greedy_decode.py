"""Exercise 3.9: ``greedy_decode``."""

from __future__ import annotations

from collections.abc import Callable

import torch
from torch import Tensor

from attnbook.checks.shared import Inputs
from attnbook.exercises import Call, Exercise, Mistake
from attnlib.data import BOS, EOS, PAD

Stepper = Callable[[int, int], tuple[Tensor, int]]


def _writer(answer: list[int], size: int) -> Stepper:
    """A decoder that writes the answer: it must be fed its own last token and its own state."""

    def step(token: int, state: int) -> tuple[Tensor, int]:
        logits = torch.zeros(size)
        before = BOS if state == 0 else answer[(state - 1) % len(answer)]
        if int(token) == before:
            logits[answer[state % len(answer)]] = 2.0
        else:  # it was fed something else than what it wrote
            logits[4 + (int(token) + state) % (size - 4)] = 1.0
        logits[PAD] = -5.0
        return logits, state + 1

    step.__name__ = f"a decoder that writes {answer}"
    return step


def _decoders() -> Inputs:
    for answer, longest in (([5, EOS], 4), ([6, 4, 7, EOS], 9), ([5, 5, 6, 8], 6), ([EOS], 3)):
        yield {"step": _writer(answer, 9), "state": 0, "bos": BOS, "eos": EOS,
               "max_length": longest}  # fmt: skip


def _greedy(
    step: Stepper, state: int, bos: int, eos: int, max_length: int,
    *, keep_state: bool = True, feed: bool = True, stop: bool = True, worst: bool = False,
    extra: int = 0,
) -> list[int]:  # fmt: skip
    tokens: list[int] = []
    token, now = bos, state
    for _ in range(max_length + extra):
        logits, new = step(token, now)
        now = new if keep_state else state
        best = int(logits.argmin() if worst else logits.argmax())
        if best == eos and stop:
            break
        tokens.append(best)
        token = best if feed else bos
    return tokens


def _no_end_in_it(call: Call) -> str | None:
    if call.eos in call.result:
        return (
            f"{call.result} holds the end, {call.eos}. It says that the sentence is over; it is no "
            "word of it. What should happen when it comes?"
        )
    return None


def _calls_no_more(call: Call) -> str | None:
    seen = [0]

    def counted(token: int, state: int) -> tuple[Tensor, int]:
        seen.append(state + 1)  # the state of these decoders counts their steps
        return call.step(token, state)  # type: ignore[no-any-return]

    call(step=counted)
    if max(seen) <= min(len(call.expected) + 1, call.max_length):
        return None
    return f"It takes {max(seen)} steps for {len(call.expected)} tokens. Does it stop at the end?"


CHECK = Exercise(
    "greedy_decode",
    reference=lambda step, state, bos, eos, max_length: _greedy(step, state, bos, eos, max_length),
    inputs=_decoders,
    rules={
        "the end is not part of the sentence": _no_end_in_it,
        "no step is taken after the end": _calls_no_more,
    },
    mistakes=[
        Mistake(
            "EOS is part of the result. It says that the sentence is over; it is no word of it.",
            lambda step, state, bos, eos, max_length: (
                (found := _greedy(step, state, bos, eos, max_length))
                + [eos] * (len(found) < max_length)
            ),
        ),
        Mistake(
            "It never stops at EOS: only max_length ends the sentence.",
            lambda step, state, bos, eos, max_length: _greedy(
                step, state, bos, eos, max_length, stop=False
            ),
        ),
        Mistake(
            "Every step starts from the first state. A step gives back a new state, which the next "
            "one needs.",
            lambda step, state, bos, eos, max_length: _greedy(
                step, state, bos, eos, max_length, keep_state=False
            ),
        ),
        Mistake(
            "Every step is fed the start token. After the first, the decoder reads what it has "
            "just written.",
            lambda step, state, bos, eos, max_length: _greedy(
                step, state, bos, eos, max_length, feed=False
            ),
        ),
        Mistake(
            "BOS is part of the result. It is only there to start the decoder.",
            lambda step, state, bos, eos, max_length: [
                bos, *_greedy(step, state, bos, eos, max_length)
            ],
        ),
        Mistake(
            "The least probable token is taken. Greedy takes the most probable one.",
            lambda step, state, bos, eos, max_length: _greedy(
                step, state, bos, eos, max_length, worst=True
            ),
        ),
        Mistake(
            "A sentence that does not end has one token more than max_length.",
            lambda step, state, bos, eos, max_length: _greedy(
                step, state, bos, eos, max_length, extra=1
            ),
        ),
    ],
)  # fmt: skip
