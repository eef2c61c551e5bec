"""A finished drawing, and how all of them look.

A page is 330 units wide, about as wide as a telephone's text, and grows to four thirds of that in
a notebook; no letter is smaller than 11.5 units. Text takes the color of the page around it, and a
box is a tint of its own color: a drawing fits a light page and a dark one without having to know
which it is on (JupyterLab, VS Code and the web edition each say it in another way).

GitHub, nbviewer and notebooks that are not trusted drop scripts, styles and SVG. What a notebook
holds is therefore a picture (PNG, on white), in whose place a script puts the drawing where scripts
may run. The picture is made with fonts that come along, so that it is the same on every machine.
"""

import base64
import hashlib
import json
from dataclasses import dataclass
from html import escape
from pathlib import Path

import matplotlib
import resvg_py
from matplotlib.colors import to_rgb

from attnlib.figures import PALETTE, packaged_font

from ..hangul import embedded_hangul

WIDTH = 330
SIZES = {"text": 13.0, "small": 11.5}  # of letters, in units; an index is small

#: What a color means: attention, the source side, the target side, what decides (gates, coins), and
#: what is handed on unchanged (an LSTM's memory, the residual stream). Attention is blue, as in the
#: heat maps and in the live views.
KINDS = dict(zip(("attention", "source", "target", "gate", "memory"), PALETTE))
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
.attn-diagram svg,.attn-diagram img{{display:block;width:100%;height:auto}}
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
_NAMESPACE = 'xmlns="http://www.w3.org/2000/svg"'
#: A picture has no page around it: its ground and ink are those of a light one, and its colors are
#: mixed here, because what makes the picture knows neither color-mix nor the reader's theme.
GROUND, BLACK = "#ffffff", "#1a1a1a"
_INKED = {
    kind: tuple(round(255 * (INK * a + (1 - INK) * b)) for a, b in zip(to_rgb(BLACK), to_rgb(hue)))
    for kind, hue in KINDS.items()
}
_PICTURE = f"svg{{color:{BLACK};font-family:sans-serif}}\n.symbol{{font-family:serif}}\n" + "".join(
    f".{kind}{{color:rgb{color}}}\n" for kind, color in _INKED.items()
)
SHOWN = 4 * WIDTH // 3  # width of a drawing in a notebook, in CSS pixels
DENSITY = 1.5  # pixels of a picture for each CSS pixel of its width
#: Takes the picture away and puts the drawing there. One page may show the same drawing twice.
_SWAP = """for (const picture of document.querySelectorAll('img[data-drawing="NAME"]')) {
  picture.outerHTML = SVG;
}"""


@dataclass(frozen=True, repr=False)
class Diagram:
    """A drawing that shows itself as the last line of a cell, with its words folded below it.

    ``title`` heads it and ``svg`` is the picture, for markup that brings ``style`` along.
    """

    title: str
    alt: str
    svg: str
    style: str

    def __repr__(self) -> str:
        return f"<diagram: {self.title}>"

    def _repr_html_(self) -> str:
        # The two class names keep MathJax from reading "$5 or $6" as a formula.
        mark = f'data-drawing="{self.name}"'
        script = _SWAP.replace("NAME", self.name).replace("SVG", script_literal(self.svg))
        return (
            '<figure class="attn-diagram tex2jax_ignore mathjax_ignore">'
            f"<style>{self.style}</style><figcaption>{escape(self.title)}</figcaption>\n"
            f"{self.picture(mark, self.alt)}\n"
            "<details><summary>The figure in words</summary>"
            f"<p>{escape(self.alt)}</p></details>\n<script>\n{script}\n</script></figure>"
        )

    @property
    def name(self) -> str:
        """The id of the drawing, made from all that is in it."""
        return self.svg.split('"', 2)[1]

    def picture(self, attributes: str, alt: str) -> str:
        """The drawing as an ``<img>`` that shows wherever a notebook is looked at."""
        inside = base64.b64encode(self.png()).decode("ascii")
        return (
            f'<img {attributes} width="{SHOWN}" alt="{escape(alt)}" '
            f'src="data:image/png;base64,{inside}">'
        )

    def png(self) -> bytes:
        """The drawing as a picture in PNG, on white: the same bytes on every machine."""
        fonts = Path(matplotlib.get_data_path(), "fonts", "ttf")
        files = [fonts / name for name in ("DejaVuSans.ttf", "STIXGeneralItalic.ttf")]
        return resvg_py.svg_to_bytes(
            svg_string=self.svg.replace("<svg", f"<svg {_NAMESPACE}", 1),
            style_sheet=STYLE.replace(".attn-diagram ", "") + _PICTURE,
            background=GROUND,
            width=round(SHOWN * DENSITY),
            skip_system_fonts=True,
            font_files=[str(path) for path in [*files, packaged_font()]],
            sans_serif_family="DejaVu Sans",
            serif_family="STIXGeneral",
        )


def script_literal(data: object) -> str:
    """JSON that can stand in a script: no label can end the script or open a comment."""
    text = json.dumps(data, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    for char in "<>&\u2028\u2029":
        text = text.replace(char, f"\\u{ord(char):04x}")
    return text


def make_diagram(title: str, alt: str, height: float | int, marks: str) -> Diagram:
    """A Diagram of marks in SVG, whose ids are made from all that is in it."""
    alt = " ".join(alt.split())
    content = "\0".join((title, alt, marks))
    name = f"attn-{hashlib.sha256(content.encode()).hexdigest()[:12]}"
    svg = (
        f'<svg id="{name}" viewBox="0 0 {WIDTH} {height:g}" role="img" '
        f'aria-labelledby="{name}-title {name}-words">\n'
        f'<title id="{name}-title">{escape(title)}</title>\n'
        f'<desc id="{name}-words">{escape(alt)}</desc>\n{marks}\n</svg>'
    )
    return Diagram(title, alt, svg, embedded_hangul(name, marks) + STYLE)
