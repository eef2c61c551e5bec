"""The rows of a table, and what only all of them together tell of how it is written.

Tables come out of spreadsheets, pandas, Tatoeba and text editors, each with habits of its own. What
is certain is read as it was meant: blank lines, a row that names the columns, quotes around cells.
What would be learnt as something else is refused, all such rows in one sentence. What only looks
odd is noted.
"""

import csv
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from ..corpus import CorpusError
from ..pairs import Pair
from ..text import normalize
from .reading import as_typed, decode

_ENTITY = re.compile("&(?:quot|apos|amp|lt|gt|nbsp|#[0-9]{2,5}|#x[0-9a-fA-F]{2,5});")
# What the first row of a table calls its columns: a language or a side, perhaps beside other words
# ("English sentence"), or one of the other words alone.
_SIDE = re.compile(
    "source|target|src|tgt|trg|arabic|chinese|czech|danish|dutch|english|finnish|french|german|"
    "greek|hebrew|hindi|hungarian|indonesian|italian|japanese|korean|norwegian|polish|portuguese|"
    "romanian|russian|spanish|swedish|thai|turkish|ukrainian|vietnamese|"
    "한국어|한글|국어|영어|독일어|프랑스어|불어|스페인어|일본어|중국어|원문|번역|번역문"
)
_OTHER = re.compile(
    "ar|cs|da|de|el|en|es|fi|fr|he|hi|hu|id|it|ja|jp|ko|kr|nl|no|pl|pt|ro|ru|sv|th|tr|uk|vi|zh|"
    "eng|kor|ger|deu|fre|fra|spa|jpn|zho|sentences?|translations?|text|original|reference|"
    "input|output|question|answer"
)


class Row(NamedTuple):
    """One row: its line, its cells, and the first two of them as all texts are written."""

    line: int
    cells: list[str]
    texts: list[str]


