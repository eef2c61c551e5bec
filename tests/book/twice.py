"""Run chapters with each cell executed twice in a row, and list the cells that raise.

    python tests/book/twice.py [NAME ...]

A reader runs a cell, looks, and runs it once more. What a cell changed in place, or a name that it
bound to something else than it found, shows then: there (``cell-again``), or in a later cell. All
chapters take twice as long as a build, so only the quickest are among the usual tests. What is
known to raise stands in ``twice.tsv``, which may only become shorter.
"""

import argparse
import copy
import os
import re
import sys
from pathlib import Path

from nbclient import NotebookClient
from nbformat import NotebookNode

ROOT = Path(__file__).parents[2]
CHAPTERS = ROOT / "chapters"
KNOWN = Path(__file__).with_name("twice.tsv")
AGAIN = "-again"  # what the id of the copy that runs a cell again ends in
COLOR = re.compile(r"\x1b\[[\d;]*m")


def doubled(notebook: NotebookNode) -> NotebookNode:
    """The code cells of a notebook, each standing there twice."""
    cells = []
    for cell in notebook.cells:
        if cell.cell_type == "code":
            second = copy.deepcopy(cell)
            second.id = f"{cell.id}{AGAIN}"
            cells += [cell, second]
    return NotebookNode({**notebook, "cells": cells})


def raising(notebook: NotebookNode, folder: Path, seconds: int = 1800) -> dict[str, str]:
    """Run a notebook, each cell twice: ids of the cells that raise and should not, and what."""
    twice = doubled(notebook)
    client = NotebookClient(
        twice,
        kernel_name="python3",
        timeout=seconds,
        allow_errors=True,
        resources={"metadata": {"path": str(folder)}},
    )
    client.execute(env={**os.environ, "ATTNLIB_PROGRESS": ""})
    found = {}
    for cell in twice.cells:
        if "raises-exception" not in cell.metadata.get("tags", ()):
            for output in cell.outputs:
                if output.output_type == "error":
                    found[cell.id] = COLOR.sub("", f"{output.ename}: {output.evalue}")[:200]
    return found


def known() -> dict[str, set[str]]:
    """The cells that are known to raise, by chapter; ``cell-again``: when run again."""
    table: dict[str, set[str]] = {}
    for line in KNOWN.read_text(encoding="utf-8").splitlines()[1:]:
        chapter, cell, _why = line.split("\t")
        table.setdefault(chapter, set()).add(cell)
    return table


def main() -> int:
    sys.path.insert(0, str(ROOT))
    from attnbook.builder import notebooks as book

    sources = {path.stem: path for path in sorted((CHAPTERS / "source").glob("*.py"))}
    parser = argparse.ArgumentParser(description="Run chapters, each cell twice in a row.")
    parser.add_argument("names", nargs="*", metavar="NAME", choices=[*sources, []], help="(all)")
    args = parser.parse_args()
    failed = False
    for name in args.names or sources:
        notebook = book.without_solutions(book.read_source(sources[name]), name)
        found = raising(notebook, CHAPTERS)
        excused = known().get(name, set())
        print(f"{name}: {len(found)} raise, {len(excused)} known", flush=True)
        for cell in sorted(found.keys() - excused):
            print(f"  {cell}: {found[cell]}", flush=True)
        for cell in sorted(excused - found.keys()):
            print(f"  {cell} no longer raises: take it out of {KNOWN.name}", flush=True)
        failed |= found.keys() != excused
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
