"""Greedy, beam, exhaustive and sampling search over a *step function*; knows no model.

    step(tokens (B, K), memory, state) -> (log_probs (B, K, V), state, weights (B, K, S) or None)

``tokens`` are the last tokens of K prefixes of each of B sentences, ``log_probs`` tell what may
come next. ``memory`` is what stays fixed for a sentence: any nesting of tuples, lists and
dictionaries of tensors whose first dimension is B; it is never copied for the K prefixes.
``state`` is what a prefix carries along: the same with leading dimensions (B, K), K = 1 at first.

All lengths count the eos: ``max_length=3`` leaves room for two words and the eos.
"""

import math
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any, NamedTuple, TypeAlias, TypeVar

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor

Step: TypeAlias = Callable[[Tensor, Any, Any], tuple[Tensor, Any, Tensor | None]]
Real: TypeAlias = float | int
Trace: TypeAlias = Callable[[dict[str, Any]], Any]
Number = TypeVar("Number", float, Tensor)
STOPS = ("exact", "never", "first_finished", "k_finished", "current_length")


class Hypothesis(NamedTuple):
    """One answer of a search."""

    tokens: list[int]  # without sos and eos
    log_prob: float  # in nats, of the tokens and the eos
    score: float  # what it is ranked by
    finished: bool  # it ended with an eos
    weights: Tensor | None  # (T, S): a row for each token and, where it is finished, for the eos


def length_penalty(n: Number, alpha: Real, kind: str = "gnmt") -> Number:
    """lp(n), which divides the log-probability of a hypothesis of n tokens (n counts the eos).

    "gnmt": ((5 + n) / 6)^α   (Wu et al. 2016, Eq. 14);   "power": n^α.
    Log-probabilities are negative: a larger divisor, so α > 0, *helps* long hypotheses.

    >>> length_penalty(7.0, 1.0), length_penalty(9.0, 0.5, "power"), length_penalty(9.0, 0.0)
    (2.0, 3.0, 1.0)
    """
    return (n if kind == "power" else (5 + n) / 6) ** float(alpha)


def coverage_penalty(
    coverage: Float[Tensor, "*dims S"], beta: Real, mask: Bool[Tensor, "*mask_dims S"]
) -> Float[Tensor, "*dims"]:
    """cp = β Σ_j log min(Σ_t α_tj, 1) over the real source positions j (Wu et al. 2016, Eq. 14).

    Arguments: coverage (…, S), the weights summed over target steps; mask, True = real position.
    Returns (…): 0 where every position got a weight of 1 in sum, else negative and finite.

    >>> coverage_penalty(torch.tensor([0.5, 2.0, 0.0]), 1.0, torch.tensor([True, True, False]))
    tensor(-0.6931)
    """
    return beta * coverage.clamp(1e-9, 1).log().masked_fill(~mask, 0).sum(-1)


@torch.no_grad()
def greedy_search(
    step: Step, memory: Any, state: Any, *, max_length: int | Sequence[int], min_length: int = 0,
    banned: Sequence[int] = (0, 2), bos: int = 2, eos: int = 3,
) -> list[list[Hypothesis]]:  # fmt: skip
    """Take the most probable token at every step: ŷ_t = argmax_v p(v | ŷ_<t, x).

    A sentence that has not ended after max_length tokens is cut there (finished=False). Arguments
    as in ``beam_search``. Returns a list of one hypothesis for each sentence.

    >>> table = torch.tensor([[0, 0, 0, 0.4, 0.6], [0, 0, 0, 0.9, 0.1]]).log()  # at first, later
    >>> def step(tokens, memory, state):
    ...     return table[state.clamp(max=1)], state + 1, None
    >>> greedy_search(step, None, torch.zeros(1, 1, dtype=torch.long), max_length=5)[0][0].tokens
    [4]
    """
    task = _prepare(memory, state, max_length, min_length, banned, bos, eos)
    advance = partial(_advance_paths, task=task, pick=lambda scores: scores.argmax(-1), paths=1)
    return _read_back(*_run(step, memory, state, _begin(task, 1), task.bos, advance))


