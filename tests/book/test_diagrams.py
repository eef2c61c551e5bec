"""Drawings: what stands in them comes from the arguments, and nothing in them can do harm."""

import html
import random
import re

import diagrams
import pytest
import torch
from diagrams import DRAWN, EN, SVG, drawn, each, labels, step, texts, tree_of, whole
from stripped import check_stripped
from torch import nn

from attnbook import figures
from attnbook.figures.diagrams.paths import matches
from attnlib import metrics

# What a drawing is -------------------------------------------------------------------------------


def test_every_diagram_of_the_package_is_drawn_here():
    called = {name for make in DRAWN.values() for name in make.__code__.co_names}
    made = {name for name in called if "diagram" in name}
    assert made | {"attention_diagram", "decoder_step_diagram"} == {
        name for name in figures.__all__ if name.endswith("_diagram")
    }


@each
def test_a_drawing_is_small_whole_and_described_wherever_it_is_shown(name):
    drawing = drawn(name)
    root, page = tree_of(drawing), drawing._repr_html_()
    title, words = drawing.title, drawing.alt
    head = [(SVG + "title", title), (SVG + "desc", words)]
    assert [(node.tag, node.text) for node in root[:2]] == head
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
    tags, plain_tags = ([node.tag for node in tree_of(one).iter()] for one in (drawing, plain))
    assert tags == plain_tags
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
            lambda: figures.transformer_diagram(diagrams.transformer(96, 3, 200, 5)),
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
    every = texts(drawn(part))
    bright = list(every)
    for dim in drawing.iter(SVG + "g"):
        for text in labels(dim):
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
    listed = ", ".join(f"{word} {weight:.2f}" for word, weight in zip(diagrams.KO, weights))
    assert drawing.alt.endswith(f"Weights: {listed}.")


def test_bahdanau_and_luong_differ_in_who_asks_and_where_the_context_goes():
    def arrows(order):
        path = r'<path class="line (attention|target)[^>]+d="([^"]+)"'
        return set(re.findall(path, step(order).svg))

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
    two = figures.scores_diagram(
        diagrams.kinds("general", "additive", query_size=5, key_size=7, hidden=3)
    )
    assert [text for text in texts(two) if text.isdecimal()] == ["35", str(3 * 5 + 3 * 7 + 3)]
    assert two.alt.endswith("the row v a; 39 learned.")


def test_the_answer_of_a_lookup_is_the_weighted_sum():
    values = torch.tensor([9.0, 2.0, 3.0])
    weights = (diagrams.KEYS @ (diagrams.KEYS[1] * 3)).softmax(0)
    answer = f"answer {float(weights @ values):.2f}"
    drawing = drawn("lookup")
    assert answer in texts(drawing) and drawing.alt.endswith(f"{answer}.")
    shown = [text for text in texts(drawing) if re.fullmatch(r"\d\.\d\d", text)]
    assert shown[1::2] == [f"{weight:.2f}" for weight in weights]


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
    drawing = figures.beam_diagram(diagrams.TRACE)
    slots = [text for text in texts(drawing) if re.fullmatch(r"\d(, \d)*", text)]
    assert slots == ["0, 0", "1, 0", "0, 1"]
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
            lambda: figures.lstm_step_diagram("candidate", 0.0, diagrams.GATES | {"g": -1.2}),
            r"gates\['g'\] must be between -1 and 1, got -1.2",
        ),
    ],
)
def test_bad_arguments_are_named_with_what_was_expected_and_what_came(make, message):
    with pytest.raises(ValueError, match=message):
        make()
