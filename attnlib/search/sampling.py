"""Sampling: every token is drawn at random."""

import math
from collections.abc import Sequence
from typing import Any

import torch
from jaxtyping import Float, Int
from torch import Tensor

from ..checks import Number, as_int, as_number, require
from .greedy import follow_paths
from .step import Hypothesis, Step, check_lengths


@torch.no_grad()
def sample_search(
    step: Step,
    memory: Any,
    state: Any,
    *,
    max_length: int | Sequence[int] | Tensor,
    samples: int = 1,
    temperature: Number = 1.0,
    top_k: int | None = None,
    top_p: Number = 1.0,
    generator: torch.Generator | None = None,
) -> list[list[Hypothesis]]:
    """Draw every token at random: y_t ~ p(v | y_<t, x)^(1/temperature), normalised.

    ``top_k`` keeps only the k most probable tokens (Fan et al. 2018); ``top_p`` then keeps the
    nucleus: the fewest tokens that together reach probability top_p (Holtzman et al. 2020).
    Returns ``samples`` hypotheses for each sentence *in the order drawn* (each is a fair sample,
    the best of them would not be), with the model's own log-probability as score. Other arguments
    and errors as in ``beam_search``.

    >>> table = torch.tensor([0, 0, 0, 0.3, 0.7]).log()
    >>> def step(tokens, memory, state):
    ...     return table.expand(*tokens.shape, 5), state, None
    >>> sample_search(step, torch.zeros(1), None, max_length=3, top_k=1)[0][0].tokens
    [4, 4, 4]
    """
    as_int("samples", samples)
    require(0 < as_number(temperature) < math.inf, "temperature", "a number above 0", temperature)
    temperature = min(max(as_number(temperature), 1e-45), 1e38)  # as near to 0 and ∞ as float32
    if top_k is not None:
        as_int("top_k", top_k)
    require(0 < as_number(top_p) <= 1, "top_p", "above 0 and at most 1", top_p)
    limits = check_lengths(memory, state, max_length)

    def choose(log_probs: Float[Tensor, "B P V"]) -> Int[Tensor, "B P"]:
        return _sample_tokens(log_probs, temperature, top_k, top_p, generator)

    return follow_paths(step, memory, state, limits, 0, samples, choose)


def _sample_tokens(
    log_probs: Float[Tensor, "B P V"],
    temperature: float,
    top_k: int | None,
    top_p: Number,
    generator: torch.Generator | None,
) -> Int[Tensor, "B P"]:
    """A token of each row, drawn from softmax(log_probs / temperature) without its tail."""
    # Subtracted, so that a small temperature does not send all of them to −∞.
    logits = (log_probs - log_probs.amax(-1, keepdim=True)) / temperature
    order = None
    if top_k is not None or top_p < 1:
        logits, order = logits.sort(-1, descending=True)
        logits[..., logits.shape[-1] if top_k is None else top_k :] = -math.inf
        probs = logits.softmax(-1)
        # The more probable tokens already make up top_p.
        logits = logits.masked_fill(probs.cumsum(-1) - probs >= top_p, -math.inf)
    # What torch.multinomial draws, which first asks the device whether these are probabilities.
    noise = torch.empty_like(logits).exponential_(generator=generator)
    drawn = (logits.softmax(-1) / noise).argmax(-1, keepdim=True)  # (B, P, 1)
    return (drawn if order is None else order.gather(-1, drawn)).squeeze(-1)
