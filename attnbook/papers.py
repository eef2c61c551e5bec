"""The papers that the book cites: one file of BibTeX, and the page that is made from it.

``assets/papers.bib`` holds them, each with a line that says why one should read it (``annote``).
A citation in a chapter is a link to the cell of its paper,
``[Luong et al. (2015)](D_papers.ipynb#cell-id=luong-2015)``, which has the entry's key. That page
lists for each paper the cells that cite it; ``make book`` rewrites it:

    python -m attnbook.papers chapters/source
"""

from __future__ import annotations

import re
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from .contents import CHAPTERS, Chapter

FILE = Path(__file__).with_name("assets") / "papers.bib"
PAGE = "D_papers"
HERE = '# %% [markdown] id="papers"\n# ## The papers\n'  # everything below this line is generated
ENTRY = re.compile(r"@(\w+)\{([\w-]+),\n((?:  \w+ = \{.*\},\n)+)\}\n")
LINK = re.compile(r"\[([^]\[]+)\]\([\w/.]*\bD_papers\.ipynb#cell-id=([\w-]*)\)")
END = "end"  # the id of a chapter's last cell, which lists its papers; named if no other cites one
OTHERS = "others"  # BibTeX's "and others", for a list of authors that is cut


@dataclass(frozen=True)
class Paper:
    """An entry: its key, and its fields as the file has them."""

    key: str
    fields: Mapping[str, str]

    @property
    def authors(self) -> list[tuple[str, str]]:
        """(family name, given names) of each author; of "others" the family name alone."""
        names = [name.partition(", ") for name in self.fields["author"].split(" and ")]
        return [(family, given_names) for family, _, given_names in names]

    @property
    def names(self) -> tuple[str, ...]:
        """How a text may name the authors: the long form, the usual short one, the first alone."""
        families = [family for family, _ in self.authors]
        first, *more = families
        whole = " and ".join(filter(None, [", ".join(families[:-1]), families[-1]]))
        short = first if not more else whole if len(families) == 2 else f"{first} et al."
        return tuple(dict.fromkeys((whole, short, first)))

    @property
    def year(self) -> str:
        """As a citation has it: 2014b where there is also a 2014a."""
        return self.key.rpartition("-")[2]

    @property
    def heading(self) -> str:
        """All authors, the first by the family name, and the year."""
        (family, given), *more = self.authors
        names = [f"{family}, {given}"]
        names += [f"{given} {family}".strip() for family, given in more]
        if names[-1] == OTHERS:
            return f"{', '.join(names[:-1])}, and others ({self.year})"
        joined = " and ".join(filter(None, [", ".join(names[:-1]), names[-1]]))
        return f"{joined} ({self.year})"

    @property
    def venue(self) -> str:
        """Where it was published, with volume and pages; the arXiv number where it has one."""
        field = self.fields.get
        place = field("journal") or field("booktitle") or field("type") or field("note", "")
        volume = f"{field('volume')}({field('number')})" if field("volume") else ""
        pages = f"pages {field('pages', '').replace('--', '–')}" if field("pages") else ""
        number = f"arXiv:{field('eprint')}" if field("eprint") else ""
        place = f"{place} {volume}".strip()
        more = [pages, field("publisher"), field("school"), number]
        return ", ".join(filter(None, [place, *more]))

    @property
    def why(self) -> str:
        """Why one should read it, in a line."""
        return self.fields.get("annote", "")


def parse(text: str) -> dict[str, Paper]:
    """The entries of a file, by key. Raises ValueError, with the line, where it cannot be read.

    Of BibTeX it knows what the file needs: a field a line, in braces; comments behind % between
    the entries.

    >>> parse("@misc{post-2018,\\n  author = {Post, Matt},\\n}\\n")["post-2018"].names
    ('Post',)
    """
    entries: dict[str, Paper] = {}
    position = 0
    while position < len(text):
        line = text[position:].partition("\n")[0]
        if match := ENTRY.match(text, position):
            _, key, fields = match.groups()
            if key in entries:
                raise ValueError(f"the entry {key} is there twice")
            entries[key] = Paper(key, dict(re.findall(r"  (\w+) = \{(.*)\},\n", fields)))
            position = match.end()
        elif not line.strip() or line.startswith("%"):
            position += len(line) + 1
        else:
            number = text.count("\n", 0, position) + 1
            raise ValueError(f"line {number} begins no entry that can be read: {line!r}")
    return entries


