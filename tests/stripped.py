"""A notebook as GitHub, nbviewer and an untrusted copy show it: without scripts, styles and SVG.

They take text/html before image/png where one output has both, keep an ``<img>`` with its size and
words, and leave the text of the tags that they drop. What is not allowed below is dropped.
"""

import base64
import struct
from html.parser import HTMLParser

from attnbook.figures.diagrams.diagram import DENSITY, SHOWN

TAGS = {"a", "b", "br", "code", "details", "div", "em", "figcaption", "figure", "img", "li", "ol"}
TAGS |= {"p", "pre", "span", "strong", "summary", "table", "tbody", "td", "th", "thead", "tr", "ul"}
ATTRIBUTES = {"alt", "colspan", "height", "href", "src", "start", "title", "type", "width"}
SILENT = {"script", "style"}  # whose text goes with them


class Stripped(HTMLParser):
    """What is left of a piece of HTML: its pictures, and its texts outside and inside folds."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.pictures: list[dict[str, str]] = []
        self.texts: dict[str, str] = {"seen": "", "folded": ""}
        self._open: list[str] = []
        self.feed(html)
        self.close()

    def handle_starttag(self, tag, attrs):
        if tag == "img":
            kept = {name: value or "" for name, value in attrs if name in ATTRIBUTES}
            self.pictures.append(kept)
        elif tag in TAGS | SILENT and tag != "br":
            self._open.append(tag)

    def handle_endtag(self, tag):
        if tag in self._open:
            del self._open[len(self._open) - 1 - self._open[::-1].index(tag) :]

    def handle_data(self, text):
        if not SILENT & {*self._open}:
            place = "folded" if "details" in self._open else "seen"
            self.texts[place] = f"{self.texts[place]} {text}"


def words(text: str) -> str:
    return " ".join(text.split())


def check_stripped(html: str, title: str | None = None) -> None:
    """One picture of the right size, with its words, and no label that lost its drawing."""
    left = Stripped(html)
    (picture,) = left.pictures
    kind, content = picture["src"].split(",")
    assert kind == "data:image/png;base64"
    png = base64.b64decode(content, validate=True)
    assert png.startswith(b"\x89PNG\r\n\x1a\n") and png.endswith(b"IEND\xaeB`\x82")
    wide, high = struct.unpack(">II", png[16:24])
    assert int(picture["width"]) == SHOWN and wide == round(DENSITY * SHOWN)
    assert "height" not in picture, "a narrow page would pull it out of shape"
    assert 0.1 < high / wide < 3
    assert len(picture["alt"]) > 40
    assert words(left.texts["folded"]) == words(f"The figure in words {picture['alt']}")
    seen = words(left.texts["seen"])
    assert 0 < len(seen) < 120 and (title is None or seen == title), "labels without their drawing"
