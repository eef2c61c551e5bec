"""What chapter 7's recorded runs say together: rank correlations of its losses, and what luck does.

    python -m studies.correlations

Which loss, forced or free, goes with what is wanted of a model that was trained in some way: whole
rows, digits or words right when it runs free, BLEU? Spearman's rank correlation (1904) of a loss
with each of these, with its two-sided p by permutation: over all runs, over the medians of the
ways of feeding, and among the seeds of one way (ranks within each way, permuted within it). Then
how often the sign test finds so many seeds of ten on one side by chance, and how many such
comparisons the chapter makes. Nothing is trained.
"""

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import permutations
from typing import Any, NamedTuple

import torch
from torch import Tensor

from . import records
from .teacher_forcing_chapter import FULL, reversed_digits

EXACT = 8  # so many values, and no more, are permuted in every way
DRAWN = 100_000  # of the ways to permute more
LOSSES = ("forced loss", "free loss")
WANTED = {
    "07_reverse": ("whole rows", "digits right"),
    "07_translate": ("BLEU", "words right", "BLEU, unseen compositions"),
    "07_translate_ko-en": ("BLEU", "words right", "BLEU, unseen compositions"),
}
REVERSED = (*LOSSES, *WANTED["07_reverse"])
MIXED = ("three-quarters", "half", "quarter", "own", "linear", "exponential", "inverse-sigmoid")
COINS = ("half-position", "half-sentence", "half-batch")
TRANSLATED = ("half", "half-drawn", "linear-drawn")
WORDS = (*LOSSES, "forced words", "words right", "BLEU")
# What the chapter counts seeds of: a way, what it is held against, and the measures.
COMPARED: dict[str, list[tuple[str, str, Sequence[str]]]] = {
    "07_reverse": [
        *((way, "gold", REVERSED) for way in (*MIXED, *COINS)),
        *(("half", coin, REVERSED) for coin in COINS),
        *((f"half-{end}", f"gold-{end}", REVERSED) for end in ("short", "long")),
    ],
    **{
        name: [(way, "gold", WORDS) for way in TRANSLATED]
        for name in ("07_translate", "07_translate_ko-en")
    },
}
Table = dict[str, dict[str, Tensor]]  # measure -> way -> a number for each seed


class Association(NamedTuple):
    """Spearman's ρ, and the two-sided p of one as far from zero."""

    rho: float
    p: float


def associated(x: Tensor, y: Tensor) -> Association:
    """The rank correlation of the rows of x with those of y (R, N), each ranked by itself."""
    ranked = [records.ranks(values) for values in (x, y)]
    left, right = (table - table.mean(1, keepdim=True) for table in ranked)
    scale = (left.square().sum() * right.square().sum()).sqrt()
    rho = ((left * right).sum() / scale).item()
    rows, count = x.shape
    if exact := rows == 1 and count <= EXACT:
        others = left[0, torch.tensor(list(permutations(range(count))))].unsqueeze(1)
    else:
        generator = torch.Generator().manual_seed(0)
        drawn = torch.rand(DRAWN, rows, count, generator=generator).argsort(2)
        others = left.expand(DRAWN, -1, -1).gather(2, drawn)
    found = (others * right).sum((1, 2)) / scale
    extreme = int((found.abs() >= abs(rho) - 1e-6).sum())
    return Association(rho, extreme / len(found) if exact else (extreme + 1) / (DRAWN + 1))


def said(found: Association) -> str:
    return f"{found.rho:+.2f} ({'<0.0001' if found.p < 1e-4 else format(found.p, '.2g')})"


def sign_test(better: int, worse: int) -> float:
    """The two-sided probability of so uneven a split by chance; ties are left out."""
    count = better + worse
    tail = sum(math.comb(count, k) for k in range(max(better, worse), count + 1))
    return min(1.0, 2 * tail / 2**count)


def digits_right(run: Mapping[str, Any]) -> float:
    """The share of right digits of the free run, without the end mark, as the chapter counts it."""
    lengths = Counter(len(row) for row, _ in reversed_digits(1000, seed=2))
    with_digit = [sum(n for length, n in lengths.items() if length >= k) for k in range(1, 11)]
    right = run["free"]["mixed_left"][1:11]  # by the digits that are still to come
    return sum(a * n for a, n in zip(right, with_digit)) / sum(with_digit)


