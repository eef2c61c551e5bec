"""What can be known of Windows without it: names, bytes, commands, quotes, what os lacks."""

import ast
import io
import os
import re
import shutil
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from attnlib import files
from attnlib.translator.cli.parser import main
from attnlib.translator.cli.terminal import shell_join

ROOT = Path(__file__).parents[2]


def lines(*command: str) -> list[str]:
    """What git says; the test is skipped where the book is no repository."""
    if not (ROOT / ".git").exists() or not shutil.which("git"):
        pytest.skip("this copy of the book is no repository of git")
    completed = subprocess.run(
        ["git", "-c", "core.quotepath=off", *command], cwd=ROOT, capture_output=True, check=True
    )
    return completed.stdout.decode("utf-8").splitlines()


# The files of the book ---------------------------------------------------------------------------

STARTS = r"(subprocess\.\w+|Popen)$"
RESERVED = re.compile(r"(con|prn|aux|nul|com\d|lpt\d)(\.|$)", re.IGNORECASE)


def forbidden(path: str) -> bool:
    """Whether Windows has no file of such a name, or a checkout may have no room for its path."""
    parts = path.split("/")
    odd = any(RESERVED.match(part) or part[-1] in ". " for part in parts)
    return odd or bool(re.search(r'[<>:"|?*\\\x00-\x1f]', path)) or len(path) > 180


def test_every_file_of_the_book_can_be_one_on_windows() -> None:
    paths = lines("ls-files")
    assert len(paths) > 500 and [path for path in paths if forbidden(path)] == []
    folders = {str(folder) for path in paths for folder in Path(path).parents}
    twice = Counter(name.casefold() for name in {*paths, *folders})
    assert [name for name, count in twice.items() if count > 1] == []
    for path in ("a/aux.ipynb", "NUL", "what?.md", "12:30.json", "end./x", "end ", "x" * 181):
        assert forbidden(path), path


def test_git_writes_the_same_bytes_on_windows() -> None:
    """With its usual setting there (autocrlf) texts would end their lines otherwise, and no SHA-256
    would be that of the file."""
    for line in lines("ls-files", "--eol"):
        endings, path = line.split("\t")
        index, _, *attributes = endings.split()
        assert index in ("i/lf", "i/none", "i/-text"), path
        kept = ["attr/-text"] if index == "i/-text" else ["attr/text=auto", "eol=lf"]
        assert attributes == kept, path


@pytest.mark.thorough
def test_text_of_a_process_is_read_as_utf_8() -> None:
    """ruff sees to files (PLW1514); a process's text is decoded as the system likes, too."""
    found = []
    for path in lines("ls-files", "*.py"):
        source = (ROOT / path).read_text(encoding="utf-8")
        if "subprocess" not in source:
            continue
        for node in ast.walk(ast.parse(source)):
            given = {word.arg for word in node.keywords} if isinstance(node, ast.Call) else set()
            if given & {"text", "universal_newlines"} and re.search(STARTS, ast.unparse(node.func)):
                found += [f"{path}:{node.lineno}"]
    assert found == []


# Commands ----------------------------------------------------------------------------------------


@pytest.fixture
def windows(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "win32")


def test_a_word_is_quoted_as_windows_reads_it(windows: None) -> None:
    words = [r"C:\runs\new", "나의모델", r"C:\My runs", ""]
    assert shell_join(words) == r'C:\runs\new 나의모델 "C:\My runs" ""'


def test_messages_at_a_terminal_name_the_keys_and_commands_of_windows(
    windows: None, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    korean = io.TextIOWrapper(io.BytesIO("개가 잔다".encode("cp949")), encoding="cp949")
    monkeypatch.setattr(sys, "stdin", korean)
    assert main(["translate"]) == 1
    message = "standard input, line 1: byte 0xb0 is not UTF-8; convert it"
    assert capsys.readouterr().err.splitlines()[-1] == f"attnlib: {message}"
    keyboard = io.TextIOWrapper(io.BytesIO(b"Ein Hund."), encoding="utf-8")
    monkeypatch.setattr(sys, "stdin", keyboard)
    monkeypatch.setattr(keyboard, "isatty", lambda: True)
    assert main(["translate"]) == 0
    assert "Type a sentence and Enter; Ctrl-Z and Enter end.\n" in capsys.readouterr().err


# Files that somebody has open --------------------------------------------------------------------


def test_a_file_that_is_briefly_open_elsewhere_is_replaced(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    replace, refused = os.replace, iter([True, True, False])

    def busy(path: Path, to: Path) -> None:
        if next(refused, True):
            raise PermissionError(13, "Access is denied")
        replace(path, to)

    monkeypatch.setattr(os, "replace", busy)
    monkeypatch.setattr(files, "RETRY_SECONDS", 60.0)
    files.write_bytes(tmp_path / "a", b"1")
    assert (tmp_path / "a").read_bytes() == b"1"
    monkeypatch.setattr(files, "RETRY_SECONDS", 0.0)
    monkeypatch.setattr(sys, "platform", "win32")
    with pytest.raises(files.StorageError, match="Access is denied; close the program that has it"):
        files.write_bytes(tmp_path / "a", b"2")
    assert [path.name for path in tmp_path.iterdir()] == ["a"]


# What Python lacks there -------------------------------------------------------------------------

#: Asks what the system has before it uses it.
UNIX_ALONE = "attnbook/grading/worker.py"


@pytest.mark.thorough
def test_no_module_uses_what_os_and_signal_lack_on_windows(tmp_path: Path) -> None:
    """mypy knows what there is on each platform, and reads no branch for another one."""
    command = [sys.executable, "-m", "mypy", "--platform", "win32", "--cache-dir", str(tmp_path)]
    output = subprocess.run(command, cwd=ROOT, capture_output=True, encoding="utf-8").stdout
    found = [line for line in output.replace("\\", "/").splitlines() if ": error: " in line]
    assert [line for line in found if not line.startswith(UNIX_ALONE)] == []
    assert any('"fork"' in line for line in found), output
