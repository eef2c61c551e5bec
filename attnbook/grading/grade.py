"""Grading: what a submitted notebook does, and which of its exercises are right.

Two processes, each in a copy of the notebook's folder and within limits. In the first the answers
are judged from their source, with the imports and definitions that they use and no other cell:
the verdicts are these. In the second the notebook is run; what raises, hangs or crashes there is
told, and so is a verdict that comes out otherwise. A cell that hangs or kills its process costs
that cell and no more: the notebook is run again without it.

This guards against accidents, not against malice: an answer runs in the process that judges it and
as the same user as the grader, and can change what judges it. An untrusted notebook belongs into
a container. A note that says "read it" is about what an answer shows of such things; where there
is no note, that promises nothing, and a mark that counts is given by somebody who reads the code.
"""

from __future__ import annotations

import argparse
import os
import signal
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from attnlib.checks import as_int
from attnlib.translator.cli import Parser, positive_float

from ..exercises.engine import names_by_chapter
from ..exercises.judge import BLANK, RIGHT, RUNS, WRONG
from .answers import Answer, Reading
from .classroom import code_digest, grade_folder
from .handed_in import NoNotebook, read_notebook
from .report import MAX_TEXT, NOT_JUDGED, Report, ResultRow, escape_name, limit_notes, one_line
from .sandbox import Job, Outcome, how_ended, on_stop, run_job


@dataclass(frozen=True)
class Limits:
    """How much a notebook may take. One cell gets at most half of the time that is left."""

    minutes: float | int = 15  # for all
    cell_seconds: float | int = 600
    gigabytes: float | int = 8


def grade(
    path: Path, limits: Limits | None = None, isolated: bool = False, run_all: bool = True
) -> Report:
    """Run a notebook and say which of its exercises are right.

    Args:
        path: the notebook.
        limits: how much it may take.
        isolated: it sees no file that lies beside it (those are other people's).
        run_all: run its other cells, too, and tell what they did; else judge the answers alone.

    Raises ValueError where the file is no notebook or has no exercise of this book.
    """
    grader = _Grader(path, limits or Limits(), isolated)
    verdicts = grader.judge()
    elsewhere = grader.run() if run_all else {}
    for name, row in verdicts.items():
        was = elsewhere.get(name, row["state"])
        if was != row["state"] and row["state"] != NOT_JUDGED:
            grader.doubts.append(
                f"{name} is {was} in the notebook and {row['state']} from its source alone: read it"
            )
    return grader.report(verdicts)


class _Grader:
    """A notebook that is graded, and what there is to say about it."""

    def __init__(self, path: Path, limits: Limits, isolated: bool) -> None:
        self.path, self.limits = path, limits
        self.cells, texts = read_notebook(path)
        reading = Reading(self.cells, texts)
        self.answers: Mapping[str, Answer] = reading.answers
        self.problems = reading.notes
        self.doubts: list[str] = []  # reasons for a person to read the answer: reported first
        if not self.answers:
            where = f" ({self.problems[0]})" if self.problems else " (a cell with @exercise)"
            raise NoNotebook(path, f"holds no exercise of this book{where}")
        self.folder = None if isolated else path.resolve().parent
        self._end = time.monotonic() + 60 * limits.minutes

    @property
    def _left(self) -> float:
        return max(0.0, self._end - time.monotonic())

    def _process(self, job: Job) -> Outcome:
        left = self._left
        each = min(float(self.limits.cell_seconds), left / 2)
        return run_job(job, self.folder, left, each, int(self.limits.gigabytes * 2**30))

    def judge(self) -> dict[str, ResultRow]:
        """The verdict on every answer, from its source alone."""
        verdicts: dict[str, ResultRow] = {}
        waiting = list(self.answers)
        while waiting and self._left:
            outcome = self._process(Job(self.cells, answers=waiting))
            for note in outcome.notes:
                number, verdict = note.get("ended"), note.get("verdict")
                if isinstance(number, int) and 0 <= number < len(waiting):
                    verdicts[waiting[number]] = _row(waiting[number], verdict)
            if outcome.stopped is not None and not outcome.timed_out:
                name = waiting[outcome.stopped % len(waiting)]
                verdicts[name] = _wrong(name, f"Its cell {outcome.end_reason}.")
            previous, waiting = waiting, [name for name in waiting if name not in verdicts]
            if outcome.end_reason and not outcome.timed_out and waiting == previous:
                reason = f"cannot be graded here: a process {outcome.end_reason}"
                raise RuntimeError(f"{escape_name(self.path)} {reason}")
        return {
            name: verdicts.get(name, ResultRow(name=name, state=NOT_JUDGED, rule="", diagnosis=""))
            for name in self.answers
        }

    def run(self) -> dict[str, str]:
        """Run the notebook; the states that its own cells came to."""
        blocked: dict[int, str] = {}  # cells that hung or crashed, and how
        outcome = Outcome([], "")
        while self._left and len(blocked) < len(self.cells):
            outcome = self._process(Job(self.cells, skip=sorted(blocked)))
            if not outcome.end_reason:
                break
            stopped = outcome.stopped
            if stopped is None or stopped in blocked or not 0 <= stopped < len(self.cells):
                self.doubts.append("the notebook wrote into the record of its run: read it")
                break
            blocked[stopped] = outcome.end_reason
            if outcome.timed_out or not any(map(str.strip, self.cells[stopped + 1 :])):
                break  # no cell is left to run
        if outcome.timed_out or not (self._left or outcome.notes):
            self.problems.append(f"not all cells were run within {self.limits.minutes:g} minutes")
        ends = (note for note in outcome.notes if isinstance(note.get("ended"), int))
        raised = {note["ended"]: str(note["error"]) for note in ends if note.get("error")}
        failures = {number: f"raised {error}" for number, error in raised.items()} | blocked
        for number, reason in sorted(failures.items()):
            self.problems.append(f"code cell {number + 1} {one_line(reason)}")
        return {note["name"]: note["state"] for note in outcome.notes if _is_verdict(note)}

    def report(self, verdicts: Mapping[str, ResultRow]) -> Report:
        """A row for each exercise of each chapter that was begun."""
        doubtful = {"no answer needs": Answer.suspicious, "may be the answer itself": Answer.ready}
        for why, used in doubtful.items():
            for name, answer in self.answers.items():
                if names := ", ".join(used(answer)):
                    self.doubts.append(f"{name} uses {one_line(names, 200)}, which {why}: read it")
        rows = [
            verdicts.get(name, ResultRow(name=name, state=BLANK, rule="", diagnosis=""))
            for names in names_by_chapter().values()
            for name in (names if self.answers.keys() & set(names) else ())
        ]
        missing = [row["name"] for row in rows if row["name"] not in self.answers]
        return Report(
            escape_name(self.path), rows, limit_notes([*self.doubts, *self.problems]), missing
        )


