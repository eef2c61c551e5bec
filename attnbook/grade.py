"""Grading: a submitted notebook is run in a process of its own, with limits, and reported.

A cell that hangs or kills its process costs that cell and no more: the notebook is run again
without it. This guards against accidents, not against malice: what a stranger sends belongs into a
container.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
import time
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from .exercises.engine import RECORD, STRICT, all_exercises
from .exercises.judge import BLANK, RIGHT, WRONG
from .exercises.show import MARK

EXERCISE = re.compile(r"^\s*@exercise\b.*?^\s*def\s+(\w+)", re.MULTILINE | re.DOTALL)


@dataclass(frozen=True)
class Limits:
    """How much a notebook may take."""

    minutes: float | int = 15  # for all
    cell_seconds: float | int = 600
    gigabytes: float | int = 8


@dataclass
class Report:
    """What became of a notebook: a row for each exercise of its chapters."""

    notebook: str
    exercises: list[dict[str, str]] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)  # cells that raised, hung or crashed

    @property
    def right(self) -> int:
        return sum(row["state"] == RIGHT for row in self.exercises)

    def as_json(self) -> str:
        """One line of JSON."""
        more = {"right": self.right, "of": len(self.exercises)}
        return json.dumps({**asdict(self), **more}, ensure_ascii=False)

    def __str__(self) -> str:
        lines = [self.notebook]
        for row in self.exercises:
            why = f": {row['diagnosis']}" if row["state"] == WRONG else ""
            lines.append(f"  {MARK[row['state']]} {row['name']}, {row['state']}{why}")
        lines += [f"  note: {problem}" for problem in self.problems]
        return "\n".join([*lines, f"  {self.right} of {len(self.exercises)} exercises are right"])


def grade(path: Path, limits: Limits | None = None) -> Report:
    """Run a notebook and say which of its exercises are right.

    Raises ValueError where the file is no notebook or has no exercise of this book.
    """
    limits = limits or Limits()
    cells = _code_cells(path)
    chapters = [
        names
        for names in all_exercises().values()
        if any(_exercise_in(source) in names for source in cells)
    ]
    if not chapters:
        raise ValueError(f"{path} holds no exercise of this book (a cell with @exercise)")
    report = Report(str(path))
    verdicts: dict[str, dict[str, str]] = {}
    blocked: dict[int, str] = {}  # cells that hung or crashed, and how
    end = time.monotonic() + 60 * limits.minutes
    while time.monotonic() < end:
        runnable = ["" if i in blocked else source for i, source in enumerate(cells)]
        notes, how = _run(runnable, path.resolve().parent, limits, end)
        verdicts |= {note["name"]: note for note in notes if "name" in note}
        if not how:
            break
        stopped = _where_it_stopped(notes)
        if stopped in blocked:
            raise RuntimeError(f"{path} cannot be run here: a process {how} in an empty cell")
        blocked[stopped] = how
    else:
        report.problems.append(f"not all cells were run within {limits.minutes:g} minutes")
    for number, how in sorted(blocked.items()):
        report.problems.append(f"code cell {number + 1} {how}")
        if name := _exercise_in(cells[number]):
            verdicts[name] = {"state": WRONG, "rule": "it runs", "diagnosis": f"Its cell {how}."}
    report.problems += [
        f"code cell {note['ended'] + 1} raised {note['error']}"
        for note in notes
        if note.get("error")
    ]
    for name in [name for chapter in chapters for name in chapter]:
        found = verdicts.get(name, {"state": BLANK, "rule": "", "diagnosis": ""})
        row = {key: found[key] for key in ("state", "rule", "diagnosis")}
        report.exercises.append({"name": name, **row})
    return report


def _code_cells(path: Path) -> list[str]:
    try:
        notebook = json.loads(path.read_text(encoding="utf-8"))
        cells = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
        return ["".join(cell["source"]) for cell in cells]
    except FileNotFoundError:
        raise ValueError(f"{path} does not exist") from None
    except (KeyError, TypeError, ValueError) as problem:
        raise ValueError(f"{path} is not a notebook: {problem}") from None


def _exercise_in(source: str) -> str | None:
    found = EXERCISE.search(source)
    return found[1] if found else None


def _run(
    cells: list[str], folder: Path, limits: Limits, end: float
) -> tuple[list[dict[str, Any]], str]:
    """Run cells in a new process: its notes, and how it ended before its time, if it did."""
    with tempfile.TemporaryDirectory() as scratch:
        record, job = Path(scratch, "record"), Path(scratch, "job")
        record.touch()
        memory = int(limits.gigabytes * 2**30)
        told = {"cells": cells, "record": str(record), "memory": memory}
        job.write_text(json.dumps(told), encoding="utf-8")
        process = subprocess.Popen(
            [sys.executable, "-m", "attnbook.exercises.worker", str(job)],
            cwd=folder,
            env={**os.environ, RECORD: str(record), STRICT: "0", "MPLBACKEND": "agg"},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        how = _wait(process, record, limits, end)
        notes = _notes(record)
        ended = sum("ended" in note for note in notes)
        if not how and ended < len(cells):
            how = f"ended its process (status {process.returncode})"
        return notes, how


def _wait(process: subprocess.Popen, record: Path, limits: Limits, end: float) -> str:
    """Wait until a process ends or goes beyond a limit; which."""
    how, length, since = "", -1, time.monotonic()
    try:
        while process.poll() is None and not how:
            time.sleep(0.05)
            now = time.monotonic()
            if record.stat().st_size != length:
                length, since = record.stat().st_size, now
            if now - since > limits.cell_seconds:
                how = f"ran longer than {limits.cell_seconds:g} seconds"
            elif now > end:
                how = "was running when the time for the notebook was over"
    finally:  # after Ctrl-C too
        process.kill()
        process.wait()
    return how


def _notes(record: Path) -> list[dict[str, Any]]:
    notes = []
    for line in record.read_text(encoding="utf-8").splitlines():
        try:
            notes.append(json.loads(line))
        except ValueError:
            continue  # cut short when the process ended
    return notes


def _where_it_stopped(notes: list[dict[str, Any]]) -> int:
    """The cell that was begun and did not end; the first where none was begun."""
    ended = sum("ended" in note for note in notes)
    return max((note["begun"] for note in notes if "begun" in note), default=ended)


def command(args: argparse.Namespace) -> int:
    """``python -m attnlib grade``: a report on each notebook; 1 where one could not be graded."""
    limits = Limits(args.minutes, args.cell_seconds, args.gigabytes)
    failed = False
    for path in args.notebooks:
        try:
            report = grade(path, limits)
        except (ValueError, RuntimeError) as problem:  # the others are graded nevertheless
            print(f"attnlib: {problem}", file=sys.stderr)
            failed = True
        else:
            print(report.as_json() if args.json else report, flush=True)
    return int(failed)
