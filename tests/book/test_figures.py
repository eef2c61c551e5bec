"""Figures of the book alone: what the reader sees is where the arrays say it is."""

import matplotlib.pyplot as plt
import numpy as np
import pytest
from drawing import assert_labels_apart
from matplotlib.text import Text

from attnbook.figures import beam_tree, bleu_by_length, gates_over_time, learning_curves
from attnlib.figures import attention_heatmap

FORGET, OUTPUT = np.array([0.1, 0.2, 0.7, 0.0]), np.array([0.9, 0.05, 0.05, 0.0])
GATES = np.stack([FORGET, OUTPUT, [0.0, 0.35, 0.0, 0.65]], axis=1)  # (T, 3)
UNITS = np.linspace(-2, 2, 8).reshape(4, 2)
WORDS = ["나는", "학교\nschool", "갔다", "."]


@pytest.fixture(autouse=True)
def no_screen(monkeypatch):
    """Fail where a function shows its figure, and leave none open."""
    monkeypatch.setattr(plt, "show", lambda *args, **kwargs: pytest.fail("plt.show was called"))
    yield
    plt.close("all")


def test_gates_are_drawn_without_a_warning_and_have_a_title_and_named_axes():
    figure = gates_over_time({"f": FORGET, "c": UNITS}, WORDS)
    figure.canvas.draw()  # warnings are errors: a missing glyph would stop here
    assert figure.get_suptitle() == "Gates along the sentence"
    assert [ax.get_ylabel() for ax in figure.axes[:2]] == ["value", "2 units"]
    assert figure.axes[1].get_xlabel() == "time step (word read)"
    assert figure.get_size_inches()[0] <= 9  # a notebook is not wider


def test_gate_lines_hold_their_values_and_heat_maps_have_a_column_for_each_word():
    figure = gates_over_time({"f": FORGET, "o": OUTPUT, "c": UNITS}, WORDS)
    lines, states = figure.axes[:2]
    assert [list(line.get_ydata()) for line in lines.lines] == [list(FORGET), list(OUTPUT)]
    assert len({line.get_marker() for line in lines.lines}) == 2  # not by colour alone
    mesh = states.collections[0]
    assert np.array_equal(mesh.get_array().reshape(2, 4), UNITS.T)
    assert mesh.get_clim() == (-2.0, 2.0)
    assert [label.get_text() for label in states.get_xticklabels()] == WORDS
    assert list(lines.lines[0].get_xdata()) == list(states.get_xticks())


def test_a_token_is_no_formula():
    gates_over_time({"f": [0.5]}, [r"$\nonsense{$"]).canvas.draw()


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"f": [1.0, 2.0]}, r"values\['f'\] .*got \(2,\)"),
        ({}, "values must name at least one gate"),
        ({"f": [np.inf]}, "must be finite"),
    ],
)
def test_bad_values_are_named_with_what_was_expected_and_what_came(values, message):
    with pytest.raises(ValueError, match=message):
        gates_over_time(values, ["a"])


@pytest.mark.parametrize(
    ("n", "length", "slant"), [(4, 2, 0), (8, 4, 0), (8, 12, 50), (12, 9, 50), (40, 6, 90)]
)
def test_words_below_the_gates_stand_apart_however_many_and_long_they_are(n, length, slant):
    words = [f"{i:0{length}d}" for i in range(n)]
    ax = gates_over_time({"f": np.full(n, 0.5)}, words).axes[-1]
    assert_labels_apart(ax, slant, "right")


def test_gates_are_drawn_from_0_to_1_and_states_around_0_under_the_names_they_were_given():
    values = {"f": FORGET, "i": GATES, "c": -3 * GATES}
    figure = gates_over_time(values, WORDS)
    lines, gate, state = figure.axes[:3]
    assert lines.get_ylim() == (-0.04, 1.04) and lines.get_xlim() == (0, len(WORDS))
    assert lines.get_ylabel() == "value" and gate.get_ylabel() == state.get_ylabel() == "3 units"
    assert [text.get_text() for text in lines.get_legend().get_texts()] == ["f"]
    assert [ax.get_title() for ax in (gate, state)] == ["i", "c"]
    maps = [ax.collections[0] for ax in (gate, state)]
    assert [(mesh.get_clim(), mesh.get_cmap().name) for mesh in maps] == [
        ((0, 1), "cividis"),
        (pytest.approx((-2.7, 2.7)), "PuOr"),
    ]
    assert all(not ax.get_yticklabels() for ax in (gate, state))  # a unit has no name
    assert state.get_xlabel() == "time step (word read)"
    beyond = gates_over_time({"f": FORGET, "c": 2 * OUTPUT}, WORDS).axes[0]
    assert beyond.get_ylim()[1] > 1.8, "not only gates: the axis is theirs"
    assert beyond.get_legend().get_window_extent().y0 >= beyond.get_window_extent().y1 - 1


def test_a_figure_of_gates_grows_with_its_words_and_units_within_a_notebook():
    def size(n, *units):
        values = {"f": np.full(n, 0.5)} | {str(m): np.full((n, m), 0.5) for m in units}
        return gates_over_time(values, [f"{i:02d}" for i in range(n)]).get_size_inches().tolist()

    # An inch for the title and the words, and for each part its height and 0.3.
    assert size(2) == pytest.approx([6, 3.0 + 0.3 + 1])
    assert size(8) == pytest.approx([2.5 + 8 * 0.62, 4.3])
    assert size(30, 4, 20, 100) == pytest.approx([9, 3.0 + 1.5 + 2.4 + 3.0 + 4 * 0.3 + 1])


NAME = r"cost $5 \frac and $6"  # two dollar signs make it a formula, and not a right one
AS_GIVEN = {
    "heat map": lambda: attention_heatmap([[1.0]], [NAME], [NAME], title=NAME),
    "BLEU": lambda: bleu_by_length([NAME, (1, 2)], {NAME: [1.0, 2.0]}, counts=[1, 2], title=NAME),
    "learning curves": lambda: learning_curves(
        [0, 1], {NAME: [1.0, 2.0]}, title=NAME, xlabel=NAME, ylabel=NAME
    ),
    "gates": lambda: gates_over_time(
        {NAME: [0.5, 0.1], f"units, {NAME}": [[0.1, 0.2]] * 2}, [NAME, "b"], title=NAME
    ),
    "tree": lambda: beam_tree(
        [{"id": 0, "parent": None, "step": 0, "token": NAME, "log_prob": 0.0, "status": "live"}],
        title=NAME,
    ),
}


@pytest.mark.parametrize("what", AS_GIVEN)
def test_what_a_reader_names_is_written_as_it_is_and_is_no_formula(what: str) -> None:
    drawn = AS_GIVEN[what]()
    figure = getattr(drawn, "figure", drawn)
    figure.canvas.draw()  # mathtext would raise ValueError
    texts = [text for text in figure.findobj(Text) if NAME in text.get_text()]
    shown = [text for text in texts if text.get_visible()]
    assert len(shown) >= 2 and not any(text.get_parse_math() for text in shown)
