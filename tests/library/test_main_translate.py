"""The command ``translate``: what is a sentence, a line for a line, and the drawing of --align."""

import inspect
import io
import shlex
import sys
import unicodedata
from pathlib import Path

import pytest

from attnlib.data import SPECIAL_TOKENS, WordVocabulary, bundled_directory
from attnlib.translator import Translator
from attnlib.translator.cli import parser as command_line
from attnlib.translator.cli.parser import main
from attnlib.translator.cli.terminal import draw_alignment, width

Captured = pytest.CaptureFixture[str]


@pytest.mark.parametrize(
    ("given", "folder", "sentences"),
    [
        ("DIR --align -- '- 개가 잔다'", "DIR", ["- 개가 잔다"]),
        ("DIR 개 --align -- 소 새", "DIR", ["개", "소", "새"]),
        ("--align -- DIR 개", "DIR", ["개"]),
        ("--align -- 개 소", None, ["개", "소"]),
        ("DIR --align '- 개가 잔다' -5 '--개 소' -", "DIR", ["- 개가 잔다", "-5", "--개 소", "-"]),
        ("DIR 개 --align 소", "DIR", ["개", "소"]),
    ],
)
def test_what_stands_behind_two_dashes_is_a_sentence_wherever_the_options_stand(
    given: str, folder: str | None, sentences: list[str], trained: Path
) -> None:
    argv = [word.replace("DIR", str(trained)) for word in shlex.split(f"translate {given}")]
    args = command_line._parse_args(argv)
    assert args.directory == (folder and str(trained))
    assert (args.sentences, args.align, args.beam) == (sentences, True, 5)


def given_input(content: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(content), encoding="ascii"))


def test_translate_gives_a_line_for_a_line_from_arguments_or_standard_input(
    trained: Path, monkeypatch: pytest.MonkeyPatch, capsys: Captured
) -> None:
    assert main(["translate", str(trained), "개가 잔다", "비가 온다"]) == 0
    from_arguments = capsys.readouterr().out
    assert from_arguments.count("\n") == 2
    given_input("\ufeff개가 잔다\r\n비가 온다".encode(), monkeypatch)
    assert main(["translate", str(trained)]) == 0
    assert capsys.readouterr().out == from_arguments


def test_without_a_folder_the_translator_that_comes_along_translates(
    monkeypatch: pytest.MonkeyPatch, capsys: Captured
) -> None:
    ours = bundled_directory().parent / "de-en"
    assert main(["translate", str(ours), "Ein Hund rennt.", "Zwei Hunde."]) == 0
    expected = capsys.readouterr()
    assert expected.err == "" and "dog" in expected.out
    for words in (["--beam", "5", "Ein Hund rennt.", "Zwei Hunde."], []):
        given_input(b"Ein Hund rennt.\nZwei Hunde.\n", monkeypatch)
        assert main(["translate", *words]) == 0
        stderr = "attnlib: with the small German-English translator that comes along\n"
        assert capsys.readouterr() == (expected.out, stderr)
    assert main(["translate", "Hund"]) == 0  # a word alone is one
    assert "Dog" in capsys.readouterr().out


@pytest.mark.parametrize("keyboard", [False, True])
def test_a_blank_line_is_a_blank_line_and_at_the_keyboard_nothing(
    keyboard: bool, trained: Path, monkeypatch: pytest.MonkeyPatch, capsys: Captured
) -> None:
    assert main(["translate", str(trained), "개가 잔다", "", "비가 온다", " \t"]) == 0
    first, blank, second, last, end = capsys.readouterr().out.split("\n")
    assert first and second and (blank, last, end) == ("", "", "")
    given_input("개가 잔다\n\n비가 온다\n\u200b \n".encode(), monkeypatch)
    monkeypatch.setattr(sys.stdin, "isatty", lambda: keyboard)
    assert main(["translate", str(trained)]) == 0
    lines = [first, second] if keyboard else [first, "", second, ""]
    assert capsys.readouterr().out == "".join(f"{line}\n" for line in lines)


