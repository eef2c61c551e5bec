"""The builder of the book, on small sources that are good, bad, changed and unchanged."""

import json
import shutil
import sys
from pathlib import Path

import nbformat
import pytest

from attnbook.builder import dependencies
from attnbook.builder import notebooks as book
from attnbook.progress_file import PROGRESS_VARIABLE

GOOD = """\
# ---
# jupyter:
#   attnlib:
#     lasts: 1 second
# ---

# %% [markdown]
# # What is 6 times 7?

# %% id="product"
print(6 * 7)

# %%
6 * 7

# %%
6 * 7

# %% tags=["nbval-ignore-output"]
import sys, time
print("first\\rsecond\\rlast", file=sys.stderr)
print(time.time_ns())

# %%
from IPython.display import display
bar = {"application/vnd.jupyter.widget-view+json": {"model_id": "1"}, "text/plain": "0%"}
display(bar, raw=True)

# %% tags=["raises-exception"]
1 / 0
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with one source and the notebook built from it."""
    here = tmp_path_factory.mktemp("chapters")
    (here / "good.py").write_text(GOOD, encoding="utf-8")
    assert book.build(here / "good.py", here / "good.ipynb") == "executed"
    return here


def outputs(folder: Path, number: int) -> list:
    notebook = nbformat.read(folder / "good.ipynb", as_version=4)
    return book.code_cells(notebook)[number].outputs


def test_a_notebook_is_executed_and_holds_nothing_of_the_machine_or_the_moment(folder) -> None:
    assert outputs(folder, 0)[0].text == "42\n"
    assert outputs(folder, 1)[0].data["text/plain"] == "42"
    assert outputs(folder, 5)[0].ename == "ZeroDivisionError"
    notebook = nbformat.read(folder / "good.ipynb", as_version=4)
    assert set(notebook.metadata) == {"attnlib", "kernelspec", "language_info"}
    assert notebook.metadata.language_info["name"] == "python"
    assert "version" not in notebook.metadata.language_info
    assert notebook.metadata.kernelspec.name == "python3"
    assert notebook.metadata.attnlib.lasts == "1 second"
    assert all("execution" not in cell.metadata for cell in notebook.cells)
    assert [cell.execution_count for cell in book.code_cells(notebook)] == [1, 2, 3, 4, 5, 6]
    assert [out.text for out in outputs(folder, 3) if out.name == "stderr"] == ["last\n"]
    assert outputs(folder, 4) == [], "of a progress bar nothing stays"
    before = (folder / "good.ipynb").read_bytes()
    assert book.build(folder / "good.py", folder / "good.ipynb", force=True) == "executed"
    assert (folder / "good.ipynb").read_bytes() == before
    assert json.loads(before)["nbformat_minor"] == 5


def test_ids_are_named_or_follow_from_the_text_and_never_repeat(folder: Path) -> None:
    ids = [cell.id for cell in nbformat.read(folder / "good.ipynb", as_version=4).cells]
    assert ids[1] == "product"
    assert ids[3] == f"{ids[2]}-2"  # the same text twice
    assert len(set(ids)) == len(ids)
    assert ids == [cell.id for cell in book.read_source(folder / "good.py").cells]


def test_new_text_is_put_in_and_the_outputs_stay(folder, tmp_path: Path, monkeypatch) -> None:
    execute = book.execute
    monkeypatch.setattr(book, "execute", lambda *_: pytest.fail("executed"))
    source, target = tmp_path / "good.py", tmp_path / "good.ipynb"
    other_text = GOOD.replace("6 times 7?", "7 times 6?\n\n# %% [markdown]\n# Think.")
    source.write_text(other_text, encoding="utf-8")
    old = (folder / "good.ipynb").read_text(encoding="utf-8")
    target.write_text(old, encoding="utf-8")
    assert book.build(source, target) == "given new text"
    new = target.read_text(encoding="utf-8")
    assert "7 times 6?" in new and "Think." in new and "42" in new
    before, after = (book.code_cells(nbformat.reads(text, as_version=4)) for text in (old, new))
    assert [cell.outputs for cell in before] == [cell.outputs for cell in after]
    assert book.build(source, target) == "unchanged"
    for change in (("6 * 7", "6 * 8"), ('["raises-exception"]', '["raises-exception", "x"]')):
        source.write_text(GOOD.replace(*change), encoding="utf-8")
        with pytest.raises(pytest.fail.Exception, match="executed"):
            book.build(source, target)
    assert target.read_text(encoding="utf-8") == new
    monkeypatch.setattr(book, "execute", execute)
    source.write_text(GOOD.replace("6 * 7", "6 * 8"), encoding="utf-8")
    assert book.build(source, target) == "executed"
    assert "48" in target.read_text(encoding="utf-8")


