"""The recorded runs: each file is complete, of today's data, and what its program would write."""

import importlib
import json
import os
import re
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from attnlib.data import Corpus, Pair, Splits, WordVocabulary, bundled_directory, load_corpus
from studies import records, runner

RECORDS = sorted((bundled_directory().parent / "runs").glob("*.json"))
COMPACT = ("09_joined_captions", "10_learning")  # written without spaces
AXES = ("corpus", "task", "preset", "model", "part", "variant", "updates", "length", "rate")
AXES += ("cut", "state", "start", "coordinate", "rounds")
AXES += ("pairs", "world", "budget", "size", "layers", "times")


@pytest.mark.parametrize("path", RECORDS, ids=lambda path: path.stem)
def test_a_record_that_is_read_and_saved_is_the_same_file(path: Path, tmp_path: Path) -> None:
    header = json.loads(path.read_text(encoding="utf-8"))
    runs = header.pop("runs")
    separators = (",", ":") if path.stem in COMPACT else None
    records.save(tmp_path / "again.json", header, runs, separators)
    assert (tmp_path / "again.json").read_bytes() == path.read_bytes()
    key = [name for name in (*AXES, "seed") if all(name in run for run in runs)]
    assert list(records.read(path, key).values()) == runs  # and no two runs have one key
    listed = (path.parent / "README.md").read_text(encoding="utf-8")
    command = "" if path.stem == "10_student" else "`"  # data/TRANSLATORS.md says how that was made
    assert f"| `{path.name}` | {command}" in listed, "data/runs/README.md has no command for it"


# The runner -------------------------------------------------------------------------------------

thorough = pytest.mark.thorough


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., list[tuple]]:
    """Run a series of two axes; the runs that were made, in the order in which that was."""

    def run(*options: str, **settings: Any) -> list[tuple]:
        made: list[tuple] = []

        def make(task: str, variant: str, seed: int) -> dict:
            if variant == settings.get("interrupt"):
                raise KeyboardInterrupt
            made.append((task, variant, seed))
            return {"n": len(made)}

        def skip(task: str, variant: str, seed: int) -> bool:
            return (task, variant) == ("w", "a")

        series = runner.Series(
            "00_none",
            {"task": ["x", "w"], "variant": ["b", "a"]},
            make,
            lambda: {"what": 1},
            skip=skip,
            data=settings.get("data", lambda *values: None),
        )
        path = tmp_path / "runs.json"
        monkeypatch.setattr(sys, "argv", ["program", "--file", str(path), *options])
        runner.main("A doc.\n", lambda which: series, runner.option("--which", default="this"))
        return made

    return run


def keys(folder: Path) -> list[tuple]:
    return list(records.read(folder / "runs.json", ("task", "variant", "seed")))


@thorough
def test_runs_are_made_in_alternating_order_and_stand_in_the_order_of_the_axes(
    run, tmp_path: Path, capsys: pytest.CaptureFixture
) -> None:
    assert records.read(tmp_path / "runs.json") == {}
    assert run("--seeds", "1", "2") == [
        *(("x", "b", 1), ("x", "a", 1), ("w", "b", 1)),
        *(("w", "b", 2), ("x", "a", 2), ("x", "b", 2)),
    ]
    assert keys(tmp_path) == [
        *(("x", "b", 1), ("x", "b", 2), ("x", "a", 1), ("x", "a", 2)),
        *(("w", "b", 1), ("w", "b", 2)),
    ]
    assert json.loads(capsys.readouterr().out.splitlines()[0])["n"] == 1
    assert json.loads((tmp_path / "runs.json").read_text(encoding="utf-8"))["what"] == 1