@cache
def papers() -> dict[str, Paper]:
    """All papers of the book, by key, in the order of the file."""
    return parse(FILE.read_text(encoding="utf-8"))


def cells(source: str) -> dict[str, str]:
    """The text of each cell of a chapter's source, by the cell's id.

    >>> cells('# %% [markdown] id="a"\\n# One.\\n# %%\\n1\\n# %% id="b"\\n2')
    {'a': '# One.', 'b': '2'}
    """
    heads = re.split(r"(?m)^# %%(.*)\n", source)
    named = [
        (re.search(r' id="([\w-]+)"', head), text) for head, text in zip(heads[1::2], heads[2::2])
    ]
    return {name[1]: text.strip() for name, text in named if name}


def headings(texts: Mapping[str, str]) -> dict[str, str]:
    """The heading under which each of a chapter's cells stands; the last one where it has several.

    >>> headings({"a": "# # One?", "b": "# text", "c": "# text\\n#\\n# ## Two", "d": "x = 1"})
    {'a': 'One?', 'b': 'One?', 'c': 'Two', 'd': 'Two'}
    """
    above, last = {}, ""
    for cell, text in texts.items():
        last = (re.findall(r"(?m)^# #+ (.+)$", text) or [last])[-1]
        above[cell] = last
    return above


def citing(folder: str | Path) -> dict[str, dict[Chapter, dict[str, str]]]:
    """Who cites what: key → chapter → cell → its heading; nothing where no sources are."""
    cited: dict[str, dict[Chapter, dict[str, str]]] = {}
    for path in sorted(Path(folder).glob("*.py")):
        if path.stem == PAGE:
            continue
        chapter = CHAPTERS.get(path.stem.partition("_")[0]) or Chapter(path.stem, "")
        texts = cells(path.read_text(encoding="utf-8"))
        above = headings(texts)
        for cell, text in texts.items():
            for _, key in LINK.findall(text):
                cited.setdefault(key, {}).setdefault(chapter, {})[cell] = above[cell]
    return cited


def entry(paper: Paper, cited: Mapping[Chapter, Mapping[str, str]]) -> str:
    """A cell of the page: a paper, with links to itself and to the cells that cite it."""
    title, url = paper.fields["title"], paper.fields.get("url")
    named = f"[{title}]({url})" if url else title
    lines = [f"{paper.heading}. {named}{'' if title[-1] in '?!' else '.'}"]
    lines += [f"*{paper.venue}.*"] if paper.venue else []
    lines += [f"<br>**Why read it:** {paper.why}."] if paper.why else []
    places = []
    for chapter, above in cited.items():
        names = {cell: name for cell, name in above.items() if cell != END}
        names = names or {END: "at its end"}
        links = ", ".join(f"[{name}]({chapter.link(cell)})" for cell, name in names.items())
        places.append(f"{chapter.number}: {links}")
    lines += ["<br>Cited in", "; ".join(places) + "."] if places else []
    return "\n".join([f'# %% [markdown] id="{paper.key}"', *(f"# {line}" for line in lines), ""])


def page(folder: str | Path) -> str:
    """The source of the page as it should be: what an author wrote, then a cell for each paper."""
    head = (Path(folder) / f"{PAGE}.py").read_text(encoding="utf-8").partition(HERE)[0]
    cited = citing(folder)
    entries = [entry(paper, cited.get(paper.key, {})) for paper in papers().values()]
    return "\n".join([head + HERE, *entries])


def main() -> int:
    if len(sys.argv) != 2:
        print("usage: python -m attnbook.papers chapters/source", file=sys.stderr)
        return 2
    text = page(sys.argv[1])
    (Path(sys.argv[1]) / f"{PAGE}.py").write_text(text, encoding="utf-8", newline="\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