def test_what_would_be_executed_is_reported_and_a_failure_keeps_no_other_from_being_built(
    folder: Path, tmp_path: Path, monkeypatch, capsys
) -> None:
    monkeypatch.setattr(book, "CHAPTERS", tmp_path)
    monkeypatch.setattr(book, "execute", lambda *_: pytest.fail("executed"))
    (tmp_path / "source").mkdir()
    for name in ("good", "new"):
        (tmp_path / "source" / f"{name}.py").write_text(GOOD, encoding="utf-8")
    shutil.copy(folder / "good.ipynb", tmp_path / "good.ipynb")
    monkeypatch.setattr(sys, "argv", ["build.py", "--check"])
    assert book.main() == 0
    assert capsys.readouterr().out == "good: unchanged\nnew: would be executed\n"
    (tmp_path / "source" / "good.py").write_text(GOOD.replace("6 * 7", "6 * 8"), encoding="utf-8")
    assert book.main() == 0
    assert capsys.readouterr().out.startswith("good: would be executed\n")

    def execute(_: object, name: str, *__: object) -> None:
        if name == "good":
            raise book.BuildError("good needs a corpus")

    monkeypatch.setattr(book, "execute", execute)
    monkeypatch.setattr(sys, "argv", ["build.py"])
    assert book.main() == 1
    assert capsys.readouterr() == ("good: failed\nnew: executed\n", "good needs a corpus\n")


CHAPTER = """\
# %%
from attnbook import exercise
from attnlib import draw
from attnlib.data import P
from attnlib.model import KINDS
read('runs', '07_x')
read('05_y.json')
"""


@pytest.mark.parametrize(
    ("line", "more"),
    [
        ("", set()),
        ("from attnlib.data import load", {"attnlib/data/corpus.py", "data/ko-en/train.tsv.gz"}),
        (
            "from attnlib.figures import view",
            {"attnlib/figures/views.py", "attnlib/figures/assets/view.js"},
        ),
        ('read("results" / f"{\'speed\'}.json")', {"data/results/speed.json"}),
        ('load("xx-yy")', {"data/xx-yy/translator.json", "data/xx-yy/model.safetensors"}),
        (
            "from attnbook.atlas import chart",  # of all exercises
            {f"attnbook/{n}.py" for n in ("atlas", "checks/__init__", "checks/ch08/__init__")},
        ),
    ],
)
def test_a_change_of_anything_a_notebook_depends_on_is_noticed(
    line: str, more: set[str], tmp_path: Path, monkeypatch
) -> None:
    files = {
        "chapters/source/07_x.py": CHAPTER + line + "\n",
        ".ci/constraints.txt": "ruff==0.1\ntorch==2.13.0\n",
        "pyproject.toml": '[project]\ndependencies = [\n    "torch>=2.4",\n]\n',
        "attnlib/__init__.py": "if TYPE_CHECKING:\n    from .figures import draw\n",
        "attnlib/figures/__init__.py": "from .plots import draw\nfrom .views import view\n",
        "attnlib/figures/plots.py": "from . import colours\n",
        "attnlib/figures/colours.py": "",
        "attnlib/figures/views.py": "read('assets')\n",
        "attnlib/figures/assets/view.js": "",
        "attnlib/data/__init__.py": "from .corpus import load\nfrom .pairs import Pair as P\n",
        "attnlib/data/corpus.py": 'read("ko-en")\n',
        "attnlib/data/pairs.py": "from ..names import check\n",
        "attnlib/names.py": "",
        "attnlib/model/__init__.py": "KINDS = ()\nfrom .cells import Cell\n",
        "attnlib/model/cells.py": "",
        "attnbook/__init__.py": "from .exercises import exercise\n",
        "attnbook/exercises/__init__.py": "from .engine import exercise as exercise\n",
        "attnbook/exercises/engine.py": "def f():\n    from attnlib.device import best\n",
        "attnlib/device.py": "",
        "attnbook/checks/shared.py": "",
        "attnbook/checks/ch07/__init__.py": "",
        "attnbook/checks/ch07/mix.py": "from ...checks import shared\nimport attnlib.masking\n",
        "attnbook/checks/__init__.py": "",
        "attnbook/atlas.py": "from attnbook import checks\n",
        "attnbook/checks/ch08/__init__.py": "",
        "attnbook/checks/ch08/beam.py": "",
        "attnlib/masking.py": "",
        "attnbook/builder/notebooks.py": "",
        "data/results/speed.json": "",
        "data/ko-en/train.tsv.gz": "",
        "data/xx-yy/translator.json": "",
        "data/xx-yy/model.safetensors": "",
        "data/runs/05_y.json": "",
        "data/runs/07_x.json": "",
        "data/runs/08_x.json": "",
    }
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    monkeypatch.setattr(dependencies, "ROOT", tmp_path)
    source = tmp_path / "chapters/source/07_x.py"
    noticed = set()
    for name, text in files.items():
        before = dependencies.fingerprint(source)
        new = text.replace("2.13.0", "2.13.1") + "changed = 1\n"
        (tmp_path / name).write_text(new, encoding="utf-8")
        dependencies.module_code.cache_clear()
        dependencies.named_data.cache_clear()
        noticed |= {name} if dependencies.fingerprint(source) != before else set()
    unrelated = {
        *("attnlib/__init__.py", "attnlib/data/__init__.py", "attnlib/figures/__init__.py"),
        *("attnbook/__init__.py", "attnbook/exercises/__init__.py"),  # names only pass through
        *("attnlib/data/corpus.py", "data/ko-en/train.tsv.gz"),  # of the door only P is used
        *("attnlib/figures/views.py", "attnlib/figures/assets/view.js"),
        *("attnbook/checks/ch08/beam.py", "data/runs/08_x.json"),
        *("attnbook/atlas.py", "attnbook/checks/__init__.py", "attnbook/checks/ch08/__init__.py"),
        *("data/xx-yy/translator.json", "data/xx-yy/model.safetensors"),
        *("data/results/speed.json", "pyproject.toml", "attnbook/builder/notebooks.py"),
    }
    assert noticed == set(files) - (unrelated - more)


