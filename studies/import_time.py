"""How much longer than `import torch` do `import attnlib`, `doctor` and `translate` take?

    python -m studies.import_time [--runs 15] [--model DIR]

Fresh interpreters in turn, one of each kind after the other, so that whatever else the machine
does falls on all of them alike; differences and ratios are of programs in the same turn. Seconds by
the clock are what a user waits; those of the processor hold on a busy machine, too.
`translate` has one sentence and a model of the size that `--preset quick` gives ko-en, with random
weights, which write until they are stopped; --model takes a trained one. The targets: at most 1.10
times `import torch` for `import attnlib`, at most 1 s more for doctor, .5 s more for translate.
"""

import argparse
import os
import pkgutil
import platform
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

import attnlib
from attnlib.translator import BUNDLED_PRESETS, make_vocabularies

MODULES = sorted(
    module.name
    for module in pkgutil.walk_packages(attnlib.__path__, "attnlib.")
    if not module.name.endswith("__main__")
)
PROGRAMS = {
    "import torch": ["-c", "import torch"],
    "import attnlib": ["-c", "import attnlib"],
    "import torch, attnlib": ["-c", "import torch, attnlib"],
    "the ten names of attnlib itself": ["-c", "from attnlib import *"],
    "what training and translating need": ["-c", "import attnlib.translator.presets"],
    "every module": ["-c", f"import {', '.join(MODULES)}"],
    "doctor": ["-m", "attnlib", "doctor"],
    "translate of one sentence": ["-m", "attnlib", "translate", "MODEL", "개가 잔다"],
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--runs", type=int, default=15, help="of each kind (15)")
    parser.add_argument("--model", help="a folder that train filled")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        if not args.model:
            save_untrained(folder)
        taken = measure(args.runs, args.model or folder)
    print(f"{machine()}; medians of {args.runs} interleaved runs; start of Python included")
    columns = f"{'more than import torch':^28}{'ratio':>7}"
    print(f"{'seconds':<36}{'clock':>9}{columns}{'processor':>11}{columns}")
    for name, runs in taken.items():
        print(f"{name:<36}", end="")
        for own, other in zip(zip(*runs), zip(*taken["import torch"])):  # clock, processor
            more = [a - b for a, b in zip(own, other)]
            spread = f"{statistics.median(more):+.2f} ({min(more):+.2f} to {max(more):+.2f})"
            ratio = statistics.median(a / b for a, b in zip(own, other))
            print(f"{statistics.median(own):9.2f}{spread:^28}{ratio:7.2f}", end="  ")
        print()


def measure(runs: int, model: str) -> dict[str, list[tuple[float, float]]]:
    """Seconds of each kind of program, one after the other: by the clock, and of the processor."""
    taken: dict[str, list[tuple[float, float]]] = {name: [] for name in PROGRAMS}
    for turn in range(runs + 1):
        for name, words in PROGRAMS.items():
            command = [sys.executable, *(model if word == "MODEL" else word for word in words)]
            before = os.times()
            status = subprocess.run(command, stdout=subprocess.DEVNULL).returncode
            user, system, clock = (b - a for a, b in zip(before[2:], os.times()[2:]))
            if turn:  # the first comes from the disk and is not counted
                taken[name].append((clock, user + system))
            if status and name != "doctor":  # who may find something to mend
                raise SystemExit(f"{name} failed")
    return taken


def save_untrained(folder: str) -> None:
    """A translator as ``train --corpus ko-en --preset quick`` makes it, before its first update."""
    corpus = attnlib.load_corpus("ko-en")
    src, tgt = make_vocabularies(corpus, None)
    attnlib.seed_everything(1)
    model = attnlib.make_seq2seq(
        len(src), len(tgt), **BUNDLED_PRESETS["quick"].architecture("general")
    )
    attnlib.Translator(model, src, tgt).save(folder)


def machine() -> str:
    system = f"{platform.system()} {platform.machine()}, Python {platform.python_version()}"
    info = Path("/proc/cpuinfo")
    lines = info.read_text(encoding="utf-8").splitlines() if info.exists() else []
    names = [line.split(":")[1].strip() for line in lines if line.startswith("model name")]
    return f"{(names or [platform.processor()])[0]}, {os.cpu_count()} cores, {system}"


if __name__ == "__main__":
    main()
