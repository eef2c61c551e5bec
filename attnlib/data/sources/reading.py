"""Reading a corpus's files: whatever is wrong ends in one sentence with file, line and hint."""

import gzip
import hashlib
import os
import zlib
from pathlib import Path

from ..corpus import CorpusError

#: How files begin that are no text, or none of a corpus, though their name may say so.
_MAGIC_BYTES = {
    b"PK\x03\x04": "a ZIP file or a spreadsheet; unpack it, or save its sheet as CSV UTF-8",
    b"\x1f\x8b": "packed by gzip; unpack it first",
    b"version https://git-lfs": "a pointer of Git LFS; fetch the file itself with git lfs pull",
    b"<!doctype html": "a web page; download the file itself",
    b"<html": "a web page; download the file itself",
}


def read(path: Path) -> bytes:
    """All bytes of a file. Raises CorpusError where it is missing, cannot be read, or is no file:
    reading a pipe may never end."""
    if not os.path.exists(path):
        raise CorpusError(f"{path} does not exist; check the path")
    if not os.path.isfile(path):
        raise CorpusError(f"{path} cannot be read: it is a folder, a pipe or a device, not a file")
    try:
        return path.read_bytes()
    except OSError as error:
        raise CorpusError(f"{path} cannot be read ({error.strerror})") from error


def unpack(path: Path, packed: bytes, hint: str) -> bytes:
    try:
        return gzip.decompress(packed)
    except (OSError, EOFError, zlib.error) as error:
        raise CorpusError(f"{path} is not a complete gzip file ({error}); {hint}") from error


def check_sum(path: Path | str, content: bytes, sha256: str, hint: str) -> None:
    digest = hashlib.sha256(content).hexdigest()
    if digest != sha256:
        raise CorpusError(f"{path} has SHA-256 {digest[:12]}…, not {sha256[:12]}…; {hint}")


def decode(
    path: Path, content: bytes, expected: str = "a corpus has at least one line"
) -> list[str]:
    """The lines of a text, split at line feeds only: other separators may be part of a sentence.

    ``expected`` says what an empty file should hold.
    """
    if not content.strip():
        raise CorpusError(f"{path} is empty; {expected}")
    start = content[:1000].lstrip().lower()
    for beginning, what in _MAGIC_BYTES.items():
        if start.startswith(beginning.lower()):
            raise CorpusError(f"{path} is {what}")
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        number = content.count(b"\n", 0, error.start) + 1
        wrong = f"byte 0x{content[error.start]:02x} is not UTF-8; save the file as UTF-8"
        raise CorpusError(f"{path}, line {number}: {wrong}") from error
    return [line.removesuffix("\r") for line in text.removesuffix("\n").split("\n")]


def read_lines(path: Path, expected: str = "it should have at least one line") -> list[str]:
    """The lines of a text file. Raises CorpusError; of an empty one it says what is expected."""
    return decode(path, read(path), expected=expected)


def read_sums(path: Path) -> dict[str, str]:
    """File name → its SHA-256, from lines as ``sha256sum`` writes them."""
    return dict(line.split()[::-1] for line in read_lines(path))
