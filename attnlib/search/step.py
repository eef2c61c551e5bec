"""The *step function*, through which every search sees a model, and what searches share beside it.

    step(tokens (B, K), memory, state) -> (log_probs (B, K, V), state, weights (B, K, S) or None)

``tokens`` are the last tokens of K prefixes of each of B sentences, ``log_probs`` tell what may
come next. ``memory`` is what stays fixed for a sentence: any nesting of tuples, lists and
dictionaries of tensors whose first dimension is B; it is never copied for the K prefixes.
``state`` is what a prefix carries along: the same with leading dimensions (B, K), K = 1 at first.

All lengths count the eos: ``max_length=3`` leaves room for two words and the eos.
"""

import math
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple, TypeAlias

import torch
from jaxtyping import Float, Int
from torch import Tensor

from ..names import require, require_whole

Step: TypeAlias = Callable[[Tensor, Any, Any], tuple[Tensor, Any, Tensor | None]]
Real: TypeAlias = float | int
Trace: TypeAlias = Callable[[dict[str, Any]], Any]


class Hypothesis(NamedTuple):
    """One answer of a search."""

    tokens: list[int]  # without sos and eos
    log_prob: float  # in nats, of the tokens and the eos
    score: float  # what it is ranked by
    finished: bool  # it ended with an eos
    weights: Tensor | None  # (T, S): a row for each token and, where it is finished, for the eos


class Task(NamedTuple):
    """The checked arguments that all searches share."""

    limits: Int[Tensor, " B"]
    min_length: int
    banned: tuple[int, ...]
    bos: int
    eos: int

    def barred(self, log_probs: Tensor, *more: int) -> Int[Tensor, " n"]:
        """The tokens of the vocabulary that may not be written now."""
        within = [v for v in {*self.banned, *more} if v < log_probs.shape[-1]]
        return torch.tensor(within, dtype=torch.long, device=log_probs.device)

    def ask(self, step: Step, tokens: Int[Tensor, "B K"], memory: Any, state: Any) -> Any:
        """What the step function says, after a look at its shape."""
        log_probs, state, weights = step(tokens, memory, state)
        shape = tuple(log_probs.shape)
        expected = f"a function that returns log_probs (B, K, V) with B, K = {tuple(tokens.shape)}"
        require(len(shape) == 3 and shape[:2] == tokens.shape, "step", expected, shape)
        require(0 <= self.eos < shape[2], "eos", f"one of the step's {shape[2]} tokens", self.eos)
        return log_probs, state, weights


def prepare(
    memory: Any, state: Any, max_length: Any, min_length: int, banned: Sequence[int], bos: int,
    eos: int,
) -> Task:  # fmt: skip
    """Check what all searches share."""
    tensor = next(_tensors((memory, state)), None)
    if tensor is None:
        raise ValueError("memory or state must hold a tensor, whose first dimension is the batch")
    batch = len(tensor)
    limits = list(max_length) if isinstance(max_length, Sequence) else [max_length] * batch
    require(len(limits) == batch, "max_length", f"one number or one for each of {batch}", limits)
    for limit in limits:
        require_whole("max_length", limit)
    require_whole("min_length", min_length, 0)
    room = f"below max_length={min(limits, default=math.inf)}, to leave room for the eos"
    require(all(min_length < limit for limit in limits), "min_length", room, min_length)
    for token in banned:
        require_whole("banned", token, 0)
    require(eos not in banned, "banned", f"without the eos ({eos}), or nothing ends", banned)
    return Task(torch.tensor(limits, device=tensor.device), min_length, tuple(banned), bos, eos)


def check_gains(gain: Float[Tensor, "*dims"]) -> None:
    """Refuse logits and NaN, which would quietly break every bound."""
    expected = "a function that returns log-probabilities (at most 0, not NaN; no logits)"
    if not bool((gain <= 1e-3).all()):
        require(False, "step", expected, float(gain.max()))


def check_stuck(stuck: Sequence[int]) -> None:
    """Refuse sentences (by number) in which every token has probability 0 or may not be written."""
    if stuck:
        raise ValueError(
            "step must be a function that gives some token that is not banned a probability above "
            f"0, got none in sentence {', '.join(map(str, stuck))}"
        )


def take(tree: Any, *index: Any) -> Any:
    """Every tensor x of a nesting of tuples, lists and dictionaries as x[index]; all else as it is.

    >>> take({"hidden": torch.tensor([[1, 2], [3, 4]]), "name": "LSTM"}, 1)
    {'hidden': tensor([3, 4]), 'name': 'LSTM'}
    """
    if isinstance(tree, Tensor):
        return tree[index]
    if isinstance(tree, dict):
        return {key: take(branch, *index) for key, branch in tree.items()}
    if isinstance(tree, (tuple, list)):
        branches = [take(branch, *index) for branch in tree]
        return type(tree)(*branches) if hasattr(tree, "_fields") else type(tree)(branches)
    return tree


def _tensors(tree: Any) -> Iterator[Tensor]:
    if isinstance(tree, Tensor):
        yield tree
    elif isinstance(tree, (dict, tuple, list)):
        for branch in tree.values() if isinstance(tree, dict) else tree:
            yield from _tensors(branch)
