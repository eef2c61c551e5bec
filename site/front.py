"""The pages of the web edition that are no notebooks: the front, how to run it, the solutions.

Front and *Run the book* are made of the README, so that nothing is told twice and one of them
cannot grow old.
"""

import re
import sys
from pathlib import Path

from links import ROOT, SiteError, relinked
from translators import Shown

sys.path.insert(0, str(ROOT))  # the book beside these pages, not one that is installed

from attnbook.contents import CHAPTERS

#: Sections of the README that stand on the front page; all others are on *Run the book*.
ON_FRONT = ("Where you arrive", "What an exercise tells you", "Is it the right book?")
INSIDE, TABLE = "What is inside", "\n| | chapter | |\n"
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


def sections(text: str) -> dict[str, str]:
    """What stands under each heading of a text in Markdown; what stands before them under "".

    >>> sections("# Title\\nFirst.\\n## One\\nSecond.\\n")
    {'': '# Title\\nFirst.\\n', 'One': 'Second.\\n'}
    """
    first, *others = re.split(r"^## (.*)\n", text, flags=re.MULTILINE)
    return {"": first, **dict(zip(others[::2], others[1::2]))}


def parts_of_readme() -> tuple[dict[str, str], str, str]:
    """The README's sections, the beginning of its introduction, and its table of chapters.

    Raises SiteError where something is missing that the front page is made of.
    """
    found = sections((ROOT / "README.md").read_text(encoding="utf-8"))
    for wanted in (*ON_FRONT, INSIDE):
        if wanted not in found:
            raise SiteError(f"README.md: no section {wanted!r}; name the new one in site/front.py")
    promise, fence, commands = found.pop("").partition("\n```\n")
    folders, head, table = found[INSIDE].partition(TABLE)
    if not (fence and head):
        raise SiteError("README.md: no block of commands, or no table of chapters; see front.py")
    found[INSIDE] = folders
    return {"": fence + commands, **found}, promise, head + table


def front(shown: list[Shown], address: str) -> str:
    """The front page: the README's promise, the translator, three of its sections, the chapters."""
    found, promise, table = parts_of_readme()
    told = [f"## {name}\n{found[name]}" for name in ON_FRONT]
    told = [_led(text, "index", address) for text in (promise, *told, f"## The chapters\n{table}")]
    chapters = [f"{c.number} · {c.title} <{c.notebook}>" for c in CHAPTERS.values()]
    behind = [f"{name} <{page}>" for name, page in BEHIND.items()]
    lists = [
        _toctree("The book", ["Run the book <run>", *chapters]),
        _toctree("Behind it", [*behind, "Solutions <solutions/index>"]),
    ]
    ways = [_box(shown)] if shown else []
    ways.append("[Begin with chapter 00](00_start.html), or [run the book yourself](run.html).")
    return "\n\n".join([told[0], *ways, *told[1:], *lists])


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


def _led(text: str, page: str, address: str) -> str:
    return relinked(text, "README.md", f"{page}.html", address)


def _toctree(caption: str, entries: list[str]) -> str:
    return TOCTREE.format(caption=caption, entries="\n".join(entries))


def run(address: str) -> str:
    """How to run the book: what the README says, but for what stands on the front page."""
    found, _, _ = parts_of_readme()
    commands = found.pop("")
    rest = [f"## {name}\n{text}" for name, text in found.items() if name not in ON_FRONT]
    if address:
        commands = f"\n```\ngit clone {address}\n```\n\nThen, in its folder:\n{commands}"
    return _led("\n".join(["# Run the book", commands, *rest]), "run", address)


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
