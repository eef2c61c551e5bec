"""What running a notebook costs: seconds and memory of every notebook of the book.

    OMP_NUM_THREADS=1 python -m studies.notebooks [NAME ...]   # results/notebooks.json
    ... --avx2                                       # results/notebooks-avx2.json, imitated

Each built notebook is executed whole by one thread, as "Run All" does it, exercises blank, in a
kernel of its own, in the folder where the builder runs it. Recorded: seconds by the clock from the
start of the kernel to its last cell; seconds of the processor, of the kernel and of programs that
it started; the largest resident memory of the kernel. Where the clock is far ahead of the
processor, something else had the core. A notebook that is named is measured anew, the others keep
their line; without names, those are measured whose cells changed since or that have none. A quarter
of an hour for all with one core.
"""

import argparse
import hashlib
import json
import os
import tempfile
import time
from pathlib import Path
from typing import Any

import nbformat
from nbclient import NotebookClient

from .machine import describe
from .peers.children import AVX2
from .records import today

ROOT = Path(__file__).resolve().parents[1]
CHAPTERS = ROOT / "chapters"
RESULTS = ROOT / "data" / "results"
ASK = """
import os as _os
_peak = [line.split()[1] for line in open("/proc/self/status") if line.startswith("VmHWM")][0]
print(int(_peak) // 1024, sum(_os.times()[:4]))
"""


def measure(path: Path, avx2: bool) -> dict[str, Any]:
    """Run a notebook; what it took. Linux only, for the memory."""
    notebook = nbformat.read(path, as_version=4)
    notebook.cells.append(nbformat.v4.new_code_cell(ASK))
    with tempfile.TemporaryDirectory() as folder:
        given = {"ATTNLIB_PROGRESS": "", "HOME": folder, "OMP_NUM_THREADS": "1"}
        given |= {"MKL_NUM_THREADS": "1"} | (AVX2 if avx2 else {})
        client = NotebookClient(
            notebook,
            kernel_name="python3",
            timeout=None,
            store_widget_state=False,
            resources={"metadata": {"path": str(CHAPTERS)}},
        )
        began = time.monotonic()
        client.execute(env={**os.environ, **given})
        clock = time.monotonic() - began
    peak, processor = notebook.cells[-1].outputs[0].text.split()
    return {
        "notebook": path.stem,
        "seconds": round(clock, 1),
        "processor_seconds": round(float(processor), 1),
        "peak_mib": int(peak),
        "load": round(os.getloadavg()[0], 1),
        "date": today(),
        "code": code_of(path),
    }


def code_of(path: Path) -> str:
    """A digest of the code cells of a notebook."""
    cells = nbformat.read(path, as_version=4).cells
    code = "\0".join(cell.source for cell in cells if cell.cell_type == "code")
    return hashlib.sha256(code.encode()).hexdigest()[:12]


def write(path: Path, lines: dict[str, dict[str, Any]], avx2: bool) -> None:
    flag = " --avx2" if avx2 else ""
    record = {
        "command": f"OMP_NUM_THREADS=1 python -m studies.notebooks{flag}",
        "date": today(),
        "machine": describe(avx2),
        "results": [lines[name] for name in sorted(lines)],
    }
    text = json.dumps(record, ensure_ascii=False, indent=1) + "\n"
    path.write_text(text, encoding="utf-8")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("names", nargs="*", metavar="NAME", help="05_attention (the changed ones)")
    parser.add_argument("--avx2", action="store_true", help="keep the processor to AVX2")
    args = parser.parse_args()
    path = RESULTS / f"notebooks{'-avx2' * args.avx2}.json"
    before = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {"results": []}
    lines = {line["notebook"]: line for line in before["results"]}
    there = {file.stem: file for file in sorted(CHAPTERS.glob("*.ipynb"))}
    if unknown := set(args.names) - set(there):
        parser.error(f"there is no notebook {', '.join(sorted(unknown))}")
    lines = {name: line for name, line in lines.items() if name in there}
    for name, file in there.items():
        old = lines.get(name, {}).get("code")
        if name in args.names or (not args.names and old != code_of(file)):
            lines[name] = measure(file, args.avx2)
            print(lines[name], flush=True)
            write(path, lines, args.avx2)


if __name__ == "__main__":
    main()
