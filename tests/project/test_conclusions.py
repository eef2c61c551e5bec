"""What the chapters conclude from records: each line of the list names what is there."""

import csv
import json
from collections import Counter
from pathlib import Path

import pytest
from programs import load

from attnlib.data import bundled_directory

ROOT = Path(__file__).parents[2]
LIST = ROOT / "benchmarks" / "conclusions.tsv"
RUNS = bundled_directory().parent / "runs"
summary = load(ROOT / "benchmarks" / "summary.py")


def lines() -> list[dict[str, str]]:
    with LIST.open(encoding="utf-8", newline="") as table:
        return list(csv.DictReader(table, delimiter="\t", quoting=csv.QUOTE_NONE))


@pytest.mark.parametrize("line", lines(), ids=lambda line: f"{line['cell']}-{line['record']}")
def test_a_conclusion_names_a_cell_a_record_its_rows_and_as_many_seeds_as_there_are(
    line: dict[str, str],
) -> None:
    assert all(line.values()), "a field is empty"
    source = ROOT / "chapters" / "source" / f"{line['chapter']}.py"
    assert f'id="{line["cell"]}"' in source.read_text(encoding="utf-8")
    record = json.loads((RUNS / f"{line['record']}.json").read_text(encoding="utf-8"))
    there = Counter(summary.label(run) for run in record["runs"])
    for row in line["rows"].split("; "):
        words = set() if row == "*" else set(row.split())
        seeds = [n for name, n in there.items() if words <= set(name.split())]
        assert seeds, f"no row {row!r} in {line['record']}"
        assert min(seeds) >= int(line["seeds"]), f"{row}: {min(seeds)} seeds"


def test_every_record_that_a_chapter_reads_has_a_conclusion_or_is_one_of_pictures() -> None:
    named = {line["record"] for line in lines()}
    sources = "".join(
        path.read_text(encoding="utf-8") for path in (ROOT / "chapters" / "source").glob("*.py")
    )
    read = {path.stem for path in RUNS.glob("*.json") if f'"{path.stem}"' in sources}
    assert read - named == {"08_hypotheses"}  # one sentence's hypotheses, drawn as a tree
