"""Search through all hypotheses: slow, exact, and what the other searches are measured by."""

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

import torch
from jaxtyping import Int
from torch import Tensor

from ..checks import as_int
from ..data import BOS, EOS
from .step import (
    BANNED,
    Hypothesis,
    Step,
    call_step,
    check_lengths,
    check_log_probs,
    index_tree,
)


class SearchBudgetError(ValueError):
    """A sentence needs more nodes than exhaustive search was allowed."""


@torch.no_grad()
def exhaustive_search(
    step: Step,
    memory: Any,
    state: Any,
    *,
    max_length: int | Sequence[int] | Tensor,
    max_nodes: int = 1_000_000,
) -> list[list[Hypothesis]]:
    """The best of *all* hypotheses of at most ``max_length`` tokens, by depth-first search.

    A prefix is left alone when it is no more probable than the best hypothesis so far, because
    log P only falls (Stahlberg and Byrne 2019): the result is exact. Sentences are searched one by
    one. Arguments and returns as in ``beam_search``, but a sentence in which nothing can end gets
    an empty list; max_nodes is the number of prefixes of a sentence that may be expanded, each by
    one call of ``step``. Raises SearchBudgetError where a sentence needs more.

    >>> table, calls = torch.tensor([0, 0, 0, 0.3, 0.7]).log(), []
    >>> def step(tokens, memory, state):
    ...     calls.append(tokens)
    ...     return table.expand(*tokens.shape, 5), state, None
    >>> exhaustive_search(step, torch.zeros(1), None, max_length=9)[0][0].tokens
    []
    >>> len(calls)  # [], [4], [4, 4], [4, 4, 4]: 0.7⁴ is less than the 0.3 of ending at once
    4
    """
    limits = check_lengths(memory, state, max_length)
    as_int("max_nodes", max_nodes)
    results = []
    for b, limit in enumerate(limits):
        one = slice(b, b + 1)
        root = _Prefix(0.0, [], index_tree(state, one), [])
        results.append(_search_tree(step, index_tree(memory, one), root, limit, max_nodes))
    return results


class _Prefix(NamedTuple):
    """A node of the tree of all prefixes of a sentence."""

    log_prob: float
    tokens: list[int]
    state: Any
    attention: list[Tensor]  # (S,), one of each step


def _search_tree(
    step: Step, memory: Any, root: _Prefix, limit: Int[Tensor, ""], max_nodes: int
) -> list[Hypothesis]:
    """The best hypothesis below the root, in a list; an empty list where nothing can end."""
    best: list[Hypothesis] = []
    stack, nodes, longest = [root], 0, int(limit)
    while stack:
        prefix = stack.pop()
        if best and prefix.log_prob <= best[0].log_prob:
            continue
        nodes += 1
        if nodes > max_nodes:
            expected = "max_nodes must be larger, or max_length smaller"
            raise SearchBudgetError(f"{expected}, got {max_nodes}")
        last = torch.tensor([[BOS, *prefix.tokens][-1:]], device=limit.device)
        log_probs, state, weights = call_step(step, last, memory, prefix.state)
        check_log_probs(log_probs)
        attention = prefix.attention if weights is None else [*prefix.attention, weights[0, 0]]
        for gain, token in zip(*(x.flatten().tolist() for x in log_probs.sort(-1))):
            log_prob = prefix.log_prob + gain
            if token == EOS:
                if log_prob > (best[0].log_prob if best else -math.inf):
                    rows = torch.stack(attention) if attention else None
                    best = [Hypothesis(prefix.tokens, log_prob, log_prob, True, rows)]
            elif token not in BANNED and gain > -math.inf and len(prefix.tokens) + 1 < longest:
                # The most probable one comes last, and so lies on top.
                stack.append(_Prefix(log_prob, [*prefix.tokens, token], state, attention))
    return best
