"""What checks of n-grams and the measures made of them share."""

import random

from attnlib.checks import Number

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


def ratio(numerator: Number, denominator: Number) -> float:
    return numerator / denominator if denominator else 0.0
