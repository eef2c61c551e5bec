"""Exercise 6.8: ``pick_score``."""

from __future__ import annotations

from collections.abc import Callable

import torch
from torch import Tensor
from torch.nn import functional as F

from attnbook.checks.shared import Inputs, normal
from attnbook.exercises import Call, Exercise, Mistake

KINDS = ("dot", "general", "concat")


Score = Callable[[Tensor, Tensor], Tensor]


def _fit(kind: str, query: Tensor, keys: Tensor, wanted: Tensor) -> Score:
    """A score fitted to examples in one step: each maps a key to the query it would answer to."""
    if kind == "dot":
        return lambda query, keys: torch.einsum("nh,nsh->ns", query, keys)
    generator = torch.Generator().manual_seed(9)
    bend = 1.5 * torch.randn(query.shape[-1], 60, generator=generator)
    shift = torch.rand(60, generator=generator) * 2 - 1

    def features(keys: Tensor) -> Tensor:
        return keys if kind == "general" else torch.tanh(keys @ bend + shift)

    found = features(keys[torch.arange(len(keys)), wanted])
    ridge = 1e-3 * torch.eye(found.shape[-1])
    map_ = torch.linalg.solve(found.T @ found + ridge, found.T @ query)
    if kind == "general":
        return lambda query, keys: torch.einsum("nh,nsh->ns", query, keys @ map_)
    return lambda query, keys: -(features(keys) @ map_ - query.unsqueeze(1)).square().sum(-1)


def _examples() -> Inputs:
    make = normal(10)
    turn, _ = torch.linalg.qr(make(4, 4))
    worlds: list[tuple[int, float, Callable[[Tensor], Tensor]]] = [
        (24, 1.0, lambda x: x),  # shared, few and noisy examples
        (120, 0.0, lambda x: x),  # shared, many: dot and general are equally good
        (120, 0.1, lambda x: x @ turn.T),
        (600, 0.05, lambda x: (x @ turn.T).abs()),
    ]
    for count, noise, world in worlds:
        keys = F.normalize(make(count, 5, 4), dim=-1) * 2
        wanted = torch.arange(count) % 5
        found = world(keys[torch.arange(count), wanted])
        yield {"fit": _fit, "query": found + noise * make(count, 4), "keys": keys, "wanted": wanted}


def _accuracy(score: Score, query: Tensor, keys: Tensor, wanted: Tensor) -> float:
    return float((score(query, keys).argmax(-1) == wanted).float().mean())


def _choose(best: Callable[[dict[str, float]], str], seen: bool = False) -> Callable[..., str]:
    """Fit on the first half, judge on the second; or on what was fitted (seen)."""

    def pick(fit: Callable[..., Score], query: Tensor, keys: Tensor, wanted: Tensor) -> str:
        half = len(query) // 2
        first = (query[:half], keys[:half], wanted[:half])
        second = (query[half:], keys[half:], wanted[half:])
        judged = first if seen else second
        return best({kind: _accuracy(fit(kind, *first), *judged) for kind in KINDS})

    return pick


def _largest(found: dict[str, float]) -> str:
    return max(found, key=lambda kind: found[kind])


def _a_kind(call: Call) -> str | None:
    if call.result in KINDS:
        return None
    return f"{call.result!r} is none of {', '.join(KINDS)}."


def _looks(call: Call) -> str | None:
    asked: list[str] = []

    def fit(kind: str, query: Tensor, keys: Tensor, wanted: Tensor) -> Score:
        asked.append(kind)
        return _fit(kind, query, keys, wanted)

    call(fit=fit)
    theirs = asked[: -len(KINDS)]  # the last three are the reference's
    missing = [kind for kind in KINDS if kind not in theirs]
    if not missing:
        return None
    return f"The score {' and '.join(missing)} was never fitted: how do you know how good it is?"


CHECK = Exercise(
    "pick_score",
    reference=_choose(_largest),
    inputs=_examples,
    rules={
        'the answer is "dot", "general" or "concat"': _a_kind,
        "all three are tried": _looks,
    },
    mistakes=[
        Mistake(
            "The scores are judged on the examples that they were fitted to. There the one with "
            "the most parameters wins, whatever the world is like: judge on the second half.",
            _choose(_largest, seen=True),
        ),
        Mistake(
            "Of equally good scores the last is taken. Take the first: it has fewer parameters.",
            _choose(lambda found: max(reversed(KINDS), key=lambda kind: found[kind])),
        ),
        Mistake(
            "This is the score that is right least often.",
            _choose(lambda found: min(found, key=lambda kind: found[kind])),
        ),
        Mistake(
            "It always answers concat. More parameters are not always better.",
            _choose(lambda found: "concat"),
        ),
        Mistake(
            "It always answers general. Did the examples have a say?",
            _choose(lambda found: "general"),
        ),
        Mistake(
            "It always answers dot. Did the examples have a say?",
            _choose(lambda found: "dot"),
        ),
    ],
)
