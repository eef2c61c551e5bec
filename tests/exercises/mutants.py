"""Mutants of the exercises' solutions: does every check see when one small thing is wrong?

    python tests/exercises/mutants.py                      # all chapters; also: make mutants
    python tests/exercises/mutants.py --chapter 05 --chapter 06
    python tests/exercises/mutants.py --exercise unroll --verbose

Every solution, as a chapter prints it, is changed in one place (tests/mutation.py) and judged by
its check. A mutant that passes either computes the same on every valid input, and then it stands
with the reason in ``equivalent/chNN.tsv``, or it survives: a hole in the check. Ends with 1 when
one survives or a line of those files fits no mutant any more.
"""

from __future__ import annotations

import argparse
import ast
import json
import os
import queue
import subprocess
import sys
import threading
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests"))

from mutation import Mutant, mutants  # noqa: E402

from attnbook.builder import notebooks as book  # noqa: E402

SOURCES = ROOT / "chapters" / "source"
EQUIVALENT = Path(__file__).with_name("equivalent")
SECONDS = 3.0  # of work that a mutant may take
PATIENCE = 60  # seconds of the clock until its process is given up
KILLED, EQUAL, SURVIVES = "killed", "equivalent", "survives"


class Solution(NamedTuple):
    """An exercise's solution as it is printed; the set-up of its chapter, and what stands above."""

    chapter: str
    exercise: str
    source: str
    setup: str


class Fate(NamedTuple):
    """What became of a mutant."""

    mutant: Mutant
    fate: str
    why: str  # the diagnosis, or the reason why it is equivalent


def solutions(chapters: Sequence[str] = (), exercises: Sequence[str] = ()) -> list[Solution]:
    """The solutions of the book, in its order; of some chapters or exercises only, where given."""
    found = []
    for path in sorted(SOURCES.glob("[0-9][0-9]*_*.py")):
        chapter, setup = path.stem.partition("_")[0], ""
        if chapters and chapter not in chapters:
            continue
        for cell in path.read_text(encoding="utf-8").split("\n# %%")[1:]:
            head, _, body = cell.partition("\n")
            if '"setup"' in head:
                setup = body
            elif '"exercise"' in head:
                name, above, blank = _answer_in(body)
                if not exercises or name in exercises:
                    source = blank.replace(book.BLANK, book.solution(path.stem, name))
                    found.append(Solution(chapter, name, source, f"{setup}\n{above}"))
    return found


def _answer_in(cell: str) -> tuple[str, str, str]:
    """Name, what stands above the mark, and the function without its mark."""
    for node in ast.parse(cell).body:
        if isinstance(node, ast.FunctionDef) and any(
            isinstance(mark, ast.Name) and mark.id == "exercise" for mark in node.decorator_list
        ):
            lines = cell.splitlines()
            above = "\n".join(lines[: node.decorator_list[0].lineno - 1])
            return node.name, above, "\n".join(lines[node.lineno - 1 : node.end_lineno])
    raise ValueError(f"no function under @exercise in the cell\n{cell}")


def known_equivalents(chapter: str) -> dict[tuple[str, str, str], str]:
    """(exercise, line, description) → reason, from the chapter's file."""
    path = EQUIVALENT / f"ch{chapter}.tsv"
    found = {}
    for line in path.read_text(encoding="utf-8").splitlines() if path.exists() else []:
        exercise, number, description, reason = line.split("\t")
        assert reason.strip(), f"{path}: {exercise}, {description}: no reason"
        found[exercise, number, description] = reason
    return found


# In a process of its own -------------------------------------------------------------------------


def judged(solution: Solution, chosen: Sequence[Mutant]) -> Iterator[str]:
    """The diagnosis of each mutant; empty where it passes."""
    import torch

    from attnbook.exercises.engine import find, names_by_chapter
    from attnbook.exercises.judge import RIGHT, judge

    torch.set_num_threads(1)
    earlier = names_by_chapter()[solution.chapter]  # an answer may call an earlier one
    names: dict[str, Any] = {name: find(name).reference for name in earlier}
    names["__name__"] = "__main__"
    exec(compile(solution.setup, "<setup>", "exec"), names)
    names["exercise"] = lambda function: function
    check = replace(find(solution.exercise), mistakes=(), seconds=SECONDS)
    for mutant in chosen:
        try:
            exec(compile(mutant.source, "<mutant>", "exec"), names)
        except Exception as problem:  # no Python, or it needs what is not there
            yield f"{type(problem).__name__}: {problem}"
            continue
        verdict = judge(check, names[solution.exercise])
        passed = verdict.state == RIGHT
        yield "" if passed else f"{verdict.state}: {verdict.diagnosis or verdict.rule}"


