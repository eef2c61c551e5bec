"""Exercise 8.9: ``least_risk``."""

from __future__ import annotations

import statistics
from collections import Counter
from collections.abc import Callable
from typing import Any

from attnbook.checks.shared import Inputs, only_a_part
from attnbook.exercises import Call, Exercise
from attnlib.metrics import sentence_chrf

Utility = Callable[[str, str], float]


def least_risk(candidates: list[str], voters: list[str], utility: Utility) -> tuple[str, float]:
    """The candidate that all voters are, on average, closest to, and that mean utility."""
    means = [sum(utility(y, other) for other in voters) / len(voters) for y in candidates]
    best = max(range(len(candidates)), key=means.__getitem__)
    return candidates[best], means[best]


def recalled(y: str, other: str) -> float:
    """The share of the other text's words that y has, too."""
    words = other.split()
    return sum(word in y.split() for word in words) / len(words)


def same_text(y: str, other: str) -> float:
    return float(y == other)


def near_in_length(y: str, other: str) -> float:
    """How many words y is longer or shorter, with a minus."""
    return -abs(len(y.split()) - len(other.split())) - 0.1 * len(y) / len(other)


def _samples() -> Inputs:
    few = ["a cat", "the cat", "a cat sat"]
    yield {"candidates": few, "voters": few, "utility": recalled}
    often = ["so", "it is", "it was", "it is", "it is", "so"]
    yield {"candidates": often, "voters": often, "utility": same_text}
    yield {
        "candidates": ["she drew", "she drew a big tree", "he drew a tree here"],
        "voters": ["she drew a tree", "she drew trees", "a tree", "she drew a tree"],
        "utility": recalled,
    }
    lengths = ["one", "one two three", "a b c d e f g", "one two", "one two three"]
    yield {"candidates": lengths, "voters": lengths, "utility": near_in_length}
    yield {
        "candidates": ["x x x x", "x", "x x"],
        "voters": ["y y", "y y y", "y y", "y"],
        "utility": near_in_length,
    }
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
    told = f"{text!r} is returned first. Asked for is one of the candidates"
    return told + ("; this is a voter." if text in call.voters else ", as a text.")


def _its_own_mean(call: Call) -> str | None:
    text, got = call.result
    right = _means(call)[text]
    if abs(got - right) < 1e-6:
        return None
    return (
        f"For {text!r} the utilities with all {len(call.voters)} voters have the mean {right:.3g}; "
        f"{got:.3g} is returned. Every voter counts, equal ones too, and y is the first argument."
    )


def _the_highest(call: Call) -> str | None:
    means, text = _means(call), call.result[0]
    best = max(means, key=lambda y: means[y])
    if means[text] > means[best] - 1e-9:
        return None
    return (
        f"{text!r} has the mean utility {means[text]:.3g}, and {best!r} has {means[best]:.3g}: the "
        "highest is asked for."
    )


def _by(worth: Callable[[str, list[str], list[str], Any], float]) -> Callable[..., Any]:
    """The candidate of the highest worth, which is made of it, all candidates, voters, utility."""

    def wrong(candidates: Any, voters: Any, utility: Any) -> Any:
        worths = [worth(y, candidates, voters, utility) for y in candidates]
        best = max(range(len(candidates)), key=worths.__getitem__)
        return candidates[best], worths[best]

    return wrong


def _mean(y: str, voters: Any, utility: Any) -> float:
    return sum(utility(y, other) for other in voters) / len(voters)


def _from(begin: Callable[[Any], Any], low: float = 0.0) -> Callable[..., Any]:
    """The best so far is at first what ``begin`` makes of the candidates, with a low mean."""

    def wrong(candidates: Any, voters: Any, utility: Any) -> Any:
        best, most = begin(candidates), low
        for y in candidates:
            if _mean(y, voters, utility) > most:
                best, most = y, _mean(y, voters, utility)
        return best, most

    return wrong


def _empty_is_none(candidates: Any, voters: Any, utility: Any) -> Any:
    best, most = "", 0.0
    for y in candidates:
        if not best or _mean(y, voters, utility) > most:
            best, most = y, _mean(y, voters, utility)
    return best, most