@thorough
def test_a_run_in_the_file_is_not_made_again_and_one_of_no_variant_goes(run, tmp_path) -> None:
    path = tmp_path / "runs.json"
    old = {"task": "x", "variant": "a", "seed": 1, "n": 77}
    records.save(path, {"what": 0}, [old, {**old, "variant": "given up"}])
    before = path.read_bytes()
    chosen = ("--tasks", "x", "--variants", "a", "--seeds", "1")
    assert run(*chosen) == [] and path.read_bytes() == before
    assert run("--tasks", "x", "--seeds", "1") == [("x", "b", 1)]
    assert keys(tmp_path) == [("x", "b", 1), ("x", "a", 1)]
    assert records.read(path, ("variant",))[("a",)] == old


@thorough
def test_an_interrupted_program_keeps_the_runs_it_has_made(run, tmp_path: Path) -> None:
    with pytest.raises(KeyboardInterrupt):
        run("--seeds", "1", interrupt="a")
    assert keys(tmp_path) == [("x", "b", 1)]


@thorough
@pytest.mark.parametrize("options", [["--variants", "c"], ["--seeds", "one"], ["--what", "1"]])
def test_an_unknown_option_is_refused(options: list[str], run, capsys) -> None:
    with pytest.raises(SystemExit):
        run(*options)
    assert options[0] in capsys.readouterr().err


@thorough
def test_a_run_keeps_the_digest_of_its_data_and_is_made_again_when_that_changes(
    run, tmp_path: Path, capsys: pytest.CaptureFixture
) -> None:
    def data(task: str, variant: str) -> str | None:
        return None if variant == "b" else "ko-en-easy"

    path, digest = tmp_path / "runs.json", records.data_digest("ko-en-easy")
    old = {"task": "x", "seed": 1}
    stale = {**old, "variant": "a", "data": records.data_digest("ko-en")}
    records.save(path, {"what": 1}, [{**old, "variant": "b"}, stale])
    assert run("--tasks", "x", "--seeds", "1", data=data) == [("x", "a", 1)]
    assert "1 runs of runs.json are no more" in capsys.readouterr().out
    without, with_data = records.read(path, ("variant",)).values()
    assert without == {**old, "variant": "b"}
    names = ["task", "variant", "seed", "data", "minutes", "n"]
    assert list(with_data) == names and with_data["data"] == digest
    assert 0 <= with_data["minutes"] < 1


@thorough
def test_a_program_whose_corpus_is_unavailable_ends_in_one_sentence() -> None:
    """...each of them: whatever names a corpus that is downloaded loads it by corpus_or_exit."""
    root = Path(records.__file__).parents[1]
    run = subprocess.run(
        [sys.executable, "-m", "studies.multi30k"],
        cwd=root,
        env={**os.environ, "ATTNLIB_DATA": os.path.join(os.devnull, "none")},
        capture_output=True,
        encoding="utf-8",
    )
    assert run.returncode == 1 and run.stderr.count("\n") == 1, run.stderr
    assert run.stderr.startswith("This needs the corpus multi30k-de-en: "), run.stderr
    assert run.stderr.endswith("ATTNLIB_DATA.\n"), run.stderr
    asking = re.compile(r"load_corpus\((?!\"ko-en)")
    programs = root.glob("studies/**/*.py")
    texts = {path: path.read_text(encoding="utf-8") for path in programs}
    naming = [path for path, text in texts.items() if "multi30k-" in text]
    assert len(naming) > 5 and not [path for path in naming if asking.search(texts[path])]


