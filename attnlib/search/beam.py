"""Beam search over a batch of sentences, as one program of tensors."""

import math
from collections.abc import Sequence
from functools import partial
from typing import Any

import torch
from jaxtyping import Bool, Float
from torch import Tensor

from ..checks import check_name, require, require_whole
from .loop import Found, Live, Past, begin, read_back, run
from .penalties import Scoring, needed
from .step import LOOK, Hypothesis, Real, Step, Task, Trace, expand, prepare
from .trace import records

STOPS = ("exact", "never", "first_finished", "k_finished", "current_length")


@torch.no_grad()
def beam_search(
    step: Step,
    memory: Any,
    state: Any,
    *,
    max_length: int | Sequence[int] | Tensor,
    beam_size: int = 5,
    n_best: int = 1,
    alpha: Real = 0.0,
    penalty: str = "gnmt",
    beta: Real = 0.0,
    src_mask: Bool[Tensor, "B S"] | None = None,
    stop: str = "exact",
    min_length: int = 0,
    banned: Sequence[int] = (0, 2),
    bos: int = 2,
    eos: int = 3,
    trace: Trace | None = None,
) -> list[list[Hypothesis]]:
    """Keep the ``beam_size`` best prefixes of every sentence; return the best that ended.

    s(Y) = log P(Y | x) / lp(|Y|) + cp   (Wu et al. 2016, Eq. 14; |Y| counts the eos)

    At each step the K prefixes have K × V continuations. The K best that do not end live on. An
    ending is taken when fewer than K of those are better (so K = 1 is greedy search). A sentence
    *stops* by the rule ``stop``: "exact" when nothing that still lives can overtake what ended
    (Huang, Zhao and Ma 2017 for α = 0), "never" before max_length. With α > 0 a prefix might lose
    nothing more and end at max_length: it lives while log P / lp(max_length) is above the best
    ending's score. With β = 0 no rule stops sooner, loses nothing and works for every model: only
    a smaller max_length makes "exact" faster. Three common rules can lose:
    "first_finished", "k_finished" (K endings) and "current_length" (compares with the score
    that the prefixes have at their present length, not with the best that they can reach).

    Arguments: max_length in tokens, one number or one a sentence, (B,); n_best ≤ beam_size; alpha
    and penalty, see ``length_penalty``; beta, see ``coverage_penalty``, needs src_mask (B, S),
    True = real source token; min_length in words, without eos; banned, tokens never written (pad,
    sos); trace, a function that is given a dictionary of each hypothesis (sentence, id, parent,
    step, token, log_prob, status "live", "pruned", "finished" or "best"), for drawing the tree.
    Returns at most n_best hypotheses for each sentence, best first. Prefixes that were cut at
    max_length (finished=False) are returned only where nothing ended. Raises ValueError for
    arguments out of range, for a step that does not return log-probabilities (B, K, V), and where
    a sentence can go no further: every token that may be written has probability 0.

    >>> table = torch.tensor([[0, 0, 0, 0.4, 0.6], [0, 0, 0, 0.5, 0.5]]).log()  # at first, later
    >>> def step(tokens, memory, state):
    ...     return table[state.clamp(max=1)], state + 1, None
    >>> best = beam_search(step, None, torch.zeros(1, 1, dtype=torch.long), max_length=5)[0][0]
    >>> best.tokens, round(math.exp(best.log_prob), 3)  # greedy search finds [4] with 0.6 × 0.5
    ([], 0.4)
    """
    task = prepare(memory, state, max_length, min_length, banned, bos, eos)
    scoring = Scoring(alpha, penalty, beta)
    scoring.check_mask(src_mask, len(task.limits))
    require_whole("beam_size", beam_size)
    require_whole("n_best", n_best)
    require(n_best <= beam_size, "n_best", f"at most beam_size={beam_size}", n_best)
    check_name("stop", stop, STOPS)
    # The trace also shows hypotheses that were pruned.
    wide = beam_size if trace is None else 2 * beam_size
    live = begin(task, n_best, src_mask if beta else None)
    advance = partial(_advance, task=task, scoring=scoring, stop=stop, size=beam_size, wide=wide)
    history, done = run(step, memory, state, live, task, advance)
    if trace is not None:
        for record in records(history, done, beam_size, task):
            trace(record)
    return read_back(history, done)


def _stopped(live: Live, t: int, scoring: Scoring, stop: str, size: int) -> Bool[Tensor, " B"]:
    """Which sentences stop after step t: by the rule, or at their max_length."""
    worst, best_live = live.found.score[:, -1], live.total[:, 0]
    stopped = (live.limits <= t) | (best_live == -math.inf)  # no prefix is left to continue
    if stop == "exact":
        stopped |= worst >= scoring.bound(best_live, t + 1, live.limits)
    elif stop == "current_length":
        stopped |= worst >= scoring.score(best_live, t)
    elif stop == "first_finished":
        stopped |= worst > -math.inf
    elif stop == "k_finished":
        stopped |= live.endings >= size
    return stopped


def _advance(
    live: Live,
    log_probs: Tensor,
    weights: Tensor | None,
    t: int,
    task: Task,
    scoring: Scoring,
    stop: str,
    size: int,
    wide: int,
) -> tuple[Live, Past, Tensor, Tensor]:
    """One step of the beam: the best continuations live on, endings join what was found."""
    barred = task.barred(log_probs, task.eos)
    total, parents, tokens, gain = expand(log_probs, live.total, wide, barred)
    survivors, last = total[:, :size], live.limits == t
    ended = _endings(live, log_probs, survivors, last, size, task)
    ended = ended if t > task.min_length else ended - math.inf
    before = after = None
    if live.coverage is not None:
        before = live.coverage + needed(weights)  # (B, K, S)
        after = before.take_along_dim(parents[:, :size].unsqueeze(-1), 1)
    score = scoring.score(ended, t, before, live.mask)
    found = live.found.merge(Found.make(score, ended, t - 1, True))
    cut = last & (found.score[:, 0] == -math.inf)
    # On a GPU, computing it costs less than asking whether it is needed.
    if cut.device.type in LOOK or cut.any():
        rest = survivors.masked_fill(~cut.unsqueeze(1), -math.inf)
        score = scoring.score(rest, t, after, live.mask)
        found = found.merge(Found.make(score, rest, t, False))
    endings = live.endings + (ended > -math.inf).sum(1)
    live = Live(live.rows, live.limits, survivors, found, endings, live.mask, after)
    past = Past(live.rows, parents, tokens, total, ended, weights)
    stopped = _stopped(live, t, scoring, stop, size)
    live = live._replace(total=survivors.masked_fill(stopped.unsqueeze(1), -math.inf))
    return live, past, stopped, gain


def _endings(
    live: Live, log_probs: Tensor, survivors: Tensor, last: Tensor, size: int, task: Task
) -> Float[Tensor, "B K"]:
    """Log-probability of each prefix with eos, −∞ where the ending is not taken."""
    eos = log_probs[..., task.eos]
    ending = live.total + eos
    better = (survivors.unsqueeze(1) > ending.unsqueeze(2)).sum(-1)
    if last.device.type in LOOK or last.any():
        # Nothing lives on after the last position, so eos competes there only with the other
        # tokens of its own prefix: with K ≥ V every prefix may end, and the search is complete.
        banned = log_probs[..., task.barred(log_probs)] > eos.unsqueeze(-1)
        own = (log_probs > eos.unsqueeze(-1)).sum(-1) - banned.sum(-1)
        better = torch.where(last.unsqueeze(1), own, better)
    return ending.masked_fill(better >= size, -math.inf)
