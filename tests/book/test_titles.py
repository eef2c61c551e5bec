"""A chapter is called the same wherever it is named."""

import re

import pytest
from programs import ROOT, chapter_source

from attnbook.builder import notebooks as book
from attnbook.contents import CHAPTERS, Chapter
from docs import front

BEHIND = {page: name for name, page in front.BEHIND.items()}


def heading(notebook: str) -> str:
    return chapter_source(notebook).cells[0].source.splitlines()[0]


@pytest.mark.parametrize("chapter", CHAPTERS.values(), ids=lambda chapter: chapter.number)
def test_a_chapter_has_one_title_everywhere(chapter: Chapter) -> None:
    full = f"{chapter.number} · {chapter.title}"
    assert heading(chapter.notebook) == f"# {full}"
    assert f"{full} <{chapter.notebook}>" in front.front([], "")
    assert f"[{full}]({chapter.notebook}.html)" in front.solutions()
    solved = book.only_solutions(chapter_source(chapter.notebook), chapter.notebook)
    assert solved.cells[0].source.splitlines()[0] == f"# Solutions to {full}"


def test_questions_name_chapters_by_their_titles() -> None:
    path = ROOT / "attnbook" / "reader" / "assets" / "questions.md"
    named = dict(re.findall(r"^## (\w+) · (.+)$", path.read_text(encoding="utf-8"), re.MULTILINE))
    assert len(named) >= 11
    for number, title in named.items():
        assert number not in CHAPTERS or title == CHAPTERS[number].title


@pytest.mark.parametrize("page", [page for page in BEHIND if "/" not in page])
def test_a_page_behind_the_book_has_its_name_in_the_list_as_its_title(page: str) -> None:
    assert heading(page) == f"# {BEHIND[page]}"


def test_the_other_pages_have_their_names_in_the_list_as_their_titles() -> None:
    assert (ROOT / "docs" / "INSTALL.md").read_text(encoding="utf-8").startswith("# Run the book\n")
    library = (ROOT / "docs/api/index.rst").read_text(encoding="utf-8")
    assert library.startswith(f"{BEHIND['api/index']}\n====")


@pytest.mark.parametrize("chapter", CHAPTERS.values(), ids=lambda chapter: chapter.number)
def test_below_the_title_a_chapter_asks_its_question(chapter: Chapter) -> None:
    below = chapter_source(chapter.notebook).cells[0].source.split("\n\n")[1]
    assert re.fullmatch(r"\*[A-Z][^*\n]+\?\*", below) or chapter.title.endswith("explanation?")
