"""The command line, as people use and misuse it."""

import os
import shlex
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pytest

import attnlib
from attnlib import device
from attnlib.data import bundled_directory, format_links, load_corpus
from attnlib.translator import Translator, presets
from attnlib.translator.cli import commands
from attnlib.translator.cli import parser as command_line
from attnlib.translator.cli.parser import main

RUN = [sys.executable, "-m", "attnlib"]
Captured = pytest.CaptureFixture[str]


def words(text: str) -> list[str]:
    """The words of a command; a backslash is a letter, for Windows has it in its paths."""
    return shlex.split(text.replace("\\", "\\\\"))


@pytest.mark.parametrize(
    ("given", "needed", "spared"),
    [
        ("--help", "argparse", "torch numpy matplotlib"),
        (
            *("doctor", "torch matplotlib attnbook.doctor"),
            "torch._dynamo sacrebleu attnlib.model attnbook.exercises",
        ),
        (
            "translate {trained} 개가",
            "torch",
            "matplotlib torch._dynamo sacrebleu attnlib.translator.presets",
        ),
    ],
    ids=["help", "doctor", "translate"],
)
def test_a_command_waits_for_nothing_that_it_does_not_need(
    given: str, needed: str, spared: str, trained: Path
) -> None:
    arguments = words(given.format(trained=trained))
    program = f"import sys; from attnlib.__main__ import main; main({arguments!r}); "
    program += (
        f"print(*[name for name in {(needed + ' ' + spared).split()} if name in sys.modules])"
    )
    waits = {"OMP_WAIT_POLICY": "PASSIVE", "GOMP_SPINCOUNT": "1000"}
    environment = {name: value for name, value in os.environ.items() if name not in waits}
    answer = subprocess.run(
        [sys.executable, "-c", program],
        capture_output=True,
        encoding="utf-8",
        env={**environment, "OMP_DISPLAY_ENV": "VERBOSE"},
    )
    assert answer.stdout.splitlines()[-1] == needed, answer.stderr
    if sys.platform == "linux" and "torch" in needed:  # its OpenMP prints what holds
        assert all(f"{name} = '{value}'" in answer.stderr for name, value in waits.items())


def test_the_version_is_one_line(capsys: Captured) -> None:
    assert main(["--version"]) == 0
    assert capsys.readouterr().out == f"attnlib {attnlib.__version__}\n"


# What a user gets wrong --------------------------------------------------------------------------

TRAIN = "train --corpus ko-en-easy --attention general --out {tmp}/new "
OWN = "train --corpus {table} --updates 2 "
ANEW = OWN + "--precision fp32 --out {trained} --resume "
MISUSES = [
    ("", 2, "the following arguments are required: COMMAND"),
    ("trian", 2, "invalid choice: 'trian' (choose from "),
    ("corpus ko-en --head -1", 1, "head must be a whole number of at least 0, got -1"),
    ("corpus ko-en -- more", 2, "corpus knows no more"),
    ("translate {trained} --align -x", 2, "translate knows no -x (-- goes before sentences)"),
    ("translate {trained}/translator.json x", 1, "translator.json is a file; name the folder in w"),
    ("doctor --fast", 2, "unrecognized arguments: --fast"),
    (TRAIN, 2, "one of the arguments --updates --minutes --preset is required"),
    (TRAIN + "--updates 5 --minutes 1", 2, "--minutes: not allowed with argument --updates"),
    (TRAIN + "--updates 0", 1, "updates must be a whole number of at least 1, got 0"),
    (TRAIN + "--minutes 0", 2, "--minutes: must be a number larger than 0, got '0'"),
    ("train --corpus ko-en --attention genral --updates 5 --out {tmp}/new", 1, "mean 'general'?"),
    (OWN.replace("table", "gone") + "--out {tmp}/new", 1, "{gone} does not exist; c"),
    (TRAIN + "--updates 5 --resume", 1, "there is no run to resume in {tmp}/new"),
    (OWN + "--attention dot --out {trained}", 1, "already holds"),
    (OWN + "--out {table}/a/b", 1, "{table} is a file and no folder"),
    (ANEW.replace("table", "other"), 1, "begun with corpus's checksum="),
    ("evaluate {tmp}", 1, "translator.json is missing"),
    ("evaluate {trained} --corpus {table} --split tets", 1, "got 'tets'; did you mean 'test'?"),
    ("translate {plain} --align 개", 1, "was trained without"),  # before anything is translated
    ("translate {trained} x --beam -3", 1, "beam_size must be a whole number of at least 1"),
    ("translate none x", 1, "there is no folder none; train a translator into it first, or put"),
    ("translate runs/x", 1, "train a translator into it first, or put each sentence in quotes"),
]


