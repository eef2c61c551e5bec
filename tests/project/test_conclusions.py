"""What the chapters conclude, from records and from cells that run: each line names what is there.

A line has the text cell that concludes, the record and its rows or, for "live", the code cells that
show it, n (seeds, trainings, models or test sets; "exact" where nothing is drawn), the control, and
in a few words what it answers to the seven questions of studies/README.md.
"""

import csv
import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from programs import chapter_source

from attnbook.contents import CHAPTERS
from attnlib.data import bundled_directory

ROOT = Path(__file__).parents[2]
LIST = ROOT / "studies" / "conclusions.tsv"
RUNS = bundled_directory().parent / "runs"


def lines() -> list[dict[str, str]]:
    with LIST.open(encoding="utf-8", newline="") as table:
        return list(csv.DictReader(table, delimiter="\t", quoting=csv.QUOTE_NONE))


LIVE = "live"
COLUMNS = ["chapter", "cell", "conclusion", "record", "rows", "n", "control", "answers"]


AXES = ("task", "preset", "corpus", "model", "part", "variant", "length", "rate", "budget")


def label(run: dict[str, Any]) -> str:
    """What a run of a record shares with those of other seeds: its value on each axis."""
    own = list(run)[: list(run).index("seed")] if "seed" in run else []  # see studies/runner.py
    axes = dict.fromkeys(name for name in (*AXES, *own) if name in run and name != "updates")
    return " ".join(str(run[name]) for name in axes) or f"{run.get('updates', '?')} updates"


def named(line: dict[str, str]) -> str:
    return f"{line['chapter']}-{line['cell']}-{line['record']}"


@pytest.mark.parametrize("line", lines(), ids=named)
def test_a_conclusion_names_the_cell_that_draws_it_and_leaves_no_field_empty(
    line: dict[str, str],
) -> None:
    assert list(line) == COLUMNS and all(line.values())
    kinds = {cell.id: cell.cell_type for cell in chapter_source(line["chapter"]).cells}
    assert kinds.get(line["cell"]) == "markdown"
    if line["record"] == LIVE:
        assert {kinds.get(cell) for cell in line["rows"].split("; ")} == {"code"}
        assert line["n"] == "exact" or int(line["n"]) > 0


@pytest.mark.parametrize("line", [line for line in lines() if line["record"] != LIVE], ids=named)
def test_a_record_has_the_rows_of_a_conclusion_and_as_many_seeds(line: dict[str, str]) -> None:
    record = json.loads((RUNS / f"{line['record']}.json").read_text(encoding="utf-8"))
    there = Counter(label(run) for run in record["runs"])
    for row in line["rows"].split("; "):
        words = set() if row == "*" else set(row.split())
        seeds = [n for name, n in there.items() if words <= set(name.split())]
        assert seeds, f"no row {row!r} in {line['record']}"
        assert min(seeds) >= int(line["n"]), f"{row}: {min(seeds)} seeds"


def test_every_file_concludes_something_in_the_order_of_the_book() -> None:
    order = [*(chapter.notebook for chapter in CHAPTERS.values()), "C_notes"]
    chapters = [line["chapter"] for line in lines()]
    assert list(dict.fromkeys(chapters)) == order
    assert chapters == sorted(chapters, key=order.index)


def test_every_record_that_a_chapter_reads_has_a_conclusion_or_is_one_of_pictures() -> None:
    listed = {line["record"] for line in lines()}
    sources = "".join(
        path.read_text(encoding="utf-8") for path in (ROOT / "chapters" / "source").glob("*.py")
    )
    read = {path.stem for path in RUNS.glob("*.json") if f'"{path.stem}"' in sources}
    assert read - listed == {"08_hypotheses"}  # one sentence's hypotheses, drawn as a tree
