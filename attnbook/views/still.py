"""Stills: what stands in the place of a view where scripts do not run, drawn like the diagrams."""

import math
from collections.abc import Iterator, Sequence
from html import escape

import numpy as np

from attnlib.checks import Number

from ..figures import Diagram
from ..figures.diagrams.diagram import SIZES, WIDTH
from ..figures.diagrams.page import Page, Word, breadth, cut, number

#: Blue and orange, as in the live views.
ABOVE, BELOW = "attention", "source"
_LINE = 1.1 * SIZES["small"]  # from one line of a label to the next
_LEVELS = 12  # of shade: cells of one level are one path, which keeps a large table small


def table(
    title: str,
    alt: str,
    rows: Sequence[str],
    columns: Sequence[str],
    values: np.ndarray,
    *,
    digits: int = 2,
    shades: np.ndarray | None = None,
) -> Diagram:
    """A table of values, the darker the larger, with its numbers where there is room for them.

    Cells have the colors of the live views: blue, and orange for a value below zero whose size is
    its shade.

    Arguments: rows, R labels; columns, C labels; values (R, C), NaN for none; shades (R, C), from 0
    to 1 (None: by the sizes of the values). The words describe it.
    """
    longest = max(breadth(row) for row in rows) * SIZES["small"]
    left = min(max(96, 1.07 * longest + 10), WIDTH / 2)
    room = (left - 8) / 1.07
    wide = min((WIDTH - left - 4) / len(columns), 64)
    wide -= _beyond(columns, wide) / len(columns)
    labels, high = [[row] for row in rows], max(300 / len(rows), 3)
    if len(rows) <= 14:
        labels = [_lines(row, room) for row in rows]
        high = max(24, 8 + _LINE * max(map(len, labels)))
    top = _head(columns, wide)
    page = Page(top + high * len(rows) + 6)
    _columns(page, columns, left, wide, top)
    every = max(1, round(SIZES["small"] * 1.15 / high))  # labels that would lie on each other
    for r in range(0, len(rows), every):
        for n, line in enumerate(labels[r]):
            y = top + high * (r + 0.5) + _LINE * (n - (len(labels[r]) - 1) / 2)
            page.label(left - 6, y, Word(line), "small", anchor="end", room=room)
    signs = np.zeros_like(values)
    if shades is None:
        shades, signs = _shades(values), values
    levels: dict[tuple[int, str], list[str]] = {}
    merge = values.size > 120  # small cells: neighbors of one shade become one, without edges
    for r in range(len(rows)):
        for level, kind, first, count in _runs(values[r], shades[r], signs[r], merge):
            x, long = left + first * wide, count * wide
            path = f"M{x:.4g} {top + r * high:.4g}h{long:.4g}v{high:.4g}h-{long:.4g}z"
            levels.setdefault((level, kind), []).append(path)
    for (level, kind), paths in sorted(levels.items()):
        style = f'style="fill-opacity:{0.03 + 0.55 * level / _LEVELS:.2f};stroke-width:.4"'
        page.marks.append(f'<path class="box {kind}" {style} d="{"".join(paths)}"/>')
    texts = [_numbers(column, digits) for column in values.T]
    widest = SIZES["small"] * 0.57 * max(len(text) for column in texts for text in column)
    if wide > widest + 3 and high >= 14 and values.size <= 60:
        for r, c in np.ndindex(*values.shape):
            page.label(left + (c + 0.5) * wide, top + (r + 0.5) * high, texts[c][r], "small")
    return page.finish(title, alt)


def _runs(
    values: np.ndarray, shades: np.ndarray, signs: np.ndarray, merge: bool
) -> Iterator[tuple[int, str, int, int]]:
    """Cells of a row: (level of shade, kind of color, first column, number of columns)."""
    levels = [-1 if np.isnan(v) else round(_LEVELS * float(s)) for v, s in zip(values, shades)]
    kinds = [BELOW if sign < 0 else ABOVE for sign in signs]
    styles = [*zip(levels, kinds)]
    first = 0
    for n, style in enumerate(styles, 1):
        if not merge or n == len(styles) or styles[n] != style:
            if style[0] >= 0:
                yield *style, first, n - first
            first = n


def _numbers(column: np.ndarray, digits: int) -> list[str]:
    """The numbers of a column; counts have no decimals."""
    whole = not (column[~np.isnan(column)] % 1).any()
    return ["–" if np.isnan(v) else number(v, 0 if whole else digits) for v in column]


def _shades(values: np.ndarray) -> np.ndarray:
    """The sizes of values from 0 to 1."""
    sizes = np.nan_to_num(abs(values))
    return sizes / max(sizes.max(), 1e-12)


