"""Faults that happen to people, made on purpose: a training survives them.

Trainings run in processes of their own, forked so that none waits for torch; what ends them is
real, too: ``kill -9``, Ctrl-C, a full disk, another training in the same folder, a damaged file.
"""

import importlib
import io
import os
import random
import shlex
import signal
import sys
import time
import traceback
import warnings
from collections.abc import Callable
from pathlib import Path

import pytest
import torch

from attnlib.training import Recipe
from attnlib.translator import (
    BEST_FILE,
    CARD_FILE,
    CHECKPOINT_FILE,
    DEFAULT_PRESETS,
    Preset,
    Translator,
    read_json,
    read_tensors,
)
from attnlib.translator.cli.parser import main

if os.name == "nt":
    pytest.skip("Windows has no fork and no kill -9", allow_module_level=True)

pytestmark = pytest.mark.thorough

TINY = Preset(
    Recipe(updates=24, validate_every=6, precision="fp32"), 8, 8, 0.1, batch_tokens=60, subwords=60
)


# Trainings ---------------------------------------------------------------------------------------


class Program:
    """A command of attnlib that runs in a process of its own; ``before``: what that does first."""

    def __init__(
        self, words: list[str], log: Path, before: Callable[[], object] = lambda: None
    ) -> None:
        self.log = log
        importlib.import_module("torch._dynamo")  # Adam asks for it: seconds, here once for all
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of threads that could hold locks: here is none
            self.pid = os.fork()
        if self.pid:
            return
        status = 70
        try:
            file = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o644)
            os.dup2(file, 1)
            os.dup2(file, 2)
            sys.stdout, sys.stderr = (
                io.TextIOWrapper(io.FileIO(n, "w", closefd=False), encoding="utf-8") for n in (1, 2)
            )
            signal.signal(signal.SIGINT, signal.default_int_handler)
            DEFAULT_PRESETS["quick"] = TINY
            before()
            status = main(words)
        except BaseException:
            traceback.print_exc()
        finally:  # whatever happens: this process is not to go on with the tests
            try:
                sys.stdout.flush()
                sys.stderr.flush()
            finally:
                os._exit(status)

    def wait(self, seconds: float = 120.0) -> int:
        """Its exit status, −9 where it was killed; it is ended where it takes longer."""
        end = time.monotonic() + seconds
        while not (ended := os.waitpid(self.pid, os.WNOHANG))[0]:
            if time.monotonic() > end:
                os.kill(self.pid, signal.SIGKILL)
                ended = os.waitpid(self.pid, 0)
                break
            time.sleep(0.005)
        return os.waitstatus_to_exitcode(ended[1])

    def output(self) -> str:
        return self.log.read_text(encoding="utf-8", errors="replace") if self.log.exists() else ""

    def ends_with(self, status: int) -> None:
        """Check its status and, where that is none of success, that it said one sentence."""
        assert self.wait() == status, self.output()
        assert "Traceback" not in self.output()
        last = (self.output().replace("\r", "\n").split("\n") or [""])[-2:][0]
        assert not status or last.startswith("attnlib: "), self.output()


class House:
    """A corpus, and trainings on it to which nothing happened."""

    def __init__(self, place: Path) -> None:
        self.place = place
        names, verbs = ["dog", "cat", "horse", "child", "man"], ["sees", "finds", "likes"]
        lines = [
            f"the {a} {v} the {b}.\tDas {b} {v} {a}." for a in names for v in verbs for b in names
        ]
        (place / "toy.tsv").write_text("\n".join(lines) + "\n", encoding="utf-8")
        (place / "other.tsv").write_text("\n".join(lines[9:]) + "\n", encoding="utf-8")

    def train(
        self, folder: Path, *more: str, before: Callable[[], object] = lambda: None
    ) -> Program:
        words = f"train --corpus {self.place}/toy.tsv --preset quick --attention dot --out"
        log = self.place / f"{time.monotonic_ns()}.log"
        return Program([*shlex.split(words), str(folder), *more], log, before)

    def finished(self) -> Path:
        folder = self.place / "finished"
        if not folder.exists():
            self.train(folder).ends_with(0)
        return folder

    def goes_on(self, folder: Path) -> None:
        """Resume a run, or begin it where there is none: its end is that of an undisturbed one."""
        words = ("--resume",) if (folder / CHECKPOINT_FILE).is_file() else ()
        self.train(folder, *words).ends_with(0)
        assert alike(folder, self.finished())
        assert {path.name for path in folder.iterdir()} == {CARD_FILE, BEST_FILE, CHECKPOINT_FILE}
        Translator.load(folder, "cpu")