@torch.no_grad()
def sample_search(
    step: Step, memory: Any, state: Any, *, max_length: int | Sequence[int], samples: int = 1,
    temperature: Real = 1.0, top_k: int | None = None, top_p: Real = 1.0,
    generator: torch.Generator | None = None, min_length: int = 0,
    banned: Sequence[int] = (0, 2), bos: int = 2, eos: int = 3,
) -> list[list[Hypothesis]]:  # fmt: skip
    """Draw every token at random: y_t ~ p(v | y_<t, x)^(1/temperature), normalised.

    ``top_k`` keeps only the k most probable tokens (Fan et al. 2018); ``top_p`` then keeps the
    nucleus: the fewest tokens that together reach probability top_p (Holtzman et al. 2020).
    Returns ``samples`` hypotheses for each sentence *in the order drawn* (each is a fair sample,
    the best of them would not be), with the model's own log-probability as score.

    >>> table = torch.tensor([0, 0, 0, 0.3, 0.7]).log()
    >>> def step(tokens, memory, state):
    ...     return table.expand(*tokens.shape, 5), state, None
    >>> sample_search(step, torch.zeros(1), None, max_length=3, top_k=1)[0][0].tokens
    [4, 4, 4]
    """
    _whole("samples", samples)
    _require(0 < temperature < math.inf, "temperature", "a number above 0", temperature)
    if top_k is not None:
        _whole("top_k", top_k)
    _require(0 < top_p <= 1, "top_p", "above 0 and at most 1", top_p)
    task = _prepare(memory, state, max_length, min_length, banned, bos, eos)

    def pick(log_probs: Float[Tensor, "B K V"]) -> Int[Tensor, "B K"]:
        rows, order = (log_probs / temperature).flatten(0, 1), None
        if top_k is not None or top_p < 1:
            rows, order = rows.sort(-1, descending=True)
            rows[:, rows.shape[1] if top_k is None else top_k :] = -math.inf
            probs = rows.softmax(-1)
            rows[probs.cumsum(-1) - probs >= top_p] = -math.inf  # the tokens before are enough
        drawn = torch.multinomial(rows.softmax(-1), 1, generator=generator)  # (B·K, 1)
        return (drawn if order is None else order.gather(1, drawn)).view(log_probs.shape[:2])

    advance = partial(_advance_paths, task=task, pick=pick, paths=samples)
    return _read_back(*_run(step, memory, state, _begin(task, samples), task.bos, advance))


@torch.no_grad()
def beam_search(
    step: Step, memory: Any, state: Any, *, max_length: int | Sequence[int], beam_size: int = 5,
    n_best: int = 1, alpha: Real = 0.0, penalty: str = "gnmt", beta: Real = 0.0,
    src_mask: Bool[Tensor, "B S"] | None = None, stop: str = "exact", min_length: int = 0,
    banned: Sequence[int] = (0, 2), bos: int = 2, eos: int = 3, trace: Trace | None = None,
) -> list[list[Hypothesis]]:  # fmt: skip
    """Keep the ``beam_size`` best prefixes of every sentence; return the best that ended.

    s(Y) = log P(Y | x) / lp(|Y|) + cp   (Wu et al. 2016, Eq. 14; |Y| counts the eos)

    At each step the K prefixes have K × V continuations. The K best that do not end live on. An
    ending is taken when fewer than K of those are better (so K = 1 is greedy search). A sentence
    *stops* by the rule ``stop``: "exact" when nothing that still lives can overtake what ended
    (Huang, Zhao and Ma 2017 for α = 0), "never" before max_length. Three common rules can lose:
    "first_finished", "k_finished" (K endings) and "current_length" (compares with the score
    that the prefixes have at their present length, not with the best that they can reach).

    Arguments: max_length in tokens, one number or one a sentence; n_best ≤ beam_size; alpha and
    penalty, see ``length_penalty``; beta, see ``coverage_penalty``, needs src_mask (B, S), True =
    real source token; min_length in words, without eos; banned, tokens never written (pad, sos);
    trace, a function that is given a dictionary of each hypothesis (sentence, id, parent, step,
    token, log_prob, status "live", "pruned", "finished" or "best"), for drawing the tree.
    Returns at most n_best hypotheses for each sentence, best first. Prefixes that were cut at
    max_length (finished=False) are returned only where nothing ended. Raises ValueError for
    arguments out of range and for a step that does not return log-probabilities.

    >>> table = torch.tensor([[0, 0, 0, 0.4, 0.6], [0, 0, 0, 0.5, 0.5]]).log()  # at first, later
    >>> def step(tokens, memory, state):
    ...     return table[state.clamp(max=1)], state + 1, None
    >>> best = beam_search(step, None, torch.zeros(1, 1, dtype=torch.long), max_length=5)[0][0]
    >>> best.tokens, round(math.exp(best.log_prob), 3)  # greedy search finds [4] with 0.6 × 0.5
    ([], 0.4)
    """
    task = _prepare(memory, state, max_length, min_length, banned, bos, eos)
    rules = _check_rules(beam_size, n_best, alpha, penalty, beta, src_mask, stop)
    wide = beam_size if trace is None else 2 * beam_size  # pruned hypotheses are told too
    live = _begin(task, n_best, src_mask if beta else None)
    advance = partial(_advance_beam, task=task, rules=rules, wide=wide)
    history, done = _run(step, memory, state, live, task.bos, advance)
    if trace is not None:
        for record in _records(history, done, beam_size, task):
            trace(record)
    return _read_back(history, done)


