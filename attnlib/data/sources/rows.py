"""The pairs of a table of the reader's own, and what its owner should know of them.

Tables come out of spreadsheets, Tatoeba and text editors. What is certain is read as it was meant:
blank lines, a row that names the columns, quotes around cells. What would be learnt as something
else is refused, all such rows in one sentence.
"""

import csv
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from ..corpus import CorpusError
from ..pairs import Pair
from ..text import normalize
from .reading import read_lines

# What the first row of a table calls its columns: a language or a side, perhaps beside other words
# ("English sentence"), or one of the other words alone.
_SIDE_NAME = re.compile(
    "source|target|src|tgt|trg|arabic|chinese|czech|danish|dutch|english|finnish|french|german|"
    "greek|hebrew|hindi|hungarian|indonesian|italian|japanese|korean|norwegian|polish|portuguese|"
    "romanian|russian|spanish|swedish|thai|turkish|ukrainian|vietnamese|"
    "한국어|한글|국어|영어|독일어|프랑스어|불어|스페인어|일본어|중국어|원문|번역|번역문"
)
_LANGUAGE_CODE = re.compile(
    "ar|cs|da|de|el|en|es|fi|fr|he|hi|hu|id|it|ja|jp|ko|kr|nl|no|pl|pt|ro|ru|sv|th|tr|uk|vi|zh|"
    "eng|kor|ger|deu|fre|fra|spa|jpn|zho|sentences?|translations?|text|original|reference|"
    "input|output|question|answer"
)


class TableRow(NamedTuple):
    """One row: its line, and its cells, normalized."""

    line: int
    cells: list[str]


def read_rows(path: Path) -> Iterator[TableRow]:
    """The rows of a table that are not blank.

    A ``.csv`` is parsed as RFC 4180 has it, but ``;`` may stand between its columns. In any other
    table a tab stands there, and a quote stands for itself.
    """
    lines = read_lines(path, "a corpus has at least one line")
    numbered: Iterable[tuple[int, list[str]]]
    if is_csv(path):
        delimiter = _sniff_delimiter(lines)
        reader = csv.reader((f"{line}\n" for line in lines), delimiter=delimiter, strict=True)
        numbered = ((reader.line_num, cells) for cells in reader)
    else:
        numbered = ((number, line.split("\t")) for number, line in enumerate(lines, 1))
    try:
        for line, cells in numbered:
            normalized = [normalize(cell) for cell in cells]
            if any(normalized):
                yield TableRow(line, normalized)
    except csv.Error as error:
        where = f"{path}, line {reader.line_num}"
        hint = "save it anew, or as a .tsv with tabs between the columns"
        raise CorpusError(f"{where}: this is not CSV ({error}); {hint}") from error


def is_csv(path: Path) -> bool:
    return path.suffix.lower() == ".csv"


def read_pairs(path: Path) -> tuple[list[Pair], list[str]]:
    """The pairs of a table, and what should be known of it.

    Raises CorpusError for one that cannot be used.
    """
    rows, notes = list(read_rows(path)), list[str]()
    if rows and len(rows[0].cells) > 1 and all(map(_is_column_name, rows[0].cells[:2])):
        first, *rows = rows
        columns = f"line {first.line} ({' and '.join(first.cells[:2])})"
        notes.append(f"{columns} names the columns and is left out")
    _check_columns(path, rows, notes)
    _check_both_sides(path, rows)
    pairs = [Pair(row.cells[0], row.cells[1]) for row in rows]
    marked = [row for row in rows if '"' in row.cells[0] + row.cells[1]]
    if marked and not is_csv(path) and all(map(_is_quoted, marked)):
        notes.append(f"the quotes around cells, as in line {marked[0].line}, are taken off")
        pairs = [Pair(_without_quotes(src), _without_quotes(tgt)) for src, tgt, _ in pairs]
    return pairs, notes


def _is_quoted(row: TableRow) -> bool:
    """Whether quotes stand around each side of a row that has any, and all inside are doubled."""
    marked = (text for text in row.cells[:2] if '"' in text)
    return all(re.fullmatch(r'"([^"]|"")*"', text) for text in marked)


