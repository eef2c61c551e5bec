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
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, as_completed
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import attnlib
from attnlib.files import StorageError, write_bytes

from ...exercises.engine import names_by_chapter
from ...exercises.judge import BLANK
from ..handed_in import read_file
from ..report import Report, escape_name, list_names, one_line
from ..sandbox import on_stop, readable, stopped

CACHE_FOLDER = ".grades"  # a folder beside the notebooks; no notebook sees what begins with a dot
_NOT_HANDED_IN = ("__MACOSX", "__pycache__")

#: Grades a notebook, alone or with what lies beside it: ``grade`` with its limits.
Judge = Callable[[Path, bool], Report]


@dataclass
class Submission:
    """A notebook that was handed in, and what became of it: a report, or why there is none."""

    path: Path
    student: str
    isolated: bool = False  # it lies among other students' work, which it must not see
    report: Report | None = None
    problem: str = ""
    notes: list[str] = field(default_factory=list)
    key: str = ""
    digest: bytes = b""  # of the notebook alone
    was_cached: bool = False  # it was graded by an earlier call


def find_submissions(folder: Path) -> tuple[list[Submission], list[str]]:
    """All notebooks below a folder, by student, and the names of what is none or cannot be read.

    A folder, a pipe or whatever else has a notebook's name is found, too: whoever handed it in
    gets a line. Raises ValueError where there is no notebook.
    """
    submissions: list[Submission] = []
    others: list[str] = []

    def note_unreadable(error: OSError) -> None:
        relative = Path(os.fsdecode(error.filename)).relative_to(folder)
        others.append(f"{escape_name(relative)} ({error.strerror})")

    for name, folders, files in os.walk(folder, onerror=note_unreadable):
        folders[:] = sorted(f for f in folders if f[0] != "." and f not in _NOT_HANDED_IN)
        if not folders and not files:
            others.append(f"{escape_name(Path(name).relative_to(folder))} (an empty folder)")
        links = [f for f in folders if Path(name, f).is_symlink()]  # os.walk does not follow them
        others += [
            f"{escape_name(Path(name, f).relative_to(folder))} (a link to a folder)" for f in links
        ]
        named = [f for f in folders if _is_named(f)] + sorted(f for f in files if f[0] != ".")
        for path in (Path(name, file) for file in named):
            relative = path.relative_to(folder)
            if _is_named(path.name):
                student = relative.parts[0] if len(relative.parts) > 1 else path.stem
                submissions.append(
                    Submission(path, escape_name(student), isolated=len(relative.parts) == 1)
                )
            elif len(relative.parts) <= 2:
                others.append(one_line(escape_name(relative), 60))
    if not submissions:
        raise ValueError(f"{escape_name(folder)} holds no notebook (a file that ends in .ipynb)")
    return sorted(submissions, key=lambda s: (s.student, s.path)), others


def _is_named(file: str) -> bool:
    return file.lower().endswith(".ipynb")


def code_digest() -> str:
    """A digest of the code that grades: all of attnbook and attnlib."""
    digest = hashlib.sha256()
    for root in (Path(__file__).parents[2], Path(attnlib.__path__[0])):
        for path in sorted(root.rglob("*.py")):
            digest.update(path.relative_to(root).as_posix().encode() + path.read_bytes())
    return digest.hexdigest()


def fill_key(submission: Submission, settings: Any) -> None:
    """Fill in what its report depends on, as the name of a file, and the digest of its bytes.

    Raises NoNotebook where it cannot be read.
    """
    submission.digest = hashlib.sha256(read_file(submission.path)).digest()
    digest = hashlib.sha256(repr((settings, submission.isolated)).encode() + submission.digest)
    if not submission.isolated:
        for path, relative in readable(submission.path.parent):
            with contextlib.suppress(OSError):  # the notebook cannot read it either
                digest.update(os.fsencode(relative) + hashlib.sha256(path.read_bytes()).digest())
    submission.key = digest.hexdigest()[:32]


