"""Interactive views: safe, self-contained, the same bytes everywhere, and drawn by a browser."""

import base64
import io
import json
import math
import os
import re
import subprocess
import sys
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
from attnbook.figures import hangul
from attnbook.figures.diagrams import diagram
from attnbook.figures.diagrams.diagram import SIZES
from attnbook.figures.diagrams.page import breadth
from attnlib.figures import PALETTE
from attnlib.search import Scoring

WEIGHTS = [[0.1, 0.2, 0.7], [0.9, 0.05, 0.05]]
SRC, TGT = ["나는", "학교\nschool", "갔다"], ["went", "I"]
EVIL = ["</script><b>", "\" onmouseover='x' <!--", "<svg onload=x>\u2028&lt;"]


TRACE = [
    record("s", None, 0, "<sos>", 0.0),
    record("a", "s", 1, "went", -0.5),
    record("b", "s", 1, "나는", -1.234567, "pruned"),
    record("a$", "a", 2, "<eos>", -0.75, "best"),
]


torch.manual_seed(0)
CELL = torch.nn.LSTMCell(2, 4)
VALUES = torch.tensor([[1.0, -2.0], [0.5, 0.0], [0.0, 3.0]])


def every_view(words=("the", "cat", "sat"), title="A title"):
    """One view of each kind whose labels and title are the given three words and title."""
    records = [{**node, "token": word} for node, word in zip(TRACE, [*words, "end"])]
    bleu = {words[0]: [90.0, 80.0, np.nan]}
    ends = {words[0]: [[88, 92], [78, 81], [0, 0]]}
    gates = {words[0]: [0.1, 0.5, 1.0], words[1]: [[0.0, 1.0], [0.5, 0.5], [-3.0, 1.0]]}
    gold = ({(0, 1)}, {(0, 1), (2, 0)})
    scores = torch.tensor([[0.0, 1.0, float("-inf")], [2.0, 0.0, 1.0]])
    learned = [
        {"step": 100, "tokens": [], "weights": []},
        {"step": 300, "tokens": words[:2], "weights": WEIGHTS, "note": words[2]},
    ]
    found = [{"tokens": [word], "log_prob": -1.0, "weights": [[0.5, 0.5]]} for word in words]
    line = {"title": title}
    return {
        "attention": views.attention_view(WEIGHTS, words, words[:2], gold=gold, title=title),
        "gates": views.gates_view(gates, words, title=title),
        "bleu": views.bleu_view(words, bleu, intervals=ends, counts=[9, 9, 1], title=title),
        "beam": views.beam_view(records, title=title),
        "steps": views.attention_steps_view(scores, VALUES, words, words[:2], **line),
        "learning": views.learning_view(learned, words, **line),
        "temperature": views.temperature_view([2.0, 1.0, 0.0], words, **line),
        "kernel": views.kernel_view([0.0, 1.0, 2.0], [0.0, 1.0, 0.0], **line),
        "lstm": views.lstm_view(CELL, torch.ones(3, 2), words, **line),
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
    return ElementTree.fromstring(view.still.standalone())


def test_a_still_has_the_colors_of_its_view_and_of_the_heat_maps():
    """Blue for weights and for what is above zero, orange for what is below."""
    style = views.attention_view(WEIGHTS, SRC, TGT).html
    (blue,), (orange,) = (re.findall(rf"--{name}:(#\w+)", style) for name in "bo")
    assert diagram.KINDS["attention"].lower() == PALETTE[0].lower() == blue
    assert diagram.KINDS["source"].lower() == orange
    weights = views.attention_view(WEIGHTS, SRC, TGT)
    assert kinds_of(weights) == {"box attention"}
    signed = views.gates_view({"c": [-1.0, 0.5, 1.0]}, SRC)
    assert kinds_of(signed) == {"box attention", "box source"}
    for view in every_view().values():
        assert kinds_of(view) <= {"box attention", "box source"}
    curve = still_of(every_view()["kernel"]).find(".//*[@class='line source']")
    assert curve is not None and ".line.orange" in style


def kinds_of(view) -> set[str]:
    marks = still_of(view).iter("{http://www.w3.org/2000/svg}path")
    return {mark.get("class") for mark in marks if "box" in mark.get("class", "")}


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
def test_labels_that_look_like_markup_stay_text(kind):
    plain, evil = every_view()[kind], every_view(EVIL, title=EVIL[0])[kind]
    shape = [(tag, sorted(attrs)) for tag, attrs in Tags(plain.html).tags]
    assert [(tag, sorted(attrs)) for tag, attrs in Tags(evil.html).tags] == shape
    if kind != "kernel":  # which has numbers alone
        assert EVIL[0] in json.dumps(data_of(evil), ensure_ascii=False)
    still_of(evil)  # reads as XML
    script = evil.html.split("<script>")[1]
    assert script.count("</script>") == 1 and "<!--" not in script and "\u2028" not in script


@pytest.mark.parametrize("kind", KINDS)
def test_a_view_asks_no_host_for_anything(kind):
    html = every_view(SRC)[kind].html
    assert set(re.findall(r"\w+://[^\"'/ )]+", html)) == {"http://www.w3.org"}  # the name of SVG
    assert set(re.findall(r"url\((.{5})", html)) <= {"data:"}
    named = [attrs.get(name, "data:") for _, attrs in Tags(html).tags for name in ("src", "href")]
    assert {name[:5] for name in named} == {"data:"}
    assert not re.search(r"fetch|XMLHttp|import\s|@import|innerHTML|eval\(", html)


@pytest.mark.parametrize("kind", KINDS)
def test_a_still_with_alternative_text_stands_there_until_a_script_draws(kind):
    view = every_view()[kind]
    picture = next(attrs for tag, attrs in Tags(view.html).tags if tag == "img")
    assert picture["alt"] == view.alt and len(view.alt) > 30
    assert f">The figure in words</summary><p>{html_of(view.alt)}</p>" in view.html
    root = still_of(view)
    assert root.tag.endswith("svg") and root.get("role") == "img"
    assert {node.tag.split("}")[1] for node in root.iter()} & {"path", "rect"}


@pytest.mark.parametrize("kind", KINDS)
def test_a_view_is_at_most_ninety_kilobytes(kind):
    # Three words; the rest is for more of them.
    assert len(every_view()[kind].html.encode()) < 60_000


def test_a_view_that_would_be_longer_is_refused():
    words = [f"word{n}" for n in range(120)]
    with pytest.raises(
        ValueError, match="at most 90,000 bytes of HTML for 'Big', got .*show fewer"
    ):
        views.attention_view(np.full((120, 120), 0.123), words, words, title="Big")


def test_alternative_texts_tell_what_the_arrays_hold():
    alts = {kind: view.alt for kind, view in every_view().items()}
    assert "“the” on “sat” (0.70), “cat” on “the” (0.90)" in alts["attention"]
    assert "the: lowest 0.10 at “the”, highest 1.00 at “sat”" in alts["gates"]
    assert "cat: lowest -1.00 at “sat”, highest 0.50 at “the”" in alts["gates"]
    assert "the: 90.0 at the, 80.0 at cat, no value at sat" in alts["bleu"]
    assert "4 hypotheses: 1 best, 0 finished, 2 live, 1 pruned" in alts["beam"]
    assert "Best: “the cat end”, log-probability -0.75" in alts["beam"]
    assert views.attention_view(WEIGHTS, SRC, TGT, alt='An "own" text').alt == 'An "own" text'


def test_a_beam_is_told_in_the_singular_and_without_line_breaks():
    start = {**TRACE[0], "token": "<sos>\nstart"}
    told = "Beam search, 1 hypothesis: {} best, 0 finished, {} live, 0 pruned."
    assert views.beam_view([start]).alt == told.format(0, 1)
    best = views.beam_view([{**start, "status": "best"}]).alt
    assert best == told.format(1, 0) + " Best: “<sos> start”, log-probability 0.00."


def test_the_numbers_on_the_page_are_the_arguments_rounded():
    weights = torch.tensor([[0.12345, 0.87655]], requires_grad=True)
    data = data_of(views.attention_view(weights, ["a", "b"], ["c"], gold=({(1, 0)}, {(0, 0)})))
    assert data["weights"] == [[0.123, 0.877]]
    assert data["gold"] == [[0, 0, False], [1, 0, True]]
    assert data_of(views.beam_view(TRACE))["nodes"][2] == {
        "parent": 0,
        "step": 1,
        "token": "나는",
        "status": "pruned",
        "log_prob": -1.23,
    }
    bleu = data_of(every_view()["bleu"])["lines"][0]
    assert bleu["y"] == [90.0, 80.0, None] and bleu["ends"][1] == [78.0, 81.0]
    gates = data_of(every_view()["gates"])
    assert gates["range"] == [-3.0, 3.0] and gates["units"] == 2
    assert gates["lines"][1]["y"] == [[0.0, 1.0], [0.5, 0.5], [-3.0, 1.0]]


def test_masked_scores_stay_masked_and_only_twelve_numbers_of_a_value_are_sent():
    scores = torch.tensor([[1.0, float("-inf")]])
    data = data_of(views.attention_steps_view(scores, torch.ones(2, 40), ["a", "b"], ["c"]))
    assert data["scores"] == [[1.0, None]]
    assert data["units"] == 40 and [len(row) for row in data["values"]] == [12, 12]


def test_steps_are_a_decoders_unless_a_verb_says_what_a_word_does():
    step = [[0.0]], [[1.0]], ["a"], ["a"]
    assert "1 step of a decoder." in views.attention_steps_view(*step).alt
    asking = views.attention_steps_view(*step, verb="asks")
    assert "1 step. Largest" in asking.alt and data_of(asking)["verb"] == "asks"


def test_the_weights_of_an_end_mark_are_left_out_of_what_is_learned():
    record = {"step": 5, "tokens": ["x"], "weights": torch.tensor([[0.25, 0.75], [1.0, 0.0]])}
    (shot,) = data_of(views.learning_view([record], ["a", "b"]))["shots"]
    assert shot == {"step": 5, "tgt": ["x"], "weights": [[25, 75]]}
    assert data_of(every_view()["learning"])["shots"][1]["note"] == "sat"


@pytest.mark.parametrize("whole", [False, True])
def test_the_gates_of_an_lstm_are_those_that_torch_computes(whole):
    torch.manual_seed(1)
    layer = torch.nn.LSTM(3, 4, batch_first=True)
    inputs = torch.randn(1, 5, 3)
    cell = torch.nn.LSTMCell(3, 4)
    cell.load_state_dict({k.removesuffix("_l0"): v for k, v in layer.state_dict().items()})
    data = data_of(views.lstm_view(layer if whole else cell, inputs[0], list("abcde"), start=3))
    i, f, g, o, c = (torch.tensor(data[k]) / 1000 for k in "ifgoc")
    assert data["unit"] == 3
    hidden, (_, last) = layer(inputs)
    torch.testing.assert_close(o * c.tanh(), hidden[0].detach(), atol=2e-3, rtol=0)
    torch.testing.assert_close(c[-1], last[0, 0].detach(), atol=1e-3, rtol=0)
    torch.testing.assert_close(f[1:] * c[:-1] + i[1:] * g[1:], c[1:], atol=2e-3, rtol=0)


def test_an_lstm_is_shown_alike_from_its_cell_and_from_what_was_recorded_of_it():
    cell, inputs = torch.nn.LSTMCell(3, 4), torch.randn(5, 3)
    alive = views.lstm_view(cell, inputs, list("abcde"), start=2)
    data = data_of(alive)
    recorded = {k: [[n / 1000 for n in row] for row in data[k]] for k in "ifgoc"}
    again = views.lstm_view(recorded, None, list("abcde"), start=2)
    assert data_of(again) == data and again.alt == alive.alt and repr(again) == repr(alive)


def test_a_view_of_an_lstm_opens_where_it_is_told():
    values = {k: [[0.5], [0.25]] for k in "ifgoc"}
    data = data_of(views.lstm_view(values, None, ["a", "b"], shown="c", word=1))
    assert (data["gate"], data["word"], data["unit"]) == (4, 1, 0)
    data = data_of(views.lstm_view(values, None, ["a", "b"]))
    assert (data["gate"], data["word"]) == (0, 0)


def test_an_lstm_without_biases_can_be_shown():
    cell = torch.nn.LSTMCell(2, 3, bias=False)
    data = data_of(views.lstm_view(cell, torch.zeros(1, 2), ["a"]))
    assert data["i"] == [[500] * 3] and data["c"] == [[0] * 3]


def test_a_gradient_is_as_dark_as_its_share_of_the_largest_on_a_log_scale():
    norms = {"RNN": [1e-9, 0.01, 1.0], "attention": [5.0, 5.0, 0.5]}
    data = data_of(views.gradient_view(norms, SRC, direct={"attention"}))
    assert [line["shade"] for line in data["lines"]] == [[0.0, 0.5, 1.0], [1.0, 1.0, 0.75]]
    assert [line["direct"] for line in data["lines"]] == [False, True]
    assert data["lines"][0]["y"] == [1e-9, 0.01, 1.0]
    assert data_of(views.gradient_view({"none": [0, 0, 0]}, SRC))["lines"][0]["shade"] == [0] * 3


@pytest.mark.parametrize("penalty", ["gnmt", "power"])
def test_the_ranking_at_the_start_is_that_of_the_library(penalty):
    torch.manual_seed(0)
    scoring = Scoring(0.7, penalty, 0.4)
    rows, scores = [], []
    for length in (1, 3, 6, 9):
        weights, log_prob = torch.rand(length + 1, 5) / 4, -0.9 * length - 1
        rows.append({"tokens": ["w"] * length, "log_prob": log_prob, "weights": weights})
        coverage, mask = weights.sum(0)[None], torch.ones(1, 5, dtype=torch.bool)
        scores += scoring.score(torch.tensor([log_prob]), length + 1, coverage, mask).tolist()
    view = views.rerank_view({4: rows}, alpha=0.7, beta=0.4, penalty=penalty)
    best = max(range(4), key=scores.__getitem__)
    told = " ".join(rows[best]["tokens"])
    assert view.alt.endswith(f"the best is “{told}”, score {max(scores):.2f}.")
    sent = data_of(view)["beams"][0]["rows"]
    assert [row["n"] for row in sent] == [2, 4, 7, 10]
    covered = [float(row["weights"].sum(0).clamp(max=1).log().sum()) for row in rows]
    assert [row["cover"] for row in sent] == pytest.approx(covered, abs=1e-4)


def test_hypotheses_without_weights_have_no_coverage_and_the_text_given_is_shown():
    rows = [{"tokens": ["a", "@@b"], "log_prob": -1.0, "text": "ab"}]
    data = data_of(views.rerank_view({1: rows}, reference="ab"))
    assert data["covered"] is False
    assert data["beams"] == [{"k": 1, "rows": [{"text": "ab", "p": -1.0, "n": 3, "bleu": 100.0}]}]


def test_a_wide_beam_has_a_still_of_what_ended():
    wide = [record("s", None, 0, "<sos>", 0.0)]
    wide += [record(f"{n}$", "s", 1, f"w{n}", -float(n), "finished") for n in range(6)]
    texts = [
        t.text for t in still_of(views.beam_view(wide)).iter("{http://www.w3.org/2000/svg}text")
    ]
    assert "<sos> w0" in texts and "−5" in texts


def test_a_long_table_leaves_out_numbers_and_labels_for_which_there_is_no_room():
    words = [f"w{n}" for n in range(40)]
    view = views.attention_view(np.full((40, 40), 0.025), words, words)
    texts = [t.text for t in still_of(view).iter("{http://www.w3.org/2000/svg}text")]
    assert 20 < len(texts) < 70 and "w0" in texts and "0.03" not in texts


def test_equal_arguments_give_equal_bytes_in_another_process_and_other_arguments_another_id():
    gold = "({(2, 0), (0, 1), (1, 0)}, ())"
    code = (
        "from attnbook import views; import hashlib\n"
        f"view = views.attention_view({WEIGHTS}, {SRC}, {TGT}, gold={gold})\n"
        "print(hashlib.sha256(view.html.encode()).hexdigest())"
    )
    seen = set()
    for seed in ("1", "2"):
        env = {**os.environ, "PYTHONHASHSEED": seed}
        run = subprocess.run(
            [sys.executable, "-c", code], env=env, capture_output=True, encoding="utf-8"
        )
        seen.add(run.stdout)
    assert len(seen) == 1 and len(seen.pop()) == 65
    others = (*every_view().values(), *every_view(title="Other").values())
    ids = [re.search(r'id="(attn-[0-9a-f]{12})"', view.html).group(1) for view in others]
    assert len(set(ids)) == 2 * len(KINDS)


def test_a_view_prints_as_one_line_without_an_address():
    assert repr(views.attention_view(WEIGHTS, SRC, TGT)) == (
        "<attention view: 2 target words by 3 source words>"
    )
    assert {repr(view) for view in every_view().values()} >= {
        "<gates view: 2 gates over 3 time steps>",
        "<BLEU view: 1 system in 3 buckets>",
        "<beam view: 4 hypotheses>",
    }


def embedded(view) -> TTFont | None:
    found = re.search(r"font/ttf;base64,([^)]+)\)", view.html)
    return TTFont(io.BytesIO(base64.b64decode(found.group(1)))) if found else None


def test_the_font_holds_just_the_hangul_on_the_page_and_draws_it():
    font = embedded(views.attention_view(WEIGHTS, SRC, TGT, title="한글 A"))
    assert {chr(code) for code in font.getBestCmap()} == set("나는학교갔다한글")
    glyphs, shapes = font.getGlyphSet(), {}
    for char, name in [*((chr(c), n) for c, n in font.getBestCmap().items()), ("", ".notdef")]:
        pen = RecordingPen()
        glyphs[name].draw(pen)
        shapes[char] = str(pen.value)
    assert len(set(shapes.values())) == 9  # eight syllables, and none is the missing glyph's box
    assert embedded(views.attention_view(WEIGHTS, ["a", "b", "c"], TGT)) is None


def test_making_the_font_says_nothing(capfd, caplog):
    hangul._font_subset.cache_clear()
    views.attention_view(WEIGHTS, SRC, TGT)
    assert capfd.readouterr() == ("", "") and not caplog.records


def test_a_saved_view_is_a_page_of_its_own(tmp_path):
    view = views.attention_view(WEIGHTS, SRC, TGT, title="<Attention>")
    page = view.save(tmp_path / "view.html").read_text(encoding="utf-8")
    assert page.startswith("<!doctype html>") and '<meta charset="utf-8">' in page
    assert "<title>&lt;Attention&gt;</title>" in page
    assert view._repr_html_() in page


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
    assert drawn.count('aria-label="source words"><button ') == 2
    assert drawn.count('class="play"') == 2 * 4
    assert drawn.count('class="link"') == 2 * 6
    assert drawn.count('class="node best chosen"') == 2 * 3
    assert drawn.count('class="edge pruned"') == 2
    sliders = [2, 1, 2, 1, 2, 1, 2, 2, 1, 3]  # of all but attention and hypothesis
    assert drawn.count('type="range"') == 2 * sum(sliders)
    assert drawn.count("“the”. the: 0.10; cat: 0.50") == 2
    assert drawn.count("“the”, 9 sentences. the: 90.0 (88.0 to 92.0)") == 2
    assert drawn.count("“the cat end”: log-probability −0.75 nats, best") == 2


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (
            lambda: views.attention_view(np.transpose(WEIGHTS), SRC, TGT),
            r"\(2, 3\), got \(3, 2\)",
        ),
        (lambda: views.attention_view([[2.0]], ["a"], ["b"]), "between 0.0 and 1.0, got 2 to 2"),
        (lambda: views.attention_view([[np.nan]], ["a"], ["b"]), "weights must be .* got nan"),
        (
            lambda: views.attention_view(WEIGHTS, SRC, TGT, gold=(set(), {(1, 2)})),
            r"source index < 3, target index < 2\), got \(1, 2\)",
        ),
        (lambda: views.gates_view({"f": [1.0, 2.0]}, ["a"]), r"values\['f'\] .*got \(2,\)"),
        (lambda: views.gates_view({}, ["a"]), "at least one gate"),
        (lambda: views.gates_view({"f": [[1]], "g": [[1, 2]]}, ["a"]), r"same H.*\[1, 2\]"),
        (lambda: views.bleu_view(["a"], {"x": [1.0, 2.0]}), r"\(1,\), got \(2,\)"),
        (lambda: views.bleu_view(["a"], {"x": [-1.0]}), "between 0.0 and 100.0, got -1"),
        (lambda: views.bleu_view(["a"], {"x": [1.0]}, counts=[1, 2]), r"counts .*got \(2,\)"),
        (
            lambda: views.bleu_view(["a"], {"x": [1.0]}, intervals={"x": [[1.0]]}),
            r"intervals\['x'\] must have shape \(1, 2\), got \(1, 1\)",
        ),
        (
            lambda: views.attention_steps_view([[0.0]], [[1.0], [2.0]], ["a"], ["b"]),
            r"values must have shape \(1, H\) and be finite, got \(2, 1\)",
        ),
        (
            lambda: views.attention_steps_view([[float("-inf")]], [[1.0]], ["a"], ["b"]),
            "scores must leave each step a key, got only −inf at step 0",
        ),
        (lambda: views.learning_view([], ["a"]), r"growing steps, got \[\]"),
        (
            lambda: views.learning_view([{"step": 1, "tokens": []}], ["a"]),
            r"records\[0\] must have the key 'weights'",
        ),
        (
            lambda: views.learning_view(2 * [{"step": 1, "tokens": [], "weights": []}], ["a"]),
            r"growing steps, got \[1, 1\]",
        ),
        (lambda: views.temperature_view([1.0], ["a", "b"]), r"scores must have shape \(2,\)"),
        (lambda: views.kernel_view([1.0], [1.0, 2.0]), r"answers must have shape \(1,\)"),
        (lambda: views.kernel_view([1.0], [1.0], bandwidth=0), "bandwidth .* above 0, got 0"),
        (
            lambda: views.lstm_view(torch.nn.GRUCell(2, 3), torch.ones(1, 2), ["a"]),
            r"4 blocks of H rows, .* got \(9, 3\)",
        ),
        (
            lambda: views.lstm_view(CELL, torch.ones(1, 3), ["a"]),
            r"inputs must have shape \(1, 2\)",
        ),
        (
            lambda: views.lstm_view(CELL, torch.ones(1, 2), ["a"], start=4),
            "start must be a unit from 0 to 3, got 4",
        ),
        (
            lambda: views.lstm_view(CELL, torch.ones(1, 2), ["a"], shown="x"),
            "shown must be one of f, i, g, o, c, h, got 'x'",
        ),
        (
            lambda: views.lstm_view(CELL, torch.ones(1, 2), ["a"], word=1),
            "word must be a word from 0 to 0, got 1",
        ),
        (
            lambda: views.lstm_view({k: [[0.5]] for k in "ifg"}, None, ["a"]),
            "cell must hold i, f, g, o and c, each .* c is missing",
        ),
        (
            lambda: views.lstm_view(dict.fromkeys("ifgo", [[1]]) | {"c": [[1, 2]]}, None, ["a"]),
            r"cell\['c'\] must have shape \(1, 1\)",
        ),
        (lambda: views.gradient_view({}, ["a"]), "at least one model"),
        (lambda: views.gradient_view({"x": [-1.0]}, ["a"]), r"norms\['x'\] .* 0, got -1"),
        (
            lambda: views.gradient_view({"x": [1.0]}, ["a"], direct=["y"]),
            "direct must hold names of x, got 'y'",
        ),
        (lambda: views.rerank_view({}), "one hypothesis or more, got none"),
        (lambda: views.rerank_view({2: [{"tokens": []}]}), r"hypotheses\[2\]\[0\] .*'log_prob'"),
        (lambda: views.rerank_view({}, penalty="wu"), "gnmt, power, got 'wu'"),
        (lambda: views.rerank_view({}, alpha=2.5), "alpha must be from 0 to 2, .*got 2.5"),
        (
            lambda: views.rerank_view({1: [{"tokens": [], "log_prob": -1.0}]}, beta=0.1),
            "beta needs the weights of every hypothesis",
        ),
        (lambda: views.hypothesis_view([], "a"), "references must hold one text or more"),
        (lambda: views.hypothesis_view("a", "a", tokenize="intl"), "tokenize .*'intl'"),
        (lambda: views.beam_view([]), "at least one hypothesis, got none"),
        (lambda: views.beam_view([{"id": 0}]), r"records\[0\] must have the key 'log_prob'"),
        (
            lambda: views.beam_view([TRACE[0]] * 2),
            r"records\[1\] .*id of its own, got {'id': 's'",
        ),
        (
            lambda: views.beam_view(TRACE[1:]),
            r"records.0. .* before it, got {'id': 'a'",
        ),
        (
            lambda: views.beam_view([record(0, None, 0, "a", 0.0, "dead")]),
            "a status of best, finished, live, pruned, got .*'dead'",
        ),
    ],
)
def test_bad_arguments_are_named_with_what_was_expected_and_what_came(make, message):
    with pytest.raises(ValueError, match=message):
        make()


@pytest.mark.parametrize("count", [1, 3, 5, 9, 12, 15, 20, 34])
@pytest.mark.parametrize("label", ["w", "학교에서 at school", "a very long label that is cut"])
def test_the_labels_of_a_still_lie_on_it_and_not_on_each_other(count, label):
    weights = np.full((2, count), 1 / count)
    still = still_of(views.attention_view(weights, [label] * count, ["I", "went"]))
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
