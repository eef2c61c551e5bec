"""Figures: what the reader sees is where the arrays say it is."""

import subprocess
import sys
import warnings

import matplotlib
import matplotlib.pyplot as plt
import numpy as np
import pytest
import torch
from drawing import assert_labels_apart
from matplotlib.colors import to_rgb, to_rgba
from matplotlib.figure import Figure
from matplotlib.text import Text

from attnlib import figures

WEIGHTS = np.array([[0.1, 0.2, 0.7, 0.0], [0.9, 0.05, 0.05, 0.0], [0.0, 0.35, 0.0, 0.65]])
SRC = ["나는", "학교\nschool", "갔다", "."]
TGT = ["went", "I", "end"]
GOLD = ({(2, 0), (0, 1)}, {(2, 0), (0, 1), (3, 2)})


@pytest.fixture(autouse=True)
def no_screen(monkeypatch):
    """Draw in memory, fail where a function shows its figure, and leave none open."""
    matplotlib.use("Agg")
    monkeypatch.setattr(plt, "show", lambda *args, **kwargs: pytest.fail("plt.show was called"))
    yield
    plt.close("all")


def pixels(figure: Figure) -> np.ndarray:
    figure.canvas.draw()
    return np.asarray(figure.canvas.buffer_rgba()).astype(int)


def centre(artist) -> tuple[float, float]:
    """Middle of an artist on the drawn figure, in pixels from the lower left corner."""
    box = artist.get_window_extent()
    return (box.x0 + box.x1) / 2, (box.y0 + box.y1) / 2


def test_a_heat_map_is_drawn_without_a_warning_and_has_a_title_and_named_axes():
    ax = figures.attention_heatmap(WEIGHTS, SRC, TGT, gold=GOLD)
    ax.figure.canvas.draw()  # warnings are errors: a missing glyph would stop here
    assert ax.get_title() and ax.get_ylabel() and ax.get_xlabel()
    assert ax.figure.get_size_inches()[0] <= 9, "wider than a notebook"


def test_the_cell_under_a_source_label_and_beside_a_target_label_has_the_colour_of_its_weight():
    ax = figures.attention_heatmap(WEIGHTS, SRC, TGT)
    image = pixels(ax.figure)
    for t, row in enumerate(ax.get_yticklabels()):
        for j, column in enumerate(ax.get_xticklabels()):
            x, y = int(centre(column)[0]), int(centre(row)[1])
            seen = image[image.shape[0] - 1 - y, x] / 255
            expected = plt.get_cmap("Blues")(WEIGHTS[t, j])
            assert np.abs(seen - expected).max() < 0.02, (t, j)
    assert [label.get_text() for label in ax.get_xticklabels()] == SRC
    assert [label.get_text() for label in ax.get_yticklabels()] == TGT
    assert all(centre(label)[1] > ax.bbox.y1 for label in ax.get_xticklabels())  # on top
    heights = [centre(label)[1] for label in ax.get_yticklabels()]
    assert heights == sorted(heights, reverse=True)  # the first target word in the top row


def test_gold_links_are_outlined_in_their_cells_and_only_possible_ones_are_dashed():
    ax = figures.attention_heatmap(WEIGHTS, SRC, TGT, gold=GOLD)
    boxes = {}
    for patch in ax.patches:
        x, y = patch.get_center()
        boxes[int(x), int(y)] = patch.get_linestyle() not in ("-", "solid")
    assert boxes == {(2, 0): False, (0, 1): False, (3, 2): True}
    assert [text.get_text() for text in ax.get_legend().get_texts()] == [
        "sure gold link",
        "possible gold link",
    ]


@pytest.mark.parametrize(("n", "length", "slant"), [(4, 2, 0), (8, 12, 50), (40, 6, 90)])
def test_labels_of_the_source_stand_apart_however_many_and_long_they_are(n, length, slant):
    tokens = [f"{i:0{length}d}" for i in range(n)]
    ax = figures.attention_heatmap(np.full((3, n), 0.5), tokens, TGT)
    assert_labels_apart(ax, slant, "left")


def test_tensors_with_gradient_and_in_bfloat16_are_drawn_and_nothing_is_changed():
    weights = torch.tensor(WEIGHTS, requires_grad=True)
    before = weights.detach().clone()
    ax = figures.attention_heatmap(weights, SRC, TGT)
    assert np.allclose(ax.collections[0].get_array().reshape(3, 4), WEIGHTS, atol=1e-7)
    assert torch.equal(weights, before)
    figures.attention_heatmap(weights.bfloat16(), SRC, TGT)
    exact = torch.tensor([0.1], dtype=torch.float64)  # 0.10000000149 in float32
    assert figures.as_array("numbers", exact, (1,)).tolist() == [0.1]


def test_a_figure_can_be_drawn_into_axes_that_exist():
    _, axes = plt.subplots(1, 3)
    assert figures.attention_heatmap(WEIGHTS, SRC, TGT, ax=axes[0]) is axes[0]
    assert len(plt.get_fignums()) == 1


