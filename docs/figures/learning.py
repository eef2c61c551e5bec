"""The moving picture on the first page: a heat map of attention crystallizes while a model learns.

python -m docs.figures.learning      # from data/runs/10_learning.json: learning.svg and card.png

One file without scripts and without requests: the cells change by CSS, the Hangul is embedded. Its
attributes describe the last moment, which is what a program shows that draws one frame or knows no
CSS. It plays three times and then stands still, as it does at once where a reader asks for less
motion. It is narrow, so that its words can be read on a telephone, too. As a PNG that last moment
is the card that other sites show beside a link to the book.
"""

import html
import json
import re
import textwrap
from pathlib import Path
from typing import Any

import matplotlib
import resvg_py

from attnbook.figures import embedded_hangul
from attnlib.data import bundled_directory
from attnlib.figures import packaged_font

SENTENCE = 1  # of those that the record follows: one that the page's translator knows, too
MEANINGS = ["Minsu", "(topic)", "school", "at", "tree", "(object)", "drew", "(end)", "."]
CELL, LEFT, TOP = 30, 78, 124  # pixels; where the map begins
SHOWN = 460  # pixels of the whole, where there is room
LETTERS, LINES = 54, 1  # of what it writes
SECONDS, HELD, ROUNDS = 1.6, 4.0, 3  # of a moment, and of the last one
REACHED = 0.35  # the share of its time after which a moment stands still

STYLE = """
text{font-size:12.5px;fill:#1f2328}
.soft{font-size:11.5px;fill:#59636e}
.title{font-size:15.5px;font-weight:600}
.paper{fill:#fff}
.cell{fill:#0b5cad}
.ground{fill:#eef1f4}
@media(prefers-color-scheme:dark){text{fill:#e6edf3}.soft{fill:#9da7b1}.paper{fill:#111418}
.cell{fill:#79b8ff}.ground{fill:#1c232b}}
@media(prefers-reduced-motion:reduce){*{animation:none!important}}
"""


def read() -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """The sentence, and its moments: updates, what was written, and weights between 0 and 1."""
    path = bundled_directory().parent / "runs" / "10_learning.json"
    record = json.loads(path.read_text(encoding="utf-8"))
    run = next(run for run in record["runs"] if run["corpus"] == "ko-en-easy")
    moments = []
    for stage in run["stages"]:
        found = stage["sentences"][SENTENCE]
        rows = [[share / max(100, sum(row)) for share in row] for row in found["weights"]]
        moments.append({"update": stage["update"], "text": found["text"], "rows": rows})
    return run["sentences"][SENTENCE], moments


def parts(count: int) -> list[tuple[float, float]]:
    """When each moment begins and ends, in percent of a round."""
    whole = SECONDS * (count - 1) + HELD
    starts = [100 * SECONDS * n / whole for n in range(count)]
    return list(zip(starts, [*starts[1:], 100.0]))


def frames(name: str, values: list[float]) -> str:
    """Key frames of an opacity that stays for a moment and then goes over to the next."""
    steps = []
    for (start, end), value in zip(parts(len(values)), values):
        steps += [f"{start + (end - start) * REACHED:.1f}%,{end:.1f}%{{opacity:{value:.2f}}}"]
    return f"@keyframes {name}{{0%{{opacity:{values[0]:.2f}}}{''.join(steps)}}}"


def cells(moments: list[dict[str, Any]]) -> tuple[list[str], list[str]]:
    """The cells of the map, and their key frames: none for one that hardly changes."""
    drawn, rules = [], []
    height, width = len(moments[0]["rows"]), len(moments[0]["rows"][0])
    for t in range(height):
        for j in range(width):
            values = [moment["rows"][t][j] for moment in moments]
            x, y = LEFT + CELL * j, TOP + CELL * t
            place = f'x="{x}" y="{y}" width="{CELL - 1}" height="{CELL - 1}"'
            name = f"c{t}-{j}"
            drawn.append(f'<rect class="ground" {place}/>')
            look = f'style="animation-name:{name}" ' if max(values) - min(values) >= 0.02 else ""
            drawn.append(f'<rect class="cell" {look}{place} opacity="{values[-1]:.2f}"/>')
            rules += [frames(name, values)] if look else []
    return drawn, rules


