"""The engine, shown an exercise of its own: verdicts, the decorator, values."""

import json
from functools import partial

import numpy as np
import pytest
import torch
from answering import written

from attnbook import progress_file
from attnbook.exercises import Exercise, ExerciseError, engine, exercise
from attnbook.exercises.judge import BLANK, RIGHT, WRONG, Verdict, is_blank, judge
from attnbook.exercises.show import Feedback
from attnbook.exercises.values import deep_copy, difference


def _inputs():
    yield {"x": torch.arange(6.0), "n": 2}
    yield {"x": torch.tensor([1.0]), "n": 1}


DOUBLE = Exercise(
    reference=lambda x, n: x * n,
    inputs=_inputs,
    rules={
        "n = 1 changes nothing": lambda call: torch.equal(call(n=1), call.x),
        "n = 3 is n = 1 and n = 2 together": lambda call: torch.equal(
            call(n=3), call(n=1) + call(n=2)
        ),
    },
    mistakes={"You add where you should multiply.": lambda x, n: x + n},
    seconds=2.0,
    name="double",
)


def verdict_on(body: str) -> Verdict:
    return judge(DOUBLE, written(f"def double(x, n):\n    {body}"))


@pytest.mark.parametrize(
    "body",
    [
        "raise NotImplementedError('todo')",
        "...",
        "pass",
        "'''Only a docstring.'''",
        "'''Doc.'''\n    raise NotImplementedError",
        "y = x\n    raise NotImplementedError",
    ],
)
def test_a_blank_is_no_mistake(body: str) -> None:
    assert verdict_on(body).state == BLANK


def test_what_is_written_is_not_blank() -> None:
    for body in ("return x", "x * n", "for i in range(n):\n        pass", "print(x)"):
        function = written(f"def double(x, n):\n    {body}")
        assert not is_blank(function), body
        assert judge(DOUBLE, function).state == WRONG


def test_the_smallest_failing_input_is_shown_with_expected_and_got() -> None:
    verdict = verdict_on("return x * n + (x == 3)")  # large input only
    assert verdict.arguments == ("x = torch.tensor([0.0, 1.0, 2.0, 3.0, 4.0, 5.0])", "n = 2")
    assert (verdict.expected, verdict.got) == ("[0, 2, 4, 6, 8, 10]", "[0, 2, 4, 7, 8, 10]")
    verdict = verdict_on("return x * n + 1")
    assert verdict.arguments == ("x = torch.tensor([1.0])", "n = 1")
    assert verdict.rule == "n = 1 changes nothing"


@pytest.mark.parametrize(
    ("body", "rule", "diagnosis"),
    [
        ("return [1]", "returns what", "A list is returned, where a tensor of shape (1,)"),
        ("return x[None] * n", "returns what", "The shape is (1, 1), where (1,) is expected."),
        ("return x * n > 0", "returns what", "contains booleans, where decimal numbers"),
        ("while True: pass", "comes to an end", "stopped after 2 seconds"),
        ("return x * n.real ** 2", "together", "At [0] there is"),
    ],
)
def test_every_fault_has_its_sentence(body: str, rule: str, diagnosis: str) -> None:
    verdict = verdict_on(body)
    assert verdict.state == WRONG
    assert rule in verdict.rule
    assert diagnosis in verdict.diagnosis or rule == "together"


def test_answers_that_are_not_unique_are_judged_by_the_rules_alone() -> None:
    check = Exercise(
        lambda n: [n],
        lambda: [{"n": 6}, {"n": 35}],
        {"the product is n": lambda call: np.prod(call.result) == call.n},
        compare=False,
        name="factor",
    )
    right = written("def factor(n):\n    return [n // 5, 5] if n == 35 else [2, 3]")
    assert judge(check, right).state == RIGHT
    assert judge(check, written("def factor(n):\n    return [2, 3]")).state == WRONG
    assert "A str" in judge(check, written("def factor(n):\n    return '6'")).diagnosis


# What is shown ------------------------------------------------------------------------------------


def test_what_is_printed_is_cut_and_counted(capsys) -> None:
    verdict = verdict_on("print(1, 2, 3, sep='\\n')\n    return x * n + 1")
    lines = repr(Feedback(verdict)).splitlines()
    assert (len(lines), lines[-2]) == (8, "  printed: 1 … (5 more lines)")
    page = Feedback(verdict)._repr_html_()
    parts = (verdict.diagnosis, "does not hold", "for:", "got:", "printed:")
    assert sorted(parts, key=page.index) == [*parts]