def test_what_is_wrong_on_standard_input_is_named_by_line(
    trained: Path, monkeypatch: pytest.MonkeyPatch, capsys: Captured
) -> None:
    for content, expected in [
        (b"", "standard input is empty"),
        (b"a\nb \xff\n", "standard input, line 2: byte 0xff is not UTF-8"),
    ]:
        given_input(content, monkeypatch)
        assert main(["translate", str(trained)]) == 1
        assert expected in capsys.readouterr().err


def test_a_file_is_translated_in_batches_of_the_translator_and_a_keyboard_line_by_line(
    trained: Path, monkeypatch: pytest.MonkeyPatch, capsys: Captured
) -> None:
    size = inspect.signature(Translator.translate).parameters["batch_size"].default
    sizes: list[int] = []
    monkeypatch.setattr(Translator, "translate", lambda *given: sizes.append(len(given[1])) or [])
    given_input(b"dog\n" * (2 * size + 3), monkeypatch)
    assert main(["translate", str(trained)]) == 0 and sizes == [size, size, 3]
    given_input(b"dog\n" * 2, monkeypatch)
    monkeypatch.setattr(sys.stdin, "isatty", lambda: True)
    assert main(["translate", str(trained)]) == 0 and sizes[3:] == [1, 1]
    assert "Type a sentence and Enter" in capsys.readouterr().err


def test_align_draws_a_row_for_every_target_token(trained: Path, capsys: Captured) -> None:
    assert main(["translate", str(trained), "--align", "--beam", "1", "개가 잔다"]) == 0
    translation = Translator.load(trained, "cpu").translate("개가 잔다", 1)
    text, _, *drawing = capsys.readouterr().out.split("\n")
    rows = drawing[max(map(len, translation.src_tokens)) :]
    assert text == translation.text
    rows = rows[: len(translation.tgt_tokens)]
    assert [row.split(" ")[0] for row in rows] == translation.tgt_tokens


# The drawing -------------------------------------------------------------------------------------


@pytest.mark.parametrize(("text", "cells"), [("학교", 4), ("é", 1), ("a\x07b", 2)])
def test_width_counts_cells_and_not_letters(text: str, cells: int) -> None:
    assert width(text) == width(unicodedata.normalize("NFD", text)) == cells


def test_columns_stand_under_their_token_whatever_its_width() -> None:
    weights = [[0.9, 0.0, 0.0], [0.0, 0.9, 0.0], [0.0, 0.0, 0.9]]
    drawing = draw_alignment(weights, ["학교", "a", "가"], ["은행", "bank", "é"])
    _, header, *rows = drawing.split("\n")
    assert header.startswith(" " * 5 + "교a 가")
    dark = [width(row[: row.index("█")]) for row in rows]
    assert dark == [5, 7, 9]


def test_every_weight_has_its_shade_and_little_is_not_nothing() -> None:
    drawing = draw_alignment([[0.0, 0.06, 0.3, 0.5, 0.7, 1.0]], list("abcdef"), ["x"])
    assert drawing.split("\n")[1] == "x   ░░░░▒▒▓▓██"


def test_control_characters_in_tokens_do_not_reach_the_terminal(
    trained: Path, tmp_path: Path, capsys: Captured
) -> None:
    translator = Translator.load(trained, "cpu")
    evil = [f"\x1b[3{n}m\x07{n}" for n in range(len(translator.tgt_vocabulary) - 4)]
    words = WordVocabulary([*SPECIAL_TOKENS, *evil])
    evil_one = Translator(translator.model, translator.src_vocabulary, words)
    evil_one.save(tmp_path)
    assert main(["translate", str(tmp_path), "--align", "개가 잔다", "--beam", "1"]) == 0
    out = capsys.readouterr().out
    assert not set(out) & {"\x1b", "\x07"}
