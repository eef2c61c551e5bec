"""Exercise 1.3: ``draw_word``."""

from collections.abc import Callable
from itertools import product
from typing import Any

import torch
from torch import Tensor

from attnbook.checks.inputs import Inputs, normal
from attnbook.exercises import Call, Exercise, Function


def draw_word(logits: Tensor, temperature: float, chance: float) -> int:
    """The number of the token in whose share of [0, 1) `chance` lies. logits (V,) → int."""
    ends = (logits / temperature).softmax(-1).cumsum(-1)
    # Rounding may leave the last end below 1: what lies beyond belongs to the last token, too.
    return int((ends[:-1] <= chance).sum())


def _draws() -> Inputs:
    shares, quarters = (torch.tensor(p).log() for p in ([0.2, 0.5, 0.3], [0.25, 0.25, 0.5]))
    random_logits = 2 * normal(6)(6)
    high = torch.tensor([100.0, 101.0, 99.0, 100.5, 98.0, 97.0, 99.0])  # e^100 is no float32
    for logits, temperatures, chances in (
        (torch.zeros(2), [1.0], [0.5]),
        (shares, [1.0], [0.1, 0.25, 0.65, 0.9]),
        (quarters, [1.0], [0.1, 0.25, 0.4, 0.9]),  # the example of the text
        (torch.zeros(4), [1.0], [0.0, 0.25, 0.5, 0.75]),  # where one piece ends the next begins
        (random_logits, [0.3, 1.0, 2.5], [0.0, 0.13, 0.37, 0.61, 0.83, 0.97]),
        (random_logits.flip(0) / 2, [0.4, 3.0], [0.05, 0.2, 0.35, 0.5, 0.65, 0.8, 0.95]),
        (high, [1.0], [0.3, 0.7]),
    ):
        for temperature, chance in product(temperatures, chances):
            yield {"logits": logits, "temperature": temperature, "chance": chance}


def _chance_decides(call: Call) -> bool | str:
    tokens = {call.result, *(call() for _ in range(19))}
    return len(tokens) == 1 or (
        f"Called twenty times with the same arguments, it draws the tokens {sorted(tokens)}. "
        "`chance` is the random number here; draw nothing else."
    )


def _in_its_piece(call: Call) -> str | None:
    if call.result == call.expected:
        return None
    p = (call.logits / call.temperature).softmax(-1)
    ends = ", ".join(f"{end:.3g}" for end in p.cumsum(-1).tolist())
    tie = bool((p.cumsum(-1) == call.chance).any())
    return (
        f"The pieces of softmax(logits / temperature) end at {ends}. Chance {call.chance:g} is in "
        f"the piece of token {call.expected}, but you return token {call.result}."
        + " (A piece includes its beginning, not its end: see chance 0.25 above.)"
        * tie
    )


def _of_shares(pick: Callable[[Tensor, float], Any]) -> Function:
    """Another use of the right probabilities and the chance."""
    return lambda logits, temperature, chance: pick((logits / temperature).softmax(-1), chance)


def _most_probable_first(logits: Tensor, temperature: float, chance: float) -> int:
    order = logits.argsort(descending=True)
    return int(order[draw_word(logits[order], temperature, chance)])


CHECK = Exercise(
    draw_word,
    inputs=_draws,
    rules={
        "the same chance draws the same word": _chance_decides,
        "the token is the one whose piece contains `chance`": _in_its_piece,
    },
    mistakes={
        "You multiply the logits by the temperature, so a high temperature sharpens. Divide.": (
            lambda temperature, **others: draw_word(temperature=1 / temperature, **others)
        ),
        "The temperature is not used.": (
            lambda temperature, **others: draw_word(temperature=1.0, **others)
        ),
        "This takes the most probable token, whatever the chance. That is not a draw.": (
            _of_shares(lambda p, chance: int(p.argmax()))
        ),
        "You put the pieces in order of their size. Keep them in the order of the tokens.": (
            _most_probable_first
        ),
        "You divide the probabilities by the temperature. Divide the logits, before the "
        "softmax.": lambda logits, temperature, chance: min(
            int(((logits.softmax(-1) / temperature).cumsum(-1) <= chance).sum()),
            len(logits) - 1,
        ),
    },
)
