"""Files that people hand in: read where they are notebooks, named for what they are where not."""

import json
import os
import socket
import sys
from pathlib import Path

import pytest

from attnbook.grading.handed_in import (
    MAX_CELLS,
    MAX_CODE_CHARS,
    MAX_NOTEBOOK_BYTES,
    read_file,
    read_notebook,
)
from attnbook.grading.report import escape_name, list_names, one_line

NOTEBOOK = '{"cells": [{"cell_type": "code", "source": ["x = 1"]}]}'
IS = {
    "is empty": [b"", b"\n \n", b"\xef\xbb\xbf\r\n", b"\0" * 4096],
    "is a web page: download the raw file": [
        b"<!DOCTYPE html>\n<html><head><title>05.ipynb</title>",
        b"\xef\xbb\xbf\n  <html lang='ko'>",
    ],
    "is not a notebook but other JSON": [
        b"[]",
        b"5",
        b"{}",
        b'{"cells": 5}',
        b'{"cells": [5]}',
        b"null",
    ],
    "is a ZIP archive": [b"PK\x03\x04"],
    "its end is missing": [NOTEBOOK[:-9].encode(), b"{"],
    "byte 5 (0xb1) is not UTF-8": [b"abc \xb1\xe8"],
    "is not a notebook: ": [b"import torch\n", b"[" * 10**6, b"\x7fELF\x02", b"<<<<<<< HEAD\n{}"],
}


@pytest.mark.parametrize("what", IS)
def test_a_file_that_is_no_notebook_is_named_for_what_it_is(what: str, tmp_path: Path) -> None:
    path = tmp_path / "a.ipynb"
    for content in IS[what]:
        path.write_bytes(content)
        with pytest.raises(ValueError, match=r"^\S+/a\.ipynb ") as problem:
            read_notebook(path)
        assert what in str(problem.value), content
        assert len(str(problem.value).splitlines()) == 1


def test_a_byte_order_mark_is_no_fault_and_text_is_kept_apart(tmp_path: Path) -> None:
    cells = [{"cell_type": kind, "source": kind} for kind in ("markdown", "code", "raw")]
    path = tmp_path / "a.ipynb"
    path.write_text(json.dumps({"cells": cells}), encoding="utf-8-sig")
    assert read_notebook(path) == (["code"], ["markdown", "raw"])


def test_what_would_wait_or_never_end_is_not_opened(tmp_path: Path) -> None:
    odd = {name: tmp_path / f"{name}.ipynb" for name in ("folder", "nowhere", "gone", "loop")}
    odd["folder"].mkdir()
    odd["nowhere"].symlink_to(tmp_path / "there is none")
    odd["loop"].symlink_to(odd["loop"])
    message = {
        "folder": "is not a file but a folder",
        "nowhere": "is a link that leads nowhere",
        "gone": "does not exist",
        "loop": "cannot be read: ",
    }
    if sys.platform != "win32":
        odd |= {name: tmp_path / f"{name}.ipynb" for name in ("pipe", "zero", "socket")}
        os.mkfifo(odd["pipe"])
        odd["zero"].symlink_to("/dev/zero")
        with socket.socket(socket.AF_UNIX) as server:
            before = Path.cwd()
            os.chdir(tmp_path)  # the name of a socket is short
            server.bind("socket.ipynb")
            os.chdir(before)
        message |= dict.fromkeys(("pipe", "zero", "socket"), "is not a file")
    for name, path in odd.items():
        with pytest.raises(ValueError, match=message[name]):
            read_file(path)


def test_what_is_too_large_is_not_read(tmp_path: Path) -> None:
    path = tmp_path / "a.ipynb"
    with open(path, "wb") as file:
        file.truncate(MAX_NOTEBOOK_BYTES + 1)  # of holes: it takes no space
    with pytest.raises(ValueError, match="is larger than 128 MiB: clear the outputs"):
        read_notebook(path)
    large = {"cell_type": "code", "source": "x" * (MAX_CODE_CHARS + 1)}
    small = {"cell_type": "markdown", "source": ""}
    for cells in ([large], [small] * (MAX_CELLS + 1)):
        path.write_text(json.dumps({"cells": cells}), encoding="utf-8")
        with pytest.raises(ValueError, match="1,000,000 letters of code or 10,000 cells"):
            read_notebook(path)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a\nb\x1b[31m\u202e.ipynb", "a\\nb\\x1b[31m\\u202e.ipynb"),
        (os.fsdecode(b"\xb1\xe8.ipynb"), "\\udcb1\\udce8.ipynb"),
        ("책 한  권.ipynb", "책 한  권.ipynb"),
        ("山田\u3000太郎 क्\u200dष", "山田\u3000太郎 क्\u200dष"),
    ],
)
def test_the_name_of_a_file_is_part_of_a_line(name: str, text: str) -> None:
    assert escape_name(name) == text
    text.encode("utf-8")


def test_a_line_is_short_after_it_was_escaped() -> None:
    assert len(one_line("\U0010ffff" * 1000)) == 300
    assert list_names((f"{n}" for n in range(9)), 9) == "0, 1, 2 and 6 more"
    assert list_names(["a\n"], 1) == "a\\n"
