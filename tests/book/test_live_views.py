"""Every view used in a real browser, with mouse, finger and keyboard; what it says is read."""

import json
import math
import random
import re

import numpy as np
import pytest
import torch
from driven import Chromium
from others import BROWSERS

from attnbook import views
from attnlib.metrics import sentence_bleu
from attnlib.search import Scoring

KO, EN = ["나는", "학교에", "갔다"], ["I", "went"]
SCORES = torch.tensor([[2.0, 0.5, -math.inf], [0.0, 1.0, 3.0]])
VALUES = torch.tensor([[1.0, -2.0], [0.5, 0.0], [0.0, 3.0]])
LEARNED = [
    {"step": 100, "tokens": ["the"], "weights": [[0.4, 0.3, 0.3]], "note": "loss 5.00"},
    {"step": 2000, "tokens": EN, "weights": [[0.9, 0.05, 0.05], [0.1, 0.2, 0.7]]},
]
torch.manual_seed(0)
I, F, G, O = torch.rand(4, 3, 3) * torch.tensor([1, 1, -1, 1]).reshape(4, 1, 1)
C = [I[0] * G[0]]
for _t in (1, 2):
    C.append(F[_t] * C[-1] + I[_t] * G[_t])
GATES = {"i": I, "f": F, "g": G, "o": O, "c": torch.stack(C)}
X, Y = torch.linspace(0, 4, 9).double(), torch.tensor([0.0, 1, 2, 1, 0, 1, 2, 1, 0]).double()
NORMS = {"RNN": [0.001, 0.02, 0.5], "attention": [0.3, 0.2, 0.4]}
HYPOTHESES = [{"tokens": ["yes"], "log_prob": -1.0}, {"tokens": list("abcde"), "log_prob": -1.3}]
WORDS = ["the", "cat", "sat", "on", "a", "mat", ".", ","]
REFERENCE = "The cat sat on the mat."
GREEDY = {"id": 0, "parent": None, "step": 0, "token": "<sos>", "log_prob": 0.0, "status": "live"}
TREE = [GREEDY, {**GREEDY, "id": 1, "parent": 0, "step": 1, "token": "go", "status": "best"}]
VIEWS = {
    "steps": views.attention_steps_view(SCORES, VALUES, KO, EN),
    "asking": views.attention_steps_view(SCORES, VALUES, KO, EN, verb="asks"),
    "learning": views.learning_view(LEARNED, KO),
    "lstm": views.lstm_view(GATES, KO),
    "gradient": views.gradient_view(NORMS, KO, direct=["attention"]),
    "temperature": views.temperature_view([2.0, 1.0, 0.0], KO),
    "kernel": views.kernel_view(X, Y, bandwidth=0.25),
    "rerank": views.rerank_view({1: HYPOTHESES[:1], 2: HYPOTHESES}, reference="a b c d e"),
    "hypothesis": views.hypothesis_view(REFERENCE, "The cat", suggestions=["the the the"]),
    "lines": views.bleu_view(KO, {"attention": [90.0, 50.0, 30.0]}),
    "beam": views.beam_view(TREE),
}
STYLE = "<style>body{margin:8px;font:16px sans-serif}</style>"
HEAD = f'<!doctype html><meta charset="utf-8">{STYLE}'
EVERYTHING = HEAD + "".join(view.html for view in VIEWS.values())


@pytest.fixture(scope="module", params=BROWSERS)
def running(request, tmp_path_factory):
    folder = tmp_path_factory.mktemp("browser")
    window = BROWSERS[request.param](folder)
    yield window, folder
    window.close()


@pytest.fixture
def page(running, request):
    """The view that a test is about, alone on a page."""
    window, folder = running
    window.open(HEAD + VIEWS[request.param].html, folder)
    return window


def on(name: str):
    """The test is given this view in a browser."""
    return pytest.mark.parametrize("page", [name], indirect=True)


def part(selector: str, number: int = 0) -> str:
    return f"document.querySelectorAll({selector!r})[{number}]"


def shown(page) -> str:
    return page.get(part(".says") + ".textContent")


def turn(page, slider: int, *keys: str) -> str:
    """Press keys on a slider; what the view says then."""
    page.get(part("input[type=range]", slider) + ".focus()")
    page.press(*keys)
    return shown(page)


def push(page, words: str) -> None:
    """Click a button by what is written on it."""
    page.click(f"[...document.querySelectorAll('button')].find(b => b.textContent === {words!r})")


