"""Files that are whole or absent."""

import contextlib
import os
from pathlib import Path


class StorageError(ValueError):
    """A file cannot be read or written; the message says which, why, and what to do."""


def write_bytes(path: Path, content: bytes) -> None:
    """Put ``content`` at ``path``, all of it or none; folders on the way are made.

    It is written beside its place and moved there when complete, so a full disk, a power cut or
    Ctrl-C leaves what stood at ``path`` before. Raises StorageError where it cannot be written.
    """
    temporary = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with open(temporary, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())  # the move below must not overtake the content
        os.replace(temporary, path)
    except OSError as problem:
        raise StorageError(
            f"cannot write {path}: {problem.strerror or problem}; free some space or choose a "
            "folder you may write to (what was saved there before is intact)"
        ) from problem
    finally:
        with contextlib.suppress(OSError):
            temporary.unlink(missing_ok=True)
