"""Translators that write together and teach a small one, and the small one that comes along."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import torch

from attnlib.data import Corpus, Pair, Splits, WordVocabulary, bundled_directory
from attnlib.metrics import sentence_bleu
from attnlib.model import make_seq2seq
from attnlib.translator import DEFAULT_PRESETS, Translator
from studies import distil

pytestmark = pytest.mark.thorough

ROOT = Path(__file__).parents[2]
SHIPPED = bundled_directory().parent / "de-en"
RECORD = SHIPPED.parent / "runs" / "10_student.json"
PAIRS = [Pair("a b c", "x y"), Pair("b c", "y z"), Pair("c", "z"), Pair("a a", "x x")]


def tiny(seed: int, words: str = "x y z") -> Translator:
    torch.manual_seed(seed)
    vocabularies = [WordVocabulary.build([text]) for text in ("a b c", words)]
    model = make_seq2seq(*map(len, vocabularies), embedding_size=4, hidden_size=6)
    return Translator(model.eval(), *vocabularies)


@pytest.fixture
def corpus() -> Corpus:
    splits = Splits({"train": lambda: PAIRS, "valid": lambda: PAIRS[:1]})
    return Corpus("four pairs", splits, "xx", "yy")


def test_one_translator_together_is_the_translator_itself() -> None:
    sentences = [pair.src for pair in PAIRS]
    for beam in (1, 3):
        alone = tiny(0).translate(sentences, beam)
        together = distil.Together([tiny(0)]).translate(sentences, beam)
        assert [one.text for one in together] == [one.text for one in alone]
    both = distil.Together([tiny(0), tiny(1)]).translate(sentences, 3)
    assert [one.score for one in both] != [one.score for one in alone]


def test_translators_with_other_words_cannot_write_together() -> None:
    with pytest.raises(ValueError, match="do not write in one vocabulary"):
        distil.Together([tiny(0), tiny(0, "x y w")])


def test_teachers_keep_the_hypothesis_nearest_to_the_human_translation(
    corpus: Corpus, tmp_path: Path
) -> None:
    teachers = distil.Together([tiny(0), tiny(1)])
    distil.teach(teachers, ["a", "b"], corpus, tmp_path)
    rows = {row[0]: row[1:] for row in json.loads((tmp_path / "000.json").read_text("utf-8"))}
    assert rows.keys() == {pair.src for pair in PAIRS}
    for pair in PAIRS:
        tokens = teachers.src_vocabulary.tokenize(pair.src)
        found = teachers.hypotheses([tokens], distil.BEAM, 1.0)[0]
        texts = [teachers.tgt_vocabulary.decode(one.tokens) for one in found]
        best = max(sentence_bleu(text, [pair.tgt]).score for text in texts)
        assert rows[pair.src][0] == texts[0]
        assert sentence_bleu(rows[pair.src][1], [pair.tgt]).score == best


@pytest.mark.parametrize(
    ("which", "expected"),
    [
        ("best", ["x", "z"]),
        ("nearest", ["y", "w"]),
        ("both", ["x", "z", "y", "w"]),
        ("nearest and human", ["y", "w", "human a", "human b"]),
    ],
)
def test_lessons_are_what_was_asked_for(which: str, expected: list[str], tmp_path: Path) -> None:
    rows = [["a", "x", "y"], ["b", "z", "w"]]  # source, best, nearest
    (tmp_path / "000.json").write_text(json.dumps(rows), encoding="utf-8")
    human = [Pair("a", "human a"), Pair("b", "human b")]
    splits = Splits({"train": lambda: human, "valid": lambda: PAIRS})
    lessons = distil.taught(Corpus("two pairs", splits, "xx", "yy"), [tmp_path], which)
    sources = ["a", "b"] * (len(expected) // 2)
    assert lessons.train == [Pair(src, tgt) for src, tgt in zip(sources, expected)]
    assert lessons.valid == PAIRS


def test_backward_teachers_write_sources_and_what_is_written_twice_is_learned_once(
    corpus: Corpus, tmp_path: Path
) -> None:
    """A teacher of the other direction translates targets; its pairs end in what people wrote."""
    back = tiny(0)
    back.src_vocabulary, back.tgt_vocabulary = back.tgt_vocabulary, back.src_vocabulary
    there, here = tmp_path / "there", tmp_path / "here"
    distil.teach(distil.Together([back]), ["back"], corpus, there, backward=True)
    distil.teach(distil.Together([tiny(1)]), ["forward"], corpus, here)
    rows = json.loads((there / "000.json").read_text("utf-8"))
    assert {row[0] for row in rows} == {pair.tgt for pair in PAIRS}
    backward = distil.written(corpus, there, "nearest")
    assert backward == [Pair(row[2], row[0]) for row in rows]
    forward = distil.written(corpus, here, "nearest")
    assert {pair.src for pair in forward} == {pair.src for pair in PAIRS}
    lessons = distil.taught(corpus, [here, there, here], "nearest and human").train
    assert set(lessons) == {*forward, *backward, *PAIRS} and len(lessons) == len(set(lessons))


def test_a_folder_of_other_teachers_and_one_that_is_not_full_are_refused(
    corpus: Corpus, tmp_path: Path
) -> None:
    teachers = distil.Together([tiny(0)])
    distil.teach(teachers, ["a"], corpus, tmp_path, (2, 2))
    with pytest.raises(ValueError, match=r"begun by other teachers \(a\)"):
        distil.teach(teachers, ["b"], corpus, tmp_path)
    with pytest.raises(ValueError, match=r"begun by other teachers \(a\)"):
        distil.teach(teachers, ["a"], corpus, tmp_path, backward=True)
    with pytest.raises(ValueError, match="has 0 of 4 pairs: let teach end"):
        distil.taught(corpus, [tmp_path], "nearest")


def test_best_hands_from_program_to_program_what_each_wrote(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    calls: list[list[str]] = []

    def run(words: list[str], **options: Any) -> None:
        assert options["check"] and options["env"]["OMP_NUM_THREADS"] == "1"
        calls.append(words[1:])

    monkeypatch.setattr(distil.subprocess, "run", run)
    monkeypatch.setattr(sys, "argv", ["distil.py", "best", "--out", str(tmp_path)])
    distil.main()
    trained, ours = calls[:4], [distil.make_parser().parse_args(words[2:]) for words in calls[4:]]
    assert {tuple(words[:2]) for words in trained} == {("-m", "studies.multi30k")}
    written = {f"{tmp_path}/{words[3]}-{words[5]}" for words in trained}  # --preset full --seeds n
    assert {tuple(words[:2]) for words in calls[4:]} == {("-m", "studies.distil")}
    by_name = {given.what: given for given in ours}
    assert [given.part for given in ours if given.what == "teach"] == [[1, 2], [2, 2]]
    for name in ("teach", "ensemble"):
        assert set(map(str, by_name[name].teachers)) == written
    assert by_name["student"].taught == [by_name["teach"].out]
    assert by_name["student"].threads == 2  # nothing runs beside it
    assert distil.SIZES[by_name["student"].size] == DEFAULT_PRESETS["full"]


def test_a_program_that_fails_ends_the_work() -> None:
    with pytest.raises(subprocess.CalledProcessError):
        distil.side_by_side([["-c", "pass"], ["-c", "raise SystemExit(3)"]])
