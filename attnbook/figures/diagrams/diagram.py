"""A finished drawing, and how all of them look.

A page is 330 units wide, about as wide as a telephone's text, and grows to four thirds of that in
a notebook; no letter is smaller than 11.5 units. Text takes the color of the page around it, and a
box is a tint of its own color: a drawing fits a light page and a dark one without having to know
which it is on (JupyterLab, VS Code and the web edition each say it in another way). Only a file of
its own asks for the reader's theme, and brings its background along.
"""

import hashlib
from dataclasses import dataclass
from html import escape
from pathlib import Path

from attnlib.figures import PALETTE

from ..hangul import embedded_hangul

WIDTH = 330
SIZES = {"text": 13.0, "small": 11.5}  # of letters, in units; an index is small

#: What a color means: the source side, attention, the target side, what decides (gates, coins), and
#: what is handed on unchanged (an LSTM's memory, the residual stream).
KINDS = dict(zip(("source", "attention", "target", "gate", "memory"), PALETTE))
TINT = {"colored": 0.14, "plain": 0.05, "faint": 0.0}  # how much of its color fills a box
INK = 0.3  # how much of the page's ink a color takes on, so that it stands out on either theme

_MIXED = "".join(
    f".attn-diagram .{kind}{{color:{hue};color:color-mix(in srgb,currentColor {INK:.0%},{hue})}}\n"
    for kind, hue in KINDS.items()
)  # a browser that cannot mix takes the color as it is
STYLE = f"""
.attn-diagram{{max-width:{4 * WIDTH // 3}px;margin:.6em 0}}
.attn-diagram figcaption{{font-weight:600;font-size:15px;margin:0 0 .5em}}
.attn-diagram details{{font-size:14px;margin-top:.4em}}
.attn-diagram svg{{display:block;width:100%;height:auto}}
.attn-diagram text{{fill:currentColor;stroke:none;font-size:{SIZES["text"]}px}}
.attn-diagram .small{{font-size:{SIZES["small"]}px}}
.attn-diagram .symbol{{font-family:"STIX Two Text",Cambria,"Liberation Serif",Georgia,serif;\
font-style:italic;font-size:1.15em}}
.attn-diagram .index{{font-size:{SIZES["small"]}px}}
.attn-diagram .box{{fill:currentColor;fill-opacity:{TINT["colored"]};stroke:currentColor;\
stroke-width:1.5}}
.attn-diagram .plain{{fill-opacity:{TINT["plain"]}}}
.attn-diagram .faint{{fill-opacity:{TINT["faint"]};stroke-dasharray:2 3}}
.attn-diagram .frame{{fill:none;stroke:currentColor;stroke-width:1.2;stroke-dasharray:6 4}}
.attn-diagram .line{{fill:none;stroke:currentColor;stroke-width:1.5}}
.attn-diagram .head{{fill:currentColor;fill-opacity:1;stroke:none}}
{_MIXED}"""
_ALONE = """
svg.attn-diagram{color:#1a1a1a;background:#fff;font-family:system-ui,sans-serif}
@media(prefers-color-scheme:dark){svg.attn-diagram{color:#f0f0f0;background:#111}}
"""


@dataclass(frozen=True, repr=False)
class Diagram:
    """A drawing that shows itself as the last line of a cell, with its words folded below it.

    ``title`` heads it and ``svg`` is the picture, for markup that brings ``style`` along.
    """

    title: str
    words: str
    svg: str
    style: str

    def __repr__(self) -> str:
        return f"<diagram: {self.title}>"

    def describe(self) -> str:
        """The drawing in words: what a screen reader reads instead of it."""
        return self.words

    def _repr_html_(self) -> str:
        # The two class names keep MathJax from reading "$5 or $6" as a formula.
        return (
            '<figure class="attn-diagram tex2jax_ignore mathjax_ignore">'
            f"<style>{self.style}</style><figcaption>{escape(self.title)}</figcaption>\n"
            f"{self.svg}\n<details><summary>The figure in words</summary>"
            f"<p>{escape(self.words)}</p></details></figure>"
        )

    def standalone(self) -> str:
        """The drawing as an SVG file of its own."""
        style = f"<style>{self.style}{_ALONE}</style>"
        opening = '<svg xmlns="http://www.w3.org/2000/svg" class="attn-diagram"'
        text = self.svg.replace("<svg", opening, 1).replace("<title", f"{style}<title", 1)
        return text + "\n"

    def save(self, path: str | Path) -> Path:
        """Write the drawing as an SVG file, in utf-8, and return its path."""
        path = Path(path)
        path.write_text(self.standalone(), encoding="utf-8", newline="\n")
        return path


def finished(title: str, words: str, height: float | int, marks: str) -> Diagram:
    """A Diagram of marks in SVG, whose ids are made from all that is in it."""
    words = " ".join(words.split())
    content = "\0".join((title, words, marks))
    name = f"attn-{hashlib.sha256(content.encode()).hexdigest()[:12]}"
    svg = (
        f'<svg id="{name}" viewBox="0 0 {WIDTH} {height:g}" role="img" '
        f'aria-labelledby="{name}-title {name}-words">\n'
        f'<title id="{name}-title">{escape(title)}</title>\n'
        f'<desc id="{name}-words">{escape(words)}</desc>\n{marks}\n</svg>'
    )
    return Diagram(title, words, svg, embedded_hangul(name, marks) + STYLE)