@pytest.mark.parametrize(("given", "status", "expected"), MISUSES, ids=[m[0] for m in MISUSES])
def test_a_mistake_ends_in_one_sentence(
    given: str,
    status: int,
    expected: str,
    tmp_path: Path,
    table: Path,
    trained: Path,
    capsys: Captured,
) -> None:
    before = {path: path.stat().st_mtime_ns for path in trained.iterdir()}
    places = {"tmp": tmp_path, "table": table, "trained": trained, "gone": tmp_path / "gone.tsv"}
    places["plain"] = bundled_directory().parent / "ko-en-plain"
    places["other"] = tmp_path / "other.tsv"
    places["other"].write_text(table.read_text("utf-8").replace("cow", "pig"), encoding="utf-8")
    capsys.readouterr()

    assert main(words(given.format(**places))) == status

    out, err = capsys.readouterr()
    last = err.splitlines()[-1]
    assert expected.format(**places) in last
    assert last.startswith("attnlib: ")
    assert out == "" and "Traceback" not in err
    # Only where the folder turns out to be none, or the run in it another, training was announced.
    late = given.endswith(("/a/b", "{trained} --resume "))
    begun = ("Training on ", "fp32: ", "bf16: ") if late else ()
    assert not [line for line in err.splitlines()[:-1] if not line.startswith(begun)]
    assert {path: path.stat().st_mtime_ns for path in trained.iterdir()} == before


@pytest.mark.parametrize(
    ("problem", "status", "message"),
    [
        (MemoryError(), 1, "the memory of this computer is not enough"),
        (FloatingPointError("the loss is\n no number"), 1, "the loss is no number"),
        (RuntimeError("CUDA out of memory. Tried to allocate"), 1, "memory of this computer is"),
        (ValueError("a token \x1b[31m of\x07 a stranger\x9b"), 1, r"token \x1b[31m of\x07 a"),
        (KeyboardInterrupt(), 130, "stopped"),
    ],
)
def test_what_goes_wrong_inside_is_one_sentence_too(
    problem: BaseException,
    status: int,
    message: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: Captured,
) -> None:
    def fail(args: object) -> int:
        raise problem

    monkeypatch.setattr(commands, "corpus", fail)
    assert main(["corpus", "ko-en"]) == status
    err = capsys.readouterr().err
    assert message in err and err.startswith("attnlib: ") and err.count("\n") == 1


def test_a_mistake_of_ours_is_not_hidden(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(args: object) -> int:
        raise RuntimeError("mat1 and mat2 shapes cannot be multiplied")

    monkeypatch.setattr(commands, "corpus", fail)
    with pytest.raises(RuntimeError, match="shapes cannot be multiplied"):
        main(["corpus", "ko-en"])


# What the commands do ----------------------------------------------------------------------------


def test_corpus_shows_the_links_of_a_pair_as_they_are_written(capsys: Captured) -> None:
    assert main(["corpus", "ko-en-easy", "--head", "2"]) == 0
    parts = capsys.readouterr().out.rstrip().split("\n\n")
    assert parts[0].startswith("ko-en-easy: Korean → English\n  train ")
    first = load_corpus("ko-en-easy").train[:2]
    assert parts[1:] == [f"{p.src}\n{p.tgt}\n{format_links(p.links)}" for p in first]


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ("{table}", ["bf16: it is faster"]),
        ("ko-en-easy", ["fp32: so it is set for ko-en-easy"]),
        ("{table} --precision fp32", []),
    ],
)
def test_training_reports_the_precision_and_the_reason_unless_it_was_given(
    given: str,
    expected: list[str],
    table: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: Captured,
) -> None:
    def stop(*args: object, begin: Callable[[], None], **more: object) -> None:
        begin()
        raise ValueError("enough")

    monkeypatch.setattr(device, "recommended_precision", lambda where: ("bf16", "it is faster"))
    monkeypatch.setattr(presets, "train_translator", stop)
    assert main(words(f"train --corpus {given.format(table=table)} --updates 2 --out x")) == 1
    begun, *lines, last = capsys.readouterr().err.splitlines()
    assert begun.startswith("Training on ") and lines == expected and last == "attnlib: enough"


