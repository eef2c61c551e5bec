"""Print the web edition as a book: python -m docs.paper, which make release runs

The pages under docs/_build/html become one document, and Chromium prints it into
docs/_build/paper/attention.pdf. What one opens by a click on a screen is decided here, kind by
kind; the page *About this PDF* tells readers. It is printed until the page numbers in it are
right: the first print says where a heading fell, the second one shows it.
"""

import re
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from urllib.parse import unquote

from bs4 import BeautifulSoup, Tag

from attnbook.contents import CHAPTERS

from . import front
from .chromium import FLAGS, program
from .links import PROJECT, ROOT, SiteError

HERE = Path(__file__).resolve().parent
HTML, PDF = HERE / "_build" / "html", HERE / "_build" / "paper" / "attention.pdf"
TITLE = "Attention, from a recurrent network to a real translator"
#: The pages of the book. The reference of the library is for looking up, and stays on the web.
BEHIND = [page for page in front.BEHIND.values() if not page.startswith("api/")]
PAGES = (*(chapter.notebook for chapter in CHAPTERS.values()), *BEHIND, "run")
#: What is of use on a screen only.
DEAD = (
    ".headerlink, .ways, .above-input, iframe, .try, [data-said],"
    " .attn-view :is(script, style, .stage, .controls, .says), .quiz :is(.score, .told)"
)
#: Folded parts that are left out. Whatever else is folded stands open, beside a line.
LEFT_OUT = re.compile("The figure in words|Hint |Solution idea")
IN_WORDS = "What it says"  # the fold below what came out, which tells it, too
SHORT = 16  # lines of code that are not divided between two pages
#: Words of code that paper.css sets apart: comments, texts, keywords, and what is defined.
COLORED = {"c1", "s1", "s2", "sd", "k", "kn", "ow", "nf", "nc"}
HEADING = re.compile("^h[1-6]$")
READY = "!window.MathJax || !MathJax.startup || MathJax.startup.promise.then(() => true)"
#: What a voice reads in place of a formula, and whether Hangul can be drawn: without a font of
#: that script two different letters are the same empty box.
SPEAK = """() => {
  for (const formula of window.MathJax?.startup?.document?.math ?? []) {
    formula.typesetRoot.setAttribute("role", "img");
    formula.typesetRoot.setAttribute("aria-label", formula.math);
  }
  const drawn = letter => {
    const size = {width: 40, height: 40};
    const pen = Object.assign(document.createElement("canvas"), size).getContext("2d");
    pen.font = "30px sans-serif";
    pen.fillText(letter, 2, 32);
    return pen.getImageData(0, 0, 40, 40).data.join();
  };
  return drawn("가") !== drawn("뷁");
}"""
NUMBER = """pages => {
  for (const link of document.querySelectorAll("a.page"))
    link.lastChild.textContent = pages[decodeURIComponent(link.hash.slice(1))] ?? "?";
}"""


# One document ------------------------------------------------------------------------------------


def assemble(folder: Path, names: Iterable[str] = PAGES) -> str:
    """All pages of the web edition in a folder as one document in HTML."""
    aliases: dict[str, str] = {}  # names of what is not seen, and of what is seen in its place
    parts: list[Tag] = []
    outputs, solutions = _tag("section", id="outputs"), _tag("section", id="solutions")
    for name in names:
        part = _part(folder, name, aliases)
        parts.append(part)
        _add(outputs, part, _hidden_outputs(part, name))
        _add(solutions, part, _solutions(folder, name))
    for back, title in ((outputs, "What came out"), (solutions, "Solutions")):
        if back.contents:
            back["class"] = "part back"
            back.insert(0, _tag("h1", title, id=back.attrs.pop("id")))
            parts.append(back)
    about = BeautifulSoup((HERE / "paper-about.html").read_text(encoding="utf-8"), "html.parser")
    shown = [about, *parts]
    _lead(shown, aliases)
    style = (HERE / "paper.css").read_text(encoding="utf-8")
    style += "".join(_running_head(number, part) for number, part in enumerate(parts))
    return (
        f'<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{TITLE}</title>'
        f"<style>{style}</style>"
        "<script>window.MathJax = {options: {enableMenu: false, enableAssistiveMml: false,"
        ' processHtmlClass: "math", ignoreHtmlClass: "mathjax_ignore"}}</script>'
        f'<script defer src="{(folder / "_static/mathjax/tex-svg-full.js").as_uri()}"></script>'
        f'</head><body><section class="title-page"><p class="title">{TITLE}</p>'
        f"<p>The pages of a Jupyter book, version {PROJECT['version']}</p>"
        "<p>Text and figures: CC BY 4.0. Code: MIT license.</p></section>"
        f"{_contents(parts)}{''.join(map(str, shown))}</body></html>"
    )