@torch.no_grad()
def exhaustive_search(
    step: Step, memory: Any, state: Any, *, max_length: int | Sequence[int], n_best: int = 1,
    alpha: Real = 0.0, penalty: str = "gnmt", beta: Real = 0.0,
    src_mask: Bool[Tensor, "B S"] | None = None, min_length: int = 0,
    banned: Sequence[int] = (0, 2), bos: int = 2, eos: int = 3, max_nodes: int = 1_000_000,
    trace: Trace | None = None,
) -> list[list[Hypothesis]]:  # fmt: skip
    """The best of *all* hypotheses of at most ``max_length`` tokens, by depth-first search.

    A prefix is left alone when even its bound (see ``beam_search``, stop="exact") is no better
    than what was found already (Stahlberg and Byrne 2019): the result is exact. Sentences are
    searched one by one. Arguments and returns as in ``beam_search``, but a sentence in which
    nothing can end gets an empty list; ``trace`` is given a dictionary (sentence, tokens,
    log_prob) of each node, that is, of each prefix that was expanded: count them to see the cost.
    Raises ValueError where a sentence needs more than ``max_nodes``.

    >>> table = torch.tensor([0, 0, 0, 0.3, 0.7]).log()
    >>> def step(tokens, memory, state):
    ...     return table.expand(*tokens.shape, 5), state, None
    >>> nodes = []
    >>> exhaustive_search(step, torch.zeros(1), None, max_length=9, trace=nodes.append)[0][0].tokens
    []
    >>> [node["tokens"] for node in nodes]  # 0.7⁴ is less than the 0.3 of ending at once
    [[], [4], [4, 4], [4, 4, 4]]
    """
    task = _prepare(memory, state, max_length, min_length, banned, bos, eos)
    rules = _check_rules(n_best, n_best, alpha, penalty, beta, src_mask, "exact")
    _whole("max_nodes", max_nodes)
    nodes, results = 0, []
    for b in range(len(task.limits)):
        one, mask = slice(b, b + 1), None if src_mask is None else src_mask[b]
        found: list[Hypothesis] = []
        stack: list[_Prefix] = [_Prefix(0.0, [], _take(state, one), [])]
        while stack:
            prefix = stack.pop()
            n, total = len(prefix.tokens) + 1, torch.tensor(prefix.log_prob)
            if len(found) == n_best and rules.bound(total, n, task.limits[b]) <= found[-1].score:
                continue
            nodes += 1
            _require(nodes <= max_nodes, "max_nodes", "larger, or max_length smaller", max_nodes)
            if trace is not None:
                trace({"sentence": b, "tokens": prefix.tokens, "log_prob": prefix.log_prob})
            following, ending = _continue(step, _take(memory, one), prefix, task)
            if n < task.limits[b]:
                stack += following  # the most probable one is on top
            if n > task.min_length and ending.log_prob > -math.inf:
                answer = rules.hypothesis(ending, mask)
                found = sorted([*found, answer], key=lambda h: -h.score)[:n_best]
        results.append(found)
    return results


class _Prefix(NamedTuple):
    """A node of the exhaustive search."""

    log_prob: float
    tokens: list[int]
    state: Any
    weights: list[Tensor]  # (S,), one of each step


