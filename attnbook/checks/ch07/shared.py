"""What checks of chapter 7 share."""

from __future__ import annotations

import math
from collections.abc import Callable

import torch
from torch import Tensor

from attnbook.exercises import Call, Mistake
from attnbook.exercises.values import shown
from attnlib.training import token_cross_entropy

Step = Callable[[Tensor, Tensor], tuple[Tensor, Tensor]]
Loss = Callable[[Tensor, Tensor, float], Tensor]


def generator(seed: int) -> torch.Generator:
    return torch.Generator().manual_seed(seed)


def chain(seed: int, words: int) -> Step:
    """A decoder of one table: what follows depends on the last word and on those before it.

    The table is a parameter: a loss on the logits could train it.
    """
    table = torch.randn(words, words, generator=generator(seed)).requires_grad_()

    def step(tokens: Tensor, state: Tensor) -> tuple[Tensor, Tensor]:
        shapes = [tuple(x.shape) if isinstance(x, Tensor) else None for x in (tokens, state)]
        if shapes[0] != shapes[1] or len(shapes[0] or ()) != 1:
            raise ValueError(
                f"step wants tokens and state of one number for each sentence, (B,), and is given "
                f"{shapes[0] or tokens!r} and {shapes[1] or state!r}"
            )
        if int(tokens.max()) >= words:
            raise ValueError(
                f"step is given the word {int(tokens.max())}, and there are {words}, from 0 to "
                f"{words - 1}"
            )
        pattern = torch.arange(words, device=tokens.device)
        logits = table.to(tokens.device)[tokens] + 0.5 * torch.sin(state.unsqueeze(1) * pattern)
        return logits, state + 1.0 + 0.1 * tokens

    return step


def right_so_far(call: Call) -> bool:
    """Whether the result is the reference's: then how it was made is the learner's choice."""
    same = call.result.shape == call.expected.shape
    return same and torch.allclose(call.result, call.expected, atol=1e-4)


def fed(call: Call, steps: int) -> list[tuple[Tensor, Tensor, Tensor]]:
    """Tokens, state and new state of each call of the decoder by the learner's function."""
    heard: list[tuple[Tensor, Tensor, Tensor]] = []

    def listening(tokens: Tensor, state: Tensor) -> tuple[Tensor, Tensor]:
        logits, new = call.step(tokens, state)
        heard.append((tokens.clone(), state.clone(), new.clone()))
        return logits, new

    call(step=listening)
    del heard[len(heard) - steps :]  # by the reference, which was called after
    return heard


def state_passed_on(call: Call, steps: int) -> str | None:
    if right_so_far(call):
        return None
    heard = fed(call, steps)
    if len(heard) != steps:
        return f"For {steps} steps the decoder was called {len(heard)} times."
    wanted, whose = call.state, "`state` as it was given"
    for t, (_, state, new) in enumerate(heard, 1):
        if not torch.equal(state, wanted):
            return (
                f"Step {t} was given the state {shown(state)}. It should be {whose}: "
                f"{shown(wanted)}."
            )
        wanted, whose = new, f"what step {t} gave back"
    return None


def handed_on(call: Call) -> str | None:
    """What comes back is what the decoder gave, as it gave it."""
    if right_so_far(call):
        return None
    given: list[Tensor] = []

    def listening(tokens: Tensor, state: Tensor) -> tuple[Tensor, Tensor]:
        logits, new = call.step(tokens, state)
        given.append(logits.detach())
        return logits, new

    call(step=listening)
    for t in range(call.expected.shape[1]):
        if not torch.allclose(call.result[:, t], given[t], atol=1e-4):
            return (
                f"In step {t + 1} the decoder gave the logits {shown(given[t][0])} for the first "
                f"sentence, and at [0, {t}] stands {shown(call.result[0, t])}."
            )
    return None


