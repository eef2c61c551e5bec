"""The loop over time that greedy, sampling and beam search share, and the way back through it.

A batch of B sentences has K prefixes each. Every turn calls the step function, lets the search
extend the prefixes (``advance``), and drops the sentences that are done. Each extension is recorded
as a back-pointer; ``backtrack`` follows them once, at the end.
"""

import math
from collections.abc import Callable
from typing import Any, NamedTuple, TypeAlias

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor

from ..data import BOS
from .step import Hypothesis, Step, call_step, index_tree


class BeamHypotheses(NamedTuple):
    """Hypotheses of each sentence, best first; score −∞ where there is none."""

    score: Float[Tensor, "B N"]
    log_prob: Float[Tensor, "B N"]
    end: Int[Tensor, "B N"]  # the number of tokens, without eos
    slot: Int[Tensor, "B N"]  # which of the K prefixes it was after ``end`` steps
    finished: Bool[Tensor, "B N"]

    @staticmethod
    def from_prefixes(
        score: Tensor, log_prob: Tensor, end: int, finished: bool
    ) -> "BeamHypotheses":
        """The K prefixes of each sentence after step ``end``. score, log_prob (B, K)."""
        slot = torch.arange(score.shape[1], device=score.device).expand(score.shape)
        is_finished = torch.full_like(slot, finished, dtype=torch.bool)
        return BeamHypotheses(score, log_prob, torch.full_like(slot, end), slot, is_finished)

    def merge(self, other: "BeamHypotheses") -> "BeamHypotheses":
        """The best of both, as many as there are here."""
        both = [torch.cat(pair, 1) for pair in zip(self, other)]
        best = both[0].topk(self.score.shape[1], dim=1).indices
        return BeamHypotheses(*(field.gather(1, best) for field in both))


class BeamState(NamedTuple):
    """The sentences that are not done."""

    sentences: Int[Tensor, " B"]  # their indices in the given batch
    limits: Int[Tensor, " B"]
    total: Float[Tensor, "B K"]  # log-probabilities of the prefixes, best first
    best: BeamHypotheses
    num_finished: Int[Tensor, " B"]


class StepRecord(NamedTuple):
    """One step, in which K prefixes became K' (with a trace up to 2 K)."""

    sentences: Int[Tensor, " B"]
    parents: Int[Tensor, "B K'"]  # the slot of each prefix one step before
    tokens: Int[Tensor, "B K'"]
    total: Float[Tensor, "B K'"]
    attention: Float[Tensor, "B K S"] | None
    finished: Float[Tensor, "B K"] | None = None  # log P of those that end here, else −∞


Advance: TypeAlias = Callable[
    [BeamState, Tensor, Tensor | None, int],  # log_probs, attention, step from 1 on
    tuple[BeamState, StepRecord, Bool[Tensor, " B"]],  # which sentences are done
]
FinishedBatches: TypeAlias = list[tuple[Tensor, BeamHypotheses]]  # their indices (B,), the best


def init_beams(limits: Int[Tensor, " B"], n_best: int) -> BeamState:
    """The empty prefix of every sentence."""
    sentences = torch.arange(len(limits), device=limits.device)
    total = torch.zeros(len(limits), 1, device=limits.device)
    nothing = total.expand(-1, n_best) - math.inf
    best = BeamHypotheses.from_prefixes(nothing, nothing, 0, False)
    return BeamState(sentences, limits, total, best, sentences * 0)


def decode_loop(
    step: Step, memory: Any, state: Any, beams: BeamState, advance: Advance
) -> tuple[list[StepRecord], FinishedBatches]:
    """The loop over time. Returns every step, and the best hypotheses of all sentences, batch by
    batch as they were done."""
    tokens = torch.full_like(beams.sentences, BOS).unsqueeze(1)
    history: list[StepRecord] = []
    done: FinishedBatches = []
    while len(beams.sentences):
        log_probs, state, attention = call_step(step, tokens, memory, state)
        beams, record, is_done = advance(beams, log_probs, attention, len(history) + 1)
        history.append(record)
        keep, width = (~is_done).nonzero().squeeze(1), beams.total.shape[1]
        parents, tokens = record.parents[keep, :width], record.tokens[keep, :width]
        state = index_tree(state, keep.unsqueeze(1), parents)  # each goes on from its parent's
        if len(keep) < len(is_done):
            done.append((beams.sentences[is_done], index_tree(beams.best, is_done)))
            beams, memory = index_tree((beams, memory), keep)
    return history, done


def backtrack(
    history: list[StepRecord], done: FinishedBatches, least: int = 1
) -> list[list[Hypothesis]]:
    """The hypotheses of each sentence, read from their ends to their first tokens. Raises
    ValueError where a sentence has fewer than ``least``: every token that may be written there has
    probability 0."""
    # As Python's numbers, because they are read one by one.
    tokens = [record.tokens.tolist() for record in history]
    parents = [record.parents.tolist() for record in history]
    rows = [{b: row for row, b in enumerate(record.sentences.tolist())} for record in history]

    def follow(b: int, end: int, slot: int, finished: bool) -> tuple[list[int], Tensor | None]:
        """The tokens of the prefix in ``slot`` after ``end`` steps, and the weights of each."""
        words, places = [], [(end, slot)] if finished else []
        for t in reversed(range(end)):
            words.append(tokens[t][rows[t][b]][slot])
            slot = parents[t][rows[t][b]][slot]
            places.append((t, slot))
        if history[0].attention is None:
            return words[::-1], None
        weights = [history[t].attention[rows[t][b], k] for t, k in reversed(places)]  # type: ignore[index]
        return words[::-1], torch.stack(weights)

    results: list[list[Hypothesis]] = [[] for _ in (history[0].sentences if history else ())]
    for sentences, best in done:
        for b, *columns in zip(sentences.tolist(), *(field.tolist() for field in best)):
            for score, log_prob, end, slot, finished in zip(*columns):
                if score > -math.inf:
                    words, weights = follow(b, end, slot, finished)
                    results[b].append(Hypothesis(words, log_prob, score, finished, weights))
    if stuck := [str(b) for b, answers in enumerate(results) if len(answers) < least]:
        expected = "a function that gives some token that is not banned a probability above 0"
        raise ValueError(f"step must be {expected}, got none in sentence {', '.join(stuck)}")
    return results
