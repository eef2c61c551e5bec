"""A file that somebody handed in: its cells where it is a notebook, and what it is where not."""

from __future__ import annotations

import ast
import json
import re
import stat
from pathlib import Path
from typing import NamedTuple

from .report import escape_name
from .statements import MAX_CELL_CHARS

MAX_NOTEBOOK_BYTES = 128 * 2**20  # bytes of a file that are read
MAX_CODE_CHARS = 1_000_000  # of a notebook: the book's have less than 60,000
MAX_CELLS = 10_000
#: How files begin that are handed in by mistake, and what they are.
_BEGINNINGS = {
    b"PK\x03\x04": "is a ZIP archive (or a document of an office program): unpack it",
    b"\x1f\x8b": "is a gzip archive: unpack it",
    b"Rar!": "is a RAR archive: unpack it",
    b"7z\xbc\xaf": "is a 7z archive: unpack it",
    b"%PDF": "is a PDF: the notebook itself is needed",
    b"{\\rtf": "is a text of a word processor (RTF): the notebook itself is needed",
    b"\x89PNG": "is a picture: the notebook itself is needed",
    b"\xff\xd8\xff": "is a picture: the notebook itself is needed",
    b"version https://git-lfs": "is a pointer of Git LFS: git lfs pull fetches the notebook",
    b"\xff\xfe": "is in UTF-16: save it as UTF-8",
    b"\xfe\xff": "is in UTF-16: save it as UTF-8",
}
_CONFLICT = re.compile(r"^(?:<{7}|={7}|>{7})(?: |$)", re.MULTILINE)


class NoNotebook(ValueError):
    """A file cannot be graded: which, and why."""

    def __init__(self, path: Path, reason: str) -> None:
        super().__init__(f"{escape_name(path)} {reason}")


class Notebook(NamedTuple):
    """The sources of a notebook's cells: those with code, and all others."""

    codes: list[str]
    texts: list[str]


def read_file(path: Path) -> bytes:
    """All bytes of an ordinary file. Raises NoNotebook, without waiting, where it is none."""
    content = None
    try:
        # Reading a pipe could wait forever, reading a device never end.
        if stat.S_ISREG(path.stat().st_mode):
            with open(path, "rb") as file:
                content = file.read(MAX_NOTEBOOK_BYTES + 1)
    except FileNotFoundError:
        reason = "is a link that leads nowhere" if path.is_symlink() else "does not exist"
        raise NoNotebook(path, reason) from None
    except OSError as error:
        raise NoNotebook(path, f"cannot be read: {error.strerror}") from None
    if content is None:
        raise NoNotebook(path, "is not a file" + (" but a folder" if path.is_dir() else ""))
    if len(content) > MAX_NOTEBOOK_BYTES:
        size = f"is larger than {MAX_NOTEBOOK_BYTES >> 20} MiB"
        raise NoNotebook(path, f"{size}: clear the outputs of its cells and save it again")
    return content


def read_notebook(path: Path) -> Notebook:
    """A notebook's cells. Raises NoNotebook, with what the file is, where it is none."""
    return notebook_of(path, read_file(path))


def notebook_of(path: Path, content: bytes) -> Notebook:
    """The same for bytes that were read before."""
    try:
        text = content.decode("utf-8-sig")
        notebook = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise NoNotebook(path, _what_it_is(content) or _error_message(error)) from None
    try:
        if "worksheets" in notebook:  # nbformat 3, up to 2015
            cells = [cell for sheet in notebook["worksheets"] for cell in sheet["cells"]]
        else:
            cells = notebook["cells"]
        sources = Notebook([], [])
        for cell in cells:
            code = cell["cell_type"] == "code"
            source = cell.get("source", cell.get("input")) if code else cell.get("source", "")
            (sources.codes if code else sources.texts).append("".join(source))
    except (AttributeError, KeyError, TypeError, ValueError):
        reason = "is not a notebook but other JSON: it has no cells of code and text"
        raise NoNotebook(path, reason) from None
    if sum(map(len, sources.codes)) > MAX_CODE_CHARS or len(cells) > MAX_CELLS:
        limit = f"{MAX_CODE_CHARS:,} letters of code or {MAX_CELLS:,} cells"
        raise NoNotebook(path, f"holds more than {limit}, as no chapter does")
    return sources


def _error_message(error: BaseException) -> str:
    if isinstance(error, UnicodeDecodeError):
        byte = error.object[error.start]
        return f"is not a notebook: byte {error.start + 1:,} (0x{byte:02x}) is not UTF-8"
    return f"is not a notebook: {str(error) or type(error).__name__}"


def _what_it_is(content: bytes) -> str:
    """What a file is that is not JSON; empty where nobody knows."""
    if not content.strip(b"\xef\xbb\xbf \t\r\n\0"):
        return "is empty"
    for beginning, what in _BEGINNINGS.items():
        if content.startswith(beginning):
            return what
    if content[1:2] == b"\0" or content[:1] == b"\0":  # without a byte order mark
        return "is in UTF-16: save it as UTF-8"
    text = content.decode("utf-8-sig", "replace")
    if text.lstrip().startswith("<") and not _CONFLICT.match(text):
        return "is a web page: download the raw file"
    if {match[0].rstrip() for match in _CONFLICT.finditer(text)} >= {"<<<<<<<", ">>>>>>>"}:
        return "holds conflict markers of git: choose a side and save it again"
    if text.lstrip().startswith("{") and not text.rstrip().endswith("}"):
        return "is not a notebook: its end is missing; download or save it again"
    if len(text) <= MAX_CELL_CHARS and _is_script(text):
        return "is a Python script and not a notebook: hand in the .ipynb file"
    return ""


def _is_script(text: str) -> bool:
    try:
        body = ast.parse(text).body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    kinds = (ast.Import, ast.ImportFrom, ast.FunctionDef, ast.ClassDef, ast.Assign)
    return any(isinstance(node, kinds) for node in body)