def finish_playing(page) -> None:
    """Click Play and wait until the view has come to its end, without its pauses."""
    page.get("(window.patient = setInterval, window.setInterval = f => patient(f, 1), 0)")
    push(page, "Play")
    page.until("document.querySelector('.play').textContent === 'Play'")


@on("asking")
def test_a_step_that_writes_nothing_shows_what_its_word_does(page):
    assert shown(page).startswith("Step 1 of 2: “I” asks. The query meets 3 keys.")


@on("steps")
def test_a_step_of_attention_goes_from_scores_over_weights_to_the_context(page):
    assert shown(page).startswith("Step 1 of 2, which writes “I”. The query meets 3 keys. Highest")
    assert shown(page).endswith("“나는”, 2.00. 1 may not be attended.")
    weights = SCORES.softmax(-1)
    push(page, "softmax")
    assert f"“나는” {weights[0, 0]:.2f}, “학교에” {weights[0, 1]:.2f}, “갔다” 0.00" in shown(page)
    push(page, "weighted sum")
    turn(page, 0, "ArrowRight")
    assert "Step 2 of 2, which writes “went”" in shown(page)
    context = ", ".join(f"{x:.2f}" for x in (weights @ VALUES)[1])
    assert shown(page).endswith(f": {context.replace('-', '−')}.")
    push(page, "scores")
    turn(page, 0, "Home")
    finish_playing(page)
    assert shown(page).endswith(f": {context.replace('-', '−')}.")


@on("learning")
def test_a_translator_is_watched_while_it_learns(page):
    assert shown(page) == "After 2,000 updates: “I went”. “I” looks at “나는” 0.90, “학교에” 0.05."
    assert turn(page, 1, "ArrowRight").endswith("“went” looks at “갔다” 0.70, “학교에” 0.20.")
    assert turn(page, 0, "ArrowLeft") == "After 100 updates (loss 5.00): “the”."
    assert page.get(part(".said") + ".textContent") == "the"
    strong = "[...document.querySelectorAll('svg .cell')].map(cell => +cell.style.fillOpacity)"
    first, second, third = page.get(strong)  # 0.4, 0.3 and 0.3 of the attention
    assert first > second == third > 0.22, "a quarter can be seen, and more is stronger"
    page.click(part("svg .cell"), 0.5, 0.5)  # a click on a row chooses its word
    assert "“the” looks at “나는” 0.40" in shown(page)
    finish_playing(page)
    assert shown(page).startswith("After 2,000 updates: “I went”.")


@on("lstm")
def test_a_unit_of_an_lstm_is_read_out_as_its_equation(page):
    turn(page, 1, "ArrowRight")
    text = turn(page, 0, "End")
    match = re.search(
        r"“갔다”, unit 2: keeps (\S+) of the memory (\S+) and adds (\S+) × (\S+), so c = (\S+); "
        r"it shows (\S+) of tanh c: h = (\S+)\.$",
        text,
    )
    f, before, i, g, c, o, h = (float(x.replace("−", "-")) for x in match.groups())
    assert (before, c) == pytest.approx((float(C[1][1]), float(C[2][1])), abs=0.006)
    assert h == pytest.approx(float(O[2, 1] * C[2][1].tanh()), abs=0.006)
    assert f * before + i * g == pytest.approx(c, abs=0.03)
    assert o * math.tanh(c) == pytest.approx(h, abs=0.02)
    page.click(part("svg .cell"), 0.5, 0.5)  # first word, first unit
    assert shown(page).startswith("“나는”, unit 1: keeps")
    push(page, "memory c")
    pressed = "[...document.querySelectorAll('button[aria-pressed=true]')].map(b => b.textContent)"
    assert page.get(pressed) == ["memory c"]


@on("gradient")
def test_the_gradient_travels_back_and_a_shortcut_needs_one_step(page):
    arrived = "2 steps back, at “나는”. RNN: 0.001, 0.002 of the last word's; "
    arrived += "attention: 0.3, 0.75 of the last word's (in one step)."
    reached = "document.querySelectorAll('svg rect.cell:not(.open)').length"
    assert shown(page) == arrived and page.get(reached) == 3 + 3, "untouched it shows the whole way"
    text = turn(page, 0, "ArrowLeft", "ArrowLeft")
    assert text == "0 steps back, at “갔다”. RNN: 0.5; attention: 0.4 (in one step)."
    assert page.get(reached) == 1 + 3
    finish_playing(page)
    assert shown(page) == arrived and page.get(reached) == 3 + 3
    page.click(part("svg rect.cell", 1))
    assert shown(page).startswith("1 step back, at “학교에”. RNN: 0.02")


