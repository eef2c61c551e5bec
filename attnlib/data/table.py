"""A table of the reader's own: one pair a line, source<TAB>target, split by content."""

import hashlib
from functools import partial
from pathlib import Path

from .pairs import Pair, Reader, Splits
from .reading import CorpusError, check_sum, decode, read

#: Bytes: a larger table stays on disk; of it chunks are read, and a sample for the splits.
LARGE, CHUNK = 2**24, 2**16


def table_splits(path: Path) -> tuple[Splits, dict[tuple[int, str], Reader]]:
    """Train, valid and test of a table, every line of which is looked at once.

    Of a table of more than 16 MiB they are those of a sample: every n-th pair, 16 MiB of them at
    most. With them come what reads its chunks of 64 KiB from disk, by their place and SHA-256:
    each gives its training pairs, which are those that share no sentence with valid or test.
    """
    step = 1 + path.stat().st_size // LARGE if path.is_file() else 1
    sample, found = list[Pair](), list[tuple[int, str]]()
    start = lines = 0
    while (content := read(path, start, CHUNK)) or not start:  # an empty table is complained about
        pairs = _parse(path, content, lines)
        sample += pairs[-lines % step :: step]
        found.append((start, hashlib.sha256(content).hexdigest()))
        start, lines = start + len(content), lines + len(pairs)
    splits = _split(path, sample)
    held = {text for name in ("valid", "test") for pair in splits[name] for text in pair[:2]}

    def chunk(start: int, sha256: str) -> list[Pair]:
        content = read(path, start, CHUNK)
        check_sum(f"{path} from byte {start} on", content, sha256, "it was changed while in use")
        return [pair for pair in _parse(path, content) if held.isdisjoint(pair[:2])]

    readers: dict[str, Reader] = {name: rows.copy for name, rows in splits.items()}
    return Splits(readers), {key: partial(chunk, *key) for key in found if step > 1}


def _parse(path: Path, content: bytes, before: int = 0) -> list[Pair]:
    pairs = []
    for number, line in enumerate(decode(path, content, before), before + 1):
        src, tab, rest = line.partition("\t")
        tgt = rest.partition("\t")[0]
        where = f"{path}, line {number}"
        if not tab:
            raise CorpusError(f"{where}: there is no tab; write source<TAB>target")
        if not src.strip() or not tgt.strip():
            side = "target" if src.strip() else "source"
            raise CorpusError(f"{where}: the {side} is empty; fill it in or remove the line")
        pairs.append(Pair(src.strip(), tgt.strip()))
    return pairs


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
