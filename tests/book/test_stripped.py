"""The book where scripts, styles and SVG are dropped: nothing that a reader needs is lost.

GitHub shows all of it: notebooks with their outputs, and the texts beside them.
"""

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from programs import chapter_source
from stripped import CODE, LINK, Stripped, anchor, badly_folded, broken_formulas, check_stripped

ROOT = Path(__file__).parents[2]
CHAPTERS = ROOT / "chapters"
NOTEBOOKS = sorted([*CHAPTERS.glob("*.ipynb"), *CHAPTERS.glob("solutions/*.ipynb")])
SOURCES = sorted((ROOT / "chapters" / "source").glob("*.py"))
FOLDERS = ("attnlib", "chapters", "data", "docs", "studies", "tests")
TEXTS = sorted(
    path
    for path in [*ROOT.glob("*.md"), *(p for name in FOLDERS for p in (ROOT / name).rglob("*.md"))]
    if "_build" not in path.parts
)


def short(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def headings(path: Path) -> set[str]:
    text = re.sub(r"^```.*?^```$", "", path.read_text(encoding="utf-8"), flags=re.M | re.S)
    return {anchor(line) for line in re.findall(r"^#+ (.*)", text, re.MULTILINE)}


# Outputs ----------------------------------------------------------------------------------------


def drawings(html: str) -> list[str]:
    """The drawings and views of an output; a prediction's fold holds texts and figures beside."""
    folded = html.startswith("<details class='came-out'")
    return (re.findall(DRAWING, html, re.DOTALL) if folded else []) or [html]


DRAWING = r"""<figure .*?</figure>|<div id="[^"]*" class="attn-view.*?</script>\s*</div>"""


@pytest.mark.parametrize("path", NOTEBOOKS, ids=short)
def test_no_output_of_a_notebook_is_lost_where_scripts_and_svg_are_dropped(path: Path) -> None:
    for cell in json.loads(path.read_text(encoding="utf-8"))["cells"]:
        for output in cell.get("outputs", ()):
            html = "".join(output.get("data", {}).get("text/html", ""))
            if re.search("<(svg|script|canvas)", html):
                for drawing in drawings(html):
                    check_stripped(drawing)
            else:
                left = Stripped(html)
                assert left.lost == [], cell["id"]
                assert all(picture.get("alt") for picture in left.pictures), cell["id"]


# Texts ------------------------------------------------------------------------------------------


def texts_of(path: Path) -> Iterator[str]:
    """The texts in Markdown of a file: of a chapter its source has them as they will be built."""
    if path.suffix == ".md":
        yield path.read_text(encoding="utf-8")
    else:
        cells = chapter_source(path.stem).cells
        yield from (cell.source for cell in cells if cell.cell_type == "markdown")


@pytest.mark.parametrize("path", [*TEXTS, *SOURCES], ids=short)
def test_no_html_of_a_text_is_lost_and_no_formula_breaks(path: Path) -> None:
    for text in texts_of(path):
        assert [*badly_folded(text), *broken_formulas(text)] == []


@pytest.mark.parametrize("path", TEXTS, ids=short)
def test_every_link_and_picture_of_a_text_is_there_and_every_heading_it_names(path: Path) -> None:
    for picture, words, target in LINK.findall(CODE.sub("", path.read_text(encoding="utf-8"))):
        if re.match(r"(https?|mailto):", target):
            assert not picture, f"{target} is a picture of somebody else's"
            continue
        name, _, part = target.partition("#")
        file = path.parent / name if name else path
        assert file.exists(), target
        if file.suffix == ".md" and part:
            assert part in headings(file), target
        elif part:
            assert f'"id": "{part.removeprefix("cell-id=")}"' in file.read_text("utf-8"), target
        assert not picture or (file.suffix in {".png", ".svg"} and len(words) > 40), target
