"""What the search looks through: the text of every section, and the words of the glossary.

Sphinx's own index knows which page has a word, not where, and what stands around it a page opened
as a file may not fetch. So another index takes its place, in the same file, which only the page of
the search loads; static/find.js looks through it.
"""

import html
import json
import re
import unicodedata
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx import addnodes

from .glossary import glossary, plain_text
from .terms import above

#: What is not read: code and what came out of it, formulas on lines of their own, comments.
SKIPPED = (
    *(nodes.literal_block, nodes.doctest_block, nodes.math_block, nodes.comment, nodes.image),
    *(nodes.title, addnodes.desc_signature),
)
#: What students call a term of the glossary besides its own names there.
_ROWS = Path(__file__).with_name("synonyms.tsv").read_text(encoding="utf-8").splitlines()[1:]
ALSO = {term: names.split("; ") for term, names in (row.split("\t") for row in _ROWS)}
#: What begins a new place: a heading, or a function of the library.
PLACES = (nodes.section, addnodes.desc)


def text_of(node: nodes.Node) -> str:
    """The text of a place, as one line, without that of the places in it, and without the level of
    an exercise, for its warm-up is not that of a learning rate."""
    text = re.sub(r"\s+", " ", "".join(_texts(node))).strip()
    return re.sub(r"^(Warm-up|Core|Hard), \d+ minutes\. ", "", text)


def _texts(node: nodes.Node) -> Iterator[str]:
    for child in node.children:
        if isinstance(child, nodes.Text):
            yield str(child)
        elif isinstance(child, nodes.math):
            yield formula(child.astext())
        elif isinstance(child, nodes.raw):
            yield (
                ""
                if re.search("<script|class=.(ways|quiz)", child.astext())
                else _plain(child.astext())
            )
        elif not (isinstance(child, SKIPPED + PLACES) or _is_known(child)):
            yield from _texts(child)
            yield " " if isinstance(child, nodes.paragraph | nodes.entry) else ""


def _is_known(node: nodes.Element) -> bool:
    """Whether it is a cell with code, or words of the glossary, which are found as terms."""
    words = isinstance(node, nodes.table) and "한국어" in node.astext()
    return words or node.get("nb_element") == "cell_code"


def _plain(text: str) -> str:
    return html.unescape(re.sub(r"<summary>.*?</summary>|<[^>]*>", " ", text))


def formula(text: str) -> str:
    r"""A formula as one line of text.

    >>> formula(r"\alpha_{tj} = \mathrm{softmax}(e_t)")
    'α_tj = softmax(e_t)'
    >>> formula(r"s_t^\top h_j / \sqrt{H}")
    's_tᵀ h_j / √H'
    """
    text = re.sub(r"\\(mathrm|text|left|right|operatorname|mathbf|tilde|hat|bar|,|;|!)\b", "", text)
    text = re.sub(r"\^?\\top\b", "ᵀ", text)
    return re.sub(r"[{}]", "", re.sub(r"\\([A-Za-z]+) ?", _letter, text))


SIGNS = {"sqrt": "√", "sum": "Σ", "prod": "Π", "cdot": "·", "times": "×", "odot": "⊙", "top": "ᵀ"}
SIGNS |= {"partial": "∂", "infty": "∞", "le": "≤", "ge": "≥", "to": "→", "in": "∈", "approx": "≈"}


def _letter(match: re.Match) -> str:
    if match[1] in SIGNS:
        return SIGNS[match[1]]
    try:
        return unicodedata.lookup(f"GREEK SMALL LETTER {match[1]}")
    except KeyError:
        return match[1]


def places(tree: nodes.document) -> Iterator[tuple[nodes.Element, str, str]]:
    """The places of a page: the node, its name, and its heading."""
    for node in tree.findall(lambda node: isinstance(node, PLACES)):
        if isinstance(node, nodes.section):
            yield node, node["ids"][0], next(node.findall(nodes.title)).astext()
        elif (head := next(node.findall(addnodes.desc_signature), None)) and head["ids"]:
            yield node, head["ids"][0], head["ids"][0]


def bold(node: nodes.Element) -> list[str]:
    """The words that a place explains: they stand in bold there."""
    return [
        strong.astext()
        for strong in node.findall(nodes.strong)
        if next(a for a in above(strong) if isinstance(a, PLACES)) is node
    ]


def cells(tree: nodes.document, page: str) -> dict[str, str]:
    """The name of the place in which each cell stands.

    The mark of a cell stands above its heading, so the place is that of the text that follows.
    """
    where, waiting, anchor = {}, [], ""
    names = {id(node): name for node, name, _ in places(tree)}
    for node in tree.findall():
        anchor = names.get(id(node), anchor)
        if isinstance(node, nodes.raw):
            waiting += re.findall(r'id="(cell-id=[^"]+)"', node.astext())
        elif isinstance(node, nodes.Text) and not isinstance(node.parent, nodes.raw):
            where |= {f"{page}.html#{cell}": f"{page}#{anchor}" for cell in waiting}
            waiting = []
    return where


def page_entries(page: str, tree: nodes.document) -> list[list]:
    """The places of a page: name, heading, text, and what is explained there."""
    solved = page.startswith("solutions/")  # its exercises are in its chapter
    return [
        [name, title, "" if solved else text_of(node), bold(node)]
        for node, name, title in places(tree)
    ]


def index(env: Any) -> dict[str, Any]:
    """Pages with their places, and terms with the place that explains each."""
    trees = {page: env.get_doctree(page) for page in sorted(env.found_docs)}
    where = {
        cell: place for page, tree in trees.items() for cell, place in cells(tree, page).items()
    }
    terms = []
    for term in glossary():
        address = term.address.replace(".ipynb", ".html")
        names = [term.english, term.korean, plain_text(term.explanation), address, where[address]]
        terms.append([*names, ALSO.get(term.english, [])])
    return {
        "pages": [[page, page_entries(page, tree)] for page, tree in trees.items()],
        "terms": terms,
    }


def write(app: Any, problem: Exception | None) -> None:
    if problem is None and app.builder.name == "html":
        text = json.dumps(index(app.env), ensure_ascii=False, separators=(",", ":"))
        path = Path(app.outdir) / "searchindex.js"
        path.write_text(f"Search.setIndex({text})", encoding="utf-8", newline="\n")


def add_script(app: Any, page: str, template: str, context: dict, doctree: Any) -> None:
    if page == "search":
        app.add_js_file("find.js", loading_method="defer")  # behind Sphinx's own, which it changes


def setup(app: Any) -> dict[str, bool]:
    app.connect("html-page-context", add_script)
    app.connect("build-finished", write)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
