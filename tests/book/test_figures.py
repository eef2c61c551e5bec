"""Figures of the book alone: what the reader sees is where the arrays say it is."""

import matplotlib.pyplot as plt
import numpy as np
import pytest

from attnbook.figures import gates_over_time

FORGET, OUTPUT = np.array([0.1, 0.2, 0.7, 0.0]), np.array([0.9, 0.05, 0.05, 0.0])
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
