"""What every answer under answers/ and strangers/ hears, as JSON: to see what a change of a check
changes for learners.

    python tests/exercises/verdicts.py > before.json                 # then change checks, and
    python tests/exercises/verdicts.py --against before.json         # list what is told otherwise
    python tests/exercises/verdicts.py --against before.json --chapter 05 --chapter 06
"""

import argparse
import inspect
import json
import sys
from dataclasses import fields
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

import torch
from answering import Answer, all_answers, quick, strangers

from attnbook.exercises.engine import names_by_chapter
from attnbook.exercises.judge import Verdict, judge

SHOWN = [one.name for one in fields(Verdict) if one.name not in ("printed", "kind", "failing")]


def heard(answer: Answer) -> dict[str, str]:
    """The verdict on an answer, each field as text."""
    torch.manual_seed(0)
    verdict = judge(quick(answer.exercise), answer.function)
    return {name: str(getattr(verdict, name)) for name in SHOWN}


def main() -> None:
    parser = argparse.ArgumentParser(description="What every answer in the tests hears.")
    parser.add_argument("--chapter", action="append", metavar="NN", help="of these only")
    parser.add_argument("--against", type=Path, metavar="FILE", help="list what differs from it")
    args = parser.parse_args()
    names = {
        name
        for number, names in names_by_chapter().items()
        for name in names
        if not args.chapter or number in args.chapter
    }
    found, seen = {}, dict[str, int]()
    for answer in (*all_answers(), *strangers()):
        if answer.exercise in names:
            folder = Path(inspect.getfile(answer.function)).parent
            place = f"{folder.parent.name}/{folder.name}/{answer.exercise}"
            seen[place] = seen.get(place, 0) + 1
            found[f"{place}/{seen[place]}"] = heard(answer)
    if args.against is None:
        print(json.dumps(found, ensure_ascii=False, indent=1))
        return
    before = json.loads(args.against.read_text(encoding="utf-8"))
    differing = 0
    for key, told in found.items():
        changed = {
            name: (before.get(key, {}).get(name), value)
            for name, value in told.items()
            if before.get(key, {}).get(name) != value
        }
        differing += bool(changed)
        for name, (was, now) in changed.items():
            print(f"{key} {name}\n  was: {was}\n  now: {now}")
    print(f"{differing} of {len(found)} answers are told something else.")


if __name__ == "__main__":
    torch.set_num_threads(1)
    main()
