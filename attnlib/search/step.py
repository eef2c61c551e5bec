"""The *step function*, through which every search sees a model, and what searches share beside it.

    step(tokens (B, K), memory, state) -> (log_probs (B, K, V), state, weights (B, K, S) or None)

``tokens`` are the last tokens of K prefixes of each of B sentences, ``log_probs`` tell what may
come next. ``memory`` is what stays fixed for a sentence: any nesting of tuples, lists and
dictionaries of tensors whose first dimension is B; it is never copied for the K prefixes.
``state`` is what a prefix carries along: the same with leading dimensions (B, K), K = 1 at first.

All lengths count the eos: ``max_length=3`` leaves room for two words and the eos.

A host that asks a GPU for a number waits until it has nothing left to do. So on CUDA a search asks
only every few steps which sentences have stopped, and step functions are called for those, too;
what they say of them does not matter. On all other devices every step is asked for.
"""

import math
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple, TypeAlias

import torch
from jaxtyping import Float, Int
from torch import Tensor

from ..checks import plain, require, require_whole
from ..device import send

Step: TypeAlias = Callable[[Tensor, Any, Any], tuple[Tensor, Any, Tensor | None]]
Real: TypeAlias = float | int
Trace: TypeAlias = Callable[[dict[str, Any]], Any]
LARGE, GROUP = 1024, 32  # from which vocabulary on tokens are sorted by groups, and of how many
LOOK = {"cuda": 4}  # steps between two synchronizations with the device; 1 where it is not listed


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
        return send(torch.tensor(within, dtype=torch.long), log_probs.device)

    def ask(self, step: Step, tokens: Int[Tensor, "B K"], memory: Any, state: Any) -> Any:
        """What the step function says, after a look at its shape."""
        told = step(tokens, memory, state)
        three = isinstance(told, tuple | list) and len(told) == 3
        require(three, "step", "a function that returns log_probs, state and weights", type(told))
        log_probs, state, weights = told
        shape = tuple(log_probs.shape)
        expected = f"a function that returns log_probs (B, K, V) with B, K = {tuple(tokens.shape)}"
        require(len(shape) == 3 and shape[:2] == tokens.shape, "step", expected, shape)
        require(self.eos < shape[2], "eos", f"one of the step's {shape[2]} tokens", self.eos)
        return log_probs, state, weights


def prepare(
    memory: Any,
    state: Any,
    max_length: Any,
    min_length: int,
    banned: Sequence[int],
    bos: int,
    eos: int,
) -> Task:
    """Check what all searches share."""
    tensor = next(_tensors((memory, state)), None)
    if tensor is None or not tensor.dim():
        raise ValueError("memory or state must hold a tensor, whose first dimension is the batch")
    batch = len(tensor)
    given = plain(max_length)  # a tensor or an array too
    limits = list(given) if isinstance(given, Sequence) else [given] * batch
    require(len(limits) == batch, "max_length", f"one number or one for each of {batch}", limits)
    limits = [require_whole("max_length", limit) for limit in limits]
    min_length = require_whole("min_length", min_length, 0)
    room = f"below max_length={min(limits, default=math.inf)}, to leave room for the eos"
    require(all(min_length < limit for limit in limits), "min_length", room, min_length)
    bos, eos = require_whole("bos", bos, 0), require_whole("eos", eos, 0)
    listed = isinstance(plain(banned), Sequence)
    require(listed, "banned", "a list of tokens that are never written", banned)
    never = [require_whole("banned", token, 0) for token in plain(banned)]
    require(eos not in never, "banned", f"without the eos ({eos}), or nothing ends", banned)
    return Task(torch.tensor(limits, device=tensor.device), min_length, tuple(never), bos, eos)


