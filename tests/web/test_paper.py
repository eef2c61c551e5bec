"""The book on paper: three chapters are printed, and read as a reader of the PDF does."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from web.browser import chromium

from docs import paper

pypdf = pytest.importorskip("pypdf", reason="needs pypdf: make e2e")
#: Korean words, formulas, drawings, live views, tables; and what ends a book.
NAMES = ["00_start", "05_attention", "A_notation"]


class Book:
    """A printed book: its text, page by page, and where each heading stands."""

    def __init__(self, html: str, path: Path) -> None:
        self.html, self.path, self.file = html, path, pypdf.PdfReader(path)
        pages = self.file.pages
        self.texts = [page.extract_text() for page in pages]
        outline = [*_flat(self.file.outline)]
        #: Title, page from 1, and how far above the foot of the page.
        self.headings = [
            (one.title, self.file.get_destination_page_number(one) + 1, float(one.top or 0))
            for one in outline
        ]


def _flat(outline: list) -> Iterator:
    for one in outline:
        yield from _flat(one) if isinstance(one, list) else [one]


def words(text: str) -> str:
    """A text without what a line's end or a font of joined letters does to it."""
    for joined, letters in (("ﬀ", "ff"), ("ﬁ", "fi"), ("ﬂ", "fl"), ("ﬃ", "ffi")):
        text = text.replace(joined, letters)
    return re.sub(r"\s+", "", text)


@pytest.fixture(scope="module")
def book(site: Path, tmp_path_factory) -> Book:
    chromium()  # skips where there is none
    folder = tmp_path_factory.mktemp("paper")
    html = paper.assemble(site, NAMES)
    (folder / "book.html").write_text(html, encoding="utf-8")
    pages = paper.print_book(folder / "book.html", folder / "book.pdf")
    made = Book(html, folder / "book.pdf")
    assert len(made.texts) == pages
    return made


def test_nothing_in_it_comes_from_elsewhere(book: Book) -> None:
    schemes = re.findall(r"""(?:src|url)\s*[=(]\s*["']?([a-z]+:)""", book.html)
    assert {*schemes} == {"file:", "data:"}
    assert b"file:" not in book.path.read_bytes(), "a link leads to the machine that printed it"


def test_the_contents_name_the_page_on_which_a_title_stands(book: Book) -> None:
    titles = {title: page for title, page, _ in book.headings}
    contents = next(page for title, page, _ in book.headings if title == "Contents")
    about = titles["About this PDF"]
    listed = "\n".join(book.texts[contents - 1 : about - 1])
    numbers = re.findall(r"^(.*\D) ?(\d+)$", listed, re.MULTILINE)
    assert len(numbers) > 20
    wrong = [
        (title, number)
        for title, number in numbers
        if words(title) not in words(book.texts[int(number) - 1])
    ]
    assert wrong == []
    assert "000" not in [
        number for text in book.texts for number in re.findall(r"page (\d+)", text)
    ]


def test_a_link_leads_to_its_page_and_shows_its_number(book: Book) -> None:
    there = paper.places(book.path)
    shown = [
        (link["href"][1:], link.get_text())
        for link in paper.BeautifulSoup(book.html, "html.parser").select("a.page")
    ]
    assert len(shown) > 40 and {name for name, _ in shown} <= {*there}
    for name, title in shown:
        if not title.startswith("page"):
            assert words(title.removesuffix("000")) in words(book.texts[there[name] - 1]), name
        elif "--told-" in name:
            text = book.texts[there[name.replace("--told-", "--asked-")] - 1]
            led = (words(f"{what}: page {there[name]}") for what in ("What came out", "Answers"))
            assert any(one in words(text) for one in led)


def test_every_page_has_its_number_and_something_on_it(book: Book) -> None:
    for number, text in enumerate(book.texts[1:], 2):
        assert re.search(rf"^{number}$", text, re.MULTILINE), number
        assert len(text) > 100, f"page {number} is all but empty: {text}"


def test_no_heading_is_divided_or_alone_at_the_foot_of_a_page(book: Book) -> None:
    margin = 19 / 25.4 * 72  # of paper.css
    assert len(book.headings) > 40
    for title, page, top in book.headings:
        assert words(title) in words(book.texts[page - 1]), (title, page)
        assert title[: len(title) // 2] != title[len(title) // 2 :], f"{title!r} is there twice"
        assert top > margin + 30, f"{title!r} is alone at the foot of page {page}"


def test_korean_and_english_can_be_searched(book: Book) -> None:
    text = words("".join(book.texts))
    assert words("자기회귀 생성 (자기 출력을 다시 입력)") in text
    assert words("Where does a translator look?") in text


def test_it_names_what_it_is_and_not_when_it_was_printed(book: Book) -> None:
    assert book.file.metadata.title == paper.TITLE
    assert book.file.metadata.creation_date is None
    assert book.file.trailer["/Root"]["/MarkInfo"]["/Marked"], "a screen reader finds no structure"


def test_the_whole_book_has_at_most_450_pages(site: Path) -> None:
    if not paper.PDF.is_file():
        pytest.skip("needs the whole book: python -m docs.paper prints it")
    pages = pypdf.PdfReader(paper.PDF).pages
    assert 300 < len(pages) <= 450
