"""A learner's function under guard: it is ended in time, asks nobody, and leaves Python alone."""

import os
import sys
import threading
import time
from dataclasses import replace
from types import SimpleNamespace

import pytest
import torch
from answering import written

from attnbook.exercises import Exercise, guard
from attnbook.exercises.guard import run_guarded
from attnbook.exercises.judge import Verdict, judge

TWICE = Exercise(lambda x: 2 * x, lambda: [{"x": 1.0}, {"x": 2.0}], name="twice")


def verdict_on(body: str, seconds: float = 2.0, **names: object) -> Verdict:
    return judge(replace(TWICE, seconds=seconds), written(f"def twice(x):\n    {body}", **names))


def test_a_function_that_resists_its_end_is_silenced_and_reported_to_go_on(capsys) -> None:
    def resists(x):
        try:
            time.sleep(3)  # one call of C, which nothing ends
        finally:
            print("still here")

    verdict = verdict_on("resists(x)", seconds=0.2, resists=resists)
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
    body = "while True:\n        try:\n            x += 1\n"
    body += "        except BaseException:\n            pass"
    assert verdict_on(body, seconds=0.5).diagnosis.endswith("does it wait for something?")


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
    verdict = verdict_on("while True: pass")
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
    verdict = verdict_on("return x * int(input('n? '))")
    assert verdict.diagnosis == (
        "It waits for input() (line 2 of the cell's function): everything that it needs "
        "is in its arguments."
    )
    assert input() == "an answer from the reader's box"


def test_an_answer_cannot_take_the_kernel_along() -> None:
    leave = os._exit
    verdict = verdict_on("import os\n    os._exit(3)")
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
