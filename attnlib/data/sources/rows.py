"""The rows of a table of the reader's own, and what its owner should know of them.

Tables come out of spreadsheets, pandas, Tatoeba and text editors, each with habits of its own. What
is certain is read as it was meant: blank lines, a row that names the columns, quotes around cells.
What would be learnt as something else is refused, all such rows in one sentence. What only looks
odd is noted.
"""

import csv
import re
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from ..corpus import CorpusError
from ..pairs import Pair
from ..text import normalize
from .reading import decode, read, shell_join

_ENTITY = re.compile("&(?:quot|apos|amp|lt|gt|nbsp|#[0-9]{2,5}|#x[0-9a-fA-F]{2,5});")
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
    """One row: its line, its cells, and the first two of them as all texts are written."""

    line: int
    cells: list[str]
    texts: list[str]


def read_rows(path: Path) -> Iterator[TableRow]:
    """The rows of a table that are not blank.

    A ``.csv`` is parsed as RFC 4180 has it, but ``;`` may stand between its columns. In any other
    table a tab stands there, and a quote stands for itself.
    """
    lines = decode(path, read(path))
    numbered: Iterable[tuple[int, list[str]]]
    if is_csv(path):
        delimiter = _sniff_delimiter(lines)
        reader = csv.reader((f"{line}\n" for line in lines), delimiter=delimiter, strict=True)
        numbered = ((reader.line_num, cells) for cells in reader)
    else:
        numbered = ((number, line.split("\t")) for number, line in enumerate(lines, 1))
    try:
        for line, cells in numbered:
            texts = [normalize(cell) for cell in cells[:2]]
            if any(texts) or any(map(normalize, cells[2:])):
                yield TableRow(line, cells, texts)
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
    names = bool(rows) and len(rows[0].texts) == 2 and all(map(_is_column_name, rows[0].texts))
    if names:
        first, rows = rows[0], rows[1:]
        columns = f"line {first.line} ({' and '.join(first.texts)})"
        notes.append(f"{columns} names the columns and is left out")
    bare = _constant_columns(rows if names else rows[1:])
    if bare and bare[0] < 2:
        _check_text(path, rows, bare)
    _check_both_sides(path, rows)
    if bare and bare[0] < 2:
        sides = " and every ".join(("source", "target")[i] for i in bare[:2] if i < 2)
        notes.append(f"every {sides} is a number alone, or the same")
    pairs = [Pair(row.texts[0], row.texts[1]) for row in rows]
    cells = [] if is_csv(path) else [(row.line, text) for row in rows for text in row.texts]
    marked = [(line, text) for line, text in cells if '"' in text]
    quoted = [(line, text) for line, text in marked if _is_quoted(text)]
    others = [line for line, text in marked if not _is_quoted(text)]
    doubled = [line for line, text in quoted if '""' in text[1:-1]]
    if quoted and not others:
        notes.append(f"the quotes around cells, as in line {quoted[0][0]}, are taken off")
        pairs = [Pair(_without_quotes(src), _without_quotes(tgt)) for src, tgt, _ in pairs]
    elif doubled:
        one = f"line {doubled[0]} has quotes as a spreadsheet writes them around a cell"
        notes.append(f"{one}, line {others[0]} has others; all are learnt as they are")
    entities = ((_ENTITY.search(text), row.line) for row in rows for text in row.texts)
    if entity := next(((found[0], line) for found, line in entities if found), None):
        where, hint = f"{entity[0]} in line {entity[1]}", "Python's html.unescape"
        notes.append(f"it has HTML entities ({where}), learnt as they are; {hint} reads such")
    return pairs, notes


def _is_quoted(text: str) -> bool:
    """Whether quotes stand around a text, and all inside are doubled."""
    around = len(text) > 1 and text[0] == text[-1] == '"'
    return around and '"' not in text[1:-1].replace('""', "")


def _without_quotes(text: str) -> str:
    return normalize(text[1:-1].replace('""', '"')) if text[0] == '"' else text


def _constant_columns(rows: list[TableRow]) -> list[int]:
    """Columns that hold numbers, nothing, or the same (a language) in every row."""
    if len(rows) < 3:
        return []
    shared = range(min(len(row.cells) for row in rows))[:9]
    like = rows[0].cells
    return [
        i
        for i in shared
        if all(r.cells[i] == like[i] or re.fullmatch(r"\s*\d*\s*", r.cells[i]) for r in rows)
    ]


def _check_text(path: Path, rows: list[TableRow], bare: list[int]) -> None:
    """Refuse a side of an index, ids or languages where other columns hold sentences."""
    columns = min(9, *(len(row.cells) for row in rows))
    text = [column + 1 for column in range(columns) if column not in bare][:2]
    if len(text) < 2:
        return
    first, index = rows[0], any(row.texts[0].isdecimal() for row in rows[1:])
    if len(first.cells) > 2 and not first.texts[0] and index and bare[0] == 0:
        what = f"line {first.line} looks like the header that pandas writes, and column 1 like"
        hint = "write the table with to_csv(…, index=False, header=False)"
        raise CorpusError(f"{path}: {what} its index; {hint}")
    hint = f"keep columns {text[0]} and {text[1]}"
    if not is_csv(path) and sys.platform != "win32":  # which has no cut
        hint += f": cut -f{text[0]},{text[1]} {shell_join(str(path))} > text.tsv"
    what = "has no sentences (numbers, nothing, or the same in every row)"
    raise CorpusError(f"{path}: column {bare[0] + 1} {what}; {hint}")


def _check_both_sides(path: Path, rows: list[TableRow]) -> None:
    """Refuse rows that lack a tab, a source or a target, all of them in one sentence."""
    missing, tail = "second column" if is_csv(path) else "tab", ""
    lacking: dict[str, list[int]] = {}
    opened = 0  # the line of a cell without closing quotes
    for row in rows:
        before, last = opened == row.line - 1 and opened, row.texts[-1]
        opened = row.line if last[:1] == '"' and last.count('"') % 2 and len(row.cells) < 3 else 0
        if len(row.texts) < 2:
            lacking.setdefault(missing, []).append(row.line)
            if (before or opened) and not tail:
                tail = f"; a cell of line {before or opened} seems to go on in the next"
            continue
        # A cell of quotes alone is what a spreadsheet writes for an empty one.
        empty = [side for side, text in zip(("source", "target"), row.texts) if not text.strip('"')]
        if empty:
            lacking.setdefault(empty[0], []).append(row.line)
    if not lacking:
        return
    (lacks, lines), *others = lacking.items()
    by_column = {"tab": "source<TAB>target", "second column": "source and target"}
    write = f"write {by_column[lacks]}" if lacks in by_column else "fill it in"
    if len(rows) == len(lines) > 1:
        raise CorpusError(f"{path}: no row has a {lacks}; {write}")
    if len(lines) == 1 and not others:
        is_so = f"there is no {lacks}" if lacks in by_column else f"the {lacks} is empty"
        raise CorpusError(f"{path}, line {lines[0]}: {is_so}; {write} or remove the line{tail}")
    counts = [
        f"{len(n):,} row{' lacks' if len(n) == 1 else 's lack'} a {what} ({_list_lines(n)})"
        for what, n in lacking.items()
    ]
    raise CorpusError(f"{path}: {', '.join(counts)}; {write} or remove these lines{tail}")


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
