"""A notebook as the web edition shows it: the same cells, in the same order, with their outputs.

What changes: every cell can be linked to; links lead to pages; the words below a figure become its
alternative text and, up to the first full stop, its caption; solutions, set-up and code that only
draws wait behind a click; questions are answered by a click; what only a kernel
can fill is left out; and under the title stand the ways to run the chapter. Nothing is executed,
and the notebooks stay as they are.
"""

import copy
import html
import re
from collections.abc import Sequence
from pathlib import Path
from urllib.parse import quote

import nbformat
from nbformat import NotebookNode

from attnbook.contents import CHAPTERS

from .glossary import GLOSSARY, with_places
from .links import SiteError, launchers, relinked, relinked_html
from .quiz import quiz
from .translators import Shown, of_chapter

WORDS = re.compile(r"<details><summary>The figure in words</summary>\n\n(.*?)\n\n</details>", re.S)
EXERCISE, SETUP = "exercise", "setup"  # tags of cells
DRAWS, HIDES = "hide-input", "hide-output"  # what waits behind a click
#: A question to the reader, and the answer, in code.
PREDICTS, REVEALS = re.compile(r'^predict\("([^"]+)"', re.M), re.compile(r'\breveal\(\s*"([^"]+)"')
COLAB, CHECK = "colab", "check"  # what installs the book, and what stops it: of no use on a page
#: What only a kernel can fill: the list of what is done, with its heading.
PROGRESS = ("progress", "progress-text")
RECALL = re.compile(r'^recall\("(\d\d)"', re.M)
#: How a notebook says that its questions are answered, to the end of its text: not by a click.
HOW = re.compile(r"\s+[A-Z][^.!?]*`recall\(.*", re.S)
PLOT = re.compile("<img class='plot'[^>]*>")  # a picture in a prediction's fold
TITLE = re.compile(r"Figure \d+\.(?= )")  # how code that draws begins the title of a figure
SHORT = 40  # letters: a caption of fewer takes the next sentence, too
#: Markdown that a voice need not read, and what it reads in its place.
SILENT = ((r"\[([^\]]*)\]\([^)]*\)", r"\1"), (r"[*`$]", ""), (r"\\_", "_"), (r"\s+", " "))


def spoken(text: str) -> str:
    r"""A text in Markdown as a voice reads it.

    >>> spoken("The row of *two* ends\nat `<eos>`.")
    'The row of two ends at <eos>.'
    """
    for pattern, replacement in SILENT:
        text = re.sub(pattern, replacement, text)
    return text.strip()


def caption(words: str) -> str:
    """What stands below a figure: the first sentence of its words, in Markdown.

    >>> caption("A heat map. Seven rows, $h_1$ to\\n$h_7$, and nine columns. The last one is dark.")
    'A heat map. Seven rows, $h_1$ to $h_7$, and nine columns.'
    """
    text = ""
    for sentence in re.split(r"(?<=[.!?])\s+", " ".join(words.split())):
        text = f"{text} {sentence}".strip()
        if len(text) >= SHORT:
            break
    return text


def page(
    notebook: NotebookNode, origin: str, address: str, shown: Sequence[Shown] = ()
) -> NotebookNode:
    """The page of a notebook, as another notebook that Sphinx reads.

    Arguments: notebook, executed; origin, its path in the repository; address, that of the
    repository, or nothing; shown, the translators that have a page. Raises SiteError where a
    figure has no words or a link no target.
    """
    made = copy.deepcopy(notebook)
    solved = "/solutions/" in origin
    where = origin.removeprefix("chapters/").removesuffix(".ipynb") + ".html"
    cells: list[NotebookNode] = []
    heading, number = "", ""
    for cell, after in zip(made.cells, [*made.cells[1:], None]):
        if cell.id == COLAB:
            continue
        cells.append(_anchor(cell.id))
        if CHECK in cell.metadata.get("tags", ()) or cell.id in PROGRESS:
            continue  # the ledger of claims leads to some
        if cell.cell_type == "markdown":
            heading = (re.findall(r"^### (.*)", cell.source, re.M) or [heading])[-1]
            cell.source = _page_text(cell, after, origin, where, address)
            if cell is made.cells[0]:
                cell.source = _with_ways(cell.source, origin, address, shown)
            cells.append(cell)
        elif recalled := RECALL.search(cell.source):
            cells.append(_text(relinked_html(quiz(recalled[1]), origin, where, address), cell.id))
        else:
            is_exercise = EXERCISE in cell.metadata.get("tags", ())
            number = (TITLE.findall(cell.source) or [number])[-1]
            if words := _words_of(cell, after, origin):
                _describe(cell, words, number)
                number = ""
            _link_outputs(cell, origin, where, address)
            _fold(cell, solved)
            cells.append(cell)
            if is_exercise and not solved:
                cell.outputs = [out for out in cell.outputs if not _is_blank(out)]
                cells.append(_to_solution(cell.id, heading, where))
            if not solved:
                cells += [_prediction_box(name) for name in PREDICTS.findall(cell.source)]
                cells += [_prediction_made(name) for name in REVEALS.findall(cell.source)]
    made.cells = cells
    made.metadata.pop("attnlib", None)
    return made


