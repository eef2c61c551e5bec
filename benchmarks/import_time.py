"""How much longer is `import attnlib`, and everything of it, than `import torch` alone?

    python benchmarks/import_time.py [--runs 15]

Fresh interpreters in turn, one of each kind after the other, so that whatever else the machine
does falls on all of them alike. The target is a ratio of at most 1.10 for `import attnlib`.
"""

import argparse
import pkgutil
import platform
import statistics
import subprocess
import sys
import time
from pathlib import Path

import attnlib

MODULES = sorted(
    module.name
    for module in pkgutil.walk_packages(attnlib.__path__, "attnlib.")
    if not module.name.endswith("__main__")
)
PROGRAMS = {
    "import torch": "import torch",
    "import attnlib": "import attnlib",
    "import torch, attnlib": "import torch, attnlib",
    "the ten names of attnlib itself": "from attnlib import *",
    "what training and translating need": "import attnlib.presets",
    "every module": f"import {', '.join(MODULES)}",
}


def seconds(program: str) -> float:
    began = time.perf_counter()
    subprocess.run([sys.executable, "-c", program], check=True)
    return time.perf_counter() - began


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--runs", type=int, default=15, help="of each kind (15)")
    runs = parser.parse_args().runs
    for program in PROGRAMS.values():
        seconds(program)  # from the disk once, not counted
    taken: dict[str, list[float]] = {name: [] for name in PROGRAMS}
    for _ in range(runs):
        for name, program in PROGRAMS.items():
            taken[name].append(seconds(program))
    print(f"{machine()}; median of {runs} interleaved runs; start of Python included")
    for name, times in taken.items():
        ratios = [own / torch for own, torch in zip(times, taken["import torch"])]
        print(
            f"{name:<36} {statistics.median(times):6.2f} s   ratio {statistics.median(ratios):.2f}"
        )


def machine() -> str:
    system = f"{platform.system()} {platform.machine()}, Python {platform.python_version()}"
    cpu = next(
        (
            line.split(":")[1].strip()
            for line in (Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
                         if Path("/proc/cpuinfo").exists() else ())
            if line.startswith("model name")
        ),
        platform.processor(),
    )  # fmt: skip
    return f"{cpu}, {system}"


if __name__ == "__main__":
    main()
