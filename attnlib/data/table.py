"""A table of the reader's own: one pair a line, source<TAB>target, split by content."""

import hashlib
from pathlib import Path

from .pairs import Pair, Splits
from .reading import CorpusError, decode, read


def table_splits(path: Path) -> Splits:
    """Train, valid and test of a table; it is read at once, for the split needs all of it."""
    pairs = []
    for number, line in enumerate(decode(path, read(path)), 1):
        src, tab, rest = line.partition("\t")
        tgt = rest.partition("\t")[0]
        where = f"{path}, line {number}"
        if not tab:
            raise CorpusError(f"{where}: there is no tab; write source<TAB>target")
        if not src.strip() or not tgt.strip():
            side = "target" if src.strip() else "source"
            raise CorpusError(f"{where}: the {side} is empty; fill it in or remove the line")
        pairs.append(Pair(src.strip(), tgt.strip()))
    splits = _split(path, pairs)
    readers = {name: (lambda rows=rows: rows) for name, rows in splits.items()}  # type: ignore[misc]
    return Splits(readers)


def _split(path: Path, pairs: list[Pair]) -> dict[str, list[Pair]]:
    """5 % test, 5 % valid (at most 1,000 each), the rest train; by content, not by place.

    Pairs that share a sentence on either side, directly or through others, stay together: no
    test sentence has been seen in training.
    """
    leader: dict[str, str] = {}

    def find(key: str) -> str:
        while leader.setdefault(key, key) != key:
            leader[key] = leader[leader[key]]  # halve the path for the next time
            key = leader[key]
        return key

    for pair in pairs:
        leader[find("s" + pair.src)] = find("t" + pair.tgt)
    groups: dict[str, list[Pair]] = {}
    for pair in pairs:
        groups.setdefault(find("s" + pair.src), []).append(pair)
    if len(groups) < 3:
        needed = "at least 3 are needed, one each for training, validation and test"
        raise CorpusError(f"{path} has {len(groups)} unrelated sentence pairs; {needed}")
    wanted = max(1, min(1000, len(pairs) // 20))
    # A large group in the test set would take what is needed for training.
    order = sorted(groups.values(), key=lambda g: (len(g) > wanted, _digest(min(g)[:2])))
    splits: dict[str, list[Pair]] = {"train": [], "valid": [], "test": []}
    for group in order:
        name = next((s for s in ("test", "valid") if len(splits[s]) < wanted), "train")
        splits[name] += group
    return splits


def _digest(texts: tuple[str, ...]) -> str:
    return hashlib.sha256("\t".join(texts).encode()).hexdigest()
