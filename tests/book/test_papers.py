"""The bibliography: every citation has its entry, every entry is cited, every link goes somewhere.

A citation is what looks like one: names, and a year. In the text of chapters and of the READMEs it
is a link to the page of papers; in code, docstrings and comments it stands plain.
"""

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import jupytext
import pytest

from attnbook import papers
from attnbook.contents import CHAPTERS, Chapter

ROOT = Path(__file__).parents[2]
SOURCES = sorted((ROOT / "chapters" / "source").glob("*.py"))
READMES = [
    ROOT / "README.md",
    *(ROOT / "data" / page for page in ("README.md", "TRANSLATORS.md", "TABLES.md")),
    *(ROOT / "data" / folder / "README.md" for folder in ("ko-en", "runs")),
]
CODE = sorted(
    path
    for folder in ("attnlib", "attnbook", "studies", "data")
    for ending in ("*.py", "*.md")
    for path in (ROOT / folder).rglob(ending)
    if path not in READMES
)

NAME = r"[A-ZÀ-Ž][\w’'-]+"
AUTHORS = rf"{NAME}(?:(?:, {NAME})* and {NAME}| et al\.)?"
YEAR = r"(?:19|20)\d\d[a-z]?\b"
CITED = re.compile(rf"({AUTHORS})(?:(?<=[’']s) \w+)?,? \(?({YEAR})")
ANOTHER = re.compile(rf"(?:<link>|{YEAR})\)?(?: \([^()]*\))?(?:,| and) ({YEAR})")  # 2015, 2017
#: Looks like a citation, and why it is none.
NONE = {
    "Since 2000": "a date",
    "Multi30k 2016": "a test set",
    "Specia 2016": "the owners of Multi30k ask to be cited in these words",
}


def whole(text: str) -> str:
    """A text on one line, without the marks of comments and quotations."""
    return re.sub(r"\s*\n\s*(?:#:? ?)?(?:> )?\s*", " ", text)


def plain(text: str) -> list[tuple[str, str]]:
    """(names, year) of all that looks like a citation."""
    found = CITED.findall(papers.LINK.sub("<link>", whole(text)))
    pairs = [(re.sub("[’']s$", "", names), year) for names, year in found]
    return [pair for pair in pairs if " ".join((pair[0].split(" ")[-1], pair[1])) not in NONE]


def entry(names: str, year: str) -> str | None:
    """The key of the paper that is meant, if there is one."""
    found = (key for key, paper in papers.papers().items() if (names, year) in labels(paper))
    return next(found, None)


def labels(paper: papers.Paper) -> Iterator[tuple[str, str]]:
    for names in paper.names:
        yield names, paper.year


def identifies(text: str, paper: papers.Paper) -> bool:
    """Whether the text of a link names the paper: names and year, or one of them."""
    cited = CITED.search(text)
    if cited:
        return (re.sub("[’']s$", "", cited[1]), cited[2]) in labels(paper)
    return text in (*paper.names, paper.year, paper.fields["title"])


def faults(text: str, linked: bool) -> list[str]:
    """What is wrong with the citations of a text, as sentences; ``linked``: each is a link."""
    found = []
    for label, key in papers.LINK.findall(whole(text)):
        if key not in papers.papers():
            found.append(f"[{label}] is a link to no entry: {key}")
        elif not identifies(label, papers.papers()[key]):
            found.append(f"[{label}] is a link to {key}")
    for names, year in plain(text):
        if entry(names, year) is None:
            found.append(f"{names} {year} has no entry")
        elif linked:
            found.append(f"{names} {year} is no link")
    if linked:
        rest = papers.LINK.sub("<link>", whole(text))
        found += [f"{year} is no link" for year in ANOTHER.findall(rest)]
    return found


def cells(path: Path, kind: str) -> str:
    """The text of a source's cells of a kind, but for those that are papers."""
    found = jupytext.read(path, fmt="py:percent").cells
    mine = [c for c in found if c.metadata.get("id") not in papers.papers()]
    return "\n\n".join(c.source for c in mine if c.cell_type == kind)


# The book ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: path.stem)
def test_every_citation_in_a_chapter_is_a_link_to_the_paper_that_it_names(path: Path) -> None:
    assert faults(cells(path, "markdown"), linked=True) == []
    assert faults(cells(path, "code"), linked=False) == []


def test_every_citation_in_code_and_docstrings_has_an_entry() -> None:
    texts = {path: path.read_text(encoding="utf-8") for path in CODE}
    assert sum(len(plain(text)) for text in texts.values()) > 50
    for path in READMES:
        assert faults(path.read_text(encoding="utf-8"), linked=True) == [], path
    found = {path.name: faults(text, linked=False) for path, text in texts.items()}
    assert {name: wrong for name, wrong in found.items() if wrong} == {}


def test_no_paper_is_listed_that_nobody_cites() -> None:
    texts = [path.read_text(encoding="utf-8") for path in (*SOURCES, *READMES, *CODE)]
    cited = {key for text in texts for _, key in papers.LINK.findall(text)}
    cited |= {entry(*pair) for text in texts for pair in plain(text)}
    assert set(papers.papers()) - cited == set()


def test_every_paper_says_in_a_line_why_one_should_read_it() -> None:
    unlike = {
        key: paper.why
        for key, paper in papers.papers().items()
        if not re.fullmatch(r"[A-Z].{20,110}[^.]", paper.why)
    }
    assert unlike == {}


# The file ----------------------------------------------------------------------------------------