@on("temperature")
def test_a_temperature_sharpens_and_evens_out(page):
    for keys in ([], ["ArrowLeft"] * 6, ["ArrowRight"] * 20):
        turn(page, 0, *keys)
        degree = float(page.get(part("input[type=range]") + ".getAttribute('aria-valuetext')"))
        weights = (torch.tensor([2.0, 1.0, 0.0]) / degree).softmax(0)
        listed = ", ".join(f"“{word}” {weight:.2f}" for word, weight in zip(KO, weights))
        nats = torch.special.entr(weights).sum()
        assert f": {listed}. Entropy {nats:.2f} nats" in shown(page)
    assert degree == pytest.approx(10**0.7, abs=0.01)
    push(page, "cold (0.01)")
    assert "“나는” 1.00, “학교에” 0.00" in shown(page) and "Entropy 0.00 nats" in shown(page)
    push(page, "τ = 1")
    assert shown(page).startswith("τ = 1:")


@on("kernel")
def test_a_query_is_dragged_along_the_curve_by_mouse_and_finger(page):
    def check() -> float:
        text = shown(page)
        form = r"Query x = (\S+), bandwidth h = (\S+): answer (\S+)\. The"
        x, width, answer = map(float, re.match(form, text).groups())
        weights = (-((x - X) ** 2) / (2 * width**2)).softmax(0)
        assert answer == pytest.approx(float(weights @ Y), abs=0.02)
        return x

    assert check() == 2.0
    assert turn(page, 0, "End") and check() == 4.0
    start = page.place(part("svg .query"))
    way = [(start[0] - 100, start[1] + 30), (start[0] - 200, start[1] + 300)]
    page.drag([start, *way, (start[0] - 300, start[1])])
    assert page.get("getSelection().toString()") == "", "none of the text is marked"
    dragged = check()
    assert 1 < dragged < 3.5
    start = page.place(part("svg .query"))
    page.swipe([start, (start[0] - 20, start[1]), (start[0] - 60, start[1])])
    assert check() < dragged
    turn(page, 1, *["ArrowRight"] * 8)
    check()


@on("rerank")
def test_hypotheses_are_ranked_anew_as_the_library_ranks_them(page):
    best = "k = 2, α = 0: the best of 2 is “yes”, score −1.000 = −1.00 / 1.00; BLEU 0.0."
    assert shown(page) == best
    text = turn(page, 1, *["ArrowRight"] * 20)  # α = 1
    score = Scoring(1.0).score
    scores = [score(torch.tensor([h["log_prob"]]), len(h["tokens"]) + 1) for h in HYPOTHESES]
    assert "best of 2 is “a b c d e”" in text and scores[1] > scores[0]
    assert f"score {float(scores[1]):.3f}".replace("-", "−") in text and "BLEU 100.0" in text
    third = "[...document.querySelectorAll('tbody tr')].map(r => r.children[2].textContent)"
    assert page.get(third) == [f"{float(score):.3f}".replace("-", "−") for score in scores[::-1]]
    assert "k = 1, α = 1: the best of 1 is “yes”" in turn(page, 0, "Home")


def pairs() -> list[tuple[str, str]]:
    """Fifty hypotheses and references: usual ones, repeated, cut, empty, with odd signs."""
    draw = random.Random(7)
    odd = ["1,000.50", "it's", "(a-b)", "&quot;x&amp;", "3-4", "…", "나는", "e.g.", "!?", "a&lt;b"]
    odd += ["\u00a0", "\u0085", "\ufeffx", "\x1fy", "$1", "<b>", "-", "10%", "[a]", "x_y", "don't;"]
    found = [("", "a b c d"), ("a", "a"), (" the cat ", REFERENCE), (REFERENCE, REFERENCE)]
    while len(found) < 50:
        reference = draw.choices(WORDS + odd, k=draw.randint(3, 14))
        hypothesis = [word for word in reference if draw.random() < 0.8]
        hypothesis += draw.choices(["the", "dog", *odd], k=draw.randint(0, 4))
        if draw.random() < 0.3:
            draw.shuffle(hypothesis)
        found.append((" ".join(hypothesis), " ".join(reference)))
    return found


