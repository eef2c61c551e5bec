"""A process and a folder of its own for what a notebook does, and an end to both.

The process stands in a copy of what lies beside the notebook, sees a small environment, and is
ended with all that stems from it. This guards against accidents, not against malice: it runs as
the same user, so a stranger's notebook belongs into a container.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
import shutil
import signal
import site
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from threading import Event
from typing import Any

from attnlib.data import cache_directory

from .exercises import worker
from .exercises.engine import RECORD, STRICT

COPIED = 64 * 2**20  # bytes of files beside the notebook that it may read
_READ = 16 * 2**20  # bytes of the record that are looked at
#: All of the teacher's environment that a notebook sees; the rest may hold secrets.
_SEEN = re.compile(
    r"PATH|PYTHONPATH|LANG|LC_\w+|TZ|(DY)?LD_LIBRARY_PATH|SYSTEMROOT|WINDIR|COMSPEC|PATHEXT|"
    r"(OMP|MKL|CUDA|KMP|GOMP)_\w+"
)
#: Notebooks that another may read: chapter 10 looks for the answers of the chapters before it.
_CHAPTER = re.compile(r"0[1-9]_.*\.ipynb")


@dataclass(frozen=True)
class Job:
    """What a process is to do with the cells of a notebook; ``worker`` explains."""

    cells: Sequence[str]
    answers: Sequence[str] | None = None
    skip: Sequence[int] = ()


@dataclass(frozen=True)
class Outcome:
    """What a process left in its record, and how it ended before its time, if it did."""

    notes: list[dict[str, Any]]
    how: str
    late: bool = False

    @property
    def stopped(self) -> int | None:
        """The cell or answer that was begun and did not end."""
        begun = [note["begun"] for note in self.notes if isinstance(note.get("begun"), int)]
        ended = {note["ended"] for note in self.notes if isinstance(note.get("ended"), int)}
        return next((number for number in reversed(begun) if number not in ended), None)


#: Set by who grades several notebooks at once and is told to stop: every process ends.
stopped = Event()


def run(job: Job, folder: Path | None, seconds: float, seconds_each: float, limit: int) -> Outcome:
    """Do a job in a new process, within limits of time (for all, for each) and bytes.

    Without a folder it finds nothing beside it.
    """
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as name:
        scratch = Path(name)
        here, record, told = scratch / "notebook", scratch / "record", scratch / "job"
        here.mkdir()
        for path, way in readable(folder) if folder else ():
            _copy(path, here / way)
        record.touch()
        more = {"record": str(record), "bytes": limit}
        told.write_text(json.dumps({**vars(job), **more}), encoding="utf-8")
        process = subprocess.Popen(
            [sys.executable, worker.__file__, str(told)],
            cwd=here,
            env=_environment(scratch, record),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        try:
            how, late = _wait(process, record, seconds, seconds_each)
        finally:  # after Ctrl-C too
            _end(process, scratch)
        notes = list(_notes(record))
        late |= bool(how) and not notes  # the process itself had no time to start
        wanted = len(job.cells if job.answers is None else job.answers)
        if not how and sum("ended" in note for note in notes) < wanted:
            how = f"ended its process (status {process.returncode})"
        return Outcome(notes, how, late)


def readable(folder: Path) -> Iterator[tuple[Path, Path]]:
    """What a notebook may read, and its way from the folder: files beside it first, up to a size.

    Links are left out.
    """
    left = COPIED
    for name, folders, files in os.walk(folder):
        folders[:] = sorted(f for f in folders if not f.startswith((".", "__")))
        files = [file for file in sorted(files) if not file.startswith(".")]
        for path in (Path(name, f) for f in files if _CHAPTER.match(f) or ".ipynb" not in f):
            with contextlib.suppress(OSError):  # gone, or not to be read
                size = path.lstat().st_size
                if path.is_symlink() or not path.is_file() or size > left:
                    continue
                left -= size
                yield path, path.relative_to(folder)
        if left <= 0 or len(Path(name).relative_to(folder).parts) >= 3:
            folders.clear()


def _copy(path: Path, to: Path) -> None:
    with contextlib.suppress(OSError):  # gone, or not to be read
        to.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, to)


def _environment(scratch: Path, record: Path) -> dict[str, str]:
    """Little of the teacher's environment; home, caches and settings are in the scratch folder."""
    import matplotlib

    home = scratch / "home"
    home.mkdir()
    for fonts in Path(matplotlib.get_cachedir()).glob("fontlist*.json"):  # seconds to make anew
        shutil.copy(fonts, home)
    seen = {key: value for key, value in os.environ.items() if _SEEN.fullmatch(key.upper())}
    if "PYTHONPATH" in seen:
        folders = seen["PYTHONPATH"].split(os.pathsep)
        seen["PYTHONPATH"] = os.pathsep.join(str(Path(path).absolute()) for path in folders)
    places = ("HOME", "USERPROFILE", "TMPDIR", "TEMP", "TMP", "MPLCONFIGDIR", "IPYTHONDIR")
    return {
        **seen,
        **dict.fromkeys(places, str(home)),
        "PYTHONUSERBASE": site.getuserbase(),
        "ATTNLIB_DATA": str(cache_directory().absolute()),
        "MPLBACKEND": "agg",
        RECORD: str(record),
        STRICT: "0",
    }


def _wait(
    process: subprocess.Popen, record: Path, seconds: float, seconds_each: float
) -> tuple[str, bool]:
    """Wait until a process ends or goes beyond a limit: which, and whether that was the whole's."""
    start = since = time.monotonic()
    length = -1
    while process.poll() is None:
        time.sleep(0.05)
        if stopped.is_set():
            raise KeyboardInterrupt
        now = time.monotonic()
        with contextlib.suppress(OSError):  # removed by the notebook
            if record.stat().st_size != length:
                length, since = record.stat().st_size, now
        if now - since > seconds_each:
            return f"ran longer than {seconds_each:.3g} seconds", False
        if now - start > seconds:
            return "was running when the time for the notebook was over", True
    return "", False


def _end(process: subprocess.Popen, scratch: Path) -> None:
    """End a process and all that stems from it."""
    if sys.platform == "win32":
        subprocess.run(["taskkill", "/F", "/T", "/PID", str(process.pid)], capture_output=True)
    process.terminate()  # it ends its descendants first
    with contextlib.suppress(subprocess.TimeoutExpired):
        process.wait(8)
    process.kill()
    process.wait()
    deadline = time.monotonic() + 5
    while left := list(_bearing(str(scratch).encode())):  # where it was killed itself
        for pid in left:
            with contextlib.suppress(OSError):
                os.kill(pid, signal.SIGKILL)
        if time.monotonic() > deadline:
            return
        time.sleep(0.02)


def _bearing(mark: bytes) -> Iterator[int]:
    """Processes that were started with a mark in their environment, where /proc tells."""
    for environ in Path("/proc").glob("[0-9]*/environ"):
        with contextlib.suppress(OSError):
            if mark in environ.read_bytes():
                yield int(environ.parent.name)


def _notes(record: Path) -> Iterator[dict[str, Any]]:
    """The lines of a record that can be read; the notebook may have written into it, too."""
    with contextlib.suppress(OSError), record.open("rb") as file:
        for line in file.read(_READ).split(b"\n"):
            with contextlib.suppress(ValueError, RecursionError):
                if isinstance(note := json.loads(line), dict):
                    yield note
