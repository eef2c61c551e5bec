"""What the reader has done: one file, whole or absent, that nobody but the reader fills."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from nbclient import NotebookClient
from nbformat.v4 import new_code_cell, new_notebook
from programs import ROOT, chapter_source

from attnbook import contents, exercise, progress, progress_file
from attnbook.builder import notebooks as book
from attnbook.exercises import engine
from attnbook.exercises.judge import BLANK, RIGHT, WRONG
from attnbook.reader import table


@pytest.fixture()
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where progress is kept, of a reader who begins."""
    monkeypatch.setenv(progress_file.PROGRESS_VARIABLE, str(tmp_path / "progress.json"))
    monkeypatch.setattr(progress_file, "_session", progress_file._empty_state())
    monkeypatch.setattr(progress_file, "_disabled", set())
    monkeypatch.setattr(engine, "verdicts", {})
    monkeypatch.delenv(engine.STRICT, raising=False)
    monkeypatch.delenv(engine.RECORD, raising=False)
    return tmp_path / "progress.json"


# The file ----------------------------------------------------------------------------------------


def test_what_is_kept_is_read_again_and_nothing_else_lies_beside_it(file: Path) -> None:
    assert progress_file.read_progress() == {"exercises": {}, "predictions": {}, "recall": {}}
    assert not file.exists(), "reading writes nothing"
    progress_file.save_progress("exercises", "shares", "wrong")
    progress_file.save_progress("exercises", "shares", "right")
    progress_file.save_progress("recall", "05", {"04.멋": True, "03.b": None})
    assert progress_file.read_progress()["exercises"] == {"shares": "right"}
    assert progress_file.read_progress()["recall"] == {"05": {"04.멋": True, "03.b": None}}
    assert os.listdir(file.parent) == ["progress.json"]
    assert "멋" in file.read_text(encoding="utf-8")


GOOD = {
    "exercises": {"shares": "right"},
    "predictions": {"05.a": {"said": 3.0, "was": 4.0, "right": False}},
    "recall": {"05": {"04.b": None, "04.c": True}},
}


DAMAGES = [
    b"",
    b'{"exercises": {"shares": "ri',
    b"\xff\xfe",
    b"[" * 100_000,
    b"[]",
    b"null",
    b'{"exercises": {}, '
    + b" " * progress_file.MAX_PROGRESS_BYTES
    + b'"predictions": {}, "recall": {}}',
]


@pytest.mark.parametrize("damage", DAMAGES, ids=range(len(DAMAGES)))
def test_a_damaged_file_is_put_aside_in_one_sentence_and_progress_begins_anew(
    damage: bytes, file: Path, capsys: pytest.CaptureFixture
) -> None:
    for number in (1, 2):  # the second does not take the place of the first
        file.write_bytes(damage)
        assert progress().states["shares"] == BLANK
        aside = file.with_name(f"progress.damaged-{number}.json")
        assert aside.read_bytes() == damage and not file.exists()
        line = f"progress.json was damaged: it is now {aside.name}, and your progress begins anew."
        assert capsys.readouterr().out == line + "\n"
    progress_file.save_progress("exercises", "shares", "right")
    assert progress().states["shares"] == RIGHT
    assert capsys.readouterr().out == ""


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_a_sound_file_is_no_damaged_one(
    encoding: str, file: Path, capsys: pytest.CaptureFixture
) -> None:
    file.write_text(json.dumps(GOOD), encoding=encoding)
    assert progress_file.read_progress() == GOOD
    for name in GOOD:
        file.write_text(json.dumps({name: GOOD[name]}), encoding="utf-8")
        assert progress_file.read_progress() == {**dict.fromkeys(GOOD, {}), name: GOOD[name]}
    assert capsys.readouterr().out == ""


BROKEN = [
    ("recall", []),
    ("exercises", {"shares": "done"}),
    ("exercises", {"shares": []}),
    ("predictions", {"05.a": 3}),
    ("predictions", {"05.a": {"said": 3, "was": 4, "right": 1}}),
    ("predictions", {"05.a": {"said": [], "was": 4, "right": True}}),
    ("recall", {"05": ["04.b"]}),
    ("recall", {"05": {"04.b": "yes"}}),
]


@pytest.mark.parametrize(("name", "table"), BROKEN, ids=range(len(BROKEN)))
def test_of_a_file_that_is_damaged_in_part_the_rest_is_kept(
    name: str, table: Any, file: Path, capsys: pytest.CaptureFixture
) -> None:
    sound = {"more": next(iter(GOOD[name].values()))} if table else {}
    damaged = json.dumps({**GOOD, name: {**table, **sound} if table else table})
    file.write_text(damaged, encoding="utf-8")
    for _ in range(2):  # it is still there when it is read again
        assert progress_file.read_progress() == {**GOOD, name: sound}
    aside = file.with_name("progress.damaged-1.json")
    assert aside.read_text(encoding="utf-8") == damaged
    line = f"progress.json was damaged: it is now {aside.name}, and what is sound in it is kept."
    assert capsys.readouterr().out == line + "\n"