@pytest.mark.parametrize("tokenize", ["13a", "none", "char"])
def test_bleu_of_fifty_typed_hypotheses_is_that_of_the_library(running, tokenize):
    window, folder = running
    cases = pairs()
    window.open('<!doctype html><meta charset="utf-8"><div id="here"></div>', folder)
    for number, (hypothesis, reference) in enumerate(cases):
        references = [reference, "the cat is here"][: 1 + number % 2]
        view = views.hypothesis_view(references, "", tokenize=tokenize)
        page = "document.createRange().createContextualFragment(" + json.dumps(view.html) + ")"
        typed = f"field.value = {json.dumps(hypothesis)}; field.dispatchEvent(new Event('input'));"
        got = window.get(
            f"(() => {{ here.replaceChildren({page}); const field = here.querySelector('input');"
            f" {typed} return JSON.parse(here.querySelector('.stage').dataset.bleu); }})()"
        )
        wanted = sentence_bleu(hypothesis, references, tokenize=tokenize)
        assert got["score"] == pytest.approx(wanted.score, abs=1e-9), hypothesis
        assert (got["hits"], got["totals"]) == (list(wanted.counts), list(wanted.totals))
        assert [100 * p for p in got["p"]] == pytest.approx(list(wanted.precisions))
        assert got["penalty"] == pytest.approx(wanted.brevity_penalty)
        assert (got["c"], got["r"]) == (wanted.hypothesis_length, wanted.reference_length)


@on("hypothesis")
def test_what_is_typed_is_scored_at_once_and_matches_are_marked(page):
    def check(text: str) -> None:
        bleu = sentence_bleu(text, REFERENCE)
        assert shown(page).startswith(f"BLEU {bleu.score:.2f}. p1 {bleu.counts[0]}/")
        assert f"penalty {bleu.brevity_penalty:.3f} ({bleu.hypothesis_length} tokens" in shown(page)

    check("The cat")
    page.click(part("input[type=text]"), 0.9)
    page.press(*" sat on it.")
    check("The cat sat on it.")
    marked = "[...document.querySelectorAll('.tokens:last-of-type mark')].map(m => m.textContent)"
    assert page.get(marked) == ["The", "cat", "sat", "on", "."]
    push(page, "threes")
    assert page.get(marked) == ["The", "cat", "sat", "on"]
    push(page, "the the the")
    check("the the the")


@on("beam")
def test_a_beam_is_walked_through_by_slider_click_mouse_and_tap_and_what_is_read_stays(page):
    best = "“<sos> go”: log-probability 0.00 nats, best"
    first = "“<sos>”: log-probability 0.00 nats, live, on the way to the best"
    assert shown(page) == best
    page.move(page.place(part(".stage .node", 0)))
    assert shown(page) == first
    page.tap(part(".stage .node", 1))
    assert shown(page) == best
    assert turn(page, 1, "Home") == first
    page.tap(part(".stage .node", 1))
    page.click(part(".stage .node", 0))
    assert shown(page) == turn(page, 0, "Home") == first


def test_no_view_is_wider_than_a_telephone_and_every_control_has_a_name(running):
    window, folder = running
    window.resize(360)
    window.open(EVERYTHING, folder)
    assert window.get("document.documentElement.scrollWidth") <= 360
    unnamed = "[...document.querySelectorAll('input, button')].filter(n =>"
    unnamed += " !(n.textContent.trim() || n.closest('label')?.textContent.trim())).length"
    assert window.get(unnamed) == 0
    takers = "[...document.querySelectorAll('input, button, summary')]"
    left = f"{takers}.filter(n => !n.hasAttribute('data-lm-suppress-shortcuts')).length"
    assert window.get(left) == 0  # JupyterLab leaves their keys alone
    alts = window.get("[...document.querySelectorAll('svg[role=img]')].map(s => s.ariaLabel)")
    assert alts and set(alts) <= {view.alt for view in VIEWS.values()}
    letters = "[...document.querySelectorAll('svg text')]"
    sizes = window.get(f"{letters}.map(text => parseFloat(getComputedStyle(text).fontSize))")
    assert min(sizes) >= 11
    window.resize(820)


LONG_KO = ["내일은", "시장에서만큼은", "다섯 개를", "샀습니다", "돌아왔습니다", "서울특별시에서"]
LONG_EN = ["Tomorrow", ",", "bookkeeper", "by", "the", "congratulated"]


