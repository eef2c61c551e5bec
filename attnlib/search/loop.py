"""The loop over time that greedy, sampling and beam search share, and the way back through it.

A batch of B sentences has K prefixes each. Every turn asks the step function what may come next,
lets the search choose (``advance``), and drops the sentences that have stopped. What was chosen
is kept as back-pointers; ``read_back`` follows them once, at the end.
"""

import math
from collections.abc import Callable
from typing import Any, NamedTuple

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor

from .step import LOOK, Hypothesis, Step, Task, check_gains, take


class Found(NamedTuple):
    """Hypotheses of each sentence, best first; score −∞ where there is none."""

    score: Float[Tensor, "B N"]
    log_prob: Float[Tensor, "B N"]
    end: Int[Tensor, "B N"]  # the number of tokens, without eos
    slot: Int[Tensor, "B N"]  # which of the K prefixes it was after ``end`` steps
    finished: Bool[Tensor, "B N"]

    @staticmethod
    def make(score: Tensor, log_prob: Tensor, end: int, finished: bool) -> "Found":
        """The K prefixes of each sentence after step ``end``. score, log_prob (B, K)."""
        slot = torch.arange(score.shape[1], device=score.device).expand(score.shape)
        ended = torch.full_like(slot, finished, dtype=torch.bool)
        return Found(score, log_prob, torch.full_like(slot, end), slot, ended)

    def merge(self, other: "Found") -> "Found":
        """The best of both, as many as there are here."""
        both = [torch.cat(pair, 1) for pair in zip(self, other)]
        best = both[0].topk(self.score.shape[1], dim=1).indices
        return Found(*(field.gather(1, best) for field in both))


Done = list[tuple[Tensor, Found]]  # indices of sentences, and their hypotheses


class Live(NamedTuple):
    """What is known of the sentences that have not stopped."""

    rows: Int[Tensor, " B"]  # their indices in the given batch
    limits: Int[Tensor, " B"]
    total: Float[Tensor, "B K"]  # log-probabilities of the prefixes, best first
    found: Found
    endings: Int[Tensor, " B"]  # how many were taken
    mask: Bool[Tensor, "B 1 S"] | None
    coverage: Float[Tensor, "B K S"] | None  # weights summed over the steps so far


class Past(NamedTuple):
    """One step, for reading hypotheses back: K prefixes became K' (with trace up to 2 K)."""

    rows: Int[Tensor, " B"]
    parents: Int[Tensor, "B K'"]  # the slot of each prefix one step before
    tokens: Int[Tensor, "B K'"]
    total: Float[Tensor, "B K'"]
    ended: Float[Tensor, "B K"]  # log-probability of the endings taken, −∞ where none was
    weights: Float[Tensor, "B K S"] | None


def begin(task: Task, n_best: int, src_mask: Tensor | None = None) -> Live:
    """The empty prefix of every sentence."""
    rows = torch.arange(len(task.limits), device=task.limits.device)
    total = torch.zeros(len(rows), 1, device=rows.device)
    none = total.expand(-1, n_best) - math.inf
    mask = None if src_mask is None else src_mask.unsqueeze(1)
    coverage = None if mask is None else mask * 0.0
    found = Found.make(none, none, 0, False)
    found = found._replace(slot=found.end)  # 0: there are n_best places, but one prefix so far
    return Live(rows, task.limits, total, found, rows * 0, mask, coverage)


def run(
    step: Step, memory: Any, state: Any, live: Live, task: Task, advance: Callable[..., Any]
) -> tuple[list[Past], Done]:
    """The loop over time. Returns every step, and what was found in the sentences, with their
    numbers, in the order in which they were seen to have stopped."""
    tokens = torch.full_like(live.rows, task.bos).unsqueeze(1)
    history: list[Past] = []
    done: Done = []
    most = live.total.new_zeros(())  # for check_gains
    while len(live.rows):
        log_probs, state, weights = task.ask(step, tokens, memory, state)
        live, past, stopped, gain = advance(live, log_probs, weights, len(history) + 1)
        history.append(past)
        most = torch.maximum(most, gain.amax())  # NaN stays NaN
        keep, width = torch.arange(len(stopped), device=stopped.device), live.total.shape[1]
        if len(history) % LOOK.get(stopped.device.type, 1) == 0:
            check_gains(most)
            keep = (~stopped).nonzero().squeeze(1)
        parents, tokens = (x[keep, :width] for x in (past.parents, past.tokens))
        state = take(state, keep.unsqueeze(1), parents)  # each goes on from its parent's state
        if len(keep) < len(stopped):
            done.append((live.rows[stopped], take(live.found, stopped)))
            live, memory = take((live, memory), keep)
    return history, done


def read_back(history: list[Past], done: Done, least: int = 1) -> list[list[Hypothesis]]:
    """Follow the back-pointers of all hypotheses at once, from the last step to the first. Raises
    ValueError where a sentence has fewer than ``least``: every token that may be written there has
    probability 0."""
    if not history:
        return []  # a batch of no sentences
    order = torch.cat([rows for rows, _ in done]).argsort()
    found = Found(*(torch.cat(parts)[order] for parts in zip(*(f for _, f in done))))
    place, slot = torch.zeros_like(order), found.slot
    tokens, weights = [], []
    for t in range(len(history), 0, -1):
        past = history[t - 1]
        place[past.rows] = torch.arange(len(past.rows), device=place.device)
        # A hypothesis of n tokens is read from step n on.
        row, written = place.unsqueeze(1), found.end >= t
        here = slot.masked_fill(~written, 0)
        slot = torch.where(written, past.parents[row, here], slot)
        tokens.append(past.tokens[row, here])
        if past.weights is not None:  # of the step that wrote the token, or the eos after it
            weights.append(past.weights[row, slot.masked_fill(found.end < t - 1, 0)])
    words = torch.stack(tokens[::-1], -1).tolist()  # (B, N, T)
    looks = torch.stack(weights[::-1], 2) if weights else None  # (B, N, T, S)
    results: list[list[Hypothesis]] = []
    for b, columns in enumerate(zip(*(field.tolist() for field in found))):
        results.append([])
        for n, (score, log_prob, end, _, finished) in enumerate(zip(*columns)):
            attention = None if looks is None else looks[b, n, : end + finished]
            answer = Hypothesis(words[b][n][:end], log_prob, score, finished, attention)
            results[b] += [answer] if score > -math.inf else []
    if stuck := [str(b) for b, answers in enumerate(results) if len(answers) < least]:
        expected = "a function that gives some token that is not banned a probability above 0"
        raise ValueError(f"step must be {expected}, got none in sentence {', '.join(stuck)}")
    return results
