"""A chapter as nbgrader wants its source: solutions between marks, and a test below each exercise.

nbgrader cuts out what stands between ``### BEGIN SOLUTION`` and ``### END SOLUTION``. The test
calls ``must_pass``, which raises unless the cell above came to ✓, so a point is given by the same
check that the student saw. Students may add cells and change all but the tests.
https://nbgrader.readthedocs.io/en/stable/contributor_guide/metadata.html
"""

from __future__ import annotations

import json
from typing import Any

BEGIN_SOLUTION, END_SOLUTION = "### BEGIN SOLUTION", "### END SOLUTION"
STUB = "raise NotImplementedError"
SCHEMA = 3
CONFIG_NAME = "nbgrader_config.py"
CONFIG = """\
# Written by `python -m attnlib assign --nbgrader`; yours to change.
c = get_config()  # noqa: F821
c.CourseDirectory.course_id = "attention"
# A chapter may train for a minute in one cell (chapter 10 for five); nbgrader's own limit is less.
c.ExecutePreprocessor.timeout = 900
# What a solution is replaced with: the exercise then says "not attempted", as in the book.
c.ClearSolutions.code_stub = {"python": "raise NotImplementedError"}
"""


def source(chapter: dict[str, Any], solved: dict[str, Any]) -> dict[str, Any]:
    """The source of an assignment from a chapter and its solutions; a point for each exercise.

    Raises ValueError where an exercise has no solution: one of the notebooks is older.
    """
    solutions = {cell["id"]: "".join(cell["source"]) for cell in solved["cells"]}
    cells = []
    for cell in chapter["cells"]:
        cells.append(cell)
        if "exercise" not in cell["metadata"].get("tags", ()):
            continue
        blank, whole = "".join(cell["source"]), solutions.get(cell["id"], "")
        cell["source"] = _marked(cell["id"], blank, whole)
        cell["metadata"]["nbgrader"] = _about(cell["id"], solution=True)
        name = blank.partition("def ")[2].partition("(")[0]
        cells.append(_test(cell["id"], name))
    return {**chapter, "cells": cells}


def _marked(cell_id: str, blank: str, whole: str) -> str:
    """The solved exercise, with nbgrader's marks around what the blank one leaves open."""
    before, _, after = blank.partition(STUB)
    if not (whole.startswith(before.rstrip(" ")) and whole.endswith(after)):
        raise ValueError(f"the solution of {cell_id} is of another chapter; make book builds both")
    indent = before[len(before.rstrip(" ")) :]
    body = whole[len(before.rstrip(" ")) : len(whole) - len(after)]
    return f"{before}{BEGIN_SOLUTION}\n{body}\n{indent}{END_SOLUTION}{after}"


def _test(cell_id: str, name: str) -> dict[str, Any]:
    text = f"from attnbook import must_pass\n\nmust_pass({json.dumps(name)})  # one point"
    return {
        "cell_type": "code",
        "execution_count": None,
        "id": f"{cell_id}-point",
        "metadata": {"nbgrader": {**_about(f"{cell_id}-point", grade=True), "points": 1}},
        "outputs": [],
        "source": text,
    }


def _about(grade_id: str, grade: bool = False, solution: bool = False) -> dict[str, Any]:
    return {
        "grade": grade,
        "grade_id": grade_id,
        "locked": grade,
        "schema_version": SCHEMA,
        "solution": solution,
        "task": False,
    }
