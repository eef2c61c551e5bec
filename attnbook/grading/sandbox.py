"""A process and a folder of its own for what a notebook does, and an end to both.

The process stands in a copy of what lies beside the notebook, sees a small environment, and is
ended with all that stems from it, also where the grader itself is killed. Time, memory (of all
processes together) and the size of a file are limited; the number of processes and of files is
not, nor the network. This guards against accidents, not against malice: it runs as the same user,
so an untrusted notebook belongs into a container.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
import secrets
import shutil
import signal
import site
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from threading import Event
from typing import Any

import psutil

from attnlib.data.sources import cache_directory

from ..exercises.engine import RECORD, STRICT
from . import worker

MAX_COPIED_BYTES = 64 * 2**20  # bytes of files beside the notebook that it may read
_MAX_RECORD_BYTES = 16 * 2**20  # bytes of the record that are looked at
#: All of the teacher's environment that a notebook sees; the rest may hold secrets.
_PASSED_VARIABLES = re.compile(
    r"PATH|PYTHONPATH|LANG|LC_\w+|TZ|(DY)?LD_LIBRARY_PATH|SYSTEMROOT|WINDIR|COMSPEC|PATHEXT|"
    r"(OMP|MKL|CUDA|KMP|GOMP)_\w+"
)
#: Notebooks that another may read: chapter 10 looks for the answers of the chapters before it.
_CHAPTER = re.compile(r"0[1-9][a-z]?_.*\.ipynb")


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
    end_reason: str
    timed_out: bool = False

    @property
    def stopped(self) -> int | None:
        """The cell or answer that was begun and did not end."""
        begun = [note["begun"] for note in self.notes if isinstance(note.get("begun"), int)]
        ended = {note["ended"] for note in self.notes if isinstance(note.get("ended"), int)}
        return next((number for number in reversed(begun) if number not in ended), None)


#: Set by who grades several notebooks at once and has to stop: every process ends.
stopped = Event()


def run_job(
    job: Job, folder: Path | None, seconds: float, seconds_each: float, limit: int
) -> Outcome:
    """Do a job in a new process, within limits of time (for all, for each) and bytes.

    Without a folder it finds nothing beside it.
    """
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as name:
        scratch = Path(name)
        copy_folder, record, job_file = scratch / "notebook", scratch / "record", scratch / "job"
        copy_folder.mkdir()
        for path, relative in readable(folder) if folder else ():
            _copy(path, copy_folder / relative)
        record.touch()
        token = secrets.token_hex(16)
        options = {
            "record": str(record),
            "token": token,
            "bytes": limit,
            "seconds": seconds,
            "grader": os.getpid(),
        }
        job_file.write_text(json.dumps({**vars(job), **options}), encoding="utf-8")
        process = subprocess.Popen(
            [sys.executable, worker.__file__, str(job_file)],
            cwd=copy_folder,
            env=_environment(scratch, record),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        try:
            end_reason, timed_out = _wait(process, record, seconds, seconds_each, limit)
        finally:  # after Ctrl-C too
            _end(process, scratch)
        notes = list(_notes(record, token))
        timed_out |= bool(end_reason) and not notes  # the process did not start in time
        count = len(job.cells if job.answers is None else job.answers)
        if not end_reason and sum("ended" in note for note in notes) < count:
            end_reason = how_ended(process.returncode)
        return Outcome(notes, end_reason, timed_out)


_CRASH = "crashed Python itself, as an endless recursion in C code or a wrong address does"
_ENDS = {
    **dict.fromkeys(("SIGSEGV", "SIGBUS", "SIGABRT", "SIGILL", "SIGFPE"), _CRASH),
    "SIGKILL": "was killed, by itself or by the system where memory ran out",
    "SIGTERM": "was ordered to end, by itself or by another process",
    "SIGXCPU": "used up its time on the processor",
}
_WINDOWS = {0xC0000005: _CRASH, 0xC00000FD: _CRASH}  # an access violation, a stack overflow


def how_ended(status: int) -> str:
    """How a process ended that should have gone on, from its status (128 + a signal, as shells).

    >>> how_ended(137)
    'was killed, by itself or by the system where memory ran out (status 137)'
    """
    number = -status if status < 0 else status - 128
    with contextlib.suppress(ValueError):
        if reason := _ENDS.get(signal.Signals(number).name):
            return f"{reason} (status {status})"
    reason = _WINDOWS.get(status, "ended its process at once, as os._exit() does")
    return f"{reason} (status {status})"


def readable(folder: Path) -> Iterator[tuple[Path, Path]]:
    """What a notebook may read, and its way from the folder: files beside it first, up to a size.

    Links are left out.
    """
    left = MAX_COPIED_BYTES
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
    for fonts in Path(matplotlib.get_cachedir()).glob(
        "fontlist*.json"
    ):  # which take seconds to make
        shutil.copy(fonts, home)
    passed = {
        key: value for key, value in os.environ.items() if _PASSED_VARIABLES.fullmatch(key.upper())
    }
    if "PYTHONPATH" in passed:
        folders = passed["PYTHONPATH"].split(os.pathsep)
        passed["PYTHONPATH"] = os.pathsep.join(str(Path(path).absolute()) for path in folders)
    home_variables = ("HOME", "USERPROFILE", "TMPDIR", "TEMP", "TMP", "MPLCONFIGDIR", "IPYTHONDIR")
    return {
        **passed,
        **dict.fromkeys(home_variables, str(home)),
        "PYTHONUSERBASE": site.getuserbase(),
        "ATTNLIB_DATA": str(cache_directory().absolute()),
        "MPLBACKEND": "agg",
        RECORD: str(record),  # the cells know it; the answers that are judged do not
        STRICT: "0",
    }


def _wait(
    process: subprocess.Popen, record: Path, seconds: float, seconds_each: float, limit: int
) -> tuple[str, bool]:
    """Wait until a process ends or goes beyond a limit: which, and whether that was the whole's."""
    start = since = last_check = time.monotonic()
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
        if now - last_check > 0.5:
            last_check = now
            if _memory_bytes(process.pid, limit) > limit:
                return f"took more than {limit / 2**30:.3g} GiB of memory", False
    return "", False