def _never_begun_anew(candidates: Any, voters: Any, utility: Any) -> Any:
    best, most, total = candidates[0], -float("inf"), 0.0
    for y in candidates:
        total += sum(utility(y, other) for other in voters)
        if total / len(voters) > most:
            best, most = y, total / len(voters)
    return best, most


def _most_often(candidates: Any, voters: Any, utility: Any) -> Any:
    best = Counter(candidates).most_common(1)[0][0]
    return best, _mean(best, voters, utility)


def _one_vote_for_itself(y: str, _: Any, voters: Any, utility: Any) -> float:
    kept = [other for other in voters if other != y] + [y] * (y in voters)
    return _mean(y, kept, utility)


def _but_of_its_number(y: str, candidates: Any, voters: Any, utility: Any) -> float:
    place = candidates.index(y)
    return _mean(y, [other for j, other in enumerate(voters) if j != place], utility)


def _without(y: str, voters: Any, all_of_them: bool) -> list[str]:
    """The voters but y itself, once or wherever it stands."""
    if all_of_them:
        return [other for other in voters if other != y] or [y]
    left = list(voters)
    if y in left and len(left) > 1:
        left.remove(y)
    return left


def _changed(find: Callable[[str, float, Any, Any, Any], Any]) -> Callable[..., Any]:
    """What is made of the right text, its mean, and the arguments."""
    return lambda candidates, voters, utility: find(
        *least_risk(candidates, voters, utility), candidates, voters, utility
    )


TURNED = (
    "The arguments of utility are exchanged: utility(y, other) says how good the candidate y is "
    "where other is right, and it need not be symmetric."
)
ITSELF = (
    "The candidate's own vote is left out. A sample that is among the voters votes for itself, as "
    "often as it was drawn."
)
WORTH: dict[str, Callable[[str, Any, Any, Any], float]] = {
    TURNED: lambda y, _, voters, u: sum(u(other, y) for other in voters) / len(voters),
    "Equal voters are counted once. A text that was drawn three times votes three times: its share "
    "of the samples stands for its probability.": lambda y, _, voters, u: _mean(y, set(voters), u),
    "This is the sum over the voters. The mean is asked for: divide by their number.": (
        lambda y, _, voters, u: sum(u(y, other) for other in voters)
    ),
    "The sum is divided by the number of candidates. It has a term for every voter.": (
        lambda y, candidates, voters, u: sum(u(y, other) for other in voters) / len(candidates)
    ),
    "The candidates vote here. The voters are the second argument.": (
        lambda y, candidates, _, u: _mean(y, candidates, u)
    ),
    "The sum is divided by the number of *different* voters. It has a term for every voter.": (
        lambda y, _, voters, u: sum(u(y, other) for other in voters) / len(set(voters))
    ),
    "Equal voters are counted once in the sum, and each by itself in the number. A text that was "
    "drawn three times votes three times.": (
        lambda y, _, voters, u: sum(u(y, other) for other in set(voters)) / len(voters)
    ),
    "Voters that are the candidate itself vote once here. They vote as often as they were drawn.": (
        _one_vote_for_itself
    ),
    "The voter of the same number is left out: candidate 0 is not compared with voter 0. All "
    "voters vote.": _but_of_its_number,
    "A candidate is compared with the voter of the same number only. All voters vote, for each.": (
        lambda y, candidates, voters, u: u(y, voters[candidates.index(y)])
    ),
    "This is the mean of both directions. utility(y, other) says how good the candidate y is where "
    "other is right: that is the only one.": (
        lambda y, _, voters, u: (
            sum((u(y, other) + u(other, y)) / 2 for other in voters) / len(voters)
        )
    ),
    "The signs of the utilities are lost: a negative one speaks against a text.": (
        lambda y, _, voters, u: sum(abs(u(y, other)) for other in voters) / len(voters)
    ),
    "This is chrF, whatever utility is given. Call `utility`.": (
        lambda y, _, voters, u: _mean(y, voters, sentence_chrf)
    ),
    "// cuts off what stands behind the point. A mean is divided by /.": (
        lambda y, _, voters, u: sum(u(y, other) for other in voters) // len(voters)
    ),
    "Only the nearest voter counts here: the utility is averaged over all of them.": (
        lambda y, _, voters, u: max(u(y, other) for other in voters)
    ),
    "Only the farthest voter counts here: the utility is averaged over all of them.": (
        lambda y, _, voters, u: min(u(y, other) for other in voters)
    ),
    "Only the first voter is asked.": lambda y, _, voters, u: u(y, voters[0]),
    "Only the last voter is asked.": lambda y, _, voters, u: u(y, voters[-1]),
    "This is the median of the utilities. The mean is asked for.": (
        lambda y, _, voters, u: statistics.median(u(y, other) for other in voters)
    ),
    "This is the share of the voters that are the very same text: the utility is not used.": (
        lambda y, _, voters, u: voters.count(y) / len(voters)
    ),
    "This is how often the text was drawn: the utility is not used.": (
        lambda y, _, voters, u: voters.count(y)
    ),
}

