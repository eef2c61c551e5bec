"""A folder of notebooks that a class handed in: found, graded side by side, and kept.

Whose a notebook is follows from where it lies: its first folder below the class's own, or, for one
that lies in the class's folder itself, its name. What was graded is kept beside the notebooks and
found again by what it depends on: the bytes of the notebook and of the files that it may read, the
limits, and the code that judges. So a second call grades only what is new or changed, and Ctrl-C
costs no more than the notebooks that were being graded.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import signal
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, as_completed
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import attnlib
from attnlib.files import write_bytes

from ..exercises.judge import BLANK
from ..report import Report, one_line
from ..sandbox import readable, stopped

KEPT = ".grades"  # a folder beside the notebooks; no notebook sees what begins with a dot
_PARTS = {"name", "state", "rule", "diagnosis"}  # of a row
_NOT_HANDED_IN = ("__MACOSX", "__pycache__")

#: Grades a notebook, alone or with what lies beside it: ``grade`` with its limits.
Judge = Callable[[Path, bool], Report]


@dataclass
class Submission:
    """A notebook that was handed in, and what became of it: a report, or why there is none."""

    path: Path
    student: str
    alone: bool = False  # it lies among other people's, which are none of its business
    report: Report | None = None
    problem: str = ""
    notes: list[str] = field(default_factory=list)
    key: str = ""
    before: bool = False  # it was graded by an earlier call


def find_submissions(folder: Path) -> tuple[list[Submission], list[str]]:
    """All notebooks below a folder, by student, and the names of files that are none.

    Raises ValueError where there is no notebook.
    """
    found, others = [], []
    for name, folders, files in os.walk(folder):
        folders[:] = sorted(f for f in folders if f[0] != "." and f not in _NOT_HANDED_IN)
        for path in (Path(name, file) for file in sorted(files) if file[0] != "."):
            way = path.relative_to(folder)
            if path.suffix == ".ipynb":
                student = way.parts[0] if len(way.parts) > 1 else path.stem
                found.append(Submission(path, one_line(student, 60), alone=len(way.parts) == 1))
            elif len(way.parts) <= 2:
                others.append(one_line(str(way), 60))
    if not found:
        raise ValueError(f"{folder} holds no notebook (a file that ends in .ipynb)")
    return sorted(found, key=lambda s: (s.student, s.path)), others


def code_digest() -> str:
    """A digest of the code that grades: all of attnbook and attnlib."""
    digest = hashlib.sha256()
    for root in (Path(__file__).parents[1], Path(attnlib.__path__[0])):
        for path in sorted(root.rglob("*.py")):
            digest.update(path.relative_to(root).as_posix().encode() + path.read_bytes())
    return digest.hexdigest()


def key_of(submission: Submission, settings: Any) -> str:
    """What a report depends on, as the name of a file. Raises OSError where it cannot be read."""
    digest = hashlib.sha256(repr((settings, submission.alone)).encode())
    digest.update(submission.path.read_bytes())
    if not submission.alone:
        for path, way in readable(submission.path.parent):
            digest.update(way.as_posix().encode() + hashlib.sha256(path.read_bytes()).digest())
    return digest.hexdigest()[:32]


class Kept:
    """Reports that were made before, each in a file named by what it depends on."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        write_bytes(folder / "README", b"What `python -m attnlib grade` found; may be deleted.\n")

    def read(self, key: str, path: Path) -> Report | None:
        """The report of this key, if there is one that can be read."""
        with contextlib.suppress(OSError, ValueError, TypeError, KeyError):
            told = json.loads((self.folder / f"{key}.json").read_text(encoding="utf-8"))
            report = Report(**{**told, "notebook": str(path)})
            if all(row.keys() >= _PARTS for row in report.exercises):
                return report
        return None

    def write(self, key: str, report: Report) -> None:
        told = json.dumps({**asdict(report), "notebook": ""}, indent=1)
        write_bytes(self.folder / f"{key}.json", told.encode())


def grade_all(
    found: Sequence[Submission],
    judge: Judge,
    kept: Kept,
    settings: Any,
    jobs: int = 1,
    again: bool = False,
) -> Iterator[Submission]:
    """Grade submissions, several at once; each comes when it is done, those kept before first.

    Two with the same bytes are graded once. Raises KeyboardInterrupt, when told to stop, after the
    processes of the notebooks that were being graded have ended.
    """
    waiting: dict[str, list[Submission]] = {}
    for one in found:
        try:
            one.key = key_of(one, settings)
        except OSError as problem:
            one.problem = f"it cannot be read: {problem.strerror}"
            yield one
            continue
        one.report = None if again else kept.read(one.key, one.path)
        if one.report:
            one.before = True
            yield one
        else:
            waiting.setdefault(one.key, []).append(one)
    with _ctrl_c_stops(), ThreadPoolExecutor(jobs) as pool:  # each waits for processes of its own
        tasks = {pool.submit(_graded, judge, kept, same[0]): same for same in waiting.values()}
        try:
            for task in as_completed(tasks):
                yield from _told(task, tasks[task])
        except BaseException:
            stopped.set()
            pool.shutdown(cancel_futures=True)
            raise
        finally:
            stopped.clear()


@contextlib.contextmanager
def _ctrl_c_stops() -> Iterator[None]:
    """Meanwhile Ctrl-C sets ``stopped``; the threads that see it raise KeyboardInterrupt.

    Raised wherever this thread happens to be, it could leave a lock of the pool taken, and all
    would wait for it for ever.
    """
    if threading.current_thread() is not threading.main_thread():
        yield  # signals are not ours
        return
    before = signal.signal(signal.SIGINT, lambda *_: stopped.set())
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def _graded(judge: Judge, kept: Kept, one: Submission) -> Report:
    report = judge(one.path, one.alone)
    kept.write(one.key, report)
    return report


def _told(task: Future[Report], same: Sequence[Submission]) -> Iterator[Submission]:
    for one in same:
        try:
            one.report = Report(**{**asdict(task.result()), "notebook": str(one.path)})
        except Exception as problem:  # of one notebook, whatever it is: the others go on
            one.problem = one_line(str(problem) or type(problem).__name__)
            one.problem = one.problem.removeprefix(f"{one.path} ")
        yield one


def note_doubles(found: Sequence[Submission]) -> None:
    """Note where two students handed in the same bytes, or one student a chapter twice.

    Notebooks in which nothing was written are alike, and that says nothing.
    """
    by_bytes: dict[bytes, list[Submission]] = {}
    by_chapter: dict[tuple[str, str], list[Submission]] = {}
    for one in found:
        if one.report:
            if any(row["state"] != BLANK for row in one.report.exercises):
                digest = hashlib.sha256(one.path.read_bytes()).digest()
                by_bytes.setdefault(digest, []).append(one)
            names = " ".join(row["name"] for row in one.report.exercises)
            by_chapter.setdefault((one.student, names), []).append(one)
    for same in by_bytes.values():
        for one in same:
            if others := sorted({other.student for other in same} - {one.student}):
                more = f" and {len(others) - 1} more" if others[1:] else ""
                one.notes.append(f"the same file as that of {others[0]}{more}")
    for twice in by_chapter.values():
        for one in twice if len(twice) > 1 else ():
            names = ", ".join(one_line(o.path.name, 60) for o in twice if o is not one)
            one.notes.append(f"{one.student} handed this chapter in again: {names}")
