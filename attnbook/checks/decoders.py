"""What checks of running a decoder step by step share."""

from collections.abc import Callable

import torch
from torch import Tensor

from attnbook.checks.inputs import generator
from attnbook.checks.rules import calls_to
from attnbook.exercises import Call, Function, Mistakes
from attnbook.exercises.values import fmt

Step = Callable[[Tensor, Tensor], tuple[Tensor, Tensor]]


def chain(seed: int, words: int) -> Step:
    """A decoder of one table: what follows depends on the last word and on those before it.

    The table is a parameter: a loss on the logits could train it.
    """
    table = torch.randn(words, words, generator=generator(seed)).requires_grad_()

    def step(tokens: Tensor, state: Tensor) -> tuple[Tensor, Tensor]:
        pattern = torch.arange(words, device=tokens.device)
        logits = table.to(tokens.device)[tokens] + 0.5 * torch.sin(state.unsqueeze(1) * pattern)
        return logits, state + 1.0 + 0.1 * tokens

    return step


def is_right(call: Call) -> bool:
    """Whether the result is the reference's: then how it was made is the learner's choice."""
    same = call.result.shape == call.expected.shape
    return same and torch.allclose(call.result, call.expected, atol=1e-4)


def state_carried(call: Call) -> str | None:
    if is_right(call):
        return None
    expected, whose = call.state, "`state` as it was given"
    for t, (_, state, (_, new)) in enumerate(calls_to(call, "step"), 1):
        if not torch.equal(state, expected):
            return (
                f"Step {t} was given the state {fmt(state)}. It should be {whose}: {fmt(expected)}."
            )
        expected, whose = new, f"what step {t} returned"
    return None


def logits_unchanged(call: Call) -> str | None:
    """What comes back is what the decoder gave, as it gave it."""
    if is_right(call):
        return None
    for t, (*_, (logits, _)) in enumerate(calls_to(call, "step")):
        if not torch.allclose(call.result[:, t], logits, atol=1e-4):
            return (
                f"In step {t + 1} the decoder gave the logits {fmt(logits[0])} for the first "
                f"sentence, but at [0, {t}] your result has {fmt(call.result[0, t])}."
            )
    return None


def logits_mistakes(run: Function, steps: str) -> Mistakes:
    """A right run, whose logits do not come back as (B, ``steps``, V)."""

    def after(change: Callable[[Tensor], Tensor]) -> Function:
        return lambda **arguments: change(run(**arguments))

    return {
        "These are the words. The loss needs their logits, one row of V numbers per step.": (
            after(lambda logits: logits.argmax(-1))
        ),
        "These are probabilities. Return the logits, which go into the softmax.": (
            after(lambda logits: logits.softmax(-1))
        ),
        "These are log-probabilities. Return the logits, which go into the softmax.": (
            after(lambda logits: logits.log_softmax(-1))
        ),
        "Steps and sentences are swapped: the logits of sentence b belong in row b, so stack "
        "the steps along dimension 1.": after(lambda logits: logits.transpose(0, 1)),
        f"The steps are joined side by side, (B, {steps} · V). torch.stack gives them their own "
        "dimension; torch.cat does not.": after(lambda logits: logits.flatten(1)),
    }
