"""What checks of chapter 9 share."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from typing import Any, TypeAlias

from attnbook.exercises import Call
from attnbook.exercises.trial import listed, sentence
from attnbook.exercises.values import difference, shown
from attnlib.metrics import Real

Grams: TypeAlias = Counter[tuple[str, ...]]


Numbers: TypeAlias = Sequence[Real]


ORDERS = (1, 2, 3, 4)


REFERENCE = "the cat sat on the mat"


def sentences(seed: int, count: int, right: float, damage: int = 0) -> tuple[list[str], list[str]]:
    """Sentences of a small language with some words exchanged or lost, and as they were."""
    draw, chance = random.Random(seed), random.Random(damage)
    words = ["the", "cat", "dog", "sat", "ran", "on", "under", "a", "mat", "hat", "and"]
    references: list[str] = []
    hypotheses: list[str] = []
    for _ in range(count):
        reference = [words[int(draw.random() * len(words))] for _ in range(6 + len(references) % 5)]
        hypothesis = []
        for word in reference:
            luck = chance.random()
            if luck < right:
                hypothesis.append(word)
            elif luck < right + (1 - right) / 2:
                hypothesis.append(words[int(chance.random() * len(words))])
        references.append(" ".join(reference) + ".")
        hypotheses.append(" ".join(hypothesis) + ".")
    return hypotheses, references


def ratio(numerator: Real, denominator: Real) -> float:
    return numerator / denominator if denominator else 0.0


def unlike(call: Call, right: object, why: str, **given: Any) -> str | None:
    """What comes back for other arguments, where that is not right, and why it should be."""
    found = call(**given)
    if difference(found, right) is None:
        return None
    message = (
        f"With {', '.join(listed(given))} comes {shown(found)}, where {shown(right)} is expected"
    )
    return f"{message}: {why}"


def refused(call: Call, why: str, **given: Any) -> str | None:
    """What is raised for other arguments that are no reason to raise anything."""
    problem = call.error(**given)
    if problem is None:
        return None
    return f"With {', '.join(listed(given))} it raises {sentence(problem)}. {why}"


def unclipped(hypothesis: Grams, reference: Grams) -> int:
    """All n-grams that the reference has at all, as often as the hypothesis says them."""
    return sum(count for gram, count in hypothesis.items() if gram in reference)
