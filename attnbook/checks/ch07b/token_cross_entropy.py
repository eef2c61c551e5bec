"""Exercise 7.7: ``token_cross_entropy``."""

import math
from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor

from attnbook.checks.inputs import Inputs, generator
from attnbook.exercises import Call, Exercise
from attnbook.exercises.values import fmt

Loss = Callable[[Tensor, Tensor, float], Tensor]


def token_cross_entropy(logits: Any, targets: Any, label_smoothing: Any = 0.0) -> Any:
    """Mean smoothed cross-entropy in nats. logits (N, V), targets (N,) → scalar tensor ()."""
    log_probs = logits.log_softmax(-1)
    right = log_probs.gather(1, targets.unsqueeze(1)).squeeze(1)  # (N,)
    return -((1 - label_smoothing) * right + label_smoothing * log_probs.mean(-1)).mean()


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


_LOSS_MISTAKES: dict[str, Loss] = {
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
    "The sign is missing: log-probabilities are negative, a loss is not.": (
        lambda x, y, e: -token_cross_entropy(x, y, e)
    ),
    "The logarithm has another base: this is the loss in bits. Nats want the natural logarithm, as "
    "log_softmax has it.": lambda x, y, e: token_cross_entropy(x, y, e) / math.log(2),
    "The softmax runs over the tokens. Each row of logits is one prediction: over the words, "
    "log_softmax(-1).": lambda x, y, e: _as_log_probs(x.log_softmax(0), y, e),
}


def _token_losses() -> Inputs:
    logits, targets = torch.tensor([[0.0, 2.0]]), torch.tensor([0])
    yield {"logits": logits, "targets": targets, "label_smoothing": 0.0}
    yield {"logits": logits, "targets": targets, "label_smoothing": 0.2}
    for seed, count, words, smoothing in ((1, 6, 5, 0.0), (2, 6, 5, 0.1), (3, 3, 7, 0.3)):
        draw = generator(seed)
        yield {
            "logits": 2 * torch.randn(count, words, generator=draw),
            "targets": torch.randint(words, (count,), generator=draw),
            "label_smoothing": smoothing,
        }


def _large_logits(call: Call) -> str | None:
    extreme: dict[str, Any] = {
        "logits": torch.tensor([[0.0, 300.0]]),
        "targets": torch.tensor([0]),
        "label_smoothing": 0.0,
    }
    try:
        loss = float(call(**extreme))
    except Exception:
        if call.error(**extreme) is not None:
            raise
        loss = float("nan")  # the engine says so of a NaN, but not where it comes from
    if loss == loss and abs(loss) != float("inf"):
        return None
    return (
        f"With logits 0 and 300 the loss is {loss}: exp(300) is ∞, or a probability was 0 and its "
        "log −∞. log_softmax avoids both."
    )


def _first_token(call: Call) -> str | None:
    if abs(float(call.result) - float(call.expected)) < 1e-5:
        return None
    costs = -call.logits[0].detach().log_softmax(-1)
    right, every = costs[call.targets[0]].item(), costs.mean().item()
    smoothing = call.label_smoothing
    return (
        f"For the first token the words cost {fmt(costs)}: the right one {fmt(right)}, all on "
        f"average {fmt(every)}, so with ε = {smoothing:g} the token costs "
        f"{fmt((1 - smoothing) * right + smoothing * every)}. The mean over all tokens is "
        f"{fmt(float(call.expected))}, and {fmt(float(call.result))} is returned."
    )


def _of(loss: Loss) -> Callable[..., Tensor]:
    return lambda logits, targets, label_smoothing=0.0: loss(logits, targets, label_smoothing)


CHECK = Exercise(
    token_cross_entropy,
    inputs=_token_losses,
    rules={
        "a word with probability almost 0 has a large loss, not an infinite one": _large_logits,
        "a token costs (1 − ε) of its word and ε of the mean over all words": _first_token,
    },
    mistakes={sentence: _of(loss) for sentence, loss in _LOSS_MISTAKES.items()},
)
