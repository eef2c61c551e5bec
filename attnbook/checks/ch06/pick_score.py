"""Exercise 6.4: ``pick_score``."""

from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor

from attnbook.checks.inputs import Inputs, normal
from attnbook.checks.rules import calls_to
from attnbook.exercises import Call, Exercise

Score = Callable[[Tensor, Tensor], Tensor]


def pick_score(fit: Callable[..., Score], query: Tensor, keys: Tensor, wanted: Tensor) -> Any:
    """ "dot", "general" or "concat": whichever is best on the half that it was not fitted to."""
    half, right = len(query) // 2, {}
    for kind in ("dot", "general", "concat"):
        score = fit(kind, query[:half], keys[:half], wanted[:half])
        chosen = score(query[half:], keys[half:]).argmax(-1)
        right[kind] = int((chosen == wanted[half:]).sum())
    return max(right, key=lambda kind: right[kind])


KINDS = ("dot", "general", "concat")


def _fit(kind: str, query: Tensor, keys: Tensor, wanted: Tensor) -> Score:
    """A score of one number of query and key, a number for each kind; the sign is learnt."""
    number = KINDS.index(kind)

    def score(query: Tensor, keys: Tensor) -> Tensor:
        return query[:, number].unsqueeze(1) * keys[..., number]

    scores = score(query, keys)
    over_mean = scores.gather(1, wanted.unsqueeze(1)).squeeze(1) - scores.mean(1)
    sign = 1.0 if over_mean.sum().item() >= 0 else -1.0
    return lambda query, keys: sign * score(query, keys)


def _examples() -> Inputs:
    """Few examples each, so that there are ties, and halves that would choose differently."""
    for seed, count in ((1, 6), (2, 6), (3, 8), (4, 8), (5, 10), (6, 10), (7, 12), (8, 14)):
        make = normal(seed)
        query, keys = make(count, 3), make(count, 4, 3)
        wanted = make(count, 4).argmax(1)
        yield {"fit": _fit, "query": query, "keys": keys, "wanted": wanted}
    make = normal(9)
    query, keys, wanted = make(2, 3), make(2, 4, 3), torch.tensor([1, 2])
    yield {"fit": _fit, "query": query, "keys": keys, "wanted": wanted}  # one is held out
    yield _right_on_the_second_half(False, False, False)
    yield _right_on_the_second_half(False, True, True)


def _right_on_the_second_half(*kinds: bool) -> dict[str, Any]:
    """All kinds are right on the first half, these on the second."""
    keys = torch.zeros(6, 4, 3)
    keys[:3, 1] = 1.0
    keys[3:, 1], keys[3:, 2] = torch.tensor(kinds).float(), 0.5
    wanted = torch.ones(6).long()
    return {"fit": _fit, "query": torch.ones(6, 3), "keys": keys, "wanted": wanted}


def _largest(counts: dict[str, float]) -> str:
    return max(counts, key=lambda kind: counts[kind])


def _hits(scores: Tensor, wanted: Tensor) -> Any:
    return (scores.argmax(-1) == wanted).sum()


def _choose(
    best: Any = _largest, fitted: str = "first", judged: str = "second", count: Any = _hits
) -> Any:
    """Fit on some examples, judge on some, and choose."""

    def pick(fit: Callable[..., Score], query: Tensor, keys: Tensor, wanted: Tensor) -> Any:
        half = len(query) // 2
        parts = {"first": slice(half), "second": slice(half, None), "all": slice(None)}
        a, b, counts = parts[fitted], parts[judged], {}
        for kind in KINDS:
            score = fit(kind, query[a], keys[a], wanted[a])
            counts[kind] = float(count(score(query[b], keys[b]), wanted[b]))
        return best(counts)

    return pick


def _all_tried(call: Call) -> str | None:
    tried = {kind for kind, *_ in calls_to(call, "fit")}
    missing = [kind for kind in KINDS if kind not in tried]
    if not missing:
        return None
    return f"The score {' and '.join(missing)} was never fitted: how do you know how good it is?"


def _first_half(call: Call) -> str | None:
    half = len(call.query) // 2
    whole = (call.query, call.keys, call.wanted)
    for _, *arguments, _ in calls_to(call, "fit"):
        if not all(torch.equal(x, y[:half]) for x, y in zip(arguments, whole)):
            return f"`fit` was not given the first {half} examples of query, keys and wanted."
    return None


def _right_most_often(call: Call) -> str | None:
    if call.result == call.expected:
        return None
    hits = _choose(dict)(call.fit, call.query, call.keys, call.wanted)
    often = ", ".join(f"{kind} in {count:.0f}" for kind, count in hits.items())
    return (
        f"Fitted to the first half, of the {len(call.query) - len(call.query) // 2} examples of "
        f"the second a score is right so often: {often}. That makes {call.expected!r} (of equally "
        f"good ones the first), and {call.result!r} is returned."
    )


CHECK = Exercise(
    pick_score,
    inputs=_examples,
    varied=False,  # one example has no two halves
    rules={
        "all three scores are tried": _all_tried,
        "the scores are fitted to the first half": _first_half,
        "the answer is right most often on the second half": _right_most_often,
    },
    mistakes={
        "The scores are judged on examples that they were fitted to. There the one with the most "
        "parameters wins, whatever the world is like: fit on the first half, judge on the "
        "second.": [
            _choose(fitted="first", judged="first"),
            _choose(fitted="all", judged="all"),
            _choose(fitted="all", judged="second"),
            _choose(fitted="first", judged="all"),
        ],
        "The halves are exchanged: fit on the first, judge on the second.": (
            _choose(fitted="second", judged="first")
        ),
        "Of equally good scores the last is taken. Take the first: it is simpler.": (
            _choose(lambda counts: max(reversed(KINDS), key=lambda kind: counts[kind]))
        ),
        "The kinds are compared by how large the score of the wanted key is. Count how often it is "
        "the highest: scores of two kinds have two scales.": (
            _choose(count=lambda scores, wanted: scores.gather(1, wanted.unsqueeze(1)).sum())
        ),
    },
)
