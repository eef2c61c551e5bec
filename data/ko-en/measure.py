"""How near the tests are to training: `python data/ko-en/measure.py` prints the tables of README.

Reads the tables beside it; needs nothing but Python's standard library.
"""

from __future__ import annotations

import gzip
import itertools
from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from functools import cache
from typing import NamedTuple

import hangul
from lexicon import Entry, read_lexicon
from rows import MARKS
from tokens import HERE

Tokens = tuple[str, ...]
BUCKETS = ((3, 10), (11, 20), (21, 30), (31, 40), (41, 50), (51, 70))
CORPORA = {
    "ko-en": ("valid", "test", "test_composition", "test_long", "test_written"),
    "ko-en-easy": ("valid", "test", "test_composition"),
}


class Line(NamedTuple):
    """One row of a table, cut into tokens."""

    tokens: Tokens
    kind: str
    clauses: tuple[Tokens, ...]


@cache
def cutter() -> dict[str, bool]:
    return dict.fromkeys((HERE / "pieces.txt").read_text(encoding="utf-8").split("\n")[:-1], True)


@cache
def cut(word: str) -> Tokens:
    """Longest match first, as WordVocabulary does it."""
    pieces, tokens, start = cutter(), [], 0
    while start < len(word):
        mark = "##" if start else ""
        end = next(e for e in range(len(word), start, -1) if mark + word[start:e] in pieces)
        tokens.append(mark + word[start:end])
        start = end
    return tuple(tokens)


def tokens_of(korean: str) -> Tokens:
    found: list[str] = []
    for word in korean.split():
        marks = []
        while word[-1] in MARKS:
            marks.insert(0, word[-1])
            word = word[:-1]
        found += [*cut(word), *marks]
    return tuple(found)


@cache
def table(corpus: str, split: str) -> tuple[Line, ...]:
    """A split, cut into tokens and clauses."""
    name = ("easy-" if corpus == "ko-en-easy" else "") + split
    lines = []
    with gzip.open(HERE / f"{name}.tsv.gz", "rt", encoding="utf-8") as rows:
        for row in rows:
            korean, _, _, kind, ends = row.rstrip("\n").split("\t")
            tokens = tokens_of(korean)
            cuts = [0, *map(int, ends.split())]
            parts = [
                tuple(t for t in tokens[a:b] if t not in MARKS) for a, b in zip(cuts, cuts[1:])
            ]
            lines.append(Line(tokens, kind, tuple(parts)))
    return tuple(lines)


def distance(one: Sequence[str], two: Sequence[str], most: int) -> int:
    """Token edits (insert, delete, exchange) between two sentences; most + 1 where more."""
    if abs(len(one) - len(two)) > most:
        return most + 1
    # What both begin and end with costs no edit, and is most of what neighbours have.
    while one and two and one[0] == two[0]:
        one, two = one[1:], two[1:]
    while one and two and one[-1] == two[-1]:
        one, two = one[:-1], two[:-1]
    before = list(range(len(two) + 1))
    for i, token in enumerate(one, 1):
        row = [i]
        for j, other in enumerate(two, 1):
            row.append(min(before[j] + 1, row[-1] + 1, before[j - 1] + (token != other)))
        if min(row) > most:
            return most + 1
        before = row
    return min(before[-1], most + 1)


