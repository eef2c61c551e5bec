"""Training with several processes as people start it: torchrun, and what becomes of a crash."""

import os
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
import torch

from attnlib.cli.parser import main
from attnlib.presets import REAL, Preset
from attnlib.training import BEST, RESUME, Recipe, read_tensors

#: Without dropout, which each process draws for its own sentences.
TINY = Preset(
    Recipe(updates=12, validate_every=4, precision="fp32"), 8, 8, 0.0, batch_tokens=60, subwords=60
)
PROGRAM = r"""
import os, signal, sys
import test_distributed
from attnlib.cli.parser import main
from attnlib.presets import REAL
from attnlib.training import loop

update, attempt = loop._Trainer.update, os.environ["TORCHELASTIC_RESTART_COUNT"]
def killed_once(trainer):
    done = trainer.run.history.updates
    os.write(1, f"attempt {attempt} process {os.environ['RANK']} update {done}\n".encode())
    if (attempt, os.environ["RANK"], done) == ("0", "1", 6):
        os.kill(os.getpid(), signal.SIGKILL)
    return update(trainer)
loop._Trainer.update = killed_once
REAL["quick"] = test_distributed.TINY
sys.exit(main())
"""


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Path:
    nouns, verbs = ["dog", "cat", "horse", "child", "man"], ["sees", "finds", "likes"]
    lines = [f"the {a} {v} the {b}.\tDas {b} {v} {a}." for a in nouns for v in verbs for b in nouns]
    path = tmp_path_factory.mktemp("tables") / "toy.tsv"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


@pytest.fixture
def command(table: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    monkeypatch.setitem(REAL, "quick", TINY)
    return shlex.split(f"train --corpus {table} --preset quick --attention dot --out {tmp_path}")


def same_weights(one: Path, other: Path) -> bool:
    ours, theirs = read_tensors(one)[0], read_tensors(other)[0]
    return ours.keys() == theirs.keys() and all(
        torch.allclose(ours[name], theirs[name], atol=1e-4) for name in ours
    )


@pytest.mark.skipif(os.name == "nt", reason="Windows kills in another way")
def test_a_killed_worker_costs_no_more_than_the_updates_since_the_checkpoint(
    command: list[str], tmp_path: Path
) -> None:
    program = tmp_path / "program.py"
    program.write_text(PROGRAM, encoding="utf-8")
    torchrun = "-m torch.distributed.run --standalone --nproc-per-node 2 --max-restarts 1"
    answer = subprocess.run(
        [sys.executable, *torchrun.split(), "--monitor-interval", "0.1", program, *command],
        capture_output=True, text=True, timeout=240,
        env={**os.environ, "PYTHONPATH": os.pathsep.join([str(Path(__file__).parent), *sys.path])},
    )  # fmt: skip
    assert answer.returncode == 0, answer.stderr
    again = [line.split()[-1] for line in answer.stdout.splitlines() if "attempt 1 pr" in line]
    assert sorted(map(int, again)) == sorted([*range(4, 12)] * 2)  # from the last checkpoint on
    alone = [*command[:-1], str(tmp_path / "alone")]
    assert main(alone) == 0
    assert same_weights(tmp_path / BEST, tmp_path / "alone" / BEST)
    assert same_weights(tmp_path / RESUME, tmp_path / "alone" / RESUME)