def ensemble(*steps: Step) -> Step:
    """The step function of several models: p(y_t | y_<t, x) is the mean of what each gives.

    log p = log 1/M Σ_m exp log p_m. ``memory`` and ``state`` are then tuples of M, one of each
    model in the same order; ``weights`` are the mean of the models' weights, or None where one
    has none. The models must share the vocabulary that they write in, and may differ in
    everything else (Sutskever et al. 2014, §3.6: an ensemble of five). Raises ValueError without a
    step function, and when memory or state is not one of each, or vocabularies differ.

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
        for name, given in (("memory", memory), ("state", state)):
            each = isinstance(given, tuple | list) and len(given) == len(steps)
            require(each, name, f"a tuple of {len(steps)}, one of each step function", type(given))
        asked = (one(tokens, *given) for one, *given in zip(steps, memory, state))
        log_probs, states, weights = zip(*asked)
        sizes = [tuple(one.shape) for one in log_probs]
        one_vocabulary = "step functions that write one vocabulary, (B, K, V) with one V"
        require(len({*sizes}) == 1, "steps", one_vocabulary, sizes)
        together = torch.stack(log_probs).logsumexp(0) - math.log(len(steps))
        blind = any(looks is None for looks in weights)
        return together, states, None if blind else torch.stack(weights).mean(0)

    return step


def check_gains(gain: Float[Tensor, "*dims"]) -> None:
    """Refuse logits and NaN, which would quietly break every bound."""
    expected = "a function that returns log-probabilities (at most 0, not NaN; no logits)"
    require(bool((gain <= 1e-3).all()), "step", expected, float(gain.max()))


def expand(log_probs: Tensor, total: Tensor, size: int, barred: Tensor) -> tuple[Tensor, ...]:
    """The ``size`` best continuations of prefixes by one token that is not barred: log-probability,
    parent and token of each, (B, size). log_probs (B, K, V), total (B, K), barred (n). The fourth
    is for ``check_gains``: what the best of all tokens adds to its sentence, (B,)."""
    prefixes, vocabulary = log_probs.shape[1:]
    size = min(size, max(1, prefixes * (vocabulary - len(barred))))  # one, −∞, if all are barred
    # At most prefixes × barred candidates fall away, so this many are enough to find the best.
    enough = min(size + prefixes * len(barred), prefixes * vocabulary)
    best, flat = _best(log_probs, total, enough)
    gain = torch.where(total[:, 0] == -math.inf, 0.0, best[:, 0] - total[:, 0])
    best = best.masked_fill(torch.isin(flat % vocabulary, barred), -math.inf)
    best, pick = best.topk(size)
    flat = flat.gather(1, pick)
    return best, flat // vocabulary, flat % vocabulary, gain


def _best(log_probs: Tensor, total: Float[Tensor, "B K"], count: int) -> tuple[Tensor, Tensor]:
    """The ``count`` best continuations: their log-probabilities and where they stand among the
    K × V of their sentence, each (B, count).

    Sorting is slow, so of a large vocabulary only a few tokens are sorted: those of the ``count``
    groups with the best maxima. Each of these holds a continuation at least as good as any
    that is left out, so nothing better is.
    """
    vocabulary = log_probs.shape[2]
    if vocabulary < LARGE:
        return (log_probs + total.unsqueeze(-1)).flatten(1).topk(count)
    whole = vocabulary - vocabulary % GROUP
    maxima = log_probs[..., :whole].unflatten(-1, (-1, GROUP)).amax(-1)  # (B, K, groups)
    if whole < vocabulary:  # the last group is shorter
        maxima = torch.cat([maxima, log_probs[..., whole:].amax(-1, keepdim=True)], -1)
    groups = maxima.shape[2]
    maxima = (maxima + total.unsqueeze(-1)).flatten(1)
    chosen = maxima.topk(min(count, maxima.shape[1])).indices  # (B, n)
    prefix, first = chosen // groups, chosen % groups * GROUP
    token = first.unsqueeze(-1) + torch.arange(GROUP, device=total.device)  # (B, n, GROUP)
    flat = (prefix * vocabulary).unsqueeze(-1) + token.clamp(max=vocabulary - 1)
    gain = log_probs.flatten(1).gather(1, flat.flatten(1)).view(flat.shape)
    scores = gain + total.gather(1, prefix).unsqueeze(-1)
    scores = scores.masked_fill(token >= vocabulary, -math.inf)
    best, pick = scores.flatten(1).topk(count)
    return best, flat.flatten(1).gather(1, pick)


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
