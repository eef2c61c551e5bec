"""Drawings: what stands in them comes from the arguments, and a reader can read it everywhere."""

import functools
import html
import json
import random
import re
from xml.etree import ElementTree

import pytest
import torch
from drawing import browser, record
from stripped import check_stripped
from torch import nn

from attnbook import figures
from attnbook.figures.diagrams import diagram as look
from attnbook.figures.diagrams.paths import matches
from attnlib import metrics
from attnlib.model import Transformer, make_attention

KO, EN = ["나는", "집에", "갔다", "<eos>"], ["I", "went", "home"]
MAT = ["the", "cat", "sat", "on", "the", "mat"]
SVG = "{http://www.w3.org/2000/svg}"

TRACE = [
    record("s", None, 0, "<sos>", 0.0),
    record("a", "s", 1, "He", -0.69),
    record("b", "s", 1, "I", -0.92),
    record("c", "b", 2, "went", -1.02),
    record("d", "a", 2, "went", -1.61),
    record("e", "a", 2, "came", -1.74, "pruned"),
    record("d$", "d", 3, "<eos>", -2.12, "finished"),
    record("c$", "c", 3, "<eos>", -1.53, "best"),
]


def transformer(size=88, heads=4, inner=176, layers=2) -> Transformer:
    sizes = {"hidden_size": size, "num_heads": heads, "feedforward_size": inner}
    return Transformer(1234, 720, num_layers=layers, **sizes)


def whole(scores=(0.3, 2.4, -0.7, 0.1)):
    return figures.attention_diagram(
        KO, EN, torch.zeros(4, 64), torch.zeros(3, 48), torch.tensor(scores)
    )


def step(order, weights=(0.6, 0.37, 0.03)):
    sizes = torch.zeros(6), torch.zeros(5), torch.zeros(3, 8)
    return figures.decoder_step_diagram(order, *sizes, torch.tensor(weights))


SCORES = ("dot", "scaled_dot", "general", "concat", "additive")


def kinds(*names, query_size=128, key_size=128, hidden=64):
    return {name: make_attention(name, query_size, key_size, hidden) for name in names or SCORES}


KEYS = torch.tensor([[0.3, 0.0, 0.5, 0.1], [0.1, 0.9, 0.2, 0.1], [0.2, 0.6, 0.3, 0.1]])
GATES = {"i": 0.25, "f": 0.5, "g": -0.8, "o": torch.tensor(0.75)}
DRAWN = {
    "rnn": lambda: figures.rnn_diagram(nn.RNNCell(3, 2), KO[:3]),
    "lstm": lambda: figures.lstm_diagram(nn.LSTMCell(3, 2)),
    "forget gate": lambda: figures.lstm_step_diagram("forget gate", -1.5, GATES),
    "candidate": lambda: figures.lstm_step_diagram("candidate", -1.5, GATES),
    "input gate": lambda: figures.lstm_step_diagram("input gate", -1.5, GATES),
    "output gate": lambda: figures.lstm_step_diagram("output gate", -1.5, GATES),
    "gru": lambda: figures.gru_diagram(nn.GRUCell(3, 5)),
    "both ways": lambda: figures.bidirectional_diagram(torch.zeros(4, 8), KO),
    "layouts": lambda: figures.layouts_diagram(),
    "weighted mean": lambda: figures.weighted_mean_diagram(
        EN, 4 * KEYS[:, :2], torch.tensor((0.125, 0.125, 0.75))
    ),
    "opened": lambda: figures.opened_cell_diagram(nn.LSTMCell(3, 2), KO),
    "bahdanau": lambda: step("bahdanau"),
    "luong": lambda: step("luong"),
    "input feeding": lambda: step("input feeding"),
    "both halves": lambda: figures.encoder_decoder_diagram(
        KO, EN, torch.zeros(4, 64), torch.zeros(3, 48)
    ),
    "both halves, writing": lambda: figures.encoder_decoder_diagram(
        KO, EN, torch.zeros(4, 64), torch.zeros(3, 48), fed_back=True
    ),
    "attention": whole,
    "attention of two": lambda: figures.attention_diagram(
        KO[:2], EN[:2], torch.zeros(2, 512), torch.zeros(2, 512), torch.tensor([-12.3, 4.0])
    ),
    "fed": lambda: figures.free_running_diagram(
        ["I", "go", "home", "."], ["I", "went", "to", "houses"]
    ),
    "no recurrence": lambda: figures.no_recurrence_diagram(
        KO, EN, torch.zeros(4, 64), torch.zeros(3, 48)
    ),
    "lookup": lambda: figures.lookup_diagram(
        ["computer", "dog", "cat"], KEYS[1] * 3, KEYS, torch.tensor([9.0, 2.0, 3.0])
    ),
    "lookup, not solved": lambda: figures.lookup_diagram(
        ["dog", "cat"], KEYS[0], KEYS[:2], torch.tensor([2.0, 3.0]), solved=False
    ),
    "scores": lambda: figures.scores_diagram(kinds()),
    "feeding": lambda: figures.scheduled_sampling_diagram(
        ["I", "go", "home", "."], ["I", "went", "home", "."], [True, False, True]
    ),
    "beam": lambda: figures.beam_diagram(TRACE),
    "runs": lambda: figures.ngram_diagram(
        ["now", *MAT[:5], *MAT[4:]], MAT, 2
    ),
    "words": lambda: figures.ngram_diagram(["the", "the", "the", "cat"], ["the", "cat", "the"], 1),
    "transformer": lambda: figures.transformer_diagram(transformer()),
    "long words": lambda: figures.encoder_decoder_diagram(
        ["mmmmmmmmmmmmmm", "Donaudampfschifffahrt", "개발자컨퍼런스에서", "."],
        ["WWWWWWWWWWW", "internationalization", "iiiiiiiiiiiiiiiiiiiii", "."],
        torch.zeros(4, 8), torch.zeros(4, 8),
    ),
}  # fmt: skip
each = pytest.mark.parametrize("name", DRAWN)


