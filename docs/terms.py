"""The words of the glossary on the pages: what a word means is told where a page uses it first.

A word becomes a link to its row of the glossary and carries what it means; book.js shows that to
who points at it, comes to it by keyboard, or taps on it. No heading, formula, code or other link is
touched, and nothing once the page has explained the word itself, which it does in bold.
"""

import html
import re
from collections.abc import Iterable, Iterator
from functools import cache

from docutils import nodes

from .glossary import GLOSSARY, Term, glossary, names, place, plain_text

#: Text that explains its words, or is about them: they need no mark from there on.
EXPLAINS = (nodes.strong, nodes.title)
#: Text in which no word is marked: it leads somewhere already, or is looked at by itself.
UNTOUCHED = (
    *(nodes.reference, nodes.emphasis, nodes.literal, nodes.literal_block, nodes.math),
    *(nodes.math_block, nodes.table, nodes.caption, nodes.raw, nodes.image),
)


def _pattern(known: Iterable[str]) -> re.Pattern:
    """Any of these names, the longest first, in the singular or the plural, across lines; but not
    the level of an exercise, "Warm-up, 5 minutes"."""
    longest = sorted(known, key=len, reverse=True)
    either = "|".join(re.escape(name).replace(r"\ ", r"\s+") for name in longest)
    return re.compile(rf"(?<![\w-])({either})(?:s|es)?(?![\w-]|, \d+ minutes)", re.IGNORECASE)


@cache
def _known() -> tuple[dict[str, Term], re.Pattern]:
    known = {name.lower(): term for term in glossary() for name in names(term.english)}
    return known, _pattern(known)


def mark(tree: nodes.document) -> None:
    """Mark the first use of each term on a page, outside of what is folded."""
    known, pattern = _known()
    marked: set[Term] = set()
    folded = 0
    for text in [*tree.findall(nodes.Text)]:
        around = [*above(text)]
        folded += text.count("<details") - text.count("</details")
        explains = any(isinstance(node, EXPLAINS) for node in around)
        plain = any(isinstance(node, nodes.paragraph) for node in around)
        if not explains and (folded or not plain or any(isinstance(n, UNTOUCHED) for n in around)):
            continue
        pieces: list[nodes.Node] = []
        last = 0
        for match in pattern.finditer(text):
            term = known[re.sub(r"\s+", " ", match[1]).lower()]
            if term not in marked and not explains:
                pieces += [nodes.Text(text[last : match.start()]), _marked(match[0], term)]
                last = match.end()
            marked.add(term)
        if pieces:
            text.parent.replace(text, [*pieces, nodes.Text(text[last:])])


def above(node: nodes.Node) -> Iterator[nodes.Node]:
    """What a node stands in, from the inside to the outside."""
    while node.parent is not None:
        node = node.parent
        yield node


def _marked(text: str, term: Term) -> nodes.raw:
    means = html.escape(f"{plain_text(term.explanation)} In Korean: {term.korean}.")
    link = f'<a class="term" href="{GLOSSARY}.html#{place(term.english)}" data-means="{means}">'
    return nodes.raw("", f"{link}{html.escape(text)}</a>", format="html")


def mark_chapter(app, tree: nodes.document, page: str) -> None:
    """Chapters use the words of the glossary; the pages behind them are looked things up in."""
    if app.builder.name == "html" and re.match(r"\d\d[a-z]?_", page):
        mark(tree)


def setup(app) -> dict[str, bool]:
    app.connect("doctree-resolved", mark_chapter)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
