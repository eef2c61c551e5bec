"""Exercise 9.6: ``paired_bootstrap``."""

import random
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

from attnbook.checks.inputs import Inputs
from attnbook.checks.ngrams import sentences
from attnbook.exercises import Call, Exercise
from attnbook.exercises.values import difference, fmt
from attnlib import metrics


def paired_bootstrap(first: Any, second: Any, references: Any, samples: Any, seed: Any) -> Any:
    """(share of samples the first wins, share the second wins)."""
    draw, n = random.Random(seed), len(references)
    wins = losses = 0
    for _ in range(samples):
        picks = draw.choices(range(n), k=n)
        truth = [references[i] for i in picks]
        a = metrics.corpus_bleu([first[i] for i in picks], truth).score
        b = metrics.corpus_bleu([second[i] for i in picks], truth).score
        wins, losses = wins + (a > b), losses + (a < b)
    return wins / samples, losses / samples


def _systems() -> Iterator[tuple[list[str], list[str], list[str], int, int]]:
    long = "the small cat sat on the red mat near the old door"
    yield [long], [long.replace("cat", "dog")], [long], 4, 2  # one sentence
    # The eight sentences: rounded scores, or hypotheses taken for references, give other shares.
    for number, count, samples, seed in ((5, 4, 14, 3), (29, 8, 14, 3), (13, 4, 10, 8)):
        first, references = sentences(number, count, 0.8, damage=1)
        second = sentences(number, count, 0.8, damage=2)[0]
        yield first, [first[0], *second[1:]], references, samples, seed


def _two_systems() -> Inputs:
    names = "first", "second", "references", "samples", "seed"
    return (dict(zip(names, values)) for values in _systems())


def _score(system: Any, references: Any, picks: Any) -> Any:
    texts = [system[i] for i in picks], [references[i] for i in picks]
    return metrics.corpus_bleu(*texts).score


def _choices(draw: random.Random, n: int) -> list[int]:
    return draw.choices(range(n), k=n)


def _are_shares(call: Call) -> str | None:
    message = f"You return {fmt(call.result)}, but two shares of the samples "
    if len(call.result) != 2 or not all(0 <= share <= 1 for share in call.result):
        return message + f"are between 0 and 1: the wins over samples = {call.samples}."
    for share in call.result:
        won = share * call.samples
        if abs(won - round(won)) > 1e-4:
            return message + (
                f"are whole numbers of samples over {call.samples}, and {fmt(share)} is not one. A "
                "sample is won, lost or a tie as a whole, by the BLEU of all that is in it."
            )
    return None


def _once(rule: Callable[[Call], str | None]) -> Callable[[Call], str | None]:
    """The rule, checked on the input with 10 samples alone: it calls the function again."""
    return lambda call: rule(call) if call.samples == 10 else None


def _equals_never_win(call: Call) -> str | None:
    shares = call(second=call.first)
    if max(map(abs, shares)) == 0:
        return None
    return (
        f"For a system against itself you return {fmt(shares)}, where (0, 0) is expected. On the "
        "*same* sentences both have the same score. A tie is neither a win nor a loss."
    )


def _seed_matters(call: Call) -> str | None:
    seeds = range(5)
    expected = {paired_bootstrap(**{**call.arguments, "seed": seed}) for seed in seeds}
    if len({call(seed=seed) for seed in seeds}) > 1 or len(expected) == 1:
        return None
    return (
        f"Whatever the seed, you return {fmt(call.result)}. Different seeds draw different "
        "samples: random.Random(seed)."
    )


def _sample_by_sample(call: Call) -> str | None:
    """The first number of samples for which the shares are wrong, and what its last one holds."""
    if difference(call.result, call.expected) is None:
        return None
    systems, n = (call.first, call.second), len(call.references)
    draw = random.Random(call.seed)
    for samples in range(1, call.samples + 1):
        picks = _choices(draw, n)
        result, expected = (
            call(samples=samples),
            paired_bootstrap(**{**call.arguments, "samples": samples}),
        )
        if difference(result, expected):
            a, b = (_score(system, call.references, picks) for system in systems)
            return (
                f"With samples = {samples} you return {fmt(result)}, where {fmt(expected)} is "
                f"expected. Number {samples} of draw.choices(range({n}), k={n}) is {picks}: on "
                "these sentences of both systems and of the references, the first has BLEU "
                f"{a:.2f} and the second {b:.2f}."
            )
    return None


def _flawed(
    first: Any, second: Any, references: Any, samples: int, seed: int, apart: bool
) -> tuple[float, float]:
    """Each system has samples of its own (``apart``), or the references are not drawn along."""
    draw, n = random.Random(seed), len(references)
    wins = losses = 0
    for _ in range(samples):
        picks = _choices(draw, n)
        others = _choices(draw, n) if apart else picks
        truth = [references[i] for i in picks] if apart else references
        other = [references[i] for i in others] if apart else references
        a = metrics.corpus_bleu([first[i] for i in picks], truth).score
        b = metrics.corpus_bleu([second[i] for i in others], other).score
        wins, losses = wins + (a > b), losses + (a < b)
    return wins / samples, losses / samples


def _all_sentences(
    first: Any, second: Any, references: Any, samples: int, seed: int
) -> tuple[float, float]:
    a, b = (metrics.corpus_bleu(system, references).score for system in (first, second))
    return float(a > b), float(a < b)


CHECK = Exercise(
    paired_bootstrap,
    inputs=_two_systems,
    rules={
        "the two are shares of the samples": _are_shares,
        "a system never wins against itself": _once(_equals_never_win),
        "another seed gives different shares": _once(_seed_matters),
        "each sample contains the sentences that draw.choices picks": _sample_by_sample,
    },
    mistakes={
        "You score the two systems on different samples, so chance alone makes one win. Draw each "
        "sample once, and score both on it.": partial(_flawed, apart=True),
        "Drawn without replacement, all sentences are in every sample, and nothing varies. "
        "Draw with replacement: draw.choices.": _all_sentences,
        "The generator starts over for every sample, so all samples are the same. Make it once, "
        "before the loop: draw = random.Random(seed).": (
            lambda first, second, references, samples, seed: paired_bootstrap(
                first, second, references, 1, seed
            )
        ),
        "You do not draw the references as well: sentence i of a sample is scored against another "
        "sentence's reference. Take references[i] for the same picks.": partial(
            _flawed, apart=False
        ),
    },
    seconds=20.0,
)
