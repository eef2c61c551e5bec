"""Write the corpus: `python data/ko-en/generate.py` makes every .tsv.gz and pieces.txt again.

Needs nothing but Python's standard library. The same seed gives the same bytes: the only source
of randomness is `random.Random(seed).random()`, which Python promises to keep.
"""

from __future__ import annotations

import argparse
import gzip
import hashlib
import io
from collections.abc import Iterable
from pathlib import Path

from clauses import read_frames
from easy import EASY_WORDS, EasySentences
from phrases import Dice, read_lexicon
from sentences import Row

HERE = Path(__file__).parent
BUCKETS = ((4, 10), (11, 20), (21, 30), (31, 40), (41, 50))
# Sentences in each length bucket. Training sees more short ones: they teach the words.
EASY_SIZES = {"test": (100,) * 5, "valid": (60,) * 5, "train": (5000, 2500, 1500, 1500, 1500)}
CLAUSES = {0: (1,), 1: (1, 2), 2: (2, 3), 3: (3, 4), 4: (4, 5)}  # that give a bucket's lengths


def easy_splits(seed: int, sizes: dict[str, tuple[int, ...]] = EASY_SIZES) -> dict[str, list[Row]]:
    """The easy subset: as many sentences in every length bucket, no sentence twice."""
    dice = Dice(seed)
    entries = [entry for entry in read_lexicon() if entry.ko in EASY_WORDS]
    grammar = EasySentences(dice, entries, read_frames())
    seen: set[str] = set()
    splits: dict[str, list[Row]] = {}
    for split, wanted in sizes.items():
        rows: list[Row] = []
        for bucket, (low, high) in enumerate(BUCKETS):
            left = wanted[bucket]
            while left:
                if bucket == 0 and dice.chance(0.6):
                    row = grammar.easy_short()
                else:
                    row = grammar.easy(dice.pick(CLAUSES[bucket]))
                if row is None or not low <= len(row.tokens) <= high:
                    continue
                if row[0] in seen or row[1] in seen:
                    continue
                seen.update(row[:2])
                rows.append(row)
                left -= 1
        splits[split] = mixed(rows, dice)
    return splits


def mixed(rows: list[Row], dice: Dice) -> list[Row]:
    """The rows in random order, without `random.shuffle`, whose numbers Python may change."""
    return [row for _, _, row in sorted((dice.random(), n, row) for n, row in enumerate(rows))]


def as_bytes(rows: Iterable[Row]) -> bytes:
    return "".join("\t".join(row[:4]) + "\n" for row in rows).encode()


def write_gzip(path: Path, content: bytes) -> None:
    """Compress with no time and no name in the header, so that equal content gives equal files."""
    buffer = io.BytesIO()
    with gzip.GzipFile(filename="", mode="wb", compresslevel=9, fileobj=buffer, mtime=0) as file:
        file.write(content)
    path.write_bytes(buffer.getvalue())


def corpus(seed: int = 2014) -> dict[str, list[Row]]:
    """File name, without ending, -> its rows."""
    files = {f"easy-{split}": rows for split, rows in easy_splits(seed).items()}
    return files


def piece_list(files: dict[str, list[Row]]) -> list[str]:
    """Every Korean token of the corpus: what a word may be cut into."""
    return sorted({token for rows in files.values() for row in rows for token in row.tokens})


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, default=HERE, help="where to write (default: here)")
    out = parser.parse_args().out
    files = corpus()
    sums = []
    for name, rows in files.items():
        content = as_bytes(rows)
        write_gzip(out / f"{name}.tsv.gz", content)
        sums.append(f"{hashlib.sha256(content).hexdigest()}  {name}.tsv\n")
        print(f"{name}: {len(rows)} pairs")
    (out / "SHA256SUMS").write_text("".join(sums), encoding="utf-8")
    pieces = "".join(piece + "\n" for piece in piece_list(files))
    (out / "pieces.txt").write_text(pieces, encoding="utf-8")


if __name__ == "__main__":
    main()
