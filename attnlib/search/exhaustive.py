"""Search through all hypotheses: slow, exact, and what the other searches are measured by."""

import math
from collections.abc import Callable, Sequence
from functools import partial
from itertools import count
from typing import Any, NamedTuple

import torch
from jaxtyping import Bool
from torch import Tensor

from ..checks import as_int
from .penalties import Scoring, require_attention
from .step import (
    Hypothesis,
    Real,
    SearchConfig,
    Step,
    Trace,
    check_log_probs,
    index_tree,
    make_search_config,
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
    n_best: int = 1,
    alpha: Real = 0.0,
    penalty: str = "gnmt",
    beta: Real = 0.0,
    src_mask: Bool[Tensor, "B S"] | None = None,
    min_length: int = 0,
    banned: Sequence[int] = (0, 2),
    bos: int = 2,
    eos: int = 3,
    max_nodes: int = 1_000_000,
    trace: Trace | None = None,
) -> list[list[Hypothesis]]:
    """The best of *all* hypotheses of at most ``max_length`` tokens, by depth-first search.

    A prefix is left alone when even its bound (see ``beam_search``, stop="exact") is no better
    than what was found already (Stahlberg and Byrne 2019): the result is exact. Sentences are
    searched one by one. Arguments and returns as in ``beam_search``, but a sentence in which
    nothing can end gets an empty list; ``trace`` is given a dictionary (sentence, tokens,
    log_prob) of each node, that is, of each prefix that was expanded: count them to see the cost.
    Raises SearchBudgetError where a sentence needs more than ``max_nodes``.

    >>> table = torch.tensor([0, 0, 0, 0.3, 0.7]).log()
    >>> def step(tokens, memory, state):
    ...     return table.expand(*tokens.shape, 5), state, None
    >>> nodes = []
    >>> exhaustive_search(step, torch.zeros(1), None, max_length=9, trace=nodes.append)[0][0].tokens
    []
    >>> [node["tokens"] for node in nodes]  # 0.7⁴ is less than the 0.3 of ending at once
    [[], [4], [4, 4], [4, 4, 4]]
    """
    config = make_search_config(memory, state, max_length, min_length, banned, bos, eos)
    scoring = Scoring(alpha, penalty, beta)
    scoring.check_mask(src_mask, len(config.limits))
    as_int("n_best", n_best)
    as_int("max_nodes", max_nodes)
    nodes = count(1)

    def visit(sentence: int, prefix: _Prefix) -> None:
        if next(nodes) > max_nodes:
            expected = "max_nodes must be larger, or max_length smaller"
            raise SearchBudgetError(f"{expected}, got {max_nodes}")
        if trace is not None:
            trace({"sentence": sentence, "tokens": prefix.tokens, "log_prob": prefix.log_prob})

    results = []
    for b, limit in enumerate(config.limits.tolist()):
        one, mask = slice(b, b + 1), None if src_mask is None else src_mask[b].cpu()
        tree = _Tree(step, index_tree(memory, one), config, scoring, mask, limit)
        root = _Prefix(0.0, [], index_tree(state, one), [])
        results.append(tree.search(root, n_best, partial(visit, b)))
    return results


class _Prefix(NamedTuple):
    """A node of the exhaustive search."""

    log_prob: float
    tokens: list[int]
    state: Any
    attention: list[Tensor]  # (S,), one of each step


class _Tree(NamedTuple):
    """All prefixes of one sentence."""

    step: Step
    memory: Any
    config: SearchConfig
    scoring: Scoring
    mask: Tensor | None
    limit: int

    def search(
        self, root: _Prefix, n_best: int, visit: Callable[[_Prefix], None]
    ) -> list[Hypothesis]:
        """The best hypotheses below a prefix; ``visit`` is called with each that is expanded."""
        found: list[Hypothesis] = []
        stack = [root]
        while stack:
            prefix = stack.pop()
            n, total = len(prefix.tokens) + 1, _as_float64(prefix.log_prob)
            bound = self.scoring.bound(total, n, _as_float64(self.limit))
            if len(found) == n_best and bound <= found[-1].score:
                continue
            visit(prefix)
            following, ending = _expand_node(self.step, self.memory, prefix, self.config)
            if n < self.limit:
                stack += following  # the most probable one is on top
            if n > self.config.min_length and ending.log_prob > -math.inf:
                found.append(self.hypothesis(ending))
                found = sorted(found, key=lambda h: -h.score)[:n_best]
        return found

    def hypothesis(self, ending: _Prefix) -> Hypothesis:
        attention = torch.stack(ending.attention) if ending.attention else None
        coverage = require_attention(attention).sum(0).cpu() if self.scoring.beta else None
        total, n = _as_float64(ending.log_prob), len(ending.tokens) + 1
        score = float(self.scoring.score(total, n, coverage, self.mask))
        return Hypothesis(ending.tokens, ending.log_prob, score, True, attention)


def _expand_node(
    step: Step, memory: Any, prefix: _Prefix, config: SearchConfig
) -> tuple[list[_Prefix], _Prefix]:
    """All continuations of a prefix by one token, the best last, and its ending."""
    last = torch.tensor([[config.bos, *prefix.tokens][-1:]], device=config.limits.device)
    log_probs, state, weights = config.call_step(step, last, memory, prefix.state)
    check_log_probs(log_probs)
    attention = prefix.attention if weights is None else [*prefix.attention, weights[0, 0]]
    gains, order = (x.flatten().tolist() for x in log_probs.sort(-1))
    following = [
        _Prefix(prefix.log_prob + gain, [*prefix.tokens, token], state, attention)
        for gain, token in zip(gains, order)
        if token not in (*config.banned, config.eos) and gain > -math.inf
    ]
    ending = prefix.log_prob + gains[order.index(config.eos)]
    return following, _Prefix(ending, prefix.tokens, state, attention)


def _as_float64(number: Real) -> Tensor:
    """A number of Python's with all its digits: scores are compared to the last one."""
    return torch.tensor(number, dtype=torch.float64)
