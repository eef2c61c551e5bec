"""A sentence pair, its gold word alignment, and the splits that hold pairs.

A link is (j, t): source token j belongs to target token t, both counted from 0. *Sure* links must
be found, *possible* links may be; every sure link is possible too (Och and Ney 2003).
"""

import functools
import re
from collections.abc import Callable, Iterator, Mapping
from typing import NamedTuple, TypeAlias

from .text import check_text

Link: TypeAlias = tuple[int, int]


class Links(NamedTuple):
    """Gold links of one sentence pair; ``possible`` includes ``sure``."""

    sure: frozenset[Link]
    possible: frozenset[Link]


def parse_links(text: str) -> Links:
    """Read links written as "0-0 1-2 4?3": "j-t" is sure, "j?t" is only possible.

    Raises ValueError for anything else. ``format_links`` is the inverse.

    >>> parse_links("1-0 0?1").sure
    frozenset({(1, 0)})
    """
    check_text("links", text)
    links = [_parse_link(piece) for piece in text.split()]
    sure = frozenset(link for link, sign in links if sign == "-")
    return Links(sure, frozenset(link for link, _ in links))


@functools.lru_cache(10_000)  # "0-0" stands in nearly every pair of a corpus
def _parse_link(piece: str) -> tuple[Link, str]:
    match = re.fullmatch("([0-9]+)([-?])([0-9]+)", piece)
    if match is None:
        known = "'0-0' (sure) or '4?3' (possible)"
        raise ValueError(f"links must be written like {known}, got {piece!r}")
    return (int(match[1]), int(match[3])), match[2]


def format_links(links: Links) -> str:
    """Write links so that ``parse_links`` reads them, in the order of the source.

    >>> format_links(parse_links("1-0 0?1"))
    '0?1 1-0'
    """
    every = sorted(links.sure | links.possible)
    return " ".join(f"{j}{'-' if (j, t) in links.sure else '?'}{t}" for j, t in every)


class Pair(NamedTuple):
    """A sentence, its translation, and, where it is known, which words stand for which.

    Links index the tokens that ``WordVocabulary.tokenize`` gives (source index, target index).
    """

    src: str
    tgt: str
    links: Links | None = None


PairLoader: TypeAlias = Callable[[], list[Pair]]


class Splits(Mapping):  # not Mapping[str, ...]: a check of types at run time would read files
    """Split name → its pairs, each split read when it is first asked for.

    Arguments: readers, what reads each split.

    >>> splits = Splits({"valid": lambda: [Pair("가", "go")]})
    >>> splits["valid"] is splits["valid"], list(splits)
    (True, ['valid'])
    """

    def __init__(self, readers: Mapping[str, PairLoader]) -> None:
        self._readers = dict(readers)
        self._pairs: dict[str, list[Pair]] = {}  # of the splits that were read

    def __getitem__(self, name: str) -> list[Pair]:
        if name not in self._pairs:
            self._pairs[name] = self._readers[name]()
        return self._pairs[name]

    def __contains__(self, name: object) -> bool:  # Mapping's own would read the split
        return name in self._readers

    def __iter__(self) -> Iterator[str]:
        return iter(self._readers)

    def __len__(self) -> int:
        return len(self._readers)

    def __repr__(self) -> str:
        return f"Splits({', '.join(self)})"
