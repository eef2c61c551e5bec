"""A sample of the faults that ``faults.py`` makes, and that it sees what is lost."""

import os
import re
import subprocess
import sys

import pytest
from programs import ROOT, load

pytestmark = pytest.mark.skipif(os.name == "nt", reason="Windows has no fork and no kill -9")
PROGRAM = ROOT / "tests" / "faults" / "faults.py"


def test_one_try_of_every_fault_loses_nothing() -> None:
    run = subprocess.run(
        [sys.executable, str(PROGRAM), "--share", "0"],
        capture_output=True,
        encoding="utf-8",
        timeout=900,
    )
    lost = [line for line in run.stdout.splitlines() if line.startswith("LOST")]
    assert run.returncode == 0 and not lost, "\n".join([*lost, run.stderr[-2000:]])
    tried, survived, lost_too = map(
        int, re.findall(r"^all +(\d+) +(\d+) +(\d+)$", run.stdout, re.M)[0]
    )
    assert tried == survived >= 20 and lost_too == 0


def test_what_is_lost_or_cannot_be_made_is_counted_and_told(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture
) -> None:
    faults = load(PROGRAM)

    def impossible(*given: object) -> None:
        raise faults.Impossible

    made = {
        "harmless": (3, lambda place, n, chance: None),
        "bad": (2, lambda place, n, chance: "all" if n else None),
        "worse": (1, lambda place, n, chance: 1 // n),
        "elsewhere": (5, impossible),
    }
    monkeypatch.setattr(faults, "FAULTS", made)
    assert faults.report() == 2
    rows = [line.split() for line in capsys.readouterr().out.splitlines()]
    assert rows[1:6] == [
        ["harmless", "3", "3", "0"],
        ["bad", "2", "1", "1"],
        ["worse", "1", "0", "1"],
        ["elsewhere", "(not", "here)", "0", "0", "0"],
        ["all", "6", "4", "2"],
    ]
    assert " ".join(rows[6]) == "LOST: bad, try 1: all"
    assert " ".join(rows[7]).startswith("LOST: worse, try 0: ZeroDivisionError")
    assert faults.report(only="harm") == 0
