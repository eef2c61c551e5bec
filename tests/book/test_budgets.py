"""How much a chapter trains: the kind of processor decides, every chapter names both numbers."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest
import torch

from attnbook import budget

SOURCES = sorted((Path(__file__).parents[2] / "chapters" / "source").glob("*.py"))


def imitate(monkeypatch: pytest.MonkeyPatch, capability: str, amx: bool = True) -> None:
    monkeypatch.setattr(torch.backends.cpu, "get_cpu_capability", lambda: capability)
    monkeypatch.setattr(torch.cpu, "_is_amx_tile_supported", lambda: amx, raising=False)


@pytest.mark.parametrize(
    ("capability", "device", "taken"),
    [
        ("AVX512", "cpu", 1000),
        ("AVX2", "cpu", 500),
        ("DEFAULT", "cpu", 500),  # Apple's, and the oldest
        ("SVE256", "cpu", 500),
        ("AVX2", "cuda", 1000),
        ("DEFAULT", torch.device("mps"), 1000),
    ],
)
def test_the_kind_of_processor_decides_and_the_line_says_what_was_taken(
    capability: str, device: str, taken: int, monkeypatch, capsys
) -> None:
    imitate(monkeypatch, capability)
    assert budget(1000, slow=500, device=device) == taken
    line = f"1,000 updates with AVX-512, 500 without; here ≈{taken:,}\n"
    assert capsys.readouterr().out == line


@pytest.mark.parametrize(
    ("capability", "amx", "device", "taken"),
    [
        ("AVX512", True, "cpu", 1800),
        ("AVX512", False, "cpu", 1200),
        ("AVX2", True, "cpu", 1200),  # told to do without AVX-512
        ("AVX2", False, "cuda", 1800),
    ],
)
def test_a_training_that_wants_amx_is_shorter_without(
    capability: str, amx: bool, device: str, taken: int, monkeypatch, capsys
) -> None:
    imitate(monkeypatch, capability, amx)
    assert budget(1800, slow=1200, device=device, unit="AMX") == taken
    line = f"1,800 updates with AMX, 1,200 without; here ≈{taken:,}\n"
    assert capsys.readouterr().out == line


def test_an_unknown_unit_is_refused_with_the_known_ones() -> None:
    with pytest.raises(ValueError, match="unit must be one of AVX-512, AMX, got 'SSE'"):
        budget(1000, slow=500, unit="SSE")


def test_a_budget_that_saves_nothing_is_refused() -> None:
    for slow in (0, -1, 1000, 1500):
        with pytest.raises(ValueError, match=f"slow must be .* less than full, 1000, got {slow}"):
            budget(1000, slow=slow)


def budgets(source: Path) -> Iterator[dict[str, ast.expr]]:
    """The arguments of every call in a chapter."""
    for node in ast.walk(ast.parse(source.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Call) and getattr(node.func, "id", None) == "budget":
            yield {"full": node.args[0], **{part.arg: part.value for part in node.keywords}}


BUDGETS = [(path.stem, given) for path in SOURCES for given in budgets(path)]


@pytest.mark.parametrize(("chapter", "given"), BUDGETS, ids=[name for name, _ in BUDGETS])
def test_a_chapter_with_a_budget_names_both_numbers(chapter, given, monkeypatch) -> None:
    numbers = {name: ast.literal_eval(given[name]) for name in given.keys() - {"device"}}
    for capability, wanted in (("AVX512", "full"), ("AVX2", "slow")):
        imitate(monkeypatch, capability)
        assert budget(**numbers) == numbers[wanted]


def test_the_chapters_that_train_for_long_have_a_budget() -> None:
    assert {name.partition("_")[0] for name, _ in BUDGETS} >= {"05", "09", "11"}