class ReportCache:
    """Reports that were made before, each in a file named by what it depends on."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.problem = ""  # why the last one could not be kept
        write_bytes(folder / "README", b"What `python -m attnlib grade` found; may be deleted.\n")

    def read(self, key: str, path: Path) -> Report | None:
        """The report of this key, if there is one that can be read."""
        with contextlib.suppress(ValueError, TypeError, RecursionError):
            content = json.loads(read_file(self.folder / f"{key}.json"))
            return Report(**{**content, "notebook": escape_name(path)})
        return None

    def write(self, key: str, report: Report) -> None:
        """Save a report where there is space; without space it is returned all the same."""
        content = json.dumps({**asdict(report), "notebook": ""}, indent=1)
        try:
            write_bytes(self.folder / f"{key}.json", content.encode())
        except StorageError as error:
            self.problem = str(error)


def grade_all(
    submissions: Sequence[Submission],
    judge: Judge,
    cache: ReportCache,
    settings: Any,
    jobs: int = 1,
) -> Iterator[Submission]:
    """Grade submissions, several at once; each comes when it is done, those kept before first.

    Two with the same bytes are graded once. Raises KeyboardInterrupt, when stopped, after the
    processes of the notebooks that were being graded have ended.
    """
    waiting: dict[str, list[Submission]] = {}
    for submission in submissions:
        try:
            fill_key(submission, settings)
        except ValueError as error:
            submission.problem = _error_message(error, submission.path)
            yield submission
            continue
        submission.report = cache.read(submission.key, submission.path)
        if submission.report:
            submission.was_cached = True
            yield submission
        else:
            waiting.setdefault(submission.key, []).append(submission)
    # Raised wherever this thread happens to be, KeyboardInterrupt could leave a lock of the pool
    # taken, and all threads would wait forever. So they raise it themselves when the event is set.
    with (
        on_stop(lambda *_: stopped.set()),
        ThreadPoolExecutor(jobs) as pool,
    ):  # a thread, because the work is done in processes
        tasks = {
            pool.submit(_grade_and_cache, judge, cache, same[0]): same for same in waiting.values()
        }
        try:
            for task in as_completed(tasks):
                yield from _collect_reports(task, tasks[task])
        except BaseException:
            stopped.set()
            pool.shutdown(cancel_futures=True)
            raise
        finally:
            stopped.clear()


def _grade_and_cache(judge: Judge, cache: ReportCache, submission: Submission) -> Report:
    report = judge(submission.path, submission.isolated)
    cache.write(submission.key, report)
    return report


def _collect_reports(task: Future[Report], same: Sequence[Submission]) -> Iterator[Submission]:
    for submission in same:
        try:
            submission.report = Report(
                **{**asdict(task.result()), "notebook": escape_name(submission.path)}
            )
        except Exception as error:  # of one notebook, whatever it is: the others go on
            submission.problem = _error_message(error, same[0].path)
        yield submission


def _error_message(error: Exception, path: Path) -> str:
    """What a problem says, without the name of the notebook: another may have the same bytes."""
    text = str(error) or type(error).__name__
    for name in (escape_name(path), str(path)):
        text = text.removeprefix(f"{name} ").replace(name, "the notebook")
    return one_line(text)


def chapters_of(report: Report) -> list[str]:
    """The files of the book whose exercises a notebook holds: ["05b"]."""
    names = {row["name"] for row in report.exercises}
    return [number for number, known in names_by_chapter().items() if names & set(known)]


def note_duplicates(submissions: Sequence[Submission]) -> None:
    """Note where two students handed in the same bytes, or one student a file of the book twice.

    Notebooks in which nothing was written are alike, and that says nothing.
    """
    by_bytes: dict[bytes, list[Submission]] = defaultdict(list)
    by_chapter: dict[tuple[str, str], list[Submission]] = defaultdict(list)
    for submission in submissions:
        if submission.report:
            if any(row["state"] != BLANK for row in submission.report.exercises):
                by_bytes[submission.digest].append(submission)
            for number in chapters_of(submission.report):
                by_chapter[submission.student, number].append(submission)
    for same in by_bytes.values():
        students = sorted({submission.student for submission in same})
        for submission in same if students[1:] else ():
            other = students[students[0] == submission.student]
            more = f" and {len(students) - 2} more" if students[2:] else ""
            submission.notes.append(f"the same file as that of {one_line(other, 60)}{more}")
    for (_, number), twice in by_chapter.items():
        for submission in twice if twice[1:] else ():
            others = (o.path.name for o in twice if o is not submission)
            names = list_names(others, len(twice) - 1)
            student = one_line(submission.student, 60)
            submission.notes.append(f"{student} handed {number} in again: {names}")
