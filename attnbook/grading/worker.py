"""The process that ``grade`` starts for a notebook: ``python worker.py JOB``.

JOB is a JSON file {"cells": [source, …], "skip": [number, …], "answers": [name, …] or null,
"record": path, "token": text, "bytes": limit, "seconds": limit, "grader": process id}; it is
removed when it is read. Without answers, the cells are run as in Jupyter; with answers, these are
judged, each in a process of its own, and no cell is run. Before and after each cell or answer a
line is added to the record, so that whoever started this process knows where it died. The lines
bear the token, which no cell knows, and a verdict without it is none.

The process forks: a child does the work, in a session of its own, and the parent ends whatever
processes the child leaves behind: when that has ended, when it is told to, and when the grader
is there no more, killed or not.
"""

from __future__ import annotations

import contextlib
import ctypes
import json
import os
import shutil
import signal
import sys
import time
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import psutil

PR_SET_CHILD_SUBREAPER = 36  # linux/prctl.h
MAX_ERROR_TEXT = 300  # characters of an exception that are kept


def main() -> None:
    del sys.path[0]  # the folder of this file
    # Last, so that no file here shadows a library.
    sys.path += [str(Path(__file__).parents[2]), os.getcwd()]
    file = Path(sys.argv.pop())
    job = json.loads(file.read_text(encoding="utf-8"))
    file.unlink()
    if hasattr(os, "fork"):
        _supervise(lambda: _work(job), job["grader"], file.parent)
    else:  # Windows
        _work(job)


def error_line(error: BaseException) -> str:
    """An exception as one short line; its text is not trusted."""
    try:
        text = " ".join(str(error)[: 10 * MAX_ERROR_TEXT].split())
    except Exception:
        text = ""
    kind = type(error).__name__
    return f"{kind}: {text[:MAX_ERROR_TEXT]}" if text else kind


def _work(job: dict[str, Any]) -> None:
    _limit(job["bytes"], job["seconds"])

    def note(**what: Any) -> None:
        with open(job["record"], "a", encoding="utf-8") as record:
            record.write(json.dumps({**what, "token": job["token"]}) + "\n")

    if job["answers"] is None:
        _run(job["cells"], job["skip"], note)
    else:
        _judge(job["cells"], job["answers"], job["token"], note)
    os._exit(0)  # without waiting for threads that do not end


def _run(cells: Sequence[str], skip: Sequence[int], note: Callable[..., None]) -> None:
    """Run the cells in one shell, as a kernel does."""
    from IPython.core.interactiveshell import InteractiveShell

    class Shell(InteractiveShell):
        def enable_gui(self, gui: str | None = None) -> None:
            """No window is opened here; ``%matplotlib`` asks for it."""

    shell = Shell.instance()
    with open(os.devnull, "w", encoding="utf-8") as nowhere:
        for number, source in enumerate(cells):
            note(begun=number)
            with contextlib.redirect_stdout(nowhere), contextlib.redirect_stderr(nowhere):
                result = shell.run_cell("" if number in skip else source)
            error = result.error_before_exec or result.error_in_exec
            note(ended=number, error=error_line(error) if error else "")


def _judge(
    cells: Sequence[str], names: Sequence[str], token: str, note: Callable[..., None]
) -> None:
    """Judge answers, each in a process of its own where the system can fork."""
    from attnbook.grading.answers import find_answers

    os.environ.pop("ATTNLIB_RECORD", None)
    answers = find_answers(cells)
    for number, name in enumerate(names):
        note(begun=number)
        judged = partial(_verdict, answers[name])
        verdict = _judge_in_fork(judged, token) if hasattr(os, "fork") else judged()
        note(ended=number, verdict=verdict)


def _verdict(answer: Any) -> dict[str, str]:
    from attnbook.exercises.engine import find
    from attnbook.exercises.judge import RUNS, WRONG, judge

    try:
        function = answer.define()
    except BaseException as error:  # SystemExit too
        message = f"Its cell raises {error_line(error)}"
        return {"name": answer.name, "state": WRONG, "rule": RUNS, "diagnosis": message}
    verdict = judge(find(answer.name), function)
    return {
        key: str(getattr(verdict, key))[:4000] for key in ("name", "state", "rule", "diagnosis")
    }


def _judge_in_fork(verdict: Callable[[], dict[str, str]], token: str) -> dict[str, Any]:
    """A verdict reached in a process of its own; {"status": …} where that ended without one.

    Only what begins with the token is a verdict: an answer could write into the pipe.
    """
    reading, writing = os.pipe()
    if (child := os.fork()) == 0:
        os.close(reading)
        os.write(writing, f"{token}{json.dumps(verdict())}".encode())  # less than a pipe holds
        os._exit(0)
    os.close(writing)
    _, status = os.waitpid(child, 0)
    os.set_blocking(reading, False)  # a grandchild may hold the other end
    with os.fdopen(reading, "rb") as pipe:
        payload = pipe.read() or b""
    if payload.startswith(token.encode()):
        with contextlib.suppress(ValueError):
            result: dict[str, Any] = json.loads(payload[len(token) :])
            return result
    return {"status": _exit_code(status)}


def _limit(limit: int, seconds: float) -> None:
    """Memory, the size of a file, and, should nobody else end this process, its time."""
    with contextlib.suppress(ImportError, ValueError, OSError):  # Windows; some macOS
        import resource

        work = int(seconds * (os.cpu_count() or 1)) + 60
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        resource.setrlimit(resource.RLIMIT_CPU, (work, work))
        resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))
        resource.setrlimit(resource.RLIMIT_DATA, (limit, limit))


def _supervise(work: Callable[[], None], grader: int, scratch: Path) -> None:
    """Work in a child, and end with its status once nothing of it is left.

    Where the grader is gone, so are its limits: all ends, and the scratch folder with it.
    """
    with contextlib.suppress(OSError, AttributeError):  # Linux: orphans become this one's children
        ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    if (child := os.fork()) == 0:
        try:
            os.setsid()
            work()
        finally:
            os._exit(1)

    def stop(*_: Any) -> None:
        _end_descendants(child)
        if os.getppid() != grader:
            shutil.rmtree(scratch, ignore_errors=True)
        os._exit(128 + signal.SIGTERM)

    def look(*_: Any) -> None:
        if os.getppid() != grader:
            stop()

    signal.signal(signal.SIGTERM, stop)
    signal.signal(signal.SIGALRM, look)
    signal.setitimer(signal.ITIMER_REAL, 1, 1)  # seconds
    _, status = os.waitpid(child, 0)
    _end_descendants(child)
    os._exit(_exit_code(status))


def _exit_code(status: int) -> int:
    code = os.waitstatus_to_exitcode(status)
    return code if code >= 0 else 128 - code  # as shells have it


def _end_descendants(child: int) -> None:
    """End a process, what is in its session, and all that stems from this process."""
    deadline = time.monotonic() + 5
    while time.monotonic() < deadline:
        with contextlib.suppress(OSError):
            os.killpg(child, signal.SIGKILL)  # without a subreaper, this is all that can be done
        descendants = psutil.Process().children(recursive=True)
        # Suspended first, so that none can fork meanwhile.
        for halt in (psutil.Process.suspend, psutil.Process.kill):
            for process in descendants:
                with contextlib.suppress(psutil.Error, OSError):
                    halt(process)
        with contextlib.suppress(ChildProcessError):
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass
        if not descendants:
            return


if __name__ == "__main__":
    main()