def test_what_was_refused_can_be_called_again_on_its_input(book, capsys) -> None:
    mine = written("def double(x, n):\n    return x + n")
    judged = engine.ExerciseDecorator()
    assert judged.failing == {}
    with pytest.raises(LookupError, match="no answer has been refused"):
        judged.mine(**judged.failing)
    judged(mine)
    assert judged.mine is mine
    assert judged.mine(**judged.failing).tolist() == [2.0]
    judged.failing["x"].zero_()
    assert judged.failing["x"].tolist() == [1.0], "each time a copy"
    judged(written("def double(x, n):\n    return x * n"))
    assert judged.mine is mine, "a right answer has no failing input"
    assert "exercise.mine(**exercise.failing)" in capsys.readouterr().out


def test_what_is_no_def_is_reported_what_should_stand_there() -> None:
    for value, what in ((int, "a class"), (partial(int), "an object of type partial")):
        assert judge(DOUBLE, value).diagnosis == (
            "Under @exercise there must be a def, here def double(x, n):, and nothing between the "
            f"two. Yours has {what}."
        )


# The decorator ------------------------------------------------------------------------------------


@pytest.fixture()
def book(monkeypatch: pytest.MonkeyPatch):
    """A book with one exercise."""
    monkeypatch.setattr(engine, "names_by_chapter", lambda: {"07": {"double": 5}})
    monkeypatch.setattr(progress_file, "_session", progress_file._empty_state())
    monkeypatch.setattr(engine, "_load", lambda chapter, name: DOUBLE)
    monkeypatch.setattr(engine, "verdicts", {})
    monkeypatch.delenv(engine.STRICT, raising=False)
    monkeypatch.delenv(engine.RECORD, raising=False)
    return monkeypatch


ANSWERS = {
    RIGHT: "def double(x, n):\n    return n * x",
    WRONG: "def double(x, n):\n    return x + n",
    BLANK: "def double(x, n):\n    raise NotImplementedError",
}
MARKS = {RIGHT: "✓", WRONG: "✗", BLANK: "○"}


@pytest.mark.parametrize("state", ANSWERS)
def test_the_learners_function_is_given_back_where_it_is_right(state, book, capsys) -> None:
    mine = written(ANSWERS[state])
    theirs = exercise(mine)
    assert (theirs is mine) == (state == RIGHT)
    assert theirs(x=torch.tensor(3.0), n=2) == 6
    out = capsys.readouterr().out
    assert out.startswith(f"{MARKS[state]} double: {state}")
    assert ("the book's own function" in out) == (state != BLANK)


@pytest.mark.parametrize("state", ANSWERS)
def test_in_strict_mode_only_a_right_answer_passes(state, book) -> None:
    book.setenv(engine.STRICT, "1")
    if state == RIGHT:
        assert exercise(written(ANSWERS[state]))
    else:
        with pytest.raises(ExerciseError, match=f"double is {state}"):
            exercise(written(ANSWERS[state]))


def test_a_misspelt_name_is_reported_the_nearest_and_keeps_its_function(book, capsys) -> None:
    mine = written("def Doubel(x, n):\n    return x")
    assert exercise(mine) is mine
    out = capsys.readouterr().out
    assert "No exercise is called 'Doubel': did you mean 'double'? Those of chapter 07 " in out
    assert "the book's own function" not in out


def test_a_name_that_resembles_none_gets_of_the_chapter_that_is_open(book) -> None:
    with pytest.raises(ValueError, match=r"^No exercise is called 'zzz'\.$"):
        engine.find("zzz")
    exercise(written(ANSWERS[RIGHT]))
    with pytest.raises(ValueError, match="called 'zzz'. Those of chapter 07 are double"):
        engine.find("zzz")


def test_a_function_without_its_decorator_is_noticed(book, capsys) -> None:
    from IPython.core.interactiveshell import InteractiveShell

    shell = InteractiveShell()
    book.setattr("IPython.get_ipython", lambda: shell)
    engine._register_hook()
    shell.run_cell("def double(x, n):\n    return x * n")
    text = "double was not judged: write @exercise in the line above its def, and run the cell"
    assert text in capsys.readouterr().out
    for quiet in ("def other(x):\n    return x", "def double(x, n: return"):
        shell.run_cell(quiet)
        assert "was not judged" not in capsys.readouterr().out, quiet