def glyph(char: str, families: list[str]) -> bytes:
    with plt.rc_context({"font.family": families}):
        figure = plt.figure(figsize=(1, 1))
        figure.text(0.2, 0.2, char, fontsize=40)
        return pixels(figure).tobytes()


def test_hangul_is_drawn_and_not_the_box_of_a_missing_glyph():
    families = [*figures.hangul_font()]
    shown = [glyph(char, families) for char in ("학", "교", " ")]  # a missing glyph would warn
    assert len(set(shown)) == 3
    with warnings.catch_warnings():  # without the font both are the same box: the check can fail
        warnings.simplefilter("ignore")
        assert glyph("학", ["DejaVu Sans"]) == glyph("교", ["DejaVu Sans"])


def brightness(color) -> float:
    """From 0, black, to 1, white (relative luminance, WCAG 2)."""
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in to_rgb(color)]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def unseen(figure: Figure) -> list[str]:
    """Texts of a drawn figure that stand out from its ground by less than WCAG asks, 4.5 : 1."""
    figure.canvas.draw()
    ground, faint = brightness(figure.get_facecolor()), []
    for text in figure.findobj(Text):
        pair = sorted((brightness(text.get_color()), ground))
        if text.get_text() and text.get_visible() and (pair[1] + 0.05) / (pair[0] + 0.05) < 4.5:
            faint.append(text.get_text())
    return faint


STYLES = ["default", "dark_background"]


@pytest.mark.parametrize("name", STYLES)
def test_under_any_style_every_word_of_a_heat_map_stands_out_from_its_ground(name):
    with plt.style.context(name):
        ax = figures.attention_heatmap(WEIGHTS, SRC, TGT, gold=GOLD)
    assert unseen(ax.figure) == [] and to_rgba("white") == ax.figure.get_facecolor()


@pytest.mark.parametrize("name", STYLES)
def test_the_style_of_a_chapter_shows_every_word_of_a_chart_whatever_was_set_before(name):
    with figures.style(), plt.style.context(name):
        figures.use_style()
        figure, ax = plt.subplots()
        ax.plot([1, 2], label="line")
        ax.set(title="title", xlabel="x", ylabel="y")
        ax.legend(title="legend", frameon=True)
        ax.text(1, 1, "text")
        figure.suptitle("above")
        image = ax.scatter([0, 1], [1, 2], c=[0, 1])
        figure.colorbar(image, label="bar")
        assert unseen(figure) == []
        assert brightness(ax.get_legend().get_frame().get_facecolor()) > 0.9


@pytest.mark.parametrize("where", ["inside", "after"])
@pytest.mark.parametrize("name", ["default", "dark_background"])
def test_in_axes_of_the_readers_words_have_the_readers_ink(name, where):
    with plt.style.context(name):
        figure, ax = plt.subplots()
        ground = figure.get_facecolor()
        if where == "inside":
            figures.attention_heatmap(WEIGHTS, SRC, TGT, gold=GOLD, ax=ax)
    if where == "after":
        figures.attention_heatmap(WEIGHTS, SRC, TGT, gold=GOLD, ax=ax)
    assert unseen(figure) == [] and figure.get_facecolor() == ground
    face = ax.get_legend().get_frame().get_facecolor()
    assert abs(brightness(face) - brightness(ground)) < 0.1


@pytest.mark.parametrize("own", [True, False])
@pytest.mark.parametrize("family", ["sans-serif", "DejaVu Serif"])
def test_hangul_is_drawn_beside_the_readers_fonts_in_new_axes_and_in_the_readers(own, family):
    with plt.rc_context({"font.family": family}):
        ax = None if own else plt.subplots()[1]
        ax = figures.attention_heatmap([[1.0]], ["나는"], ["갔다"], title="제목", ax=ax)
        ax.figure.canvas.draw()  # warnings are errors: a missing glyph would stop here
    for text in (ax.title, *ax.get_xticklabels(), *ax.get_yticklabels()):
        assert text.get_fontfamily()[0] == family


def test_importing_and_asking_for_the_font_changes_no_setting_and_does_not_import_torch():
    code = (
        "import sys, matplotlib as m; before = dict(m.rcParams.copy())\n"
        "from attnlib import figures; figures.hangul_font()\n"
        "assert dict(m.rcParams.copy()) == before, 'settings'\n"
        "assert 'torch' not in sys.modules, 'torch'\n"
        "print('unchanged')"
    )
    run = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, encoding="utf-8", check=False
    )
    assert run.stdout.strip() == "unchanged", run.stderr


def test_the_style_ends_with_its_block_even_after_an_error():
    before = dict(matplotlib.rcParams.copy())
    with pytest.raises(KeyError), figures.style():
        assert matplotlib.rcParams["axes.titlesize"] != before["axes.titlesize"]
        raise KeyError
    figures.attention_heatmap(WEIGHTS, SRC, TGT, gold=GOLD)
    assert dict(matplotlib.rcParams.copy()) == before
