"""The book's commands where only what the library needs is installed."""

import subprocess
import sys

import pytest

#: The command line where some packages are not installed.
PROGRAM = """
import sys
lacking, *given = sys.argv[1:]
sys.modules.update(dict.fromkeys(lacking.split(",")))
from attnlib.translator.cli.parser import main
sys.exit(main(given))
"""
LAB = "psutil,nbformat,IPython,ipykernel,ipywidgets,jupyterlab"


@pytest.mark.parametrize("given", ["grade x.ipynb", "assign F 05b"])
@pytest.mark.parametrize("lacking", ["psutil", LAB])
def test_a_command_that_needs_the_lab_says_so_in_a_sentence_where_it_is_not(
    given: str, lacking: str
) -> None:
    answer = subprocess.run(
        [sys.executable, "-c", PROGRAM, lacking, *given.split()],
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    name = given.split()[0]
    expected = f"attnlib: {name} needs the packages of [lab], and "
    assert answer.returncode == 1 and answer.stderr.count("\n") == 1, answer.stderr
    assert answer.stderr.startswith(expected) and answer.stdout == ""
    assert answer.stderr.endswith(' is missing: pip install "attnlib[lab]"\n')


@pytest.mark.parametrize("given", ["--version", "--help", "doctor --help"])
def test_what_needs_no_lab_works_without(given: str) -> None:
    answer = subprocess.run(
        [sys.executable, "-c", PROGRAM, LAB, *given.split()],
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert (answer.returncode, answer.stderr) == (0, "")
