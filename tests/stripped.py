"""What is left of the book on GitHub, nbviewer and in an untrusted copy: no script, style or SVG.

They take text/html before image/png where one output has both, keep an ``<img>`` with its size and
words, and leave the text of the tags that they drop. What is not allowed below is dropped; of what
is dropped, only looks may get lost.
"""

import base64
import re
import struct
from collections.abc import Iterator
from html.parser import HTMLParser

from attnbook.figures.diagrams.diagram import DENSITY, SHOWN

TAGS = {"a", "b", "blockquote", "br", "code", "dd", "details", "div", "dl", "dt", "em"}
TAGS |= {"figcaption", "figure", "h1", "h2", "h3", "h4", "hr", "i", "img", "kbd", "li", "ol", "p"}
TAGS |= {"pre", "span", "strong", "sub", "summary", "sup", "table", "tbody", "td", "th", "thead"}
TAGS |= {"tr", "ul"}
ATTRIBUTES = {"alt", "colspan", "height", "href", "lang", "role", "rowspan", "scope", "src"}
ATTRIBUTES |= {"start", "title", "type", "width"}
LOOKS = {"class", "style"}  # dropped, and nothing may be told by them alone
SILENT = {"script", "style"}  # whose text goes with them
VOID = {"br", "hr", "img"}
#: Code of a text, where nothing is HTML, a link or a formula: a block, or between backticks.
CODE = re.compile(r"^```.*?^```$|`(?:[^`\n]|\n(?!\n))+`", re.MULTILINE | re.DOTALL)
FORMULA = re.compile(r"\$\$(.+?)\$\$|\$([^$]+)\$", re.DOTALL)
LINK = re.compile(r"(!?)\[([^\]]*)\]\(([^)\s]+)\)")


class Stripped(HTMLParser):
    """What is left of a piece of HTML: its pictures, its texts outside and inside folds; and what
    is lost: tags, attributes, and what nothing but a color shows.
    """

    def __init__(self, html: str) -> None:
        super().__init__()
        self.pictures: list[dict[str, str]] = []
        self.texts: dict[str, str] = {"seen": "", "folded": ""}
        self.lost: list[str] = []
        self._open: list[str] = []
        self._colored: list[tuple[str, int]] = []  # the open tags with a color, and their texts
        self._letters = 0  # letters so far
        self.feed(html)
        self.close()
        self.lost += [f"<{tag}> is not closed" for tag in self._open]

    def handle_starttag(self, tag, attrs):
        given = {name: value or "" for name, value in attrs}
        if tag == "img":
            self.pictures.append({k: v for k, v in given.items() if k in ATTRIBUTES})
        if tag not in TAGS | SILENT:
            self.lost.append(f"<{tag}>")
        elif tag not in VOID:
            self._open.append(tag)
        self.lost += [f"{tag}.{name}" for name in sorted({*given} - ATTRIBUTES - LOOKS)]
        if "background" in given.get("style", "") and tag not in VOID:
            self._colored.append((tag, self._letters))

    def handle_endtag(self, tag):
        if tag in self._open:
            del self._open[len(self._open) - 1 - self._open[::-1].index(tag) :]
        if self._colored and self._colored[-1][0] == tag:
            _, before = self._colored.pop()
            self.lost += [f"<{tag}>, which only its color shows"] if self._letters == before else []

    def handle_data(self, text):
        if not SILENT & {*self._open}:
            place = "folded" if "details" in self._open else "seen"
            self.texts[place] = f"{self.texts[place]} {text}"
            self._letters += len(text.strip())


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


def badly_folded(text: str) -> Iterator[str]:
    """What a text in Markdown loses of its HTML on GitHub: tags, and folds that show Markdown raw.

    There, Markdown is read inside of a fold only behind an empty line.
    """
    plain = FORMULA.sub("", CODE.sub("", text))
    html = "".join(re.findall(r"</?[a-zA-Z][^>]*>", plain))
    yield from Stripped(html).lost
    for after in re.findall(r"</summary>(.*(?:\n.*)?)", plain):
        if after.strip():
            yield f"no empty line below a summary: {after!r}"
    for before in re.findall(r"(.*)\n</details>", plain):
        if before.strip():
            yield f"no empty line above the end of a fold: {before!r}"


def broken_formulas(text: str) -> Iterator[str]:
    """The formulas of a text in Markdown that GitHub is known not to draw, each with the reason.

    https://nschloe.github.io/2022/06/27/math-on-github-follow-up.html and github/markup#1688.
    """
    plain = CODE.sub("`", text)
    for found in FORMULA.finditer(plain):
        formula = found[1] or found[2]
        line = plain[plain.rfind("\n", 0, found.start()) + 1 :].partition("\n")[0]
        around = plain[: found.start()][-1:] + plain[found.end() :][:1]
        faults = {
            "reads < and a letter as a tag": re.search(r"<[a-zA-Z/]", formula),
            "knows no \\operatorname": r"\operatorname" in formula,
            "takes it for a link": "](" in formula,
        }
        if found[2]:
            faults |= {
                "ends it with its line": "\n" in formula,
                "asks for no space inside of the dollars": formula != formula.strip(),
                "asks for no letter and no hyphen beside it": re.search(r"[\w-]", around),
                "ends the cell of the table": line.startswith("|") and "|" in formula,
            }
        yield from (f"GitHub {why}: {found[0]}" for why, fault in faults.items() if fault)
    if "$" in FORMULA.sub("", plain):
        yield "a dollar without a partner"


def anchor(heading: str) -> str:
    """The name by which GitHub finds a heading.

    >>> anchor("GPU, *or* `none`")
    'gpu-or-none'
    """
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")