@functools.cache
def drawn(name: str) -> figures.Diagram:
    return DRAWN[name]()


def tree_of(drawing) -> ElementTree.Element:
    return ElementTree.fromstring(drawing.svg.replace("<svg", f'<svg xmlns="{SVG[1:-1]}"', 1))


def texts(drawing) -> list[str]:
    return [
        "".join(text.itertext()).replace("\u200b", "")
        for text in tree_of(drawing).iter(SVG + "text")
    ]


# What a drawing is -------------------------------------------------------------------------------


def test_every_diagram_of_the_package_is_drawn_here():
    called = {
        name for make in DRAWN.values() for name in (*make.__code__.co_names,) if "diagram" in name
    }
    made = called | {"attention_diagram", "decoder_step_diagram"}
    assert made == {name for name in figures.__all__ if name.endswith("_diagram")}


@each
def test_a_drawing_is_small_whole_and_described_wherever_it_is_shown(name):
    drawing = drawn(name)
    root, page = tree_of(drawing), drawing._repr_html_()
    title, words = drawing.title, drawing.alt
    assert [(node.tag, node.text) for node in root[:2]] == [
        (SVG + "title", title),
        (SVG + "desc", words),
    ]
    assert [node.get("id") for node in root[:2]] == root.get("aria-labelledby").split()
    assert root.get("role") == "img" and repr(drawing) == f"<diagram: {title}>"
    assert len(title) > 8 and len(words) > 120 and "  " not in words
    assert html.escape(words) in page.split("<details>")[1]
    for text in root.iter(SVG + "text"):  # after an index the line goes on where it was
        assert sum(float(span.get("dy", 0)) for span in text) == 0, "".join(text.itertext())
    hangul = any("가" <= letter <= "힣" for text in texts(drawing) for letter in text)
    assert ("@font-face" in drawing.style) == hangul
    assert len(page.encode()) <= 130_000
    check_stripped(page, title)
    page, pictures = re.subn(r'src="data:image/png;base64,[\w+/=]+"', "", page)
    swap = r"<script>\nfor .* {\n  picture.outerHTML = .*;\n}\n</script>"
    page, scripts = re.subn(swap, "", page)
    assert (pictures, scripts) == (1, 1), "a picture, and the script that puts the drawing there"
    assert "://" not in page and not re.search(r"@import|\bhref|\bsrc=|<script", page)
    assert set(re.findall(r"url\((.{5})", page)) <= {"data:"}


def test_words_that_look_like_markup_or_a_formula_stay_words():
    evil = ["</svg><b>", "$h_t$", "a_b &lt;"]
    drawing = figures.free_running_diagram(evil, evil)
    assert {"$h_t$", "a_b &lt;"} <= set(texts(drawing))
    assert any(text.startswith("</sv") for text in texts(drawing))
    plain = figures.free_running_diagram(["a", "b", "c"], ["a", "b", "c"])
    assert [node.tag for node in tree_of(drawing).iter()] == [
        node.tag for node in tree_of(plain).iter()
    ]
    assert "<b>" not in drawing._repr_html_()


