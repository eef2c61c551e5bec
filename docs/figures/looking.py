"""The picture on the first page: one sentence, its translation, and where the network looked.

python -m docs.figures.looking            # looking.svg, from looking.json
python -m docs.figures.looking --anew     # looking.json first, by the translator that comes along

One file without scripts and without requests. A word is emphasized from the beginning, so that
nobody has to point at anything; where the picture stands in a page itself, as on the front of the
web edition, another word is emphasized while one points at it, or comes to it by keyboard.
"""

import html
import json
import sys
from pathlib import Path

SENTENCE, CHOSEN = "Zwei Kinder spielen im Park Fußball.", "soccer"
RECORD = Path(__file__).with_suffix(".json")
WIDTH, HIGH, LOW, HEIGHT = 484, 58, 196, 230  # where the two sentences stand
LETTER, GAP = 8.6, 12  # about how wide a letter is, and how far words are apart
TOLD = (
    (18, "It reads German, all of it at once …"),
    (HEIGHT - 6, "… and writes English, word by word."),
)
TITLE = "A German sentence, its translation, and where the network looked for each word"
LEAST, SAID = 0.03, 0.1  # weights that are drawn, and those that are written

STYLE = """
#looking text{font-size:17px;fill:#1f2328;text-anchor:middle}
#looking .soft{font-size:16px;fill:#59636e;text-anchor:start}
#looking .share{font-size:15px;font-weight:600;fill:#0b5cad}
#looking .paper{fill:#fff}
#looking .line{fill:none;stroke:#0b5cad}
#looking .seen{fill:#0b5cad}
#looking .here{fill:none;stroke:#d55e00;stroke-width:2}
#looking .ground{fill:transparent}
#looking .word .some{opacity:0}
#looking .word .all{opacity:.3}
#looking .chosen .some,#looking .word:is(:hover,:focus) .some{opacity:1}
#looking .chosen .all,#looking .word:is(:hover,:focus) .all{opacity:1}
#looking:has(.word:is(:hover,:focus)) .chosen:not(:hover,:focus) .some{opacity:0}
#looking:has(.word:is(:hover,:focus)) .chosen:not(:hover,:focus) .all{opacity:.3}
#looking .word{outline:none}
"""
DARK = """#looking text{fill:#e6edf3}#looking .soft{fill:#9da7b1}#looking .paper{fill:#111418}
#looking .line{stroke:#79b8ff}#looking .seen{fill:#79b8ff}#looking .share{fill:#79b8ff}
#looking .here{stroke:#ff9d5c}
"""


def translate() -> dict:
    """The sentence, its translation and the weights, by the translator that comes along."""
    from attnlib.data import bundled_directory
    from attnlib.translator import Translator

    found = Translator.load(bundled_directory().parent / "de-en", "cpu").translate(SENTENCE)
    weights = [[round(float(weight), 2) for weight in row] for row in found.weights]
    tokens = {"read": list(found.src_tokens), "written": list(found.tgt_tokens)}
    return {**tokens, "text": found.text, "weights": weights}


def words(tokens: list[str], text: str) -> list[str]:
    """Tokens as they stand in the text, with its capital letters; the last one is the end."""
    shown = [token.replace("▁", "") for token in tokens[:-1]]
    assert "".join(shown).lower() == text.replace(" ", "").lower(), "every token is a word"
    text = text.replace(" ", "")
    for n, word in enumerate(shown):
        shown[n], text = text[: len(word)], text[len(word) :]
    return [*shown, "end"]


def placed(shown: list[str]) -> list[float]:
    """Where the middle of each word stands, so that the row is in the middle."""
    wide = [max(2.2, len(word)) * LETTER for word in shown]
    left = (WIDTH - sum(wide) - GAP * (len(wide) - 1)) / 2
    return [left + sum(wide[:n]) + GAP * n + own / 2 for n, own in enumerate(wide)]


def box(x: float, word: str, y: int, high: int) -> str:
    """The place of a rectangle around a word."""
    half = max(2.2, len(word)) * LETTER / 2 + 5
    return f'x="{x - half:.0f}" y="{y}" width="{2 * half:.0f}" height="{high}" rx="4"'


def looked(x: float, above: list[float], read: list[str], row: list[float]) -> tuple[str, str]:
    """The lines from a written word, and what is emphasized with it: shades and numbers."""
    lines, shades = "", ""
    for there, seen, weight in zip(above, read, row):
        if weight < LEAST:
            continue
        way = (
            f"M{x:.0f} {LOW - 19}C{x:.0f} {LOW - 70} {there:.0f} {HIGH + 60} {there:.0f} {HIGH + 9}"
        )
        look = f'stroke-opacity="{min(1, 1.6 * weight):.2f}" stroke-width="{1 + 9 * weight:.1f}"'
        lines += f'<path class="line" d="{way}" {look}/>'
        place = box(there, seen, HIGH - 18, 25)
        shades += f'<rect class="seen" {place} fill-opacity="{0.6 * weight:.2f}"/>'
        if weight >= SAID:
            shades += f'<text class="share" x="{there:.0f}" y="{HIGH - 23}">{weight:.2f}</text>'
    return lines, shades


def in_words(word: str, read: list[str], row: list[float]) -> str:
    """Where a word looked, for who cannot see it."""
    most = sorted(zip(row, read), reverse=True)[:3]
    return f"“{word}” looked at " + ", ".join(f"“{seen}” {weight:.2f}" for weight, seen in most)


def draw() -> str:
    record = json.loads(RECORD.read_text(encoding="utf-8"))
    read, written = words(record["read"], SENTENCE), words(record["written"], record["text"])
    above, below = placed(read), placed(written)
    drawn = ['<rect class="paper" width="100%" height="100%"/>']
    drawn += [f'<text class="soft" x="12" y="{y}">{said}</text>' for y, said in TOLD]
    for x, word, row in zip(below, written, record["weights"]):
        lines, shades = looked(x, above, read, row)
        place = box(x, word, LOW - 19, 28)
        look = f'class="word{" chosen" * (word == CHOSEN)}" tabindex="0" role="img"'
        drawn.append(
            f'<g {look} aria-label="{in_words(word, read, row)}"><g class="all">{lines}</g>'
            f'<g class="some">{shades}<rect class="here" {place}/></g>'
            f'<rect class="ground" {place}/>'
            f'<text x="{x:.0f}" y="{LOW}">{html.escape(word)}</text></g>'
        )
    for x, word in zip(above, read):
        drawn.append(f'<text x="{x:.0f}" y="{HIGH}">{html.escape(word)}</text>')
    style = f"{STYLE}@media(prefers-color-scheme:dark){{{DARK}}}"
    size = f'width="{WIDTH}" height="{HEIGHT}" viewBox="0 0 {WIDTH} {HEIGHT}"'
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" id="looking" {size}'
        f' font-family="system-ui,sans-serif" role="group" aria-label="{TITLE}">'
        f"<style>{style}</style>{''.join(drawn)}</svg>\n"
    )


if __name__ == "__main__":
    if "--anew" in sys.argv:
        made = json.dumps(translate(), ensure_ascii=False, indent=1)
        RECORD.write_text(made + "\n", encoding="utf-8")
    RECORD.with_suffix(".svg").write_text(draw(), encoding="utf-8")