def test_an_exercise_of_another_chapter_may_be_written_without_one(book) -> None:
    book.setattr(engine, "names_by_chapter", lambda: {"07": {"double": 5}, "08": {"triple": 5}})
    assert engine.undecorated("def triple(x):\n    return x") == ["triple"], "which chapter?"
    exercise(written(ANSWERS[RIGHT]))
    assert engine.undecorated("def triple(x):\n    return x") == []
    assert engine.undecorated("def double(x):\n    return x") == ["double"]


def test_verdicts_are_recorded_for_grading(book, tmp_path) -> None:
    book.setenv(engine.RECORD, str(tmp_path / "verdicts"))
    for state in ANSWERS:
        exercise(written(ANSWERS[state]))
    exercise(written("def double(x, n):\n    return (n * x).double()"))
    lines = (tmp_path / "verdicts").read_text(encoding="utf-8").splitlines()
    assert [json.loads(line)["state"] for line in lines] == [*ANSWERS, RIGHT]


def test_feedback_in_html_escapes_what_learners_write(book) -> None:
    verdict = verdict_on("print('<script>')\n    return '<b>'")
    page = Feedback(verdict)._repr_html_()
    assert "&lt;script&gt;" in page and "<script" not in page and "<b>" not in page


# Values -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("got", "expected", "sentence"),
    [
        (1.0 + 1e-9, 1.0, None),
        (float("nan"), float("nan"), None),
        ((1, [2.0]), (1, [2.0]), None),
        (True, 1, "A bool is returned, where an int is expected."),
        ((1, [2.0]), (1, [3.0]), "2 is returned in element [1][0], where 3 is expected."),
        ([1], [1, 2], "It has 1 elements, where 2 are expected."),
        ({"a": 1}, {"b": 1}, "Of the keys, 'b' is missing, and 'a' is not expected."),
        ({("a",): 1}, {}, "There should be no keys, but there are ('a',)."),
        ({}, dict.fromkeys("abcdef", 1), "Of the keys, 'a', 'b', 'c', 'd' and 2 more are missing."),
        ([[torch.ones(1)]], [[torch.zeros(1)]], "At [0] in element [0][0] there is 1, where 0"),
        (
            torch.ones(1),
            torch.tensor(1.0),
            "The shape is (1,), where () is expected. Dimension 0 "
            "is one too many: is it left over (squeeze it), or is a sum or a mean over it missing?",
        ),
        (
            (torch.ones(2), torch.zeros(2)),
            torch.zeros(2),
            "A tuple is returned, where a tensor of "
            "shape (2,) is expected. Should you return only element 1 of it?",
        ),
        (10**40, 10**39, "1.000e+40 is returned, where 1.000e+39 is expected."),
        (torch.ones(2, 3), torch.ones(3, 2), "The shape is (2, 3), where (3, 2) is expected. Are"),
        (torch.zeros(()), torch.zeros(1, 1), "The shape is (), where (1, 1) is expected. The dim"),
        (torch.tensor([1, torch.inf]), torch.ones(2), "At [1] there is inf, where 1 is expected."),
    ],
)
def test_differences_are_reported_in_a_sentence(got, expected, sentence) -> None:
    text = difference(got, expected)
    assert (text or "").startswith(sentence) if sentence else text is None


def test_copies_share_no_memory_and_keep_the_kind() -> None:
    value = {"a": [torch.zeros(2), (torch.ones(1), "s")]}
    copy = deep_copy(value)
    copy["a"][0] += 1
    assert value["a"][0].tolist() == [0, 0] and copy["a"][1][1] == "s"
    assert deep_copy(torch.ones(1, requires_grad=True)).requires_grad


def test_the_books_own_draw_gives_no_token_beyond_the_vocabulary() -> None:
    """Although the last of a thousand pieces ends below 1 in 32 bits."""
    beyond = 0
    for seed in range(30):
        logits = torch.randn(1000, generator=torch.Generator().manual_seed(seed))
        beyond += bool(logits.softmax(-1).cumsum(-1)[-1] <= 1 - 2**-53)
        assert engine.find("draw_word").reference(logits, 1.0, 1 - 2**-53) == 999
    assert beyond > 5, "else this proves nothing"


@pytest.mark.parametrize(
    ("body", "hinted"),
    [("(n * x).squeeze()", True), ("torch.squeeze(n * x)", True), ("(n * x).squeeze(0)", False)],
)
def test_a_squeeze_that_takes_a_dimension_that_is_to_stay_is_named(body, hinted) -> None:
    verdict = verdict_on(f"return {body}")
    assert verdict.state == WRONG
    assert ("squeeze() without a number" in verdict.diagnosis) is hinted, verdict.diagnosis
