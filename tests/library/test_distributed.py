"""Training with several processes as people start it, and what becomes of a crash."""

import os
import shlex
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest
import torch

from attnlib.training import Recipe
from attnlib.translator import BEST_FILE, CHECKPOINT_FILE, DEFAULT_PRESETS, Preset, read_tensors
from attnlib.translator.cli.parser import main

pytestmark = [
    pytest.mark.thorough,
    pytest.mark.skipif(os.name == "nt", reason="Windows has neither its signals nor locks"),
]

#: Without dropout, which each process draws for its own sentences.
TINY = Preset(
    Recipe(updates=16, validate_every=4, precision="fp32"), 8, 8, 0.0, batch_tokens=60, subwords=60
)
#: A file of this name is run at the start of each process. It makes the preset tiny, holds a lock
#: as long as the process lives, and sends itself one signal in one process before one update
#: (or torchrun, where the signal's number is negative).
SITE = r"""
import os, sys
if "torch.distributed.run" not in sys.orig_argv:
    import fcntl
    attempt, rank = (os.environ.get(name, "0") for name in ("TORCHELASTIC_RESTART_COUNT", "RANK"))
    lock = open(os.path.join(os.path.dirname(__file__), "process " + rank), "w")
    fcntl.flock(lock, fcntl.LOCK_EX)
    number, *where = os.environ["SCENE"].split()
    if [rank, "start"] == where:
        os.kill(os.getpid(), int(number))
    import dataclasses, test_distributed
    from attnlib.translator import DEFAULT_PRESETS
    from attnlib.training import loop
    update = loop.update
    def interrupted(trainer):
        done = str(trainer.run.history.updates)
        os.write(1, f"attempt {attempt} process {rank} update {done}\n".encode())
        if (attempt, [rank, done]) == ("0", where):
            os.kill(os.getppid() if number[0] == "-" else os.getpid(), abs(int(number)))
        return update(trainer)
    loop.update = interrupted
    tokens = int(os.environ["TOKENS"])
    DEFAULT_PRESETS["quick"] = dataclasses.replace(test_distributed.TINY, batch_tokens=tokens)
"""
TORCHRUN = "-m torch.distributed.run --standalone --nproc-per-node 2 --monitor-interval 0.1 "


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Path:
    nouns, verbs = ["dog", "cat", "horse", "child", "man"], ["sees", "finds", "likes"]
    lines = [f"the {a} {v} the {b}.\tDas {b} {v} {a}." for a in nouns for v in verbs for b in nouns]
    path = tmp_path_factory.mktemp("tables") / "toy.tsv"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


@pytest.fixture
def command(table: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    monkeypatch.setitem(DEFAULT_PRESETS, "quick", TINY)
    return shlex.split(f"train --corpus {table} --preset quick --attention dot --out {tmp_path}")


@pytest.fixture
def play(tmp_path: Path) -> Callable[..., subprocess.CompletedProcess[str]]:
    """Run Python with a scene ("signal process update"), and see that no process is left."""
    site = tmp_path / "site"
    site.mkdir()
    (site / "sitecustomize.py").write_text(SITE, encoding="utf-8")
    paths = [str(site), str(Path(__file__).parent), *sys.path]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(paths), "OMP_NUM_THREADS": "1"}

    def run(
        words: list[str], scene: str = "0 - -", tokens: int = TINY.batch_tokens
    ) -> subprocess.CompletedProcess[str]:
        answer = subprocess.run(
            [sys.executable, *words],
            capture_output=True,
            encoding="utf-8",
            timeout=240,
            env={**environment, "SCENE": scene, "TOKENS": str(tokens)},
        )
        wait_for_the_end_of_all(site)
        return answer

    return run


def wait_for_the_end_of_all(folder: Path) -> None:
    import fcntl  # not on Windows

    locks = list(folder.glob("process *"))
    assert locks
    for path in locks:
        with open(path, "w", encoding="utf-8") as file:
            for _ in range(600):
                try:
                    fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                    break
                except BlockingIOError:
                    time.sleep(0.1)
            else:
                raise AssertionError(f"{path.name} is left behind")


def same_weights(one: Path, other: Path) -> bool:
    ours, theirs = read_tensors(one)[0], read_tensors(other)[0]
    return ours.keys() == theirs.keys() and all(
        torch.allclose(ours[name], theirs[name], atol=1e-4) for name in ours
    )


def updates(answer: subprocess.CompletedProcess[str], attempt: int = 0) -> list[int]:
    """The updates that were begun in an attempt, of each process that writes."""
    begun = [line.split() for line in answer.stdout.splitlines() if line.startswith("attempt ")]
    return sorted(int(words[-1]) for words in begun if words[1] == str(attempt))


def test_ctrl_c_and_a_killed_process_cost_nothing_but_the_updates_since_the_checkpoint(
    command: list[str], tmp_path: Path, play: Callable[..., subprocess.CompletedProcess[str]]
) -> None:
    """Two processes are stopped by Ctrl-C; two others go on, of which one is killed; one ends."""
    together = [*TORCHRUN.split(), "-m", "attnlib", *command]
    stopped = play(together, f"{signal.SIGINT:d} 0 6")
    assert stopped.returncode != 0 and updates(stopped) == sorted([*range(7)] * 2)
    remedy = f"torchrun --nproc-per-node 2 -m attnlib {shlex.join(command)} --resume"
    assert f"attnlib: stopped; to go on: {remedy}\n" in stopped.stderr

    killed = play([*together, "--resume"], f"{signal.SIGKILL:d} 1 13")
    assert killed.returncode != 0 and updates(killed)[0] == 7 and max(updates(killed)) == 13
    assert read_tensors(tmp_path / CHECKPOINT_FILE)[1]["history"]["updates"] == 12

    assert main([*command, "--resume"]) == 0
    assert main([*command[:-1], str(tmp_path / "alone")]) == 0
    assert same_weights(tmp_path / BEST_FILE, tmp_path / "alone" / BEST_FILE)
    assert same_weights(tmp_path / CHECKPOINT_FILE, tmp_path / "alone" / CHECKPOINT_FILE)


def test_a_killed_worker_of_torchrun_costs_no_more_than_the_updates_since_the_checkpoint(
    command: list[str], tmp_path: Path, play: Callable[..., subprocess.CompletedProcess[str]]
) -> None:
    again = [*TORCHRUN.split(), "--max-restarts", "1", "-m", "attnlib", *command]
    answer = play(again, f"{signal.SIGKILL:d} 1 6")
    assert answer.returncode == 0, answer.stderr
    assert updates(answer, attempt=1) == sorted([*range(4, 16)] * 2)  # from the last checkpoint on
    assert main([*command[:-1], str(tmp_path / "alone")]) == 0
    assert same_weights(tmp_path / BEST_FILE, tmp_path / "alone" / BEST_FILE)
    assert same_weights(tmp_path / CHECKPOINT_FILE, tmp_path / "alone" / CHECKPOINT_FILE)


def test_torchrun_goes_on_with_nothing_but_what_it_began_itself(
    command: list[str], tmp_path: Path, play: Callable[..., subprocess.CompletedProcess[str]]
) -> None:
    """Another run in the folder is refused, and refused again where torchrun tries once more."""
    assert main(command) == 0
    before = (tmp_path / CHECKPOINT_FILE).read_bytes()
    answer = play([*TORCHRUN.split(), "--max-restarts", "1", "-m", "attnlib", *command])
    assert answer.returncode != 0 and "already holds a run" in answer.stderr
    assert "trained 16 updates" not in answer.stdout
    assert (tmp_path / CHECKPOINT_FILE).read_bytes() == before