def measured(run: Mapping[str, Any]) -> dict[str, float]:
    """The two losses, and what is wanted."""
    found = {name: run[name.partition(" ")[0]]["loss"] for name in LOSSES}
    if "bleu" not in run:
        return found | {"whole rows": run["free"]["whole"], "digits right": digits_right(run)}
    unseen = run["others"]["test_composition"]["bleu"]
    found |= {"BLEU": run["bleu"], "words right": run["free"]["accuracy"]}
    found["forced words"] = run["forced"]["accuracy"]
    return found | {"BLEU, unseen compositions": unseen}


def table(runs: Iterable[Mapping[str, Any]]) -> Table:
    """Every measure of every way, seeds in order."""
    found: dict[str, dict[str, list[float]]] = {}
    for run in runs:
        for measure, number in measured(run).items():
            found.setdefault(measure, {}).setdefault(run["variant"], []).append(number)
    return {
        measure: {way: torch.tensor(numbers) for way, numbers in ways.items()}
        for measure, ways in found.items()
    }


def correlations(name: str) -> Iterator[str]:
    """The lines of one file; of the digits the ways of one budget."""
    runs = records.read(records.path_of(name)).values()
    of_one = [run for run in runs if name != "07_reverse" or run["updates"] == FULL]
    measures = {what: torch.stack([*ways.values()]) for what, ways in table(of_one).items()}
    ways, seeds = measures[LOSSES[0]].shape
    yield f"{name}: {ways} ways of feeding, {seeds} seeds each; Spearman's ρ (two-sided p)"
    yield f"  {'':43}{f'all {ways * seeds} runs':18}{f'medians of {ways}':18}within a way"
    for wanted in WANTED[name]:
        for loss in LOSSES:
            given = (measures[loss], measures[wanted])
            views = [
                [values.view(1, -1) for values in given],
                [values.quantile(0.5, dim=1).unsqueeze(0) for values in given],
                given,
            ]
            found = [said(associated(*view)) for view in views]
            row = "".join(f"{text:18}" for text in found).rstrip()
            yield f"  {loss + ' and ' + wanted:43}{row}"


def joined() -> Iterator[str]:
    """The chapter's one question of each measure: the mean of all ways of mixing, by seed."""
    found = table(records.read(records.path_of("07_reverse")).values())
    yield "07_reverse: the mean of the ten ways of mixing minus teacher forcing, by seed"
    for measure in REVERSED:
        ways = found[measure]
        gain = torch.stack([ways[way] for way in (*MIXED, *COINS)]).mean(0) - ways["gold"]
        better = int(((gain < 0) if measure in LOSSES else (gain > 0)).sum())
        p = sign_test(better, len(gain) - better)
        yield f"  {measure}: median {gain.quantile(0.5):+.2f}, better in {better}, p {p:.4f}"


def compared() -> Iterator[str]:
    """The chapter's comparisons, by how many seeds are on one side."""
    sides = []
    for name, those in COMPARED.items():
        found = table(records.read(records.path_of(name)).values())
        for way, other, measures in those:
            for measure in measures:
                gain = found[measure][way] - found[measure][other]
                more, less = int((gain > 0).sum()), int((gain < 0).sum())
                better, worse = (less, more) if measure in LOSSES else (more, less)
                sides.append((better, worse, f"{name}, {measure}: {way} against {other}"))
    yield f"comparisons that chapter 7 makes: {len(sides)}"
    for uneven in (10, 9, 8):
        those = [side for side in sides if max(side[:2]) == uneven]
        p, by_chance = sign_test(uneven, 10 - uneven), 2 * math.comb(10, uneven) / 2**10
        yield f"  {uneven} of 10 on one side: {len(those)}, by chance {len(sides) * by_chance:.1f}"
        yield f"    two-sided p {p:.4f}, times the comparisons {min(1, p * len(sides)):.2f}"
        for better, worse, what in those:
            equal = "" if better + worse == 10 else f", equal in {10 - better - worse}"
            yield f"    {what}: better in {better}, worse in {worse}{equal}"


def lines() -> Iterator[str]:
    """All of it."""
    for name in WANTED:
        yield from correlations(name)
        yield ""
    yield from joined()
    yield ""
    yield from compared()


if __name__ == "__main__":
    print("\n".join(lines()))