def amiss(paper: papers.Paper) -> Iterator[str]:
    """What an entry lacks or has wrong, as sentences."""
    family = paper.authors[0][0].casefold()
    ascii_family = re.sub(r"[^a-z-]", "", family.translate(str.maketrans("áćéíóöúü", "aceioouu")))
    if not re.fullmatch(rf"{ascii_family}-{paper.fields['year']}[a-z]?", paper.key):
        yield "the key is not the first author's family name and the year"
    if any(not given for family, given in paper.authors if family != papers.OTHERS):
        yield "an author has no given name"
    if not paper.venue and "url" not in paper.fields:
        yield "nothing says where it was published"
    if not paper.fields.get("url", "https://").startswith("https://"):
        yield "the link is not one that browsers trust"
    number = paper.fields.get("eprint", "")
    if number and not re.fullmatch(r"\d{4}\.\d{4,5}", number):
        yield f"{number} is no number of arXiv's"
    if "arxiv" in paper.fields.get("url", "") and not paper.fields["url"].endswith(number or "?"):
        yield "the link goes to another paper of arXiv's"
    if not re.fullmatch(r"(\d+--\d+)?", paper.fields.get("pages", "")):
        yield "pages are written 311--318"


def test_every_entry_names_who_what_when_and_where() -> None:
    found = {key: list(amiss(paper)) for key, paper in papers.papers().items()}
    assert {key: wrong for key, wrong in found.items() if wrong} == {}
    assert list(papers.papers()) == sorted(papers.papers())


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("%\n@misc{a-1,\n  title = {A}\n}\n", "line 2 begins no entry that can be read"),
        ("@misc{a-1,\n  title = {A},\n}\n\ntitle = {B}\n", "line 5 begins no entry .*title"),
        ("@misc{a-1,\n  title = {A},\n}\n" * 2, "the entry a-1 is there twice"),
    ],
)
def test_a_file_that_cannot_be_read_is_refused_with_the_line(text: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        papers.parse(text)


# The page ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("authors", "heading"),
    [
        ("Post, Matt", "Post, Matt (2018b)"),
        ("A, a and B, b and C, c", "A, a, b B and c C (2018b)"),
        ("A, a and B, b and others", "A, a, b B, and others (2018b)"),
    ],
)
def test_an_entry_begins_with_the_first_authors_family_name(authors: str, heading: str) -> None:
    assert papers.Paper("post-2018b", {"author": authors}).heading == heading


SOURCE = """# %% [markdown] id="a"
# # One?
# [Post (2018)](D_papers.ipynb#cell-id=post-2018) and again [Post
# (2018)](D_papers.ipynb#cell-id=post-2018)
# %%
1  # a cell without a name
# %% [markdown] id="b"
# [2018](D_papers.ipynb#cell-id=post-2018), [Kim et al. (2016)](D_papers.ipynb#cell-id=kim-2016)
"""


def test_a_cell_that_cites_a_paper_is_named_once_in_the_order_of_the_book(tmp_path: Path) -> None:
    first = SOURCE.partition("# %%\n")[0]
    for name, text in (("09_bleu", SOURCE), ("A_x", first), ("D_papers", SOURCE)):
        (tmp_path / f"{name}.py").write_text(text, encoding="utf-8")
    nine, appendix = CHAPTERS["09"], Chapter("A_x", "")
    assert papers.citing(tmp_path) == {
        "post-2018": {nine: {"a": "One?", "b": "One?"}, appendix: {"a": "One?"}},
        "kim-2016": {nine: {"b": "One?"}},
    }
    assert papers.citing(tmp_path / "nowhere") == {}


def test_an_entry_links_to_its_paper_and_to_the_cells_that_cite_it() -> None:
    post = papers.papers()["post-2018"]
    nine = {"a": "One?", "b": "Two", "end": "Three"}
    cited = {CHAPTERS["09"]: nine, CHAPTERS["10"]: {"end": "Three"}}
    assert papers.entry(post, cited).splitlines() == [
        '# %% [markdown] id="post-2018"',
        "# Post, Matt (2018). [A call for clarity in reporting BLEU scores]"
        "(https://aclanthology.org/W18-6319/).",
        "# *Proceedings of the Third Conference on Machine Translation: Research Papers, "
        "pages 186–191.*",
        "# <br>**Why read it:** Why two BLEU scores with the same name cannot be compared, and a "
        "tool against it.",
        "# <br>Cited in",
        "# 09: [One?](09_bleu.ipynb#cell-id=a), [Two](09_bleu.ipynb#cell-id=b); "
        "10: [at its end](10_translator.ipynb#cell-id=end).",
    ]
    question = papers.entry(papers.papers()["michel-2019"], {})
    assert "?](https://arxiv.org/abs/1905.10650)\n" in question


def test_below_what_an_author_wrote_the_page_is_written_anew(tmp_path: Path) -> None:
    target = tmp_path / "D_papers.py"
    target.write_text(f"# Mine.\n\n{papers.HERE}\n# was here", encoding="utf-8")
    (tmp_path / "09_bleu.py").write_text(SOURCE, encoding="utf-8")
    command = [sys.executable, "-m", "attnbook.papers", str(tmp_path)]
    subprocess.run(command, check=True, cwd=ROOT)
    text = target.read_text(encoding="utf-8")
    assert (
        text.startswith(f"# Mine.\n\n{papers.HERE}\n# %% [markdown] id=") and "was here" not in text
    )
    found = jupytext.reads(text, fmt="py:percent").cells
    assert [cell.metadata["id"] for cell in found[-len(papers.papers()) :]] == [*papers.papers()]
    assert "Cited in\n09: [One?](09_bleu.ipynb#cell-id=a), [One?](" in text.replace("# ", "")
    assert papers.page(tmp_path) == text, "a second time nothing changes"


def test_the_page_is_as_the_chapters_are() -> None:
    folder = ROOT / "chapters" / "source"
    text = (folder / f"{papers.PAGE}.py").read_text(encoding="utf-8")
    assert papers.page(folder) == text, "make book"
