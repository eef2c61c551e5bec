"""The engine, shown an exercise of its own: verdicts, the decorator, values."""

import json
import os
import sys
import threading
import time
from dataclasses import replace
from functools import partial
from types import SimpleNamespace

import numpy as np
import pytest
import torch
from answering import written

from attnbook import progress_file
from attnbook.exercises import Exercise, ExerciseError, engine, exercise, guard
from attnbook.exercises.guard import run_guarded
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


def verdict_on(
    code: str, check: Exercise = DOUBLE, seconds: float = 2.0, **names: object
) -> Verdict:
    return judge(replace(check, seconds=seconds), written(code, **names))


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
    assert verdict_on(f"def double(x, n):\n    {body}").state == BLANK


def test_what_is_written_is_not_blank() -> None:
    for body in ("return x", "x * n", "for i in range(n):\n        pass", "print(x)"):
        function = written(f"def double(x, n):\n    {body}")
        assert not is_blank(function), body
        assert judge(DOUBLE, function).state == WRONG


def test_the_smallest_failing_input_is_shown_with_expected_and_got() -> None:
    verdict = verdict_on("def double(x, n):\n    return x * n + (x == 3)")  # large input only
    assert verdict.arguments == ("x = torch.tensor([0.0, 1.0, 2.0, 3.0, 4.0, 5.0])", "n = 2")
    assert (verdict.expected, verdict.got) == ("[0, 2, 4, 6, 8, 10]", "[0, 2, 4, 7, 8, 10]")
    verdict = verdict_on("def double(x, n):\n    return x * n + 1")
    assert verdict.arguments == ("x = torch.tensor([1.0])", "n = 1")
    assert verdict.rule == "n = 1 changes nothing"


def test_a_known_mistake_is_named_and_a_resemblance_on_one_input_is_none() -> None:
    assert (
        verdict_on("def double(x, n):\n    return n + x").diagnosis
        == "You add where you should multiply."
    )
    # the same as x + n on the smallest input only
    verdict = verdict_on("def double(x, n):\n    return x + 1")
    assert "add" not in verdict.diagnosis and "At [" in verdict.diagnosis


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
    verdict = verdict_on(f"def double(x, n):\n    {body}")
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
    assert (
        verdict_on("def factor(n):\n    return [n // 5, 5] if n == 35 else [2, 3]", check).state
        == RIGHT
    )
    assert verdict_on("def factor(n):\n    return [2, 3]", check).state == WRONG
    assert "A str" in verdict_on("def factor(n):\n    return '6'", check).diagnosis


def test_a_function_that_resists_its_end_is_silenced_and_reported_to_go_on(capsys) -> None:
    def resists(x, n):
        try:
            time.sleep(3)  # one call of C, which nothing ends
        finally:
            print("still here")

    verdict = verdict_on("def double(x, n):\n    resists(x, n)", resists=resists, seconds=0.2)
    assert "until you restart the kernel" in verdict.diagnosis
    for thread in threading.enumerate():
        if thread.name == "exercise":
            thread.join()
    assert capsys.readouterr().out == ""
    sys.stdout, sys.stderr = (getattr(s, "_stream", s) for s in (sys.stdout, sys.stderr))


@pytest.mark.skipif(
    sys.version_info < (3, 11), reason="Python 3.10 changes threads only inside of such a try"
)
def test_a_loop_that_catches_everything_is_ended() -> None:
    verdict = verdict_on(
        "def double(x, n):\n    while True:\n        try:\n            n += 1\n"
        "        except BaseException:\n            pass",
        seconds=0.5,
    )
    assert verdict.diagnosis.endswith("does it wait for something?"), (
        "a loop that catches all is ended"
    )


