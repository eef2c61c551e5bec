"""Exercise 10.4: ``perplexity``."""

import math
import random
from collections.abc import Callable, Sequence

from attnbook.checks.inputs import Inputs
from attnbook.exercises import Call, Exercise


def perplexity(batches: Sequence[tuple[float, int]]) -> float:
    """exp of the loss per token. batches: list of (sum of losses in nats, tokens) → float."""
    total = sum(loss for loss, _ in batches)
    return math.exp(total / sum(tokens for _, tokens in batches))


def _losses() -> Inputs:
    yield {"batches": [(math.log(2), 1)]}
    yield {"batches": [(4.0, 2), (1.0, 8)]}
    yield {"batches": [(0.0, 3), (2.0, 1)]}
    yield {"batches": [(3.0, 4), (30.0, 10), (2.5, 5)]}
    yield {"batches": [(2.0, 3), (2.0, 5)]}
    draw = random.Random(2)
    yield {"batches": [(draw.uniform(1, 40), draw.randint(1, 20)) for _ in range(6)]}


#: What else may be made of losses and tokens, and its diagnosis.
_KNOWN: dict[str, Callable[[float, int, int], float]] = {
    "This is the loss per token, in nats. What turns it into a number of choices?": (
        lambda loss, tokens, batches: loss / tokens
    ),
    "This raises 2 to the loss, which fits a loss in bits. Ours is in nats: which number is the "
    "base of the natural logarithm?": lambda loss, tokens, batches: 2 ** (loss / tokens),
    "This is exp of the loss per batch. Divide by the number of tokens.": (
        lambda loss, tokens, batches: math.exp(loss / batches)
    ),
    "The minus is one too many: the losses are −log P already, and a perplexity is never below "
    "1.": lambda loss, tokens, batches: math.exp(-loss / tokens),
    "Losses are divided by tokens, and not tokens by losses.": (
        lambda loss, tokens, batches: math.exp(tokens / loss)
    ),
}


def _of_equal_choices(call: Call) -> str | None:
    value = call(batches=[(4 * math.log(8), 4), (6 * math.log(8), 6)])
    if abs(value - 8) < 1e-6:
        return None
    message = (
        "A model that always gives 1/8 to the right word loses log 8 nats on each. After batches "
        f"of 4 and 6 tokens its perplexity is 8; {value:.4g} comes back."
    )
    clues = (x for x, f in _KNOWN.items() if math.isclose(value, f(10 * math.log(8), 10, 2)))
    return " ".join([message, *clues])


def _cut_as_you_like(call: Call) -> str | None:
    one, two = call(batches=[(5.0, 10)]), call(batches=[(4.0, 2), (1.0, 8)])
    if abs(one - two) < 1e-6:
        return None
    return (
        "10 tokens with 5 nats in one batch have perplexity "
        f"{one:.3f}, the same tokens cut into batches of 2 and 8 have {two:.3f}. Every token "
        "weighs the same, whatever batch it is in: exp is taken once, of the mean over all."
    )


CHECK = Exercise(
    perplexity,
    inputs=_losses,
    rules={
        "between 8 equally likely words the perplexity is 8": _of_equal_choices,
        "the perplexity does not depend on how the tokens are cut into batches": _cut_as_you_like,
    },
    mistakes={
        "This is exp of the mean of the batches' means: a batch of 2 tokens weighs as much "
        "as one of 200. Does every token weigh the same?": (
            lambda batches: math.exp(sum(x / n for x, n in batches) / len(batches))
        ),
        "This is the mean of the batches' perplexities. The mean is taken of the losses, "
        "per token, and exp comes once, at the end.": (
            lambda batches: sum(math.exp(x / n) for x, n in batches) / len(batches)
        ),
        "The first number of a pair is taken for a mean, and is a sum already: do not multiply "
        "it by the tokens.": (
            lambda batches: math.exp(sum(x * n for x, n in batches) / sum(n for _, n in batches))
        ),
    },
)
