"""Predictions: noted before the result, compared with it, and nothing at all where left blank."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest
import torch

from attnbook import kept, predict, reveal
from attnbook.reader import predictions

SOURCES = sorted((Path(__file__).parents[2] / "chapters" / "source").glob("*.py"))


@pytest.fixture(autouse=True)
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv(kept.KEPT, str(tmp_path / "progress.json"))
    monkeypatch.setattr(predictions, "_said", {})
    return tmp_path / "progress.json"


def test_left_blank_nothing_happens(file: Path, capsys: pytest.CaptureFixture) -> None:
    assert predict("05.ratio", ...) is None
    assert reveal("05.ratio", 7.39) is None
    assert predict("05b.ratio", ...) is None  # of a chapter's second file
    assert reveal("05.never-asked", "yes") is None
    assert capsys.readouterr().out == ""
    assert not file.exists()


@pytest.mark.parametrize(
    ("answer", "value", "within", "told", "right"),
    [
        (7, 7.389, 1, "You said 7; it is 7.39. Right, within 1.", True),
        (3, 7.389, 1, "You said 3; it is 7.39.", False),
        (6, 7, 1, "You said 6; it is 7. Right, within 1.", True),  # the edge belongs to it
        (8.001, 7, 1, "You said 8; it is 7.", False),
        ("2", 2, 0, "You said 2; it is 2. Right.", True),
        (999, 1000, 0, "You said 999; it is 1,000.", False),
        (
            12000,
            torch.tensor(12345),
            500,
            "You said 12,000; it is 12,345. Right, within 500.",
            True,
        ),
        (float("nan"), 1.0, 9, "You said nan; it is 1.", False),
        ("Yes ", "yes", 0, "You said 'Yes'; it is 'yes'. Right.", True),
        (True, "yes", 0, "You said 'yes'; it is 'yes'. Right.", True),
        (False, "yes", 0, "You said 'no'; it is 'yes'.", False),
        ("yes", " yes", 0, "You said 'yes'; it is 'yes'. Right.", True),
        (2, "2", 0, "You said '2'; it is '2'. Right.", True),
        ("b", "c", 0, "You said 'b'; it is 'c'.", False),
    ],
)
def test_an_answer_is_compared_and_kept(
    answer, value, within, told, right, file: Path, capsys: pytest.CaptureFixture
) -> None:
    predict("05.ratio", answer)
    assert capsys.readouterr().out == f"Noted: {answer}.\n"
    reveal("05.ratio", value, within)
    assert capsys.readouterr().out == f"{told}\n"
    assert kept.read()["predictions"]["05.ratio"]["right"] is right


def test_the_first_answer_counts_and_a_later_one_is_compared_all_the_same(capsys) -> None:
    predict("05.ratio", 3, sure=70)
    reveal("05.ratio", 7)
    predict("05.ratio", 7, sure=100)
    reveal("05.ratio", 7)
    assert (
        "Noted: 7, and you are 100 % sure.\nYou said 7; it is 7. Right." in capsys.readouterr().out
    )
    assert kept.read()["predictions"] == {
        "05.ratio": {"said": 3.0, "was": 7.0, "right": False, "sure": 70}
    }


def test_an_answer_that_is_taken_back_is_not_compared(capsys: pytest.CaptureFixture) -> None:
    predict("05.ratio", 3)
    predict("05.ratio", ...)
    capsys.readouterr()
    reveal("05.ratio", 7)
    assert capsys.readouterr().out == ""


def test_a_word_where_a_number_is_asked_for_is_told_so_and_not_kept(file: Path, capsys) -> None:
    predict("05.ratio", "seven")
    reveal("05.ratio", 7)
    assert "You said 'seven'; a number is asked for.\n" in capsys.readouterr().out
    assert not file.exists()


@pytest.mark.parametrize("sure", [0, 0.5, 100])
def test_one_may_be_entirely_unsure_and_entirely_sure(sure: float, capsys) -> None:
    predict("05.ratio", 3, sure=sure)
    assert capsys.readouterr().out == f"Noted: 3, and you are {sure} % sure.\n"


@pytest.mark.parametrize("sure", [-1, 101, float("nan")])
def test_nobody_is_surer_than_sure(sure: float, capsys: pytest.CaptureFixture) -> None:
    predict("05.ratio", 3, sure=sure)
    assert capsys.readouterr().out.startswith(f"How sure you are goes from 0 to 100 %; {sure} is")
    reveal("05.ratio", 3)
    assert kept.read()["predictions"]["05.ratio"]["sure"] is None


def test_what_an_author_gets_wrong_is_refused() -> None:
    with pytest.raises(ValueError, match="name must be like"):
        predict("ratio", 3)
    with pytest.raises(ValueError, match="within must be at least 0, got -1"):
        reveal("05.ratio", 3, within=-1)


# In the chapters ---------------------------------------------------------------------------------


def faults(number: str, source: str) -> Iterator[str]:
    """What is wrong with the predictions of a chapter."""
    asked: list[str] = []
    shown: list[str] = []
    tree = ast.parse(source)
    if not any(isinstance(node, ast.alias) and node.name == "predict" for node in ast.walk(tree)):
        return  # a chapter may have a function of its own with that name
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name):
            continue
        if node.func.id in ("predict", "reveal"):
            name = ast.literal_eval(node.args[0])
            (asked if node.func.id == "predict" else shown).append(name)
            if not name.startswith(f"{number}."):
                yield f"{name} has the number of another chapter"
            if node.func.id == "predict" and [ast.unparse(given) for given in node.args[1:]] != [
                "..."
            ]:
                yield f"{name} is not left blank"
    if len(asked) > 8:
        yield f"{len(asked)} predictions are asked for, more than 8"
    if sorted(asked) != sorted(shown) or len(set(asked)) < len(asked):
        yield f"asked for: {sorted(asked)}, revealed: {sorted(shown)}"


@pytest.mark.parametrize("source", SOURCES, ids=lambda path: path.stem)
def test_a_chapter_asks_for_at_most_eight_and_reveals_each(source: Path) -> None:
    number = source.stem.partition("_")[0]
    assert list(faults(number, source.read_text(encoding="utf-8"))) == []


IMPORT = "from attnbook import predict, reveal\n"
ASKS = f'{IMPORT}predict("05.a", ...)\n'


@pytest.mark.parametrize(
    ("source", "count"),
    [
        (ASKS + 'reveal("05.a", 3)', 0),
        (ASKS, 1),
        (ASKS + 'reveal("05.b", 3)', 1),
        (ASKS + ASKS + 'reveal("05.a", 3)\nreveal("05.a", 3)', 1),
        (IMPORT + 'predict("05.a", 3)\nreveal("05.a", 3)', 1),
        (IMPORT + 'predict("06.a", ...)\nreveal("06.a", 3)', 2),
        (IMPORT + "".join(f'predict("05.{n}", ...)\nreveal("05.{n}", 1)\n' for n in range(9)), 1),
        ("def predict(x): ...\npredict(3)", 0),
    ],
)
def test_a_prediction_with_a_fault_is_found(source: str, count: int) -> None:
    assert len(list(faults("05", source))) == count
