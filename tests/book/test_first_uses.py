"""A reader of the main line meets no term of the glossary before it is explained."""

import re

import jupytext
from programs import ROOT

from docs.glossary import glossary, names

HOME = re.compile(r"\[(\d\d[bc]?)\]\(\w+\.ipynb#cell-id=([\w-]+)\)")
#: Cells that say what is to come or what has been; what an exercise is called.
ABOUT = {"title", "map-text", "end"}
LABEL = re.compile(r"^\*(?:Warm-up|Core|Hard)[^*]*\*|\*\*Warm-up\.\*\*", re.MULTILINE)
#: Folds, code, formulas, and where a link leads to.
HIDDEN = re.compile(r"<details>.*?</details>|```.*?```|`[^`]*`|\]\([^)]*\)|\$[^$]*\$", re.DOTALL)
Cell = tuple[str, str, str]  # chapter, name, text


def cells() -> list[Cell]:
    """The text cells of the main line, in the order in which they are read."""
    found = []
    for path in sorted((ROOT / "chapters" / "source").glob("[01][0-9]_*.py")):
        for cell in jupytext.read(path, fmt="py:percent").cells:
            if cell.cell_type == "markdown":
                text = re.sub(r"\s+", " ", HIDDEN.sub("", LABEL.sub("", cell.source)))
                found.append((path.stem[:2], cell.metadata["id"], text))
    return found


def explained(text: str, start: int, end: int) -> bool:
    """Whether a term is emphasized there, as where it is introduced, or a chapter is named."""
    in_bold = text[:start].count("**") % 2 or text[:start].count("*") % 2
    return bool(in_bold or re.search(r"\bchapter \d", text[max(0, start - 40) : end + 40], re.I))


def too_early(read: list[Cell], name: str, chapter: str, home: str) -> str | None:
    """Where a term is used before the cell that explains it, and not explained."""
    word = re.compile(rf"(?<![\w-]){re.escape(name)}(?:s|es)?(?![\w-])", re.IGNORECASE)
    for number, cell, text in read:
        if (number, cell) == (chapter, home):
            return None
        if cell not in ABOUT and (use := word.search(text)):
            return None if explained(text, *use.span()) else f"{name}: {number} {cell}"
    return None


def test_no_term_is_used_in_the_main_line_before_it_is_explained() -> None:
    read, found = cells(), []
    for term in glossary():
        link = HOME.search(term.where)
        assert link
        if link[1][-1] not in "bc":
            uses = (too_early(read, name, link[1], link[2]) for name in names(term.english))
            found += [use for use in uses if use]
    assert found == []
