"""What all live views share: the finished view, its size, its still, numbers for a page.

A view is a few kB of HTML, CSS and JavaScript, with no request to any host. It works with mouse,
touch and keyboard, follows the light or dark theme around it, and where scripts do not run its
still, a picture, stands in its place with the same words folded below. The same arguments give the
same bytes everywhere, so that nbval can compare them.
"""

import hashlib
import html
from dataclasses import dataclass
from pathlib import Path
from string import Template
from typing import Any

import numpy as np

from ..figures import Diagram
from ..figures.diagrams.diagram import script_literal
from ..figures.hangul import embedded_hangul

_ASSETS = Path(__file__).with_name("assets")
LIMIT = 90_000  # bytes of HTML: a notebook holds several views, and is kept in a repository


@dataclass(frozen=True, repr=False)
class View:
    """An interactive view: ``html`` is a fragment that may stand in any page.

    ``title`` heads it, ``alt`` is the figure in words, ``summary`` what it prints as, ``still`` the
    static figure that stands in its place where scripts do not run.
    """

    title: str
    alt: str
    summary: str
    html: str
    still: Diagram

    def __repr__(self) -> str:
        return f"<{self.summary}>"

    def _repr_html_(self) -> str:
        return self.html


def finish(
    kind: str, data: dict[str, Any], title: str, alt: str, summary: str, still: Diagram
) -> View:
    """Put data, style, script and still together; the id is a hash of all of it.

    Raises ValueError where the page would be too long.
    """
    alt = " ".join(alt.split())
    style, script = _asset("view.css"), _asset("core.js") + _asset(f"{kind}.js")
    literal = script_literal(data)
    content = "\0".join((title, alt, literal, script))
    ident = f"attn-{hashlib.sha256(content.encode()).hexdigest()[:12]}"
    # The two class names keep MathJax from reading "$5 or $6" as a formula. The script draws every
    # copy of the view that it finds empty, for one page may show the same view twice.
    texts = {"title": html.escape(title), "alt": html.escape(alt), "data": literal}
    style = embedded_hangul(ident, title + literal) + style
    parts = {"id": ident, "style": style, "script": script, **texts}
    picture = still.picture('class="still"', alt)
    fragment = _fill("view.html", still=picture, **parts).removesuffix("\n")
    if (size := len(fragment.encode())) > LIMIT:
        expected = f"at most {LIMIT:,} bytes of HTML for {title!r}"
        raise ValueError(f"data must give {expected}, got {size:,}; show fewer words or records")
    return View(title, alt, summary, fragment, still)


def _asset(name: str) -> str:
    return (_ASSETS / name).read_text(encoding="utf-8")


def _fill(name: str, **texts: str) -> str:
    """A page or a part of one, with texts for its ``${names}``."""
    return Template(_asset(name)).substitute(texts)


def rounded(array: np.ndarray, digits: int) -> list:
    """Nested lists of rounded numbers, None for NaN: more digits would only add bytes."""
    if array.ndim > 1:
        return [rounded(row, digits) for row in array]
    return [None if np.isnan(x) else round(float(x), digits) + 0.0 for x in array]


def significant(array: np.ndarray, digits: int = 4) -> list:
    """Nested lists of numbers of so many significant digits, for values of any size."""
    if array.ndim > 1:
        return [significant(row, digits) for row in array]
    return [float(f"{x:.{digits}g}") + 0.0 for x in array]


def counted(number: int, noun: str) -> str:
    """A number of things in words.

    >>> counted(1, "hypothesis"), counted(2, "hypothesis"), counted(2, "system")
    ('1 hypothesis', '2 hypotheses', '2 systems')
    """
    plural = {"hypothesis": "hypotheses"}.get(noun, noun + "s")
    return f"{number} {noun if number == 1 else plural}"
