"""Exercise 7.7: ``token_cross_entropy``."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor

from attnbook.checks.ch07.shared import LOSS_SLIPS, Loss, generator
from attnbook.checks.shared import Inputs
from attnbook.exercises import Call, Exercise
from attnbook.exercises.values import shown


def token_cross_entropy(logits: Any, targets: Any, label_smoothing: Any = 0.0) -> Any:
    """Mean smoothed cross-entropy in nats. logits (N, V), targets (N,) → scalar tensor ()."""
    log_probs = logits.log_softmax(-1)
    right = log_probs.gather(1, targets.unsqueeze(1)).squeeze(1)  # (N,)
    return -((1 - label_smoothing) * right + label_smoothing * log_probs.mean(-1)).mean()


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


def _any_offset(call: Call) -> str | None:
    moved = float(call(logits=call.logits + 50.0))
    if abs(moved - float(call.result)) < 1e-3:
        return None
    return (
        f"Adding 50 to all logits changes the loss from {float(call.result):.3f} to {moved:.3f}. "
        "Logits are what goes *into* the softmax: log_softmax first, over the words."
    )


def _large_logits(call: Call) -> str | None:
    extreme: dict[str, Any] = {
        "logits": torch.tensor([[0.0, 300.0]]),
        "targets": torch.tensor([0]),
        "label_smoothing": 0.0,
    }
    try:
        found = float(call(**extreme))
    except Exception:
        if call.error(**extreme) is not None:
            raise
        found = float("nan")  # the engine says so of a NaN, but not where it comes from
    if found == found and abs(found) != float("inf"):
        return None
    what = "infinite: softmax gave exactly 0, and its log is −∞"
    if found != found:
        what = "not a number: exp(300) is too large for one, and ∞ was divided by ∞"
    return f"With logits 0 and 300 the loss is {what}. log_softmax does both at once."


def _tokens_alone(call: Call) -> str | None:
    """The loss is the mean of what each token costs alone."""
    if (count := len(call.targets)) == 1:
        return None
    alone = [
        float(call(logits=call.logits[n : n + 1], targets=call.targets[n : n + 1]))
        for n in range(count)
    ]
    mean = sum(alone) / count
    if abs(mean - float(call.result)) < 1e-4:
        return None
    return (
        f"Alone the {count} tokens cost {mean:.3f} on average, together they cost "
        f"{float(call.result):.3f}. The loss is the mean of what each token costs by itself."
    )


def _first_token(call: Call) -> str | None:
    if abs(float(call.result) - float(call.expected)) < 1e-5:
        return None
    costs = -call.logits[0].detach().log_softmax(-1)
    right, every = costs[call.targets[0]].item(), costs.mean().item()
    smoothing = call.label_smoothing
    return (
        f"For the first token the words cost {shown(costs)}: the right one {shown(right)}, all on "
        f"average {shown(every)}, so with ε = {smoothing:g} the token costs "
        f"{shown((1 - smoothing) * right + smoothing * every)}. The mean over all tokens is "
        f"{shown(float(call.expected))}, and {shown(float(call.result))} is returned."
    )


def _weights_sum_to_one(call: Call) -> str | None:
    words = call.logits.shape[1]
    loss = float(call(logits=torch.zeros_like(call.logits)))
    wanted = float(torch.tensor(float(words)).log())
    if abs(loss - wanted) < 1e-4:
        return None
    return (
        f"Where all {words} words are equally probable the loss should be log {words} = "
        f"{wanted:.3f} nats, however much is smoothed; it is {loss:.3f}."
    )


def _without(loss: Loss) -> Callable[..., Tensor]:
    return lambda logits, targets, label_smoothing=0.0: loss(logits, targets, label_smoothing)


CHECK = Exercise(
    "token_cross_entropy",
    reference=token_cross_entropy,
    inputs=_token_losses,
    rules={
        "only differences of logits count": _any_offset,
        "a word with probability almost 0 has a large loss, not an infinite one": _large_logits,
        "the loss is the mean of the tokens' losses": _tokens_alone,
        "where all words are equally probable the loss is log V": _weights_sum_to_one,
        "a token costs (1 − ε) of its word and ε of the mean over all words": _first_token,
    },
    mistakes=[(sentence, _without(loss)) for sentence, loss in LOSS_SLIPS.items()],
)
