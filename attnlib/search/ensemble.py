"""Several models that write one translation together."""

import math
from typing import Any

import torch
from torch import Tensor

from ..names import require
from .step import Step


def ensemble(*steps: Step) -> Step:
    """The step function of several models: p(y_t | y_<t, x) is the mean of what each gives.

    log p = log 1/M Σ_m exp log p_m. ``memory`` and ``state`` are then tuples of M, one of each
    model in the same order; ``weights`` are the mean of the models' weights, or None where one
    has none. The models must share the vocabulary that they write in, and may differ in
    everything else (Sutskever et al. 2014, §3.6: an ensemble of five).

    >>> def sure(tokens, memory, state):
    ...     return torch.tensor([[[0.9, 0.1]]]).log(), state, None
    >>> def unsure(tokens, memory, state):
    ...     return torch.tensor([[[0.5, 0.5]]]).log(), state, None
    >>> log_probs, *_ = ensemble(sure, unsure)(torch.tensor([[2]]), (None, None), (None, None))
    >>> log_probs.exp()
    tensor([[[0.7000, 0.3000]]])
    """
    require(len(steps) > 0, "steps", "at least one step function", len(steps))

    def step(tokens: Tensor, memory: Any, state: Any) -> tuple[Tensor, Any, Tensor | None]:
        asked = (one(tokens, *given) for one, *given in zip(steps, memory, state, strict=True))
        log_probs, states, weights = zip(*asked)
        together = torch.stack(log_probs).logsumexp(0) - math.log(len(steps))
        blind = any(looks is None for looks in weights)
        return together, states, None if blind else torch.stack(weights).mean(0)

    return step
