"""Greedy, beam, exhaustive and sampling search over a *step function*; knows no model.

    step(tokens (B, K) int64, memory, state) -> (log_probs (B, K, V), state, weights (B, K, S) | None)

``tokens`` are the last tokens of K prefixes of each of B sentences, ``log_probs`` say what may come
next. ``memory`` is what stays fixed for a sentence: any nesting of tuples, lists and dictionaries
of tensors whose first dimension is B. It is never copied for the K prefixes. ``state`` is what a
prefix carries along: the same, with leading dimensions (B, K); K is 1 at the start.

Lengths count the eos: ``max_length=3`` allows two words and the eos.
"""

import math
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple, TypeAlias, TypeVar

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor

Step: TypeAlias = Callable[[Tensor, Any, Any], tuple[Tensor, Any, Tensor | None]]
Trace: TypeAlias = Callable[[dict[str, Any]], Any]
Number = TypeVar("Number", float, Tensor)
STOPS = ("exact", "never", "first_finished", "k_finished", "current_length")
_NO_WEIGHTS = "beta > 0 needs attention weights, but the step function returned None: set beta=0"


class Hypothesis(NamedTuple):
    """One answer: tokens without sos and eos; its log-probability (nats, the eos included); the
    score it is ranked by; whether it ended with an eos; weights (T, S), a row for each token."""

    tokens: list[int]
    log_prob: float
    score: float
    finished: bool
    weights: Tensor | None


def length_penalty(n: Number, alpha: float, kind: str = "gnmt") -> Number:
    """lp(n), which divides the log-probability of a hypothesis of n tokens (n counts the eos).

    "gnmt": ((5 + n) / 6)^α   (Wu et al. 2016, Eq. 14);   "power": n^α.
    Log-probabilities are negative: a larger divisor, so α > 0, *helps* long hypotheses.

    >>> length_penalty(7.0, 1.0), length_penalty(9.0, 0.5, "power"), length_penalty(9.0, 0.0)
    (2.0, 3.0, 1.0)
    """
    return (n if kind == "power" else (5 + n) / 6) ** float(alpha)


def coverage_penalty(
    coverage: Float[Tensor, "*dims S"], beta: float, mask: Bool[Tensor, "*mask_dims S"]
) -> Float[Tensor, "*dims"]:
    """cp = β Σ_j log min(Σ_t α_tj, 1) over the real source positions j (Wu et al. 2016, Eq. 14).

    Arguments: coverage (…, S), the weights summed over target steps; mask, True = real position.
    Returns (…): 0 where every position got a weight of 1 in sum, else negative and finite.

    >>> coverage_penalty(torch.tensor([0.5, 2.0, 0.0]), 1.0, torch.tensor([True, True, False]))
    tensor(-0.6931)
    """
    return beta * coverage.clamp(1e-9, 1).log().masked_fill(~mask, 0).sum(-1)


class _Objective(NamedTuple):
    """s(Y) = log P(Y) / lp(n) + cp, and what a prefix can still reach."""

    alpha: float
    kind: str
    beta: float

    def score(self, log_prob: Tensor, n: int, coverage: Tensor | None, mask: Any) -> Tensor:
        score = log_prob / length_penalty(float(n), self.alpha, self.kind)
        return score if coverage is None else score + coverage_penalty(coverage, self.beta, mask)

    def bound(self, log_prob: Tensor, n: int, limit: Tensor) -> Tensor:
        """The score that no completion with n to ``limit`` tokens can exceed: log P only falls,
        cp ≤ 0, and lp, being monotone, is largest at one of the two ends."""
        ends = [
            length_penalty(m, self.alpha, self.kind) for m in (limit, torch.full_like(limit, n))
        ]
        return log_prob / torch.maximum(*ends)


