"""The tree of a beam search: every hypothesis in its place, its parent above it, its fate seen."""

import itertools

import matplotlib
import matplotlib.pyplot as plt
import numpy as np
import pytest
from drawing import record
from matplotlib.colors import to_rgba

from attnbook.figures import beam_tree
from attnlib.figures import PALETTE


@pytest.fixture(autouse=True)
def no_screen():
    matplotlib.use("Agg")
    yield
    plt.close("all")


TRACE = [
    record("s", None, 0, "<sos>", 0.0),
    record("a", "s", 1, "I", -0.5),
    record("b", "s", 1, "we", -1.5),
    record("c", "s", 1, "a $", -4.0, "pruned"),
    record("bx", "b", 2, "ran", -1.75),
    record("ax", "a", 2, "went", -0.75),
    record("ay", "a", 2, "갔다", -3.0, "pruned"),
    record("a$", "a", 2, "<eos>", -2.5, "finished"),
    record("ax$", "ax", 3, "<eos>", -1.0, "best"),
]


def drawn_boxes(ax) -> dict[str, tuple[float, float]]:
    return {text.get_text().split("\n")[0]: text.get_position() for text in ax.texts}


def test_beam_boxes_stand_in_the_column_of_their_step_and_lines_join_them_to_their_parents():
    places = drawn_boxes(ax := beam_tree(TRACE[:7]))
    tokens = {node["id"]: node["token"] for node in TRACE}
    assert {token: x for token, (x, _) in places.items()} == {
        node["token"]: node["step"] for node in TRACE[:7]
    }
    lines = {tuple(zip(*line.get_data())) for line in ax.lines}
    assert lines == {(places[tokens[node["parent"]]], places[node["token"]]) for node in TRACE[1:7]}


def test_no_two_lines_of_a_beam_tree_cross():
    rng = np.random.default_rng(0)
    trace = [record(0, None, 0, "0", 0.0)]
    for step in range(1, 6):
        above = [node["id"] for node in trace if node["step"] == step - 1]
        for parent in rng.choice(above, size=6):
            trace.append(record(len(trace), int(parent), step, str(len(trace)), -rng.random()))
    lines = [line.get_data() for line in beam_tree(trace).lines]
    for (a, c), (b, d) in (
        (one[1], two[1]) for one in lines for two in lines if one[0][0] == two[0][0]
    ):
        assert (a - b) * (c - d) >= 0


def test_the_way_to_the_best_hypothesis_stands_out_and_pruned_ones_can_be_left_out():
    ax = beam_tree(TRACE)
    ax.figure.canvas.draw()  # warnings are errors: a missing glyph would stop here
    assert ax.get_title() == "Beam search"
    assert ax.get_xlabel() == "step (tokens so far)" and "nats" in ax.get_ylabel()
    fills = [text.get_bbox_patch().get_facecolor() for text in ax.texts]
    best = [node["token"] for node, fill in zip(TRACE, fills) if fill == to_rgba(PALETTE[0])]
    assert best == ["<sos>", "I", "went", "<eos>"]
    (legend,) = ax.figure.legends
    assert {text.get_text() for text in legend.texts} == {"best", "finished", "live", "pruned"}
    kept = drawn_boxes(beam_tree(TRACE, pruned=False))
    assert set(kept) == {"<sos>", "I", "we", "went", "ran", "<eos>"}
    assert [text.get_text() for text in ax.texts][1] == "I\n−0.50"


def wide_tree(steps: int, width: int) -> list[dict]:
    trace = [record("s", None, 0, "<sos>", 0.0)]
    for t in range(1, steps + 1):
        for k in range(width):
            parent = f"{t - 1}.{k}" if t > 1 else "s"
            status = "best" if (t, k) == (steps, 0) else "live" if k < width - 1 else "pruned"
            trace.append(record(f"{t}.{k}", parent, t, f"w{k}", -t - k / 10, status))
    return trace


@pytest.mark.parametrize(("steps", "width"), [(1, 1), (2, 3), (5, 5)])
def test_boxes_of_a_beam_lie_apart_inside_the_axes_with_the_best_of_a_step_on_top(steps, width):
    ax = beam_tree(wide_tree(steps, width))
    ax.figure.canvas.draw()
    boxes = [text.get_bbox_patch().get_window_extent() for text in ax.texts]
    for one, two in itertools.combinations(boxes, 2):
        assert not one.overlaps(two)
    frame = ax.get_window_extent()
    for box in boxes:
        assert frame.x0 <= box.x0 < box.x1 <= frame.x1 and frame.y0 <= box.y0 < box.y1 <= frame.y1
    if width > 1:
        last = [box.y0 for box in boxes[-width:]]  # by falling probability
        assert last == sorted(last, reverse=True)
    assert list(ax.get_xticks()) == list(range(steps + 1)) and not len(ax.get_yticks())
    assert max(ax.figure.get_size_inches()) <= 11  # a notebook is not larger


@pytest.mark.parametrize(
    ("draw", "message"),
    [
        (lambda: beam_tree([]), "at least one hypothesis, got none"),
        (lambda: beam_tree([{"id": 0}]), r"records\[0\] must have the key 'log_prob'"),
        (
            lambda: beam_tree([TRACE[0]] * 2),
            r"records\[1\] .*id of its own, got {'id': 's'",
        ),
        (lambda: beam_tree(TRACE[1:]), r"records.0. .* before it, got {'id': 'a'"),
        (
            lambda: beam_tree([record(0, None, 0, "a", 0.0, "dead")]),
            "a status of best, finished, live, pruned, got .*'dead'",
        ),
    ],
)
def test_records_that_are_no_tree_are_named_with_what_was_expected_and_what_came(draw, message):
    with pytest.raises(ValueError, match=message):
        draw()
