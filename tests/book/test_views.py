"""Interactive views: safe, self-contained, the same bytes everywhere, and drawn by a browser."""

import base64
import io
import json
import os
import re
import subprocess
import sys
from html.parser import HTMLParser

import numpy as np
import pytest
import torch
from drawing import browser, record
from fontTools.pens.recordingPen import RecordingPen
from fontTools.ttLib import TTFont

from attnbook import views
from attnbook.figures import hangul
from attnlib.figures import fonts

WEIGHTS = [[0.1, 0.2, 0.7], [0.9, 0.05, 0.05]]
SRC, TGT = ["나는", "학교\nschool", "갔다"], ["went", "I"]
EVIL = ["</script><b>", "\" onmouseover='x' <!--", "<svg onload=x>\u2028&lt;"]


TRACE = [
    record("s", None, 0, "<sos>", 0.0),
    record("a", "s", 1, "went", -0.5),
    record("b", "s", 1, "나는", -1.234567, "pruned"),
    record("a$", "a", 2, "<eos>", -0.75, "best"),
]


def every_view(words=("the", "cat", "sat"), title="A title"):
    """One view of each kind whose labels and title are the given three words and title."""
    records = [{**node, "token": word} for node, word in zip(TRACE, [*words, "end"])]
    scores = {words[0]: [90.0, 80.0, np.nan]}
    ends = {words[0]: [[88, 92], [78, 81], [0, 0]]}
    gates = {words[0]: [0.1, 0.5, 1.0], words[1]: [[0.0, 1.0], [0.5, 0.5], [-3.0, 1.0]]}
    gold = ({(0, 1)}, {(0, 1), (2, 0)})
    return {
        "attention": views.attention_view(WEIGHTS, words, words[:2], gold=gold, title=title),
        "gates": views.gates_view(gates, words, title=title),
        "bleu": views.bleu_view(words, scores, intervals=ends, counts=[9, 9, 1], title=title),
        "beam": views.beam_view(records, title=title),
    }


def data_of(view) -> dict:
    return json.loads(re.search(r"\n  draw\((.*), find\('\.stage'\)", view.html).group(1))


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


@pytest.mark.parametrize("kind", ["attention", "gates", "bleu", "beam"])
def test_labels_that_look_like_markup_stay_text(kind):
    plain, evil = every_view()[kind], every_view(EVIL, title=EVIL[0])[kind]
    shape = [(tag, sorted(attrs)) for tag, attrs in Tags(plain.html).tags]
    assert [(tag, sorted(attrs)) for tag, attrs in Tags(evil.html).tags] == shape
    assert EVIL[0] in json.dumps(data_of(evil), ensure_ascii=False)
    script = evil.html.split("<script>")[1]
    assert script.count("</script>") == 1 and "<!--" not in script and "\u2028" not in script


@pytest.mark.parametrize("kind", ["attention", "gates", "bleu", "beam"])
def test_a_view_asks_no_host_for_anything(kind):
    html = every_view(SRC)[kind].html
    assert set(re.findall(r"\w+://[^\"'/ )]+", html)) == {"http://www.w3.org"}  # the name of SVG
    assert re.findall(r"url\((.{5})", html) == ["data:"]
    assert not any({"src", "href"} & set(attrs) for _, attrs in Tags(html).tags)
    assert not re.search(r"fetch|XMLHttp|import\s|@import|innerHTML|eval\(", html)


@pytest.mark.parametrize("kind", ["attention", "gates", "bleu", "beam"])
def test_the_picture_has_alternative_text_which_stands_there_without_scripts_too(kind):
    view = every_view()[kind]
    picture = next(attrs for tag, attrs in Tags(view.html).tags if tag == "svg")
    assert picture["role"] == "img"
    assert picture["aria-label"] == view.alt
    assert f">{view.alt}</p>" in view.html


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
        run = subprocess.run([sys.executable, "-c", code], env=env, capture_output=True, text=True)
        seen.add(run.stdout)
    assert len(seen) == 1 and len(seen.pop()) == 65
    others = (*every_view().values(), *every_view(title="Other").values())
    ids = [re.search(r'id="(attn-[0-9a-f]{12})"', view.html).group(1) for view in others]
    assert len(set(ids)) == 8


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


def test_without_the_font_package_a_view_still_shows(monkeypatch):
    hangul._font_subset.cache_clear()
    monkeypatch.setattr(fonts, "find_spec", lambda name: None)
    assert embedded(views.attention_view(WEIGHTS, SRC, TGT)) is None
    hangul._font_subset.cache_clear()


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
    assert drawn.count('data-drawn="1"') == 8
    assert drawn.count('<button type="button"') == 2 * (3 + 2)
    assert drawn.count('class="link"') == 2 * 6
    assert drawn.count('class="node best chosen"') == 2 * 3
    assert drawn.count('class="edge pruned"') == 2
    assert drawn.count('type="range"') == 2 * (2 + 1 + 2)
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