# What stands in it -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("make", "wanted"),
    [
        (lambda: figures.rnn_diagram(nn.RNN(7, 5), EN), ["(5, 7)", "(5, 5)"]),
        (lambda: figures.lstm_diagram(nn.LSTM(7, 5)), ["(20, 7)", "(20, 5)", "5 numbers"]),
        (lambda: figures.gru_diagram(nn.GRUCell(7, 5)), ["(15, 7)", "(15, 5)"]),
        (lambda: figures.bidirectional_diagram(torch.zeros(3, 10), EN), ["5 + 5 = 10 numbers"]),
        (DRAWN["weighted mean"], ["0.125", "0.750", "0.80", "2.25"]),
        (lambda: figures.opened_cell_diagram(nn.LSTMCell(7, 5), EN), ["7 numbers", "5 each"]),
        (DRAWN["both halves"], ["(4, 64)", "(3, 48)", "one state, 64 numbers"]),
        (whole, ["(4, 64)", "(3, 48)"]),
        (DRAWN["luong"], ["(6,)", "(5,)", "(8,)"]),
        (
            lambda: figures.transformer_diagram(transformer(96, 3, 200, 5)),
            ["embed 1,234 × 96", "embed 720 × 96", "3 heads", "96 → 200 → 96", "× 5", "96 → 720"],
        ),
    ],
)
def test_sizes_in_a_drawing_are_those_of_the_tensors_given(make, wanted):
    drawn = " | ".join(texts(make()))
    for text in wanted:
        assert text in drawn


@pytest.mark.parametrize(
    ("part", "shown", "lit", "formula"),
    [
        ("forget gate", "−1.50 0.50 −0.75", "× f σ ct−1", "kept: 0.50 × −1.50 = −0.75"),
        ("candidate", "−0.80", "g tanh", "offered: −0.80"),
        (
            *("input gate", "−0.75 −0.80 0.25 −0.20 −0.95", "× i σ + ct"),
            "ct = −0.75 + 0.25 × −0.80 = −0.95",
        ),
        (
            *("output gate", "−0.95 −0.74 0.75 −0.55", "+ ct × tanh o σ ht"),
            "ht = 0.75 × −0.74 = −0.55",  # tanh(−0.95) is −0.7398
        ),
    ],
)
def test_in_a_step_of_an_lstm_one_part_stands_out_with_its_numbers(part, shown, lit, formula):
    shown = shown.split()
    whole_cell, drawing = texts(drawn("lstm")), tree_of(drawn(part))
    dim = [
        "".join(text.itertext()).replace("\u200b", "")
        for group in drawing.iter(SVG + "g")
        for text in group.iter(SVG + "text")
    ]
    every = texts(drawn(part))
    bright = list(every)
    for text in dim:
        bright.remove(text)
    assert [text for text in bright if re.fullmatch(r"−?\d\.\d\d", text)] == shown
    assert bright[-1] == formula
    assert sorted(bright[: -1 - len(shown)]) == sorted([*lit.split(), "ht−1", "xt"])
    assert set(whole_cell) - {t for t in whole_cell if ":" in t or "weight" in t} <= set(every)


def test_weights_are_the_softmax_of_the_scores_and_the_darkest_is_the_largest():
    scores = (0.3, 2.4, -0.7, 0.1)
    drawing = whole(scores)
    weights = torch.tensor(scores).softmax(0).tolist()
    drawn = [text for text in texts(drawing) if re.fullmatch(r"−?\d\.\d+", text)]
    assert drawn == ["0.3", "2.4", "−0.7", "0.1", *(f"{weight:.2f}" for weight in weights)]
    shades = [float(x) for x in re.findall(r"fill-opacity:([\d.]+)\"", drawing.svg)]
    assert shades == [pytest.approx(0.05 + 0.5 * weight, abs=0.006) for weight in weights]
    listed = ", ".join(f"{word} {weight:.2f}" for word, weight in zip(KO, weights))
    assert drawing.alt.endswith(f"Weights: {listed}.")


def test_bahdanau_and_luong_differ_in_who_asks_and_where_the_context_goes():
    def arrows(order):
        return set(
            re.findall(r'<path class="line (attention|target)[^>]+d="([^"]+)"', step(order).svg)
        )

    bahdanau, luong, feeding = map(arrows, ("bahdanau", "luong", "input feeding"))
    assert len(bahdanau & luong) == 4  # old state to new, to and from the context, state to output
    (asks,) = (path for kind, path in bahdanau - luong if kind == "target")
    assert asks.startswith("M54 ")  # below the old state
    assert [kind for kind, _ in bahdanau - luong].count("attention") == 1  # context to new state
    assert [kind for kind, _ in luong - bahdanau] == ["target"]
    assert luong == feeding
    assert texts(step("bahdanau")).count("deep output") == 1
    wide = [float(x) for x in re.findall(r"stroke-width:([\d.]+)", step("luong").svg)]
    assert wide == [pytest.approx(0.8 + 5 * weight, abs=0.01) for weight in (0.6, 0.37, 0.03)]


