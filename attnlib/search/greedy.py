"""Greedy search, and the loop that it shares with sampling: paths that do not compete."""

from collections.abc import Callable, Sequence
from typing import Any

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor

from .loop import BeamHypotheses, BeamState, StepRecord, backtrack, decode_loop, init_beams
from .step import Hypothesis, SearchConfig, Step, ban, make_search_config

Choice = Callable[[Float[Tensor, "B P V"]], Int[Tensor, "B P"]]  # log-probabilities → tokens


@torch.no_grad()
def greedy_search(
    step: Step,
    memory: Any,
    state: Any,
    *,
    max_length: int | Sequence[int] | Tensor,
    min_length: int = 0,
    banned: Sequence[int] = (0, 2),
    bos: int = 2,
    eos: int = 3,
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
    config = make_search_config(memory, state, max_length, min_length, banned, bos, eos)
    return follow_paths(step, memory, state, config, 1, lambda log_probs: log_probs.argmax(-1))


def follow_paths(
    step: Step, memory: Any, state: Any, config: SearchConfig, num_paths: int, choose: Choice
) -> list[list[Hypothesis]]:
    """``num_paths`` hypotheses of each sentence, every one written token by token: ``choose`` takes
    the next, given the log-probabilities of those that are not banned."""

    def advance(
        beams: BeamState, log_probs: Tensor, attention: Tensor | None, t: int
    ) -> tuple[BeamState, StepRecord, Bool[Tensor, " B"]]:
        banned = config.banned if t > config.min_length else (*config.banned, config.eos)
        log_probs = ban(log_probs.expand(-1, num_paths, -1), banned)  # (B, P, V); at first K = 1
        tokens = choose(log_probs)  # (B, P)
        gain = log_probs.gather(2, tokens.unsqueeze(2)).squeeze(2)
        unfinished = ~beams.best.finished & (beams.limits >= t).unsqueeze(1)
        ended = unfinished & (tokens == config.eos)
        total = torch.where(unfinished, beams.total + gain, beams.total)
        end = torch.where(unfinished, t - ended.long(), beams.best.end)
        slots = torch.arange(num_paths, device=tokens.device).expand_as(tokens)
        best = BeamHypotheses(total, total, end, slots * (end > 0), beams.best.finished | ended)
        is_done = best.finished.all(1) | (beams.limits <= t)
        most = log_probs.amax(-1).masked_fill(~unfinished, 0.0).amax(1)
        parents = slots * (t > 1)  # at first there is one prefix
        record = StepRecord(beams.sentences, parents, tokens, total, attention, most)
        return beams._replace(total=total, best=best), record, is_done

    beams = init_beams(config, num_paths)
    return backtrack(*decode_loop(step, memory, state, beams, config, advance), num_paths)
