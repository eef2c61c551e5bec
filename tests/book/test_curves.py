"""Curves of the book: what the reader sees is where the arrays say it is, in the words given."""

import matplotlib
import matplotlib.pyplot as plt
import numpy as np
import pytest
from matplotlib.colors import to_rgba
from matplotlib.text import Text

from attnbook import figures
from attnlib.figures import attention_heatmap


@pytest.fixture(autouse=True)
def no_screen(monkeypatch):
    """Draw in memory, fail where a function shows its figure, and leave none open."""
    matplotlib.use("Agg")
    monkeypatch.setattr(plt, "show", lambda *args, **kwargs: pytest.fail("plt.show was called"))
    yield
    plt.close("all")


def every_figure():
    x = np.arange(20)
    bleu = {"with": [90.0, 80.0], "without": [85.0, np.nan]}
    return {
        "bleu": figures.bleu_by_length([(1, 10), (11, 20)], bleu, counts=[40, 3]).figure,
        "curves": figures.learning_curves(
            x, {"train": np.exp(-x), "valid": np.ones((3, 20))}
        ).figure,
        "reach": figures.learning_curves(x, {"RNN": 0.5**x}, log=True).figure,
    }


def test_curves_are_drawn_without_a_warning_and_have_a_title_and_named_axes():
    before = dict(matplotlib.rcParams.copy())
    for name, figure in every_figure().items():
        figure.canvas.draw()  # warnings are errors: a missing glyph would stop here
        (ax,) = figure.axes
        assert ax.get_title() and ax.get_ylabel() and ax.get_xlabel(), name
        assert figure.get_size_inches()[0] <= 9, f"{name} is wider than a notebook"
    assert dict(matplotlib.rcParams.copy()) == before


def test_bleu_by_length_draws_the_scores_with_their_intervals_and_a_gap_for_a_small_bucket():
    ax = figures.bleu_by_length(
        [(4, 10), "11+"],
        {"a": [90.0, 80.0], "b": [50.0, np.nan]},
        intervals={"a": [[88.0, 93.0], [70.0, 81.0]]},
        counts=[1200, 12],
    )
    assert [list(bars[0].get_ydata()) for bars in ax.containers][0] == [90.0, 80.0]
    assert np.isnan(ax.containers[1][0].get_ydata()[1])
    ends = [segment[:, 1].tolist() for segment in ax.containers[0][2][0].get_segments()]
    assert ends == [[88.0, 93.0], [70.0, 81.0]]
    labels = [label.get_text() for label in ax.get_xticklabels()]
    assert labels == ["4–10\nn = 1,200", "11+\nn = 12"]
    assert ax.get_ylim()[0] == 0
    assert len({bars[0].get_marker() for bars in ax.containers}) == 2  # not by colour alone
    assert [text.get_text() for text in ax.get_legend().get_texts()] == ["a", "b"]


@pytest.mark.parametrize(("n", "marked"), [(11, 11), (1200, 12)])
def test_a_long_curve_has_about_a_dozen_markers_and_a_short_one_all(n, marked):
    ax = figures.learning_curves(np.arange(n), {"a": np.ones(n), "b": np.ones((2, n))})
    for line in ax.lines:
        assert len(range(0, n, line.get_markevery())) == marked
    assert len({line.get_marker() for line in ax.lines}) == 2
    (band,) = ax.collections  # one run has none
    assert band.get_facecolor()[0][:3] == pytest.approx(to_rgba(ax.lines[1].get_color())[:3])


def test_runs_are_drawn_as_their_mean_in_a_band_from_low_to_high():
    ax = figures.learning_curves([0, 10], {"three": [[1.0, 2.0], [2.0, 4.0], [6.0, 3.0]]})
    assert list(ax.lines[0].get_ydata()) == [3.0, 3.0]
    corners = ax.collections[0].get_paths()[0].vertices
    assert corners[corners[:, 0] == 0, 1].min() == 1 and corners[corners[:, 0] == 0, 1].max() == 6
    assert ax.get_yscale() == "linear"
    assert figures.learning_curves([0, 1], {"RNN": [1.0, 0.1]}, log=True).get_yscale() == "log"


@pytest.mark.parametrize(
    ("draw", "message"),
    [
        (lambda: figures.bleu_by_length(["a"], {"x": [1.0, 2.0]}), r"\(1,\), got \(2,\)"),
        (lambda: figures.bleu_by_length(["a"], {"x": [101.0]}), "between 0.0 and 100.0, got 101"),
        (lambda: figures.learning_curves([0, 1], {"x": [1.0]}), r"curves.*\(2,\).*got \(1,\)"),
    ],
)
def test_bad_arguments_are_named_with_what_was_expected_and_what_came(draw, message):
    with pytest.raises(ValueError, match=message):
        draw()


NAME = r"cost $5 \frac and $6"  # two dollar signs make it a formula, and not a right one
AS_GIVEN = {
    "heat map": lambda: attention_heatmap([[1.0]], [NAME], [NAME], title=NAME),
    "BLEU": lambda: figures.bleu_by_length(
        [NAME, (1, 2)], {NAME: [1.0, 2.0]}, counts=[1, 2], title=NAME
    ),
    "learning curves": lambda: figures.learning_curves(
        [0, 1], {NAME: [1.0, 2.0]}, title=NAME, xlabel=NAME, ylabel=NAME
    ),
}


@pytest.mark.parametrize("what", AS_GIVEN)
def test_what_a_reader_names_is_written_as_it_is_and_is_no_formula(what: str) -> None:
    figure = AS_GIVEN[what]().figure
    figure.canvas.draw()  # mathtext would raise ValueError
    texts = [text for text in figure.findobj(Text) if NAME in text.get_text()]
    shown = [text for text in texts if text.get_visible()]
    assert len(shown) >= 2 and not any(text.get_parse_math() for text in shown)
