"""The pages of the web edition that are no notebooks: the front, how to run it, the solutions.

The front is the README with a button, a picture that answers the pointer, a translator, and
minutes beside its chapters; *Run the book* is INSTALL.md with the library's README. So nothing is
told twice and none of it can grow old.
"""

import re
from pathlib import Path

from attnbook.contents import CHAPTERS
from attnbook.minutes import MINUTES

from .links import ROOT, SiteError, relinked
from .translators import Shown

#: The first command in a text; where the repository's address is known, cloning stands before it.
FIRST = "```\nmake lab "
CLONED = "```\ngit clone {} attention\ncd attention\nmake lab "
#: Where the README sends a reader on, and the button that does so on the page.
START = re.compile(r"^\*\*\[Start reading[^\]]*\]\(([^)]*)\)\*\*.*$", re.M)
#: What `make release` made, where the repository is known that has it.
TAKEN = """
To read on paper or without a network: [PDF, pages and notebooks]({}/releases/latest).
"""
#: The pages behind the chapters: a name in the list at the side, and where they are.
BEHIND = {
    "Notation and glossary": "A_notation",
    "노트에서 책으로 (From the notes)": "C_notes",
    "Papers": "D_papers",
    "For teachers": "E_teaching",
    "The library, attnlib": "api/index",
}
PICTURE = ROOT / "docs" / "figures" / "looking.svg"
TOCTREE = """```{{toctree}}
:hidden:
:caption: {caption}

{entries}
```
"""


def front(shown: list[Shown], address: str) -> str:
    """The front page: the README with its button and its picture at work, and below that a
    translator; then the lists at the side.

    Raises SiteError where the README has no picture, or sends nobody on to the first chapter.
    """
    promise, picture, rest = _page("README.md", "index", address).partition("\n![")
    if not picture or not START.search(promise):
        raise SiteError("README.md: no picture below its promise and start; see front.py")
    _, caption, rest = rest.split("\n\n", 2)
    chapters = [f"{c.number} · {c.title} <{c.notebook}>" for c in CHAPTERS.values()]
    behind = [f"{name} <{page}>" for name, page in BEHIND.items()]
    lists = [
        _toctree("The book", ["Run the book <run>", *chapters]),
        _toctree("Behind it", [*behind, "Solutions <solutions/index>"]),
    ]
    promise = START.sub(lambda match: _buttons(match[1], bool(shown)), promise)
    ways = [_picture(caption), *([_box(shown)] if shown else [])]
    return "\n\n".join([promise.strip(), *ways, with_minutes(rest.strip()), *lists])


def _buttons(first: str, translates: bool) -> str:
    """What a visitor can do: read, translate, run."""
    more = ['<a href="#try">Translate a sentence of your own</a>'] if translates else []
    more.append('<a href="run.html">Run it yourself</a>')
    return (
        f'<p class="begin"><a class="start" href="{first}">Start reading</a> {" ".join(more)}</p>'
    )


def _picture(caption: str) -> str:
    """The picture of the README in the page itself, where it answers who points at a word."""
    drawn = PICTURE.read_text(encoding="utf-8")
    # As dark as the page, not as the reader's system.
    drawn = re.sub(
        r"@media\(prefers-color-scheme:dark\)\{(.*?\})\s*\}",
        lambda match: match[1].replace("#looking", 'html[data-theme="dark"] #looking'),
        drawn,
        flags=re.S,
    )
    text = f"\n{caption} Point at another word to see where it looked.\n"
    return (
        f'<figure class="looking">\n{drawn.strip()}\n<figcaption>\n{text}\n</figcaption>\n</figure>'
    )


def with_minutes(text: str) -> str:
    """A text in Markdown with the minutes of reading behind each link to a chapter's own page."""

    def with_chip(match: re.Match) -> str:
        return f"{match[0]} {chip(match[1])}"

    return re.sub(r"\]\((\d\d[a-z]?)_\w+\.html\)", with_chip, text)


def chip(number: str) -> str:
    """The minutes that a notebook takes to read, as a chip."""
    return f'<span class="minutes">{MINUTES[number]} min</span>'


def _box(shown: list[Shown]) -> str:
    """The first translator, which begins to work when somebody opens it, and what leads to all."""
    links = [f'<a href="{translator.page}">{translator.languages}</a>' for translator in shown]
    return (
        '<details class="try" id="try"><summary>Translate a sentence of your own</summary>\n'
        f'<iframe class="translator" data-src="{shown[0].page}"'  # book.js: when it is opened
        f' title="Translate {shown[0].languages} in this browser"></iframe>\n'
        f"<p>On a page of its own, with all weights: {', '.join(links)}. Nothing that you type"
        " leaves your computer.</p>\n</details>"
    )


def _page(path: str, page: str, address: str) -> str:
    """A text of the repository as it stands on a page: its links lead on, the address is known."""
    text = (ROOT / path).read_text(encoding="utf-8")
    if address:
        text = text.replace(FIRST, CLONED.format(address))
    return relinked(text, path, f"{page}.html", address)


def _toctree(caption: str, entries: list[str]) -> str:
    return TOCTREE.format(caption=caption, entries="\n".join(entries))


def run(address: str) -> str:
    """How to run the book, and the library from the command line."""
    title, _, install = _page("docs/INSTALL.md", "run", address).partition("\n")
    library = re.sub("^#", "##", _page("attnlib/README.md", "run", address), flags=re.M)
    taken = TAKEN.format(address) if address.startswith("https://github.com/") else ""
    return f"{title}\n{taken}{install}\n{library}"


def solutions() -> str:
    """The list of all pages with solutions."""
    entries = [f"{c.number} · {c.title} <{c.notebook}>" for c in CHAPTERS.values()]
    links = [f"- [{c.number} · {c.title}]({c.notebook}.html)" for c in CHAPTERS.values()]
    return "\n".join(
        [
            "# Solutions",
            "",
            "One solution for each exercise. Yours may look different and be as right, and an hour"
            " with a wrong answer teaches more than a minute with a right one: each waits behind a"
            " click.",
            "",
            *links,
            "",
            _toctree("Solutions", entries),
        ]
    )


def write(folder: Path, shown: list[Shown], address: str) -> None:
    """Write these pages where Sphinx reads them."""
    texts = {
        "index": front(shown, address),
        "run": run(address),
        "solutions/index": solutions(),
    }
    for name, text in texts.items():
        path = folder / f"{name}.md"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8", newline="\n")