def _without_quotes(text: str) -> str:
    return normalize(text[1:-1].replace('""', '"')) if text[0] == '"' else text


def _check_columns(path: Path, rows: list[TableRow], notes: list[str]) -> None:
    """Refuse a side of numbers (ids, as in Tatoeba's exports), nothing, or the same language.

    That is only noted where no other columns hold sentences.
    """
    shared = range(min((len(row.cells) for row in rows), default=0))
    columns = [[row.cells[i] for row in rows] for i in shared]
    # The first row may be a header that is not known for one.
    bare = [i for i in shared if len(rows) > 3 and _is_bare(columns[i][1:])]
    if not bare or bare[0] > 1:
        return
    text = [str(i + 1) for i in shared if i not in bare][:2]
    if len(text) == 2:
        what = "has no sentences (numbers, nothing, or the same in every row)"
        raise CorpusError(f"{path}: column {bare[0] + 1} {what}; keep columns {' and '.join(text)}")
    sides = " and every ".join(("source", "target")[i] for i in bare if i < 2)
    notes.append(f"every {sides} is a number alone, or the same")


def _is_bare(column: list[str]) -> bool:
    return all(cell == column[0] or not cell or cell.isdecimal() for cell in column)


def _check_both_sides(path: Path, rows: list[TableRow]) -> None:
    """Refuse rows that lack a tab, a source or a target, all of them in one sentence."""
    lacking: dict[str, list[int]] = {}
    for line, cells in rows:
        # A cell of quotes alone is what a spreadsheet writes for an empty one.
        sides = zip(("source", "target"), cells)
        missing = [side for side, text in sides if not text.strip('"')]
        if len(cells) < 2:
            missing = ["second column" if is_csv(path) else "tab"]
        if missing:
            lacking.setdefault(missing[0], []).append(line)
    counts = [
        f"{len(lines):,} row{' lacks' if len(lines) == 1 else 's lack'} a {what} "
        f"({_list_lines(lines)})"
        for what, lines in lacking.items()
    ]
    if counts:
        form = "source,target" if is_csv(path) else "source<TAB>target"
        raise CorpusError(f"{path}: {', '.join(counts)}; write {form} or remove these lines")


def _sniff_delimiter(lines: list[str]) -> str:
    """What stands between the columns of a .csv: in most lines, and as often in each.

    >>> _sniff_delimiter(["Yes, sir;Ja", "No;Nein"])
    ';'
    >>> _sniff_delimiter(["Korean,English", '"a; b",c'])
    ','
    """

    def likely(mark: str) -> tuple[int, int]:
        counts = [line.count(mark) for line in lines[:1000] if line.strip()]
        return sum(map(bool, counts)), -len(set(counts))

    return max(",;\t", key=likely)


def _is_column_name(text: str) -> bool:
    """Whether a cell of the first row is what its column is called, and no sentence.

    >>> [_is_column_name(text) for text in ("English sentence", "ko", "한국어", "I am Korean.")]
    [True, True, True, False]
    """
    words = re.findall(r"[^\W_]+", text.casefold())
    if not 0 < len(words) < 4 or text.strip('"')[-1:] in ".?!。":
        return False
    alone = len(words) == 1 and _LANGUAGE_CODE.fullmatch(words[0])
    return bool(alone) or any(map(_SIDE_NAME.fullmatch, words))


def _list_lines(numbers: list[int]) -> str:
    """The numbers of some lines, of many the first five.

    >>> _list_lines([7, 21, 34]), _list_lines([*range(10, 30)])
    ('lines 7, 21, 34', 'lines 10, 11, 12, 13, 14 and 15 more')
    """
    shown = ", ".join(map(str, numbers[:5]))
    more = f" and {len(numbers) - 5:,} more" if len(numbers) > 5 else ""
    return f"line{'s' if len(numbers) > 1 else ''} {shown}{more}"
