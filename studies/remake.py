"""Make every record anew that reads the bundled corpora ko-en and ko-en-easy: after a change there.

    python -m studies.remake --list      # what is to be made, and about how long it takes
    python -m studies.remake             # two processes at a time, the shortest records first

The runs themselves are the programs': each skips what its file holds of the data as they are now,
and saves after every run. So this can be stopped at any time, and goes on when it is started again.
What a program says is in a file of --logs. The minutes are those of the runs of before; a record
that there never was has none, and comes first. What needs Multi30k as well is not made here, nor
are the translators in data/: "The translators that come along" in data/README.md.
"""

import argparse
import json
import os
import shlex
import signal
import subprocess
import sys
import time
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

PROGRAMS = Path(__file__).parent
COMMANDS = (
    "single_unit.py",
    "tense.py",
    "seq2seq_chapter.py",
    "alignment_baselines.py",
    "attention_chapter.py",
    "attention_chapter.py --corpus ko-en",
    "contributions.py",
    "divisors.py",
    "scores_chapter.py",
    "scores_chapter.py --corpus ko-en",
    "teacher_forcing_chapter.py --task translate",
    "teacher_forcing_chapter.py --task translate --corpus ko-en",
    "search_chapter.py",
    "learning_to_speak.py --corpus ko-en-easy",
    "transformer_chapter.py",
)
ONE_THREAD = {"OMP_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"}


def start(command: str, *options: str, **given: Any) -> subprocess.Popen[str]:
    """A program in a process of its own, with one thread."""
    program, *arguments = shlex.split(command)
    line = [sys.executable, str(PROGRAMS / program), *arguments, *options]
    return subprocess.Popen(line, env=os.environ | ONE_THREAD, encoding="utf-8", **given)


def asked(command: str) -> dict[str, Any]:
    """What a program has left to do."""
    process = start(command, "--left", stdout=subprocess.PIPE)
    told = process.communicate()[0].splitlines()
    if process.returncode:
        sys.exit(f"{command} --left failed")
    found: dict[str, Any] = json.loads(told[-1])
    return {"command": command, **found}


def shortest_first(jobs: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    """Those that have something to do."""
    return sorted((job for job in jobs if job["runs"]), key=lambda job: job["minutes"] or 0)


def table(jobs: Sequence[dict[str, Any]], processes: int) -> Iterable[str]:
    yield "minutes  runs  record               python benchmarks/"
    for job in jobs:
        minutes = "?" if job["minutes"] is None else f"{job['minutes']:.0f}"
        yield f"{minutes:>7}  {job['runs']:4}  {job['file']:20} {job['command']}"
    total = sum(job["minutes"] or 0 for job in jobs)
    yield f"{total:7.0f}  minutes of a processor, about {total / processes:.0f} with {processes}"


def make(jobs: Sequence[dict[str, Any]], processes: int, logs: Path) -> list[str]:
    """Run them, so many at a time; the commands that failed."""
    waiting, failed = list(jobs), list[str]()
    running: dict[subprocess.Popen[str], str] = {}
    try:
        while waiting or running:
            while waiting and len(running) < processes:
                job = waiting.pop(0)
                with (logs / f"{job['file']}.log").open("a", encoding="utf-8") as log:
                    process = start(job["command"], stdout=log, stderr=subprocess.STDOUT)
                running[process] = job["command"]
                print(f"{time.strftime('%H:%M')} begins: {job['command']}", flush=True)
            time.sleep(0.2)
            for process in [process for process in running if process.poll() is not None]:
                command, code = running.pop(process), process.returncode
                print(f"{time.strftime('%H:%M')} {'FAILED' if code else 'done'}: {command}")
                failed += [command] * bool(code)
    finally:
        for process in running:
            process.terminate()
            process.wait()
    return failed


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("commands", nargs="*", help="how the programs' names begin (all)")
    parser.add_argument("--list", action="store_true", help="say what there is to do, and stop")
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--logs", type=Path, default=Path("runs/remake"), metavar="DIR")
    given = parser.parse_args()
    names = tuple(given.commands) or ("",)
    jobs = shortest_first(asked(c) for c in COMMANDS if c.startswith(names))
    print("\n".join(table(jobs, given.processes)), flush=True)
    if given.list:
        return
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # so that no program is left behind
    given.logs.mkdir(parents=True, exist_ok=True)
    if failed := make(jobs, given.processes, given.logs):
        sys.exit(f"failed, see {given.logs}: " + "; ".join(failed))


if __name__ == "__main__":
    main()