def words(x: float, y: float, text: str, more: str = "") -> str:
    return f'<text x="{x:g}" y="{y:g}" {more}>{html.escape(text)}</text>'


def captions(moments: list[dict[str, Any]], y: int) -> tuple[list[str], list[str]]:
    """What it writes after so many updates, one over the other."""
    drawn, rules = [], []
    for n, moment in enumerate(moments):
        lines = textwrap.wrap(moment["text"], LETTERS, max_lines=LINES, placeholder=" …")
        shown = [float(k == n) for k in range(len(moments))]
        rules.append(frames(f"m{n}", shown))
        look = f'style="animation-name:m{n}" opacity="{shown[-1]:g}"'
        told = words(12, y, f"after {moment['update']:,} updates it writes:", 'class="soft"')
        told += "".join(words(12, y + 18 * k, line) for k, line in enumerate(lines, 1))
        drawn.append(f'<g class="moment" {look}>{told}</g>')
    return drawn, rules


def draw() -> str:
    sentence, moments = read()
    sources = [token.removeprefix("##") for token in sentence["tokens"]]
    targets = sentence["reference tokens"]
    width, low = LEFT + CELL * len(sources) + 14, TOP + CELL * len(targets)
    high = low + 30 + 18 * LINES
    drawn, rules = cells(moments)
    told, more = captions(moments, low + 22)
    seconds = SECONDS * (len(moments) - 1) + HELD
    rules += [
        *more,
        f".cell,.moment{{animation-duration:{seconds:g}s;"
        f"animation-delay:{(1 - REACHED) * HELD - seconds:g}s;animation-iteration-count:{ROUNDS}}}",
    ]
    for j, (token, meaning) in enumerate(zip(sources, MEANINGS, strict=True)):
        x, y = LEFT + CELL * (j + 0.5) + 3, TOP - 6
        both = f'{token} <tspan class="soft">{html.escape(meaning.strip(token))}</tspan>'
        drawn.append(f'<text transform="translate({x:g} {y}) rotate(-60)">{both}</text>')
    for t, token in enumerate(targets):
        drawn.append(words(LEFT - 6, TOP + CELL * t + 19, token, 'text-anchor="end"'))
    title = "A translator learns where to look, and nobody tells it where"
    lines = textwrap.wrap(title, 36)
    drawn[:0] = [words(12, 24 + 20 * n, line, 'class="title"') for n, line in enumerate(lines)]
    # A ground of its own: pages are dark or light without asking whether their pictures are.
    drawn.insert(0, '<rect class="paper" width="100%" height="100%"/>')
    font = embedded_hangul("learning", "".join(sources))
    size = f'width="{SHOWN}" height="{round(SHOWN * high / width)}" viewBox="0 0 {width} {high}"'
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" id="learning" {size} '
        f'font-family="system-ui,sans-serif" role="img"><title>{title}</title>'
        f"<style>{font}{STYLE}{''.join(rules)}</style>{''.join(drawn + told)}</svg>\n"
    )


def card(drawn: str) -> bytes:
    """The last moment of the picture in the middle of a card, as PNG: the same on every machine."""
    still = re.sub(r"<style>.*?</style>", "", drawn, flags=re.DOTALL)
    placed = re.sub(
        r' width="\d+" height="\d+"', ' x="24" y="12" width="1152" height="606"', still, count=1
    )
    sans = Path(matplotlib.get_data_path(), "fonts", "ttf", "DejaVuSans.ttf")
    return resvg_py.svg_to_bytes(
        svg_string=f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1200 630">{placed}</svg>',
        style_sheet=STYLE.partition("@media")[0],
        background="#fff",
        width=1200,
        skip_system_fonts=True,
        font_files=[str(sans), str(packaged_font())],
        sans_serif_family="DejaVu Sans",
    )


if __name__ == "__main__":
    drawn = draw()
    Path(__file__).with_suffix(".svg").write_text(drawn, encoding="utf-8")
    Path(__file__).with_name("card.png").write_bytes(card(drawn))
