"""The processes of the grader: none outlives it, however it ends, and all share one limit."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from answering import SETUP, SHARES, notebook

from attnbook.grading.grade import Limits, grade
from attnbook.grading.sandbox import how_ended, on_stop

RIGHT = SHARES["right"]
needs_linux = pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells of orphans")

CHILDREN = """
import os, subprocess, sys, time
def sleep():
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            with open({pids!r}, "a") as file:
                file.write(f"{{os.getpid()}}\\n")
            time.sleep(900)
        os._exit(0)
sleep()
write = f"import os, time; open({pids!r}, 'a').write(str(os.getpid()) + chr(10)); time.sleep(900)"
subprocess.Popen([sys.executable, "-c", write], env={{}}, start_new_session=True)
while len(open({pids!r}).readlines()) < 2:
    time.sleep(0.1)
{more}
"""


@pytest.mark.thorough
@needs_linux
@pytest.mark.parametrize("more", ["", "os.kill(os.getppid(), 9); time.sleep(900)"])
def test_no_process_outlives_the_grading(more: str, tmp_path: Path) -> None:
    """Neither orphans in sessions of their own nor, with its keeper killed, the notebook's own."""
    pids = tmp_path / "pids"
    pids.touch()
    children = CHILDREN if not more else CHILDREN.replace("env={{}}, ", "")
    cell = children.format(pids=str(pids), more=more)
    report = grade(notebook(tmp_path / "a.ipynb", SETUP, RIGHT, cell))
    assert report.exercises[0]["state"] == "right"
    assert report.problems == ([] if not more else [f"code cell 3 {how_ended(-9)}"])
    processes = [int(pid) for pid in pids.read_text(encoding="utf-8").split()]
    assert len(processes) >= 2
    deadline = time.monotonic() + 20  # one that was killed has lost its memory, and may still stand
    while (left := [pid for pid in processes if alive(pid)]) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not left  # they would have slept for 15 minutes


def alive(pid: int) -> bool:
    try:
        return "zombie" not in Path(f"/proc/{pid}/status").read_text(encoding="utf-8")
    except OSError:
        return False


ENDLESS = """
import os, pathlib, threading
pathlib.Path({pid_file!r}).write_text(str(os.getpid()))
while True:
    pass
"""


@pytest.mark.thorough
@needs_linux
def test_the_end_of_the_grader_is_the_end_of_what_it_started(tmp_path: Path) -> None:
    """However it is ended: told to, with its terminal, or killed. Each has a grader of its own."""
    started, pids = {}, {}
    for name in ("SIGTERM", "SIGHUP", "SIGKILL"):
        folder = tmp_path / name
        (folder / "scratch").mkdir(parents=True)
        cell = ENDLESS.format(pid_file=str(folder / "pid"))
        path = notebook(folder / "a.ipynb", RIGHT, cell)
        started[name] = subprocess.Popen(
            [sys.executable, "-m", "attnlib", "grade", str(path)],
            env={**os.environ, "TMPDIR": str(folder / "scratch")},
            stderr=subprocess.PIPE,
            encoding="utf-8",
        )
    for name, process in started.items():
        wait_for(lambda path=tmp_path / name / "pid": path.exists() and path.read_text())
        pids[name] = int((tmp_path / name / "pid").read_text())
        assert alive(pids[name])
        process.send_signal(getattr(signal, name))
    for name, process in started.items():
        _, err = process.communicate(timeout=180)
        killed = name == "SIGKILL"
        expected = (-signal.SIGKILL, "") if killed else (130, "attnlib: stopped\n")
        assert (process.returncode, err) == expected
        wait_for(lambda pid=pids[name]: not alive(pid))
        wait_for(lambda path=tmp_path / name / "scratch": not list(path.iterdir()))


def wait_for(condition: Callable[[], object]) -> None:
    deadline = time.monotonic() + 120
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.1)


def test_where_the_end_of_the_terminal_is_to_be_ignored_it_is() -> None:
    """As nohup has it."""
    if not hasattr(signal, "SIGHUP"):
        pytest.skip("Windows has no SIGHUP")
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        with on_stop(signal.default_int_handler):
            signal.raise_signal(signal.SIGHUP)
            with pytest.raises(KeyboardInterrupt):
                signal.raise_signal(signal.SIGTERM)
    finally:
        signal.signal(signal.SIGHUP, before)


TAKES = """
import mmap
shared = mmap.mmap(-1, 3 << 30)
for start in range(0, 3 << 30, 1 << 20):
    shared[start : start + (1 << 20)] = bytes(1 << 20)
"""
FORKS = """
import os, time
for _ in range(9):
    if os.fork() == 0:
        mine = bytearray(b"x" * (200 << 20))
        time.sleep(900)
time.sleep(900)
"""


@pytest.mark.thorough
@needs_linux
def test_memory_that_is_shared_or_that_of_several_processes_is_limited(tmp_path: Path) -> None:
    path = notebook(tmp_path / "a.ipynb", SETUP, RIGHT, TAKES, FORKS)
    report = grade(path, Limits(gigabytes=1, minutes=10))
    assert report.problems == [f"code cell {n} took more than 1 GiB of memory" for n in (3, 4)]
    assert report.exercises[0]["state"] == "right"
