"""Word alignment: gold links, links read off attention, and how well the two agree.

A link is (j, t): source token j belongs to target token t, both counted from 0. *Sure* links must
be found, *possible* links may be; every sure link is possible too (Och and Ney 2003).
Attention is not alignment: these measures say how far apart the two are.
"""

import math
from collections.abc import Collection, Iterable, Sequence
from operator import index
from typing import Any, TypeAlias

import numpy as np

from ..checks import plain, require
from ..data import Link, Links

AttentionLike: TypeAlias = Any  # (T, S): a list of rows, a numpy array or a torch tensor


def links_from_weights(weights: AttentionLike) -> frozenset[Link]:
    """The source token that each target token attends to most: A = {(argmax_j α_tj, t)}.

    Arguments: weights (T, S), row t for target token t; leave out the rows of tokens that shall
    have no link (an eos, say). Of equal weights the first counts; a row of zeros has no link.
    Raises ValueError where rows differ in length or hold NaN.

    >>> sorted(links_from_weights([[0.1, 0.9], [0.7, 0.3], [0.0, 0.0]]))
    [(0, 1), (1, 0)]
    """
    return frozenset((row.index(max(row)), t) for t, row in enumerate(_table(weights)) if any(row))


def aer(
    predicted: Collection[Link] | Sequence[Collection[Link]], gold: Links | Sequence[Links]
) -> float:
    """Alignment error rate: 1 − (|A∩S| + |A∩P|) / (|A| + |S|)   (Och and Ney 2003).

    Arguments: predicted A, the links of one sentence (or a list of them), and gold, ``Links`` (or
    a list). The counts of a corpus are summed before the division. Returns 0 (all sure links and
    none that is not possible) to 1; 0 where there is nothing to align. Raises ValueError for
    lists of unequal length, and for what is no link.

    >>> from attnlib.data import parse_links
    >>> aer({(0, 0), (1, 1)}, parse_links("0-0 1?1"))
    0.0
    >>> round(aer({(0, 1), (1, 1)}, parse_links("0-0 1?1")), 3)  # 1 − (0 + 1) / (2 + 1)
    0.667
    """
    hits = total = 0
    for links, (sure, possible) in _as_pairs("predicted", predicted, gold):
        linked = _links(links)
        hits += len(linked & sure) + len(linked & (possible | sure))
        total += len(linked) + len(sure)
    return 1 - hits / total if total else 0.0


def best_shift(
    weights: AttentionLike | Sequence[AttentionLike], gold: Links | Sequence[Links]
) -> int:
    """By how many target words the attention is displaced: −1, 0 or +1.

    A shift of d reads row t as the alignment of target word t + d. A decoder may attend to a word
    one step before or after it writes it (Luong et al. 2015, footnote 14; Koehn and Knowles 2017,
    §3.5): then the unshifted links score badly although the attention is right. Returned is
    the shift with the lowest ``aer``; 0 wins ties.

    >>> from attnlib.data import parse_links
    >>> best_shift([[0.5, 0.5], [0.9, 0.1], [0.1, 0.9]], parse_links("0-0 1-1"))
    -1
    """
    sentences = _as_pairs("weights", weights, gold)
    predicted = [links_from_weights(w) for w, _ in sentences]
    expected = [links for _, links in sentences]

    def error(shift: int) -> float:
        return aer([{(j, t + shift) for j, t in links} for links in predicted], expected)

    return min((0, -1, 1), key=error)


def probability_mass(
    weights: AttentionLike | Sequence[AttentionLike], gold: Links | Sequence[Links]
) -> float:
    """The attention that falls on sure links, as a mean over the target words that have one.

    Koehn and Knowles (2017, §3.5). Returns 0 to 1, NaN where no word has a link. Raises
    ValueError for a link outside the matrix.

    >>> from attnlib.data import parse_links
    >>> round(probability_mass([[0.25, 0.75], [0.25, 0.75]], parse_links("0-0 1-1")), 3)
    0.5
    """
    return _mean(sum(row[j] for j in sources) for row, sources in _linked_rows(weights, gold))


def _linked_rows(weights: Any, gold: Any) -> Iterable[tuple[list[float], set[int]]]:
    """The weights of every target word that has a sure link, and its source words."""
    for one, links in _as_pairs("weights", weights, gold):
        table = _table(one)
        sources: dict[int, set[int]] = {}
        for j, t in sorted(links.sure):
            if not (0 <= t < len(table) and 0 <= j < len(table[t])):
                size = f"({len(table)}, {len(table[0]) if table else 0})"
                expected = f"gold must link tokens of weights {size}"
                raise ValueError(f"{expected}, got source {j}, target {t}")
            sources.setdefault(t, set()).add(j)
        yield from ((table[t], sources[t]) for t in sources)


def _as_pairs(name: str, values: Any, gold: Any) -> list[tuple[Any, Links]]:
    """One sentence or a list of them, as a list."""
    if isinstance(gold, Links):
        return [(values, gold)]
    values, gold = list(values), list(gold)
    if len(values) != len(gold):
        got = f"{len(values)} and {len(gold)}"
        raise ValueError(f"{name} and gold must have the same number of sentences, got {got}")
    return list(zip(values, gold))


def _links(links: Any) -> frozenset[Link]:
    try:
        return frozenset((index(j), index(t)) for j, t in links)
    except (TypeError, ValueError) as error:
        expected = "links, pairs (source index, target index)"
        raise ValueError(f"predicted must hold {expected}, got {links!r:.60}") from error


def _table(weights: AttentionLike) -> list[list[float]]:
    matrix = "a matrix (T, S) of numbers: a row for each target token"
    try:
        table = np.array([plain(row) for row in plain(weights)], dtype=float)
    except (TypeError, ValueError) as error:
        raise ValueError(f"weights must be {matrix}") from error
    require(table.ndim == 2 or not table.size, "weights", matrix, table.shape)
    if np.isnan(table).any():
        raise ValueError("weights must be numbers, got NaN: was a row masked entirely?")
    return table.tolist()


def _mean(values: Iterable[float]) -> float:
    numbers = list(values)
    return sum(numbers) / len(numbers) if numbers else math.nan