def _continue(
    step: Step, memory: Any, prefix: _Prefix, task: "_Task"
) -> tuple[list[_Prefix], _Prefix]:
    """All continuations of a prefix by one token, the best last, and its ending."""
    last = torch.tensor([[task.bos, *prefix.tokens][-1:]], device=task.limits.device)
    log_probs, state, weights = step(last, memory, prefix.state)
    _check_log_probs(log_probs)
    looks = prefix.weights if weights is None else [*prefix.weights, weights[0, 0]]
    gains, order = (x.flatten().tolist() for x in log_probs.sort(-1))
    following = [
        _Prefix(prefix.log_prob + gain, [*prefix.tokens, token], state, looks)
        for gain, token in zip(gains, order)
        if token not in (*task.banned, task.eos) and gain > -math.inf
    ]
    ending = prefix.log_prob + gains[order.index(task.eos)]
    return following, _Prefix(ending, prefix.tokens, state, looks)


class _Task(NamedTuple):
    """The checked arguments that all searches share."""

    limits: Int[Tensor, "B"]
    min_length: int
    banned: tuple[int, ...]
    bos: int
    eos: int

    def barred(self, log_probs: Tensor, *more: int) -> Int[Tensor, "n"]:
        """The tokens of the vocabulary that may not be written now."""
        within = [v for v in {*self.banned, *more} if v < log_probs.shape[-1]]
        return torch.tensor(within, dtype=torch.long, device=log_probs.device)


class _Rules(NamedTuple):
    """The score s(Y) = log P(Y) / lp(n) + cp, what a prefix can still reach, and when to stop."""

    size: int
    alpha: Real
    kind: str
    beta: Real
    stop: str

    def score(
        self, log_prob: Tensor, n: int, coverage: Tensor | None = None, mask: Any = None
    ) -> Tensor:  # fmt: skip
        score = log_prob / length_penalty(float(n), self.alpha, self.kind)
        return score if coverage is None else score + coverage_penalty(coverage, self.beta, mask)

    def bound(self, log_prob: Tensor, n: int, limit: Tensor) -> Tensor:
        """The score that no completion of n to ``limit`` tokens can exceed: log P only falls,
        cp ≤ 0, and lp, being monotone, is largest at one of the two ends."""
        now = length_penalty(float(n), self.alpha, self.kind)
        return log_prob / length_penalty(limit, self.alpha, self.kind).clamp(min=now)

    def hypothesis(self, ending: _Prefix, mask: Tensor | None) -> Hypothesis:
        looks = torch.stack(ending.weights) if ending.weights else None
        coverage = _weights(looks).sum(0) if self.beta else None
        total, n = torch.tensor(ending.log_prob), len(ending.tokens) + 1
        score = float(self.score(total, n, coverage, mask))
        return Hypothesis(ending.tokens, ending.log_prob, score, True, looks)

    def stopped(self, live: "_Live", t: int) -> Bool[Tensor, "B"]:
        """Which sentences stop after step t: by the rule, or at their max_length."""
        worst, best_live = live.found.score[:, -1], live.total[:, 0]
        stopped = (live.limits == t) | (best_live == -math.inf)  # nothing is left to go on with
        if self.stop == "exact":
            stopped |= worst >= self.bound(best_live, t + 1, live.limits)
        elif self.stop == "current_length":
            stopped |= worst >= self.score(best_live, t)
        elif self.stop == "first_finished":
            stopped |= worst > -math.inf
        elif self.stop == "k_finished":
            stopped |= live.endings >= self.size
        return stopped


class _Found(NamedTuple):
    """Hypotheses of each sentence, best first; score −∞ where there is none."""

    score: Float[Tensor, "B N"]
    log_prob: Float[Tensor, "B N"]
    end: Int[Tensor, "B N"]  # the number of tokens, without eos
    slot: Int[Tensor, "B N"]  # which of the K prefixes it was after ``end`` steps
    finished: Bool[Tensor, "B N"]

    @staticmethod
    def make(score: Tensor, log_prob: Tensor, end: int, finished: bool) -> "_Found":
        """The K prefixes of each sentence after step ``end``. score, log_prob (B, K)."""
        slot = torch.arange(score.shape[1], device=score.device).expand(score.shape)
        ended = torch.full_like(slot, finished, dtype=torch.bool)
        return _Found(score, log_prob, torch.full_like(slot, end), slot, ended)

    def merge(self, other: "_Found") -> "_Found":
        """The best of both, as many as there are here."""
        both = [torch.cat(pair, 1) for pair in zip(self, other)]
        best = both[0].topk(self.score.shape[1], dim=1).indices
        return _Found(*(field.gather(1, best) for field in both))


