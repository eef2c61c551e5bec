"""A table of the reader's own: one pair a row, split by content."""

import hashlib
import os
import warnings
from functools import partial
from pathlib import Path

from ..corpus import CorpusError, CorpusWarning
from ..pairs import Pair, Splits
from .rows import read_pairs

SUFFIXES = (".tsv", ".txt", ".csv")


def is_table(name: str | os.PathLike[str]) -> bool:
    """Whether a name is that of a table of the reader's own.

    >>> is_table("fra.txt"), is_table("DATA.TSV"), is_table("ko-en")
    (True, True, False)
    """
    return os.fspath(name).lower().endswith(SUFFIXES)


def table_splits(path: Path) -> Splits:
    """Train, valid and test of a table.

    Warns (CorpusWarning) of what its owner should know, and raises CorpusError.
    """
    pairs, notes = read_pairs(path)
    splits = _split(path, pairs, notes)
    for note in notes:
        warnings.warn(f"{path}: {note}", CorpusWarning, stacklevel=4)  # where load_corpus is called
    return Splits({name: partial(list, rows) for name, rows in splits.items()})


def _split(path: Path, pairs: list[Pair], notes: list[str]) -> dict[str, list[Pair]]:
    """5 % test, 5 % valid (at most 1,000 each), the rest train; by content, not by place.

    Pairs that share a sentence on either side, directly or through others, stay together: no
    test sentence has been seen in training. A note is added for what is larger than that.
    """
    parent: dict[str, str] = {}

    def find(key: str) -> str:
        while parent.setdefault(key, key) != key:
            parent[key] = parent[parent[key]]  # halve the path for the next time
            key = parent[key]
        return key

    for pair in pairs:
        parent[find("s" + pair.src)] = find("t" + pair.tgt)
    groups: dict[str, list[Pair]] = {}
    for pair in pairs:
        groups.setdefault(find("s" + pair.src), []).append(pair)
    if len(groups) < 3:
        needed = "at least 3 are needed, one each for training, validation and test"
        has = f"{path} has {len(groups)} unrelated sentence pairs"
        if len(pairs) > len(groups):  # all sources "eng", say
            has += f", for its {len(pairs):,} pairs share sentences"
        raise CorpusError(f"{has}; {needed}")
    target = max(1, min(1000, len(pairs) // 20))
    # A large group in the test set would take what is needed for training.
    order = sorted(groups.values(), key=lambda g: (len(g) > target, _digest(min(g)[:2])))
    splits: dict[str, list[Pair]] = {"train": [], "valid": [], "test": []}
    for group in order:
        name = next((s for s in ("test", "valid") if len(splits[s]) < target), "train")
        splits[name] += group
        if name != "train" and len(group) > target:
            has = f"{name} has {len(group):,} of {len(pairs):,} pairs, not {target:,}"
            notes.append(f"{has}: {len(group):,} pairs that share sentences stay together")
    return splits


def _digest(texts: tuple[str, ...]) -> str:
    return hashlib.sha256("\t".join(texts).encode()).hexdigest()