@thorough
def test_the_digest_of_a_corpus_depends_on_its_files_and_its_tokenization_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(records, "bundled_directory", lambda: tmp_path)
    digest = records.data_digest.__wrapped__  # the book's own stay in its cache

    def digests(easy: str = "1", whole: str = "2", pieces: tuple[str, ...] = ()) -> tuple[str, str]:
        sums = f"{easy}  easy-test.tsv\n{whole}  test.tsv\n"
        (tmp_path / "SHA256SUMS").write_text(sums, encoding="utf-8")
        sentences = {"ko-en-easy": "학교에서", "ko-en": "도서관에서"}

        def corpus(name: str) -> Corpus:
            pairs = [Pair(sentences[name], "")]
            return Corpus(name, Splits({"train": lambda: pairs}), "ko", "en", src_pieces=pieces)

        monkeypatch.setattr(records, "load_corpus", corpus)
        return digest("ko-en-easy"), digest("ko-en")

    easy, whole = digests()
    assert easy != whole and len(easy) == 16
    assert digests(easy="3")[0] != easy and digests(easy="3")[1] == whole
    assert digests(whole="3")[1] != whole and digests(whole="3")[0] == easy
    assert digests(pieces=("##카페",)) == (easy, whole)
    assert digests(pieces=("학교", "##에서"))[0] != easy


# Every series -----------------------------------------------------------------------------------


#: program → its records
SERIES = {
    "start_chapter": "00_swap",
    "characters": "01_characters 01_rates 01b_truncation",
    "memory": "01b_waiting 02b_adding 02b_recall",
    "tense": "02_tense",
    "seq2seq_chapter": "03_seq2seq",
    "short_sentences": "03_short",
    "kernel_regression": "04b_contest",
    "alignment_baselines": "05_alignments",
    "explanation": "05_explanation",
    "word_by_word": "05_word_by_word",
    "score_controls": "06_normalized 06_worlds",
    "character_sampling": "08_characters",
    "search_hypotheses": "08_hypotheses",
    "significance": "09_null",
    "attention_time": "11_attention_time",
    "gpt_chapter": "11_counts 11_gpt 11_norms",
    "self_attention": "11_heads 11_recall 11_training_time",
}
#: record → its program, and what chooses the series among several of the program
PROGRAMS: dict[str, tuple[Any, ...]] = {
    **{record: (name,) for name, those in SERIES.items() for record in those.split()},
    "05_attention": ("attention_chapter", "ko-en-easy"),
    "05_attention_ko-en": ("attention_chapter", "ko-en"),
    "05_rates": ("attention_chapter", "ko-en-easy", True),
    "07_captions": ("forcing_captions", Path()),
    "07_planted": ("teacher_forcing_chapter", "planted"),
    "07_rates": ("teacher_forcing_chapter", "rates"),
    "07_recovery": ("teacher_forcing_chapter", "recovery"),
    "08_multi30k": ("search_sweep", Path()),
    "08_vote": ("vote", Path()),
    "09_joined_captions": ("joined_captions", Path()),
    "10_learning": ("learning_to_speak", Path()),
}
#: By multi30k, whose runs take hours and are kept one by one; and 10_student, of the translator
#: that comes along: data/README.md says how it was made.
OTHERS = {"05_orders", "06_captions", "10_models", "10_multi30k", "10_quick", "10_student"}
NETWORK = pytest.mark.network("multi30k-de-en")  # the header counts sentences of the corpus


def marks(record: str) -> list[pytest.MarkDecorator]:
    """What a test of one record needs."""
    return [NETWORK] if "captions" in record else []


def test_every_record_has_a_program() -> None:
    assert {path.stem for path in RECORDS} == {*PROGRAMS} | OTHERS


def series_of(record: str) -> runner.Series:
    name, *arguments = PROGRAMS[record]
    program = importlib.import_module(f"studies.{name}")
    if arguments:
        return program.series(*arguments)
    return program.SERIES[record] if isinstance(program.SERIES, dict) else program.SERIES