class _Live(NamedTuple):
    """What is known of the sentences that have not stopped."""

    rows: Int[Tensor, "B"]  # their numbers in the batch that was given
    limits: Int[Tensor, "B"]
    total: Float[Tensor, "B K"]  # log-probabilities of the prefixes, best first
    found: _Found
    endings: Int[Tensor, "B"]  # how many were taken
    mask: Bool[Tensor, "B 1 S"] | None
    coverage: Float[Tensor, "B K S"] | None  # weights summed over the steps so far


class _Past(NamedTuple):
    """One step, for reading hypotheses back: K prefixes became K' (with trace up to 2 K)."""

    rows: Int[Tensor, "B"]
    parents: Int[Tensor, "B K'"]  # the slot of each prefix one step before
    tokens: Int[Tensor, "B K'"]
    total: Float[Tensor, "B K'"]
    ended: Float[Tensor, "B K"]  # log-probability of the endings taken, −∞ where none was
    weights: Float[Tensor, "B K S"] | None


def _begin(task: _Task, n_best: int, src_mask: Tensor | None = None) -> _Live:
    """The empty prefix of every sentence."""
    rows = torch.arange(len(task.limits), device=task.limits.device)
    total = torch.zeros(len(rows), 1, device=rows.device)
    none = total.expand(-1, n_best) - math.inf
    mask = None if src_mask is None else src_mask.unsqueeze(1)
    coverage = None if mask is None else mask * 0.0
    found = _Found.make(none, none, 0, False)
    return _Live(rows, task.limits, total, found, rows * 0, mask, coverage)


def _run(
    step: Step, memory: Any, state: Any, live: _Live, bos: int, advance: Callable[..., Any]
) -> tuple[list[_Past], list[tuple[Tensor, _Found]]]:
    """The loop over time. Returns every step, and what was found in the sentences, with their
    numbers, in the order in which they stopped."""
    tokens = torch.full_like(live.rows, bos).unsqueeze(1)
    history: list[_Past] = []
    done: list[tuple[Tensor, _Found]] = []
    while len(live.rows):
        log_probs, state, weights = step(tokens, memory, state)
        live, past, stopped = advance(live, log_probs, weights, len(history) + 1)
        history.append(past)
        done.append((live.rows[stopped], _take(live.found, stopped)))
        keep, width = (~stopped).nonzero(), live.total.shape[1]
        parents, tokens = (x[keep[:, 0], :width] for x in (past.parents, past.tokens))
        state = _take(state, keep, parents)  # each prefix goes on from the state of its parent
        if len(keep) < len(stopped):
            live, memory = _take((live, memory), keep[:, 0])
    return history, done


def _advance_paths(
    live: _Live, log_probs: Tensor, weights: Tensor | None, t: int, task: _Task,
    pick: Callable[[Tensor], Tensor], paths: int,
) -> tuple[_Live, _Past, Tensor]:  # fmt: skip
    """One step of independent paths: ``pick`` chooses the next token of each."""
    log_probs = log_probs.expand(-1, paths, -1)  # at first there is one prefix
    barred = task.barred(log_probs, *([task.eos] if t <= task.min_length else []))
    tokens = pick(log_probs.index_fill(-1, barred, -math.inf))
    gain = log_probs.gather(2, tokens.unsqueeze(2)).squeeze(2)
    _check_log_probs(gain)
    slots = torch.arange(paths, device=tokens.device).expand_as(tokens)
    parents, going = slots if t > 1 else slots * 0, ~live.found.finished
    ends = going & (tokens == task.eos)
    total = torch.where(going, live.total + gain, live.total)
    end = torch.where(going, t - ends.long(), live.found.end)
    slot = torch.where(ends, parents, torch.where(going, slots, live.found.slot))
    found = _Found(total, total, end, slot, ~going | ends)
    live = live._replace(total=total, found=found)
    past = _Past(live.rows, parents, tokens, total, total, weights)
    return live, past, found.finished.all(1) | (live.limits == t)