def _work(exercise: str, first: int) -> None:
    """Judge the mutants of an exercise from a number on; a line of JSON for each."""
    out = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)  # what a set-up prints
    (solution,) = solutions(exercises=[exercise])
    for told in judged(solution, mutants(solution.source)[first:]):
        print(json.dumps(told), file=out, flush=True)
    out.close()
    os._exit(0)  # threads that no exception ends


# From outside ------------------------------------------------------------------------------------


def fates(solution: Solution) -> list[Fate]:
    """What becomes of every mutant of a solution; one that takes its process with it is killed."""
    every = mutants(solution.source)
    told: list[str] = []
    while len(told) < len(every):
        before = len(told)
        told += _told_by_process(solution.exercise, before, len(every) - before)
        if len(told) < len(every):
            assert len(told) > before or before or not _dies_at_once(solution), solution.exercise
            told.append("its process hung or died")
    reasons = known_equivalents(solution.chapter)
    found = []
    for mutant, why in zip(every, told):
        key = (solution.exercise, str(mutant.line), mutant.description)
        fate = KILLED if why else EQUAL if key in reasons else SURVIVES
        found.append(Fate(mutant, fate, why or reasons.get(key, "")))
    return found


def _dies_at_once(solution: Solution) -> bool:
    """Whether not even the solution itself can be judged."""
    whole = Mutant("unchanged", 0, solution.source)
    return any(judged(solution, [whole]))


def _told_by_process(exercise: str, first: int, count: int) -> list[str]:
    command = [sys.executable, __file__, "--work", exercise, str(first)]
    environment = {**os.environ, "MPLBACKEND": "agg", "OMP_NUM_THREADS": "1"}
    process = subprocess.Popen(
        command,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env=environment,
        encoding="utf-8",
    )
    lines: queue.Queue[str] = queue.Queue()

    def read() -> None:
        assert process.stdout is not None
        with process.stdout as out:
            for line in out:
                lines.put(line)
        lines.put("")

    reader = threading.Thread(target=read, daemon=True)
    reader.start()
    told: list[str] = []
    try:
        while len(told) < count and (line := lines.get(timeout=PATIENCE)):
            told.append(json.loads(line))
    except queue.Empty:
        pass
    finally:
        process.kill()
        process.wait()
        reader.join()
    return told


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--chapter", action="append", default=[], help="05; several: repeat")
    parser.add_argument("--exercise", action="append", default=[], help="its name; repeat")
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--verbose", action="store_true", help="what each mutant is told, too")
    parser.add_argument("--work", nargs=2, metavar=("EXERCISE", "FIRST"), help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.work:
        _work(options.work[0], int(options.work[1]))
    chosen = solutions(options.chapter, options.exercise)
    if not chosen:
        parser.error("no such chapter or exercise")
    totals: dict[str, Counter[str]] = {}
    stale = 0
    print(f"{'exercise':24}{'mutants':>8}{KILLED:>8}{EQUAL:>12}{SURVIVES:>10}")
    with ThreadPoolExecutor(options.processes) as pool:
        for solution, found in zip(chosen, pool.map(fates, chosen)):
            counts = Counter(fate.fate for fate in found)
            totals.setdefault(solution.chapter, Counter()).update(counts)
            _print_row(f"{solution.chapter} {solution.exercise}", counts)
            for mutant, fate, why in found:
                if fate == SURVIVES or options.verbose:
                    print(f"    {fate}, line {mutant.line}: {mutant.description}  {why}")
            stale += _print_stale(solution, found)
    for chapter, counts in totals.items():
        _print_row(f"chapter {chapter}", counts)
    everything = sum(totals.values(), Counter())
    _print_row("all", everything)
    return int(bool(everything[SURVIVES] or stale))


def _print_row(name: str, counts: Counter[str]) -> None:
    numbers = counts[KILLED], counts[EQUAL], counts[SURVIVES]
    print(f"{name:24}{counts.total():8}{numbers[0]:8}{numbers[1]:12}{numbers[2]:10}", flush=True)


def _print_stale(solution: Solution, found: list[Fate]) -> int:
    passed = {(str(f.mutant.line), f.mutant.description) for f in found if f.fate == EQUAL}
    listed = [key[1:] for key in known_equivalents(solution.chapter) if key[0] == solution.exercise]
    stale = [key for key in listed if key not in passed]
    for line, description in stale:
        print(f"    listed as equivalent, but killed or gone: line {line}: {description}")
    return len(stale)


if __name__ == "__main__":
    sys.exit(main())