WORDS = '''"""What it is for."""
import torch


def twice(x):
    """Two of it."""
    return x + x  # not 2 * x


class Cell:
    """One cell."""

    size = 2
'''


def test_words_and_layout_of_a_module_are_no_part_of_what_runs(tmp_path: Path) -> None:
    changes = {
        ("What it is for", "What else"): True,
        ("Two of it", "Twice"): True,
        ("One cell", "A cell"): True,
        ("  # not 2 * x", ""): True,
        ("x + x", "(\n        x\n        + x\n    )"): True,
        ("x + x", "x * x"): False,
        ("size = 2", "size = 3"): False,
    }
    one, other = tmp_path / "one.py", tmp_path / "other.py"
    one.write_text(WORDS, encoding="utf-8")
    for change, same in changes.items():
        other.write_text(WORDS.replace(*change), encoding="utf-8")
        dependencies.module_code.cache_clear()
        equal = dependencies.module_code(one) == dependencies.module_code(other)
        assert equal is same, change


WITH_EXERCISE = """\
# %% [markdown] id="title"
# # 00 · What is a share?

# %% id="setup" tags=["setup"]
import torch
from attnbook import exercise

# %% [markdown] id="between"
# A long story.

# %% [markdown] id="ex-shares-text"
# ### Exercise · Shares

# %% id="ex-shares" tags=["exercise"]
@exercise
def shares(amounts):
    '''The share of each amount.'''
    raise NotImplementedError

# %% id="after"
print(shares(torch.tensor([1.0, 3.0])).tolist())

# %% id="predicted"
from attnbook import predict, reveal
predict("00.half", 0.5)
with reveal("00.half", 0.5):
    print("half")
"""


