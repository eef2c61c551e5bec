"""Does training on a corpus larger than memory stay within a gigabyte?

    python benchmarks/streaming.py                  # 5 million pairs: five minutes of a free core
    python benchmarks/streaming.py --pairs 400000 --updates 40 --file /tmp/small.json

Pairs of short sentences, recombined from the bundled corpus (two of them side by side), are written
to a temporary table. ``python -m attnlib train`` of one process and one thread trains the model of
preset quick on it. Half way it is stopped by Ctrl-C, which falls inside a window, and goes on with
--resume. Another process makes the batches of ten windows, without training. Printed and recorded
in results/streaming.json: of each part the largest resident memory of the process, its seconds of
processor and minutes; where the training stopped, where an epoch is a window. What is recorded is
not measured again: remove the file first.
"""

import argparse
import json
import os
import random
import re
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from machine import describe
from records import today

from attnlib.data import StreamedBatches, load_corpus
from attnlib.translator import REAL, RESUME, make_batches, make_vocabularies, read_tensors

ROOT = Path(__file__).resolve().parents[1]
RECORD = ROOT / "benchmarks" / "results" / "streaming.json"
WINDOWS = 10  # of batches that are made without training


def write_table(path: Path, count: int) -> None:
    """Pairs drawn with a fixed seed: two short pairs of the bundled corpus, side by side."""
    short = [pair for pair in load_corpus("ko-en").train if len(pair.src.split()) <= 5]
    rng = random.Random(1)
    with open(path, "w", encoding="utf-8") as file:
        for _ in range(count):
            one, other = rng.choice(short), rng.choice(short)
            file.write(f"{one.src} {other.src}\t{one.tgt} {other.tgt}\n")


def run(*words: str, stop: int | None = None) -> dict[str, Any]:
    """What a program took; Ctrl-C is sent once its progress bar has reached an update."""
    began, seen = time.monotonic(), ""
    environment = {**os.environ, "OMP_NUM_THREADS": "1", "TOKENIZERS_PARALLELISM": "false"}
    process = subprocess.Popen(
        [sys.executable, *words],
        cwd=ROOT,
        env=environment,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        encoding="utf-8",
    )
    assert process.stderr
    while letter := process.stderr.read(1):
        sys.stderr.write(letter)
        seen = (seen + letter)[-100:]
        shown = re.search(r"\| (\d+)/\d+ \[", seen)
        if shown and stop is not None and int(shown[1]) >= stop:
            process.send_signal(signal.SIGINT)
            stop = None
    _, status, used = os.wait4(process.pid, 0)
    code = process.returncode = os.waitstatus_to_exitcode(status)
    if code not in (0, 130):
        raise SystemExit(f"{' '.join(words)} ended with {code}")
    return {
        "exit status": code,
        "peak_mib": round(used.ru_maxrss / 1024),  # KiB on Linux
        "processor_seconds": round(used.ru_utime + used.ru_stime),
        "minutes": round((time.monotonic() - began) / 60, 1),
    }


def read_windows(table: str) -> None:
    """Make the batches of ten windows, and say how many pairs they hold."""
    corpus, preset = load_corpus(table), REAL["quick"]
    vocabularies = make_vocabularies(corpus, preset.subwords)
    batches, _ = make_batches(corpus, *vocabularies, preset.batch_tokens, seed=1)
    assert isinstance(batches, StreamedBatches)
    cut = [len(src) for window in range(WINDOWS) for src, _ in batches.sentences(window)]
    what = f"{sum(cut)} pairs in {len(cut)} batches of {WINDOWS} windows"
    print(f"{what} of {batches.windows}", file=sys.stderr)


def measure(folder: Path, pairs: int, updates: int, precisions: list[str]) -> dict[str, Any]:
    table, parts = folder / "pairs.tsv", dict[str, Any]()
    write_table(table, pairs)

    def train(*more: str, stop: int | None = None) -> dict[str, Any]:
        given = ["--corpus", str(table), "--updates", str(updates), "--out", str(out), *more]
        took = run("-m", "attnlib", "train", *given, "--precision", precision, stop=stop)
        about = read_tensors(out / RESUME)[1]["history"]
        return {**took, **{name: about[name] for name in ("updates", "epoch", "position")}}

    for precision in precisions:
        out = folder / precision
        parts[f"{precision}, until Ctrl-C"] = train(stop=updates // 2)
        parts[f"{precision}, after --resume"] = train("--resume")
    parts[f"{WINDOWS} windows without training"] = run(__file__, "--read", str(table))
    size = round(table.stat().st_size / 2**20)
    return {"pairs": pairs, "table_mib": size, "parts": parts}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--pairs", type=int, default=5_000_000)
    parser.add_argument("--updates", type=int, default=200)
    parser.add_argument("--precision", nargs="+", default=["fp32"], help="fp32, bf16 or both")
    parser.add_argument("--file", type=Path, default=RECORD, help="where the record goes")
    parser.add_argument("--read", help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.read:
        return read_windows(given.read)
    if given.file.exists():
        print(given.file.read_text(encoding="utf-8"))
        return
    with tempfile.TemporaryDirectory() as folder:
        results = measure(Path(folder), given.pairs, given.updates, given.precision)
    program = "python benchmarks/streaming.py"
    which = " ".join(["--precision", *given.precision])
    record = {
        "command": f"{program} --pairs {given.pairs} --updates {given.updates} {which}",
        "date": today(),
        "machine": describe(avx2=False),
        "results": results,
    }
    text = json.dumps(record, ensure_ascii=False, indent=1) + "\n"
    given.file.write_text(text, encoding="utf-8")
    print(text)


if __name__ == "__main__":
    main()