def _page_text(
    cell: NotebookNode, after: NotebookNode | None, origin: str, where: str, address: str
) -> str:
    """A text as it stands on its page: with its links, and without what only a notebook needs."""
    source = cell.source
    if after is not None and RECALL.search(after.source):
        source = HOW.sub("", source)
    if origin == f"chapters/{GLOSSARY}.ipynb":
        source = with_places(source)
    source = relinked(source, origin, where, address)
    if "/solutions/" in origin:  # its exercises stand right below the title
        source = re.sub("^### ", "## ", source, flags=re.M)
    return source


def _fold(cell: NotebookNode, solved: bool) -> None:
    """Put behind a click the code, or what came out, of a cell that asks for it."""
    tags = list(cell.metadata.get("tags", ()))
    hidden = cell.metadata.get("jupyter", {}).get("outputs_hidden")
    if SETUP in tags or solved and (EXERCISE in tags or cell.id == "strict"):
        tags.append(DRAWS)
    prompt = "what came out" if hidden else _code_prompt(cell, solved, tags)
    tags += [HIDES] if hidden else []
    if DRAWS in tags or hidden:
        cell.metadata.setdefault("mystnb", {}).update(
            code_prompt_show=f"Show {prompt}", code_prompt_hide=f"Hide {prompt}"
        )
    cell.metadata["tags"] = [tag for tag in tags if tag in (DRAWS, HIDES)]


def _code_prompt(cell: NotebookNode, solved: bool, tags: list[str]) -> str:
    if solved and EXERCISE in tags:
        return "a solution"
    if solved or SETUP in tags:
        return "the set-up"
    drawn = TITLE.search(cell.source)
    return f"the code that draws {drawn[0].rstrip('.')}" if drawn else "the code"


def _anchor(name: str) -> NotebookNode:
    """An empty place with the name that links give to a cell."""
    return _text(f'<div class="cell-place" id="cell-id={html.escape(name)}"></div>', f"at-{name}")


def _text(source: str, name: str) -> NotebookNode:
    return nbformat.v4.new_markdown_cell(source, id=name[:64])


def _with_ways(source: str, origin: str, address: str, shown: Sequence[Shown]) -> str:
    """A chapter's first cell: below title and question its files, and the ways to run this one."""
    path = Path(origin)
    if not re.match(r"[01]\d[a-z]?_", path.stem) or path.parent.name == "solutions":
        return source
    head = re.match(r"# .*(\n\n\*[^*\n]+\*$)?", source, re.M)
    end = head.end() if head else 0
    links = [f'<a href="{url}">{name}</a>' for name, url in launchers(origin, address).items()]
    links = ['<a href="run.html">on your computer</a>', *links]
    ways = f"<p>Run this chapter: {' · '.join(links)}. "
    ways += f'<a href="{path.name}" download>This notebook as a file</a>. '
    ways += f'<a href="solutions/{path.stem}.html">Solutions of its exercises</a>.'
    if one := of_chapter(path.stem[:2], list(shown)):
        ways += f' <a href="{one.page}">Translate {one.languages} in this browser</a>.'
    if address:
        ways += f' <a href="{reported(path.stem, address)}">Say what is wrong or unclear</a>.'
    ways += "</p>"
    return f'{source[:end]}\n\n<div class="ways">\n{files(path.stem)}{ways}\n</div>\n{source[end:]}'


