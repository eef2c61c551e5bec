"""Build the notebooks: chapters/source/NAME.py → chapters/NAME.ipynb, executed, the same bytes.

    python chapters/build.py [NAME ...] [--again]

A source is a jupytext py:percent script. It is executed anew when it, the library or the bundled
data changed since its notebook was built, or with --again. A notebook holds nothing of the machine
or the moment: no times, no versions, no paths, no random ids.
"""

import argparse
import hashlib
import os
import re
import sys
from pathlib import Path
from typing import Any

import jupytext
import nbformat
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError, CellTimeoutError
from nbformat import NotebookNode

CHAPTERS = Path(__file__).resolve().parent
ROOT = CHAPTERS.parent
KERNEL = {"display_name": "Python 3", "language": "python", "name": "python3"}
WIDGET = "application/vnd.jupyter.widget-view+json"
IGNORED = "nbval-ignore-output"  # tag of cells that show progress or timings
SECONDS = 900  # the longest a cell may take


class BuildError(Exception):
    """A chapter cannot be built: which, where, and why."""


def read_source(path: Path) -> NotebookNode:
    """The notebook a source describes, not executed: ids given, metadata reduced to what is ours.

    A cell's id is the one it names (``# %% id="softmax"``) or follows from its text.
    """
    notebook = jupytext.read(path, fmt="py:percent")
    ours = dict(notebook.metadata.get("attnlib", {}))
    notebook.metadata = nbformat.from_dict(
        {"attnlib": ours, "kernelspec": KERNEL, "language_info": {"name": "python"}}
    )
    notebook.nbformat, notebook.nbformat_minor = 4, 5
    taken: set[str] = set()
    for number, cell in enumerate(notebook.cells, 1):
        named = cell.metadata.pop("id", None)
        if named is not None and (named in taken or not re.fullmatch(r"[\w-]{1,64}", named)):
            raise BuildError(f"{path.name}, cell {number}: the id {named!r} is taken or malformed")
        cell.id = named or _derived_id(cell, taken)
        taken.add(cell.id)
    return notebook


def _derived_id(cell: NotebookNode, taken: set[str]) -> str:
    base = f"{cell.cell_type}-{hashlib.sha256(cell.source.encode()).hexdigest()[:8]}"
    again = 1
    while (found := base if again == 1 else f"{base}-{again}") in taken:
        again += 1
    return found


def fingerprint(path: Path) -> str:
    """What a notebook depends on: its source, the library, and the bundled data."""
    files = [path, *ROOT.glob("attnlib/**/*.py"), *ROOT.glob("attnlib/_views/*")]
    files += ROOT.glob("data/*/*.gz")
    digest = hashlib.sha256()
    for file in sorted(file for file in files if file.is_file()):
        digest.update(file.name.encode() + file.read_bytes())
    return digest.hexdigest()[:16]


def execute(notebook: NotebookNode, name: str, folder: Path = CHAPTERS) -> None:
    """Run every cell in order, in place. Raises BuildError at the first unexpected error."""
    client = NotebookClient(
        notebook,
        kernel_name="python3",
        timeout=SECONDS,
        record_timing=False,
        store_widget_state=False,
        coalesce_streams=True,  # and what a carriage return overwrote is gone
        resources={"metadata": {"path": str(folder)}},
    )
    try:
        client.execute()
    except (CellExecutionError, CellTimeoutError) as problem:
        raise BuildError(f"{name}: {problem}") from problem


def normalise(notebook: NotebookNode, before: NotebookNode | None = None) -> None:
    """Remove what differs from run to run, in place.

    Progress bars leave nothing behind, and a cell that shows timings keeps the output of the
    notebook ``before`` as long as its text is the same.
    """
    old = {cell.id: cell for cell in before.cells} if before else {}
    notebook.metadata.language_info = NotebookNode(name="python")  # the kernel adds its version
    for cell in code_cells(notebook):
        cell.outputs = [output for output in cell.outputs if WIDGET not in output.get("data", {})]
        same = old.get(cell.id)
        if IGNORED in cell.metadata.get("tags", ()) and same and same.source == cell.source:
            cell.outputs = same.get("outputs", [])


def code_cells(notebook: NotebookNode) -> list[NotebookNode]:
    """The code cells of a notebook."""
    return [cell for cell in notebook.cells if cell.cell_type == "code"]


def build(source: Path, target: Path, again: bool = False) -> bool:
    """Build one notebook if need be; whether it was executed. The old one stays on failure."""
    before = nbformat.read(target, as_version=4) if target.exists() else None
    made_from = fingerprint(source)
    if before and not again and before.metadata.get("attnlib", {}).get("made_from") == made_from:
        return False
    notebook = read_source(source)
    _need(notebook.metadata.attnlib.get("needs"), source.stem)
    notebook.metadata.attnlib.made_from = made_from
    execute(notebook, source.stem, target.parent)
    normalise(notebook, before)
    text = nbformat.writes(notebook)
    fresh = target.with_suffix(".new")
    fresh.write_text(text if text.endswith("\n") else text + "\n", encoding="utf-8", newline="\n")
    os.replace(fresh, target)
    return True


def _need(corpus: Any, name: str) -> None:
    if corpus:
        from attnlib.corpus import load_corpus

        try:
            assert load_corpus(corpus).train
        except ValueError as problem:
            raise BuildError(f"{name} needs the corpus {corpus}: {problem}") from problem


def main() -> int:
    parser = argparse.ArgumentParser(description="Build the notebooks whose source changed.")
    parser.add_argument("names", nargs="*", metavar="NAME", help="10_translator, say (all)")
    parser.add_argument("--again", action="store_true", help="execute unchanged ones too")
    args = parser.parse_args()
    sources = {path.stem: path for path in sorted((CHAPTERS / "source").glob("*.py"))}
    if unknown := set(args.names) - set(sources):
        parser.error(f"there is no source {', '.join(unknown)}; there are {', '.join(sources)}")
    for name in args.names or sources:
        print(f"{name}: ", end="", flush=True)
        try:
            executed = build(sources[name], CHAPTERS / f"{name}.ipynb", args.again)
        except BuildError as problem:
            print("failed")
            print(problem, file=sys.stderr)
            return 1
        print("built" if executed else "unchanged")
    return 0


if __name__ == "__main__":
    sys.exit(main())