def test_evaluate_takes_every_line_of_a_corpus_as_it_stands(
    table: Path, trained: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls: list[bool] = []
    translated = Translator.translate

    def spy(self: Translator, *args: Any, single_sentence: bool = False, **options: Any) -> Any:
        calls.append(single_sentence)
        return translated(self, *args, single_sentence=single_sentence, **options)

    monkeypatch.setattr(Translator, "translate", spy)
    assert main(["evaluate", str(trained), "--corpus", str(table), "--beam", "1"]) == 0
    assert main(["translate", str(trained), "개가 잔다"]) == 0
    assert calls == [True, False]


def test_evaluate_finds_the_corpus_by_itself_as_long_as_it_is_the_same(
    table: Path, tmp_path: Path, capsys: Captured
) -> None:
    mine, folder = tmp_path / "mine.tsv", tmp_path / "run"
    mine.write_bytes(table.read_bytes())
    assert main(words(f"train --corpus {mine} --updates 1 --out {folder}")) == 0
    assert Translator.load(folder, "cpu").about["attention"] == "general"  # the default
    assert main(["evaluate", str(folder)]) == 0
    mine.write_text(table.read_text("utf-8") + "\n꿀벌이 난다\tthe bee flies", encoding="utf-8")
    capsys.readouterr()
    assert main(["evaluate", str(folder)]) == 1
    out, err = capsys.readouterr()
    assert "mine.tsv has changed since" in err and err.count("\n") == 1 and out == ""
    assert main(["evaluate", str(folder), "--corpus", str(mine)]) == 0
    mine.unlink()  # as on another computer
    capsys.readouterr()
    assert main(["evaluate", str(folder)]) == 1
    gone = f"attnlib: {folder} was trained on {mine}, which is not here; name it, or another corpus"
    assert capsys.readouterr().err.startswith(gone)

    translator = Translator.load(folder, "cpu")
    translator.about.clear()
    translator.save(folder)
    capsys.readouterr()
    assert main(["evaluate", str(folder)]) == 1
    assert "does not say what it was trained on; name it with --corpus" in capsys.readouterr().err


def test_a_warning_about_a_table_is_one_sentence_reported_once(
    table: Path, tmp_path: Path, capsys: Captured
) -> None:
    path = tmp_path / "with header.tsv"
    path.write_text("Korean\tEnglish\n" + table.read_text("utf-8"), encoding="utf-8")
    for command in (["corpus"], ["train", "--updates", "1", "--out", f"{tmp_path}/x", "--corpus"]):
        assert main([*command, str(path)]) == 0
        err = capsys.readouterr().err
        warning = "line 1 (Korean and English) names the columns and is left out"
        assert err.count(f"attnlib: {path}: {warning}\n") == 1
        assert "Warning" not in err and "warn(" not in err


def test_a_score_of_few_sentences_is_reported_as_unreliable(
    trained: Path, table: Path, tmp_path: Path, capsys: Captured
) -> None:
    """Of 20 pairs, one is the test: its BLEU of 50 was reported like any other."""
    little = "attnlib: BLEU means little here: {} has {}; with fewer than 50 a few words decide"
    assert main(["evaluate", str(trained)]) == 0
    out, err = capsys.readouterr()
    assert "split test: 1 sentence, beam 5" in out
    lowercased, cased = out.splitlines()[-2:]
    assert "case:lc" in lowercased and "case:mixed" in cased
    assert err.splitlines()[-1] == little.format("test", "1 sentence")
    assert main(words(f"train --corpus {table} --updates 1 --out {tmp_path}/run")) == 0
    assert capsys.readouterr().err.splitlines()[-1] == little.format("validation", "1 sentence")
    many = tmp_path / "many.tsv"
    many.write_text("".join(f"개 {n}\tdog {n}\n" for n in range(1000)), encoding="utf-8")
    assert main(["evaluate", str(trained), "--corpus", str(many), "--beam", "1"]) == 0
    out, err = capsys.readouterr()
    assert "split test: 50 sentences" in out and "means little" not in err


def test_a_command_that_is_printed_can_be_pasted_whatever_the_folder_is_called(
    table: Path, tmp_path: Path, capsys: Captured
) -> None:
    folder = tmp_path / "my model (1) 'new'"
    assert main(["train", "--corpus", str(table), "--updates", "1", "--out", str(folder)]) == 0
    printed = capsys.readouterr().out.splitlines()[-1]
    command = printed.partition("python -m attnlib ")[2].removesuffix(" goes on")
    assert words(command) == ["evaluate", str(folder)]
    assert main(words(command)) == 0


def test_a_command_of_another_package_is_found_by_its_entry_point(
    monkeypatch: pytest.MonkeyPatch, capsys: Captured
) -> None:
    def shout(words: list[str]) -> int:
        """Say it loudly.

        And nothing else.
        """
        print(" ".join(words).upper())
        return 3

    class Entry(NamedTuple):
        name: str
        load: Callable[[], Callable[[list[str]], int]]

    entries = [Entry("shout", lambda: shout), Entry("train", lambda: shout)]  # ours stays ours
    monkeypatch.setattr(command_line, "entry_points", lambda **which: entries)
    assert main(["shout", "a", "--loud"]) == 3 and capsys.readouterr().out == "A --LOUD\n"
    assert main(["--help"]) == 0
    assert " shout say it loudly " in " ".join(capsys.readouterr().out.split()) + " "
    assert main(["train", "--help"]) == 0 and "--preset" in capsys.readouterr().out
    monkeypatch.setattr(command_line, "entry_points", lambda **which: [])
    assert main(["shout"]) == 2  # as in the book's folder with a Python that lacks the book
    message = capsys.readouterr().err
    assert message.startswith("attnlib: argument COMMAND: invalid choice: 'shout'")
    assert "lacks the book, which .venv/bin/python has" in message


# As a program ------------------------------------------------------------------------------------


@pytest.mark.skipif(os.name == "nt", reason="Windows has another word for a closed pipe")
def test_a_closed_pipe_is_quiet(table: Path) -> None:
    many = table.parent / "many.tsv"
    lines = (f"zeile {i} {'wort ' * 20}\tline {i} {'word ' * 20}" for i in range(3000))
    many.write_text("\n".join(lines), encoding="utf-8")
    command = [*RUN, "corpus", str(many), "--head", "2000"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout and process.stderr
        process.stdout.readline()
        process.stdout.close()
        assert process.stderr.read() == b""
        assert process.wait() == 141


@pytest.mark.parametrize("begun", [True, False])
@pytest.mark.parametrize(
    ("stop", "status"), [(KeyboardInterrupt(), 130), (SystemExit(143), 143), (SystemExit(129), 129)]
)
def test_a_training_that_is_stopped_shows_how_to_resume(
    begun: bool,
    stop: BaseException,
    status: int,
    table: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: Captured,
) -> None:
    def stopped(corpus: str, preset: object, folder: Path, **options: object) -> None:
        if begun:
            folder.mkdir()
            (folder / "resume.safetensors").touch()
        raise stop

    monkeypatch.setattr(presets, "train_translator", stopped)
    given = ["train", "--corpus", str(table), "--updates", "9", "--out", str(tmp_path / "a b")]
    assert main([*given, "--resume"]) == status
    hint = f"; to go on: python -m attnlib {shlex.join(given)} --resume"
    hint = hint if begun else " before anything was saved; run the same command again"
    assert capsys.readouterr().err.splitlines()[-1] == f"attnlib: stopped{hint}"


def test_standard_output_speaks_utf_8_in_any_locale(table: Path) -> None:
    environment = {**os.environ, "LC_ALL": "C", "PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"}
    answer = subprocess.run([*RUN, "corpus", str(table)], capture_output=True, env=environment)
    assert answer.returncode == 0
    assert "개가" in answer.stdout.decode("utf-8") or "소가" in answer.stdout.decode("utf-8")