def _lines(label: str, room: Number) -> list[str]:
    """A label as it stands beside a row: in as many lines as it needs."""
    lines: list[str] = []
    for word in label.split():
        longer = f"{lines[-1]} {word}" if lines else word
        if lines and breadth(longer) * SIZES["small"] <= room:
            lines[-1] = longer
        else:
            lines.append(word)
    return lines


def _above(label: str) -> str:
    """A label as it stands above a column: in one line, and cut where it is long."""
    return cut(" ".join(label.split()), 100, SIZES["small"])


def _angle(columns: Sequence[str], wide: Number) -> int:
    """Labels are level where they fit, else they slant, else they stand upright: slanting ones are
    nearer to each other than their columns."""
    level = all(cut(label, wide, SIZES["small"]) == label for label in columns)
    return 0 if level else 45 if wide >= 1.5 * SIZES["small"] else 90


def _head(columns: Sequence[str], wide: Number) -> float:
    """How high the labels above the columns are."""
    turned = math.sin(math.radians(_angle(columns, wide)))
    longest = max(breadth(_above(label)) for label in columns) * SIZES["small"]
    return max(24.0, 14 + longest * turned)


def _beyond(columns: Sequence[str], wide: Number) -> float:
    """How far slanting labels would stand out to the right of the last column."""
    if _angle(columns, wide) != 45:
        return 0.0
    long = [1.07 * breadth(_above(label)) * SIZES["small"] * math.sqrt(0.5) for label in columns]
    return max(0.0, *(far - (len(long) - c - 0.5) * wide for c, far in enumerate(long)))


def _columns(page: Page, columns: Sequence[str], left: Number, wide: Number, top: Number) -> None:
    """The labels above the columns."""
    every, angle = max(1, round(SIZES["small"] * 1.15 / wide)), _angle(columns, wide)
    for c in range(0, len(columns), every):
        x = left + (c + 0.5) * wide
        if not angle:
            page.label(x, top - 10, Word(columns[c]), "small")
            continue
        x += 0.3 * SIZES["small"] * (angle == 90)  # half a letter: centers rotated text
        turn = f'transform="rotate(-{angle} {x:.4g} {top - 6:g})"'
        label = escape(_above(columns[c]))
        page.marks.append(
            f'<text class="small" x="{x:.4g}" y="{top - 6:.4g}" {turn}>{label}</text>'
        )


def plot(
    title: str,
    alt: str,
    points: np.ndarray,
    curves: Sequence[np.ndarray],
    labels: tuple[str, str],
) -> Diagram:
    """Points (N, 2) and curves (M, 2) in one pair of axes: the first curve full, others dashed."""
    page, (left, right, top, bottom) = Page(214), (46, WIDTH - 8, 26, 172)
    both = np.concatenate([points, *curves])
    edge = 0.03 * np.ptp(both, axis=0)  # no point lies on an axis
    low, high = both.min(axis=0) - edge, both.max(axis=0) + edge
    scale = np.array([right - left, top - bottom]) / np.maximum(high - low, 1e-12)

    def placed(table: np.ndarray) -> np.ndarray:
        return (table - low) * scale + (left, bottom)

    page.arrow((left, top), (left, bottom), (right, bottom), head=False)
    for n, curve in enumerate(curves):
        path = "L".join(f"{x:.4g} {y:.4g}" for x, y in placed(curve))
        dash = ' style="stroke-dasharray:5 4"' if n else ""
        kind = "plain" if n else BELOW
        page.marks.append(f'<path class="line {kind}" d="M{path}"{dash}/>')
    dots = "".join(f"M{x - 2:.4g} {y:.4g}a2 2 0 1 0 4 0a2 2 0 1 0-4 0z" for x, y in placed(points))
    page.marks.append(f'<path class="head {ABOVE}" d="{dots}"/>')
    for value in _round(low[0], high[0]):
        page.label(placed(np.array([value, 0]))[0], bottom + 12, _minus(value), "small")
    for value in _round(low[1], high[1]):
        page.label(left - 5, placed(np.array([0, value]))[1], _minus(value), "small", anchor="end")
    page.label((left + right) / 2, bottom + 26, Word(labels[0]), "small")
    page.label(4, 9, Word(labels[1]), "small", anchor="start")
    return page.finish(title, alt)


def _minus(value: float) -> str:
    return f"{value:g}".replace("-", "−")


def _round(low: float, high: float) -> list[float]:
    """Three to seven round numbers of an axis.

    >>> _round(-0.31, 3.13), _round(0.0, 4.0)
    ([0.0, 1.0, 2.0, 3.0], [0.0, 1.0, 2.0, 3.0, 4.0])
    """
    wide = max(high - low, 1e-12) / 3
    power = 10.0 ** math.floor(math.log10(wide))
    step = power * max(n for n in (1, 2, 5) if n * power <= wide)
    return [round(n * step, 9) for n in range(math.ceil(low / step), math.floor(high / step) + 1)]
