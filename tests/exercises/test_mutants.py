"""Mutants: what is made of a function, what becomes of it, and a sample of the book's solutions."""

import ast
import inspect
import textwrap
from pathlib import Path

import pytest
from programs import load

from attnbook.exercises.engine import find, names_by_chapter

pytestmark = pytest.mark.thorough

mutants = load(Path(__file__).with_name("mutants.py"))


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("return a < b", {"a <= b", "a > b"}),
        ("return a / b", {"a * b", "a // b", "b / a", "a", "b"}),
        ("return a & ~b", {"a | ~b", "a & b", "a", "~b"}),
        (
            "return a.sum(-1)",
            {"a", "a.mean(-1)", "a.prod(-1)", "a.sum(0)", "a.sum(-2)", "a.sum(1)"},
        ),
        ("return a @ b.T", {"a * b.T", "b.T @ a", "a @ b.T.mT", "a", "b.T", "a @ b"}),
        ("return f(a, b)", {"f(b, a)"}),
        ("return a[1:]", {"a[:]", "a[2:]", "a[0:]"}),
        ("return a and b", {"a or b", "a", "b"}),
        ("return [x for x in a if x]", {"[x for x in a]", "[x for x in a if not x]"}),
        ("return (a, True)", {"(True, a)", "(a, False)"}),
        ("return a.max(dim=0)", {"a", "a.min(dim=0)", "a.max()", "a.max(dim=1)", "a.max(dim=-1)"}),
    ],
)
def test_a_function_is_changed_in_one_place_at_a_time(body: str, expected: set[str]) -> None:
    found = mutants.mutants(f"def f(a, b):\n    {body}")
    changed = {mutant.source.splitlines()[-1].removeprefix("    return ") for mutant in found}
    assert changed == expected
    assert {mutant.line for mutant in found} == {2}


def test_loops_conditions_and_statements_are_mutated_too() -> None:
    code = (
        'def f(a):\n    """Doc."""\n    for x in a:\n        if x:\n            break\n'
        "        a += 1\n    if a is None:\n        raise ValueError(f'a sentence {a}')\n"
        "    return a"
    )
    told = {mutant.description for mutant in mutants.mutants(code)}
    assert {
        "break → continue",
        "x → not x",
        "removed: a += 1",
        "a += 1 → a = 1",
        "a += 1 → a -= 1",
        "a is None → a is not None",
        "removed: for x in a:",
    } <= {text.replace("if x: → if not x:", "x → not x") for text in told}
    assert not any("Doc" in text or "sentence" in text for text in told if "raise" not in text)
    assert len(told) == len(mutants.mutants(code)), "a description stands for one mutant"


def test_the_same_mutants_come_every_time_and_each_is_python_of_its_own() -> None:
    for solution in mutants.solutions():
        found = mutants.mutants(solution.source)
        assert found == mutants.mutants(solution.source)
        sources = [mutant.source for mutant in found]
        assert len(set(sources)) == len(sources) > 2
        assert ast.unparse(ast.parse(solution.source)) not in sources
        for source in sources:
            ast.parse(source)
        assert len({mutant[:2] for mutant in found}) == len(found), "a line of a file names one"


def test_every_exercise_is_held_to_the_solution_that_is_printed() -> None:
    names: dict[str, tuple[str, ...]] = {}
    for solution in mutants.solutions():
        names[solution.chapter] = (*names.get(solution.chapter, ()), solution.exercise)
        assert "import" in solution.setup
        reference = find(solution.exercise).reference
        body = textwrap.dedent(inspect.getsource(reference)).partition('"""\n')[2]
        assert reference.__name__ == solution.exercise
        assert body.strip() and solution.source.endswith(body.rstrip("\n"))
    assert {key: set(value) for key, value in names.items()} == {
        key: set(value) for key, value in names_by_chapter().items()
    }


def test_a_solution_has_what_its_cell_imports_above_it() -> None:
    (clip,) = mutants.solutions(exercises=["clip_by_norm"])
    assert list(mutants.judged(clip, [mutants.Mutant("", 1, clip.source)])) == [""]


def test_a_change_that_the_check_sees_is_killed_and_one_that_it_does_not_see_passes() -> None:
    shares = "def shares(amounts):\n    return amounts{} / amounts.sum(){}"
    chosen = [
        mutants.Mutant("", 1, source)
        for source in (shares.format("", " + 1"), shares.format(" * 1", ""), "def shares(a): (")
    ]
    solution = mutants.Solution("00", "shares", shares.format("", ""), "import torch")
    told = list(mutants.judged(solution, chosen))
    assert [bool(why) for why in told] == [True, False, True]


def _first_only(name: str, first: int, count: int) -> list[str]:
    return ["no"] * (first < 1)


def test_a_mutant_that_never_ends_or_kills_its_process_is_killed(monkeypatch) -> None:
    (solution,) = mutants.solutions(exercises=["shares"])
    monkeypatch.setattr(
        mutants, "_told_by_process", lambda name, first, count: ["no"] * (first < 1)
    )
    told = mutants.fates(solution)
    assert [fate.why for fate in told[:2]] == ["no", "its process hung or died"]
    assert {fate.fate for fate in told} == {mutants.KILLED}


def test_a_survivor_is_excused_by_a_reason_and_a_reason_without_a_survivor_is_told(
    monkeypatch, tmp_path, capsys
) -> None:
    (solution,) = mutants.solutions(exercises=["shares"])
    first, second = mutants.mutants(solution.source)[:2]
    lines = [f"shares\t{m.line}\t{m.description}\tthe same numbers" for m in (first, second)]
    (tmp_path / "ch00.tsv").write_text("\n".join(lines), encoding="utf-8")
    monkeypatch.setattr(mutants, "EQUIVALENT", tmp_path)
    monkeypatch.setattr(
        mutants,
        "_told_by_process",
        lambda name, first, count: ["", "seen", "", *["seen"] * 90][:count],
    )
    found = mutants.fates(solution)
    assert [fate.fate for fate in found[:3]] == [mutants.EQUAL, mutants.KILLED, mutants.SURVIVES]
    assert found[0].why == "the same numbers"
    assert mutants._print_stale(solution, found) == 1
    assert second.description in capsys.readouterr().out


def test_every_reason_names_an_exercise_of_its_chapter() -> None:
    for chapter, names in names_by_chapter().items():
        assert {key[0] for key in mutants.known_equivalents(chapter)} <= set(names)


@pytest.mark.parametrize("exercise", ["shares", "additive_score"])
def test_no_mutant_of_the_sample_survives(exercise: str) -> None:
    (solution,) = mutants.solutions(exercises=[exercise])
    found = mutants.fates(solution)
    assert len(found) >= 8
    assert [fate.mutant.description for fate in found if fate.fate == mutants.SURVIVES] == []
