"""A file that somebody handed in: its cells where it is a notebook, and what it is where not."""

from __future__ import annotations

import json
import stat
from pathlib import Path
from typing import NamedTuple

from .report import escape_name

MAX_NOTEBOOK_BYTES = 128 * 2**20  # bytes of a file that are read
MAX_CODE_CHARS = 1_000_000  # of a notebook: the book's have less than 60,000
MAX_CELLS = 10_000


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
        cells = notebook["cells"]
        sources = Notebook([], [])
        for cell in cells:
            code = cell["cell_type"] == "code"
            (sources.codes if code else sources.texts).append("".join(cell["source"]))
    except (AttributeError, KeyError, TypeError, ValueError):
        reason = "is not a notebook but other JSON: it has no cells of code and text"
        raise NoNotebook(path, reason) from None
    if sum(map(len, sources.codes)) > MAX_CODE_CHARS or len(cells) > MAX_CELLS:
        limit = f"{MAX_CODE_CHARS:,} letters of code or {MAX_CELLS:,} cells"
        raise NoNotebook(path, f"contains more than {limit}, which no chapter does")
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
    if content.startswith(b"PK"):
        return "is a ZIP archive (or a document of an office program): unpack it"
    text = content.decode("utf-8-sig", "replace").strip()
    if text.startswith("<!") or text.startswith("<html"):
        return "is a web page: download the raw file"
    if text.startswith("{") and not text.endswith("}"):
        return "is not a notebook: its end is missing; download or save it again"
    return ""