def _is_verdict(note: Mapping[str, Any]) -> bool:
    name, state = note.get("name"), note.get("state")
    return isinstance(name, str) and state in (BLANK, WRONG, RIGHT)


def _row(name: str, verdict: Any) -> ResultRow:
    """A row of the report from what the process that judged has said."""
    if not isinstance(verdict, dict) or not _is_verdict(verdict):
        status = verdict.get("status") if isinstance(verdict, dict) else None
        return _wrong(name, f"Its cell {how_ended(status if isinstance(status, int) else 0)}.")
    texts = {
        key: one_line(str(verdict.get(key, "")), 2 * MAX_TEXT) for key in ("rule", "diagnosis")
    }
    return ResultRow(name=name, state=verdict["state"], **texts)


def _wrong(name: str, diagnosis: str) -> ResultRow:
    return ResultRow(name=name, state=WRONG, rule=RUNS, diagnosis=diagnosis)


def command(argv: Sequence[str]) -> int:
    """``python -m attnlib grade``: a report on each notebook; 1 where one could not be graded."""
    args = _parse_args(argv)
    as_int("--jobs", args.jobs)
    with on_stop(signal.default_int_handler):
        return _grade_all(args, Limits(args.minutes, args.cell_seconds, args.gigabytes))


def _grade_all(args: argparse.Namespace, limits: Limits) -> int:
    if args.notebooks[0].is_dir() and args.notebooks[0].suffix != ".ipynb":
        run_all = not args.answers_only
        settings = (code_digest(), asdict(limits), run_all)

        def judge(path: Path, isolated: bool) -> Report:
            return grade(path, limits, isolated, run_all)

        return grade_folder(args.notebooks[0], judge, settings, args)
    failed = False
    for path in args.notebooks:
        try:
            report = grade(path, limits)
        except (ValueError, RuntimeError, OSError, MemoryError) as error:  # the others go on
            reason = str(error) or f"{path} cannot be graded: {type(error).__name__}"
            print(f"attnlib: {escape_name(reason)}", file=sys.stderr)
            failed = True
        else:
            print(report.as_json() if args.json else report, flush=True)
    return int(failed)


def _parse_args(argv: Sequence[str]) -> argparse.Namespace:
    parser = Parser(
        prog="python -m attnlib grade",
        description="Run notebooks and report which of their exercises are right.",
        epilog="Each notebook runs in a process and a copy of its folder, within limits. That "
        "guards against accidents, not against malice: an answer can deceive its judge, and the "
        "absence of a note promises nothing. Run what strangers send in a container.",
    )
    usual, add = Limits(), parser.add_argument
    several = "notebooks, or the folder of a class, preferably with a folder for each student"
    add("notebooks", nargs="+", type=Path, metavar="NOTEBOOK", help=several)
    add("--json", action="store_true", help="a line of JSON for each notebook")
    texts = {
        "minutes": "for a notebook",
        "cell_seconds": "for one of its cells",
        "gigabytes": "of memory, for all its processes together",
    }
    for name, text in texts.items():
        value = float(getattr(usual, name))
        add(
            f"--{name.replace('_', '-')}",
            type=positive_float,
            default=value,
            metavar="N",
            help=f"{text} ({value:g})",
        )
    _add_class_options(parser)
    args, rest = parser.parse_known_args(argv)
    if any(word.startswith("-") for word in rest):
        parser.error(f"grade knows no {' '.join(rest)}")
    args.notebooks += map(Path, rest)  # those after an option, which argparse itself gives up on
    folders = [path for path in args.notebooks if path.is_dir() and path.suffix != ".ipynb"]
    if folders and args.notebooks[1:]:
        parser.error("name one folder, or notebooks")
    for name in () if folders else ("answers_only", "csv", "page"):
        if getattr(args, name):
            parser.error(f"--{name.replace('_', '-')} is for the folder of a class")
    return args


def _add_class_options(parser: Parser) -> None:
    """The options that a folder has and a notebook has not."""
    add = parser.add_argument_group("for a folder").add_argument
    jobs = os.cpu_count() or 1
    add("--jobs", type=int, default=jobs, metavar="N", help=f"notebooks at once ({jobs})")
    add("--csv", type=Path, metavar="FILE", help="write a row for each notebook")
    add("--page", type=Path, metavar="FILE", help="write a page of HTML: which mistakes, how many")
    add("--answers-only", action="store_true", help="judge the answers and run no other cell")