def _tag(name: str, text: str = "", **attributes: str) -> Tag:
    made = BeautifulSoup("", "html.parser").new_tag(name, attrs=attributes)
    if text:
        made.string = text
    return made


def _page(there: str, text: str = "page ", **attributes: str) -> Tag:
    """A link that says on which page of the paper it ends; the number comes later."""
    link = _tag("a", text, href=f"#{there}", **{"class": "page", **attributes})
    link.append(_tag("span", "000", **{"class": "number"}))
    return link


def _part(folder: Path, name: str, aliases: dict[str, str]) -> Tag:
    """A page without what is of use on a screen only, its names made its own."""
    soup = BeautifulSoup((folder / f"{name}.html").read_text(encoding="utf-8"), "html.parser")
    part = soup.select_one("article.bd-article")
    if part is None or part.h1 is None:
        raise SiteError(f"{name}.html has no text: make site builds it anew")
    for dead in part.select(DEAD):
        dead.decompose()
    for fold in part.select("details.came-out"):
        _take_along(fold)
    for fold in part.select("details:not(.hide, .came-out)"):
        if LEFT_OUT.match(fold.summary.get_text(" ", strip=True)):
            fold.decompose()
        else:
            fold.name, fold["class"], fold.summary.name = "div", "aside", "p"
    for template in part.select(".quiz template"):  # in which no link would be found
        template.name, template["class"] = "div", "said"
    for box in part.select("[data-predicts]"):
        box.replace_with(_tag("span", **{"class": "blank"}))
    for cell in part.select(".cell"):
        if not cell.get_text(strip=True) and not cell.find(["img", "svg"]):
            cell.decompose()
    _set_code(part)
    for picture in part.select("img"):
        if not picture["src"].startswith("data:"):
            picture["src"] = (folder / picture["src"]).resolve().as_uri()
    for link in part.select("a[href]"):
        path, mark, fragment = unquote(link["href"]).partition("#")
        if not re.match(r"[a-z]+:", path):
            path = path.removesuffix(".html") or name
            link["href"] = f"#{path}--{fragment}" if mark else f"#{path}"
    for way in part.select(".to-solution"):
        there = way.a["href"].removeprefix("#")
        way.clear()
        way.extend(["A solution: ", _page(there)])
    _name(part, name, aliases)
    part.name, part["class"] = "section", f"part {name}"
    return part


def _take_along(fold: Tag) -> None:
    """Put the text that says what came out to what it tells."""
    cell = fold.find_parent(class_="cell") or fold
    for below in cell.find_next_siblings(True):
        summary = below.summary.get_text(" ", strip=True) if below.name == "details" else ""
        if summary == IN_WORDS:
            below.summary.decompose()
            fold.extend(below.extract().contents[:])
        elif not LEFT_OUT.match(summary) and "cell-place" not in below.get("class", ()):
            break


def _set_code(part: Tag) -> None:
    """Keep short code together, and of its colors only those that mean something on paper: each
    colored word makes the file larger, for a PDF says of each where it stands."""
    for code in part.select("pre"):
        code["class"] = "short" if code.get_text().count("\n") <= SHORT else "long"
        for word in code.select("span"):
            if not COLORED & {*word.get("class", ())}:
                word.unwrap()
        code.smooth()


