"""Files that are whole or absent, and folders into which one process writes at a time."""

import contextlib
import errno
import os
import stat
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

LOCK = ".lock"  # lies in a folder while a process writes into it
#: Seconds. Windows replaces no file that somebody has open: a virus scanner for a moment, say.
RETRY_SECONDS = 2.0 if sys.platform == "win32" else 0.0


class StorageError(ValueError):
    """A file cannot be read or written; the message says which, why, and what to do."""


def write_bytes(path: Path, content: bytes) -> None:
    """Put ``content`` at ``path``, all of it or none; folders on the way are made.

    It is written beside its place and moved there when complete, so a full disk, a power cut or
    Ctrl-C leaves what stood at ``path`` before. Who may read and write a file that is there
    already stays as it was. Raises StorageError where it cannot be written.
    """
    temporary = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with open(temporary, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())  # the move below must not overtake the content
        with contextlib.suppress(FileNotFoundError):
            os.chmod(temporary, stat.S_IMODE(path.stat().st_mode))
        _move(temporary, path)
    except OSError as error:
        raise _unwritable(path, error) from error
    finally:
        with contextlib.suppress(OSError):
            temporary.unlink(missing_ok=True)


def _move(path: Path, to: Path) -> None:
    """Put a file in the place of another, and wait a little for whoever has that one open."""
    deadline = time.monotonic() + RETRY_SECONDS
    while True:
        try:
            return os.replace(path, to)
        except PermissionError:
            if time.monotonic() >= deadline:
                raise
            time.sleep(0.05)


def remove_stale_temporaries(path: Path) -> None:
    """Remove what a process that was killed while it wrote ``path`` has left beside it."""
    with contextlib.suppress(OSError):
        for unfinished in path.parent.glob(f".{path.name}.[0-9]*"):
            unfinished.unlink(missing_ok=True)


@contextlib.contextmanager
def lock_directory(
    folder: Path, wait: float = 0.0, name: str = LOCK
) -> Iterator[Callable[[], None]]:
    """Keep other processes that ask likewise out of a folder, which is made if need be.

    Gives a function that raises StorageError once the folder was moved, removed or replaced. The
    system releases the lock when the process that holds it ends, however that ends. Arguments:
    wait, seconds to wait for another process; name, of the lock file.
    Raises StorageError where the folder cannot be written, or belongs to another process.
    """
    from filelock import FileLock, Timeout  # imported here, because reading needs no lock

    path = folder / name
    lock = FileLock(path)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        lock.acquire(timeout=wait)
        lock_stat = path.stat()
    except Timeout:
        busy = f"another process is writing into {folder} at this moment"
        raise StorageError(f"{busy}: wait until it ends, or choose another folder") from None
    except OSError as error:
        lock.release()
        raise _unwritable(folder, error) from error

    def is_ours() -> bool:
        try:
            return os.path.samestat(path.stat(), lock_stat)
        except OSError:
            return False

    def check_ours() -> None:
        if not is_ours():
            gone = f"{folder} was moved or removed while this process wrote into it"
            raise StorageError(f"{gone}; resume it where it is now, or begin anew")

    try:
        yield check_ours
    finally:
        if is_ours():
            with contextlib.suppress(OSError):  # Windows removes no open file
                path.unlink()  # while it is still locked: whoever waits for it notices
        lock.release()


def _unwritable(path: Path, error: OSError) -> StorageError:
    why: object = error.strerror or error
    files = [folder for folder in path.parents if os.path.isfile(folder)]
    if files:
        why, hint = f"{files[0]} is a file and no folder", "choose another folder"
    elif error.errno in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG):
        hint = "free some space, or choose a folder on another disk"
    elif isinstance(error, PermissionError) and sys.platform == "win32":
        hint = "close the program that has it open, or choose a folder that you may write to"
    else:
        hint = "choose a folder that exists or can be made, and that you may write to"
    intact = "what was saved there before is intact"
    return StorageError(f"cannot write {path}: {why}; {hint} ({intact})")