def _thirds(length: int) -> list[tuple[int, int]]:
    """Two edits leave at least one of three pieces as it is."""
    cuts = [0, length // 3, 2 * length // 3, length]
    return list(zip(cuts, cuts[1:]))


def nearest(tests: Sequence[Tokens], train: Sequence[Tokens], most: int = 2) -> list[int]:
    """For each test sentence the edits to the nearest of training; most + 1 where it is far."""
    index: dict[tuple[int, int, Tokens], list[int]] = defaultdict(list)
    for number, tokens in enumerate(tests):
        for third, (a, b) in enumerate(_thirds(len(tokens))):
            index[len(tokens), third, tokens[a:b]].append(number)
    best = [most + 1] * len(tests)
    for tokens in train:
        met: set[int] = set()
        for length in range(len(tokens) - most, len(tokens) + most + 1):
            for third, (a, b) in enumerate(_thirds(max(length, 0))):
                for shift in range(-most, most + 1):
                    if a + shift >= 0:
                        key = length, third, tokens[a + shift : b + shift]
                        met.update(index.get(key, ()))
        for number in met:
            if best[number]:
                best[number] = min(best[number], distance(tests[number], tokens, most))
    return best


@cache
def classes() -> dict[str, str]:
    """Words of the lexicon that a template leaves open, and what they are."""
    kinds = (
        "noun",
        "name",
        "person",
        "family",
        "animal",
        "place",
        "number",
        "transport",
        "adjective",
    )
    return {entry.ko: entry.kind for entry in read_lexicon() if entry.kind in kinds}


def template(tokens: Tokens) -> Tokens:
    """The clause with its names, nouns and numbers left open."""
    known = classes()
    return tuple(known.get(t, "digits" if t.strip("#").isdigit() else t) for t in tokens)


def share(part: int, whole: int) -> str:
    return f"{100 * part / whole:.1f} %"


def near_duplicates() -> list[str]:
    """Rows of the table: split, within one edit, two edits, clauses, sentences, templates."""
    rows = []
    for corpus, splits in CORPORA.items():
        train = table(corpus, "train")
        clauses = {clause for line in train for clause in line.clauses}
        shapes = {template(clause) for clause in clauses}
        tests = {split: table(corpus, split) for split in splits}
        every = [line.tokens for test in tests.values() for line in test]
        near = iter(nearest(every, [line.tokens for line in train]))
        for split, test in tests.items():
            edits = Counter(itertools.islice(near, len(test)))
            parts = [clause for line in test for clause in line.clauses]
            old = sum(clause in clauses for clause in parts)
            whole = sum(all(c in clauses for c in line.clauses) for line in test)
            shaped = sum(template(clause) in shapes for clause in parts)
            n = len(test)
            rows.append(
                f"| `{corpus}` {split} | {edits[0]} | {share(edits[0] + edits[1], n)} "
                f"| {share(edits[0] + edits[1] + edits[2], n)} | {share(old, len(parts))} "
                f"| {share(whole, n)} | {share(shaped, len(parts))} |"
            )
    return rows


def lengths() -> list[str]:
    """Rows of the table: pairs in each range of lengths."""
    rows = []
    for corpus, splits in CORPORA.items():
        for split in ("train", *splits):
            counts = Counter(len(line.tokens) for line in table(corpus, split))
            cells = [sum(counts[n] for n in range(a, b + 1)) for a, b in BUCKETS]
            shown = " | ".join(f"{cell:,}" if cell else "–" for cell in cells)
            rows.append(f"| `{corpus}` {split} | {sum(cells):,} | {shown} |")
    return rows


def constructions() -> list[tuple[str, int]]:
    """How often each construction occurs in training, the most frequent first."""
    return Counter(line.kind for line in table("ko-en", "train")).most_common()


def forms(entry: Entry) -> set[str]:
    """Tokens in which a word shows: a noun is one, a verb is met in several."""
    if entry.kind not in ("verb", "adjective"):
        return {entry.ko}
    verb = entry.verb
    return {
        verb.stem,
        hangul.past(verb),
        hangul.infinitive(verb),
        hangul.eu(verb),
        hangul.with_n(verb),
        hangul.with_l(verb),
        hangul.eu(verb, drop_l=True),
    }


def words() -> list[str]:
    """Rows of the table: kind of word, how many the lexicon has, how many training has."""
    tokens = {token for line in table("ko-en", "train") for token in line.tokens}
    there: Counter[str] = Counter()
    met: Counter[str] = Counter()
    for entry in {(e.kind, e.ko): e for e in read_lexicon()}.values():
        there[entry.kind] += 1
        met[entry.kind] += not tokens.isdisjoint(forms(entry))
    rows = [f"| {kind} | {count} | {met[kind]} |" for kind, count in there.most_common()]
    return [*rows, f"| all | {there.total()} | {met.total()} |"]


# Particles and endings: how a token, with those beside it, shows them.
SHOWS: dict[str, Callable[[str, str, str], bool]] = {
    "도": lambda before, token, after: token == "##도",
    "만": lambda before, token, after: token == "##만",
    "의": lambda before, token, after: token == "##의",
    "부터": lambda before, token, after: token == "##부터",
    "까지": lambda before, token, after: token == "##까지",
    "보다": lambda before, token, after: token == "##보다",
    "한테": lambda before, token, after: token == "##한테",
    "못": lambda before, token, after: token == "못" or before == "##지" and token[0] == "못",
    "-(으)면": lambda before, token, after: token == "##면",
    "-(으)려고": lambda before, token, after: token == "##려고",
    "-는데": lambda before, token, after: token in ("##는데", "##데"),
    "-겠-": lambda before, token, after: token == "##겠",
    "digits": lambda before, token, after: token.isdigit(),
    "clock times": lambda before, token, after: (
        token == "시" and after == "##에" or token == "##시" and before.isdigit()
    ),
}


def features() -> list[str]:
    """Rows of the table: a particle or ending, and in how many training pairs it stands."""
    counts: Counter[str] = Counter()
    for line in table("ko-en", "train"):
        around = list(zip(("", *line.tokens), line.tokens, (*line.tokens[1:], "")))
        counts.update(name for name, shows in SHOWS.items() if any(shows(*at) for at in around))
    return [f"| {name} | {counts[name]:,} |" for name in SHOWS]


def main() -> None:
    print("\n".join(lengths()))
    print("\n".join(f"| {kind} | {count:,} |" for kind, count in constructions()))
    print("\n".join([*words(), *features()]))
    print("\n".join(near_duplicates()))


if __name__ == "__main__":
    main()
