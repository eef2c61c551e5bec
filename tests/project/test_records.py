"""The recorded runs: what a program reads and saves again is the file that was there."""

import importlib
import itertools
import json
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import pytest

from attnlib.data import bundled_directory
from benchmarks import records

ALL = sorted((bundled_directory().parent / "runs").glob("*.json"))
AXES = ("corpus", "task", "preset", "model", "part", "variant", "updates", "length")
FILES = [path for path in ALL if path.stem != "10_multi30k"]  # that one has a form of its own


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_file_saved_again_is_the_same_file(path: Path, tmp_path: Path) -> None:
    head = json.loads(path.read_text(encoding="utf-8"))
    runs = head.pop("runs")
    close = (",", ":") if path.stem in ("09_joined_captions", "10_learning") else None
    records.save(tmp_path / "again.json", head, runs, close)
    assert (tmp_path / "again.json").read_bytes() == path.read_bytes()
    key = [name for name in (*AXES, "seed") if name in runs[0]]
    assert list(records.read(path, key).values()) == runs  # and no two runs have one key


def test_a_file_that_is_not_there_holds_no_run(tmp_path: Path) -> None:
    assert records.read(tmp_path / "none.json") == {}


# The runner -------------------------------------------------------------------------------------

BENCHMARKS = Path(records.__file__).parent
PROGRAMS = sorted(
    path.stem
    for path in BENCHMARKS.glob("*.py")
    if "import runner" in path.read_text(encoding="utf-8")
)


@pytest.fixture
def programs(monkeypatch: pytest.MonkeyPatch) -> Callable[[str], ModuleType]:
    """Import a program of benchmarks/ as Python does that runs it: its own folder comes first."""
    before = set(sys.modules)
    monkeypatch.syspath_prepend(BENCHMARKS)
    yield importlib.import_module
    for name in set(sys.modules) - before:
        if Path(getattr(sys.modules[name], "__file__", None) or "/").parent == BENCHMARKS:
            del sys.modules[name]


def run(programs, path: Path, *options: str, doc: str = "A doc.\n") -> list[tuple]:
    """Run a series of two axes; the runs that were made, in the order in which that was."""
    made: list[tuple] = []

    def make(task: str, variant: str, seed: int) -> dict:
        made.append((task, variant, seed))
        return {"n": len(made)}

    runner = programs("runner")
    axes = {"task": ["x", "w"], "variant": ["b", "a"]}
    series = runner.Series(
        "00_none", axes, make, lambda: {"what": 1}, skip=lambda t, v: (t, v) == ("w", "a")
    )
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "argv", ["program", "--file", str(path), *options])
        runner.main(doc, series)
    return made


def keys(path: Path) -> list[tuple]:
    return list(records.read(path, ("task", "variant", "seed")))


def test_all_runs_are_made_both_orders_in_turn_and_stand_in_the_order_of_the_axes(
    programs, tmp_path: Path, capsys: pytest.CaptureFixture
) -> None:
    path = tmp_path / "runs.json"
    assert run(programs, path, "--seeds", "1", "2") == [
        *(("x", "b", 1), ("x", "a", 1), ("w", "b", 1)),
        *(("w", "b", 2), ("x", "a", 2), ("x", "b", 2)),
    ]
    assert keys(path) == [
        *(("x", "b", 1), ("x", "b", 2), ("x", "a", 1), ("x", "a", 2)),
        *(("w", "b", 1), ("w", "b", 2)),
    ]
    assert json.loads(capsys.readouterr().out.splitlines()[0])["n"] == 1
    assert json.loads(path.read_text(encoding="utf-8"))["what"] == 1


def test_a_run_that_is_in_the_file_is_not_made_again_and_stays_as_it_is(
    programs, tmp_path: Path
) -> None:
    path = tmp_path / "runs.json"
    head, old = {"what": 0}, {"task": "x", "variant": "a", "seed": 1, "n": 77}
    records.save(path, head, [old, {**old, "variant": "given up"}])
    before = path.read_bytes()
    chosen = ("--tasks", "x", "--variants", "a", "--seeds", "1")
    assert run(programs, path, *chosen) == [] and path.read_bytes() == before
    assert run(programs, path, "--tasks", "x", "--seeds", "1") == [("x", "b", 1)]
    assert keys(path) == [("x", "b", 1), ("x", "a", 1)]  # a variant that is no more goes
    assert records.read(path, ("variant",))[("a",)] == old


def test_a_program_that_is_stopped_keeps_what_it_has(programs, tmp_path: Path) -> None:
    path = tmp_path / "runs.json"
    runner = programs("runner")

    def make(variant: str, seed: int) -> dict:
        if variant == "b":
            raise KeyboardInterrupt
        return {}

    series = runner.Series("00_none", {"variant": ["a", "b"]}, make, lambda: {"what": 1})
    with pytest.MonkeyPatch.context() as patch, pytest.raises(KeyboardInterrupt):
        patch.setattr(sys, "argv", ["program", "--file", str(path), "--seeds", "1"])
        runner.main("", series)
    assert list(records.read(path)) == [("a", 1)]


@pytest.mark.parametrize("options", [["--variants", "c"], ["--seeds", "one"], ["--what", "1"]])
def test_a_variant_that_does_not_exist_is_refused(
    options: list[str], programs, tmp_path: Path, capsys: pytest.CaptureFixture
) -> None:
    with pytest.raises(SystemExit):
        run(programs, tmp_path / "runs.json", *options)
    assert options[0] in capsys.readouterr().err


WITH_FOLDER = {"joined_captions", "learning_to_speak", "search_sweep"}
PARTS = ("widths", "penalties", "stops", "samples")
TO_MAKE = {  # long runs that nobody has made yet
    "learning_to_speak": [("multi30k-de-en", 1)],
    "search_sweep": [*itertools.product(("good", "half-trained"), PARTS, (1,))],
}
CASES = [
    *((name, None) for name in PROGRAMS if name not in WITH_FOLDER),
    ("teacher_forcing_chapter", "translate"),
    ("learning_to_speak", Path()),
    ("search_sweep", Path()),
    pytest.param("joined_captions", Path(), marks=pytest.mark.network("multi30k-de-en")),
]


@pytest.mark.parametrize(("name", "argument"), CASES)
def test_a_program_would_find_its_record_complete_and_write_the_same_head(
    name: str, argument: object, programs
) -> None:
    program = programs(name)
    if name == "teacher_forcing_chapter":
        argument = argument or "reverse"
    series = program.SERIES if argument is None else program.series(argument)
    path = records.path_of(series.name)
    given = programs("runner").parser("", series).parse_args([])
    there, wanted = list(records.read(path, series.key)), list(series.wanted(given))
    assert sorted([*there, *TO_MAKE.get(name, [])]) == sorted(wanted)
    assert sorted(there, key=series.place) == there
    if not there:
        return
    record = json.loads(path.read_text(encoding="utf-8"))
    record.pop("runs")
    head = json.loads(json.dumps(series.head()))
    made_with = set(records.origin())
    assert list(head) == list(record)
    assert {k: v for k, v in head.items() if k not in made_with} == {
        k: v for k, v in record.items() if k not in made_with
    }


def test_every_program_that_makes_a_record_uses_the_runner() -> None:
    names = {path.stem for path in BENCHMARKS.glob("*.py")}
    assert set(PROGRAMS) == {name for name in names if name.endswith("_chapter")} | WITH_FOLDER
