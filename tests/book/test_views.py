"""Interactive views: safe, self-contained, the same bytes everywhere, and drawn by a browser."""

import base64
import functools
import io
import json
import math
import re
from html import escape as html_of
from html.parser import HTMLParser
from xml.etree import ElementTree

import numpy as np
import pytest
import torch
from drawing import browser, record
from fontTools.pens.recordingPen import RecordingPen
from fontTools.ttLib import TTFont

from attnbook import views
from attnbook.figures.diagrams import diagram
from attnbook.figures.diagrams.diagram import SIZES
from attnbook.figures.diagrams.page import breadth
from attnbook.views.still import table
from attnlib.figures import PALETTE

WEIGHTS = [[0.1, 0.2, 0.7], [0.9, 0.05, 0.05]]
SRC, TGT = ["나는", "학교\nschool", "갔다"], ["went", "I"]
EVIL = ("</script><b>", "\" onmouseover='x' <!--", "<svg onload=x>\u2028&lt;")


TRACE = [
    record("s", None, 0, "<sos>", 0.0),
    record("a", "s", 1, "went", -0.5),
    record("b", "s", 1, "나는", -1.234567, "pruned"),
    record("a$", "a", 2, "<eos>", -0.75, "best"),
]


GATES = {name: np.linspace(-1, 1, 12).reshape(3, 4) for name in "ifgoc"}
VALUES = torch.tensor([[1.0, -2.0], [0.5, 0.0], [0.0, 3.0]])


def learned(src=SRC, tgt=TGT, weights=WEIGHTS, **options):
    """A view of one moment of a training."""
    return views.learning_view([{"step": 1, "tokens": tgt, "weights": weights}], src, **options)


@functools.cache
def every_view(words=("the", "cat", "sat"), title="A title"):
    """One view of each kind whose labels and title are the given three words and title."""
    records = [{**node, "token": word} for node, word in zip(TRACE, [*words, "end"])]
    bleu = {words[0]: [90.0, 80.0, np.nan]}
    ends = {words[0]: [[88, 92], [78, 81], [0, 0]]}
    scores = torch.tensor([[0.0, 1.0, float("-inf")], [2.0, 0.0, 1.0]])
    records_learned = [
        {"step": 100, "tokens": [], "weights": []},
        {"step": 300, "tokens": words[:2], "weights": WEIGHTS, "note": words[2]},
    ]
    found = [{"tokens": [word], "log_prob": -1.0} for word in words]
    line = {"title": title}
    return {
        "bleu": views.bleu_view(words, bleu, intervals=ends, counts=[9, 9, 1], title=title),
        "beam": views.beam_view(records, title=title),
        "steps": views.attention_steps_view(scores, VALUES, words, words[:2], **line),
        "learning": views.learning_view(records_learned, words, **line),
        "temperature": views.temperature_view([2.0, 1.0, 0.0], words, **line),
        "kernel": views.kernel_view([0.0, 1.0, 2.0], [0.0, 1.0, 0.0], **line),
        "lstm": views.lstm_view(GATES, words, **line),
        "gradient": views.gradient_view({words[0]: [0.1, 0.2, 0.4]}, words, **line),
        "rerank": views.rerank_view({1: found[:1], 3: found}, reference=words[0], **line),
        "hypothesis": views.hypothesis_view(words[0], words[1], suggestions=words, **line),
    }


KINDS = tuple(every_view())


def data_of(view) -> dict:
    return json.loads(re.search(r"parts => draw\((.*), parts\)", view.html).group(1))


def still_of(view) -> ElementTree.Element:
    """The static figure whose picture stands on the page."""
    assert base64.b64encode(view.still.png()).decode() in view.html
    svg = view.still.svg.replace("<svg", '<svg xmlns="http://www.w3.org/2000/svg"', 1)
    return ElementTree.fromstring(svg)


def texts_of(view) -> list[str]:
    return [text.text for text in still_of(view).iter("{http://www.w3.org/2000/svg}text")]