def files(name: str) -> str:
    """The files of a notebook's chapter in a row, itself marked; nothing where it is the only one.

    >>> files("00_start")
    ''
    """
    row = [chapter for chapter in CHAPTERS.values() if chapter.notebook[:2] == name[:2]]
    if len(row) < 2:
        return ""
    links = [
        f'<a href="{one.notebook}.html"{here(one.notebook == name)}>{one.number} · {one.title}</a>'
        for one in row
    ]
    label = f"The files of chapter {int(name[:2])}"
    return f'<nav class="files" aria-label="{label}">\n{chr(10).join(links)}\n</nav>\n'


def here(present: bool) -> str:
    return ' aria-current="page"' * present


def reported(name: str, address: str) -> str:
    """Where a reader writes about a notebook: a new issue that names it already."""
    return f"{address}/issues/new?title={quote(name)}%3A%20"


def _is_blank(output: NotebookNode) -> bool:
    """Whether it is the verdict on an exercise that nobody has tried."""
    return bool(re.search("role='status'.*: not attempted<", _html_of(output), re.S))


def _html_of(output: NotebookNode) -> str:
    return output.get("data", {}).get("text/html", "")


def _words_of(cell: NotebookNode, after: NotebookNode | None, origin: str) -> str:
    """The words that stand right below a cell's figure, in Markdown; nothing if it draws none."""
    pictures = [out for out in cell.outputs if "image/png" in out.get("data", {})]
    count = len(pictures) + sum(len(PLOT.findall(_html_of(out))) for out in cell.outputs)
    if not count:
        return ""
    found = WORDS.match(after.source.strip()) if after is not None else None
    if count != 1 or not found:
        raise SiteError(
            f"{origin}: the figure of cell {cell.id!r} has no words of its own right below it;"
            " docs/CONTRIBUTING.md shows how they are written"
        )
    return found[1]


def _describe(cell: NotebookNode, words: str, number: str) -> None:
    """Make the words below a picture its alternative text, and their beginning its caption. They
    stay below it, too: folded away they disturb nobody, and who sees the figure and does not
    understand it can read them. The number stands in the picture, where a voice cannot read it."""
    alt = f"{number} {spoken(words)}".strip()
    for output in cell.outputs:
        data = output.get("data", {})
        if found := PLOT.search(data.get("text/html", "")):
            picture = re.sub(r"alt='[^']*'", f"alt='{html.escape(alt)}'", found[0])
            below = f"<figcaption>{html.escape(spoken(caption(words)))}</figcaption>"
            figure = f'<figure class="plot">{picture}{below}</figure>'
            data["text/html"] = data["text/html"].replace(found[0], figure)
        elif "image/png" in data:
            cell.metadata.setdefault("mystnb", {}).update(
                image={"alt": alt}, figure={"caption": caption(words), "classes": "plot"}
            )


def _link_outputs(cell: NotebookNode, origin: str, where: str, address: str) -> None:
    for output in cell.outputs:
        if "text/html" in (data := output.get("data", {})):
            data["text/html"] = relinked_html(data["text/html"], origin, where, address)


def _prediction_box(name: str) -> NotebookNode:
    """Below a question, a place for the reader's answer, which stays in the browser (book.js)."""
    box = f'<input data-predicts="{name}" autocomplete="off">'
    return _text(
        f'<p class="prediction"><label>Your prediction: {box}</label></p>',
        f"asks-{name}".replace(".", "-"),
    )


def _prediction_made(name: str) -> NotebookNode:
    """Below what came out, what the reader had said."""
    return _text(
        f'<p class="prediction" data-said="{name}" hidden></p>', f"tells-{name}".replace(".", "-")
    )


def _to_solution(name: str, heading: str, where: str) -> NotebookNode:
    """Below an exercise, the way to its solution on another page."""
    number = re.match(r"Exercise ([\d.]+)", heading)
    text = f"A solution of exercise {number[1]}" if number else "A solution of this exercise"
    link = f'<a href="solutions/{where}#cell-id={name}">{text}</a>'
    return _text(f'<p class="to-solution">{link} (another page)</p>', f"solved-{name}")