def test_a_damaged_file_that_cannot_be_put_aside_is_left_alone_and_reported_once(
    file: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture
) -> None:
    def refuse(*_: object) -> None:
        raise PermissionError(13, "Permission denied")

    file.write_bytes(b"[]")
    monkeypatch.setattr(os, "replace", refuse)
    progress_file.save_progress("exercises", "shares", "right")
    assert progress().states["shares"] == RIGHT
    assert capsys.readouterr().out == (
        "Your progress is known only until the kernel ends: progress.json is damaged and cannot be "
        "put aside: Permission denied.\n"
    )
    assert file.read_bytes() == b"[]"


WRITER = """
import sys
from attnbook import progress_file
for n in range(60):
    progress_file.save_progress("exercises", f"{sys.argv[1]}-{n}", "right")
"""


def test_two_notebooks_that_write_at_once_lose_nothing(file: Path) -> None:
    writers = [subprocess.Popen([sys.executable, "-c", WRITER, name]) for name in "ab"]
    assert [writer.wait(120) for writer in writers] == [0, 0]
    assert set(progress_file.read_progress()["exercises"]) == {
        f"{name}-{n}" for name in "ab" for n in range(60)
    }
    assert os.listdir(file.parent) == ["progress.json"]


def test_a_link_stays_a_link_and_who_may_read_the_file_stays_as_it_was(file: Path) -> None:
    real = file.parent / "elsewhere" / "mine.json"
    real.parent.mkdir()
    file.symlink_to(real)
    progress_file.save_progress("exercises", "shares", "right")
    assert file.is_symlink() and json.loads(real.read_bytes())["exercises"] == {"shares": "right"}
    real.chmod(0o600)
    progress_file.save_progress("exercises", "unroll", "right")
    assert (
        real.stat().st_mode & 0o777 == 0o600
        and len(progress_file.read_progress()["exercises"]) == 2
    )


def test_a_file_that_may_only_be_read_is_left_as_it_is(
    file: Path, capsys: pytest.CaptureFixture
) -> None:
    file.write_text(json.dumps(GOOD), encoding="utf-8")
    file.chmod(0o444)
    progress_file.save_progress("exercises", "unroll", "right")
    assert json.loads(file.read_bytes()) == GOOD and file.stat().st_mode & 0o777 == 0o444
    assert "until the kernel ends: progress.json may only be read." in capsys.readouterr().out
    assert progress().states["unroll"] == RIGHT and progress().states["shares"] == RIGHT


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such pipes")
def test_a_pipe_in_the_place_of_the_file_is_not_waited_for(
    file: Path, capsys: pytest.CaptureFixture
) -> None:
    os.mkfifo(file)
    progress_file.save_progress("exercises", "shares", "right")
    progress_file.save_progress("exercises", "unroll", "wrong")
    out = capsys.readouterr().out
    assert "cannot be read: it is not a file" in out and out.count("\n") == 1, "said once"
    assert progress().states["shares"] == RIGHT and progress().states["unroll"] == WRONG


def test_outside_a_notebook_and_where_the_variable_is_empty_nothing_is_written(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(file.parent)
    for empty in ("", None):
        if empty is None:
            monkeypatch.delenv(progress_file.PROGRESS_VARIABLE)
        else:
            monkeypatch.setenv(progress_file.PROGRESS_VARIABLE, empty)
        assert progress_file.progress_path() is None
        progress_file.save_progress("exercises", "shares", "right")
        assert progress().states["shares"] == RIGHT, "it is known all the same"
        assert list(file.parent.iterdir()) == []


# The exercises -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("state", "strict", "written"),
    [(RIGHT, "0", True), (WRONG, "0", True), (BLANK, "0", False), (RIGHT, "1", False)],
)
def test_a_verdict_is_kept_but_for_a_blank_and_in_strict_mode(
    state: str, strict: str, written: bool, file: Path, monkeypatch, capsys
) -> None:
    monkeypatch.setenv(engine.STRICT, strict)

    @exercise
    def shares(amounts):
        if state == BLANK:
            raise NotImplementedError
        return amounts / amounts.sum() if state == RIGHT else amounts

    assert engine.verdicts["shares"].state == state
    assert file.exists() == written
    if written:
        assert progress_file.read_progress()["exercises"] == {"shares": state}


def test_every_chapter_states_the_minutes_of_its_exercises_as_the_map_counts_them() -> None:
    stated: dict[str, dict[str, int]] = {}
    for chapter in contents.CHAPTERS.values():
        source = chapter_source(chapter.notebook)
        stated[chapter.number] = {}
        for text, cell in zip(source.cells, source.cells[1:]):
            if "exercise" in book.tags(cell):
                name = re.search(r"^def (\w+)", cell.source, re.MULTILINE)
                minutes = re.search(r"(\d+) minutes", text.source)
                assert name and minutes, cell.id
                stated[chapter.number][name[1]] = int(minutes[1])
    found = engine.names_by_chapter()
    assert {number: list(names.items()) for number, names in found.items()} == {
        number: list(names.items()) for number, names in stated.items()
    }


# The map -----------------------------------------------------------------------------------------

CHAPTERS = {"00": {"shares": 3}, "05": {"weighted_sum": 5, "safe_softmax": 120, "<b>": 70}}


