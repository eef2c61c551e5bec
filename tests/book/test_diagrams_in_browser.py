"""Drawings as a browser shows them: each can be read, on a telephone and in the dark."""

import html
import json
import re

import pytest
from diagrams import DRAWN, drawn, each, whole
from drawing import browser

from attnbook.figures.diagrams import diagram as look

THEMES = {
    "light": ("#000000", "#ffffff"),
    "JupyterLab light": ("#212121", "#ffffff"),
    "dark": ("#ffffff", "#111111"),
    "web edition dark": ("#ced6dd", "#14181e"),
    "a file, light": ("#1a1a1a", "#ffffff"),
    "a file, dark": ("#f0f0f0", "#111111"),
}


def rgb(color: str) -> list[float]:
    return [int(color[i : i + 2], 16) / 255 for i in (1, 3, 5)]


def mixed(share: float, one: list[float], other: list[float]) -> list[float]:
    return [share * a + (1 - share) * b for a, b in zip(one, other)]


def contrast(one: list[float], other: list[float]) -> float:
    """The ratio of WCAG 2, from 1 to 21."""
    lights = []
    for color in (one, other):
        linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in color]
        lights.append(sum(w * c for w, c in zip((0.2126, 0.7152, 0.0722), linear)) + 0.05)
    return max(lights) / min(lights)


def test_lines_of_every_color_and_letters_on_its_darkest_tint_stand_out():
    assert contrast(rgb("#000000"), rgb("#ffffff")) == pytest.approx(21)
    for theme, colors in THEMES.items():
        ink, paper = map(rgb, colors)
        for kind, color in look.KINDS.items():
            line = mixed(look.INK, ink, rgb(color))
            assert contrast(line, paper) >= 3, (theme, kind)
            most = 0.55 if kind == "attention" else look.TINT["colored"]  # the weight of 1
            assert contrast(ink, mixed(most, line, paper)) >= 4.5, (theme, kind)


MEASURE = """
<script>
const found = [];
for (const svg of document.querySelectorAll('svg')) {
  const scale = svg.getScreenCTM().a, box = n => { const b = n.getBBox();
    return [b.x, b.y, b.x + b.width, b.y + b.height]; };
  found.push({
    scale, width: svg.getBoundingClientRect().width, view: svg.viewBox.baseVal.height,
    texts: [...svg.querySelectorAll('text')].map(n => ({ text: n.textContent, box: box(n),
      sizes: [n, ...n.querySelectorAll('tspan')].filter(m => m.textContent != '\\u200b')
        .map(m => parseFloat(getComputedStyle(m).fontSize) * scale) })),
    boxes: [...svg.querySelectorAll('rect')].map(n => ({ look: n.getAttribute('class'),
      box: box(n) })),
    lines: [...svg.querySelectorAll('path.line')].map(n => Array.from(
      { length: Math.ceil(n.getTotalLength() / 3) },
      (_, i) => { const p = n.getPointAtLength(3 * i); return [p.x, p.y]; })),
    heads: [...svg.querySelectorAll('path.head')].map(n => n.getAttribute('d')),
    all: box(svg),
  });
}
document.title = 'measured';
document.body.append(Object.assign(document.createElement('pre'),
  { textContent: JSON.stringify(found) }));
</script>
"""


@pytest.fixture(scope="module")
def measured(tmp_path_factory):
    """What a browser says of every drawing, in the column of a telephone 360 pixels wide."""
    page = tmp_path_factory.mktemp("browser") / "page.html"
    drawings = "".join(drawn(name)._repr_html_() for name in DRAWN)
    head = '<!doctype html><meta charset="utf-8"><style>body{width:328px;font-family:sans-serif}'
    page.write_text(f"{head}</style><body>{drawings}{MEASURE}", encoding="utf-8")
    found = re.search(r"<pre>(.*?)</pre>", browser(page), re.DOTALL)
    return dict(zip(DRAWN, json.loads(html.unescape(found.group(1))), strict=True))


@each
def test_a_drawing_keeps_to_its_page_and_on_a_telephone_it_can_be_read(measured, name):
    assert round(measured[name]["width"]) == 328
    sizes = [size for text in measured[name]["texts"] for size in text["sizes"]]
    assert sizes and min(sizes) >= 11
    left, top, right, bottom = measured[name]["all"]
    assert left >= 0 and right <= look.WIDTH
    assert top >= -2 and bottom <= measured[name]["view"] + 2  # a line of text is higher than ink


def inked(box: list[float]) -> list[float]:
    """The part of a line of text in which its letters are."""
    left, top, right, bottom = box
    return [left, top + 0.22 * (bottom - top), right, bottom - 0.2 * (bottom - top)]


@each
def test_no_text_lies_on_another_or_across_the_edge_of_a_box(measured, name):
    lines = [(text["text"], inked(text["box"])) for text in measured[name]["texts"]]
    for n, (text, (left, top, right, bottom)) in enumerate(lines):
        for other, (a, b, c, d) in lines[n + 1 :]:
            assert right <= a or c <= left or bottom <= b or d <= top, (text, other)
        for rect in measured[name]["boxes"]:
            a, b, c, d = rect["box"]
            apart = right <= a or c <= left or bottom <= b or d <= top
            inside = a <= left and right <= c and b <= top and bottom <= d
            assert apart or inside, (text, rect)


@each
def test_no_line_runs_through_a_text(measured, name):
    for text in measured[name]["texts"]:
        left, top, right, bottom = inked(text["box"])
        for line in measured[name]["lines"]:
            for x, y in line:
                assert not (left < x < right and top < y < bottom), (text["text"], x, y)


@each
def test_every_arrow_meets_what_it_points_at(measured, name):
    for path in measured[name]["heads"]:
        x, y = map(float, path.split("L")[1].split())
        gaps = []
        for rect in measured[name]["boxes"]:
            a, b, c, d = rect["box"]
            inside = min(x - a, c - x, y - b, d - y)
            assert inside <= 1 or "frame" in rect["look"], (path, rect)  # not into the box
            if inside >= -1:
                gaps.append(abs(inside))
        for text in measured[name]["texts"]:  # from which an arrow may stand half a line away
            a, b, c, d = text["box"]
            if not (a < x < c and b < y < d):
                gaps.append(max(a - x, x - c, b - y, y - d) / 12)
        assert min(gaps, default=99) <= 1, (path, min(gaps))


# The picture ------------------------------------------------------------------------------------


def test_where_scripts_run_the_drawing_takes_its_pictures_place_even_twice_on_a_page(tmp_path):
    page = tmp_path / "page.html"
    html = whole()._repr_html_() + drawn("lstm")._repr_html_()
    page.write_text(f'<!doctype html><meta charset="utf-8">{html * 2}', encoding="utf-8")
    shown = browser(page)
    assert shown.count("<svg ") == 4 and "<img" not in shown
    assert shown.count("softmax</text>") == 2
