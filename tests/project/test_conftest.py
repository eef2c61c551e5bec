"""What conftest.py does, seen in a process of its own: what is skipped, and what comes first."""

import os
import subprocess
import sys
from pathlib import Path

import nbformat
import pytest
import torch
from nbformat.v4 import new_code_cell, new_notebook

ROOT = Path(__file__).parents[2]

PROGRAM = """
import gc
import pathlib
import pytest
from attnlib import data as attnlib
from attnlib.data import sources

@pytest.mark.network("no-such.tsv")
def test_that_needs_a_download():
    assert False

@pytest.mark.gpu
def test_that_needs_an_accelerator():
    pass

def corpora():
    return pathlib.Path(sources.cache_directory())

@pytest.mark.network("ko-en")
def test_that_says_what_it_needs():
    assert corpora() == pathlib.Path("here")

@pytest.fixture(scope="module")
def hidden():
    return corpora()

def test_that_does_not(hidden):
    assert hidden == corpora() != pathlib.Path("here")
    with pytest.raises(ValueError, match="ATTNLIB_DATA"):  # refused at once: nothing is downloaded
        attnlib.load_corpus("multi30k-de-en").train

def test_that_needs_nothing():
    assert gc.isenabled() and gc.get_freeze_count() > 100_000  # garbage is collected in tests
"""


@pytest.mark.thorough
def test_what_is_unavailable_is_skipped_with_the_reason_and_notebooks_come_first(
    tmp_path: Path,
) -> None:
    (tmp_path / "test_a.py").write_text("def test_that_is_quick(): pass", encoding="utf-8")
    (tmp_path / "test_marked.py").write_text(PROGRAM, encoding="utf-8")
    for needs in ("no-such.tsv", None):
        notebook = new_notebook(cells=[new_code_cell("1", execution_count=1, id="one")])
        notebook.metadata.attnlib = {"needs": needs} if needs else {}
        nbformat.write(notebook, tmp_path / f"needs-{needs}.ipynb")
    options = ["-p", "conftest", "-c", str(ROOT / "pyproject.toml"), "-p", "no:cacheprovider"]
    answer = subprocess.run(
        [sys.executable, "-m", "pytest", *options, "--nbval-lax", "-v", str(tmp_path)],
        cwd=ROOT,
        env={**os.environ, "ATTNLIB_DATA": "here"},
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    out = answer.stdout
    assert out.count("needs the corpus no-such.tsv: no-such.tsv does not exist") >= 2, out
    gpu = torch.cuda.is_available() or torch.backends.mps.is_available()
    assert gpu or "needs an accelerator; torch sees none here" in out
    assert out.splitlines()[-1].strip("= ").startswith(f"{6 if gpu else 5} passed, "), out
    begun = ["needs-no-such.tsv.ipynb", "test_a.py"]
    places = [out.index(f"{name}::") for name in begun]
    assert sorted(places) == places, out