def test_the_map_shows_what_is_done_and_what_is_left_with_its_minutes(
    file: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "05_attention.ipynb").touch()
    states = {"shares": RIGHT, "weighted_sum": WRONG, "unheard_of": RIGHT}
    found = table.Progress(CHAPTERS, states, progress_file.read_progress())
    assert repr(found).splitlines() == [
        "00 Start here                   ✓           done",
        "05 Attention in seq2seq         ✗○○         3 h",
        "1 of 4 exercises are right; the others take about 3 h.",
        "To do in 05: weighted_sum, safe_softmax, <b>.",
    ]
    html = found._repr_html_()
    assert "<a href='05_attention.ipynb'>05 · Attention in seq2seq</a>" in html
    assert html.count("<a ") == 1, "what does not lie beside it is no link"
    assert "title='&lt;b&gt;: not attempted'" in html and "<b>" not in html
    assert re.sub("(<[^>]+>)+", "|", html) == (
        "|1 of 4 exercises are right; the others take about 3 h.|"
        "To do in 05: weighted_sum, safe_softmax, &lt;b&gt;.|"
        "The whole book|chapter|exercises|left|"
        "00 · Start here|✓|done|05 · Attention in seq2seq|✗| |○| |○|3 h|"
    )


def test_the_map_shows_how_many_predictions_and_answers_were_right(file: Path) -> None:
    progress_file.save_progress("predictions", "05.a", {"said": 1, "was": 1, "right": True})
    progress_file.save_progress("predictions", "05.b", {"said": 1, "was": 2, "right": False})
    progress_file.save_progress("predictions", "05.c", {"said": "no", "was": "yes", "right": False})
    progress_file.save_progress("predictions", "06.a", {"said": "no", "was": "no", "right": True})
    progress_file.save_progress(
        "recall", "05", {"04.a": True, "04.b": False, "03.c": True, "02.d": None}
    )
    assert repr(progress()).splitlines()[-2:] == [
        "Predictions: 2 of 4 came true.",
        "Recall: 2 of 3 answers were right. The questions that you missed come back.",
    ]


def test_of_a_chapter_that_was_begun_the_map_names_what_is_left(file: Path, capsys) -> None:
    assert "To do" not in repr(progress())

    @exercise
    def bpe_merge(words):
        raise NotImplementedError

    progress_file.save_progress("exercises", "safe_softmax", "right")
    left = repr(progress()).splitlines()[-2:]
    assert left[0].startswith("To do in 05: attention_step, feeding_decoder")
    assert left[1].startswith("To do in 10: bpe_merge, bucketed, ")


def test_every_chapter_has_a_row_and_its_notebook_exists() -> None:
    sources = {path.stem for path in (ROOT / "chapters" / "source").glob("*.py")}
    notebooks = {chapter.notebook for chapter in (*contents.CHAPTERS.values(), contents.NOTATION)}
    assert sources - notebooks == {
        "C_notes",
        "D_papers",
        "E_teaching",
    }
    assert notebooks <= sources
    assert set(engine.names_by_chapter()) == set(contents.CHAPTERS)
    rows = repr(progress()).splitlines()
    assert [row.split()[0] for row in rows[: len(contents.CHAPTERS)]] == list(contents.CHAPTERS)


# In a notebook -----------------------------------------------------------------------------------


def run(folder: Path, *cells: str) -> str:
    """Run a notebook as a reader would; what its last cell printed."""
    made = new_notebook(cells=[new_code_cell(cell) for cell in cells])
    client = NotebookClient(made, timeout=300, resources={"metadata": {"path": str(folder)}})
    client.execute(
        env={
            key: text for key, text in os.environ.items() if key != progress_file.PROGRESS_VARIABLE
        }
    )
    return "".join(output.get("text", "") for output in made.cells[-1].outputs)


def test_progress_lies_beside_the_notebook_and_survives_a_restart_of_its_kernel(
    tmp_path: Path,
) -> None:
    blank = "@exercise\ndef shares(amounts):\n    raise NotImplementedError"
    imports = "from attnbook import exercise, predict, progress, recall, reveal"
    asks = 'predict("05.a", {})\nwith reveal("05.a", 4):\n    print(4)\nrecall("05", "{}")'
    left_blank = (imports, blank, asks.format("...", ""), "progress()")
    nothing = "import os\nassert not [name for name in os.listdir() if 'progress' in name]"
    solved = blank.replace("raise NotImplementedError", "return amounts / amounts.sum()")
    run(tmp_path, *left_blank, nothing, solved, asks.format(4, "a"))
    assert [path.name for path in tmp_path.iterdir()] == ["progress.json"]
    shown = run(tmp_path, imports, "print(progress())")
    others = [
        minutes for name, minutes in engine.names_by_chapter()["00"].items() if name != "shares"
    ]
    marks, left = "✓" + "○" * len(others), f"{sum(others)} min" if others else "done"
    assert f"00 Start here                   {marks:11} {left:>4}" in shown
    assert "Predictions: 1 of 1 came true." in shown
    assert re.search(r"Recall: [01] of 1 answers", shown)
