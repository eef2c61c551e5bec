"""``python -m attnbook publish URL``: one address in all places, or nothing changed."""

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from programs import ROOT

from attnbook import publish as module
from attnbook.publish import (
    EXAMPLE,
    PLACES,
    PublishError,
    colab_cell,
    normalize_address,
    publish,
)

ONE, OTHER = "https://github.com/anybody/attention", "https://git.example.org/a/group/book"
#: A notebook with code, one without, and one with solutions.
SOME = ["chapters/00_start.ipynb", "chapters/D_papers.ipynb", "chapters/solutions/01_rnn.ipynb"]


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """The files in which the address stands, and a few of the notebooks; none published yet."""
    for name in [*PLACES, *SOME]:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(ROOT / name, tmp_path / name)
    publish("https://github.com/nobody/nothing", tmp_path)  # whatever the checkout itself says
    return tmp_path


def content(folder: Path) -> dict[str, bytes]:
    files = (path for path in folder.rglob("*") if path.is_file())
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in files}


def test_the_address_is_written_into_every_place_and_replaces_the_one_before(checkout) -> None:
    changed = {path.relative_to(checkout).as_posix() for path in publish(ONE, checkout)}
    assert changed == {*PLACES, *SOME} - {"chapters/D_papers.ipynb"}
    once = content(checkout)
    assert all(once[name].count(ONE.encode()) == 1 for name in changed)
    assert not any(b"nobody/nothing" in text for text in once.values())
    assert publish(ONE, checkout) == []
    publish(OTHER, checkout)
    assert len(publish(ONE, checkout)) == len(changed)
    assert content(checkout) == once


def test_of_a_notebook_nothing_but_the_address_in_its_first_cell_changes(checkout: Path) -> None:
    path = checkout / SOME[0]
    publish(ONE, checkout)
    before = path.read_text(encoding="utf-8")
    publish(OTHER, checkout)
    after = path.read_text(encoding="utf-8")
    (cell,) = (cell for cell in json.loads(after)["cells"] if cell["id"] == "colab")
    assert "".join(cell["source"]) == colab_cell(OTHER)
    assert after.replace(OTHER, ONE) == before


@pytest.mark.parametrize("end", ["", ".git/", " \n"])
def test_what_a_browser_or_git_adds_to_an_address_is_taken_off(end: str) -> None:
    assert normalize_address(ONE + end) == ONE
    assert normalize_address(OTHER.replace("git.example", "GIT.Example") + end) == OTHER


@pytest.mark.parametrize(
    "url",
    [
        "",
        "attention",
        "git@github.com:somebody/attention.git",
        "http://github.com/somebody/attention",
        "https://github.com/somebody",
        "https://github.com/somebody/attention/tree/main/chapters",
        "https://github.com/somebody/attention?tab=readme",
        "https://somebody:secret@github.com/somebody/attention",
        "https://github.com/somebody/주의",
        "https://github.com/../attention",
    ],
)
def test_what_is_no_address_of_a_repository_is_refused_in_one_sentence(url: str) -> None:
    with pytest.raises(PublishError) as raised:
        normalize_address(url)
    message = str(raised.value)
    assert message.startswith(
        f"{url!r} is not the address of a repository, which looks like https:"
    )
    if "github.com" in url and "somebody/attention" in url:
        assert f"looks like {EXAMPLE};" in message
    assert message.endswith("; nothing was changed") and "\n" not in message


@pytest.mark.parametrize("fails", [0, 3])
def test_where_one_file_cannot_be_written_none_is(checkout: Path, monkeypatch, fails: int) -> None:
    before, write, tried = content(checkout), module.write_bytes, []

    def write_some(path: Path, text: bytes) -> None:
        tried.append(path)
        if len(tried) == fails + 1:
            raise KeyboardInterrupt
        write(path, text)

    monkeypatch.setattr(module, "write_bytes", write_some)
    with pytest.raises(KeyboardInterrupt):
        publish(ONE, checkout)
    assert content(checkout) == before and len(tried) == 2 * fails + 1


@pytest.mark.parametrize("name", [*PLACES, SOME[0]])
def test_a_file_that_has_lost_its_line_is_named_and_nothing_is_changed(
    checkout: Path, name: str
) -> None:
    text = (checkout / name).read_text(encoding="utf-8")
    for word in ("%pip install", "[project.scripts]", "type: software"):
        text = text.replace(word, "")
    (checkout / name).write_text(text, encoding="utf-8", newline="\n")
    before = content(checkout)
    with pytest.raises(PublishError, match="has 0 lines for the address and should have one"):
        publish(ONE, checkout)
    assert content(checkout) == before


def test_an_installed_book_is_no_repository(tmp_path: Path) -> None:
    with pytest.raises(PublishError, match="is not the book's repository: clone it, and publish"):
        publish(ONE, tmp_path)


# In a checkout ----------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of this checkout, of what the tests below read of it."""
    folder = tmp_path_factory.mktemp("whole")
    leave = shutil.ignore_patterns("_build", "__pycache__", ".ipynb_checkpoints")
    folders = ("attnlib", "attnbook", "chapters", "data", "docs", "tests", "studies", ".github")
    for name in (*folders, ".ci"):
        shutil.copytree(ROOT / name, folder / name, ignore=leave)
    for path in ROOT.iterdir():
        if path.is_file() and path.name != ".git":
            shutil.copyfile(path, folder / path.name)
    return folder


@pytest.fixture
def run(whole: Path, monkeypatch: pytest.MonkeyPatch):
    """Run a Python program there, with the packages that lie there."""
    monkeypatch.setenv("PYTHONPATH", str(whole))
    monkeypatch.delenv("GITHUB_REPOSITORY", raising=False)

    def run(*command: str) -> subprocess.CompletedProcess:
        return subprocess.run(
            [sys.executable, *command], cwd=whole, capture_output=True, encoding="utf-8"
        )

    return run


@pytest.mark.thorough
def test_after_it_was_published_the_book_agrees_with_itself_and_nothing_is_stale(run) -> None:
    """The tests that hold the places together, run in the copy; what the builder and ruff say."""
    check = ("-m", "attnbook.builder", "--check", "00_start", "09_bleu")
    before = run(*check).stdout
    assert before.count("\n") == 2
    answer = run("-m", "attnbook", "publish", f"{ONE}.git")
    assert answer.returncode == 0 and answer.stdout.startswith(f"{ONE} is written everywhere; ")
    assert run(*check).stdout == before
    together = "same_repository or citation or known_repository or above_every_set_up"
    files = [f"tests/{name}.py" for name in ("project/test_colab", "book/test_front")]
    files += ["tests/project/test_environment.py"]
    tested = run("-m", "pytest", "-q", "-p", "no:cacheprovider", "-k", together, *files)
    assert tested.returncode == 0, tested.stdout[-3000:]
    assert int(tested.stdout.rpartition(" passed")[0].split()[-1]) > 20