@pytest.mark.parametrize("words", [LONG_KO, LONG_EN], ids=["Korean", "English"])
@pytest.mark.parametrize("width", [360, 820])
def test_no_label_is_cut_off_at_an_edge_or_lies_on_its_neighbor(running, width, words):
    window, folder = running
    some = np.eye(len(words)) * 0.6 + 0.05
    tree = [{**TREE[0], "token": words[1]}, {**TREE[1], "token": words[5]}]
    drawn = [
        views.attention_steps_view(some, some, words, words),
        views.learning_view([{"step": 1, "tokens": words, "weights": some}], words),
        views.lstm_view(dict.fromkeys("ifgoc", some), words),
        views.gradient_view({"RNN": some[0], "attention": some[1]}, words, direct=["attention"]),
        views.temperature_view(some[0], words),
        views.bleu_view(words, {"attention": 50 + some[0]}),
        views.beam_view(tree),
    ]
    window.resize(width)
    window.open(HEAD + "".join(view.html for view in drawn), folder)
    found = window.get(OUTSIDE)
    window.resize(820)
    assert found == []


#: Labels not a pixel inside the edge of their picture, and level ones that reach into the next of
#: their line or have no pixel between them and another line. Each is as high as its letters and an
#: x are. The browsers' own boxes are as high as the font is, with empty room above and below, and
#: differ: 15 pixels in Chromium, in Firefox 20, where boxes of lines that are apart overlap.
OUTSIDE = """(pen => [...document.querySelectorAll('.attn-view')].flatMap(view => {
  const stage = view.querySelector('.stage'), edge = stage.getBoundingClientRect();
  const high = edge.top + stage.clientHeight, wide = edge.left + stage.scrollWidth;
  const around = text => {
    pen.font = getComputedStyle(text).font;
    const ink = pen.measureText(text.firstChild.data + 'x'), { x, width } = text.getBBox();
    const line = text.getStartPositionOfChar(0).y, onPage = text.getScreenCTM();
    const top = line - ink.actualBoundingBoxAscent, bottom = line + ink.actualBoundingBoxDescent;
    const corners = [x, x + width].flatMap(across => [top, bottom].map(down =>
      new DOMPoint(across, down).matrixTransform(onPage)));
    const [across, down] = [corners.map(one => one.x), corners.map(one => one.y)];
    return { left: Math.min(...across), right: Math.max(...across),
      top: Math.min(...down), bottom: Math.max(...down) };
  };
  const all = [...stage.querySelectorAll('svg[role=img] text')].map(text =>
    ({ text: text.firstChild.data, turned: text.hasAttribute('transform'), box: around(text) }));
  const over = all.filter(({ box }) => box.left < edge.left + 1 || box.right > wide - 1
    || box.top < edge.top + 1 || box.bottom > high - 1);
  const level = all.filter(one => !one.turned).sort((a, b) => a.box.left - b.box.left);
  const meet = level.filter(({ box: a }, i) => level.slice(i + 1).some(({ box: b }) =>
    b.left < a.right - 1 && b.top < a.bottom + 1 && a.top < b.bottom + 1));
  return [...over, ...meet].map(({ text, box }) => [view.querySelector('.title').textContent, text,
    ...[box.left - edge.left, wide - box.right, box.top - edge.top, high - box.bottom]].join(' '));
}))(document.createElement('canvas').getContext('2d'))"""


@on("lines")
def test_a_curve_is_read_out_by_slider_mouse_and_tap_and_it_stays(page):
    assert shown(page) == "“나는”. attention: 90.0"
    assert turn(page, 0, "End") == "“갔다”. attention: 30.0"
    page.tap(part("svg[role=img] path"))  # the middle of the line: the second of three words
    assert shown(page) == "“학교에”. attention: 50.0"
    page.move(page.place(part("svg[role=img]"), 0.9, 0.4))
    assert shown(page) == "“갔다”. attention: 30.0"


def test_where_scripts_do_not_run_the_stills_are_shown(running):
    window, folder = running
    if not isinstance(window, Chromium):
        pytest.skip("only Chromium lets a test switch scripts off")
    window("Emulation.setScriptExecutionDisabled", value=True)
    window.open(EVERYTHING, folder)
    widths = window.get("[...document.querySelectorAll('img.still')].map(i => i.naturalWidth)")
    window("Emulation.setScriptExecutionDisabled", value=False)
    assert len(widths) == len(VIEWS) and min(widths) > 0
    assert np.all(np.array(widths) > 100)
