"""What a reader has set for every JupyterLab also holds in the book's, which has its own file."""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import nbformat
import pytest
from nbformat.sign import NotebookNotary
from programs import ROOT

THEIRS = {
    "jupyter_lab_config.py": "c.ServerApp.port = 9001",
    "jupyter_server_config.py": "c.ServerApp.open_browser = False",
    "jupyter_server_config.json": '{"ServerApp": {"iopub_msg_rate_limit": 77}}',
}


def shown(book: Path, option: str, **variables: Path) -> str:
    """What JupyterLab says of its settings when it is started as the book starts it."""
    config = f"--config={book / 'docs' / 'lab' / 'config.py'}"
    return subprocess.run(
        [sys.executable, "-m", "jupyterlab", config, option],
        cwd=book,
        env={**os.environ, **{name: str(path) for name, path in variables.items()}},
        stdout=subprocess.PIPE,
        encoding="utf-8",
    ).stdout


@pytest.mark.skipif(os.name == "nt", reason="a link needs more rights there")
def test_settings_of_the_reader_hold_in_the_book_which_is_called_as_the_reader_calls_it(
    tmp_path: Path,
) -> None:
    """On Windows a drive may stand for a folder elsewhere, as a link does here."""
    for name, text in THEIRS.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    shutil.copytree(ROOT / "docs" / "lab", tmp_path / "내 책 (1)" / "docs" / "lab")
    (link := tmp_path / "link").symlink_to(tmp_path / "내 책 (1)")
    found = json.loads(shown(link, "--show-config-json", JUPYTER_CONFIG_DIR=tmp_path))
    assert found["ServerApp"]["port"] == 9001
    assert found["ServerApp"]["open_browser"] is False
    assert found["ServerApp"]["iopub_msg_rate_limit"] == 77
    assert found["ServerApp"]["root_dir"] == str(link)
    assert Path(found["LabApp"]["app_settings_dir"]) == link / "docs" / "lab"


def test_a_book_that_may_only_be_read_opens_as_it_should_and_reports_it(tmp_path: Path) -> None:
    """A file in the place of the folder stands for a disk that cannot be written, to root, too."""
    (tmp_path / "jupyter_server_config.py").write_text("c.ServerApp.port = 9002", encoding="utf-8")
    book = tmp_path / "book"
    shutil.copytree(ROOT / "docs" / "lab", book / "docs" / "lab")
    (book / ".jupyter").touch()
    output = shown(book, "--show-config", JUPYTER_CONFIG_DIR=tmp_path)
    assert f"{book} may only be read: what you write is lost unless you copy it" in output
    assert ".port = 9002" in output and "app_settings_dir" in output
    (place,) = re.findall(r"workspaces_dir = '(.*)'", output)
    assert Path(place) != book / ".jupyter" / "workspaces" and not Path(place).exists()


def test_only_chapters_as_git_has_them_are_trusted(tmp_path: Path) -> None:
    """Once git knows nothing of a book that was opened before, nothing more is trusted in it."""
    book = tmp_path / "book"
    shutil.copytree(ROOT / "docs" / "lab", book / "docs" / "lab")
    (book / "chapters").mkdir()
    for name in ("kept", "changed", "strange"):
        notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(name)])
        nbformat.write(notebook, book / "chapters" / f"{name}.ipynb")
    git = ["git", "-C", str(book), "-c", "user.name=n", "-c", "user.email=e@example.org"]
    subprocess.run([*git, "init", "-q"], check=True)
    subprocess.run([*git, "add", "chapters/kept.ipynb", "chapters/changed.ipynb"], check=True)
    subprocess.run([*git, "commit", "-q", "-m", "A book."], check=True)
    other = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell("other")])
    nbformat.write(other, book / "chapters" / "changed.ipynb")
    assert trusted(book, tmp_path) == {"kept"}
    shutil.rmtree(book / ".git")
    (book / "chapters" / "strange.ipynb").touch()
    assert trusted(book, tmp_path) == {"kept"}
    shutil.rmtree(book / ".jupyter")
    assert trusted(book, tmp_path) == {"kept", "changed", "strange"}


def trusted(book: Path, folder: Path) -> set[str]:
    """The notebooks that Jupyter trusts after JupyterLab was started as the book starts it."""
    shown(book, "--show-config-json", JUPYTER_DATA_DIR=folder / "data")
    notary = NotebookNotary(data_dir=str(folder / "data"))
    paths = (book / "chapters").glob("*.ipynb")
    try:
        return {p.stem for p in paths if notary.check_signature(nbformat.read(p, as_version=4))}
    finally:
        notary.store.close()  # Python 3.13 warns of a data base that is left open
