"""What checks of chapter 8 share."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, TypeAlias

import torch
from torch import Tensor

from attnbook.exercises import Call
from attnlib import search

Step: TypeAlias = Callable[[Tensor, Any, Any], Any]


Answer: TypeAlias = tuple[list[int], float]


PAD, BOS, EOS = 0, 2, 3


SIZE = 7  # of the toy models' vocabulary: pad, unk, sos, eos and three words


# Toy language models: every prefix has a distribution of its own ----------------------------------


def start() -> dict[str, Any]:
    return {"memory": torch.zeros(1), "state": torch.zeros(1, 1, dtype=torch.long)}


def stepping(rows: Tensor, depth: int) -> Step:
    """A step function over a tree of prefixes, numbered level by level; eos is certain at
    ``depth`` words. The state is the number of the prefix, so a wrong state is noticed."""
    last = (SIZE**depth - 1) // (SIZE - 1)  # the first prefix of ``depth`` words

    def toy_step(tokens: Tensor, memory: Any, state: Tensor) -> tuple[Tensor, Tensor, None]:
        if not isinstance(tokens, Tensor) or tokens.dim() != 2 or tokens.is_floating_point():
            raise ValueError("tokens must be a tensor of whole numbers of shape (1, K)")
        node = torch.where(tokens == 2, 0, SIZE * state + tokens + 1)
        log_probs = rows[node.clamp(max=len(rows) - 1)]
        certain = torch.full((SIZE,), -math.inf)
        certain[EOS] = 0.0
        return torch.where((node >= last).unsqueeze(-1), certain, log_probs), node, None

    return toy_step


def random_step(seed: int, depth: int = 3, never_ends: bool = False) -> Step:
    generator = torch.Generator().manual_seed(seed)
    rows = 1.5 * torch.randn((SIZE**depth - 1) // (SIZE - 1), SIZE, generator=generator)
    if never_ends:
        rows[:, EOS] = -math.inf
    return stepping(rows.log_softmax(-1), 20 if never_ends else depth)


def written_step(*levels: dict[tuple[int, ...], dict[int, float]]) -> Step:
    """A model spelled out: prefix → token → probability."""
    table = {prefix: row for level in levels for prefix, row in level.items()}
    rows = torch.full(((SIZE**3 - 1) // (SIZE - 1), SIZE), 0.0)
    for prefix, row in table.items():
        node = 0
        for token in prefix:
            node = SIZE * node + token + 1
        for token, probability in row.items():
            rows[node, token] = probability
    return stepping(rows.log(), 3)


# 4 "he", 5 "I", 6 "went": the chapter's example, shortened
TRAP = written_step(
    {(): {4: 0.5, 5: 0.4, 3: 0.1}},
    {(4,): {3: 0.35, 6: 0.4, 5: 0.25}, (5,): {6: 0.9, 3: 0.1}},
    {(4, 6): {3: 0.6, 4: 0.4}, (5, 6): {3: 1.0}},
)


def greedy_reference(
    step: Step, memory: Any, state: Any, max_length: int
) -> Answer:  # fmt: skip
    [[found]] = search.greedy_search(step, memory, state, max_length=max_length)
    return found.tokens, found.log_prob


def ends_without_eos(call: Call) -> str | None:
    if EOS not in list(call.result[0]):
        return None
    return "The eos (3) is among the tokens. Count its log-probability, and leave it out."
