"""Greedy search, and the loop that it shares with sampling: paths that do not compete."""

import math
from collections.abc import Callable, Sequence
from typing import Any

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor

from ..data import EOS
from .loop import BeamHypotheses, BeamState, StepRecord, backtrack, decode_loop, init_beams
from .step import BANNED, Hypothesis, Step, check_lengths, check_log_probs

Choice = Callable[[Float[Tensor, "B P V"]], Int[Tensor, "B P"]]  # log-probabilities → tokens


@torch.no_grad()
def greedy_search(
    step: Step,
    memory: Any,
    state: Any,
    *,
    max_length: int | Sequence[int] | Tensor,
    min_length: int = 0,
) -> list[list[Hypothesis]]:
    """Take the most probable token at every step: ŷ_t = argmax_v p(v | ŷ_<t, x).

    A sentence that has not ended after max_length tokens is cut there (finished=False). Arguments
    and errors as in ``beam_search``. Returns a list of one hypothesis for each sentence.

    >>> table = torch.tensor([[0, 0, 0, 0.4, 0.6], [0, 0, 0, 0.9, 0.1]]).log()  # at first, later
    >>> def step(tokens, memory, state):
    ...     return table[state.clamp(max=1)], state + 1, None
    >>> greedy_search(step, None, torch.zeros(1, 1, dtype=torch.long), max_length=5)[0][0].tokens
    [4]
    """
    limits = check_lengths(memory, state, max_length, min_length)
    start = step, memory, state, limits, min_length
    return follow_paths(*start, 1, lambda log_probs: log_probs.argmax(-1))


def follow_paths(
    step: Step,
    memory: Any,
    state: Any,
    limits: Int[Tensor, " B"],
    min_length: int,
    num_paths: int,
    choose: Choice,
) -> list[list[Hypothesis]]:
    """``num_paths`` hypotheses of each sentence, every one written token by token: ``choose`` takes
    the next, given the log-probabilities of those that are not banned."""

    def advance(
        beams: BeamState, log_probs: Tensor, attention: Tensor | None, t: int
    ) -> tuple[BeamState, StepRecord, Bool[Tensor, " B"]]:
        before = beams.best.finished
        log_probs = log_probs.expand(-1, num_paths, -1).clone()  # (B, P, V); at first K = 1
        for token in BANNED if t > min_length else (*BANNED, EOS):
            log_probs[..., token] = -math.inf
        check_log_probs(log_probs.amax(-1)[~before])
        tokens = choose(log_probs)  # (B, P)
        gain = log_probs.gather(2, tokens.unsqueeze(2)).squeeze(2)
        ended = ~before & (tokens == EOS)
        total = torch.where(before, beams.total, beams.total + gain)
        end = torch.where(before, beams.best.end, t - ended.long())
        slots = torch.arange(num_paths, device=tokens.device).expand_as(tokens)
        best = BeamHypotheses(total, total, end, slots * (end > 0), before | ended)
        is_done = best.finished.all(1) | (beams.limits <= t)
        parents = slots * (t > 1)  # at first there is one prefix
        record = StepRecord(beams.sentences, parents, tokens, total, attention)
        return beams._replace(total=total, best=best), record, is_done

    beams = init_beams(limits, num_paths)
    return backtrack(*decode_loop(step, memory, state, beams, advance), num_paths)