CHECK = Exercise(
    "least_risk",
    reference=least_risk,
    inputs=_samples,
    rules={
        "the first result is one of the candidates": _is_a_candidate,
        "the second is the mean of its utilities with all voters": _its_own_mean,
        "no candidate has a higher mean": _the_highest,
    },
    mistakes=[
        *((told, _by(worth)) for told, worth in WORTH.items()),
        *only_a_part(least_risk, "the candidate", "its mean utility"),
        (ITSELF, _by(lambda y, _, voters, u: _mean(y, _without(y, voters, True), u))),
        (ITSELF, _by(lambda y, _, voters, u: _mean(y, _without(y, voters, False), u))),
        (
            ITSELF,
            _by(lambda y, _, voters, u: sum(u(y, z) for z in voters if z != y) / len(voters)),
        ),
        (
            "The *lowest* mean wins here. A utility says how good a text is: the highest is asked "
            "for.",
            lambda candidates, voters, utility: min(
                ((y, _mean(y, voters, utility)) for y in candidates), key=lambda pair: pair[1]
            ),
        ),
        *(
            (
                "The best so far begins at 0, and a utility may be negative: begin at −∞, or with "
                "the first candidate and its own mean.",
                _from(begin),
            )
            for begin in (lambda candidates: None, lambda candidates: candidates[0], lambda _: "")
        ),
        *(
            (
                "The best so far begins at −1, and a mean may be lower: begin at −∞, or with the "
                "first candidate and its own mean.",
                _from(begin, -1.0),
            )
            for begin in (lambda candidates: None, lambda candidates: candidates[0], lambda _: "")
        ),
        (
            'An empty text counts as "none yet", and the next one takes its place. It may be the '
            "best: begin at −∞, or with the first candidate and its own mean.",
            _empty_is_none,
        ),
        (
            "The sum goes on from one candidate to the next. It begins anew, at 0, for each.",
            _never_begun_anew,
        ),
        (
            "The text that was drawn most often comes back. Asked is the one with the highest mean "
            "utility.",
            _most_often,
        ),
        (
            "This is always the first candidate. Does the return stand inside the loop?",
            lambda candidates, voters, utility: (
                candidates[0],
                _mean(candidates[0], voters, utility),
            ),
        ),
        (
            "The text is the best one, and the mean is that of the last candidate.",
            _changed(
                lambda y, mean, candidates, voters, utility: (
                    y,
                    _mean(candidates[-1], voters, utility),
                )
            ),
        ),
        (
            "The best is sought among the voters. They only vote; the candidates are the first "
            "argument.",
            lambda candidates, voters, utility: least_risk(voters, voters, utility),
        ),
        (
            "The place of the candidate comes back. Its text is asked for.",
            _changed(lambda y, mean, candidates, *_: (candidates.index(y), mean)),
        ),
        (
            "The mean comes back with the opposite sign, as a risk. The mean utility is asked for.",
            _changed(lambda y, mean, *_: (y, -mean)),
        ),
        (
            "1 − the mean comes back, a risk. The mean utility is asked for.",
            _changed(lambda y, mean, *_: (y, 1 - mean)),
        ),
        (
            "The means of all candidates come back. Only that of the best is asked for.",
            _changed(
                lambda y, mean, candidates, voters, utility: (
                    y,
                    [_mean(one, voters, utility) for one in candidates],
                )
            ),
        ),
    ],
)
