"""The program that mutates the library: what it changes, chooses, tells and leaves alone."""

import ast
import os
import subprocess
import sys
from pathlib import Path

import pytest
from programs import load

pytestmark = pytest.mark.thorough

mutants = load(Path(__file__).with_name("mutants.py"))

TOY = '''\
class Numbers:
    def clipped(self, number, most=9):
        """At most ``most``, of which
        nine is enough."""
        if number > most:
            number = most
        return number


def sign(number):
    return -1 if number < 0 else 1


def emptied(number):
    while number > 0:
        number -= 1
    return number
'''
TESTS = """\
from attnlib.toy import Numbers, emptied, sign

def test_all():
    assert [Numbers().clipped(n) for n in (8, 9, 10, 11)] == [8, 9, 9, 9]
    assert sign(2) == 1 and sign(-2) == -1
    assert emptied(3) == 0
"""
WANTED = {
    "number > most → number >= most": "equivalent",  # most is most
    "number < 0 → number <= 0": "survives",  # nobody asks for 0
    "number < 0 → number > 0": "killed",
    "most=9 → most=10": "killed",
    "number -= 1 → number += 1": "timeout",
}
EQUIVALENT = """\
attnlib/toy.py:Numbers.clipped\t1\tnumber > most → number >= most\tmost is most
attnlib/toy.py:sign\t1\tnumber < 0 → number > 0\ta mistake
attnlib/toy.py:sign\t2\tnumber < 0 → number > 0\tthere is no second
"""
DRIVER = """
import importlib.util, pathlib, sys
spec = importlib.util.spec_from_file_location("mutants_of_library", sys.argv[1])
program = importlib.util.module_from_spec(spec)
sys.modules[spec.name] = program
spec.loader.exec_module(program)
program.ROOT = pathlib.Path(sys.argv[2])
program.EQUIVALENT = program.ROOT / "equivalent.tsv"
program.TESTS, program.PRELOADED, program.SECONDS = {"toy": "toy"}, ("pytest",), 1
program.PYTEST = ("-x", "-q", "-p", "no:cacheprovider", "--import-mode=importlib")
wanted = set(sys.argv[3:])
program.sample = lambda every, size, seed: [change for change in every if change.what in wanted]
sys.exit(program.main(["--room", "toy", "--verbose"]))
"""


@pytest.fixture
def toy(tmp_path: Path) -> Path:
    files = {
        **{"attnlib/__init__.py": "", "attnlib/toy.py": TOY, "tests/library/test_toy.py": TESTS},
        **{"equivalent.tsv": EQUIVALENT, "pyproject.toml": ""},
    }
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    return tmp_path