def _advance_beam(
    live: _Live, log_probs: Tensor, weights: Tensor | None, t: int, task: _Task, rules: _Rules,
    wide: int,
) -> tuple[_Live, _Past, Tensor]:  # fmt: skip
    """One step of the beam: the best continuations live on, endings join what was found."""
    total, parents, tokens = _expand(live, log_probs, wide, task)
    survivors, last = total[:, : rules.size], live.limits == t
    ended = _endings(live, log_probs, survivors, last, rules.size, task)
    ended = ended if t > task.min_length else ended - math.inf
    before = after = None
    if live.coverage is not None:
        before = live.coverage + _weights(weights)  # (B, K, S)
        sentences = torch.arange(len(last), device=last.device).unsqueeze(1)
        after = before[sentences, parents[:, : rules.size]]
    score = rules.score(ended, t, before, live.mask)
    found = live.found.merge(_Found.make(score, ended, t - 1, True))
    cut = last & (found.score[:, 0] == -math.inf)
    if cut.any():
        rest = survivors.masked_fill(~cut.unsqueeze(1), -math.inf)
        score = rules.score(rest, t, after, live.mask)
        found = found.merge(_Found.make(score, rest, t, False))
    endings = live.endings + (ended > -math.inf).sum(1)
    live = _Live(live.rows, live.limits, survivors, found, endings, live.mask, after)
    past = _Past(live.rows, parents, tokens, total, ended, weights)
    return live, past, rules.stopped(live, t)


def _expand(
    live: _Live, log_probs: Tensor, size: int, task: _Task
) -> tuple[Tensor, Tensor, Tensor]:  # fmt: skip
    """The ``size`` best continuations of K prefixes by one token that is not eos: their
    log-probabilities, parents and tokens, each (B, size)."""
    prefixes, vocabulary = log_probs.shape[1:]
    barred = task.barred(log_probs, task.eos)
    size = min(size, prefixes * (vocabulary - len(barred)))
    scores = (log_probs + live.total.unsqueeze(-1)).flatten(1)  # (B, K·V)
    # At most prefixes × barred candidates fall away, so this many are enough to find the best.
    best, flat = scores.topk(size + prefixes * len(barred))
    _check_log_probs(best[:, 0] - live.total[:, 0])
    best = best.masked_fill(torch.isin(flat % vocabulary, barred), -math.inf)
    total, pick = best.topk(size)
    flat = flat.gather(1, pick)
    return total, flat // vocabulary, flat % vocabulary


def _endings(
    live: _Live, log_probs: Tensor, survivors: Tensor, last: Tensor, size: int, task: _Task
) -> Float[Tensor, "B K"]:
    """Log-probability of each prefix with eos, −∞ where the ending is not taken."""
    eos = log_probs[..., task.eos]
    ending = live.total + eos
    better = (survivors.unsqueeze(1) > ending.unsqueeze(2)).sum(-1)
    if last.any():
        # Nothing lives on after the last position, so eos competes there only with the other
        # tokens of its own prefix: with K ≥ V every prefix may end, and the search is complete.
        banned = log_probs[..., task.barred(log_probs)] > eos.unsqueeze(-1)
        own = (log_probs > eos.unsqueeze(-1)).sum(-1) - banned.sum(-1)
        better = torch.where(last.unsqueeze(1), own, better)
    return ending.masked_fill(better >= size, -math.inf)


def _read_back(history: list[_Past], done: list[tuple[Tensor, _Found]]) -> list[list[Hypothesis]]:
    """Follow the back-pointers of all hypotheses at once, from the last step to the first."""
    if not history:
        return []  # a batch of no sentences
    order = torch.cat([rows for rows, _ in done]).argsort()
    found = _Found(*(torch.cat(parts)[order] for parts in zip(*(f for _, f in done))))
    place, slot = torch.zeros_like(order), found.slot
    tokens, weights = [], []
    for t in range(len(history), 0, -1):
        past = history[t - 1]
        place[past.rows] = torch.arange(len(past.rows), device=place.device)
        row, written = place.unsqueeze(1), found.end >= t  # shorter hypotheses join on the way
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
        possible = "a function that gives some token a probability above 0"
        _require(bool(results[b]), "step", possible, results[b])
    return results


