"""Exercise 8.6: ``least_risk``."""

from collections.abc import Callable
from typing import Any

from attnbook.checks.inputs import Inputs
from attnbook.checks.mistakes import only_a_part
from attnbook.exercises import Call, Exercise

Utility = Callable[[str, str], float]


def least_risk(candidates: list[str], voters: list[str], utility: Utility) -> tuple[str, float]:
    """The candidate that all voters are, on average, closest to, and that mean utility."""
    means = [sum(utility(y, other) for other in voters) / len(voters) for y in candidates]
    best = max(range(len(candidates)), key=means.__getitem__)
    return candidates[best], means[best]


def recalled(y: str, other: str) -> float:
    """The share of the other text's words that y has, too."""
    words = other.split()
    return sum(word in y.split() for word in words) / max(len(words), 1)


def same_text(y: str, other: str) -> float:
    return float(y == other)


def near_in_length(y: str, other: str) -> float:
    """How many words y is longer or shorter, with a minus."""
    return -abs(len(y.split()) - len(other.split())) - 0.1 * len(y) / (1 + len(other))


def _samples() -> Inputs:
    few = ["a cat", "the cat", "a cat sat"]
    yield {"candidates": few, "voters": few, "utility": recalled}
    often = ["so", "it is", "it was", "it is", "it is", "so"]
    yield {"candidates": often, "voters": often, "utility": same_text}
    yield {  # an empty text can be the best
        "candidates": ["", "a b c d", "a b c"],
        "voters": ["a", "a", "a"],
        "utility": near_in_length,
    }
    yield {
        "candidates": ["a b", "c d e", "a c"],
        "voters": ["a b", "c d e", "a c", "c e d", "a b", "d c e f g h i j"],
        "utility": recalled,
    }


def _means(call: Call) -> dict[str, float]:
    """What each candidate's mean is, by the reference's rule."""
    return {y: least_risk([y], call.voters, call.utility)[1] for y in call.candidates}


def _is_a_candidate(call: Call) -> str | None:
    text = call.result[0]
    if text in call.candidates:
        return None
    return f"{text!r} is returned first. Return one of the candidates there, as a text."


def _its_own_mean(call: Call) -> str | None:
    text, got = call.result
    right = _means(call)[text]
    if abs(got - right) < 1e-6:
        return None
    return (
        f"For {text!r} the utilities with all {len(call.voters)} voters have the mean {right:.3g}; "
        f"you return {got:.3g}. Every voter counts, equal ones too; utility(y, other) says how "
        "good the candidate y is if other is right; and the mean is the sum divided by their "
        "number."
    )


def _the_highest(call: Call) -> str | None:
    means, text = _means(call), call.result[0]
    best = max(means, key=lambda y: means[y])
    if means[text] > means[best] - 1e-9:
        return None
    return (
        f"{text!r} has the mean utility {means[text]:.3g}, and {best!r} has {means[best]:.3g}: "
        "return the one with the highest."
    )


def _from_zero(begin: Callable[[Any], Any]) -> Callable[..., Any]:
    """The best so far is at first what ``begin`` makes of the candidates, with a mean of 0."""

    def wrong(candidates: Any, voters: Any, utility: Any) -> Any:
        best, most = begin(candidates), 0.0
        for y in candidates:
            mean = sum(utility(y, other) for other in voters) / len(voters)
            if mean > most:
                best, most = y, mean
        return best, most

    return wrong


CHECK = Exercise(
    least_risk,
    inputs=_samples,
    rules={
        "the first result is one of the candidates": _is_a_candidate,
        "the second is the mean of its utilities with all voters": _its_own_mean,
        "no candidate has a higher mean": _the_highest,
    },
    mistakes={
        "The best so far begins at 0, but a mean can be lower, because a utility can be negative. "
        "Begin at −∞, or with the first candidate and its own mean.": [
            _from_zero(lambda candidates: None),
            _from_zero(lambda candidates: candidates[0]),
        ],
        **only_a_part(least_risk, "the candidate", "its mean utility"),
    },
)
