"""The moving picture on the first page: a heat map of attention crystallizes while a model learns.

python site/figures/learning.py      # reads data/runs/10_learning.json, writes learning.svg

One file without scripts and without requests: the cells change by CSS, the Hangul is embedded. It
begins with its last moment, which is what a program shows that draws one frame, and stands still
there where a reader asks for less motion.
"""

import html
import json
from pathlib import Path
from typing import Any

from attnbook.figures import embedded_hangul
from attnlib.data import bundled_directory

SENTENCE = 2  # of those that the record follows
MEANINGS = [
    "painter",
    "(topic)",
    "school",
    "at",
    "apple",
    "(object)",
    "ate",
    "and",
    ",",
    "journalist",
    "(topic)",
    "tree",
    "(object)",
    "drew",
    "(end)",
    ".",
]
CELL, ROW, LEFT, TOP = 38, 21, 92, 112  # pixels
WRITES = 84  # letters of what it writes
SECONDS, HELD = 1.6, 4.0  # of a moment, and of the last one
REACHED = 0.35  # the share of its time after which a moment stands still

STYLE = """
#learning{--ink:#1f2328;--soft:#59636e;--mark:#0b5cad;--empty:#eef1f4;--paper:#fff}
@media(prefers-color-scheme:dark){#learning{--ink:#e6edf3;--soft:#9da7b1;--mark:#79b8ff;
--empty:#1c232b;--paper:#111418}}
#learning .paper{fill:var(--paper)}
#learning text{fill:var(--ink);font-size:13px}
#learning .soft{fill:var(--soft);font-size:11px}
#learning .title{font-size:17px;font-weight:600}
#learning .cell{fill:var(--mark)}
#learning .ground{fill:var(--empty)}
@media(prefers-reduced-motion:reduce){#learning *{animation:none!important}}
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
            x, y = LEFT + CELL * j, TOP + ROW * t
            place = f'x="{x}" y="{y}" width="{CELL - 2}" height="{ROW - 2}"'
            name = f"c{t}-{j}"
            drawn.append(f'<rect class="ground" {place}/>')
            look = f'style="animation-name:{name}" ' if max(values) - min(values) >= 0.02 else ""
            drawn.append(f'<rect class="cell" {look}{place} opacity="{values[-1]:.2f}"/>')
            rules += [frames(name, values)] if look else []
    return drawn, rules


def words(x: float, y: float, text: str, more: str = "") -> str:
    return f'<text x="{x:g}" y="{y:g}" {more}>{html.escape(text)}</text>'


def captions(moments: list[dict[str, Any]], y: int) -> tuple[list[str], list[str]]:
    """What it writes after so many updates, one line over the other."""
    drawn, rules = [], []
    for n, moment in enumerate(moments):
        text = moment["text"]
        if len(text) > WRITES:
            text = text[:WRITES].rpartition(" ")[0] + " …"
        shown = [float(k == n) for k in range(len(moments))]
        rules.append(frames(f"m{n}", shown))
        look = f'style="animation-name:m{n}" opacity="{shown[-1]:g}"'
        line = words(12, y, f"after {moment['update']:,} updates it writes:", 'class="soft"')
        drawn.append(f'<g class="moment" {look}>{line}{words(190, y, text)}</g>')
    return drawn, rules


def draw() -> str:
    sentence, moments = read()
    sources = [token.removeprefix("##") for token in sentence["tokens"]]
    targets = sentence["reference tokens"]
    width, low = LEFT + CELL * len(sources) + 12, TOP + ROW * len(targets)
    drawn, rules = cells(moments)
    told, more = captions(moments, low + 30)
    seconds = SECONDS * (len(moments) - 1) + HELD
    rules += [
        *more,
        f"#learning .cell,#learning .moment{{animation-duration:{seconds:g}s;"
        f"animation-delay:{(1 - REACHED) * HELD - seconds:g}s;animation-iteration-count:infinite}}",
    ]
    for j, (token, meaning) in enumerate(zip(sources, MEANINGS, strict=True)):
        middle = LEFT + CELL * (j + 0.5)
        drawn.append(words(middle, 62, token, 'text-anchor="middle"'))
        slanted = f'class="soft" transform="rotate(-38 {middle - 8:g} {TOP - 6})"'
        drawn.append(words(middle - 8, TOP - 6, meaning, slanted))
    for t, token in enumerate(targets):
        drawn.append(words(LEFT - 8, TOP + ROW * t + 14, token, 'text-anchor="end"'))
    title = "A translator learns where to look, and nobody tells it where"
    drawn.insert(0, words(12, 28, title, 'class="title"'))
    # A ground of its own: pages are dark or light without asking whether their pictures are.
    drawn.insert(0, '<rect class="paper" width="100%" height="100%"/>')
    font = embedded_hangul("learning", "".join(sources))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" id="learning" viewBox="0 0 {width} {low + 46}" '
        f'font-family="system-ui,sans-serif" role="img"><title>{title}</title>'
        f"<style>{font}{STYLE}{''.join(rules)}</style>{''.join(drawn + told)}</svg>\n"
    )


if __name__ == "__main__":
    Path(__file__).with_suffix(".svg").write_text(draw(), encoding="utf-8")