class _Task(NamedTuple):
    """The checked arguments that all searches share."""

    limits: Int[Tensor, "B"]
    min_length: int
    banned: list[int]
    bos: int
    eos: int

    def barred(self, size: int, with_eos: bool) -> list[int]:
        """Tokens of a vocabulary of ``size`` that may not be written now."""
        return [v for v in {*self.banned, *([self.eos] if with_eos else [])} if v < size]

    def start(self, width: int) -> tuple[Tensor, Tensor, Tensor]:
        """Sentence numbers (B,), first tokens (B, K) and their log-probabilities (B, K)."""
        tokens = torch.full((len(self.limits), width), self.bos, device=self.limits.device)
        return (
            torch.arange(len(tokens), device=tokens.device),
            tokens,
            torch.zeros_like(tokens).float(),
        )


class _Found(NamedTuple):
    """Hypotheses of each sentence, best first; score −∞ where there is none."""

    score: Float[Tensor, "B N"]
    log_prob: Float[Tensor, "B N"]
    end: Int[Tensor, "B N"]  # the number of tokens, without eos
    slot: Int[Tensor, "B N"]  # which of the K prefixes it was after ``end`` steps
    finished: Bool[Tensor, "B N"]

    @staticmethod
    def make(score: Tensor, log_prob: Tensor, end: int, finished: bool) -> "_Found":
        """The K prefixes of each sentence, at the same step, as hypotheses. All (B, K)."""
        slot = torch.arange(score.shape[1], device=score.device).expand(score.shape)
        done = torch.full_like(slot, finished, dtype=torch.bool)
        return _Found(score, log_prob, torch.full_like(slot, end), slot, done)

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
    endings: Int[Tensor, "B"]  # how many there have been
    mask: Bool[Tensor, "B 1 S"] | None
    coverage: Float[Tensor, "B K S"] | None  # weights summed over the steps so far


class _Past(NamedTuple):
    """One step, for reading hypotheses back: K prefixes became K' (or 2 K', the rest pruned)."""

    rows: Int[Tensor, "B"]
    parents: Int[Tensor, "B K'"]  # the slot of each prefix one step before
    tokens: Int[Tensor, "B K'"]
    total: Float[Tensor, "B K'"]
    weights: Float[Tensor, "B K S"] | None
    ended: Float[Tensor, "B K"] | None = None  # log-probability of an ending that was taken, or −∞


@torch.no_grad()
def greedy_search(
    step: Step, memory: Any, state: Any, *, max_length: int | Sequence[int], min_length: int = 0,
    banned: Sequence[int] = (0, 2), bos: int = 2, eos: int = 3,
) -> list[list[Hypothesis]]:  # fmt: skip
    """Take the most probable token at every step, until eos or ``max_length``.

    ŷ_t = argmax_v p(v | ŷ_<t, x). A sentence that has not ended at max_length is cut there and
    has finished=False. Arguments as in ``beam_search``. Returns, a sentence, a list of one.

    >>> table = torch.tensor([[0, 0, 0, 0.4, 0.6], [0, 0, 0, 0.9, 0.1]]).log()  # at first, later
    >>> def step(tokens, memory, state):
    ...     return table[state.clamp(max=1)], state + 1, None
    >>> greedy_search(step, None, torch.zeros(1, 1, dtype=torch.long), max_length=5)[0][0].tokens
    [4]
    """
    task = _prepare(memory, state, max_length, min_length, banned, bos, eos)
    return _follow(step, memory, state, lambda log_probs: log_probs.argmax(-1), task, 1)


