"""The records of a beam search: what makes them a tree."""

import pytest
from drawing import record

from attnbook.figures import parse_tree

TRACE = [record("s", None, 0, "<sos>", 0.0), record("a", "s", 1, "I", -0.5)]


@pytest.mark.parametrize(
    ("draw", "message"),
    [
        (lambda: parse_tree([{"id": 0}]), r"records\[0\] must have the key 'log_prob'"),
        (
            lambda: parse_tree([TRACE[0]] * 2),
            r"records\[1\] .*id of its own, got {'id': 's'",
        ),
        (lambda: parse_tree(TRACE[1:]), r"records.0. .* before it, got {'id': 'a'"),
        (
            lambda: parse_tree([record(0, None, 0, "a", 0.0, "dead")]),
            "a status of best, finished, live, pruned, got .*'dead'",
        ),
    ],
)
def test_records_that_are_no_tree_are_named_with_what_was_expected_and_what_came(draw, message):
    with pytest.raises(ValueError, match=message):
        draw()