@thorough
@pytest.mark.parametrize("record", [pytest.param(name, marks=marks(name)) for name in PROGRAMS])
def test_a_program_would_find_its_record_complete_and_current_and_write_the_same_header(
    record: str,
) -> None:
    series = series_of(record)
    assert records.path_of(record) == records.path_of(series.name)
    runs = records.read(records.path_of(record), series.key)
    older = [key for key, run in runs.items() if not series.is_current(key, run)]
    assert not older, f"{len(older)} of {len(runs)} runs, {older[:2]}: run the program again"
    requested = list(series.requested(runner.parser("", series).parse_args([])))
    assert sorted(runs) == sorted(requested)
    assert sorted(runs, key=series.sort_key) == list(runs)
    saved = json.loads(records.path_of(record).read_text(encoding="utf-8"))
    saved.pop("runs")
    header = json.loads(json.dumps(series.header()))
    assert list(header) == list(saved)
    made_with = records.origin()
    assert {k: v for k, v in header.items() if k not in made_with} == {
        k: v for k, v in saved.items() if k not in made_with
    }


# A small run of each ----------------------------------------------------------------------------


@cache
def vocabularies(name: str) -> tuple[WordVocabulary, WordVocabulary]:
    """Those of a corpus, source and target; made once, for that takes seconds."""
    whole = load_corpus(name)
    src = WordVocabulary.build((p.src for p in whole.train), pieces=whole.src_pieces)
    return src, WordVocabulary.build(p.tgt for p in whole.train)


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> Callable[..., Any]:
    """Import a program, whose constants are set to small values and whose corpora are small."""
    common = importlib.import_module("studies.common")

    @cache
    def encoded_corpus(name: str = common.EASY):
        whole = load_corpus(name)
        sizes = {split: 2000 if split == "train" else 60 for split in whole.splits}
        some = {split: whole.split(split)[:size] for split, size in sizes.items()}
        corpus = replace(whole, splits=Splits({k: lambda v=v: v for k, v in some.items()}))
        src, tgt = vocabularies(name)
        pairs = [(src.encode(p.src), tgt.encode(p.tgt)) for p in corpus.train]
        return common.EncodedCorpus(corpus, src, tgt, pairs)

    monkeypatch.setattr(common, "encoded_corpus", encoded_corpus)

    def load(name: str, **constants: Any) -> Any:
        program = importlib.import_module(f"studies.{name}")
        for constant, value in constants.items():
            if isinstance(value, dict):
                for key, new in value.items():
                    monkeypatch.setitem(getattr(program, constant), key, new)
            else:
                monkeypatch.setattr(program, constant, value)
        return program

    return load


def fields(value: Any, path: str = "") -> set[str]:
    """The paths of all fields of a run, whatever their values; a number as a key is any number."""
    items: list[tuple[str, Any]] = []
    if isinstance(value, dict):
        items = [("*" if key.isdigit() else key, item) for key, item in value.items()]
    elif isinstance(value, list):
        items = [("*", item) for item in value if isinstance(item, dict)]
    return {path}.union(*(fields(item, f"{path}/{key}") for key, item in items))