def test_a_still_has_the_colors_of_its_view_and_of_the_heat_maps():
    """Blue for weights and for what is above zero, orange for what is below."""
    style = learned().html
    (blue,), (orange,) = (re.findall(rf"--{name}:(#\w+)", style) for name in "bo")
    assert diagram.KINDS["attention"].lower() == PALETTE[0].lower() == blue
    assert diagram.KINDS["source"].lower() == orange
    signed = views.lstm_view({gate: [[-0.5], [0.5]] for gate in "ifgoc"}, ["a", "b"])
    for kind, view in {
        "signed": signed,
        "learned": learned(),
        "bleu": every_view()["bleu"],
    }.items():
        marks = still_of(view).iter("{http://www.w3.org/2000/svg}path")
        boxes = {mark.get("class") for mark in marks if "box" in mark.get("class", "")}
        assert boxes <= {"box attention", "box source"}
        assert ("box source" in boxes) == (kind == "signed")
    curve = still_of(every_view()["kernel"]).find(".//*[@class='line source']")
    assert curve is not None and ".line.orange" in style


class Tags(HTMLParser):
    """All tags with their attributes, as a browser's parser would meet them."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict]] = []
        self.feed(html)
        self.close()

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))

    def handle_comment(self, data):
        self.tags.append(("comment", {}))


@pytest.mark.parametrize("kind", KINDS)
def test_a_view_is_safe_small_and_whole_and_has_a_still_with_its_words(kind):
    view, evil = every_view()[kind], every_view(EVIL, title=EVIL[0])[kind]
    assert len(view.html.encode()) < 60_000  # three words; the rest is for more of them
    tags = Tags(view.html).tags
    shape = [(tag, sorted(attrs)) for tag, attrs in tags]
    assert [(tag, sorted(attrs)) for tag, attrs in Tags(evil.html).tags] == shape
    if kind != "kernel":  # which has numbers alone
        assert EVIL[0] in json.dumps(data_of(evil), ensure_ascii=False)
    still_of(evil)  # reads as XML
    script = evil.html.split("<script>")[1]
    assert script.count("</script>") == 1 and "<!--" not in script and "\u2028" not in script
    assert set(re.findall(r"\w+://[^\"'/ )]+", view.html)) == {"http://www.w3.org"}  # SVG's name
    assert not re.search(r"fetch|XMLHttp|import\s|@import|innerHTML|eval\(", view.html)
    korean = learned().html
    assert set(re.findall(r"url\((.{5})", view.html + korean)) <= {"data:"}
    named = [attrs.get(name, "data:") for _, attrs in tags for name in ("src", "href")]
    assert {name[:5] for name in named} == {"data:"}
    picture = next(attrs for tag, attrs in tags if tag == "img")
    assert picture["alt"] == view.alt and len(view.alt) > 30
    assert f">The figure in words</summary><p>{html_of(view.alt)}</p>" in view.html
    root = still_of(view)
    assert root.tag.endswith("svg") and root.get("role") == "img"
    assert {node.tag.split("}")[1] for node in root.iter()} & {"path", "rect"}


def test_a_view_that_would_be_longer_is_refused():
    words = [f"word{n}" for n in range(150)]
    with pytest.raises(
        ValueError, match="at most 90,000 bytes of HTML for 'Big', got .*show fewer"
    ):
        learned(words, words, np.full((150, 150), 0.123), title="Big")


def test_alternative_texts_and_names_tell_what_the_arrays_hold():
    alts = {kind: view.alt for kind, view in every_view().items()}
    assert "“the” on “cat” (0.73), “cat” on “the” (0.67)" in alts["steps"]
    assert "the: 90.0 at the, 80.0 at cat, no value at sat" in alts["bleu"]
    assert "4 hypotheses: 1 best, 0 finished, 2 live, 1 pruned" in alts["beam"]
    assert "Best: “the cat end”, log-probability -0.75" in alts["beam"]
    assert learned(alt='An "own" text').alt == 'An "own" text'
    step = [[0.0]], [[1.0]], ["a"], ["a"]
    assert "1 step of a decoder." in views.attention_steps_view(*step).alt
    asking = views.attention_steps_view(*step, verb="asks")
    assert "1 step. Largest" in asking.alt and data_of(asking)["verb"] == "asks"
    best = views.beam_view([{**TRACE[0], "token": "<sos>\nstart", "status": "best"}])
    assert best.alt.startswith("Beam search, 1 hypothesis: 1 best, 0 finished, 0 live, 0 pruned.")
    assert best.alt.endswith(" Best: “<sos> start”, log-probability 0.00.")
    assert repr(best) == "<beam view: 1 hypothesis>"
    assert repr(every_view()["bleu"]) == "<BLEU view: 1 system in 3 buckets>"


def test_the_numbers_on_the_page_are_the_arguments_rounded():
    weights = torch.tensor([[0.1234, 0.8766], [0.5, 0.5]], requires_grad=True)
    (shot,) = data_of(learned(["a", "b"], ["c"], weights))["shots"]
    assert shot == {"step": 1, "tgt": ["c"], "weights": [[12, 88]]}, "not the end mark's"
    assert data_of(every_view()["learning"])["shots"][1]["note"] == "sat"
    assert data_of(views.beam_view(TRACE))["nodes"][2] == {
        "parent": 0,
        "step": 1,
        "token": "나는",
        "status": "pruned",
        "log_prob": -1.23,
    }
    bleu = data_of(every_view()["bleu"])["lines"][0]
    assert bleu["y"] == [90.0, 80.0, None] and bleu["ends"][1] == [78.0, 81.0]
    scores = torch.tensor([[1.0, float("-inf")]])
    lstm = data_of(views.lstm_view(GATES, ["a", "b", "c"], start=2, shown="c", word=1))
    assert lstm["i"][0] == [-1000, -818, -636, -455]
    assert (lstm["unit"], lstm["gate"], lstm["word"]) == (2, 4, 1)
    steps = data_of(views.attention_steps_view(scores, torch.ones(2, 40), ["a", "b"], ["c"]))
    assert steps["scores"] == [[1.0, None]], "masked"
    assert steps["units"] == 40 and [len(row) for row in steps["values"]] == [12, 12]


def test_a_gradient_is_as_dark_as_its_share_of_the_largest_on_a_log_scale():
    norms = {"RNN": [1e-9, 0.01, 1.0], "attention": [5.0, 5.0, 0.5]}
    data = data_of(views.gradient_view(norms, SRC, direct={"attention"}))
    assert [line["shade"] for line in data["lines"]] == [[0.0, 0.5, 1.0], [1.0, 1.0, 0.75]]
    assert [line["direct"] for line in data["lines"]] == [False, True]
    assert data["lines"][0]["y"] == [1e-9, 0.01, 1.0]
    assert data_of(views.gradient_view({"none": [0, 0, 0]}, SRC))["lines"][0]["shade"] == [0] * 3


def test_what_a_ranking_needs_of_a_hypothesis_is_sent_and_the_best_is_named():
    rows = [{"tokens": ["w"] * n, "log_prob": -abs(n - 3.0) - 1} for n in (1, 3, 6)]
    view = views.rerank_view({4: rows})
    assert view.alt.endswith("With k = 4, α = 0 the best is “w w w”, score -1.00.")
    sent = data_of(view)["beams"][0]["rows"]
    assert [row["n"] for row in sent] == [2, 4, 7]


def test_the_text_of_a_hypothesis_that_is_given_is_shown():
    rows = [{"tokens": ["a", "@@b"], "log_prob": -1.0, "text": "ab"}]
    data = data_of(views.rerank_view({1: rows}, reference="ab"))
    assert data["beams"] == [{"k": 1, "rows": [{"text": "ab", "p": -1.0, "n": 3, "bleu": 100.0}]}]


def test_a_wide_beam_has_a_still_of_what_ended():
    wide = [record("s", None, 0, "<sos>", 0.0)]
    wide += [record(f"{n}$", "s", 1, f"w{n}", -float(n), "finished") for n in range(6)]
    texts = texts_of(views.beam_view(wide))
    assert "<sos> w0" in texts and "−5" in texts


def test_a_long_table_leaves_out_numbers_and_labels_that_do_not_fit():
    words = [f"w{n}" for n in range(40)]
    texts = texts_of(learned(words, words, np.full((40, 40), 0.025)))
    assert 20 < len(texts) < 70 and "w0" in texts and "0.03" not in texts


def embedded(view) -> TTFont | None:
    found = re.search(r"font/ttf;base64,([^)]+)\)", view.html)
    return TTFont(io.BytesIO(base64.b64decode(found.group(1)))) if found else None


def test_the_font_holds_just_the_hangul_on_the_page_and_draws_it():
    font = embedded(learned(title="한글 A"))
    assert {chr(code) for code in font.getBestCmap()} == set("나는학교갔다한글")
    glyphs, shapes = font.getGlyphSet(), {}
    for char, name in [*((chr(c), n) for c, n in font.getBestCmap().items()), ("", ".notdef")]:
        pen = RecordingPen()
        glyphs[name].draw(pen)
        shapes[char] = str(pen.value)
    assert len(set(shapes.values())) == 9  # eight syllables, and none is the missing glyph's box
    assert embedded(learned(["a", "b", "c"])) is None


def test_a_browser_draws_every_view_even_twice_on_one_page(tmp_path):
    fragments = [view.html for view in every_view().values()]
    check = "<script>onerror = message => { document.title = 'error: ' + message; };</script>"
    page = tmp_path / "page.html"
    html = f'<!doctype html><meta charset="utf-8"><title>fine</title>{check}'
    page.write_text(html + "".join(2 * fragments), encoding="utf-8")
    drawn = browser(page)
    assert "<title>fine</title>" in drawn, re.search("<title>.*?</title>", drawn)
    assert drawn.count('data-drawn="1"') == 2 * len(KINDS)
    assert 'class="still"' not in drawn
    assert drawn.count('class="node best chosen"') == 2 * 3
    assert drawn.count('class="edge pruned"') == 2
    assert drawn.count("“the”, 9 sentences. the: 90.0 (88.0 to 92.0)") == 2
    assert drawn.count("“the cat end”: log-probability −0.75 nats, best") == 2


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: learned(weights=np.transpose(WEIGHTS)[:2]), r"\(2, 3\), got \(2, 2\)"),
        (lambda: learned(["a"], ["b"], [[2.0]]), "between 0.0 and 1.0, got 2 to 2"),
        (lambda: views.bleu_view(["a"], {"x": [1.0, 2.0]}), r"\(1,\), got \(2,\)"),
        (lambda: views.learning_view([], ["a"]), r"growing steps, got \[\]"),
        (
            lambda: views.attention_steps_view([[float("-inf")]], [[1.0]], ["a"], ["b"]),
            "scores must leave each step a key, got only −inf at step 0",
        ),
        (lambda: views.kernel_view([1.0], [1.0], bandwidth=0), "bandwidth .* above 0, got 0"),
        (
            lambda: views.lstm_view(GATES, ["a"] * 3, start=4),
            "start must be a unit from 0 to 3, got 4",
        ),
        (lambda: views.rerank_view({2: [{"tokens": []}]}), r"hypotheses\[2\]\[0\] .*'log_prob'"),
    ],
)
def test_bad_arguments_are_named_with_what_was_expected_and_what_came(make, message):
    with pytest.raises(ValueError, match=message):
        make()


@pytest.mark.parametrize("count", [1, 5, 12, 34])
@pytest.mark.parametrize("label", ["w", "a very long label that is cut"])
def test_the_labels_of_a_still_lie_on_it_and_not_on_each_other(count, label):
    weights = np.full((2, count), 1 / count)
    still = still_of(learned([label] * count, ["I", "went"], weights))
    wide, high = map(float, still.get("viewBox").split()[2:])
    placed = []
    for text in still.iter("{http://www.w3.org/2000/svg}text"):
        if turn := re.match(r"rotate\((-?\d+) ", text.get("transform", "")):
            angle, long = math.radians(-int(turn[1])), breadth(text.text) * SIZES["small"]
            x, y = float(text.get("x")), float(text.get("y"))
            assert x > 0 and x + long * math.cos(angle) <= wide + 1
            assert y - long * math.sin(angle) >= 0
            placed.append(x * math.sin(angle))  # across the lines of the labels
    assert all(b - a >= 0.95 * SIZES["small"] for a, b in zip(placed, placed[1:]))


@pytest.mark.parametrize("rows", [3, 20])
def test_the_label_of_a_row_has_room_and_is_whole_in_lines_where_rows_are_few(rows):
    first, label = "orthogonal × 1.5", "A fisherman is about to start his net with a cat"
    names = [first, *(f"{label} {n}" for n in range(rows - 1))]
    still = ElementTree.fromstring(table("T", "A.", names, ["a"], np.ones((rows, 1))).svg)
    shown = still.iter("text")
    labels = [text for text in shown if text.get("text-anchor") == "end"]
    for text in labels:
        assert float(text.get("x")) >= breadth(text.text) * SIZES["small"]
    texts = " ".join(text.text for text in labels)
    assert first in texts and (f"{label} 1" in texts) == (rows == 3)
    assert len({float(text.get("y")) for text in labels}) == len(labels)
