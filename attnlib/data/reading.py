"""Reading a corpus's files: whatever is wrong ends in one sentence with file, line and remedy."""

import gzip
import hashlib
import zlib
from pathlib import Path


class CorpusError(ValueError):
    """A corpus that cannot be used: what is wrong, where, and what to do about it."""


def read(path: Path, start: int = 0, size: int = -1) -> bytes:
    """All bytes of a file, or ``size`` of them from ``start`` on and what their last line lacks."""
    try:
        with open(path, "rb") as file:
            file.seek(start)
            return file.read(size) + file.readline()
    except FileNotFoundError as problem:
        raise CorpusError(f"{path} does not exist; check the path") from problem
    except OSError as problem:
        raise CorpusError(f"{path} cannot be read ({problem.strerror})") from problem


def unpack(path: Path, packed: bytes, remedy: str) -> bytes:
    try:
        return gzip.decompress(packed)
    except (OSError, EOFError, zlib.error) as problem:
        raise CorpusError(f"{path} is not a complete gzip file ({problem}); {remedy}") from problem


def check_sum(path: Path | str, content: bytes, sha256: str, remedy: str) -> None:
    found = hashlib.sha256(content).hexdigest()
    if found != sha256:
        raise CorpusError(f"{path} has SHA-256 {found[:12]}…, not {sha256[:12]}…; {remedy}")


def decode(path: Path, content: bytes, before: int = 0) -> list[str]:
    """The lines of a text, split at line feeds only: other separators may be part of a sentence.

    ``before`` is the number of lines before it in the file, for the one that is named as wrong.
    """
    if not before and not content.strip():
        raise CorpusError(f"{path} is empty; a corpus has at least one line")
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as problem:
        number = before + content.count(b"\n", 0, problem.start) + 1
        wrong = f"byte 0x{content[problem.start]:02x} is not UTF-8; save the file as UTF-8"
        raise CorpusError(f"{path}, line {number}: {wrong}") from problem
    return [line.removesuffix("\r") for line in text.removesuffix("\n").split("\n")]


def read_lines(path: Path) -> list[str]:
    return decode(path, read(path))


def read_sums(path: Path) -> dict[str, str]:
    """File name → its SHA-256, from lines as ``sha256sum`` writes them."""
    return dict(line.split()[::-1] for line in read_lines(path))
