"""A page to draw on, with a small vocabulary: box, circle, strip, frame, label, arrow."""

import math
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from html import escape
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from attnlib.checks import Number

from .diagram import SIZES, Diagram, make_diagram

_ROUND = 8.0  # radius of a corner of an arrow
_NARROW, _WIDE = frozenset("iljftIr.,:;'|!()[] "), frozenset("mwMW@")
_FORMULA = re.compile(r"_\{([^}]*)\}|_(.)|([^_]+)")


class Word(str):
    """Somebody's own word: written as it stands, cut where it is too long for its place."""


class Node(NamedTuple):
    """What arrows lead from and to: a box or circle around (x, y), or a mere point."""

    x: Number
    y: Number
    w: Number = 0.0
    h: Number = 0.0

    @property
    def top(self) -> "Node":
        return Node(self.x, self.y - self.h / 2)

    @property
    def bottom(self) -> "Node":
        return Node(self.x, self.y + self.h / 2)

    @property
    def left(self) -> "Node":
        return Node(self.x - self.w / 2, self.y)

    @property
    def right(self) -> "Node":
        return Node(self.x + self.w / 2, self.y)


Point: TypeAlias = tuple[Number, Number]
Place: TypeAlias = Node | Point


class Page:
    """The page while it is drawn on. ``kind`` is what a color means, a key of ``KINDS``."""

    def __init__(self, height: Number) -> None:
        self.height, self.marks = height, list[str]()

    def box(
        self,
        x: Number,
        y: Number,
        text: str = "",
        note: str = "",
        kind: str = "plain",
        *,
        w: Number = 46,
        h: Number = 32,
        style: str = "",
    ) -> Node:
        """A box around (x, y) with a text, and a small note below the text."""
        self._shape(Node(x, y, w, h), f"box {kind} {style}", corner=6)
        if text:
            self.label(x, y - 8 if note else y, text, room=w - 6)
        if note:
            self.label(x, y + 9, note, "small", room=w - 4)
        return Node(x, y, w, h)

    def circle(
        self,
        x: Number,
        y: Number,
        sign: str,
        kind: str = "plain",
        *,
        size: Number = 26,
    ) -> Node:
        """An operation, or a coin: a circle with its sign."""
        self._shape(Node(x, y, size, size), f"box {kind}", corner=size / 2)
        self.label(x, y, sign)
        return Node(x, y, size, size)

    def strip(
        self,
        x: Number,
        y: Number,
        cells: Sequence[str],
        kind: str = "plain",
        *,
        shades: Sequence[float] = (),
        w: Number = 46,
        h: Number = 24,
    ) -> list[Node]:
        """A vector: its cells side by side around (x, y), the darker the larger their shades."""
        nodes = [Node(x + (n - (len(cells) - 1) / 2) * w, y, w, h) for n in range(len(cells))]
        for n, (node, text) in enumerate(zip(nodes, cells)):
            shade = f'style="fill-opacity:{0.05 + 0.5 * shades[n]:.2f}"' if len(shades) else ""
            self._shape(node, f"box {kind}", more=shade)
            self.label(node.x, y, text, "small", room=w - 3)
        return nodes

    def frame(self, *nodes: Node, kind: str = "plain", pad: Number = 8) -> Node:
        """A dashed line around what belongs together."""
        left, right = min(n.left.x for n in nodes) - pad, max(n.right.x for n in nodes) + pad
        top, bottom = min(n.top.y for n in nodes) - pad, max(n.bottom.y for n in nodes) + pad
        around = Node((left + right) / 2, (top + bottom) / 2, right - left, bottom - top)
        self._shape(around, f"frame {kind}", corner=10)
        return around

    def label(
        self,
        x: Number,
        y: Number,
        text: str,
        size: str = "text",
        *,
        anchor: str = "middle",
        room: Number = math.inf,
    ) -> Node:
        """A text around (x, y), or from there on. ``$h_t$`` is a formula, except in a Word."""
        if isinstance(text, Word):
            text = Word(cut(text, room, SIZES[size]))
            inside = escape(text)
        else:
            inside = "".join(_spans(text))
        place = f'x="{x:g}" y="{y + 0.34 * SIZES[size]:.4g}" text-anchor="{anchor}"'
        self.marks.append(f'<text class="{size}" {place}>{inside}</text>')
        return Node(x, y, breadth(text) * SIZES[size] + 8, SIZES[size] + 8)

    def arrow(
        self,
        *places: Place,
        kind: str = "plain",
        style: str = "",
        width: Number = 1.5,
        head: bool = True,
    ) -> None:
        """An arrow from the edge of the first place, over the others, to the edge of the last."""
        nodes = [place if isinstance(place, Node) else Node(*place) for place in places]
        if len(nodes) == 2:
            points = _joined(*nodes)
        else:
            between = [(node.x, node.y) for node in nodes[1:-1]]
            points = [_edge(nodes[0], nodes[1]), *between, _edge(nodes[-1], nodes[-2])]
        (x0, y0), (x1, y1) = points[-2:]
        long, size = max(math.hypot(x1 - x0, y1 - y0), 1e-9), 4.5 + 1.5 * width
        ux, uy = size * (x1 - x0) / long, size * (y1 - y0) / long
        if head:  # the line ends where its head begins
            points = [*points[:-1], (x1 - ux, y1 - uy)]
        thick = f' style="stroke-width:{width:.3g}"' if width != 1.5 else ""
        css = " ".join(f"line {kind} {style}".split())
        self.marks.append(f'<path class="{css}" d="{_rounded(points)}"{thick}/>')
        if head:
            left = (x1 - ux - 0.5 * uy, y1 - uy + 0.5 * ux)
            right = (x1 - ux + 0.5 * uy, y1 - uy - 0.5 * ux)
            corners = "L".join(_pair(point) for point in (left, (x1, y1), right))
            self.marks.append(f'<path class="head {kind}" d="M{corners}Z"/>')

    def _shape(self, node: Node, css: str, corner: Number = 0, more: str = "") -> None:
        place = f'x="{node.left.x:g}" y="{node.top.y:g}" width="{node.w:g}" height="{node.h:g}"'
        parts = (f'class="{" ".join(css.split())}"', place, f'rx="{corner:g}"', more)
        self.marks.append(f"<rect {' '.join(parts).strip()}/>")

    def finish(self, title: str, alt: str) -> Diagram:
        """What was drawn, with its title and its words."""
        return make_diagram(title, alt, self.height, "\n".join(self.marks))


