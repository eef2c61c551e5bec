"""Beam search over a batch of sentences, as one program of tensors."""

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor

from ..checks import Number, as_int, check_name, require
from ..data import EOS
from .loop import BeamHypotheses, BeamState, StepRecord, backtrack, decode_loop, init_beams
from .penalties import Scoring
from .step import BANNED, Hypothesis, Step, Trace, check_lengths, check_log_probs
from .trace import trace_nodes

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
    alpha: Number = 0.0,
    penalty: str = "gnmt",
    stop: str = "exact",
    min_length: int = 0,
    trace: Trace | None = None,
) -> list[list[Hypothesis]]:
    """Keep the ``beam_size`` best prefixes of every sentence; return the best that ended.

    s(Y) = log P(Y | x) / lp(|Y|)   (Wu et al. 2016, Eq. 14; |Y| counts the eos)

    At each step the K prefixes have K × V continuations. The K best that do not end live on. An
    ending is taken when fewer than K of those are better (so K = 1 is greedy search). A sentence
    *stops* by the rule ``stop``: "exact" when nothing that still lives can overtake what ended
    (Huang, Zhao and Ma 2017 for α = 0), "never" before max_length. With α > 0 a prefix might lose
    nothing more and end at max_length: it lives while log P / lp(max_length) is above the best
    ending's score. No rule stops sooner, loses nothing and works for every model: only
    a smaller max_length makes "exact" faster. Three common rules can lose:
    "first_finished", "k_finished" (K endings) and "current_length" (compares with the score
    that the prefixes have at their present length, not with the best that they can reach).

    Arguments: max_length in tokens, one number or one a sentence, (B,); n_best ≤ beam_size; alpha
    and penalty, see ``length_penalty``; min_length in words, without eos; trace, a function that is
    given a dictionary of each hypothesis (sentence, id, parent, step, token, log_prob, status
    "live", "pruned", "finished" or "best"), for drawing the tree.
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
    limits = check_lengths(memory, state, max_length, min_length)
    scoring = Scoring(alpha, penalty)
    as_int("beam_size", beam_size)
    as_int("n_best", n_best)
    require(n_best <= beam_size, "n_best", f"at most beam_size={beam_size}", n_best)
    check_name("stop", stop, STOPS)
    # A trace also shows continuations that were pruned.
    num_candidates = beam_size if trace is None else 2 * beam_size
    beam = _Beam(scoring, stop, beam_size, min_length, num_candidates)
    beams = init_beams(limits, n_best)
    history, done = decode_loop(step, memory, state, beams, beam.advance)
    if trace is not None:
        for node in trace_nodes(history, done, beam_size):
            trace(node)
    return backtrack(history, done)


class _Beam(NamedTuple):
    """The options of a beam search."""

    scoring: Scoring
    stop: str
    size: int
    min_length: int
    num_candidates: int  # continuations of a sentence that are recorded

    def advance(
        self, beams: BeamState, log_probs: Tensor, attention: Tensor | None, t: int
    ) -> tuple[BeamState, StepRecord, Bool[Tensor, " B"]]:
        """Step t: the best continuations live on, and what ends joins the best hypotheses."""
        total, parents, tokens, best = _top_continuations(
            log_probs, beams.total, self.num_candidates
        )
        survivors = total[:, : self.size]  # (B, L)
        finished = self._finished(beams, log_probs[..., EOS], best, survivors, t)
        num_finished = beams.num_finished + (finished > -math.inf).sum(1)
        record = StepRecord(beams.sentences, parents, tokens, total, attention, finished)

        beams = self._rank(beams, finished, t - 1, True)._replace(num_finished=num_finished)
        # A prefix that is cut at max_length counts where nothing has ended.
        cut = (beams.limits == t) & (beams.best.score[:, 0] == -math.inf)
        if cut.any():
            beams = self._rank(beams, survivors.masked_fill(~cut.unsqueeze(1), -math.inf), t, False)
        is_done = self._is_done(beams, survivors[:, 0], t)
        return beams._replace(total=survivors), record, is_done

    def _finished(
        self, beams: BeamState, eos: Tensor, best: Tensor, survivors: Tensor, t: int
    ) -> Float[Tensor, "B K"]:
        """log P of the prefixes that end here with an eos, −∞ where the ending is not taken."""
        ending = beams.total + eos
        if t <= self.min_length:
            return torch.full_like(ending, -math.inf)
        better = (survivors.unsqueeze(1) > ending.unsqueeze(2)).sum(-1)
        # Nothing lives on after the last position, so eos competes there only with the other
        # tokens of its own prefix: with K ≥ V every prefix may end, and the search is complete.
        own = (best > eos.unsqueeze(2)).sum(-1)
        better = torch.where((beams.limits == t).unsqueeze(1), own, better)
        return ending.masked_fill(better >= self.size, -math.inf)

    def _rank(
        self, beams: BeamState, log_prob: Float[Tensor, "B K"], end: int, finished: bool
    ) -> BeamState:
        """The prefixes of ``end`` tokens join the best hypotheses, if their scores are higher."""
        n = end + finished
        score = self.scoring.score(log_prob, n)
        new = BeamHypotheses.from_prefixes(score, log_prob, end, finished)
        return beams._replace(best=beams.best.merge(new))

    def _is_done(self, beams: BeamState, best_live: Tensor, t: int) -> Bool[Tensor, " B"]:
        """Which sentences stop after step t: by the rule, or at their max_length."""
        worst = beams.best.score[:, -1]
        done = (beams.limits <= t) | (best_live == -math.inf)  # no prefix is left to continue
        if self.stop == "exact":
            done |= worst >= self.scoring.bound(best_live, t + 1, beams.limits)
        elif self.stop == "current_length":
            done |= worst >= self.scoring.score(best_live, t)
        elif self.stop == "first_finished":
            done |= worst > -math.inf
        elif self.stop == "k_finished":
            done |= beams.num_finished >= self.size
        return done


def _top_continuations(
    log_probs: Float[Tensor, "B K V"], total: Float[Tensor, "B K"], count: int
) -> tuple[Float[Tensor, "B C"], Int[Tensor, "B C"], Int[Tensor, "B C"], Float[Tensor, "B K P"]]:
    """The most probable of the K × V continuations of a sentence that do not end it: log P, parent
    and token of each, and log p of the best of each prefix. There are ``count``, or as many as are
    not banned, but at least one."""
    banned, vocabulary = (*BANNED, EOS), log_probs.shape[2]
    per_prefix = min(count + len(banned), vocabulary)  # enough, even if one prefix has them all
    best, tokens = log_probs.topk(per_prefix)  # (B, K, P): sorting all K × V would take longer
    check_log_probs(best[..., 0])
    for token in banned:
        best = best.masked_fill(tokens == token, -math.inf)
    available = log_probs.shape[1] * (vocabulary - len(banned))
    scores = (total.unsqueeze(-1) + best).flatten(1)
    total, index = scores.topk(min(count, max(1, available)))
    return total, index // per_prefix, tokens.flatten(1).gather(1, index), best
