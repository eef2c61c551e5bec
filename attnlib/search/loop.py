"""The loop over time that greedy, sampling and beam search share, and the way back through it.

A batch of B sentences has K prefixes each. Every turn calls the step function, lets the search
extend the prefixes (``advance``), and drops the sentences that are done. Each extension is recorded
as a back-pointer; ``backtrack`` follows them once, at the end.

A host that asks a GPU for a number waits until it has nothing left to do. So on CUDA the loop asks
only every few steps which sentences are done, and step functions are called for those, too; what
they return for them does not matter. On all other devices every step asks.
"""

import math
from collections.abc import Callable, Sequence
from itertools import accumulate
from typing import Any, NamedTuple, TypeAlias

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor

from .step import Hypothesis, SearchConfig, Step, check_log_probs, index_tree

SYNC_EVERY = {"cuda": 4}  # steps between two synchronizations with a device; 1 where not listed


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
    mask: Bool[Tensor, "B 1 S"] | None
    coverage: Float[Tensor, "B K S"] | None  # attention weights summed over the steps so far


class StepRecord(NamedTuple):
    """One step, in which K prefixes became K' (with a trace up to 2 K)."""

    sentences: Int[Tensor, " B"]
    parents: Int[Tensor, "B K'"]  # the slot of each prefix one step before
    tokens: Int[Tensor, "B K'"]
    total: Float[Tensor, "B K'"]
    attention: Float[Tensor, "B K S"] | None
    gain: Float[Tensor, " B"]  # what the most probable token adds to log P, for check_log_probs
    finished: Float[Tensor, "B K"] | None = None  # log P of those that end here, else −∞


Advance: TypeAlias = Callable[
    [BeamState, Tensor, Tensor | None, int],  # log_probs, attention, step from 1 on
    tuple[BeamState, StepRecord, Bool[Tensor, " B"]],  # which sentences are done
]
FinishedBatches: TypeAlias = list[tuple[Tensor, BeamHypotheses]]  # their indices (B,), the best


def init_beams(config: SearchConfig, n_best: int, src_mask: Tensor | None = None) -> BeamState:
    """The empty prefix of every sentence."""
    sentences = torch.arange(len(config.limits), device=config.limits.device)
    total = torch.zeros(len(sentences), 1, device=sentences.device)
    nothing = total.expand(-1, n_best) - math.inf
    best = BeamHypotheses.from_prefixes(nothing, nothing, 0, False)
    mask = None if src_mask is None else src_mask.unsqueeze(1)
    coverage = None if mask is None else mask * 0.0
    return BeamState(sentences, config.limits, total, best, sentences * 0, mask, coverage)


def decode_loop(
    step: Step, memory: Any, state: Any, beams: BeamState, config: SearchConfig, advance: Advance
) -> tuple[list[StepRecord], FinishedBatches]:
    """The loop over time. Returns every step, and the best hypotheses of all sentences, batch by
    batch as they were done."""
    tokens = torch.full_like(beams.sentences, config.bos).unsqueeze(1)
    history: list[StepRecord] = []
    done: FinishedBatches = []
    largest = beams.total.new_zeros(())
    while len(beams.sentences):
        log_probs, state, attention = config.call_step(step, tokens, memory, state)
        beams, record, is_done = advance(beams, log_probs, attention, len(history) + 1)
        history.append(record)
        largest = torch.maximum(largest, record.gain.amax())  # NaN stays NaN
        keep, width = torch.arange(len(is_done), device=is_done.device), beams.total.shape[1]
        if len(history) % SYNC_EVERY.get(is_done.device.type, 1) == 0:
            check_log_probs(largest)
            keep = (~is_done).nonzero().squeeze(1)
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
    pointers = _Backpointers(history)
    found: list[tuple[int, Hypothesis]] = []
    places: list[list[Place]] = []
    for sentences, best in done:
        for b, *columns in zip(sentences.tolist(), *(field.tolist() for field in best)):
            for score, log_prob, end, slot, finished in zip(*columns):
                if score > -math.inf:
                    tokens, slots = pointers.follow(b, end, slot)
                    found.append((b, Hypothesis(tokens, log_prob, score, finished, None)))
                    read = enumerate(slots[: end + finished])
                    places.append([(t, pointers.rows[t][b], slot) for t, slot in read])
    results: list[list[Hypothesis]] = [[] for _ in (history[0].sentences if history else ())]
    for (b, hypothesis), attention in zip(found, _gather_attention(history, places)):
        results[b].append(hypothesis._replace(weights=attention))
    if stuck := [str(b) for b, answers in enumerate(results) if len(answers) < least]:
        expected = "a function that gives some token that is not banned a probability above 0"
        raise ValueError(f"step must be {expected}, got none in sentence {', '.join(stuck)}")
    return results


Place: TypeAlias = tuple[int, int, int]  # of a prefix: its step, its sentence's row, its slot


class _Backpointers:
    """The tokens and parents of all steps as Python's numbers, which are read one by one."""

    def __init__(self, history: list[StepRecord]) -> None:
        numbers = [record.sentences.tolist() for record in history]
        self.rows = [{b: row for row, b in enumerate(sentences)} for sentences in numbers]
        self.tokens = [record.tokens.tolist() for record in history]
        self.parents = [record.parents.tolist() for record in history]

    def follow(self, sentence: int, end: int, slot: int) -> tuple[list[int], list[int]]:
        """The tokens of the prefix in ``slot`` after ``end`` steps, and the slots of the prefixes
        of 0 to ``end`` tokens on the way to it."""
        tokens, slots = [], [slot]
        for t in reversed(range(end)):
            row = self.rows[t][sentence]
            tokens.append(self.tokens[t][row][slot])
            slot = self.parents[t][row][slot]
            slots.append(slot)
        return tokens[::-1], slots[::-1]


def _gather_attention(
    history: list[StepRecord], places: list[list[Place]]
) -> Sequence[Tensor | None]:
    """The attention weights (T, S) of the prefixes of each hypothesis, all copied at once."""
    tables = [record.attention for record in history if record.attention is not None]
    if not tables:
        return [None] * len(places)
    first = [0, *accumulate(table.shape[0] * table.shape[1] for table in tables)]
    rows = [first[t] + row * tables[t].shape[1] + k for one in places for t, row, k in one]
    index = torch.tensor(rows, dtype=torch.long, device=tables[0].device)
    attention = torch.cat([table.flatten(0, 1) for table in tables])[index]
    return attention.split([len(one) for one in places])