def not_as_given(run: Callable[..., Tensor], steps: str) -> list[Mistake]:
    """A right run, whose logits do not come back as (B, ``steps``, V)."""

    def after(change: Callable[[Tensor], Tensor]) -> Callable[..., Tensor]:
        return lambda *given, **named: change(run(*given, **named))

    return [
        (
            "These are the words. The loss needs their logits, one row of V numbers a step.",
            after(lambda logits: logits.argmax(-1)),
        ),
        (
            "These are probabilities. The logits are asked for: what goes into the softmax.",
            after(lambda logits: logits.softmax(-1)),
        ),
        (
            "These are log-probabilities. The logits are asked for: what goes into the softmax.",
            after(lambda logits: logits.log_softmax(-1)),
        ),
        (
            "Steps and sentences are swapped: the logits of sentence b stand in row b, so stack "
            "the steps along dimension 1.",
            after(lambda logits: logits.transpose(0, 1)),
        ),
        (
            f"The steps are joined side by side, (B, {steps} · V). torch.stack makes a dimension "
            "of their own, torch.cat does not.",
            after(lambda logits: logits.flatten(1)),
        ),
    ]


# Losses ------------------------------------------------------------------------------------------


def _hit(logits: Tensor, targets: Tensor) -> Tensor:
    return -logits.log_softmax(-1).gather(1, targets.unsqueeze(1)).squeeze(1)


def _every(logits: Tensor) -> Tensor:
    """The mean over all V words."""
    return -logits.log_softmax(-1).mean(-1)


def _others(logits: Tensor, targets: Tensor) -> Tensor:
    """The mean over the V − 1 wrong words."""
    words = logits.shape[1]
    return (words * _every(logits) - _hit(logits, targets)) / (words - 1)


def _as_log_probs(numbers: Tensor, targets: Tensor, smoothing: float) -> Tensor:
    """The loss of what is no log-probabilities."""
    right = numbers.gather(1, targets.unsqueeze(1)).squeeze(1)
    return -((1 - smoothing) * right + smoothing * numbers.mean(-1)).mean()


LOSS_SLIPS: dict[str, Loss] = {
    "The smoothing is left out: ε of the target's weight goes to all V words.": (
        lambda x, y, e: _hit(x, y).mean()
    ),
    "ε is shared among the *other* words only. Here, as in torch, every word gets ε / V, the right "
    "one included.": lambda x, y, e: ((1 - e) * _hit(x, y) + e * _others(x, y)).mean(),
    "The part for all words is summed over the vocabulary. Each word gets ε / V: take the mean.": (
        lambda x, y, e: ((1 - e) * _hit(x, y) + e * x.shape[1] * _every(x)).mean()
    ),
    "The right word keeps its whole weight: it has 1 − ε of it, so that all weights sum to 1.": (
        lambda x, y, e: (_hit(x, y) + e * _every(x)).mean()
    ),
    "ε and 1 − ε are swapped: most of the weight belongs to the right word.": (
        lambda x, y, e: (e * _hit(x, y) + (1 - e) * _every(x)).mean()
    ),
    "This is the sum over the tokens. The loss is per token: their mean does not depend on how "
    "many there are.": lambda x, y, e: token_cross_entropy(x, y, e) * len(y),
    "This is one loss for each token. Their mean is asked for, one number.": (
        lambda x, y, e: (1 - e) * _hit(x, y) + e * _every(x)
    ),
    "The sign is missing: log-probabilities are negative, a loss is not.": (
        lambda x, y, e: -token_cross_entropy(x, y, e)
    ),
    "The logarithm has another base: this is the loss in bits. Nats want the natural logarithm, as "
    "log_softmax has it.": lambda x, y, e: token_cross_entropy(x, y, e) / math.log(2),
    "The softmax runs over the tokens. Each row of logits is one prediction: over the words, "
    "log_softmax(-1).": lambda x, y, e: _as_log_probs(x.log_softmax(0), y, e),
    "Every row is asked for the targets of all tokens. Row n has its own target, targets[n]: "
    "gather, or index with torch.arange(N) beside targets.": (
        lambda x, y, e: e * _every(x).mean() - (1 - e) * x.log_softmax(-1)[:, y].mean()
    ),
    "There is no softmax: logits are no log-probabilities before log_softmax.": _as_log_probs,
}
