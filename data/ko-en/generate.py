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
from grammar import Grammar
from phrases import Dice, read_lexicon
from sentences import Row, rendered

HERE = Path(__file__).parent
BUCKETS = ((4, 10), (11, 20), (21, 30), (31, 40), (41, 50))
# Sentences in each length bucket. Training sees more short ones: they teach the words.
EASY_SIZES = {"test": (100,) * 5, "valid": (60,) * 5, "train": (6000, 2200, 1200, 1200, 1200)}
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
                if bucket == 0 and dice.chance(0.75):
                    draft = grammar.easy_short()
                else:
                    draft = grammar.easy(dice.pick(CLAUSES[bucket]))
                if draft is None or not low <= draft.length() <= high:
                    continue
                row = rendered(draft)
                if row[0] in seen or row[1] in seen:
                    continue
                seen.update(row[:2])
                rows.append(row)
                left -= 1
        splits[split] = mixed(rows, dice)
    return splits


# Sentences of the full corpus in each length bucket, and how often each construction is tried.
FULL_BUCKETS = ((3, 10), (11, 20), (21, 30), (31, 40), (41, 50))
FULL_SIZES = {
    "train": (9500, 10500, 4800, 2500, 1900),
    "valid": (200, 300, 200, 150, 150),
    "test": (300, 400, 300, 250, 250),
}
SHORT = {
    "single": 6.0, "modal": 2.0, "weather": 0.3, "described": 2.0, "is_somebody": 1.0,
    "there_is": 1.5, "question": 2.5, "command": 1.5,
}  # fmt: skip
MEDIUM = {
    "single": 4.0, "modal": 0.8, "weather_and": 0.8, "described": 1.0, "is_somebody": 0.4,
    "there_is": 0.6, "question": 1.2, "relative": 2.0, "chain": 1.5, "go": 1.0, "errand": 1.5,
    "purpose": 1.0, "said": 1.2, "several2": 1.5,
}  # fmt: skip
LONG = {"schedule": 1.0, "chain": 0.7, "several2": 3.0, "several3": 1.0}
LONGER = {"schedule": 1.0, "several3": 3.0, "several4": 1.0}
LONGEST = {"schedule": 0.3, "several3": 1.0, "several4": 3.0, "several5": 1.0}


def full_splits(seed: int, seen: set[str]) -> dict[str, list[Row]]:
    """The full corpus; sentences of `seen` are left out, on either side."""
    dice = Dice(seed)
    grammar = Grammar(dice, read_lexicon(), read_frames())
    makers = grammar.constructions()
    splits: dict[str, list[Row]] = {}
    known: set[str] = set()  # the tokens of the training split: no other split has more
    for split, wanted in FULL_SIZES.items():
        rows: list[Row] = []
        plans = zip(FULL_BUCKETS, wanted, (SHORT, MEDIUM, LONG, LONGER, LONGEST))
        for (low, high), left, plan in plans:
            while left:
                draft = grammar.draw(makers[dice.weighted(plan)])
                if draft is None or not low <= draft.length() <= high:
                    continue
                row = rendered(draft)
                if row.korean in seen or row.english in seen:
                    continue
                if known and not known.issuperset(row.tokens):
                    continue
                seen.update(row[:2])
                rows.append(row)
                left -= 1
        if split == "train":
            known = {token for row in rows for token in row.tokens}
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
    seen = {text for rows in files.values() for row in rows for text in row[:2]}
    return files | full_splits(seed, seen)


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
