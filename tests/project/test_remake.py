"""The program that makes all records of the bundled corpora anew, tried with tiny programs."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from types import ModuleType

import pytest
from programs import load

REMAKE = Path(__file__).parents[2] / "benchmarks" / "remake.py"
PROGRAM = """
import json, pathlib, sys, time
here = pathlib.Path(__file__)
done = here.with_suffix(".done")
if "--left" in sys.argv:
    print("a word before")
    left = int(not done.exists())
    print(json.dumps({{"file": "00_" + here.stem, "runs": left, "minutes": {minutes}}}))
elif {code}:
    sys.exit({code})
else:
    time.sleep({seconds})
    done.write_text(" ".join(sys.argv[1:]))
    print("made")
"""


@pytest.fixture
def remake(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """The program, with three others: one is long, one is short, and one fails."""
    program = load(REMAKE)
    kinds = {"long": (9, 0, 0.5), "short": (1, 0, 0), "broken": (None, 3, 0)}
    for name, (minutes, code, seconds) in kinds.items():
        text = PROGRAM.format(minutes=minutes, code=code, seconds=seconds)
        (tmp_path / f"{name}.py").write_text(text, encoding="utf-8")
    monkeypatch.setattr(program, "PROGRAMS", tmp_path)
    monkeypatch.setattr(program, "COMMANDS", ("long.py --task 'a b'", "short.py", "broken.py"))
    return program


def run(program: ModuleType, monkeypatch: pytest.MonkeyPatch, *options: str) -> None:
    monkeypatch.setattr(sys, "argv", ["remake", *options])
    program.main()


def test_it_says_what_there_is_to_do_the_shortest_first(
    remake, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture, tmp_path: Path
) -> None:
    run(remake, monkeypatch, "--list")
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[:4] for line in lines[1:4]] == [
        ["?", "1", "00_broken", "broken.py"],
        ["1", "1", "00_short", "short.py"],
        ["9", "1", "00_long", "long.py"],
    ]
    assert lines[4].split()[0] == "10" and lines[4].endswith("about 5 with 2")
    assert not list(tmp_path.glob("*.done"))


def test_it_makes_them_goes_on_after_a_failure_and_has_nothing_left_to_do(
    remake, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture, tmp_path: Path
) -> None:
    with pytest.raises(SystemExit, match=r"broken\.py"):
        run(remake, monkeypatch, "--logs", str(tmp_path / "logs"))
    assert (tmp_path / "long.done").read_text() == "--task a b"
    assert (tmp_path / "short.done").exists()
    assert (tmp_path / "logs" / "00_long.log").read_text() == "made\n"
    out = capsys.readouterr().out
    assert out.index("begins: short.py") < out.index("begins: long.py")
    assert "FAILED: broken.py" in out and "done: short.py" in out
    run(remake, monkeypatch, "short", "long", "--logs", str(tmp_path / "logs"))
    assert "begins" not in capsys.readouterr().out


def test_no_program_is_left_behind_when_it_is_stopped(tmp_path: Path) -> None:
    text = PROGRAM.format(minutes=1, code=0, seconds=60)
    own = "else:\n    import os; here.with_suffix('.pid').write_text(str(os.getpid()))"
    text = text.replace("else:", own)
    (tmp_path / "endless.py").write_text(text, encoding="utf-8")
    code = (
        f"import sys; sys.path.insert(0, {str(REMAKE.parent)!r}); import remake, pathlib; "
        f"remake.PROGRAMS = pathlib.Path({str(tmp_path)!r}); remake.COMMANDS = ('endless.py',); "
        "sys.argv = ['remake', '--logs', sys.argv[1]]; remake.main()"
    )
    process = subprocess.Popen(
        [sys.executable, "-c", code, str(tmp_path)], stdout=subprocess.DEVNULL
    )
    pid, end = tmp_path / "endless.pid", time.monotonic() + 30
    while not (pid.exists() and pid.read_text()) and time.monotonic() < end:
        time.sleep(0.05)
    process.send_signal(signal.SIGTERM)
    assert process.wait(30) == 143
    with pytest.raises(ProcessLookupError):
        os.kill(int(pid.read_text()), 0)


def test_what_is_left_is_told_from_the_minutes_of_before(tmp_path: Path) -> None:
    """As every program says it: a run of the same kind, or else the mean of all."""
    code = (
        f"import sys; sys.path.insert(0, {str(REMAKE.parent)!r}); import runner, records; "
        "made = runner.Series('00_x', {'variant': ['a', 'b', 'new']}, None, dict, "
        "data=lambda variant: 'ko-en-easy' if variant != 'b' else None); "
        "runner.main('A doc.', made)"
    )
    runs = [
        {"variant": "a", "seed": 1, "data": "0" * 16, "minutes": 4},
        {"variant": "b", "seed": 1, "minutes": 2},
    ]
    path = tmp_path / "runs.json"
    path.write_text(json.dumps({"command": "c", "runs": runs}), encoding="utf-8")
    before = path.read_bytes()
    line = [sys.executable, "-c", code, "--left", "--file", str(path), "--seeds", "1", "2"]
    told = subprocess.run(line, capture_output=True, encoding="utf-8", check=True).stdout
    # Two of "a", one of them on older data, 4 minutes each; one of "b", 2; two of "new", 3 each.
    assert json.loads(told) == {"file": "00_x", "runs": 5, "minutes": 16.0}
    assert path.read_bytes() == before
