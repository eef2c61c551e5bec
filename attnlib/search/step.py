"""The *step function*, through which every search sees a model, and what searches share beside it.

    step(tokens (B, K), memory, state) -> (log_probs (B, K, V), state, weights (B, K, S) or None)

``tokens`` are the last tokens of K prefixes of each of B sentences, ``log_probs`` tell what may
come next. ``memory`` is what stays fixed for a sentence: any nesting of tuples, lists and
dictionaries of tensors whose first dimension is B; it is never copied for the K prefixes.
``state`` is what a prefix carries along: the same with leading dimensions (B, K), K = 1 at first.

Special tokens have the numbers of ``attnlib.data``: PAD and BOS are never written, EOS ends a
hypothesis. All lengths count the eos: ``max_length=3`` leaves room for two words and the eos.
"""

import math
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple, TypeAlias

import torch
from jaxtyping import Float, Int
from torch import Tensor

from ..checks import as_int, plain, require
from ..data import BOS, EOS, PAD

BANNED = (PAD, BOS)  # tokens that are never written
Step: TypeAlias = Callable[[Tensor, Any, Any], tuple[Tensor, Any, Tensor | None]]
Trace: TypeAlias = Callable[[dict[str, Any]], Any]


class Hypothesis(NamedTuple):
    """One answer of a search."""

    tokens: list[int]  # without BOS and EOS
    log_prob: float  # in nats, of the tokens and the eos
    score: float  # what it is ranked by
    finished: bool  # it ended with an eos
    weights: Tensor | None  # (T, S): a row for each token and, where it is finished, for the eos


def check_lengths(
    memory: Any, state: Any, max_length: Any, min_length: int = 0
) -> Int[Tensor, " B"]:
    """The max_length of each sentence, on the device of what memory and state hold."""
    tensor = next(_tensors((memory, state)), None)
    if tensor is None or not tensor.dim():
        raise ValueError("memory or state must hold a tensor, whose first dimension is the batch")
    batch = len(tensor)
    given = plain(max_length)  # a tensor or an array too
    limits = list(given) if isinstance(given, Sequence) else [given] * batch
    require(len(limits) == batch, "max_length", f"one number or one for each of {batch}", limits)
    limits = [as_int("max_length", limit) for limit in limits]
    shortest = as_int("min_length", min_length, 0)
    room = f"below max_length={min(limits, default=math.inf)}, to leave room for the eos"
    require(all(shortest < limit for limit in limits), "min_length", room, min_length)
    return torch.tensor(limits, dtype=torch.long, device=tensor.device)


def call_step(step: Step, tokens: Int[Tensor, "B K"], memory: Any, state: Any) -> Any:
    """What the step function returns. Raises ValueError for other shapes than it promises."""
    output = step(tokens, memory, state)
    three = isinstance(output, tuple | list) and len(output) == 3
    require(three, "step", "a function that returns log_probs, state and weights", type(output))
    log_probs, expected = output[0], f"B, K = {tuple(tokens.shape)}, V > {EOS}"
    fits = log_probs.dim() == 3 and log_probs.shape[:2] == tokens.shape
    expected = f"a function that returns log_probs (B, K, V) with {expected}"
    require(fits and log_probs.shape[2] > EOS, "step", expected, tuple(log_probs.shape))
    return output


def check_log_probs(log_probs: Float[Tensor, "*dims"]) -> None:
    """Refuse logits and NaN, which would quietly break every bound."""
    largest = float(log_probs.amax())
    expected = "a function that returns log-probabilities (at most 0, not NaN; no logits)"
    require(largest <= 1e-3, "step", expected, largest)


def index_tree(tree: Any, *index: Any) -> Any:
    """Every tensor x of a nesting of tuples, lists and dictionaries as x[index]; all else as it is.

    >>> index_tree({"hidden": torch.tensor([[1, 2], [3, 4]]), "name": "LSTM"}, 1)
    {'hidden': tensor([3, 4]), 'name': 'LSTM'}
    """
    if isinstance(tree, Tensor):
        return tree[index]
    if isinstance(tree, dict):
        return {key: index_tree(branch, *index) for key, branch in tree.items()}
    if isinstance(tree, (tuple, list)):
        branches = [index_tree(branch, *index) for branch in tree]
        return type(tree)(*branches) if hasattr(tree, "_fields") else type(tree)(branches)
    return tree


def _tensors(tree: Any) -> Iterator[Tensor]:
    if isinstance(tree, Tensor):
        yield tree
    elif isinstance(tree, (dict, tuple, list)):
        for branch in tree.values() if isinstance(tree, dict) else tree:
            yield from _tensors(branch)
