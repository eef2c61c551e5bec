"""Judge the answers that were written without seeing the checks (``blind/answers.jsonl``), and
those of the checks' authors: no wrong one may be accepted, no right one refused, and every wrong
one must get a diagnosis: where one is meant for it, that one.

    python tests/exercises/judge_answers.py                            # also: make answers
    python tests/exercises/judge_answers.py --chapter 05 --exercise safe_softmax
    python tests/exercises/judge_answers.py --write before.json        # then change checks, and
    python tests/exercises/judge_answers.py --against before.json      # list what is said otherwise

Prints what is accepted, refused, without a diagnosis or with another, and exits with 1 where
there is any.
"""

import argparse
import json
import multiprocessing
import os
import sys
import time
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from dataclasses import fields
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

import torch
from answering import Answer, BlindAnswer, all_answers, blind_answers, quick

from attnbook.exercises.engine import names_by_chapter
from attnbook.exercises.judge import RIGHT, WRONG, Verdict, judge

SHOWN = [one.name for one in fields(Verdict) if one.name not in ("printed", "cast_to", "failing")]
BAD = ("accepted", "refused", "without a diagnosis", "with another diagnosis")


def judged(name: str) -> list[dict[str, str]]:
    """Every answer to an exercise, with the fields of its verdict as text."""
    torch.set_num_threads(1)
    verdicts = []
    for answer in (*blind_answers(), *all_answers()):
        if answer.exercise == name:
            torch.manual_seed(0)
            verdict = judge(quick(name), answer.function)
            shown = {field: str(getattr(verdict, field)) for field in SHOWN}
            about = {"key": answer.key, "class": classed(verdict, answer)}
            verdicts.append({**about, "why": str(answer.why), **shown})
    return verdicts


def classed(verdict: Verdict, answer: Answer | BlindAnswer) -> str:
    """Whether a verdict is as it should be, or else what is bad about it."""
    if answer.right:
        return "right" if (verdict.state, verdict.diagnosis) == (RIGHT, "") else "refused"
    if verdict.state != WRONG:
        return "accepted"
    if (answer.says or "") not in verdict.diagnosis:
        return "with another diagnosis"
    return "wrong" if len(verdict.diagnosis) >= 8 else "without a diagnosis"


def against(before: dict[str, dict[str, str]], now: list[dict[str, str]]) -> None:
    """Print every answer whose verdict differs from the one it had before."""
    differing = 0
    for one in now:
        then = before.get(one["key"], {})
        changed = [name for name in SHOWN if then.get(name) != one[name]]
        differing += bool(changed)
        for name in changed:
            print(f"{one['key']} {name}\n  was: {then.get(name)}\n  now: {one[name]}")
    print(f"{differing} of {len(now)} verdicts differ.")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split(":", 1)[0])
    parser.add_argument("--chapter", action="append", metavar="NN", help="only this; repeat")
    parser.add_argument("--exercise", action="append", metavar="NAME", help="only this; repeat")
    parser.add_argument("--write", type=Path, metavar="FILE", help="write all verdicts there")
    parser.add_argument("--against", type=Path, metavar="FILE", help="list what differs from it")
    args = parser.parse_args()
    names = [
        name
        for chapter, names in names_by_chapter().items()
        for name in names
        if (not args.chapter or chapter in args.chapter)
        and (not args.exercise or name in args.exercise)
    ]
    if not names:
        parser.error("there is no such chapter or exercise")
    os.environ["PYTHONHASHSEED"] = "0"  # of the processes: some answers depend on a set's order
    os.environ["ATTNLIB_PROGRESS"] = ""  # what the reader has done stays as it is
    start = time.monotonic()
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(os.cpu_count(), mp_context=context) as pool:
        now = [one for some in pool.map(judged, names) for one in some]
    for one in now:
        if one["class"] in BAD:
            print(f"{one['class'].upper()}: {one['key']}: {one['why']}\n  {one['diagnosis']}")
    if args.write:
        by_key = {one["key"]: one for one in now}
        args.write.write_text(json.dumps(by_key, ensure_ascii=False, indent=1), encoding="utf-8")
    if args.against:
        against(json.loads(args.against.read_text(encoding="utf-8")), now)
    counts = Counter(one["class"] for one in now)
    bad = ", ".join(f"{counts[name]} {name}" for name in BAD)
    seconds = time.monotonic() - start
    print(f"{counts['wrong']} wrong, {counts['right']} right; {bad}. {seconds:.0f} seconds.")
    return int(any(counts[name] for name in BAD))


if __name__ == "__main__":
    sys.exit(main())
