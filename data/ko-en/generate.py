"""Write the corpus: `python data/ko-en/generate.py` makes every .tsv.gz and pieces.txt again.

Needs nothing but Python's standard library. The same seed gives the same bytes: the only source
of randomness is `random.Random(seed).random()`, which Python promises to keep.
"""

from __future__ import annotations

import argparse
import gzip
import hashlib
import io
from collections.abc import Callable, Iterable
from pathlib import Path

from easy import Easy
from lexicon import Lexicon, read_lexicon
from rows import Draft, Row, rendered
from speech import Speech
from tokens import Dice
from written import read_written, written_rows

HERE = Path(__file__).parent
EASY_BUCKETS = ((4, 10), (11, 20), (21, 30), (31, 40), (41, 50))
# Sentences in each length bucket. Training sees more short ones: they teach the words.
# The tests come first: the shortest sentences are few, and training would take them all.
EASY_SIZES = {
    "test": (100,) * 5,
    "valid": (60,) * 5,
    "train": (5000, 2500, 1400, 1400, 1400),
    "test_composition": (100,) * 5,
}
EASY_CLAUSES = {0: (1,), 1: (1, 2), 2: (2, 3), 3: (3, 4), 4: (4, 5)}  # that give these lengths
BUCKETS = ((3, 10), (11, 20), (21, 30), (31, 40), (41, 50), (51, 70))
SIZES = {
    "train": (14000, 15500, 8000, 4800, 2700, 0),
    "valid": (200, 300, 200, 150, 150, 0),
    "test": (300, 400, 300, 250, 250, 0),
    "test_composition": (300, 300, 0, 0, 0, 0),
    "test_long": (0, 0, 0, 0, 0, 500),
}
# How often each construction is tried, in each length bucket; a number is a story of so many
# clauses.
SHORT = {
    "clause": 7.0,
    "want": 1.0,
    "can": 0.4,
    "know": 0.6,
    "must": 0.9,
    "perf": 0.6,
    "decide": 0.7,
    "promise": 0.8,
    "question": 3.0,
    "command": 2.0,
    "weather": 0.5,
    "adjective": 2.8,
    "comparison": 1.0,
    "copula": 0.6,
    "existence": 1.2,
    "permission": 0.4,
    "guess": 0.4,
    "passive": 0.6,
    "everyday": 0.6,
    "habitual": 0.4,
    "particle": 0.4,
    "gerund": 0.2,
    "since": 1.0,
    "asking": 0.8,
    "one": 1.2,
    "two": 3.0,
}
MEDIUM = {
    "since": 0.3,
    "asking": 0.8,
    "clause": 4.0,
    "want": 0.4,
    "must": 0.5,
    "perf": 0.5,
    "question": 1.2,
    "relative": 1.6,
    "person": 0.7,
    "reported": 0.9,
    "existence": 0.4,
    "one": 0.6,
    "two": 6.0,
    "three": 3.0,
}
LONG: dict[str, float] = {"three": 2.0, "four": 2.0, "five": 1.0}
LONGER: dict[str, float] = {"four": 1.0, "five": 2.0, "six": 2.0}
LONGEST: dict[str, float] = {"five": 1.0, "six": 2.0, "seven": 1.0}
BEYOND: dict[str, float] = {"six": 1.0, "seven": 2.0, "eight": 2.0, "ten": 1.0}
PLANS = (SHORT, MEDIUM, LONG, LONGER, LONGEST, BEYOND)
COMPOSING = {
    "clause": 5.0,
    "want": 1.0,
    "must": 1.0,
    "know": 0.7,
    "question": 2.0,
    "command": 1.0,
    "relative": 2.0,
    "person": 1.0,
    "reported": 2.0,
}
Maker = Callable[[], "Draft | None"]


def makers(speech: Speech) -> dict[str, Maker]:
    """Every construction by its name."""
    counts = {
        "one": 1,
        "two": 2,
        "three": 3,
        "four": 4,
        "five": 5,
        "six": 6,
        "seven": 7,
        "eight": 8,
        "ten": 10,
        "twelve": 12,
    }
    kinds = {
        "want": "wish",
        "can": "ability",
        "know": "ability",
        "must": "duty",
        "perf": "experience",
        "decide": "decision",
    }

    def story(clauses: int) -> Maker:
        return lambda: speech.story(clauses)

    def scene(name: str) -> Maker:
        return lambda: speech.story(1, [one for one in speech.scenes if one.name == name])

    def pair(*names: str) -> Maker:
        return lambda: speech.story(2, [one for one in speech.scenes if one.name in names])

    def modal(name: str) -> Maker:
        return lambda: speech.modal(name, kinds[name])

    return {
        **{name: story(count) for name, count in counts.items()},
        **{name: modal(name) for name in kinds},
        **{name: scene(name) for name in ("passive", "everyday", "habitual", "particle", "gerund")},
        "since": pair("please", "suggest"),
        "asking": pair("wonder", "asking"),
        "permission": speech.permission,
        "guess": speech.guess,
        "clause": speech.clause,
        "promise": speech.promise,
        "question": speech.question,
        "command": speech.command,
        "weather": speech.weather,
        "adjective": speech.adjective_sentence,
        "comparison": speech.comparison,
        "copula": speech.copula,
        "existence": speech.existence,
        "relative": speech.relative,
        "person": speech.described_person,
        "reported": speech.reported,
    }


