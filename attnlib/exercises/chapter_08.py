"""Checks of chapter 8: beam search."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from typing import Any, TypeAlias

import torch
from torch import Tensor

from .. import search
from .spec import Call, Exercise, Mistake

Inputs: TypeAlias = Iterator[dict[str, Any]]
Step: TypeAlias = Callable[[Tensor, Any, Any], Any]
Answer: TypeAlias = tuple[list[int], float]
PAD, BOS, EOS = 0, 2, 3
SIZE = 7  # of the toy models' vocabulary: pad, unk, sos, eos and three words


# Toy language models: every prefix has a distribution of its own ----------------------------------


def _start() -> dict[str, Any]:
    return {"memory": torch.zeros(1), "state": torch.zeros(1, 1, dtype=torch.long)}


def _stepping(rows: Tensor, depth: int) -> Step:
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


def _random_step(seed: int, depth: int = 3, never_ends: bool = False) -> Step:
    generator = torch.Generator().manual_seed(seed)
    rows = 1.5 * torch.randn((SIZE**depth - 1) // (SIZE - 1), SIZE, generator=generator)
    if never_ends:
        rows[:, EOS] = -math.inf
    return _stepping(rows.log_softmax(-1), 20 if never_ends else depth)


def _written_step(*levels: dict[tuple[int, ...], dict[int, float]]) -> Step:
    """A model spelled out: prefix → token → probability."""
    table = {prefix: row for level in levels for prefix, row in level.items()}
    rows = torch.full(((SIZE**3 - 1) // (SIZE - 1), SIZE), 0.0)
    for prefix, row in table.items():
        node = 0
        for token in prefix:
            node = SIZE * node + token + 1
        for token, probability in row.items():
            rows[node, token] = probability
    return _stepping(rows.log(), 3)


# 4 "he", 5 "I", 6 "went": the chapter's example, shortened
_TRAP = _written_step(
    {(): {4: 0.5, 5: 0.4, 3: 0.1}},
    {(4,): {3: 0.35, 6: 0.4, 5: 0.25}, (5,): {6: 0.9, 3: 0.1}},
    {(4, 6): {3: 0.6, 4: 0.4}, (5, 6): {3: 1.0}},
)


# greedy_trap --------------------------------------------------------------------------------------


def _shares() -> Inputs:
    for p in (0.6, 0.51, 0.75, 0.9, 0.99):
        yield {"p": p}


def _greedy_trap(p: float) -> tuple[list[float], list[float]]:
    words = math.ceil(p / (1 - p)) + 1
    return [1 / words] * words, [1.0]


def _pair_of_lists(call: Call) -> str | None:
    if len(call.result) != 2 or not all(isinstance(row, list) and row for row in call.result):
        return "Two lists of numbers are asked for: what may follow a, and what may follow b."
    return None


def _distributions(call: Call) -> str | None:
    for name, row in zip(("a", "b"), call.result):
        if any(not 0 <= x <= 1 for x in row) or abs(sum(row) - 1) > 1e-6:
            return (
                f"What follows {name} sums to {sum(row):.3g}. Whatever comes, something comes: the "
                "probabilities lie between 0 and 1 and sum to 1."
            )
    return None


def _greedy_loses(call: Call) -> str | None:
    greedy, other = call.p * max(call.result[0]), (1 - call.p) * max(call.result[1])
    if other > greedy + 1e-9:
        return None
    told = f"Greedy search takes a ({call.p:g}) and ends with {greedy:.3g}; the best that begins "
    told += f"with b ({1 - call.p:.2g}) has {other:.3g}. "
    if max(call.result[1]) < 1:
        return told + "Can what follows b be more certain?"
    return told + "Among how many words must the probability after a be shared out?"


GREEDY_TRAP = Exercise(
    "greedy_trap",
    reference=_greedy_trap,
    inputs=_shares,
    rules={
        "it returns two lists": _pair_of_lists,
        "each list is a distribution": _distributions,
        "greedy search ends with the less probable sentence": _greedy_loses,
    },
    mistakes=[
        Mistake(
            "Both continuations are certain, so the first word decides: greedy search is right. "
            "After which of the two words must the model be unsure?",
            lambda p: ([1.0], [1.0]),
        ),
        Mistake(
            "The two lists are exchanged: here the model is unsure after b, which greedy search "
            "never sees.",
            lambda p: _greedy_trap(p)[::-1],
        ),
        Mistake(
            "Two words after a are enough only while p / 2 < 1 − p. For a larger p more words must "
            "share: how many, as a function of p?",
            lambda p: ([0.5, 0.5], [1.0]),
        ),
    ],
    compare=False,
)


# greedy_tokens ------------------------------------------------------------------------------------


def _to_walk() -> Inputs:
    yield {"step": _TRAP, **_start(), "max_length": 4}
    for seed in range(6):
        yield {"step": _random_step(seed), **_start(), "max_length": 5}
    yield {"step": _random_step(7), **_start(), "max_length": 1}
    yield {"step": _random_step(8, never_ends=True), **_start(), "max_length": 3}


def _greedy_reference(
    step: Step, memory: Any, state: Any, max_length: int
) -> Answer:  # fmt: skip
    [[found]] = search.greedy_search(step, memory, state, max_length=max_length)
    return found.tokens, found.log_prob


def _greedy(flaw: str) -> Callable[..., Answer]:
    """Greedy search with a flaw."""

    def wrong(
        step: Step, memory: Any, state: Any, max_length: int
    ) -> Answer:  # fmt: skip
        tokens, total, last = [], 0.0, BOS
        for _ in range(max_length + (flaw == "long")):
            log_probs, new, _ = step(torch.tensor([[last]]), memory, state)
            row = log_probs[0, 0].clone()
            if flaw != "banned":
                row[[PAD, BOS]] = -math.inf
            if flaw == "absolute":
                row = row.masked_fill(row == -math.inf, 0).abs()
            token = int(row.argmax())
            state = state if flaw == "state" else new
            last = BOS if flaw == "input" else token
            if token != EOS or flaw != "no eos":
                total += float(log_probs[0, 0, token])
            if token == EOS:
                tokens += [EOS] if flaw == "eos" else []
                break
            tokens.append(token)
        return tokens, math.exp(total) if flaw == "exp" else total

    return wrong


def _is_log_prob(call: Call) -> str | None:
    if call.result[1] <= 1e-6:
        return None
    return (
        f"The second number is {call.result[1]:.3g}. A log-probability is never above 0: is it a "
        "probability, or is the sum taken with the wrong sign?"
    )


def _ends_without_eos(call: Call) -> str | None:
    if EOS not in list(call.result[0]):
        return None
    return "The eos (3) is among the tokens. Count its log-probability, and leave it out."


def _not_longer(call: Call) -> str | None:
    if len(call.result[0]) <= call.max_length:
        return None
    return f"{len(call.result[0])} tokens are written where max_length is {call.max_length}."


GREEDY_TOKENS = Exercise(
    "greedy_tokens",
    reference=_greedy_reference,
    inputs=_to_walk,
    rules={
        "its second number is a log-probability": _is_log_prob,
        "the eos is not among the tokens": _ends_without_eos,
        "it is cut at max_length": _not_longer,
    },
    mistakes=[
        Mistake(
            "This is the probability. Return its logarithm: the sum of the steps' "
            "log-probabilities.",
            _greedy("exp"),
        ),
        Mistake(
            "The eos is among the tokens. Count its log-probability, and leave it out.",
            _greedy("eos"),
        ),
        Mistake(
            "The log-probability of the eos is missing from the sum: ending is a decision, too.",
            _greedy("no eos"),
        ),
        Mistake(
            "Every step is given the state of the start: the model does not know what was written "
            "before. Hand on the state that the step returns.",
            _greedy("state"),
        ),
        Mistake(
            "Every step is fed the start token. From the second step on, feed the token that was "
            "just chosen.",
            _greedy("input"),
        ),
        Mistake(
            "Padding or a second start token is written. Pad (0) and sos (2) may not be chosen.",
            _greedy("banned"),
        ),
        Mistake(
            "This takes the log-probability with the largest absolute value, which is the least "
            "probable token. The largest value is the one nearest to 0.",
            _greedy("absolute"),
        ),
        Mistake(
            "One token too many: max_length counts the eos, so the loop has max_length rounds.",
            _greedy("long"),
        ),
    ],
)


# length_penalty -----------------------------------------------------------------------------------


def _lengths() -> Inputs:
    yield {"n": 7.0, "alpha": 1.0, "kind": "gnmt"}
    yield {"n": 9.0, "alpha": 0.5, "kind": "power"}
    yield {"n": 1.0, "alpha": 0.7, "kind": "gnmt"}
    yield {"n": 13.0, "alpha": 0.6, "kind": "gnmt"}
    yield {"n": 4.0, "alpha": -1.0, "kind": "power"}
    yield {"n": 20.0, "alpha": 0.0, "kind": "gnmt"}
    yield {"n": torch.tensor([1.0, 7.0, 19.0]), "alpha": 2.0, "kind": "gnmt"}


def _one_at_one(call: Call) -> str | None:
    for kind in ("gnmt", "power"):
        got = float(call(n=1.0, alpha=0.7, kind=kind))
        if abs(got - 1) > 1e-6:
            return f'For n = 1 the penalty "{kind}" is {got:.3g}. Both are made so that lp(1) = 1.'
    return None


def _nothing_at_zero(call: Call) -> str | None:
    got = float(call(n=30.0, alpha=0.0))
    return None if abs(got - 1) < 1e-6 else f"For α = 0 nothing is divided: lp = 1, not {got:.3g}."


def _grows(call: Call) -> str | None:
    short, long = (float(call(n=n, alpha=0.5)) for n in (4.0, 16.0))
    if long > short:
        return None
    return (
        f"For α = 0.5, lp(4) = {short:.3g} and lp(16) = {long:.3g}. A log-probability is negative: "
        "which divisor brings a long sentence nearer to 0?"
    )


LENGTH_PENALTY = Exercise(
    "length_penalty",
    reference=lambda n, alpha, kind="gnmt": (n if kind == "power" else (5 + n) / 6) ** alpha,
    inputs=_lengths,
    rules={
        "a larger n has a larger divisor where α > 0": _grows,
        "α = 0 changes nothing": _nothing_at_zero,
        "a sentence of one token is left as it is": _one_at_one,
    },
    mistakes=[
        Mistake(
            "Only the numerator is raised to α: the whole fraction is, (5 + n)^α / 6^α.",
            lambda n, alpha, kind="gnmt": n**alpha if kind == "power" else (5 + n) ** alpha / 6,
        ),
        Mistake(
            "The fraction is multiplied by α. It is raised to the power α.",
            lambda n, alpha, kind="gnmt": (n if kind == "power" else (5 + n) / 6) * alpha,
        ),
        Mistake(
            "The argument kind has no effect: this is always the GNMT penalty.",
            lambda n, alpha, kind="gnmt": ((5 + n) / 6) ** alpha,
        ),
        Mistake(
            "The argument kind has no effect: this is always n^α.",
            lambda n, alpha, kind="gnmt": n**alpha,
        ),
        Mistake(
            "The eos is counted twice: n counts it already.",
            lambda n, alpha, kind="gnmt": (n + 1 if kind == "power" else (6 + n) / 6) ** alpha,
        ),
        Mistake(
            "The exponent has the wrong sign: this divisor shrinks with n, and dividing a negative "
            "number by a smaller divisor makes it worse.",
            lambda n, alpha, kind="gnmt": (n if kind == "power" else (5 + n) / 6) ** -alpha,
        ),
    ],
)


# coverage_penalty ---------------------------------------------------------------------------------


def _coverages() -> Inputs:
    yes = torch.tensor([True, True, False])
    yield {"coverage": torch.tensor([0.5, 2.0, 0.0]), "beta": 1.0, "mask": yes}
    yield {"coverage": torch.tensor([1.0, 1.5, 0.3]), "beta": 0.4, "mask": yes}
    yield {"coverage": torch.tensor([0.0, 0.5]), "beta": 0.2, "mask": torch.tensor([True, True])}
    generator = torch.Generator().manual_seed(3)
    mask = torch.arange(5) < torch.tensor([[5], [3], [1]])
    yield {"coverage": 2 * torch.rand(3, 5, generator=generator), "beta": 0.3, "mask": mask}


def _never_a_reward(call: Call) -> str | None:
    got = float(call(coverage=torch.tensor([3.0, 1.0]), beta=1.0, mask=torch.tensor([True, True])))
    if abs(got) < 1e-6:
        return None
    return (
        f"Sums of 3 and 1 give {got:.3g}. A position that got its full share, or more, costs "
        "nothing and earns nothing: 0 is expected. Where is the minimum with 1?"
    )


def _finite(call: Call) -> str | None:
    got = float(call(coverage=torch.tensor([0.0, 1.0]), beta=1.0, mask=torch.tensor([True, True])))
    if math.isfinite(got):
        return None
    return (
        f"A word that was never looked at gives {got}. Take at least 1e-9 before the logarithm: "
        "the hypothesis should rank low, not break the arithmetic."
    )


def _padding_is_free(call: Call) -> str | None:
    full = call(coverage=torch.tensor([1.0, 0.0]), beta=1.0, mask=torch.tensor([True, False]))
    if abs(float(full)) < 1e-6:
        return None
    return (
        f"The only real word is covered, and the penalty is {float(full):.3g}. Does padding, which "
        "nobody may look at, count as forgotten?"
    )


def _coverage(
    low: float = 1e-9, high: float = 1.0, masked: bool = True, how: str = "sum", sign: int = 1
) -> Callable[..., Tensor]:
    def wrong(coverage: Tensor, beta: float, mask: Tensor) -> Tensor:
        parts = coverage.clamp(low, high).log()
        parts = parts.masked_fill(~mask, 0) if masked else parts
        return sign * beta * (parts.sum(-1) if how == "sum" else parts.mean(-1))

    return wrong


COVERAGE_PENALTY = Exercise(
    "coverage_penalty",
    reference=_coverage(),
    inputs=_coverages,
    rules={
        "full coverage costs nothing": _never_a_reward,
        "padding costs nothing": _padding_is_free,
        "it is finite": _finite,
    },
    mistakes=[
        Mistake(
            "Sums above 1 are rewarded: looking twice at one word pays for forgetting another. "
            "Where is the minimum with 1?",
            _coverage(high=1e9),
        ),
        Mistake(
            "Padding is counted: a sentence is punished for its neighbours' length. Use the mask.",
            _coverage(masked=False),
        ),
        Mistake(
            "A word that was never looked at gives −∞. Take at least 1e-9 before the logarithm.",
            _coverage(low=0.0),
        ),
        Mistake(
            "This is the mean over the positions, padding included. The formula has a sum.",
            _coverage(how="mean"),
        ),
        Mistake(
            "The sign is turned: logarithms of numbers up to 1 are negative already, and a "
            "penalty is added to the score.",
            _coverage(sign=-1),
        ),
        Mistake(
            "The argument beta has no effect.",
            lambda coverage, beta, mask: _coverage()(coverage, 1.0, mask),
        ),
        Mistake(
            "The logarithm is missing: this is the plain sum of what was covered.",
            lambda coverage, beta, mask: beta * coverage.clamp(max=1).masked_fill(~mask, 0).sum(-1),
        ),
    ],
)


# can_stop -----------------------------------------------------------------------------------------


def _moments() -> Inputs:
    yield {"best": -1.0, "live": -2.0, "t": 2, "max_length": 9, "alpha": 0.0}
    yield {"best": -2.0, "live": -1.0, "t": 2, "max_length": 9, "alpha": 0.0}
    yield {"best": -1.5, "live": -1.5, "t": 3, "max_length": 5, "alpha": 0.0}
    yield {"best": -1.0, "live": -1.5, "t": 1, "max_length": 13, "alpha": 1.0}
    yield {"best": -0.5, "live": -4.0, "t": 4, "max_length": 13, "alpha": 1.0}
    yield {"best": -0.9, "live": -1.2, "t": 3, "max_length": 3, "alpha": 1.0}
    yield {"best": -1.2, "live": -1.0, "t": 3, "max_length": 30, "alpha": -0.5}
    yield {"best": -2.0, "live": -1.9, "t": 3, "max_length": 30, "alpha": -0.5}
    yield {"best": -math.inf, "live": -9.0, "t": 3, "max_length": 6, "alpha": 0.6}
    yield {"best": -4.0, "live": -math.inf, "t": 3, "max_length": 6, "alpha": 0.6}
    for draw in range(20):
        generator = torch.Generator().manual_seed(draw)
        best, live, alpha = torch.rand(3, generator=generator).tolist()
        span = {"t": 1 + draw % 5, "max_length": 6 + draw}
        yield {"best": -best, "live": -2 * live, **span, "alpha": 2 * alpha - 0.5}


def _reachable(live: float, t: int, max_length: int, alpha: float) -> list[float]:
    """The scores of all completions, if every further token had probability 1."""
    return [live / search.length_penalty(float(n), alpha) for n in range(t + 1, max_length + 1)]


def _can_stop(best: float, live: float, t: int, max_length: int, alpha: float) -> bool:
    return all(best >= score for score in _reachable(live, t, max_length, alpha))


def _never_too_early(call: Call) -> str | None:
    for alpha in (0.0, 0.6, 1.0, 2.0, -0.7):
        for n in range(4, 13):
            score = _reachable(-1.5, 3, 12, alpha)[n - 4]
            if call(best=score - 1e-3, live=-1.5, t=3, max_length=12, alpha=alpha):
                return (
                    f"It stops too early. α = {alpha:g}, max_length = 12, best = "
                    f"{score - 1e-3:.3f}; a live prefix of 3 tokens has log-probability −1.5. If "
                    f"the model is certain of the rest, it can end as {n} tokens with score "
                    f"{score:.3f}. At which length is a completion's score the highest?"
                )
    return None


def _not_too_late(call: Call) -> str | None:
    for alpha in (0.0, 0.6, 1.0, 2.0, -0.7):
        best = max(_reachable(-1.5, 3, 12, alpha)) + 1e-3
        if not call(best=best, live=-1.5, t=3, max_length=12, alpha=alpha):
            return (
                f"It goes on for nothing. α = {alpha:g}, max_length = 12, best = {best:.3f}; a "
                "live prefix of 3 tokens has log-probability −1.5, and no completion of it can "
                "reach that score, at any length."
            )
    return None


CAN_STOP = Exercise(
    "can_stop",
    reference=_can_stop,
    inputs=_moments,
    rules={
        "it is never true while a better completion can come (all lengths tried)": (
            _never_too_early
        ),
        "it is true where no completion can be better": _not_too_late,
    },
    mistakes=[
        Mistake(
            "The live prefix is scored at its *present* length. It can grow, and for α > 0 a "
            "longer sentence is divided by more.",
            lambda best, live, t, max_length, alpha: (
                best >= live / search.length_penalty(float(t), alpha)
            ),
        ),
        Mistake(
            "The live prefix is scored as if it ended now. For α > 0 its score is the highest at "
            "another length: which?",
            lambda best, live, t, max_length, alpha: (
                t >= max_length or best >= live / search.length_penalty(t + 1.0, alpha)
            ),
        ),
        Mistake(
            "This is the rule for α = 0: the length penalty has no effect.",
            lambda best, live, t, max_length, alpha: best >= live,
        ),
        Mistake(
            "This is right for α ≥ 0. With a negative α the divisor shrinks with the length: the "
            "best completion is then the shortest.",
            lambda best, live, t, max_length, alpha: (
                best >= live / search.length_penalty(float(max_length), alpha)
            ),
        ),
        Mistake(
            "It stops as soon as anything has ended: a better hypothesis may still be alive.",
            lambda best, live, t, max_length, alpha: best > -math.inf,
        ),
        Mistake(
            "It is the wrong way round: it stops while the living are better.",
            lambda best, live, t, max_length, alpha: (
                not _can_stop(best, live, t, max_length, alpha)
            ),
        ),
        Mistake(
            "It never stops before max_length: right answers, but all the work.",
            lambda best, live, t, max_length, alpha: t >= max_length,
        ),
    ],
)


# beam_tokens --------------------------------------------------------------------------------------


def _to_search() -> Inputs:
    def given(step: Step, longest: int, k: int, alpha: float, kind: str) -> dict[str, Any]:
        options = {"max_length": longest, "beam_size": k, "alpha": alpha, "penalty": kind}
        return {"step": step, **_start(), **options}

    yield given(_TRAP, 4, 2, 0.0, "gnmt")
    for seed in range(8):
        for k, alpha in ((1, 0.0), (2, 0.0), (3, 1.0)):
            yield given(_random_step(seed), 5, k, alpha, "gnmt")
        yield given(_random_step(seed + 10), 5, 3, 1.0, "power")
    for seed in (5, 30, 49):
        yield given(_random_step(seed), 5, 2, 1.5, "gnmt")
    yield given(_random_step(8, never_ends=True), 3, 2, 1.0, "gnmt")


def _beam_reference(
    step: Step, memory: Any, state: Any, max_length: int, beam_size: int = 5, alpha: float = 0.0,
    penalty: str = "gnmt",
) -> Answer:  # fmt: skip
    options: dict[str, Any] = {"max_length": max_length, "beam_size": beam_size}
    options |= {"alpha": alpha, "penalty": penalty}
    [[found]] = search.beam_search(step, memory, state, **options)
    return found.tokens, found.log_prob


def _beam(flaw: str) -> Callable[..., Answer]:
    """A beam search of one sentence, prefix by prefix, with a flaw."""

    def wrong(
        step: Step, memory: Any, state: Any, max_length: int, beam_size: int = 5,
        alpha: float = 0.0, penalty: str = "gnmt",
    ) -> Answer:  # fmt: skip
        live: list[Any] = [(0.0, [], state)]
        done: list[tuple[float, float, list[int]]] = []
        if flaw == "greedy":
            beam_size = 1

        def score(total: float, n: int) -> float:
            if flaw == "no penalty":
                return total
            return total / search.length_penalty(float(n), alpha, penalty)

        for t in range(1, max_length + 1):
            found, new = [], state
            for total, tokens, before in live:
                last = torch.tensor([[tokens[-1] if tokens else BOS]])
                log_probs, new, _ = step(last, memory, before)
                gains = log_probs[0, 0].tolist()
                every = [
                    (total + gain, [*tokens, token], new)
                    for token, gain in enumerate(gains)
                    if gain > -math.inf and (token not in (PAD, BOS) or flaw == "banned")
                ]
                found += [max(every, key=lambda x: x[0])] if flaw == "own best" else every
            found.sort(key=lambda x: -x[0])
            if flaw == "state":
                found = [(total, tokens, new) for total, tokens, _ in found]
            live = []
            room = beam_size - (len(done) if flaw == "shrink" else 0)
            for total, tokens, after in found:
                if len(live) >= room:
                    break
                if tokens[-1] == EOS:
                    if flaw == "no eos":
                        total -= 0.5
                    done.append((score(total, t), total, tokens[:-1]))
                    room -= flaw in ("slot", "shrink")
                else:
                    live.append((total, tokens, after))
            enough = {"first": 1, "count": beam_size}.get(flaw, 10**9)
            if not live or len(done) >= enough:
                break
            if flaw == "present" and done and max(done)[0] >= score(live[0][0], t):
                break
        if done:
            _, total, tokens = max(done, key=lambda x: x[1 if flaw == "last" else 0])
            return tokens, total
        return live[0][1], live[0][0]

    return wrong


def _one_is_greedy(call: Call) -> str | None:
    got = call(beam_size=1, alpha=0.0)
    tokens, log_prob = _greedy_reference(call.step, call.memory, call.state, call.max_length)
    if list(got[0]) == tokens and abs(got[1] - log_prob) < 1e-4:
        return None
    return (
        f"A beam of one finds {list(got[0])} ({got[1]:.3f}); greedy search finds {tokens} "
        f"({log_prob:.3f}). With K = 1 they must agree: an ending is taken only when the search "
        "meets it before it has K survivors."
    )


def _own_log_prob(call: Call) -> str | None:
    tokens, log_prob = list(call.result[0]), call.result[1]
    total, state = 0.0, call.state
    ended = len(tokens) < call.max_length
    for last, token in zip([2, *tokens], [*tokens, EOS] if ended else tokens):
        log_probs, state, _ = call.step(torch.tensor([[last]]), call.memory, state)
        total += float(log_probs[0, 0, token])
    if abs(total - log_prob) < 1e-3:
        return None
    return (
        f"The tokens {tokens} have log-probability {total:.3f} when the model reads them one by "
        f"one, and {log_prob:.3f} is returned. Does every prefix go on from its own state, and is "
        "the sum, eos included, not divided by anything?"
    )


BEAM_TOKENS = Exercise(
    "beam_tokens",
    reference=_beam_reference,
    inputs=_to_search,
    rules={
        "the eos is not among the tokens": _ends_without_eos,
        "the log-probability is that of its tokens": _own_log_prob,
        "a beam of one is greedy search": _one_is_greedy,
    },
    mistakes=[
        Mistake(
            "Every prefix keeps only its own best continuation. The K best are chosen among the "
            "continuations of *all* prefixes: two may have the same parent.",
            _beam("own best"),
        ),
        Mistake(
            "This is greedy search: beam_size has no effect.",
            _beam("greedy"),
        ),
        Mistake(
            "It stops when the first hypothesis ends. A better one may still be alive: go on to "
            "max_length, or until none can catch up.",
            _beam("first"),
        ),
        Mistake(
            "It stops when beam_size hypotheses have ended. They need not be the best: go on to "
            "max_length, or until none can catch up.",
            _beam("count"),
        ),
        Mistake(
            "It stops by comparing with the live prefix at its *present* length. With α > 0 that "
            "prefix may gain by growing.",
            _beam("present"),
        ),
        Mistake(
            "A hypothesis that has ended takes a place in the beam at that step. Set it aside: K "
            "prefixes that have not ended go on.",
            _beam("slot"),
        ),
        Mistake(
            "The beam shrinks with every hypothesis that ends. Set endings aside: K prefixes that "
            "have not ended go on.",
            _beam("shrink"),
        ),
        Mistake(
            "The finished hypotheses are ranked by log-probability alone: alpha has no effect.",
            _beam("no penalty"),
        ),
        Mistake(
            "All continuations are given the state of the last prefix. A continuation goes on "
            "from the state that its own prefix's step returned.",
            _beam("state"),
        ),
        Mistake(
            "Padding or a second start token is written. Pad (0) and sos (2) may not be chosen.",
            _beam("banned"),
        ),
    ],
)


# reorder ------------------------------------------------------------------------------------------


def _states() -> Inputs:
    yield {
        "state": {"hidden": torch.tensor([[[1.0], [2.0]]]), "cell": torch.tensor([[[5.0], [6.0]]])},
        "parents": torch.tensor([[1, 1]]),
    }
    generator = torch.Generator().manual_seed(4)
    for b, k, new in ((2, 3, 3), (3, 2, 4), (2, 4, 2)):
        yield {
            "state": {
                "hidden": torch.randn(b, k, 5, generator=generator),
                "cell": torch.randn(b, k, 5, generator=generator),
                "looked_at": torch.rand(b, k, 2, 3, generator=generator),
            },
            "parents": torch.randint(k, (b, new), generator=generator),
        }


def _reorder(state: dict[str, Tensor], parents: Tensor) -> dict[str, Tensor]:
    rows = torch.arange(len(parents)).unsqueeze(1)
    return {name: x[rows, parents] for name, x in state.items()}


def _own_parent(call: Call) -> str | None:
    for name, after in call.result.items():
        for b in range(len(call.parents)):
            for k, parent in enumerate(call.parents[b].tolist()):
                if not torch.equal(after[b, k], call.state[name][b, parent]):
                    return (
                        f'Sentence {b}, new place {k}: its parent is {parent}, but "{name}" is '
                        f"not that of place {parent} of sentence {b}."
                    )
    return None


REORDER = Exercise(
    "reorder",
    reference=_reorder,
    inputs=_states,
    rules={"every prefix has the state of its parent, in its own sentence": _own_parent},
    mistakes=[
        Mistake(
            "Only the hidden state is reordered. Everything that a prefix carries along moves with "
            "it: cell, coverage, and whatever else the state holds.",
            lambda state, parents: {
                name: x[torch.arange(len(parents)).unsqueeze(1), parents] if name == "hidden" else x
                for name, x in state.items()
            },
        ),
        Mistake(
            "The state comes back as it was. Place k of the result belongs to the prefix whose "
            "parent is parents[b, k].",
            lambda state, parents: dict(state),
        ),
        Mistake(
            "Every sentence is reordered by the parents of the first one.",
            lambda state, parents: {name: x[:, parents[0]] for name, x in state.items()},
        ),
        Mistake(
            "The parents number places of the beam (dimension 1), not sentences (dimension 0).",
            lambda state, parents: {name: x[parents[:, 0]] for name, x in state.items()},
        ),
        Mistake(
            "One index too few: state[parents] takes whole sentences, and the result has a "
            "dimension too many. Which sentence does row b of the parents belong to?",
            lambda state, parents: {name: x[parents] for name, x in state.items()},
        ),
        Mistake(
            "This is the inverse: place parents[k] is given the state of place k. Asked for is "
            "that place k *gets* the state of place parents[k].",
            lambda state, parents: {
                name: _scattered(x, parents, parents.shape[1]) for name, x in state.items()
            },
        ),
    ],
)


def _scattered(x: Tensor, parents: Tensor, places: int) -> Tensor:
    result = torch.zeros_like(x)
    for b in range(len(parents)):
        for k in range(min(places, x.shape[1])):
            result[b, parents[b, k]] = x[b, k]
    return result


# nucleus ------------------------------------------------------------------------------------------


def _distributions_to_cut() -> Inputs:
    yield {"probs": torch.tensor([[0.25, 0.5, 0.125, 0.125]]), "top_p": 0.6}
    yield {"probs": torch.tensor([[0.9, 0.1], [0.3, 0.7]]), "top_p": 0.5}
    generator = torch.Generator().manual_seed(5)
    for top_p in (0.2, 0.7, 0.95, 1.0):
        logits = 2 * torch.randn(3, 6, generator=generator)
        yield {"probs": logits.softmax(-1), "top_p": top_p}


def _nucleus(
    probs: Tensor, top_p: float, rest: bool = True, crossing: bool = True, order: str = "down"
) -> Tensor:
    ranked, places = probs.sort(-1, descending=order == "down")
    if order == "none":
        ranked, places = probs, torch.arange(probs.shape[-1]).expand(probs.shape)
    before = ranked.cumsum(-1) - (ranked if crossing else 0)
    kept = ranked.masked_fill(before >= top_p if crossing else before > top_p, 0.0)
    back = torch.zeros_like(probs).scatter(-1, places, kept)
    return back / back.sum(-1, keepdim=True) if rest else back


def _sums_to_one(call: Call) -> str | None:
    sums = call.result.sum(-1)
    if bool((sums - 1).abs().max() < 1e-4):
        return None
    return (
        f"A row sums to {float(sums[(sums - 1).abs().argmax()]):.3g}. What is kept must become a "
        "distribution again before one can draw from it."
    )


def _keeps_the_best(call: Call) -> str | None:
    got = call(probs=torch.tensor([[0.1, 0.75, 0.15]]), top_p=0.5)
    if abs(float(got[0, 1]) - 1) < 1e-4:
        return None
    return (
        f"Of (0.1, 0.75, 0.15) with top_p = 0.5 it makes {[round(x, 3) for x in got[0].tolist()]}. "
        "The token of 0.75 alone reaches 0.5, so it is the whole nucleus: is the token that "
        "crosses the line kept, and nothing after it?"
    )


def _all_of_it(call: Call) -> str | None:
    if torch.allclose(call(top_p=1.0), call.probs, atol=1e-4):
        return None
    return "With top_p = 1 every token stays, and nothing changes."


NUCLEUS = Exercise(
    "nucleus",
    reference=lambda probs, top_p: _nucleus(probs, top_p),
    inputs=_distributions_to_cut,
    rules={
        "what is kept sums to 1": _sums_to_one,
        "the token that crosses the line is the last one kept": _keeps_the_best,
        "top_p = 1 keeps everything": _all_of_it,
    },
    mistakes=[
        Mistake(
            "What is kept is not divided by its sum: it must become a distribution again.",
            lambda probs, top_p: _nucleus(probs, top_p, rest=False),
        ),
        Mistake(
            "The token that crosses the line is thrown away. The nucleus *reaches* top_p, so that "
            "token is its last member; else a token of 0.9 could not be kept at all.",
            lambda probs, top_p: _nucleus(probs, top_p, crossing=False),
        ),
        Mistake(
            "The sum runs over the tokens in the order of the vocabulary. Sort them first: the "
            "nucleus begins with the most probable.",
            lambda probs, top_p: _nucleus(probs, top_p, order="none"),
        ),
        Mistake(
            "The sum runs from the least probable token upwards. The nucleus begins with the most "
            "probable.",
            lambda probs, top_p: _nucleus(probs, top_p, order="up"),
        ),
        Mistake(
            "Tokens are kept whose own probability is at least 1 − top_p. The nucleus is a sum: "
            "many small tokens can belong to it.",
            lambda probs, top_p: _thresholded(probs, 1 - top_p),
        ),
        Mistake(
            "The result is sorted. Every token keeps its place in the vocabulary.",
            lambda probs, top_p: _nucleus(probs, top_p).sort(-1, descending=True).values,
        ),
    ],
)


def _thresholded(probs: Tensor, least: float) -> Tensor:
    kept = probs.masked_fill(probs < least, 0.0)
    return kept / kept.sum(-1, keepdim=True)