class Table:
    """A table that is looked at part by part: how it is written shows when all of it was seen.

    A ``.csv`` is parsed as RFC 4180 has it, but ``;`` may stand between its columns. In any other
    table a tab stands there, and a quote stands for itself, unless every cell that has one is
    quoted as that rule says.
    """

    def __init__(self, path: Path) -> None:
        self.path, self.is_csv = path, path.suffix.lower() == ".csv"
        self.lines = self.count = self.pairs = 0  # lines, rows and pairs seen so far
        self.header = ""  # the row that names the columns
        self.corner = 0  # the line of a first row whose first cell is empty, as over an index
        self.lacking: dict[str, list[int]] = {}  # what rows lack: their lines
        # Lines: of a cell without closing quotes; of a row that it cut in two.
        self.opened = self.broken = 0
        self.columns = 9  # those of the shortest row, of nine at most
        # Columns that held numbers, nothing, or the same (a language) in every row; the row that
        # they are like; whether the first is one of them and held a number.
        self.bare, self.like, self.index = set[int](), list[str](), False
        self.entity = ""
        self.quoted = self.doubled = self.unruly = 0  # the first line with such quotes

    def rows(self, content: bytes, before: int = 0) -> Iterator[Row]:
        """The rows of a part of the table that are not blank."""
        lines = decode(self.path, content, before)
        self.lines = before + len(lines)
        numbered: Iterator[tuple[int, list[str]]]
        if self.is_csv:
            with_ends = (f"{line}\n" for line in lines)
            reader = csv.reader(with_ends, delimiter=_mark(lines[:1000]), strict=True)
            numbered = ((reader.line_num, cells) for cells in reader)
        else:
            numbered = ((n, line.split("\t")) for n, line in enumerate(lines, before + 1))
        try:
            for line, cells in numbered:
                texts = [normalize(cell) for cell in cells[:2]]
                if any(texts) or any(map(normalize, cells[2:])):
                    yield Row(line, cells, texts)
        except csv.Error as problem:
            where = f"{self.path}, line {reader.line_num}"
            remedy = "save it anew, or as a .tsv with tabs between the columns"
            raise CorpusError(f"{where}: this is not CSV ({problem}); {remedy}") from problem

    def look(self, content: bytes) -> list[Pair]:
        """The pairs of the next part, with whatever quotes stand around them."""
        pairs = []
        for row in self.rows(content, self.lines):
            self.count += 1
            if self.count == 1 and self._is_header(row):
                continue
            self._look_at_columns(row)
            if lacks := self._lacks(row):
                self.lacking.setdefault(lacks, []).append(row.line)
            else:
                self._note(row)
                pairs.append(Pair(row.texts[0], row.texts[1]))
        self.pairs += len(pairs)
        if not self.pairs and self.count > 10_000:  # no table at all; reading on would add nothing
            self.judge()
        return pairs

    def plain(self, pair: Pair) -> Pair:
        """A pair without the quotes around its cells, if that is how the table is written."""
        if not self.quoted or self.unruly:
            return pair
        src, tgt = (
            normalize(text[1:-1].replace('""', '"')) if text[0] == '"' else text
            for text in pair[:2]
        )
        return Pair(src, tgt)

    def _is_header(self, row: Row) -> bool:
        """Whether the first row names the columns."""
        if len(row.cells) > 2 and not row.texts[0]:
            self.corner = row.line
        if len(row.texts) == 2 and all(map(_names_a_column, row.texts)):
            self.header = f"line {row.line} ({' and '.join(row.texts)})"
        return bool(self.header)

    def _look_at_columns(self, row: Row) -> None:
        """Keep in mind which columns have held no sentences so far."""
        self.columns = min(self.columns, len(row.cells))
        if self.count == 2:  # the first may be a header
            self.like, self.bare = row.cells[:9], {*range(9)}
        if self.bare:
            self.bare &= {
                i
                for i, (cell, like) in enumerate(zip(row.cells, self.like))
                if cell == like or re.fullmatch(r"\s*\d*\s*", cell)
            }
            self.index = self.index or (0 in self.bare and row.texts[0].isdecimal())

    def _lacks(self, row: Row) -> str:
        """What keeps a row from being a pair: a tab, a source, a target, or nothing."""
        texts, before = row.texts, self.opened == row.line - 1
        opens = texts[-1].startswith('"') and texts[-1].count('"') % 2
        self.opened = row.line if opens and len(row.cells) < 3 else 0
        if len(texts) > 1:
            # A cell of quotes alone is what a spreadsheet writes for an empty one.
            empty = [side for side, text in zip(("source", "target"), texts) if not text.strip('"')]
            return empty[0] if empty else ""
        if before or self.opened:
            self.broken = self.broken or row.line - before
        return "second column" if self.is_csv else "tab"

    def _note(self, row: Row) -> None:
        """Keep in mind what is odd about a row, if others are like it."""
        for text in row.texts:
            if "&" in text and not self.entity and (found := _ENTITY.search(text)):
                self.entity = f"{found[0]} in line {row.line}"
            if '"' not in text or self.is_csv:
                continue
            if len(text) > 1 and text[0] == text[-1] == '"' and _closed(text[1:-1]):
                self.quoted = self.quoted or row.line
                self.doubled = self.doubled or ('""' in text[1:-1] and row.line)
            else:
                self.unruly = self.unruly or row.line

    def judge(self) -> list[str]:
        """What should be known of the table. Raises CorpusError for one that cannot be used."""
        notes = []
        bare = sorted(self.bare) if self.count > 3 else []
        if bare and bare[0] < 2:
            self._require_text(bare)
        if self.lacking:
            raise CorpusError(self._what_is_lacking())
        if self.header:
            notes.append(f"{self.header} names the columns and is left out")
        if bare and bare[0] < 2:
            sides = " and every ".join(("source", "target")[i] for i in bare[:2] if i < 2)
            notes.append(f"every {sides} is a number alone, or the same")
        if self.quoted and not self.unruly:
            notes.append(f"the quotes around cells, as in line {self.quoted}, are taken off")
        elif self.doubled and self.unruly:
            one = f"line {self.doubled} has quotes as a spreadsheet writes them around a cell"
            notes.append(f"{one}, line {self.unruly} has others; all are learnt as they are")
        if self.entity:
            remedy = "Python's html.unescape makes characters of such"
            notes.append(f"it has HTML entities ({self.entity}), learnt as they are; {remedy}")
        return notes

    def _what_is_lacking(self) -> str:
        tail = f"; a cell of line {self.broken} seems to go on in the next" * bool(self.broken)
        (lacks, lines), *others = self.lacking.items()
        by_column = {"tab": "source<TAB>target", "second column": "source and target"}
        write = f"write {by_column[lacks]}" if lacks in by_column else "fill it in"
        if not self.pairs and not others and len(lines) > 1:
            return f"{self.path}: no row has a {lacks}; {write}"
        if len(lines) == 1 and not others:
            is_so = f"there is no {lacks}" if lacks in by_column else f"the {lacks} is empty"
            return f"{self.path}, line {lines[0]}: {is_so}; {write} or remove the line{tail}"
        told = [
            f"{len(n):,} row{' lacks' if len(n) == 1 else 's lack'} a {what} ({_lines(n)})"
            for what, n in self.lacking.items()
        ]
        return f"{self.path}: {', '.join(told)}; {write} or remove these lines{tail}"

    def _require_text(self, bare: list[int]) -> None:
        """Refuse a side of an index, ids or languages where other columns hold sentences."""
        text = [column + 1 for column in range(self.columns) if column not in bare][:2]
        if len(text) < 2:
            return
        if self.corner and self.index and bare[0] == 0:
            what = f"line {self.corner} looks like the header that pandas writes, and column 1 like"
            remedy = "write the table with to_csv(…, index=False, header=False)"
            raise CorpusError(f"{self.path}: {what} its index; {remedy}")
        remedy = f"keep columns {text[0]} and {text[1]}"
        if not self.is_csv and sys.platform != "win32":  # which has no cut
            remedy += f": cut -f{text[0]},{text[1]} {as_typed(str(self.path))} > text.tsv"
        what = "has no sentences (numbers, nothing, or the same in every row)"
        raise CorpusError(f"{self.path}: column {bare[0] + 1} {what}; {remedy}")


