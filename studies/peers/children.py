"""Programs that take turns: each in a process of its own, one round at a time."""

import contextlib
import json
import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
PEERS = ROOT / ".venv" / "peers" / "bin" / "python"
OURS = ("attnlib", "lstm", "sacrebleu")  # need no peer's package
#: A processor without AVX-512 and bf16, imitated: what torch, oneDNN and MKL then leave alone.
AVX2 = {
    "ATEN_CPU_CAPABILITY": "avx2",
    "ONEDNN_MAX_CPU_ISA": "AVX2",
    "DNNL_MAX_CPU_ISA": "AVX2",
    "MKL_ENABLE_INSTRUCTIONS": "AVX2",
}


class ChildError(RuntimeError):
    """A program under measurement ended before its work was done."""


class Child:
    """A process of ``studies.peers.child`` that waits to be given rounds."""

    def __init__(
        self, program: str, job: str, folder: Path, options: Mapping[str, Any], avx2: bool
    ) -> None:
        python = sys.executable if program in OURS else str(PEERS)
        threads = {"OMP_NUM_THREADS": "1", "MKL_NUM_THREADS": "1", "PYTHONPATH": str(ROOT)}
        environment = {**os.environ, **threads, **(AVX2 if avx2 else {})}
        command = [python, "-W", "ignore", "-m", f"{__package__}.child"]
        self.program, self.log = program, folder / f"{program}.log"
        with self.log.open("w", encoding="utf-8") as log:
            self.process = subprocess.Popen(
                [*command, program, job, str(folder), json.dumps(options)],
                cwd=ROOT,
                env=environment,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=log,
                encoding="utf-8",
            )

    def read(self) -> dict[str, Any]:
        assert self.process.stdout is not None
        if line := self.process.stdout.readline():
            answer: dict[str, Any] = json.loads(line)
            return answer
        self.process.wait()
        output = self.log.read_text(encoding="utf-8").strip() or "it said nothing"
        code, last = self.process.returncode, output.splitlines()[-1]
        raise ChildError(f"{self.program} ended with code {code}: {last}")

    def round(self, batches: Sequence[int]) -> dict[str, Any]:
        """Do this work now, while the others wait."""
        assert self.process.stdin is not None
        self.process.stdin.write(json.dumps(list(batches)) + "\n")
        self.process.stdin.flush()
        return self.read()

    def close(self) -> None:
        with contextlib.suppress(BrokenPipeError):  # it has ended already
            self.process.communicate()  # the end of its input ends it


def take_turns(
    job: str,
    folder: Path,
    programs: Mapping[str, Mapping[str, Any]],
    rounds: Sequence[list[int]],
    warm: Sequence[int] = (),
    avx2: bool = False,
) -> dict[str, dict[str, Any]]:
    """A B C, C B A, A B C, …: of every program what it says of itself and its rounds.

    Arguments: programs, the options of each; rounds, the batches of each; warm, batches that are
    worked on first and not counted. Raises ChildError where a program fails.
    """
    children: dict[str, Child] = {}
    try:
        for name, options in programs.items():
            children[name] = Child(name, job, folder, options, avx2)
        found: dict[str, dict[str, Any]] = {}
        for name, child in children.items():
            found[name] = {**child.read(), "first": child.round(warm), "rounds": []}
        for turn, batches in enumerate(rounds):
            for name in list(children)[:: -1 if turn % 2 else 1]:
                found[name]["rounds"].append(children[name].round(batches))
        return found
    finally:
        for child in children.values():
            child.close()