@torch.no_grad()
def sample_search(
    step: Step, memory: Any, state: Any, *, max_length: int | Sequence[int], samples: int = 1,
    temperature: float = 1.0, top_k: int | None = None, top_p: float = 1.0,
    generator: torch.Generator | None = None, min_length: int = 0,
    banned: Sequence[int] = (0, 2), bos: int = 2, eos: int = 3,
) -> list[list[Hypothesis]]:  # fmt: skip
    """Draw every token at random: y_t ~ p(v | y_<t, x)^(1/temperature), normalised.

    ``top_k`` keeps only the k most probable tokens (Fan et al. 2018); ``top_p`` keeps the nucleus,
    the fewest most probable tokens whose probabilities reach top_p (Holtzman et al. 2020).
    Returns, a sentence, ``samples`` hypotheses *in the order drawn* (each is a fair sample; the
    best of them would not be), with the model's own log-probability as score.

    >>> table = torch.tensor([0, 0, 0, 0.3, 0.7]).log()
    >>> def step(tokens, memory, state):
    ...     return table.expand(*tokens.shape, 5), state, None
    >>> sample_search(step, torch.zeros(1), None, max_length=3, top_k=1)[0][0].tokens
    [4, 4, 4]
    """
    _whole("samples", samples, 1)
    if not 0 < temperature < math.inf:
        raise ValueError(f"temperature must be a number above 0, got {temperature}")
    if top_k is not None:
        _whole("top_k", top_k, 1)
    if not 0 < top_p <= 1:
        raise ValueError(f"top_p must be above 0 and at most 1, got {top_p}")
    task = _prepare(memory, state, max_length, min_length, banned, bos, eos)

    def pick(log_probs: Float[Tensor, "B K V"]) -> Int[Tensor, "B K"]:
        rows = (log_probs / temperature).flatten(0, 1)
        order = None
        if top_k is not None or top_p < 1:
            rows, order = rows.sort(-1, descending=True)
            if top_k is not None:
                rows[:, top_k:] = -math.inf
            probs = rows.softmax(-1)
            rows.masked_fill_(probs.cumsum(-1) - probs >= top_p, -math.inf)  # enough before it
        drawn = torch.multinomial(rows.softmax(-1), 1, generator=generator)  # (B·K, 1)
        return (drawn if order is None else order.gather(1, drawn)).view(log_probs.shape[:2])

    return _follow(step, memory, state, pick, task, samples)