def contents(folder: Path) -> tuple[dict, dict]:
    """Of a finished run: all its tensors, and what it remembers but the time."""
    tensors, about = read_tensors(folder / CHECKPOINT_FILE)
    best, of_best = read_tensors(folder / BEST_FILE)
    about["history"]["seconds"] = 0.0
    return {**tensors, **{f"best.{name}": table for name, table in best.items()}}, about | of_best


def alike(one: Path, other: Path) -> bool:
    (tensors, about), (theirs, of_theirs) = contents(one), contents(other)
    same = tensors.keys() == theirs.keys() and about == of_theirs
    return same and all(torch.equal(tensors[name], theirs[name]) for name in tensors)


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> House:
    return House(tmp_path_factory.mktemp("house"))


def slow_disk(seconds: float) -> Callable[[], object]:
    """Let every write take a while, so that what happens in between is met."""

    def slow() -> None:
        real = os.fsync
        os.fsync = lambda file: (time.sleep(seconds), real(file))[1]

    return slow


def when_begun(folder: Path, after: float) -> None:
    """Wait until a training has made its folder, and then some seconds."""
    end = time.monotonic() + 60
    while not (folder / CARD_FILE).is_file() and time.monotonic() < end:
        time.sleep(0.001)
    time.sleep(after)


# Stopped -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("n", range(8))
def test_a_run_that_was_killed_at_any_moment_goes_on_to_the_same_end(
    n: int, house: House, tmp_path: Path
) -> None:
    program = house.train(tmp_path / "run", before=slow_disk(0.05 * (n % 2)))
    when_begun(tmp_path / "run", random.Random(n).uniform(0, 1.0))
    os.kill(program.pid, signal.SIGKILL)
    program.wait()
    house.goes_on(tmp_path / "run")


@pytest.mark.parametrize("name", ["SIGINT", "SIGTERM", "SIGHUP"])
def test_a_run_that_is_asked_to_end_saves_shows_how_to_resume_and_resumes(
    name: str, house: House, tmp_path: Path
) -> None:
    number = getattr(signal, name)
    program = house.train(tmp_path / "run", before=slow_disk(0.05))
    when_begun(tmp_path / "run", 0.1)
    os.kill(program.pid, number)
    program.ends_with(128 + number)
    assert "to go on: python -m attnlib train" in program.output()
    house.goes_on(tmp_path / "run")


@pytest.mark.parametrize("most", [2_000, 8_000, 15_000, 30_000])
def test_a_full_disk_is_reported_and_the_run_resumes_where_there_is_space(
    most: int, house: House, tmp_path: Path
) -> None:
    import resource

    def limited() -> None:
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (most, resource.RLIM_INFINITY))

    house.train(tmp_path / "run", before=limited).ends_with(1)
    house.goes_on(tmp_path / "run")


# One folder, one run -----------------------------------------------------------------------------


@pytest.mark.parametrize("seed", ["1", "2"])
def test_of_two_trainings_begun_at_once_in_a_folder_one_is_refused(
    seed: str, house: House, tmp_path: Path
) -> None:
    folder = tmp_path / "run"
    one = house.train(folder, before=slow_disk(0.03))
    other = house.train(folder, "--seed", seed)
    ends = [one.wait(), other.wait()]
    assert sorted(ends) == [0, 1], one.output() + other.output()
    refused = (one, other)[ends.index(1)].output()
    assert "Traceback" not in refused and "attnlib: " in refused.replace("\r", "\n").split("\n")[-2]
    winner = read_tensors(folder / CHECKPOINT_FILE)[1]["identity"]["seed"]
    assert read_json(folder / CARD_FILE)["about"]["recipe"]["seed"] == winner
    house.train(folder, "--seed", str(winner), "--resume").ends_with(0)
