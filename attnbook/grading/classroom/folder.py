"""``python -m attnlib grade FOLDER``: a class's notebooks graded, and what is told of them."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from tqdm import tqdm

from attnlib.files import write_bytes

from ..report import shown, some
from .page import class_page
from .results import as_csv, summary, table
from .submissions import KEPT, Judge, Kept, Submission, find_submissions, grade_all, note_doubles

_NAMED = 5  # files that are no notebooks and are named


def grade_folder(folder: Path, judge: Judge, settings: Any, args: argparse.Namespace) -> int:
    """Grade all notebooks below a folder; the exit status: 1 where one could not be graded.

    Args:
        folder: what the class handed in.
        judge: grades one notebook.
        settings: what a report depends on, beside the notebook.
        args: of the command: jobs, again, results, json, csv, page.
    """
    found, others = find_submissions(folder)
    for path in filter(None, (args.csv, args.page)):  # checked now, not after hours of grading
        if path.suffix == ".ipynb" or (path.exists() and not path.is_file()):
            raise ValueError(f"{shown(path)} would be overwritten: name a new file for the results")
        write_bytes(path, path.read_bytes() if path.exists() else b"")
    kept = Kept(args.results or folder / KEPT)
    if others:
        told = some(others, len(others), _NAMED)
        print(f"No notebooks, left out: {told}.", file=sys.stderr)
    before = _grade(found, judge, kept, settings, args)
    note_doubles(found)
    if kept.problem:
        print(f"Not all results were kept: {shown(kept.problem)}.", file=sys.stderr)
    if args.json:  # printed before files are written, in case the disk is full
        print(*map(_as_json, found), sep="\n", flush=True)
    else:
        print(table(found), summary(found, before), sep="\n\n", flush=True)
    if args.csv:
        write_bytes(args.csv, as_csv(found).encode("utf-8-sig"))  # as spreadsheets expect
    if args.page:
        write_bytes(args.page, class_page(found).encode())
    if not args.json:
        print(*(f"Written: {shown(path)}" for path in (args.csv, args.page) if path), sep="\n")
    return int(any(one.report is None for one in found))


def _grade(
    found: Sequence[Submission], judge: Judge, kept: Kept, settings: Any, args: argparse.Namespace
) -> int:
    """Grade all; how many had been graded before."""
    done = 0
    with tqdm(total=len(found), unit="notebook", disable=None) as bar:
        try:
            for _ in grade_all(found, judge, kept, settings, args.jobs, args.again):
                done += 1
                bar.update()
        except KeyboardInterrupt:
            if not args.again:  # results of a moment ago may not be listed yet
                done = sum(kept.read(one.key, one.path) is not None for one in found)
            told = f": {done} of {len(found)} notebooks are graded, and the same command goes on"
            raise KeyboardInterrupt(told) from None
    return sum(one.before for one in found)


def _as_json(one: Submission) -> str:
    """One line of JSON, in ASCII: no letter of a notebook can end it."""
    whose = {"student": one.student}
    if one.report is None:
        return json.dumps({"notebook": shown(one.path), **whose, "error": one.problem})
    told = {**json.loads(one.report.as_json()), **whose}
    return json.dumps({**told, "problems": [*one.notes, *one.report.problems]})