# Words that the rule of longest match would cut otherwise than they are meant: 사자 is a lion.
AMBIGUOUS = {("사", "##자"), ("배우", "##세요"), ("아", "##니")}


class Shelf:
    """The rows written so far: no sentence twice, no word in a test that training lacks.

    `apart`: no sentence of another split lies within one token of one of the training split.
    """

    def __init__(self, apart: bool = False) -> None:
        self.seen: set[str] = set()
        self.words: set[str] = set()  # of the training split, both languages
        self.clauses: set[str] = set()  # of the training split
        self.near: set[str] = set()  # the training split, and each of its rows without one token
        self.apart = apart

    def takes(self, row: Row, split: str) -> bool:
        """Whether a row may stand in a split; if so it is seen from now on."""
        if row.korean in self.seen or row.english in self.seen:
            return False
        if any(pair in AMBIGUOUS for pair in zip(row.tokens, row.tokens[1:])):
            return False
        if split == "train":
            # "Sora's" that only begins sentences teaches a vocabulary no word with a capital.
            self.words.update(row.tokens, row.target[1:], (row.target[0].lower(),))
            self.clauses.update(row.parts())
            self.near.update(shortened(row.tokens) if self.apart else ())
        else:
            if not self.near.isdisjoint(shortened(row.tokens)):
                return False
            known = not self.words or self.words.issuperset((*row.tokens, *row.target))
            composed = split == "test_composition"
            if not known or composed and not self.clauses.isdisjoint(row.parts()):
                return False
        self.seen.update((row.korean, row.english))
        return True


def shortened(tokens: tuple[str, ...]) -> list[str]:
    """A sentence, and the sentence without each of its tokens: two sentences that differ in one
    token have one of these in common."""
    ways = [tokens, *(tokens[:n] + tokens[n + 1 :] for n in range(len(tokens)))]
    return [" ".join(way) for way in ways]


def filled(
    sizes: tuple[int, ...],
    buckets: tuple[tuple[int, int], ...],
    split: str,
    shelf: Shelf,
    draw: Callable[[int], Draft | None],
) -> list[Row]:
    """As many rows in each length bucket as are wanted."""
    rows: list[Row] = []
    for bucket, ((low, high), left) in enumerate(zip(buckets, sizes)):
        while left:
            draft = draw(bucket)
            if draft is None or not low <= draft.length() <= high:
                continue
            row = rendered(draft)
            if shelf.takes(row, split):
                rows.append(row)
                left -= 1
    return rows


def easy_splits(seed: int, seen: set[str]) -> dict[str, list[Row]]:
    """The easy subset: in its tests as many sentences in every length bucket."""
    dice = Dice(seed)
    grammar = Easy(dice, Lexicon(read_lexicon()))
    shelf = Shelf()
    shelf.seen = seen

    def draw(bucket: int) -> Draft | None:
        if bucket == 0 and dice.chance(0.5):
            return grammar.short()
        return grammar.sentence(dice.pick(EASY_CLAUSES[bucket]))

    splits = {}
    for split, sizes in EASY_SIZES.items():
        grammar.composing = split == "test_composition"
        splits[split] = dice.mixed(filled(sizes, EASY_BUCKETS, split, shelf, draw))
    return splits


def full_splits(seed: int, seen: set[str]) -> dict[str, list[Row]]:
    """The full corpus; sentences of `seen` are left out, on either side."""
    dice = Dice(seed)
    grammar = Speech(dice, Lexicon(read_lexicon()))
    made = makers(grammar)
    shelf = Shelf(apart=True)
    shelf.seen = seen

    def draw(bucket: int) -> Draft | None:
        grammar.start()
        return made[dice.weighted(COMPOSING if grammar.composing else PLANS[bucket])]()

    splits = {}
    for split, sizes in SIZES.items():
        grammar.composing = split == "test_composition"
        splits[split] = dice.mixed(filled(sizes, BUCKETS, split, shelf, draw))
    return splits


def as_bytes(rows: Iterable[Row]) -> bytes:
    return "".join("\t".join(row[:5]) + "\n" for row in rows).encode()


def write_gzip(path: Path, content: bytes) -> None:
    """Compress with no time and no name in the header, so that equal content gives equal files."""
    buffer = io.BytesIO()
    with gzip.GzipFile(filename="", mode="wb", compresslevel=9, fileobj=buffer, mtime=0) as file:
        file.write(content)
    path.write_bytes(buffer.getvalue())


def corpus(seed: int = 2014) -> dict[str, list[Row]]:
    """File name, without ending, -> its rows."""
    seen = {text for row in read_written() for text in row[:2]}
    files = {f"easy-{split}": rows for split, rows in easy_splits(seed, seen).items()}
    files |= full_splits(seed, seen)
    return files | {"test_written": written_rows(set(piece_list(files)))}


def piece_list(files: dict[str, list[Row]]) -> list[str]:
    """Every Korean token of the corpus: what a word may be cut into."""
    return sorted({token for rows in files.values() for row in rows for token in row.tokens})


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, default=HERE, help="where to write (default: here)")
    out = parser.parse_args().out
    try:
        out.mkdir(parents=True, exist_ok=True)  # before the minute that the corpus takes
    except OSError as problem:
        parser.error(f"cannot write into {out} ({problem.strerror}): name another folder")
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
