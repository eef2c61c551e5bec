"""Mutation testing: what is changed, what becomes of it, and two exercises without a hole."""

import sys
from functools import partial

import pytest
from programs import ROOT, load

if sys.platform == "win32":
    pytest.skip("Windows has no fork", allow_module_level=True)

mutants = load(ROOT / "tests" / "mutants.py")


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("return a / b", {"a * b", "a // b", "b / a", "a", "b"}),
        ("return a & ~b", {"a | ~b", "a & b", "a", "~b"}),
        ("return a[1:]", {"a[:]", "a[2:]", "a[0:]"}),
        ("return f(a, -1)", {"f(-1, a)", "f(a, 0)", "f(a, -2)", "f(a, 1)"}),
        ("return a.max(dim=0)", {"a", "a.min(dim=0)", "a.max()", "a.max(dim=1)", "a.max(dim=-1)"}),
    ],
)
def test_a_function_is_changed_in_one_place_at_a_time(body: str, expected: set[str]) -> None:
    found = mutants.mutants(f"LIMIT = 3\n\ndef f(a, b=2):\n    'Doc.'\n    {body}")
    changed = [mutant.source.splitlines()[-1].removeprefix("    return ") for mutant in found]
    assert {*changed} == expected and len(changed) == len(expected)
    assert {mutant.line for mutant in found} == {5}


def test_a_mutant_survives_where_its_tests_pass_unless_it_is_listed_as_equivalent(
    monkeypatch: pytest.MonkeyPatch, tmp_path
) -> None:
    source, accepts = mutants.of_exercise("shares")
    (tmp_path / "known.tsv").write_text("shares\tgone → gone\tno reason\n", encoding="utf-8")
    monkeypatch.setattr(mutants, "EQUIVALENT", tmp_path / "known.tsv")
    noticed = "shares: listed, but noticed or gone: gone → gone"
    assert mutants.try_all("shares", source, accepts, 10) == [noticed]
    found = mutants.try_all("shares", source, lambda changed: "sum" in changed, 10)
    assert any("survives" in line for line in found) and noticed in found
    assert mutants.try_all("shares", source, lambda changed: False, 10) == [
        "shares: the unchanged source fails"
    ]


def test_a_mutant_that_never_ends_is_killed() -> None:
    def endless(_: str) -> bool:
        while True:
            pass

    assert not mutants.passes(partial(endless, ""), 0.5)


@pytest.mark.thorough
def test_every_line_of_the_list_names_a_possible_change() -> None:
    lines = mutants.EQUIVALENT.read_text(encoding="utf-8").splitlines()
    for name in {line.split("\t")[0] for line in lines}:
        there = {mutant.description for mutant in mutants.mutants(mutants.of_exercise(name)[0])}
        assert mutants.known_equivalents(name) <= there, name
    assert all(len(line.split("\t")) == 3 for line in lines)


@pytest.mark.thorough
def test_no_mutant_of_the_sample_survives() -> None:
    assert mutants.main(["shares", "additive_score"]) == 0