def _records(
    history: list[_Past], done: list[tuple[Tensor, _Found]], size: int, task: _Task
) -> Iterator[dict[str, Any]]:
    """The hypotheses of a beam search, parents before children, for drawing the tree."""
    keys = ("sentence", "id", "parent", "step", "token", "log_prob", "status")
    best = set()
    for rows, found in done:
        for b, end, slot, ended in zip(rows.tolist(), *(x[:, 0].tolist() for x in found[2:])):
            best.add(f"{b}.{end}.{slot}" + "$" * ended)
    nodes: list[tuple] = [(b, f"{b}.0.0", None, 0, task.bos, 0.0) for b in range(len(task.limits))]
    for t, past in enumerate(history, 1):
        for b, parents, tokens, totals, ended in zip(*(x.tolist() for x in past[:5])):
            for slot, (parent, token, total) in enumerate(zip(parents, tokens, totals)):
                nodes.append((b, f"{b}.{t}.{slot}", f"{b}.{t - 1}.{parent}", t, token, total))
            for slot, total in enumerate(ended):
                above = f"{b}.{t - 1}.{slot}"
                nodes.append((b, above + "$", above, t, task.eos, total))
    for node in nodes:
        ended, slot = node[1][-1] == "$", int(node[1].strip("$").split(".")[-1])
        status = "finished" if ended else "live" if slot < size else "pruned"
        if node[-1] > -math.inf:
            yield dict(zip(keys, (*node, "best" if node[1] in best else status)))


def _weights(weights: Tensor | None) -> Tensor:
    if weights is None:
        raise ValueError("beta > 0 needs attention weights, but step returned None: set beta=0")
    return weights


def _take(tree: Any, *index: Any) -> Any:
    """Every tensor x of a nesting as x[index]; all else as it is."""
    if isinstance(tree, Tensor):
        return tree[index]
    if isinstance(tree, dict):
        return {key: _take(branch, *index) for key, branch in tree.items()}
    if isinstance(tree, (tuple, list)):
        branches = [_take(branch, *index) for branch in tree]
        return type(tree)(*branches) if hasattr(tree, "_fields") else type(tree)(branches)
    return tree


def _tensors(tree: Any) -> Iterator[Tensor]:
    if isinstance(tree, Tensor):
        yield tree
    elif isinstance(tree, (dict, tuple, list)):
        for branch in tree.values() if isinstance(tree, dict) else tree:
            yield from _tensors(branch)


def _require(condition: bool, name: str, expected: str, got: Any) -> None:
    if not condition:
        raise ValueError(f"{name} must be {expected}, got {got!r}")


def _whole(name: str, value: Any, least: int = 1) -> None:
    fine = isinstance(value, int) and not isinstance(value, bool) and value >= least
    _require(fine, name, f"a whole number of at least {least}", value)


def _prepare(
    memory: Any, state: Any, max_length: Any, min_length: int, banned: Sequence[int], bos: int,
    eos: int,
) -> _Task:  # fmt: skip
    """Check what all searches share."""
    tensor = next(_tensors((memory, state)), None)
    if tensor is None:
        raise ValueError("memory or state must hold a tensor, whose first dimension is the batch")
    batch = len(tensor)
    limits = [max_length] * batch if isinstance(max_length, int) else list(max_length)
    _require(len(limits) == batch, "max_length", f"one number or one for each of {batch}", limits)
    for limit in limits:
        _whole("max_length", limit)
    _whole("min_length", min_length, 0)
    room = f"below max_length={min(limits, default=math.inf)}, to leave room for the eos"
    _require(all(min_length < limit for limit in limits), "min_length", room, min_length)
    _require(eos not in banned, "banned", f"without the eos ({eos}), or nothing ends", banned)
    return _Task(torch.tensor(limits, device=tensor.device), min_length, tuple(banned), bos, eos)


def _check_rules(
    size: int, n_best: int, alpha: Real, kind: str, beta: Real, mask: Tensor | None, stop: str
) -> _Rules:
    """Check what defines the score of a hypothesis."""
    _whole("beam_size", size)
    _whole("n_best", n_best)
    _require(n_best <= size, "n_best", f"at most beam_size={size}", n_best)
    _require(math.isfinite(alpha), "alpha", "a finite number", alpha)
    _require(kind in ("gnmt", "power"), "penalty", "'gnmt' or 'power'", kind)
    _require(0 <= beta < math.inf, "beta", "a finite number of at least 0", beta)
    real = "a boolean mask (B, S), True at real source tokens, where beta > 0"
    _require(not beta or mask is not None, "src_mask", real, mask)
    _require(stop in STOPS, "stop", f"one of {', '.join(STOPS)}", stop)
    return _Rules(size, alpha, kind, beta, stop)


def _check_log_probs(gain: Tensor) -> None:
    """Refuse logits and NaN, which would quietly break every bound."""
    expected = "a function that returns log-probabilities (at most 0, not NaN; no logits)"
    if not bool((gain <= 1e-3).all()):
        _require(False, "step", expected, float(gain.max()))