@pytest.mark.parametrize(
    ("share", "stopped"),
    [(0.5, 10.0), (0.0, 10.0), (0.25, 20.0), (0.05, 60.0)],
    ids=["half of the computer", "it sleeps", "a quarter", "next to nothing is left"],
)
def test_a_thread_is_stopped_after_its_time_and_later_only_where_it_is_starved(
    share: float, stopped: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On a clock of our own: ``share`` of the processor's time is the thread's."""
    now = [0.0]

    class Endless(threading.Thread):
        def is_alive(self) -> bool:
            return True

        def join(self, timeout: float | None = None) -> None:
            now[0] += timeout or 0.0

    clock = SimpleNamespace(monotonic=lambda: now[0], process_time=lambda: share * now[0])
    monkeypatch.setattr(guard, "time", clock)
    guard._wait(Endless(), 10.0)
    assert now[0] == pytest.approx(stopped, abs=0.2)


def test_a_starved_answer_is_reported_how_many_seconds_it_really_had(monkeypatch) -> None:
    now = [0.0]
    monkeypatch.setattr(guard, "time", SimpleNamespace(monotonic=lambda: now[0]))
    monkeypatch.setattr(guard, "_wait", lambda thread, seconds: now.insert(0, 17.6))
    verdict = verdict_on("def double(x, n):\n    while True: pass")
    assert verdict.diagnosis == (
        "It was stopped after 2 seconds (18 by the clock, because the computer is busy): does a "
        "loop never end, or does it wait for something?"
    )


def test_of_destructors_at_the_end_of_its_time_only_their_own_errors_are_reported(
    monkeypatch,
) -> None:
    class Slow:
        def __del__(self) -> None:
            sum(number for number in range(100))

    class Wrong:
        def __del__(self) -> None:
            raise ZeroDivisionError

    def endless() -> None:
        try:
            while not done.is_set():
                Slow()
        finally:
            Wrong()

    done, reported = threading.Event(), list[type]()
    monkeypatch.setattr(sys, "unraisablehook", lambda report: reported.append(report.exc_type))
    for _ in range(3):
        assert run_guarded(endless, 0.05).timed_out
    done.set()  # for one that could not be ended
    assert set(reported) == {ZeroDivisionError}


def test_a_thread_that_is_ended_in_its_last_lines_reports_nothing(monkeypatch) -> None:
    def endless() -> None:
        while True:  # without the try that the last lines do not have either
            pass

    reported: list[type] = []
    monkeypatch.setattr(threading, "excepthook", lambda report: reported.append(report.exc_type))
    thread = threading.Thread(target=endless, daemon=True)
    thread.start()
    guard._stop(thread)
    assert not thread.is_alive() and reported == []


def test_nobody_is_asked_although_a_notebook_has_an_input_of_its_own(monkeypatch) -> None:
    monkeypatch.setattr("builtins.input", lambda prompt="": "an answer from the reader's box")
    verdict = verdict_on("def double(x, n):\n    return x * int(input('n? '))")
    assert verdict.diagnosis == (
        "It waits for input() (line 2 of the cell's function): everything that it needs "
        "is in its arguments."
    )
    assert input() == "an answer from the reader's box"


def test_an_answer_cannot_take_the_kernel_along() -> None:
    leave = os._exit
    verdict = verdict_on("def double(x, n):\n    import os\n    os._exit(3)")
    assert verdict.diagnosis.startswith("It leaves Python with exit() or os._exit() (line 3")
    assert os._exit is leave


@pytest.mark.skipif(not hasattr(os, "fork"), reason="Windows has no fork")
def test_a_process_that_an_answer_starts_may_end() -> None:
    def child() -> int:
        if not (process := os.fork()):
            os._exit(4)
        return os.waitstatus_to_exitcode(os.waitpid(process, 0)[1])

    assert run_guarded(child, 20.0).value == 4


@pytest.mark.parametrize("device", ["cpu", "meta"])
def test_the_thread_knows_the_learners_default_device(device: str) -> None:
    with torch.device(device):
        assert run_guarded(lambda: torch.empty(0).device.type, 1.0).value == device


# What is shown ------------------------------------------------------------------------------------


def test_what_is_printed_is_cut_and_counted(capsys) -> None:
    verdict = verdict_on("def double(x, n):\n    print(1, 2, 3, sep='\\n')\n    return x * n + 1")
    lines = repr(Feedback(verdict)).splitlines()
    assert (len(lines), lines[-2]) == (8, "  printed: 1 … (5 more lines)")
    page = Feedback(verdict)._repr_html_()
    places = [
        page.index(x) for x in (verdict.diagnosis, "does not hold", "for:", "got:", "printed:")
    ]
    assert places == sorted(places)


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
    assert ("the book's own function" in out) == (state != BLANK or False)


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
    verdict = verdict_on("def double(x, n):\n    print('<script>')\n    return '<b>'")
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
        (
            torch.tensor([1.0, torch.inf]),
            torch.ones(2),
            "At [1] there is inf, where 1 is expected.",
        ),
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
    verdict = verdict_on(f"def double(x, n):\n    return {body}")
    assert verdict.state == WRONG
    assert ("squeeze() without a number" in verdict.diagnosis) is hinted, verdict.diagnosis
