"""Exercise 1.4: ``draw_word``."""

from __future__ import annotations

import torch
from torch import Tensor

from attnbook.checks.shared import Inputs, normal
from attnbook.exercises import Call, Exercise, Mistake


def _draws() -> Inputs:
    shares = torch.tensor([0.2, 0.5, 0.3]).log()
    for chance in (0.1, 0.25, 0.65, 0.9):
        yield {"logits": shares, "temperature": 1.0, "chance": chance}
    make = normal(6)
    logits = 2 * make(6)
    for temperature in (0.3, 1.0, 2.5):
        for chance in (0.0, 0.13, 0.37, 0.61, 0.83, 0.97):
            yield {"logits": logits, "temperature": temperature, "chance": chance}


def _drawn(p: Tensor, chance: float) -> int:
    return int((p.cumsum(-1) <= chance).sum())


def _draw(logits: Tensor, temperature: float, chance: float) -> int:
    return _drawn((logits / temperature).softmax(-1), chance)


def _cold_is_sure(call: Call) -> str | None:
    best = int(call.logits.argmax())
    if call.logits.topk(2).values.diff().abs() < 0.1 or call(temperature=0.01) == best:
        return None
    return (
        f"At a temperature of 0.01 the draw should be all but sure of word {best}, which has the "
        f"largest logit; it is word {call(temperature=0.01)}. Divide or multiply?"
    )


def _grows_with_chance(call: Call) -> str | None:
    first, last = call(chance=0.0), call(chance=0.999999)
    if first <= last and (len(call.logits) != 3 or (first, last) == (0, 2)):
        return None
    return (
        f"Chance 0 draws word {first} and chance 0.999999 word {last}. The pieces lie in the order "
        "of the words: the first is word 0's."
    )


CHECK = Exercise(
    "draw_word",
    reference=_draw,
    inputs=_draws,
    rules={
        "the coldest draw takes the largest logit": _cold_is_sure,
        "a larger chance draws a later word": _grows_with_chance,
    },
    mistakes=[
        Mistake(
            "The logits are multiplied by the temperature: then a high one sharpens. Divide.",
            lambda logits, temperature, chance: _draw(logits, 1 / temperature, chance),
        ),
        Mistake(
            "The temperature is not used.",
            lambda logits, temperature, chance: _draw(logits, 1.0, chance),
        ),
        Mistake(
            "The temperature divides the probabilities. It belongs to the logits, before the "
            "softmax.",
            lambda logits, temperature, chance: _drawn(logits.softmax(-1) / temperature, chance),
        ),
        Mistake(
            "This takes the most probable word, whatever the chance. That is not a draw.",
            lambda logits, temperature, chance: int(logits.argmax()),
        ),
        Mistake(
            "The pieces are made of logits: they are no probabilities before the softmax.",
            lambda logits, temperature, chance: _drawn(logits / temperature, chance),
        ),
        Mistake(
            "One too far: this counts the piece in which the chance lies as well.",
            lambda logits, temperature, chance: _draw(logits, temperature, chance) + 1,
        ),
        Mistake(
            "One too few: word 0 is the word when no piece ends before the chance.",
            lambda logits, temperature, chance: _draw(logits, temperature, chance) - 1,
        ),
        Mistake(
            "The pieces are laid in the order of their size. They lie in the order of the words.",
            lambda logits, temperature, chance: int(
                logits.argsort(descending=True)[
                    _draw(logits.sort(descending=True).values, temperature, chance)
                ]
            ),
        ),
    ],
)