def _name(part: Tag, name: str, aliases: dict[str, str]) -> None:
    """Make its names the page's own, and give them to what one sees: an empty place could stand at
    the foot of the page before."""
    for named in part.find_all(id=True):
        if not named["id"].startswith("attn-"):  # a view or a drawing, styled by its name
            named["id"] = f"{name}--{named['id']}"
    part.h1["id"] = name
    for section in part.select("section[id]"):
        old = section.attrs.pop("id")
        if heading := section.find(HEADING):
            aliases[old] = heading.attrs.setdefault("id", old)
    for place in part.select(".cell-place"):
        seen = place.find_next(lambda tag: "cell-place" not in tag.get("class", ()))
        if seen is not None and seen.name == "section":
            seen = seen.find(HEADING)
        if seen is not None:
            aliases[place["id"]] = seen.attrs.setdefault("id", place["id"])
        place.decompose()


def _add(back: Tag, part: Tag, tags: Iterable[Tag]) -> None:
    """Put something of a chapter to the end of the book, below the chapter's title."""
    if tags := list(tags):
        back.append(_tag("h2", part.h1.get_text()))
        back.extend(tags)


def _hidden_outputs(part: Tag, name: str) -> Iterator[Tag]:
    """What came out where a reader should say something first, and the answers to questions."""
    for number, asks in enumerate(part.select("details.hide, details.came-out, .quiz")):
        here, there = f"{name}--asked-{number}", f"{name}--told-{number}"
        entry = _tag("div", id=there, **{"class": "told"})
        heading = asks.find_previous(HEADING).get_text()
        entry.append(_tag("p", f"{heading}, ", **{"class": "told-of"}))
        entry.p.append(_page(here))
        is_quiz = "quiz" in asks["class"]
        answers = _answers(asks) if is_quiz else asks.select_one(".cell_output")
        pointer = _tag("p", "Answers: " if is_quiz else "What came out: ", id=here)
        pointer["class"] = "to-answer"
        pointer.append(_page(there))
        if answers is not None:
            entry.append(answers.extract())
        else:
            asks.summary.decompose()
            entry.extend(asks.contents[:])
        if is_quiz:
            asks.append(pointer)
        else:
            asks.replace_with(pointer)
        yield entry


def _answers(quiz: Tag) -> Tag:
    """The answers to the questions of a chapter; the choices become lines to read."""
    answers = _tag("ol")
    for item in quiz.select("li"):
        for button in item.select("button"):
            feedback = button.find_next_sibling(class_="said").extract()
            if "data-right" in button.attrs:
                right = _tag("li")
                right.extend(feedback.contents[:])
                text = right.find(string=True)
                text.replace_with(text.removeprefix("✓ "))
                answers.append(right)
            button.name, button.attrs = "div", {"class": "choice"}
    return answers


def _solutions(folder: Path, name: str) -> Iterator[Tag]:
    """The solutions of a chapter's exercises."""
    path = folder / "solutions" / f"{name}.html"
    if not path.is_file():
        return
    page = BeautifulSoup(path.read_text(encoding="utf-8"), "html.parser")
    for dead in page.select(".headerlink"):
        dead.decompose()
    for code in page.select('.cell-place[id^="cell-id=ex-"] + .cell > details > .cell_input'):
        place = code.find_previous(class_="cell-place")
        solved = _tag("div", id=f"solutions/{name}--{place['id']}", **{"class": "told"})
        heading = f"{place.find_previous(HEADING).get_text()}, "
        solved.append(_tag("p", heading, **{"class": "told-of"}))
        solved.p.append(_page(f"{name}--{place['id']}"))
        solved.append(code.extract())
        _set_code(solved)
        yield solved


def _lead(shown: list[Tag], aliases: dict[str, str]) -> None:
    """Let each link lead to what is in the book; what is not becomes plain text."""
    known = {named["id"] for part in shown for named in part.find_all(id=True)}
    aliases["index"] = "contents"
    known.add("contents")
    for link in (link for part in shown for link in part.select('a[href^="#"]')):
        there = link["href"].removeprefix("#")
        page = there.partition("--")[0]
        ways = (aliases.get(there, there), aliases.get(page, page))
        if found := next((way for way in ways if way in known), None):
            link["href"] = f"#{found}"
        else:
            link.unwrap()


