"""The builder of the book, on small sources that are good, bad, changed and unchanged."""

import importlib.util
import json
from pathlib import Path

import nbformat
import pytest

CHAPTERS = Path(__file__).parent.parent / "chapters"
_spec = importlib.util.spec_from_file_location("build_book", CHAPTERS / "build.py")
assert _spec and _spec.loader
book = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(book)

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
    assert book.build(here / "good.py", here / "good.ipynb")
    return here


def outputs(folder: Path, number: int) -> list:
    notebook = nbformat.read(folder / "good.ipynb", as_version=4)
    return book.code_cells(notebook)[number].outputs


def test_a_source_becomes_an_executed_notebook(folder: Path) -> None:
    assert outputs(folder, 0)[0].text == "42\n"
    assert outputs(folder, 1)[0].data["text/plain"] == "42"
    assert outputs(folder, 5)[0].ename == "ZeroDivisionError"


def test_a_notebook_holds_nothing_of_the_machine_or_the_moment(folder: Path) -> None:
    notebook = nbformat.read(folder / "good.ipynb", as_version=4)
    assert set(notebook.metadata) == {"attnlib", "kernelspec", "language_info"}
    assert notebook.metadata.language_info == {"name": "python"}
    assert notebook.metadata.kernelspec.name == "python3"
    assert notebook.metadata.attnlib.lasts == "1 second"
    assert all("execution" not in cell.metadata for cell in notebook.cells)
    assert [cell.execution_count for cell in book.code_cells(notebook)] == [1, 2, 3, 4, 5, 6]


def test_ids_are_named_or_follow_from_the_text_and_never_repeat(folder: Path) -> None:
    ids = [cell.id for cell in nbformat.read(folder / "good.ipynb", as_version=4).cells]
    assert ids[1] == "product"
    assert ids[3] == f"{ids[2]}-2"  # the same text twice
    assert len(set(ids)) == len(ids)
    assert ids == [cell.id for cell in book.read_source(folder / "good.py").cells]


def test_a_progress_bar_leaves_only_what_stays_on_the_screen(folder: Path) -> None:
    assert [out.text for out in outputs(folder, 3) if out.name == "stderr"] == ["last\n"]
    assert outputs(folder, 4) == []


def test_what_did_not_change_is_not_executed_again(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(book, "execute", lambda *_: pytest.fail("executed"))
    assert not book.build(folder / "good.py", folder / "good.ipynb")


def test_building_again_gives_the_same_bytes(folder: Path) -> None:
    before = (folder / "good.ipynb").read_bytes()
    assert book.build(folder / "good.py", folder / "good.ipynb", again=True)
    assert (folder / "good.ipynb").read_bytes() == before
    assert json.loads(before)["nbformat_minor"] == 5


def test_a_change_of_the_source_or_the_library_is_noticed(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = book.fingerprint(folder / "good.py")
    other = folder / "other" / "good.py"
    other.parent.mkdir()
    other.write_text(GOOD + "\n", encoding="utf-8")
    assert book.fingerprint(other) != before
    monkeypatch.setattr(book, "ROOT", folder)  # a library without a module
    assert book.fingerprint(folder / "good.py") != before


def test_a_cell_that_fails_is_shown_and_the_old_notebook_stays(
    folder: Path, tmp_path: Path
) -> None:
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


def test_a_missing_corpus_is_named(tmp_path: Path) -> None:
    source = tmp_path / "needy.py"
    header = "# ---\n# jupyter:\n#   attnlib:\n#     needs: no-such\n# ---\n\n# %%\n1\n"
    source.write_text(header, encoding="utf-8")
    with pytest.raises(book.BuildError, match="needy needs the corpus no-such: corpus must be"):
        book.build(source, tmp_path / "needy.ipynb")