EASY, BOTH = {"ko-en-easy": 4}, {"ko-en-easy": 10, "ko-en": 10}
CHARACTERS = {"UPDATES": 2, "MEASURED_AT": (0, 2), "WRITTEN": 12, "CONTEXTS": (1, 3), "PLACES": 9}
MEMORY = {"EVERY": 2, "UPDATES": {"adding": 4, "recall": 4}, "ASKED_AFTER": (2, 4)}
NOISE = {"RECOVERY": {"noise": ("", 2, lambda: None)}}
SHORT = {"UPDATES": {"short": 4}}
DICTATION = {"PAIRS": 64, "PER_LENGTH": 2, "UPDATES": {"digits": 2, "ko-en-easy": 4}}
#: record, the values of a run on the axes, and constants of modules that make it small
SMALL: list[tuple[str, tuple[Any, ...], dict[str, dict[str, Any]]]] = [
    ("01_characters", ("rnn",), {"characters": CHARACTERS}),
    ("01_rates", ("lstm", 0.006), {"characters": CHARACTERS}),
    ("01b_truncation", ("lstm", 8, "reset"), {"characters": CHARACTERS}),
    ("01b_waiting", ("orthogonal", 10), {"memory": MEMORY}),
    ("02_tense", ("lstm-3", 0.01, 400), {"tense": {}}),
    ("02b_adding", ("rnn-identity", 50), {"memory": MEMORY}),
    ("02b_recall", ("lstm-1", 0.003), {"memory": MEMORY}),
    ("03_seq2seq", ("size-32-long",), {"seq2seq_chapter": DICTATION}),
    ("03_seq2seq", ("ko-reversed",), {"seq2seq_chapter": DICTATION}),
    ("03_short", (1,), {"short_sentences": {"UPDATES": 2}}),
    ("04b_contest", ("kernel",), {"kernel_regression": {}}),
    ("00_swap", (1,), {"start_chapter": {"UPDATES": 4}}),
    *(
        ("05_alignments", ("ko-en-easy", variant), {"alignment_baselines": {"ROUNDS": 1}})
        for variant in ("ibm1", "hmm")
    ),
    *(
        ("05_attention", (variant,), {"attention_chapter": {"UPDATES": EASY}})
        for variant in ("none", "luong", "uniform", "bahdanau", "luong-order", "luong-order-fed")
    ),
    ("05_attention_ko-en", ("luong",), {"attention_chapter": {"UPDATES": BOTH}}),
    (
        "05_explanation",
        ("luong",),
        {"attention_chapter": {"UPDATES": EASY}, "explanation": {"SENTENCES": 5, "STEPS": 2}},
    ),
    ("05_rates", ("bahdanau", 4e-3), {"attention_chapter": {"UPDATES": EASY}}),
    ("06_normalized", ("normalized-divided", "short", 0.004), {"score_controls": SHORT}),
    ("06_worlds", ("shared", "adam", 0.05), {"score_controls": {"EXAMPLES": (15,)}}),
    ("07_planted", ("attention", 2), {"teacher_forcing_chapter": {}}),
    ("07_rates", ("noise", 0.016), {"teacher_forcing_chapter": NOISE}),
    ("07_recovery", ("noise",), {"teacher_forcing_chapter": NOISE}),
    ("08_hypotheses", ("fisherman",), {"search_hypotheses": {"WIDTHS": (1, 5), "ALPHAS": (0.0,)}}),
    ("09_null", ("bootstrap", 10), {"significance": {"TEST_SETS": 2, "DRAWS": 9}}),
    ("11_attention_time", ("reading",), {"attention_time": {"SPANS": (16,), "REPEATS": 1}}),
    ("11_gpt", ("gpt",), {"characters": CHARACTERS}),
    ("11_counts", ("kneser-ney",), {"gpt_chapter": {"DISCOUNTS": (0.9,)}}),
    ("11_norms", (2, "post-cold", 1e-3), {"gpt_chapter": {"NORM_LOOKS": (1, 2)}}),
    ("11_heads", ("1-layer",), {"self_attention": {"LOOKS": (1, 2)}}),
    ("11_recall", (10, "lstm", 0.01), {"self_attention": {"TRIAL": {10: 2}, "EVERY": 1}}),
    ("11_training_time", ("training",), {"self_attention": {"SPANS": (32,), "REPEATS": 1}}),
]


@thorough
@pytest.mark.parametrize(
    ("record", "values", "constants"),
    [pytest.param(*row, marks=marks(row[0]), id=f"{row[0]}-{row[1][-1]}") for row in SMALL],
)
def test_a_small_run_measures_what_the_recorded_runs_have(
    record: str, values: tuple, constants: dict, small
) -> None:
    for name, settings in constants.items():
        small(name, **settings)
    series = series_of(record)
    run = series.run((*values, series.seeds[0]))
    recorded = records.read(records.path_of(record), series.key).values()
    alike = [one for one in recorded if one[series.key[-2]] == values[-1]] or list(recorded)
    assert fields(alike[0]) <= fields(json.loads(json.dumps(run)))