@torch.no_grad()
def beam_search(
    step: Step, memory: Any, state: Any, *, max_length: int | Sequence[int], beam_size: int = 5,
    n_best: int = 1, alpha: float = 0.0, penalty: str = "gnmt",
    beta: float = 0.0, src_mask: Bool[Tensor, "B S"] | None = None, stop: str = "exact",
    min_length: int = 0, banned: Sequence[int] = (0, 2), bos: int = 2, eos: int = 3,
    trace: Trace | None = None,
) -> list[list[Hypothesis]]:  # fmt: skip
    """Keep the ``beam_size`` best prefixes of every sentence; return the best that ended.

    s(Y) = log P(Y | x) / lp(|Y|) + cp   (Wu et al. 2016, Eq. 14; |Y| counts the eos)

    At each step the K prefixes have K × V continuations. The K best that do not end live on. An
    ending is taken when fewer than K of these are better (K = 1 is greedy search). A sentence
    *stops* by the rule ``stop``: "exact" when nothing that still lives can overtake what ended
    (Huang, Zhao and Ma 2017 for α = 0); "never" before max_length; and three common rules that
    can lose: "first_finished", "k_finished" (K endings) and "current_length" (like exact, but
    with the length that the prefixes have now instead of the best that they can reach).

    Arguments: max_length, tokens with eos, one number or one a sentence; n_best ≤ beam_size;
    alpha and penalty, see ``length_penalty``; beta, see ``coverage_penalty``: it needs src_mask
    (B, S), True = real source token; min_length, words without eos; banned, tokens never
    written (pad and sos); trace, a function that is given a record (a dictionary: sentence, id,
    parent, step, token, log_prob, status "live", "pruned", "finished" or "best") of each
    hypothesis, for drawing the tree.
    Returns, a sentence, at most n_best hypotheses, best first. Prefixes cut at max_length
    (finished=False) are returned only where nothing ended. Raises ValueError for arguments out
    of range and for a step that does not return log-probabilities.

    >>> table = torch.tensor([[0, 0, 0, 0.4, 0.6], [0, 0, 0, 0.5, 0.5]]).log()  # at first, later
    >>> def step(tokens, memory, state):
    ...     return table[state.clamp(max=1)], state + 1, None
    >>> best = beam_search(step, None, torch.zeros(1, 1, dtype=torch.long), max_length=5)[0][0]
    >>> best.tokens, round(math.exp(best.log_prob), 3)  # greedy search finds [4] with 0.6 × 0.5
    ([], 0.4)
    """
    task = _prepare(memory, state, max_length, min_length, banned, bos, eos)
    objective = _check_beam(beam_size, n_best, alpha, penalty, beta, src_mask, stop)
    rows, tokens, total = task.start(1)
    nothing = _Found.make(total.expand(-1, n_best) - math.inf, total.expand(-1, n_best), 0, False)
    mask = src_mask.unsqueeze(1) if beta and src_mask is not None else None
    coverage = None if mask is None else mask.float() * 0
    live = _Live(rows, task.limits, total, nothing, torch.zeros_like(rows), mask, coverage)
    history: list[_Past] = []
    done: list[tuple[Tensor, _Found]] = []
    while len(live.rows):
        log_probs, state, weights = step(tokens, memory, state)
        past = _expand(live, log_probs, weights, 2 * beam_size if trace else beam_size, task)
        live, past = _end(live, past, log_probs, len(history) + 1, beam_size, objective, task)
        history.append(past)
        parents, tokens = past.parents[:, :beam_size], past.tokens[:, :beam_size]
        stopped = _stopped(live, len(history), stop, beam_size, objective)
        done.append((live.rows[stopped], _take(live.found, stopped)))
        keep = (~stopped).nonzero().squeeze(1)
        if len(keep) < len(stopped):
            live, memory, parents, tokens = _take((live, memory, parents, tokens), keep)
        state = _take(state, keep.unsqueeze(1), parents)
    if trace is not None:
        for record in _records(history, done, beam_size, task):
            trace(record)
    return _read_back(history, done)


@torch.no_grad()
def exhaustive_search(
    step: Step, memory: Any, state: Any, *, max_length: int | Sequence[int], n_best: int = 1,
    alpha: float = 0.0, penalty: str = "gnmt", beta: float = 0.0,
    src_mask: Bool[Tensor, "B S"] | None = None, min_length: int = 0,
    banned: Sequence[int] = (0, 2), bos: int = 2, eos: int = 3, max_nodes: int = 1_000_000,
    trace: Trace | None = None,
) -> list[list[Hypothesis]]:  # fmt: skip
    """The best of *all* hypotheses of at most ``max_length`` tokens, by depth-first search.

    A prefix is left alone when even its bound (see ``beam_search``, stop="exact") is no better
    than what was found already (Stahlberg and Byrne 2019), so that the result is exact. Sentences
    are searched one by one. Arguments and returns as in ``beam_search``; ``trace`` is given one
    record (sentence, step, token, log_prob) of each prefix that was expanded: count them to see
    the cost. Raises ValueError where more than ``max_nodes`` prefixes would have to be expanded.

    >>> table = torch.tensor([0, 0, 0, 0.3, 0.7]).log()
    >>> def step(tokens, memory, state):
    ...     return table.expand(*tokens.shape, 5), state, None
    >>> nodes = []
    >>> exhaustive_search(step, torch.zeros(1), None, max_length=9, trace=nodes.append)[0][0].tokens
    []
    >>> len(nodes)  # "" 1, "4" 0.7, "4 4" 0.49, "4 4 4" 0.343; 0.7⁴ cannot beat the ending's 0.3
    4
    """
    task = _prepare(memory, state, max_length, min_length, banned, bos, eos)
    objective = _check_beam(n_best, n_best, alpha, penalty, beta, src_mask, "exact")
    _whole("max_nodes", max_nodes, 1)
    results = []
    for b in range(len(task.limits)):
        one, mask = slice(b, b + 1), src_mask[b] if beta and src_mask is not None else None
        search = _DepthFirst(step, _take(memory, one), task, task.limits[b], objective, mask)
        start = _Prefix(0.0, [], _take(state, one), [])
        results.append(
            search.run(
                start, n_best, max_nodes, lambda r, b=b: trace and trace({"sentence": b, **r})
            )
        )
    return results