def _run(toy: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", DRIVER, mutants.__file__, str(toy), *WANTED]
    return subprocess.run(command, capture_output=True, encoding="utf-8")


@pytest.mark.skipif(sys.platform == "win32", reason="the program needs fork")
def test_each_mutant_is_killed_equivalent_late_or_survives_and_the_tree_stays_as_it_was(
    toy: Path,
) -> None:
    before = {path: path.read_bytes() for path in toy.rglob("*") if path.is_file()}
    answer = _run(toy)
    lines = [line.split("\t") for line in answer.stdout.splitlines() if line.startswith("   ")]
    assert {what: fate for _, fate, _, _, what, _ in lines} == WANTED, answer.stderr
    told = {what: last for *_, what, last in lines}
    assert told["number < 0 → number > 0"] == "tests/library/test_toy.py::test_all"
    assert told["number < 0 → number <= 0"] == "return -1 if number <= 0 else 1"
    assert told["number > most → number >= most"] == "most is most"
    *_, row, first, second = answer.stdout.splitlines()
    assert row.split()[:7] == ["all", "5", "2", "1", "1", "1", "75.0%"]
    assert "but killed: attnlib/toy.py:sign  1" in first
    assert "but gone: attnlib/toy.py:sign  2" in second
    assert answer.returncode == 1
    assert {path: path.read_bytes() for path in toy.rglob("*") if path.is_file()} == before


@pytest.mark.skipif(sys.platform == "win32", reason="the program needs fork")
def test_nothing_is_said_of_mutants_where_the_unchanged_tests_fail(toy: Path) -> None:
    (toy / "attnlib" / "toy.py").write_text(TOY.replace("-1 if", "1 if"), encoding="utf-8")
    answer = _run(toy)
    told = "the unchanged library fails: tests/library/test_toy.py::test_all"
    assert (answer.returncode, answer.stderr.splitlines()[-1]) == (1, told)


def test_the_rate_leaves_out_what_is_equivalent_and_decides_how_the_program_ends(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(mutants, "EQUIVALENT", tmp_path / "none.tsv")
    change = mutants.Change("attnlib/toy.py", "sign", 1, "a → b", (1, 0), "")

    def ends(killed: int, equal: int, survivors: int) -> int:
        kinds = [mutants.KILLED] * killed + [mutants.EQUAL] * equal + [mutants.SURVIVES] * survivors
        return mutants.report([change], [mutants.Fate(change, kind, "") for kind in kinds])

    assert ends(95, 3, 5) == 0
    assert " 95.0%   88.8% to 97.8%" in capsys.readouterr().out.splitlines()[-1]
    assert ends(94, 30, 5) == 1


def test_the_interval_is_wilsons() -> None:
    # By hand: (p + z²/2n ± z √(p(1 − p)/n + z²/4n²)) / (1 + z²/n).
    assert mutants.interval(0, 10) == pytest.approx((0, 0.2775), abs=1e-4)
    assert mutants.interval(50, 100) == pytest.approx((0.4038, 0.5962), abs=1e-4)
    assert mutants.interval(0, 0) == (0, 1)


def _changes(room: str, count: int) -> list[object]:
    return [
        mutants.Change(f"attnlib/{room}.py", "f", number, "a → b", (1, 0), "")
        for number in range(count)
    ]


def test_every_room_gives_its_share_of_the_sample() -> None:
    every = [*_changes("data", 60), *_changes("search", 30), *_changes("names", 9)]
    chosen = [change.room for change in mutants.sample(every, 33)]
    assert [chosen.count(room) for room in ("data", "search", "names")] == [20, 10, 3]
    assert len(mutants.sample(every, 32)) == 32
    assert set(mutants.sample(every, 1000)) == set(every)


def test_a_sample_is_the_same_again_and_does_not_follow_changes_elsewhere() -> None:
    every = _changes("data", 40)
    chosen = mutants.sample(every, 10)
    assert mutants.sample(list(reversed(every)), 10) == chosen
    assert set(chosen) < set(mutants.sample(every, 15))
    assert chosen != mutants.sample(every, 10, seed=1)
    moved = [change._replace(at=(9, 4)) for change in every]
    assert [change.key for change in mutants.sample(moved, 10)] == [c.key for c in chosen]
    without = [change for change in every if change != chosen[0]]
    assert set(chosen[1:]) < set(mutants.sample(without, 10))


def test_one_function_of_a_module_is_changed_and_nothing_else(toy: Path, monkeypatch) -> None:
    monkeypatch.setattr(mutants, "ROOT", toy)
    found = mutants.changes()
    assert {change.function for change in found} == {"Numbers.clipped", "sign", "emptied"}
    assert len({change.key for change in found}) == len(found) > 20
    for change in found:
        old, new = (ast.parse(text).body for text in (TOY, mutants.changed_module(TOY, change)))
        differ = [one.name for one, two in zip(old, new) if ast.dump(one) != ast.dump(two)]
        assert differ == [change.function.split(".")[0]]
        assert ast.get_docstring(new[0].body[0]) == "At most ``most``, of which\nnine is enough."


def test_default_values_are_changed_too() -> None:
    code = "def f(a, b=2, *, c, d=True, e=-1, g='x', h=None):\n    return a"
    told = {mutant.description for mutant in mutants.mutants(code, defaults=True)}
    assert told == {
        "b=2 → b=3",
        "b=2 → b=1",
        "d=True → d=False",
        "e=-1 → e=0",
        "e=-1 → e=-2",
        "e=-1 → e=1",
        "g='x' → g=''",
    }
    assert mutants.mutants(code) == []


def test_every_module_of_the_library_has_tests_and_every_file_of_tests_a_module() -> None:
    modules = mutants.modules()
    assert len(modules) > 40
    files = {file for module in modules for file in mutants.tests_of(module)}
    assert [file for file in sorted(files) if not (mutants.ROOT / file).is_file()] == []
    inside = [module.removeprefix("attnlib/") for module in modules]
    assert [key for key in mutants.TESTS if not any(x.startswith(key) for x in inside)] == []
    there = {f"tests/library/{path.name}" for path in Path(__file__).parent.glob("test_*.py")}
    # Of the corpus's generator, of GPUs, and this one.
    other = {f"tests/library/test_{name}.py" for name in ("ko_en", "accelerator", "mutants")}
    assert there - files == other
    with pytest.raises(ValueError, match="attnlib/new.py: TESTS .* does not say what tests it"):
        mutants.tests_of("attnlib/new.py")


def test_every_reason_names_a_function_of_the_library() -> None:
    for function, count, what in mutants.known_equivalents():
        module, _, name = function.partition(":")
        assert name in dict(mutants.functions(module)), f"{function} {count} {what}"


def test_shapes_are_checked_under_mutants_as_in_every_test() -> None:
    assert "conftest.py" in mutants.COPIED  # where the hooks stand
    checked = (
        "tests/project/test_architecture.py::test_shapes_and_types_are_checked_while_tests_run"
    )
    environment = {**os.environ, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "PYTEST_ADDOPTS": ""}
    command = [sys.executable, "-m", "pytest", *mutants.PYTEST, checked]
    answer = subprocess.run(
        command, cwd=mutants.ROOT, env=environment, capture_output=True, encoding="utf-8"
    )
    assert "1 passed" in answer.stdout, answer.stdout
