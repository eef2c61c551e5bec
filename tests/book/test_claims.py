"""The ledger: what became of every claim of the five notes."""

import os
import re
from functools import cache
from pathlib import Path

import pytest
from programs import ROOT, chapter_source

from attnbook.ledger import FILE, Claim, parse

SOURCES = {
    path.stem.partition("_")[0]: path for path in (ROOT / "chapters" / "source").glob("*.py")
}
#: Claims about who was first and about what numbers mean: no cell can compute them.
NOT_COMPUTED = {"S2", "S34"}


@cache
def kinds() -> dict[tuple[str, str], str]:
    """Chapter and id of every cell of the book, ("05", "aer"), and whether it is code."""
    return {
        (number, cell.id): cell.cell_type
        for number, path in SOURCES.items()
        for cell in chapter_source(path.stem).cells
    }


def notes() -> dict[str, str]:
    """The texts of the five notes by their numbers, where they are at hand.

    The variable ATTNLIB_NOTES names their folder; otherwise they are looked for beside the
    downloaded corpora. They are other people's work, and no part of the project.
    """
    data = Path(os.environ.get("ATTNLIB_DATA", ROOT / "no-data"))
    folder = Path(os.environ.get("ATTNLIB_NOTES", data.parent / "reference" / "source-notes"))
    return {path.name[:3]: path.read_text(encoding="utf-8") for path in folder.glob("00[0-4]_*")}


def bare(text: str) -> str:
    """A text without what makes letters bold or sets them as code, and with single blanks."""
    return re.sub(r"\s+", " ", re.sub(r"[`*]", "", text))


# Faults: each yields a sentence ------------------------------------------------------------------


def gaps(ledger: list[Claim]) -> list[str]:
    """Claims that are missing or out of order, and what is not a sentence."""
    found = []
    numbers = [int(claim.name.removeprefix("S")) for claim in ledger]
    if sorted(numbers) != list(range(1, 87)):
        found.append("the claims are not S1 to S86")
    for note in {claim.note.number: claim.note for claim in ledger}.values():
        own = [number for claim, number in zip(ledger, numbers) if claim.note == note]
        if own != sorted(own):
            found.append(f"the claims of note {note.number} are not in order")
    for claim in ledger:
        fields = {"claim": claim.text, claim.verdict: claim.shown, "natural": claim.natural}
        for field, text in fields.items():
            if text and not re.fullmatch(r'["A-Zh].{20,}[.)]', text):
                found.append(f"{claim.name}: {field} is no sentence")
    return found


def dead_links(ledger: list[Claim], cells: set[tuple[str, str]]) -> list[str]:
    return [
        f"{claim.name}: chapter {number} has no cell {cell!r}"
        for claim in ledger
        for number, cell in claim.cells
        if (number, cell) not in cells
    ]


def misquoted(ledger: list[Claim], texts: dict[str, str]) -> list[str]:
    """Originals that are not in their note."""
    return [
        f"{claim.name} is not in note {claim.note.number}: {original}"
        for claim in ledger
        for original in claim.originals
        if bare(original) not in bare(texts[claim.note.number])
    ]


LEDGER = parse(FILE.read_text(encoding="utf-8"))


def test_every_claim_has_its_sentences_and_cells_that_exist() -> None:
    assert gaps(LEDGER) == []
    assert dead_links(LEDGER, set(kinds())) == []


def test_a_claim_is_shown_by_a_cell_that_runs_and_not_by_prose_beside_it() -> None:
    of_claim = {claim.name: [kinds()[cell] for cell in claim.cells] for claim in LEDGER}
    assert {name for name, found in of_claim.items() if "code" not in found} == NOT_COMPUTED


def test_every_original_stands_in_its_note() -> None:
    texts = notes()
    if not texts:
        pytest.skip("the five notes are not at hand; ATTNLIB_NOTES names their folder")
    assert set(texts) == {claim.note.number for claim in LEDGER}
    assert misquoted(LEDGER, texts) == []


# Ledgers that must be refused --------------------------------------------------------------------

ENTRY = """\
## 000 · somebody · A note
https://example.org/

### S1
> 이것은 문장이다.
claim: This is a sentence that claims
  something.
corrects: The book shows that it is otherwise.
natural: It looks as if it were so.
cells: 05 linear-read, 06 hand
"""


@pytest.mark.parametrize(
    ("old", "new", "complaint"),
    [
        ("claim: This is a sentence that claims\n  something.\n", "", "S1 says nothing under 'cla"),
        ("corrects: The", "refutes: The", "S1: what is 'refutes: The book"),
        ("natural: It looks as if it were so.\n", "", "S1: a correction says why"),
        ("cells: 05", "confirms: It does.\ncells: 05", "S1 must have one verdict, and has 2"),
        ("### S1", ENTRY[ENTRY.index("### S1") :] + "### S1", "S1 is there twice"),
    ],
)
def test_an_entry_that_lacks_something_is_refused(old: str, new: str, complaint: str) -> None:
    assert old in ENTRY
    with pytest.raises(ValueError, match=re.escape(complaint)):
        parse(ENTRY.replace(old, new))
