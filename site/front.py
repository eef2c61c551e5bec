"""The pages of the web edition that are no notebooks: the front, how to run it, the solutions.

The front is the README with a translator in it and minutes beside its chapters; *Run the book* is
INSTALL.md with the library's README. So nothing is told twice and none of it can grow old.
"""

import re
import sys
from pathlib import Path

from links import ROOT, SiteError, relinked
from translators import Shown

sys.path.insert(0, str(ROOT))  # the book beside these pages, not one that is installed

from attnbook.contents import CHAPTERS
from attnbook.minutes import MINUTES

#: How a text that does not know its repository's address clones it.
UNKNOWN = "git clone REPOSITORY attention   # the address of this page"
#: What `make release` made, where the repository is known that has it.
TAKEN = """
To read on paper or without a network: [PDF, pages and notebooks]({}/releases/latest).
"""
#: The pages behind the chapters: a name in the list at the side, and where they are.
BEHIND = {
    "Notation and glossary": "A_notation",
    "What it costs": "B_costs",
    "About the five notes": "C_notes",
    "Papers": "D_papers",
    "For teachers": "E_teaching",
    "Better for the same minutes": "F_same_minutes",
    "The library, attnlib": "api/index",
}
TOCTREE = """```{{toctree}}
:hidden:
:caption: {caption}

{entries}
```
"""


def front(shown: list[Shown], address: str) -> str:
    """The front page: the README, with the translator above its picture, and the lists at the side.

    Raises SiteError where the README has no picture to put it above.
    """
    promise, picture, rest = _page("README.md", "index", address).partition("\n![")
    if not picture:
        raise SiteError("README.md: no picture below its promise; see front.py")
    chapters = [f"{c.number} · {c.title} <{c.notebook}>" for c in CHAPTERS.values()]
    behind = [f"{name} <{page}>" for name, page in BEHIND.items()]
    lists = [
        _toctree("The book", ["Run the book <run>", *chapters]),
        _toctree("Behind it", [*behind, "Solutions <solutions/index>"]),
    ]
    ways = [_box(shown)] if shown else []
    ways.append("[Begin with chapter 00](00_start.html), or [run the book yourself](run.html).")
    return "\n\n".join([promise, *ways, with_minutes(picture.lstrip() + rest), *lists])


def with_minutes(text: str) -> str:
    """A text in Markdown with the minutes of reading behind each link to a chapter's own page."""

    def told(found: re.Match) -> str:
        return f"{found[0]} {chip(found[1])}"

    return re.sub(r"\]\((\d\d[a-z]?)_\w+\.html\)", told, text)


def chip(number: str) -> str:
    """The minutes that a notebook takes to read, as a chip."""
    return f'<span class="minutes">{MINUTES[number]} min</span>'


def _box(shown: list[Shown]) -> str:
    """The first translator, at work, and what leads to all of them."""
    first, *others = shown
    name = f"Translate {first.languages} in this browser"
    more = [f' There is one from <a href="{one.page}">{one.languages}</a>, too.' for one in others]
    return (
        f'<iframe class="translator" src="{first.page}" title="{name}" loading="lazy"></iframe>\n'
        f'<p class="try"><a href="{first.page}">{name}</a>, on a page of its own:'
        " type a sentence, watch its translation grow word by word, and see where the network"
        f" looks. Nothing that you type leaves your computer.{''.join(more)}</p>"
    )


def _page(path: str, page: str, address: str) -> str:
    """A text of the repository as it stands on a page: its links lead on, the address is known."""
    text = (ROOT / path).read_text(encoding="utf-8")
    if address:
        text = text.replace(UNKNOWN, f"git clone {address} attention")
    return relinked(text, path, f"{page}.html", address)


def _toctree(caption: str, entries: list[str]) -> str:
    return TOCTREE.format(caption=caption, entries="\n".join(entries))


def run(address: str) -> str:
    """How to run the book, and the library from the command line."""
    title, _, install = _page("INSTALL.md", "run", address).partition("\n")
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