@pytest.fixture(scope="module")
def exercised(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a chapter and its solutions, built from one source."""
    here = tmp_path_factory.mktemp("exercised")
    (here / "00_x.py").write_text(WITH_EXERCISE, encoding="utf-8")
    with pytest.MonkeyPatch.context() as patch:
        patch.delenv(PROGRESS_VARIABLE)  # as for whoever builds the book
        assert book.build(here / "00_x.py", here / "00_x.ipynb") == "executed"
    assert book.build(here / "00_x.py", here / "00_x.ipynb") == "unchanged"
    return here


def read(path: Path) -> dict[str, nbformat.NotebookNode]:
    return {cell.id: cell for cell in nbformat.read(path, as_version=4).cells}


def test_the_learners_notebook_has_blanks_and_runs_to_its_end(exercised: Path) -> None:
    cells = read(exercised / "00_x.ipynb")
    assert cells["ex-shares"].source.endswith("amount.'''\n    raise NotImplementedError")
    assert "amounts.sum()" not in json.dumps(list(cells.values()))
    assert "○ shares: not attempted" in cells["ex-shares"].outputs[0]["data"]["text/plain"]
    assert cells["after"].outputs[0]["text"] == "[0.25, 0.75]\n"
    noted, fold = cells["predicted"].outputs
    assert noted["text"] == "Noted: 0.5.\n"
    assert fold["data"]["text/plain"] == "You said 0.5; it is 0.5. Right.\nhalf"
    assert not list(exercised.rglob("*progress*"))
    assert cells["setup"].metadata["jupyter"] == {"source_hidden": True}
    assert "jupyter" not in cells["after"].metadata


def test_the_solutions_hold_the_set_up_and_the_exercises_solved(exercised: Path) -> None:
    cells = read(exercised / "solutions" / "00_x.ipynb")
    assert list(cells) == ["solutions", "colab", "setup", "strict", "ex-shares-text", "ex-shares"]
    assert "00 · What is a share?" in cells["solutions"].source
    assert cells["ex-shares"].source.endswith("amount.'''\n    return amounts / amounts.sum()")
    assert "✓ shares: right" in cells["ex-shares"].outputs[0]["data"]["text/plain"]


@pytest.mark.thorough
def test_a_wrong_solution_cannot_be_built(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    source = tmp_path / "00_x.py"
    source.write_text(WITH_EXERCISE, encoding="utf-8")
    monkeypatch.setattr(book, "solution", lambda *_: "return amounts / amounts.max()")
    with pytest.raises(book.BuildError, match="(?s)ExerciseError.*shares is wrong"):
        book.build(source, tmp_path / "00_x.ipynb")
    assert not (tmp_path / "solutions" / "00_x.ipynb").exists()


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("raise NotImplementedError", "return amounts / amounts.sum()"),
        ("@exercise\n", ""),
        (' tags=["exercise"]', ""),
    ],
)
def test_an_exercise_that_would_give_its_solution_away_is_refused(old, new, tmp_path) -> None:
    source = tmp_path / "00_x.py"
    source.write_text(WITH_EXERCISE.replace(old, new, 1), encoding="utf-8")
    with pytest.raises(book.BuildError, match="cell ex-shares"):
        book.without_solutions(book.read_source(source), "00_x")


#: What is said of a source, and the source.
LACKING = {
    "ch00/halves.py has no function halves": WITH_EXERCISE.replace("def shares", "def halves"),
    "00_x needs the corpus no-such: corpus .*must be": (
        "# ---\n# jupyter:\n#   attnlib:\n#     needs: no-such\n# ---\n\n# %%\n1\n"
    ),
}


@pytest.mark.parametrize("message", LACKING)
def test_a_solution_or_a_corpus_that_is_missing_is_named(message: str, tmp_path: Path) -> None:
    source = tmp_path / "00_x.py"
    source.write_text(LACKING[message], encoding="utf-8")
    with pytest.raises(book.BuildError, match=message):
        book.build(source, tmp_path / "00_x.ipynb")


def test_a_cell_that_fails_is_shown_and_the_old_notebook_stays(folder, tmp_path: Path) -> None:
    bad = tmp_path / "bad.py"
    bad.write_text("# %%\nx = 1\n\n# %%\nx.missing\n", encoding="utf-8")
    target = tmp_path / "bad.ipynb"
    target.write_bytes((folder / "good.ipynb").read_bytes())
    with pytest.raises(book.BuildError, match="bad: (?s:.*)x.missing(?s:.*)AttributeError"):
        book.build(bad, target)
    assert target.read_bytes() == (folder / "good.ipynb").read_bytes()


@pytest.mark.parametrize("name", ["twice", "not an id", ""])
def test_an_id_that_is_taken_or_malformed_is_refused(name: str, tmp_path: Path) -> None:
    source = tmp_path / "ids.py"
    source.write_text(f'# %% id="twice"\n1\n\n# %% id="{name}"\n2\n', encoding="utf-8")
    with pytest.raises(book.BuildError, match=r"ids.py, cell 2: the id .* is taken or malformed"):
        book.read_source(source)
