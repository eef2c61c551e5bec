"""A table of the reader's own: one pair a row, split by content."""

import hashlib
import os
import warnings
from functools import partial
from pathlib import Path

from ..corpus import CorpusError, CorpusWarning
from ..pairs import Pair, Reader, Splits
from .reading import check_sum, read
from .rows import Table

SUFFIXES = (".tsv", ".txt", ".csv")
#: Bytes: a larger table stays on disk; of it chunks are read, and a sample for the splits.
LARGE, CHUNK = 2**24, 2**16


def is_table(name: str | os.PathLike[str]) -> bool:
    """Whether a name is that of a table of the reader's own.

    >>> is_table("fra.txt"), is_table("DATA.TSV"), is_table("ko-en")
    (True, True, False)
    """
    return os.fspath(name).lower().endswith(SUFFIXES)


def table_splits(path: Path) -> tuple[Splits, dict[tuple[int, str], Reader]]:
    """Train, valid and test of a table, every line of which is looked at once.

    Of a table of more than 16 MiB they are those of a sample: every n-th pair, 16 MiB of them at
    most. With them come what reads its chunks of 64 KiB from disk, by their place and SHA-256:
    each gives its training pairs, which are those that share no sentence with valid or test.
    Warns (CorpusWarning) of what its owner should know, and raises CorpusError.
    """
    table = Table(path)
    step = 1 + path.stat().st_size // LARGE if os.path.isfile(path) else 1
    if table.is_csv and step > 1:
        why = f"is too large for a .csv (over {LARGE >> 20} MiB), which cannot be read by parts"
        raise CorpusError(f"{path} {why}; save it as a .tsv, with tabs between the columns")
    size = -1 if table.is_csv else CHUNK  # in a .csv a row may have several lines
    sample, found = list[Pair](), list[tuple[int, str]]()
    start = 0
    # One round for an empty table, too, so that it is reported.
    while (content := read(path, start, size)) or not start:
        before = table.pairs
        sample += table.look(content)[-before % step :: step]
        found.append((start, hashlib.sha256(content).hexdigest()))
        start += len(content)
    notes = table.judge()
    splits = _split(path, [table.plain(pair) for pair in sample], notes)
    for note in notes:
        warnings.warn(f"{path}: {note}", CorpusWarning, stacklevel=4)  # where load_corpus is called
    held = {text for name in ("valid", "test") for pair in splits[name] for text in pair[:2]}
    readers: dict[str, Reader] = {name: partial(list, rows) for name, rows in splits.items()}
    return Splits(readers), {key: partial(_chunk, table, held, *key) for key in found if step > 1}


def _chunk(table: Table, held: set[str], start: int, sha256: str) -> list[Pair]:
    """The training pairs of a chunk of a table: those without a text of valid or test."""
    path, content = table.path, read(table.path, start, CHUNK)
    check_sum(f"{path} from byte {start} on", content, sha256, "it was changed while in use")
    rows = list(table.rows(content, start))[1 if table.header and not start else 0 :]
    pairs = [table.plain(Pair(row.texts[0], row.texts[1])) for row in rows]
    return [pair for pair in pairs if held.isdisjoint(pair[:2])]


def _split(path: Path, pairs: list[Pair], notes: list[str]) -> dict[str, list[Pair]]:
    """5 % test, 5 % valid (at most 1,000 each), the rest train; by content, not by place.

    Pairs that share a sentence on either side, directly or through others, stay together: no
    test sentence has been seen in training. A note is added for what is larger than that.
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
        has = f"{path} has {len(groups)} unrelated sentence pairs"
        if len(pairs) > len(groups):  # all sources "eng", say
            has += f", for its {len(pairs):,} pairs share sentences"
        raise CorpusError(f"{has}; {needed}")
    wanted = max(1, min(1000, len(pairs) // 20))
    # A large group in the test set would take what is needed for training.
    order = sorted(groups.values(), key=lambda g: (len(g) > wanted, _digest(min(g)[:2])))
    splits: dict[str, list[Pair]] = {"train": [], "valid": [], "test": []}
    for group in order:
        name = next((s for s in ("test", "valid") if len(splits[s]) < wanted), "train")
        splits[name] += group
        if name != "train" and len(group) > wanted:
            has = f"{name} has {len(group):,} of {len(pairs):,} pairs, not {wanted:,}"
            notes.append(f"{has}: {len(group):,} pairs that share sentences stay together")
    return splits


def _digest(texts: tuple[str, ...]) -> str:
    return hashlib.sha256("\t".join(texts).encode()).hexdigest()