def test_a_score_shows_how_many_numbers_it_learns_and_has_the_boxes_of_its_formula():
    boxes = texts(drawn("scores"))
    learned = [text for text in boxes if re.fullmatch(r"[\d,]+", text)]
    assert learned == ["0", "0", "16,384", "16,448", "16,448"]
    counts = {box: boxes.count(box) for box in ("×, Σ", "÷√H", "+", "tanh", "Wa", "Ua", "va")}
    assert counts == {"×, Σ": 3, "÷√H": 1, "+": 1, "tanh": 2, "Wa": 3, "Ua": 1, "va": 2}
    two = figures.scores_diagram(kinds("general", "additive", query_size=5, key_size=7, hidden=3))
    assert [text for text in texts(two) if text.isdecimal()] == ["35", str(3 * 5 + 3 * 7 + 3)]
    assert two.alt.endswith("the row v a; 39 learned.")


def test_the_answer_of_a_lookup_is_the_weighted_sum():
    values = torch.tensor([9.0, 2.0, 3.0])
    weights = (KEYS @ (KEYS[1] * 3)).softmax(0)
    answer = f"answer {float(weights @ values):.2f}"
    drawing = drawn("lookup")
    assert answer in texts(drawing) and drawing.alt.endswith(f"{answer}.")
    assert [f"{weight:.2f}" for weight in weights] == [
        text for text in texts(drawing) if re.fullmatch(r"\d\.\d\d", text)
    ][1::2]


def test_a_coin_decides_what_is_fed():
    gold, written = ["I", "go", "home"], ["You", "went", "house"]
    for coins, fed in (
        ([True, True], "<sos> I go"),
        ([False, False], "<sos> You went"),
        ([True, False], "<sos> I went"),
    ):
        drawing = figures.scheduled_sampling_diagram(gold, written, torch.tensor(coins))
        assert f"in this order: {fed}." in drawing.alt
        assert [text == "✓" for text in texts(drawing) if text in "✓✗"] == coins
        dotted = [mark for mark in drawing.svg.split("\n") if 'faint"' in mark and "path" in mark]
        assert len(dotted) == 2  # of each coin's two arrows one


def test_a_beam_shows_from_which_slot_each_hypothesis_comes():
    drawing = figures.beam_diagram(TRACE)
    assert [text for text in texts(drawing) if re.fullmatch(r"\d(, \d)*", text)] == [
        "0, 0",
        "1, 0",
        "0, 1",
    ]
    assert "came" not in texts(drawing)  # pruned
    assert drawing.svg.count('style="stroke-width:3.2"') == 3  # the way to the best
    assert drawing.alt.endswith(
        "Step 1: He −0.69 from slot 0; I −0.92 from slot 0. "
        "Step 2: went −1.02 from slot 1; went −1.61 from slot 0. "
        "Step 3: <eos> −1.53 from slot 0, best; <eos> −2.12 from slot 1."
    )


def test_matched_runs_are_those_that_the_clipped_precision_counts():
    draw = random.Random(0)
    for _ in range(200):
        one, other = ([draw.choice("abc") for _ in range(draw.randint(1, 9))] for _ in "12")
        n = draw.randint(1, 4)
        pairs = matches(one, other, n)
        found = {i: j for i, j in pairs.items() if j is not None}
        assert len(set(found.values())) == len(found)
        assert all(one[i : i + n] == other[j : j + n] for i, j in found.items())
        share = metrics.overlap(" ".join(one), " ".join(other), n).precision
        assert share == pytest.approx(len(found) / len(pairs) if pairs else 0.0)
    drawing = drawn("runs")
    assert "5 of 7 runs of 2 words found" in texts(drawing)
    assert drawing.alt.endswith("Found: the cat, cat sat, sat on, on the, the mat. p 2 = 5/7.")


# How it looks ------------------------------------------------------------------------------------

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


# What is refused ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: figures.rnn_diagram(nn.LSTMCell(3, 2), EN), r"1 blocks .*got \(8, 2\)"),
        (lambda: figures.rnn_diagram(nn.RNNCell(3, 2), ["a"]), "words must have 2 to 4 .*got 1"),
        (lambda: whole((0.1, 0.2)), r"scores must have shape \(4,\) .*got \(2,\)"),
        (lambda: whole((0.1, 0.2, 0.3, float("nan"))), "scores must .* be finite"),
        (lambda: step("bahdanow"), "order must be one of bahdanau, luong, .*'bahdanow'"),
        (
            lambda: figures.lstm_step_diagram("candidate", 0.0, GATES | {"g": -1.2}),
            r"gates\['g'\] must be between -1 and 1, got -1.2",
        ),
    ],
)
def test_bad_arguments_are_named_with_what_was_expected_and_what_came(make, message):
    with pytest.raises(ValueError, match=message):
        make()