def _mark(lines: list[str]) -> str:
    """What stands between the columns of a .csv: in most lines, and as often in each.

    >>> _mark(["Yes, sir;Ja", "No;Nein"]), _mark(["Korean,English", '"a; b",c'])
    (';', ',')
    """

    def likely(mark: str) -> tuple[int, int]:
        counts = [line.count(mark) for line in lines if line.strip()]
        return sum(map(bool, counts)), -len(set(counts))

    return max(",;\t", key=likely)


def _closed(inside: str) -> bool:
    """Whether all quotes inside a quoted cell are doubled, as the rule wants it."""
    return '"' not in inside.replace('""', "")


def _names_a_column(text: str) -> bool:
    """Whether a cell of the first row is what its column is called, and no sentence.

    >>> [_names_a_column(text) for text in ("English sentence", "ko", "한국어", "I am Korean.")]
    [True, True, True, False]
    """
    words = re.findall(r"[^\W_]+", text.casefold())
    if not 0 < len(words) < 4 or text.strip('"')[-1:] in ".?!。":
        return False
    alone = len(words) == 1 and _OTHER.fullmatch(words[0])
    return bool(alone) or any(map(_SIDE.fullmatch, words))


def _lines(numbers: list[int]) -> str:
    """The numbers of some lines, of many the first five.

    >>> _lines([7, 21, 34]), _lines([*range(10, 30)])
    ('lines 7, 21, 34', 'lines 10, 11, 12, 13, 14 and 15 more')
    """
    shown = ", ".join(map(str, numbers[:5]))
    more = f" and {len(numbers) - 5:,} more" if len(numbers) > 5 else ""
    return f"line{'s' if len(numbers) > 1 else ''} {shown}{more}"
