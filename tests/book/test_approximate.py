"""Numbers with ≈: the band, and the one rule by which notebooks are compared."""

import re
import subprocess
import sys
from pathlib import Path

import nbformat
import numpy as np
import pytest
import torch
from nbformat.v4 import new_code_cell, new_notebook, new_output

from attnbook import approx_text, check_range

ROOT = Path(__file__).parents[2]
RULES = (ROOT / "tests" / "nbval.cfg").read_text(encoding="utf-8")


@pytest.mark.parametrize("value", [1.0, 1.7183, 2, torch.tensor([[1.5]]), np.float32(1.5)])
def test_a_number_within_its_band_passes_and_both_ends_belong_to_it(value) -> None:
    check_range(value, 1.0, 2.0)


@pytest.mark.parametrize("value", [0.99, 2.01, float("nan"), float("inf"), -float("inf")])
def test_a_number_outside_its_band_is_refused_in_a_sentence(value: float) -> None:
    with pytest.raises(ValueError, match=r"is outside the band from 1\.0 to 2\.0, for which"):
        check_range(value, 1.0, 2.0)


def test_an_empty_band_is_refused() -> None:
    with pytest.raises(ValueError, match="low must be at most high, got 2 and 1"):
        check_range(1.5, 2, 1)


def test_a_sentence_stands_between_its_marks_once_and_keeps_to_the_width() -> None:
    text = approx_text("He said “no” and went on, and on, and on.", width=24, indent=3)
    assert text.startswith("≈“") and text.endswith("”")
    assert text.count("“") == text.count("”") == 1
    first, *others = text.splitlines()
    assert all(len(line) <= 24 for line in (first, *others)) and others
    assert all(line[:3] == "   " and line[3] != " " for line in others)
    assert " ".join(text[2:-1].split()) == 'He said "no" and went on, and on, and on.'


# What nbval makes of it -------------------------------------------------------------------------


def html(text: str) -> str:
    return f"from IPython.display import HTML\nHTML({text!r})"


SAME = [  # a cell, what it said when it was recorded, and how
    ('print("loss ≈1.72, was 4")', "loss ≈1.81, was 4\n", "stdout"),
    ('print("≈-0.03 and ≈7e-09.")', "≈0.1 and ≈1.25e-10.\n", "stdout"),
    ('print("≈1,234 words")', "≈987 words\n", "stdout"),
    ('"≈1.72"', "'≈1.69'", "text/plain"),
    (html("<td>≈1.72</td>"), "<td>≈1.69</td>", "text/html"),
    ('print("model ≈“Two dogs\\n run.” 3")', "model ≈“A dog.” 3\n", "stdout"),
]
OTHER = [
    ('print("loss 1.72")', "loss 1.81\n", "stdout"),
    ('print("≈1.72, was 4")', "≈1.72, was 5\n", "stdout"),
    ('print("≈1.72 BLEU")', "≈1.72 AER\n", "stdout"),
    ('print("≈1.72")', "1.72\n", "stdout"),
    ('print("≈nan")', "≈1.72\n", "stdout"),
    ('"≈1.72 of 4"', "'≈1.72 of 5'", "text/plain"),
    ('print("≈“Two dogs.” 3")', "≈“Two dogs.” 4\n", "stdout"),
    ('print("≈“Two” dogs “run.”")', "≈“Two” cats “run.”\n", "stdout"),
    (html("<td>1.72</td>"), "<td>1.69</td>", "text/html"),
    (
        "from attnbook import check_range\ncheck_range(2.5, 1, 2)\nprint('≈1.72')",
        "≈1.72\n",
        "stdout",
    ),
]


def cell(source: str, approx_text: str, how: str) -> nbformat.NotebookNode:
    if how == "stdout":
        output = new_output("stream", name="stdout", text=approx_text)
    else:
        data = {"text/plain": "<IPython.core.display.HTML object>", how: approx_text}
        output = new_output("execute_result", data=data, execution_count=1)
    return new_code_cell(source, execution_count=1, outputs=[output])


def test_only_the_digits_behind_the_sign_may_differ(tmp_path: Path) -> None:
    """...under nbval itself, with the options of this project; a value out of its band stops."""
    notebook = new_notebook(cells=[cell(*case) for case in SAME + OTHER])
    nbformat.write(notebook, tmp_path / "approximate.ipynb")
    options = ["-c", str(ROOT / "pyproject.toml"), "-p", "conftest", "-p", "no:cacheprovider"]
    answer = subprocess.run(
        [sys.executable, "-m", "pytest", *options, "--nbval", "-rA", str(tmp_path)],
        cwd=ROOT,
        capture_output=True,
        check=False,
        encoding="utf-8",
    )
    lines = re.findall(r"^(PASSED|FAILED) .*::Cell (\d+)", answer.stdout, re.MULTILINE)
    verdicts = {int(number): verdict for verdict, number in lines}
    passed = [verdicts.get(number) for number in range(len(SAME + OTHER))]
    assert passed == ["PASSED"] * len(SAME) + ["FAILED"] * len(OTHER), answer.stdout
    assert "2.5 is outside the band from 1 to 2" in answer.stdout
