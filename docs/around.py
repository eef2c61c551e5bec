"""What stands around the text of a page: minutes in the list at the side, in the head what another
site shows of a link to the page, and at its foot the license and where it comes from."""

import html
import re
from typing import Any
from urllib.parse import quote

from .front import chip
from .links import ROOT, published, repository

PICTURE = "figures/card.png"  # for those who show a picture with a link
MOST = 200  # letters of a description


def with_chips(listed: str) -> str:
    """The list at the side with the minutes behind each notebook, but not behind its solutions.

    >>> with_chips('<a href="../08_beam_search.html">08 · Beam search</a>')
    '<a href="../08_beam_search.html">08 · Beam search <span class="minutes">26 min</span></a>'
    """

    def with_chip(match: re.Match) -> str:
        return f"{match[1]} {chip(match[2])}</a>"

    entry = r'(<a [^>]*href="(?:(?:\.\./)*\d\d\w*\.html|#)">(\d\d[a-z]?) · [^<]*)</a>'
    return re.sub(entry, with_chip, listed)


def description(tree: Any) -> str:
    """The first lines of a page: of a chapter its question, then what one will be able to do."""
    from docutils import nodes  # which comes with Sphinx: conf.py is read without, too

    text = ""
    for paragraph in tree.findall(nodes.paragraph) if tree is not None else ():
        words = html.unescape(re.sub("<[^>]*>", "", paragraph.astext())).split()
        text = " ".join([text, *words]).strip()
        if len(text) > MOST / 2:
            break
    return text if len(text) <= MOST else text[:MOST].rpartition(" ")[0] + " …"


def icon() -> str:
    """The sign of the book in a browser's tab, in the page itself: no other file is asked for."""
    drawn = (ROOT / "docs" / "figures" / "icon.svg").read_text(encoding="utf-8")
    return f'<link rel="icon" href="data:image/svg+xml,{quote("".join(drawn.split(chr(10))))}" />'


def tags(title: str, summary: str, page: str, home: str) -> str:
    """What a page says of itself to those who show a link to it. A picture needs an address."""
    properties = {"og:type": "article", "og:title": title}
    if summary:
        properties["og:description"] = summary
    if home:
        properties |= {"og:url": f"{home}{page}.html", "og:image": f"{home}{PICTURE}"}
    lines = [f'<meta name="description" content="{html.escape(summary)}" />'] if summary else []
    lines += [f'<meta property="{k}" content="{html.escape(v)}" />' for k, v in properties.items()]
    return "\n".join([*lines, icon()])


def foot(address: str) -> str:
    """The license, and where the book comes from where that is known.

    >>> foot("").count("<a"), foot("https://github.com/a/b").count("<a")
    (0, 2)
    """
    text = "Text and figures: CC BY 4.0. Code: MIT license."
    if not address:
        return text
    issues = f'<a href="{address}/issues">Say what is wrong or unclear</a>'
    return f'{text} <a href="{address}">Source</a>. {issues}.'


def with_named_folds(body: str) -> str:
    """The text of a page whose folds are called what they show: myst-nb calls all of them the same.

    >>> with_named_folds('<summary aria-label="Toggle hidden content">')
    '<summary>'
    """
    return body.replace('<summary aria-label="Toggle hidden content">', "<summary>")


def add(app: Any, page: str, template: str, context: dict, doctree: Any) -> None:
    title = re.sub("<[^>]*>", "", context.get("title") or "") or app.config.html_title
    summary = description(doctree)
    metatags = tags(html.unescape(title), summary, page, published(repository()))
    context["metatags"] = context.get("metatags", "") + metatags
    if "body" in context:
        context["body"] = with_named_folds(context["body"])
    listed = context.get("generate_toctree_html")

    def chipped(kind: str, *args: Any, **kwargs: Any) -> Any:
        toctree = listed(kind, *args, **kwargs)
        return with_chips(str(toctree)) if kind == "sidebar" else toctree

    if listed:
        context["generate_toctree_html"] = chipped


def setup(app: Any) -> dict[str, bool]:
    app.connect("html-page-context", add, priority=900)  # behind the theme
    return {"parallel_read_safe": True, "parallel_write_safe": True}
