"""``python -m attnlib grade FOLDER``: a class's notebooks graded, and the results."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from tqdm import tqdm

from attnlib.files import write_bytes

from ..report import escape_name, list_names
from .page import class_page
from .results import as_csv, summary, table
from .submissions import (
    CACHE_FOLDER,
    Judge,
    ReportCache,
    Submission,
    find_submissions,
    grade_all,
    note_duplicates,
)

_NAMED = 5  # files that are no notebooks and are named


def grade_folder(folder: Path, judge: Judge, settings: Any, args: argparse.Namespace) -> int:
    """Grade all notebooks below a folder; the exit status: 1 where one could not be graded.

    Args:
        folder: what the class handed in.
        judge: grades one notebook.
        settings: what a report depends on, beside the notebook.
        args: of the command: jobs, json, csv, page.
    """
    submissions, others = find_submissions(folder)
    for path in filter(None, (args.csv, args.page)):  # checked now, not after hours of grading
        if path.suffix == ".ipynb" or (path.exists() and not path.is_file()):
            raise ValueError(
                f"{escape_name(path)} would be overwritten: name a new file for the results"
            )
        write_bytes(path, path.read_bytes() if path.exists() else b"")
    cache = ReportCache(folder / CACHE_FOLDER)
    if others:
        names = list_names(others, len(others), _NAMED)
        print(f"No notebooks, left out: {names}.", file=sys.stderr)
    num_cached = _grade(submissions, judge, cache, settings, args)
    note_duplicates(submissions)
    if cache.problem:
        print(f"Not all results were kept: {escape_name(cache.problem)}.", file=sys.stderr)
    if args.json:  # printed before files are written, in case the disk is full
        print(*map(_as_json, submissions), sep="\n", flush=True)
    else:
        print(table(submissions), summary(submissions, num_cached), sep="\n\n", flush=True)
    if args.csv:
        write_bytes(args.csv, as_csv(submissions).encode("utf-8-sig"))  # as spreadsheets expect
    if args.page:
        write_bytes(args.page, class_page(submissions).encode())
    if not args.json:
        print(
            *(f"Written: {escape_name(path)}" for path in (args.csv, args.page) if path), sep="\n"
        )
    return int(any(submission.report is None for submission in submissions))


def _grade(
    submissions: Sequence[Submission],
    judge: Judge,
    cache: ReportCache,
    settings: Any,
    args: argparse.Namespace,
) -> int:
    """Grade all; how many had been graded before."""
    done = 0
    with tqdm(total=len(submissions), unit="notebook", disable=None) as bar:
        try:
            for _ in grade_all(submissions, judge, cache, settings, args.jobs):
                done += 1
                bar.update()
        except KeyboardInterrupt:
            message = (
                f": {done} of {len(submissions)} notebooks are graded, and the same command goes on"
            )
            raise KeyboardInterrupt(message) from None
    return sum(submission.was_cached for submission in submissions)


def _as_json(submission: Submission) -> str:
    """One line of JSON, in ASCII: no letter of a notebook can end it."""
    whose = {"student": submission.student}
    if submission.report is None:
        return json.dumps(
            {"notebook": escape_name(submission.path), **whose, "error": submission.problem}
        )
    row = {**json.loads(submission.report.as_json()), **whose}
    return json.dumps({**row, "problems": [*submission.notes, *submission.report.problems]})