def _memory_bytes(pid: int, limit: int) -> int:
    """Bytes that a process and its descendants hold; shared ones count once above the limit."""
    total = exactly = 0
    with contextlib.suppress(psutil.Error, OSError):
        root = psutil.Process(pid)
        family = [root, *root.children(recursive=True)]
        for member in family:
            with contextlib.suppress(psutil.Error, OSError):
                total += member.memory_info().rss
        if total <= limit:
            return total
        for member in family:  # slowly
            with contextlib.suppress(psutil.Error, OSError):
                full = member.memory_full_info()
                exactly += getattr(full, "pss", full.rss)
    return exactly


def _end(process: subprocess.Popen, scratch: Path) -> None:
    """End a process and all that stems from it."""
    if sys.platform == "win32":  # elsewhere it ends its descendants itself, when it is told to
        with contextlib.suppress(psutil.Error):
            for child in psutil.Process(process.pid).children(recursive=True):
                child.kill()
    process.terminate()
    with contextlib.suppress(subprocess.TimeoutExpired):
        process.wait(8)
    process.kill()
    process.wait()
    deadline = time.monotonic() + 5
    while survivors := list(
        _marked_processes(str(scratch))
    ):  # in case the worker itself was killed
        for survivor in survivors:
            with contextlib.suppress(psutil.Error, OSError):
                survivor.kill()
        if time.monotonic() > deadline:
            return
        time.sleep(0.02)


def _marked_processes(mark: str) -> Iterator[psutil.Process]:
    """Processes that were started with a mark in their environment, where the system tells."""
    for process in psutil.process_iter():
        with contextlib.suppress(psutil.Error, OSError):
            if any(mark in value for value in process.environ().values()):
                yield process


def _notes(record: Path, token: str) -> Iterator[dict[str, Any]]:
    """What stands in a record: the worker's lines, and the verdicts that the notebook's cells saw.

    The notebook may have written into it, too, but does not know the token.
    """
    with contextlib.suppress(OSError), record.open("rb") as file:
        for line in file.read(_MAX_RECORD_BYTES).split(b"\n"):
            with contextlib.suppress(ValueError, RecursionError):
                note = json.loads(line)
                if not isinstance(note, dict):
                    continue
                if note.get("token") == token:
                    yield note
                elif note.keys() >= {"name", "state"}:
                    yield {"name": note["name"], "state": note["state"]}


@contextlib.contextmanager
def on_stop(handler: Callable[[int, Any], Any]) -> Iterator[None]:
    """Meanwhile Ctrl-C, SIGTERM and the end of the terminal (SIGHUP) do this and no more.

    Where the end of the terminal is to be ignored (nohup), it is.
    """
    if threading.current_thread() is not threading.main_thread():
        yield  # only the main thread may set signal handlers
        return
    signals = [signal.SIGINT, signal.SIGTERM]
    if hasattr(signal, "SIGHUP") and signal.getsignal(signal.SIGHUP) != signal.SIG_IGN:
        signals.append(signal.SIGHUP)
    previous = {number: signal.getsignal(number) for number in signals}
    try:
        for number in signals:
            signal.signal(number, handler)
        yield
    finally:
        for number in signals:
            signal.signal(number, previous[number])