class _Prefix(NamedTuple):
    log_prob: float
    tokens: list[int]
    state: Any
    weights: list[Tensor | None]  # (S,), one a step


class _DepthFirst(NamedTuple):
    """Exhaustive search of one sentence."""

    step: Step
    memory: Any
    task: _Task
    limit: Tensor
    objective: _Objective
    mask: Bool[Tensor, "S"] | None

    def run(self, prefix: _Prefix, n_best: int, max_nodes: int, trace: Trace) -> list[Hypothesis]:
        """Expand the most probable continuation of a prefix first; skip what cannot win."""
        stack, nodes = [prefix], 0
        found: list[Hypothesis] = []
        cut: list[Hypothesis] = []
        while stack:
            prefix = stack.pop()
            n = len(prefix.tokens) + 1
            bound = self.objective.bound(torch.tensor(prefix.log_prob), n, self.limit)
            if len(found) == n_best and bound <= found[-1].score:
                continue
            nodes += 1
            if nodes > max_nodes:
                raise ValueError(
                    f"exhaustive search needs more than max_nodes={max_nodes} prefixes: "
                    "lower max_length, or use beam_search"
                )
            last = prefix.tokens[-1] if prefix.tokens else self.task.bos
            trace({"step": n - 1, "token": last, "log_prob": prefix.log_prob})
            children, ending = self.expand(prefix, last)
            if n > self.task.min_length and ending.log_prob > -math.inf:
                found = sorted([*found, self.hypothesis(ending, n, True)], key=_by_score)[:n_best]
            if n < self.limit:
                stack += children
            elif not found:
                ends = [self.hypothesis(child, n, False) for child in children[-n_best:]]
                cut = sorted([*cut, *ends], key=_by_score)[:n_best]
        return found or cut

    def expand(self, prefix: _Prefix, last: int) -> tuple[list[_Prefix], _Prefix]:
        """All continuations by one token, best last, and the ending."""
        tokens = torch.tensor([[last]], device=self.limit.device)
        log_probs, state, weights = self.step(tokens, self.memory, prefix.state)
        _check_log_probs(log_probs)
        barred = self.task.barred(log_probs.shape[-1], with_eos=True)
        row, order = (x.flatten().tolist() for x in log_probs.sort(-1))
        looks = [*prefix.weights, None if weights is None else weights[0, 0]]
        children = [
            _Prefix(prefix.log_prob + gain, [*prefix.tokens, token], state, looks)
            for gain, token in zip(row, order)
            if token not in barred and gain > -math.inf
        ]
        ending = prefix.log_prob + row[order.index(self.task.eos)]
        return children, _Prefix(ending, prefix.tokens, state, looks)

    def hypothesis(self, prefix: _Prefix, n: int, finished: bool) -> Hypothesis:
        looks = [x for x in prefix.weights if x is not None]
        weights = torch.stack(looks) if looks else None
        if self.mask is not None and weights is None:
            raise ValueError(_NO_WEIGHTS)
        coverage = None if self.mask is None or weights is None else weights.sum(0)
        score = self.objective.score(torch.tensor(prefix.log_prob), n, coverage, self.mask)
        rows = None if weights is None else weights[: len(prefix.tokens)]
        return Hypothesis(prefix.tokens, prefix.log_prob, float(score), finished, rows)


def _by_score(hypothesis: Hypothesis) -> float:
    return -hypothesis.score


