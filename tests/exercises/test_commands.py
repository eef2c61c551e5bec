"""The book's commands where only what the library needs is installed."""

import json
import subprocess
import sys

import pytest

#: The command line where some packages are not installed: what each command returns and says.
PROGRAM = """
import contextlib, io, json, sys
lacking, *commands = sys.argv[1:]
sys.modules.update(dict.fromkeys(lacking.split(",")))
from attnlib.translator.cli.parser import main
for given in commands:
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()) as e:
        status = main(given.split())
    print(json.dumps([status, e.getvalue()]))
"""
NEED_LAB = ["grade x.ipynb", "assign F 05b"]
NEED_NONE = ["--version", "--help", "doctor --help"]
LAB = "psutil,nbformat,IPython,ipykernel,ipywidgets,jupyterlab"


@pytest.mark.parametrize("lacking", [LAB, pytest.param("psutil", marks=pytest.mark.thorough)])
def test_a_command_that_needs_the_lab_names_it_where_it_is_not_and_others_work(
    lacking: str,
) -> None:
    command = [sys.executable, "-c", PROGRAM, lacking, *NEED_LAB, *NEED_NONE]
    answer = subprocess.run(command, capture_output=True, encoding="utf-8", check=True)
    result = dict(zip([*NEED_LAB, *NEED_NONE], map(json.loads, answer.stdout.splitlines())))
    for given in NEED_LAB:
        status, line = result[given]
        assert status == 1 and line.count("\n") == 1
        assert line.startswith(f"attnlib: {given.split()[0]} needs the packages of [lab], and ")
        assert line.endswith(' is missing: pip install "attnlib[lab]"\n')
    assert all(result[given] == [0, ""] for given in NEED_NONE)