def _contents(parts: list[Tag]) -> str:
    """The list of chapters and their sections, with pages."""
    lines = []
    for part in parts:
        sections = [] if "back" in part["class"] else part.select("h2[id]")
        for heading in (part.h1, *sections):
            line = _page(heading["id"], heading.get_text(), **{"class": f"page {heading.name}"})
            lines.append(str(line))
    return f'<nav class="contents"><h1 id="contents">Contents</h1>{"".join(lines)}</nav>'


def _running_head(number: int, part: Tag) -> str:
    """The title of a part above each of its pages but the first."""
    title = part.h1.get_text().replace("\\", "").replace('"', "\\22 ")
    part["style"] = f"page: part{number}"
    return f'@page part{number} {{ @top-right {{ content: "{title}" }} }}\n'


# Printing ----------------------------------------------------------------------------------------


def chromium() -> str:
    """The path of Chromium."""
    found = program()
    if found is None:
        raise SiteError(
            "Chromium prints the book and is not there: apt install chromium, or name the one you"
            " have, make release CHROMIUM=path"
        )
    return found


def places(pdf: Path) -> dict[str, int]:
    """On which page each place in a PDF is to which something in it leads."""
    from pypdf import PdfReader

    reader = PdfReader(pdf)
    numbers = {page.indirect_reference.idnum: n for n, page in enumerate(reader.pages, 1)}
    return {
        name.lstrip("/"): numbers[there.page.idnum]
        for name, there in reader.named_destinations.items()
    }


def print_book(document: Path, pdf: Path) -> int:
    """Print a document with its page numbers, and return how many pages it has.

    The same document gives the same bytes with the same Chromium and the same fonts.
    """
    from playwright.sync_api import sync_playwright

    wrong: list[str] = []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(), args=FLAGS)
        page = browser.new_context(offline=True).new_page()
        page.set_default_timeout(300_000)
        page.on("pageerror", lambda error: wrong.append(str(error)))
        page.on("requestfailed", lambda request: wrong.append(f"not loaded: {request.url}"))
        page.emulate_media(media="print")
        page.goto(document.as_uri())
        page.wait_for_function(READY)
        if not page.evaluate(SPEAK):
            raise SiteError("no font here has Hangul: apt install fonts-noto-cjk")
        if wrong:
            raise SiteError(f"{document.name} is not whole: {wrong[0]}")
        numbers: dict[str, int] = {}
        for _ in range(4):
            page.pdf(
                path=pdf,
                prefer_css_page_size=True,
                print_background=True,
                outline=True,
                tagged=True,
            )
            before, numbers = numbers, places(pdf)
            if numbers == before:
                break
            page.evaluate(NUMBER, numbers)
        else:
            raise SiteError("the page numbers move with each print: mend docs/paper.css")
    # When it was printed is no part of the book; blanks keep every place in the file.
    dates = re.compile(rb"/(Creation|Mod)Date \(D:[^)]*\)")
    pdf.write_bytes(dates.sub(lambda match: b" " * len(match[0]), pdf.read_bytes(), count=2))
    from pypdf import PdfReader

    return len(PdfReader(pdf).pages)


def main() -> int:
    try:
        if not (HTML / "index.html").is_file():
            raise SiteError("there are no pages yet; make site builds them")
        PDF.parent.mkdir(parents=True, exist_ok=True)
        document = PDF.with_suffix(".html")
        document.write_text(assemble(HTML), encoding="utf-8")
        print("Printing the book twice, to learn its page numbers: about two minutes.", flush=True)
        pages = print_book(document, PDF)
    except SiteError as problem:
        print(f"make release: {problem}", file=sys.stderr)
        return 1
    print(f"Open {PDF.relative_to(ROOT)}, {pages} pages.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