def _expand(
    live: _Live, log_probs: Tensor, weights: Tensor | None, size: int, task: _Task
) -> _Past:
    """The ``size`` best continuations of K prefixes by one token that is not eos."""
    vocabulary = log_probs.shape[-1]
    barred = task.barred(vocabulary, with_eos=True)
    count = log_probs.shape[1] * (vocabulary - len(barred))  # all that may live on
    spare = log_probs.shape[1] * len(barred)  # each prefix may have every barred token on top
    scores = (log_probs + live.total.unsqueeze(-1)).flatten(1)  # (B, K·V)
    best, flat = scores.topk(min(size, count) + spare)
    _check_log_probs(best[:, 0] - live.total[:, 0])
    allowed = ~torch.isin(flat % vocabulary, torch.tensor(barred, device=flat.device))
    total, pick = best.masked_fill(~allowed, -math.inf).topk(min(size, count))
    flat = flat.gather(1, pick)
    return _Past(live.rows, flat // vocabulary, flat % vocabulary, total, weights)


def _end(
    live: _Live, past: _Past, log_probs: Tensor, t: int, size: int, objective: _Objective, task: _Task
) -> tuple[_Live, _Past]:  # fmt: skip
    """Take the endings at step t into the hypotheses found; what is left lives on."""
    ending = live.total + log_probs[..., task.eos]  # (B, K)
    survivors = past.total[:, :size]
    better = (survivors.unsqueeze(1) > ending.unsqueeze(2)).sum(-1)
    last = live.limits == t
    if last.any():
        # Nothing lives on after the last position, so there eos competes only with the other
        # tokens of its own prefix: with K ≥ V every prefix ends and the search is complete.
        eos, banned = (
            log_probs[..., task.eos, None],
            task.barred(log_probs.shape[-1], with_eos=False),
        )
        own = (log_probs > eos).sum(-1) - (log_probs[..., banned] > eos).sum(-1)
        better = torch.where(last.unsqueeze(1), own, better)
    taken = (better < size) & (ending > -math.inf) & (t > task.min_length)
    coverage = live.coverage
    if coverage is not None:
        if past.weights is None:
            raise ValueError(_NO_WEIGHTS)
        coverage = coverage + past.weights
    score = objective.score(ending, t, coverage, live.mask).masked_fill(~taken, -math.inf)
    found = live.found.merge(_Found.make(score, ending, t - 1, True))
    if coverage is not None:
        coverage = _take(
            coverage,
            torch.arange(len(last), device=last.device).unsqueeze(1),
            past.parents[:, :size],
        )
    cut = last & (found.score[:, 0] == -math.inf)
    if cut.any():
        score = objective.score(survivors, t, coverage, live.mask).masked_fill(
            ~cut.unsqueeze(1), -math.inf
        )
        found = found.merge(_Found.make(score, survivors, t, False))
    live = live._replace(
        total=survivors, found=found, endings=live.endings + taken.sum(1), coverage=coverage
    )
    return live, past._replace(ended=ending.masked_fill(~taken, -math.inf))


def _stopped(live: _Live, t: int, stop: str, size: int, objective: _Objective) -> Bool[Tensor, "B"]:
    """Which sentences stop after step t: by the rule, or at their max_length."""
    worst, best_live = live.found.score[:, -1], live.total[:, 0]
    at_limit = live.limits == t
    if stop == "exact":
        return at_limit | (worst >= objective.bound(best_live, t + 1, live.limits))
    if stop == "current_length":
        return at_limit | (worst >= objective.score(best_live, t, None, None))
    if stop == "first_finished":
        return at_limit | (worst > -math.inf)
    if stop == "k_finished":
        return at_limit | (live.endings >= size)
    return at_limit


def _follow(
    step: Step, memory: Any, state: Any, pick: Callable[[Tensor], Tensor], task: _Task, paths: int
) -> list[list[Hypothesis]]:
    """Follow ``paths`` independent paths a sentence, each next token chosen by ``pick``."""
    rows, tokens, total = task.start(paths)
    state = _take(state, slice(None), [0] * paths)
    limits, end = task.limits, torch.full_like(tokens, -1)
    history: list[_Past] = []
    done: list[tuple[Tensor, _Found]] = []
    while len(rows):
        log_probs, state, weights = step(tokens, memory, state)
        t = len(history) + 1
        barred = task.barred(log_probs.shape[-1], with_eos=t <= task.min_length)
        index = torch.tensor(barred, dtype=torch.long, device=rows.device)
        tokens = pick(log_probs.index_fill(-1, index, -math.inf))
        gain = log_probs.gather(2, tokens.unsqueeze(2)).squeeze(2)
        _check_log_probs(gain.amax(1))
        total = torch.where(end < 0, total + gain, total)
        end = end.masked_fill((end < 0) & (tokens == task.eos), t - 1)
        slots = torch.arange(paths, device=rows.device).expand(tokens.shape)
        history.append(_Past(rows, slots, tokens, total, weights))
        stopped = (end >= 0).all(1) | (limits == t)
        cut = end.masked_fill(end < 0, t)
        found = _Found(total, total, cut, slots, end >= 0)
        done.append((rows[stopped], _take(found, stopped)))
        if stopped.any():
            left = (rows, limits, tokens, total, end, memory, state)
            rows, limits, tokens, total, end, memory, state = _take(left, ~stopped)
    return _read_back(history, done)


def _read_back(history: list[_Past], done: list[tuple[Tensor, _Found]]) -> list[list[Hypothesis]]:
    """Follow the back-pointers of all hypotheses at once, from the last step to the first."""
    if not history:
        return []  # a batch of no sentences
    order = torch.cat([rows for rows, _ in done]).argsort()
    found = _Found(*(torch.cat(parts)[order] for parts in zip(*(f for _, f in done))))
    slot, place = found.slot, torch.zeros_like(order)
    tokens, weights = [], []
    for t in range(len(history), 0, -1):
        past = history[t - 1]
        place[past.rows] = torch.arange(len(past.rows), device=place.device)
        active = found.end >= t  # shorter hypotheses join on the way back
        row, here = place.unsqueeze(1), slot.masked_fill(~active, 0)
        parent = past.parents[row, here]
        tokens.append(past.tokens[row, here])
        if past.weights is not None:
            weights.append(past.weights[row, parent])
        slot = torch.where(active, parent, slot)
    words = torch.stack(tokens[::-1], -1).tolist()  # (B, N, T)
    looks = torch.stack(weights[::-1], 2) if weights else None  # (B, N, T, S)
    results: list[list[Hypothesis]] = [[] for _ in words]
    columns = zip(*(field.tolist() for field in found))
    for b, (scores, log_probs, ends, slots, finished) in enumerate(columns):
        for n, end in enumerate(ends):
            if scores[n] > -math.inf:
                attention = None if looks is None else looks[b, n, :end]
                answer = (words[b][n][:end], log_probs[n], scores[n], finished[n], attention)
                results[b].append(Hypothesis(*answer))
        if not results[b]:
            raise ValueError(f"step gave every continuation of sentence {b} the probability 0")
    return results


def _records(
    history: list[_Past], done: list[tuple[Tensor, _Found]], size: int, task: _Task
) -> Iterator[dict[str, Any]]:
    """The hypotheses of a beam search, parents before children, for drawing the tree."""
    keys = ("sentence", "id", "parent", "step", "token", "log_prob", "status")
    best = set()
    for rows, found in done:
        for b, end, slot, ended in zip(
            *(x.tolist() for x in (rows, *[f[:, 0] for f in found[2:]]))
        ):
            best.add(f"{b}.{end}.{slot}" + "$" * ended)
    for b in history[0].rows.tolist():
        yield dict(zip(keys, (b, f"{b}.0.0", None, 0, task.bos, 0.0, "live")))
    for t, past in enumerate(history, 1):
        for i, b in enumerate(past.rows.tolist()):
            columns = (past.parents[i], past.tokens[i], past.total[i])
            for slot, (parent, token, total) in enumerate(zip(*(c.tolist() for c in columns))):
                id, status = f"{b}.{t}.{slot}", "live" if slot < size else "pruned"
                status = "best" if id in best else status
                yield dict(zip(keys, (b, id, f"{b}.{t - 1}.{parent}", t, token, total, status)))
            for slot, total in enumerate(past.ended[i].tolist()):
                if total > -math.inf:
                    above = f"{b}.{t - 1}.{slot}"
                    status = "best" if above + "$" in best else "finished"
                    yield dict(zip(keys, (b, above + "$", above, t, task.eos, total, status)))


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


def _first_tensor(tree: Any) -> Tensor | None:
    if isinstance(tree, Tensor):
        return tree
    branches = tree.values() if isinstance(tree, dict) else tree
    if not isinstance(branches, (tuple, list, type({}.values()))):
        return None
    return next((x for x in map(_first_tensor, branches) if x is not None), None)


def _whole(name: str, value: Any, least: int) -> None:
    if isinstance(value, bool) or not isinstance(value, int) or value < least:
        raise ValueError(f"{name} must be a whole number of at least {least}, got {value!r}")


def _prepare(
    memory: Any, state: Any, max_length: Any, min_length: int, banned: Sequence[int], bos: int, eos: int
) -> _Task:  # fmt: skip
    """Check what all searches share."""
    tensor = _first_tensor((memory, state))
    if tensor is None:
        raise ValueError("memory or state must hold a tensor, whose first dimension is the batch")
    batch = len(tensor)
    limits = [max_length] * batch if isinstance(max_length, int) else list(max_length)
    if len(limits) != batch:
        raise ValueError(
            f"max_length must have one number for each of {batch} sentences, got {len(limits)}"
        )
    for limit in limits:
        _whole("max_length", limit, 1)
    _whole("min_length", min_length, 0)
    if min_length and min_length >= min(limits):
        raise ValueError(
            f"min_length must leave room for the eos: below max_length={min(limits)}, got {min_length}"
        )
    if eos in banned:
        raise ValueError(
            f"banned must not contain the eos ({eos}), or nothing could end, got {list(banned)}"
        )
    return _Task(torch.tensor(limits, device=tensor.device), min_length, list(banned), bos, eos)


def _check_beam(
    size: int, n_best: int, alpha: float, penalty: str, beta: float, mask: Tensor | None, stop: str
) -> _Objective:
    """Check what defines the score of a hypothesis."""
    _whole("beam_size", size, 1)
    _whole("n_best", n_best, 1)
    if n_best > size:
        raise ValueError(f"n_best must be at most beam_size={size}, got {n_best}")
    if not math.isfinite(alpha):
        raise ValueError(f"alpha must be a finite number, got {alpha}")
    if penalty not in ("gnmt", "power"):
        raise ValueError(f"penalty must be 'gnmt' or 'power', got {penalty!r}")
    if not 0 <= beta < math.inf:
        raise ValueError(f"beta must be a finite number of at least 0, got {beta}")
    if beta and mask is None:
        raise ValueError(
            "beta > 0 needs src_mask (B, S), True at real source tokens, so that padding does not "
            "count as uncovered; got None"
        )
    if stop not in STOPS:
        raise ValueError(f"stop must be one of {', '.join(STOPS)}, got {stop!r}")
    return _Objective(alpha, penalty, beta)


def _check_log_probs(gain: Tensor) -> None:
    """Refuse logits and NaN, which would quietly break every bound."""
    if not bool((gain <= 1e-3).all()):
        raise ValueError(
            "step must return log-probabilities, at most 0 and not NaN: did it return logits? "
            f"The largest is {float(gain.max()):.4g}"
        )
