"""The ledger: what became of every claim of the notes from which the book comes.

tests/book/claims.tsv has a line for each claim S1 to S79 and each cell that deals with it: the
claim, the chapter, the cell's id, and whether it is shown, corrected or declined there. A claim of
a chapter that is not written yet is "to come" and has no cell.
"""

from pathlib import Path
from typing import NamedTuple

import nbformat
import pytest

ROOT = Path(__file__).parents[2]
DONE = {"shown", "corrected", "declined"}


class Line(NamedTuple):
    claim: str
    chapter: str
    cell: str
    fate: str


def read(text: str) -> list[Line]:
    return [Line(*row.split("\t")) for row in text.splitlines()[1:]]


def written() -> dict[str, set[str]]:
    """Chapter ("05") → the ids of its cells."""
    return {
        path.stem.partition("_")[0]: {cell.id for cell in nbformat.read(path, as_version=4).cells}
        for path in (ROOT / "chapters").glob("*.ipynb")
    }


def faults(ledger: list[Line], chapters: dict[str, set[str]]) -> list[str]:
    """What is wrong with a ledger, as sentences."""
    found = []
    for number in range(1, 80):
        if not any(line.claim == f"S{number}" for line in ledger):
            found.append(f"S{number} is missing")
    for line in ledger:
        if line.fate == "to come":
            if line.cell or line.chapter in chapters:
                found.append(f"{line.claim}: chapter {line.chapter} is written, it cannot come")
        elif line.fate not in DONE:
            found.append(f"{line.claim}: {line.fate!r} is no fate")
        elif line.cell not in chapters.get(line.chapter, set()):
            found.append(f"{line.claim}: chapter {line.chapter} has no cell {line.cell!r}")
        if not (
            line.claim[:1] == "S" and line.claim[1:].isdigit() and 1 <= int(line.claim[1:]) < 80
        ):
            found.append(f"{line.claim!r} is no claim")
    if len(set(ledger)) < len(ledger):
        found.append("a line stands there twice")
    return found


def test_every_claim_is_dealt_with_in_a_cell_that_exists_or_is_to_come() -> None:
    ledger = read((ROOT / "tests" / "book" / "claims.tsv").read_text(encoding="utf-8"))
    assert faults(ledger, written()) == []


WHOLE = [Line(f"S{n}", "05", "a", "shown") for n in range(1, 80)]


@pytest.mark.parametrize(
    ("ledger", "fault"),
    [
        (WHOLE[:-1], "S79 is missing"),
        ([*WHOLE, Line("S3", "05", "gone", "shown")], "S3: chapter 05 has no cell 'gone'"),
        ([*WHOLE, Line("S3", "06", "a", "corrected")], "S3: chapter 06 has no cell 'a'"),
        ([*WHOLE, Line("S3", "05", "", "to come")], "S3: chapter 05 is written, it cannot come"),
        ([*WHOLE, Line("S3", "05", "a", "done")], "S3: 'done' is no fate"),
        ([*WHOLE, Line("S80", "05", "a", "shown")], "'S80' is no claim"),
        ([*WHOLE, WHOLE[0]], "a line stands there twice"),
    ],
)
def test_a_ledger_with_a_fault_is_refused(ledger: list[Line], fault: str) -> None:
    assert faults(WHOLE, {"05": {"a"}}) == []
    assert faults(ledger, {"05": {"a"}}) == [fault]