@contextmanager
def faint(page: Page, now: bool = True) -> Iterator[None]:
    """What is drawn inside is hardly there, so that the rest stands out."""
    start = len(page.marks)
    yield
    if now:
        page.marks[start:] = ['<g opacity="0.25">', *page.marks[start:], "</g>"]


def shape_of(thing: Any) -> str:
    """The shape of an array or tensor as the book writes it.

    >>> import torch
    >>> shape_of(torch.zeros(4, 3)), shape_of(torch.zeros(4))
    ('(4, 3)', '(4,)')
    """
    return str(tuple(thing.shape))


def number(value: Number, digits: int = 2) -> str:
    """A number with a true minus sign.

    >>> number(-0.5), number(0.25, 1)
    ('−0.50', '0.2')
    """
    return f"{float(value):.{digits}f}".replace("-", "−")


def numbers(name: str, values: Any, *shape: int | None) -> np.ndarray:
    """The values of an array or tensor as numbers of a shape; None in it: of any length."""
    table = np.asarray(values.detach().cpu() if hasattr(values, "detach") else values, dtype=float)
    fits = len(shape) == table.ndim and all(n in (None, m) for n, m in zip(shape, table.shape))
    if not fits or not np.isfinite(table).all():
        expected = str(shape).replace("None", "H")
        raise ValueError(f"{name} must have shape {expected} and be finite, got {table.shape}")
    return table


def softmax(scores: np.ndarray) -> np.ndarray:
    """The weights that a softmax makes of scores.

    >>> softmax(np.array([0.0, 0.0])).tolist()
    [0.5, 0.5]
    """
    powers = np.exp(scores - scores.max())
    return powers / powers.sum()


def cut(text: str, room: Number, size: Number) -> str:
    """The text, or as much of it as has room, with three dots.

    >>> cut("dog", 30, 10), cut("doghouse", 30, 10)
    ('dog', 'dog…')
    """
    if breadth(text) * size <= room:
        return text
    while text and breadth(text + "…") * size > room:
        text = text[:-1]
    return text + "…"


def breadth(text: str) -> float:
    """About how wide a text is, in heights of its letters: no browser is here to ask."""
    wide = 0.0
    for c in text:  # not sum(), which rounds otherwise from Python 3.12 on: a label may be cut
        if c in _NARROW:
            wide += 0.34
        elif c in _WIDE or ord(c) > 0x1100 and c not in "’“”–":
            wide += 0.92
        else:
            wide += 0.66 if c.isupper() else 0.57
    return wide


def _spans(text: str) -> Iterator[str]:
    """The text as SVG, formulas between dollar signs in italics with their indices lowered."""
    for n, part in enumerate(text.split("$")):
        if n % 2 == 0:
            yield escape(part)
            continue
        for braced, single, symbol in _FORMULA.findall(part):
            if symbol:
                yield f'<tspan class="symbol">{escape(symbol)}</tspan>'
            else:  # lowered, and the line back to where it was
                yield f'<tspan class="symbol index" dy="3.5">{escape(braced or single)}</tspan>'
                yield '<tspan dy="-3.5">\u200b</tspan>'


def _edge(node: Node, toward: Node) -> Point:
    """Where an upright or level line to another place leaves a node."""
    dx, dy = toward.x - node.x, toward.y - node.y
    if abs(dx) <= node.w / 2:
        return toward.x, node.y + math.copysign(node.h / 2, dy)
    level = toward.y if abs(dy) <= node.h / 2 else node.y
    return node.x + math.copysign(node.w / 2, dx), level


def _joined(a: Node, b: Node) -> list[Point]:
    """The ends of a line from a to b: upright or level where the one lies within the other."""
    if abs(a.x - b.x) <= max(a.w, b.w) / 2:
        x = min(a, b, key=lambda node: node.w).x
        return [_edge(a, Node(x, b.y)), _edge(b, Node(x, a.y))]
    if abs(a.y - b.y) <= max(a.h, b.h) / 2:
        y = min(a, b, key=lambda node: node.h).y
        return [_edge(a, Node(b.x, y)), _edge(b, Node(a.x, y))]
    return [_edge(a, b), _edge(b, a)]


def _rounded(points: Sequence[Point]) -> str:
    """A path over the points whose corners are round."""
    text = f"M{_pair(points[0])}"
    for before, corner, after in zip(points, points[1:], points[2:]):
        text += f"L{_pair(_near(corner, before))}Q{_pair(corner)} {_pair(_near(corner, after))}"
    return f"{text}L{_pair(points[-1])}"


def _near(corner: Point, other: Point) -> Point:
    """The point at which a line bends on its way from or to a corner."""
    long = max(math.dist(corner, other), 1e-9)
    share = min(_ROUND / long, 0.5)
    return tuple(c + share * (o - c) for c, o in zip(corner, other))  # type: ignore[return-value]


def _pair(point: Point) -> str:
    return " ".join(f"{value:.5g}" for value in point)
