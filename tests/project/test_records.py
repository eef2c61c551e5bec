"""The recorded runs: what a program reads and saves again is the file that was there."""

import json
from pathlib import Path

import pytest

from attnlib.data import bundled_directory
from benchmarks import records

ALL = sorted((bundled_directory().parent / "runs").glob("*.json"))
FILES = [path for path in ALL if path.stem != "10_multi30k"]  # that one has a form of its own


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_file_saved_again_is_the_same_file(path: Path, tmp_path: Path) -> None:
    head = json.loads(path.read_text(encoding="utf-8"))
    runs = head.pop("runs")
    close = (",", ":") if path.stem == "09_joined_captions" else None
    records.save(tmp_path / "again.json", head, runs, close)
    assert (tmp_path / "again.json").read_bytes() == path.read_bytes()
    key = [name for name in ("task", "variant", "updates", "length", "seed") if name in runs[0]]
    assert list(records.read(path, key).values()) == runs  # and no two runs have one key


def test_a_file_that_is_not_there_holds_no_run(tmp_path: Path) -> None:
    assert records.read(tmp_path / "none.json") == {}


def test_runs_stand_in_the_order_of_their_variants_then_of_their_seeds() -> None:
    runs = {("b", 1): {"n": 3}, ("a", 2): {"n": 2}, ("a", 1): {"n": 1}, ("b", 2): {"n": 4}}
    assert [run["n"] for run in records.in_order(runs, ["a", "b"])] == [1, 2, 3, 4]
