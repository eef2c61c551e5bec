"""The recorded runs: what a program reads and saves again is the file that was there."""

import hashlib
import importlib
import json
import math
import os
import re
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from pathlib import Path
from types import ModuleType

import pytest
import torch

from attnlib.data import (
    Batches,
    Corpus,
    Pair,
    Splits,
    WordVocabulary,
    bundled_directory,
    load_corpus,
    make_batch,
)
from attnlib.model import MultiHeadAttention
from attnlib.search import exhaustive_search
from attnlib.translator import write_tensors
from studies import records

pytestmark = pytest.mark.thorough

ALL = sorted((bundled_directory().parent / "runs").glob("*.json"))
AXES = (
    "corpus",
    "task",
    "preset",
    "model",
    "part",
    "variant",
    "updates",
    "length",
    "rate",
    "budget",
)
FILES = [path for path in ALL if path.stem != "10_multi30k"]  # that one has a form of its own


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_file_saved_again_is_the_same_file(path: Path, tmp_path: Path) -> None:
    head = json.loads(path.read_text(encoding="utf-8"))
    runs = head.pop("runs")
    close = (",", ":") if path.stem in ("09_joined_captions", "10_learning") else None
    records.save(tmp_path / "again.json", head, runs, close)
    assert (tmp_path / "again.json").read_bytes() == path.read_bytes()
    key = [name for name in (*AXES, "seed") if name in runs[0]]
    assert list(records.read(path, key).values()) == runs  # and no two runs have one key


def test_a_file_that_is_not_there_holds_no_run(tmp_path: Path) -> None:
    assert records.read(tmp_path / "none.json") == {}


# The runner -------------------------------------------------------------------------------------

STUDIES = Path(records.__file__).parent
PROGRAMS = sorted(
    path.stem
    for path in STUDIES.glob("*.py")
    if re.search(r"^from \. import .*\brunner\b", path.read_text(encoding="utf-8"), re.MULTILINE)
)


@pytest.fixture
def programs() -> Callable[[str], ModuleType]:
    """Import a program of studies/ by its name."""
    return lambda name: importlib.import_module(f"studies.{name}")


def run(programs, path: Path, *options: str, doc: str = "A doc.\n") -> list[tuple]:
    """Run a series of two axes; the runs that were made, in the order in which that was."""
    made: list[tuple] = []

    def make(task: str, variant: str, seed: int) -> dict:
        made.append((task, variant, seed))
        return {"n": len(made)}

    runner = programs("runner")
    axes = {"task": ["x", "w"], "variant": ["b", "a"]}
    series = runner.Series(
        "00_none", axes, make, lambda: {"what": 1}, skip=lambda t, v: (t, v) == ("w", "a")
    )
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "argv", ["program", "--file", str(path), *options])
        runner.main(doc, series)
    return made


def keys(path: Path) -> list[tuple]:
    return list(records.read(path, ("task", "variant", "seed")))


def test_all_runs_are_made_both_orders_in_turn_and_stand_in_the_order_of_the_axes(
    programs, tmp_path: Path, capsys: pytest.CaptureFixture
) -> None:
    path = tmp_path / "runs.json"
    assert run(programs, path, "--seeds", "1", "2") == [
        *(("x", "b", 1), ("x", "a", 1), ("w", "b", 1)),
        *(("w", "b", 2), ("x", "a", 2), ("x", "b", 2)),
    ]
    assert keys(path) == [
        *(("x", "b", 1), ("x", "b", 2), ("x", "a", 1), ("x", "a", 2)),
        *(("w", "b", 1), ("w", "b", 2)),
    ]
    assert json.loads(capsys.readouterr().out.splitlines()[0])["n"] == 1
    assert json.loads(path.read_text(encoding="utf-8"))["what"] == 1


def test_a_run_that_is_in_the_file_is_not_made_again_and_stays_as_it_is(
    programs, tmp_path: Path
) -> None:
    path = tmp_path / "runs.json"
    head, old = {"what": 0}, {"task": "x", "variant": "a", "seed": 1, "n": 77}
    records.save(path, head, [old, {**old, "variant": "given up"}])
    before = path.read_bytes()
    chosen = ("--tasks", "x", "--variants", "a", "--seeds", "1")
    assert run(programs, path, *chosen) == [] and path.read_bytes() == before
    assert run(programs, path, "--tasks", "x", "--seeds", "1") == [("x", "b", 1)]
    assert keys(path) == [("x", "b", 1), ("x", "a", 1)]  # a variant that is no more goes
    assert records.read(path, ("variant",))[("a",)] == old


def test_a_program_that_is_stopped_keeps_what_it_has(programs, tmp_path: Path) -> None:
    path = tmp_path / "runs.json"
    runner = programs("runner")

    def make(variant: str, seed: int) -> dict:
        if variant == "b":
            raise KeyboardInterrupt
        return {}

    series = runner.Series("00_none", {"variant": ["a", "b"]}, make, lambda: {"what": 1})
    with pytest.MonkeyPatch.context() as patch, pytest.raises(KeyboardInterrupt):
        patch.setattr(sys, "argv", ["program", "--file", str(path), "--seeds", "1"])
        runner.main("", series)
    assert list(records.read(path)) == [("a", 1)]


@pytest.mark.parametrize("options", [["--variants", "c"], ["--seeds", "one"], ["--what", "1"]])
def test_a_variant_that_does_not_exist_is_refused(
    options: list[str], programs, tmp_path: Path, capsys: pytest.CaptureFixture
) -> None:
    with pytest.raises(SystemExit):
        run(programs, tmp_path / "runs.json", *options)
    assert options[0] in capsys.readouterr().err


def test_one_seed_may_try_what_the_others_are_not_asked_for(
    programs, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, runner, made = tmp_path / "runs.json", programs("runner"), []
    first, second = (
        runner.Series(
            name,
            {"rate": (0.1, 0.2)},
            lambda *key, name=name: made.append((name, *key)) or {},
            lambda: {"what": 1},
            skip_run=lambda rate, seed: seed != 4 and rate != 0.2,
            seeds=(4, 1),
        )
        for name in ("00_first", "00_second")
    )
    monkeypatch.setattr(sys, "argv", ["program", "--file", str(path), "--series", "00_second"])
    runner.main("", *runner.choose(first, second))
    assert made == [("00_second", *key) for key in ((0.1, 4), (0.2, 4), (0.2, 1))]
    monkeypatch.setattr(sys, "argv", ["program"])
    assert runner.choose(first, second)[0] is first


def test_a_run_keeps_its_minutes_and_the_edition_of_the_data_that_it_read(
    programs, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, runner = tmp_path / "runs.json", programs("runner")
    series = runner.Series(
        "00_none",
        {"variant": ["a", "b"]},
        lambda variant, seed: {"n": 1},
        lambda: {"what": 1},
        data=lambda variant: {"a": "ko-en", "b": None}[variant],
        seeds=(7,),
    )
    monkeypatch.setattr(sys, "argv", ["program", "--file", str(path)])
    runner.main("", series)
    digest = records.data_digest("ko-en")
    a, b = records.read(path).values()
    assert a == {"variant": "a", "seed": 7, "data": digest, "minutes": a["minutes"], "n": 1}
    assert list(b) == ["variant", "seed", "minutes", "n"] and 0 <= b["minutes"] < 1


def test_a_run_on_an_older_edition_of_the_data_is_made_anew_and_the_others_stay(
    programs, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture
) -> None:
    path, runner, made = tmp_path / "runs.json", programs("runner"), []

    def make(variant: str, seed: int) -> dict:
        made.append(variant)
        return {}

    series = runner.Series(
        "00_none",
        {"variant": ["old", "none", "now"]},
        make,
        lambda: {"what": 1},
        data=lambda variant: None if variant == "none" else "ko-en-easy",
        seeds=(1,),
    )
    old = {"variant": "old", "seed": 1, "data": records.data_digest("ko-en")}
    now = {"variant": "now", "seed": 1, "data": records.data_digest("ko-en-easy")}
    records.save(path, {"what": 1}, [old, {"variant": "none", "seed": 1}, now])
    monkeypatch.setattr(sys, "argv", ["program", "--file", str(path)])
    runner.main("", series)
    assert made == ["old"] and "1 runs of runs.json are no more" in capsys.readouterr().out
    assert list(records.read(path)) == [("old", 1), ("none", 1), ("now", 1)]


def test_a_program_whose_corpus_cannot_be_had_ends_in_one_sentence() -> None:
    """...each of them: whoever names a corpus that is downloaded asks for it by corpus_or_exit."""
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


def test_the_digest_of_a_corpus_changes_with_its_tables_and_cuts_and_not_with_the_other_corpus(
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
    assert digests(pieces=("학교", "##에서"))[1] == whole


WITH_FOLDER = ("joined_captions", "learning_to_speak", "search_sweep", "smoothing")
BOTH = ("attention_chapter", "scores_chapter")  # their runs are made on either bundled corpus
SERIES = [
    *((name, None) for name in PROGRAMS if name not in (*WITH_FOLDER, *BOTH)),
    *((name, corpus) for name in BOTH for corpus in ("ko-en-easy", "ko-en")),
    ("characters", "OF_RATES"),
    ("lstm_chapter", "OF_GATES"),
    ("teacher_forcing_chapter", "planted"),
    ("teacher_forcing_chapter", "translate"),
    ("teacher_forcing_chapter", ("translate", "ko-en")),
    ("learning_to_speak", Path()),
    ("search_sweep", Path()),
    ("smoothing", Path()),
    ("joined_captions", Path()),
]
CAPTIONS = pytest.param(*SERIES[-1], marks=pytest.mark.network("multi30k-de-en"))


def series_of(programs, name: str, argument: object):
    program = programs(name)
    if name == "teacher_forcing_chapter":
        argument = argument or "reverse"
    if argument is None:
        return program.SERIES
    if isinstance(argument, str) and argument.isupper():  # another series of the program
        return getattr(program, argument)
    return program.series(*argument if isinstance(argument, tuple) else (argument,))


def made(series) -> Path:
    path = records.path_of(series.name)
    assert path.exists(), f"{path.name} is missing: run its program"
    return path


@pytest.mark.parametrize(("name", "argument"), SERIES)
def test_every_run_was_made_on_the_bundled_data_as_they_are_now(
    name: str, argument: object, programs
) -> None:
    series = series_of(programs, name, argument)
    runs = records.read(made(series), series.key)
    older = [key for key, run in runs.items() if not series.current(key, run)]
    assert not older, f"{len(older)} of {len(runs)} runs, {older[:2]}: run the program again"


@pytest.mark.parametrize(("name", "argument"), SERIES)
def test_a_program_that_reads_bundled_data_says_which(
    name: str, argument: object, programs
) -> None:
    series, source = series_of(programs, name, argument), STUDIES / f"{name}.py"
    given = programs("runner").parser("", series).parse_args([])
    said = {series.data(*key[:-1]) for key in series.wanted(given)} - {None}
    text = source.read_text(encoding="utf-8")
    reads = re.search(
        r"ko-en|shakespeare|characters\.NAME|easy_runs\.(numbers|train|evaluate)", text
    )
    digits = [("teacher_forcing_chapter", argument) for argument in (None, "planted")]
    expected = reads and (name, argument) not in digits
    assert bool(said) == bool(expected), said
    if argument in ("ko-en", "ko-en-easy"):
        assert said == {argument}


@pytest.mark.parametrize(("name", "argument"), [*SERIES[:-1], CAPTIONS])
def test_a_program_would_find_its_record_complete_and_write_the_same_head(
    name: str, argument: object, programs
) -> None:
    series = series_of(programs, name, argument)
    path = made(series)
    given = programs("runner").parser("", series).parse_args([])
    there, wanted = list(records.read(path, series.key)), list(series.wanted(given))
    assert sorted(there) == sorted(wanted)
    assert sorted(there, key=series.place) == there
    if not there:
        return
    record = json.loads(path.read_text(encoding="utf-8"))
    record.pop("runs")
    head = json.loads(json.dumps(series.head()))
    made_with = set(records.origin())
    assert list(head) == list(record)
    assert {k: v for k, v in head.items() if k not in made_with} == {
        k: v for k, v in record.items() if k not in made_with
    }


# The tests beside the test split ------------------------------------------------------------------

OTHERS = {
    "ko-en-easy": {"test_composition"},
    "ko-en": {"test_composition", "test_long", "test_written"},
}


SPLITS = ("test_long", "test_composition")


@cache
def vocabularies(name: str) -> tuple[WordVocabulary, WordVocabulary]:
    """Those of a corpus, source and target; made once, for that takes seconds."""
    whole = load_corpus(name)
    src = WordVocabulary.build((p.src for p in whole.train), pieces=whole.src_pieces)
    return src, WordVocabulary.build(p.tgt for p in whole.train)


@pytest.fixture
def few(programs, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """easy_runs with two thousand training pairs and sixty sentences of every other split."""
    easy = programs("easy_runs")

    @cache
    def numbers(name: str = easy.EASY):
        whole = load_corpus(name)
        sizes = {split: 2000 if split == "train" else 60 for split in whole.splits}
        some = {split: whole.split(split)[:size] for split, size in sizes.items()}
        corpus = replace(whole, splits=Splits({k: lambda v=v: v for k, v in some.items()}))
        src, tgt = vocabularies(name)
        pairs = [(src.encode(p.src), tgt.encode(p.tgt)) for p in corpus.train]
        return easy.Numbers(corpus, src, tgt, pairs)

    monkeypatch.setattr(easy, "numbers", numbers)
    return easy


@pytest.mark.parametrize("corpus", list(OTHERS))
@pytest.mark.parametrize("name", BOTH)
def test_a_run_of_chapters_5_and_6_is_also_measured_on_the_other_tests(
    name: str, corpus: str, programs, few, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = programs(name)
    monkeypatch.setattr(program, "UPDATES", {corpus: 10})
    run = program.run(corpus, list(program.VARIANTS)[0], 1)
    assert len(run["bleu"]) == 5 and set(run["others"]) == OTHERS[corpus]
    for test, found in run["others"].items():
        assert {"bleu", "exact", "by_length", "aer", "best_shift"} <= set(found)
        assert ("same_lengths" in found) == (test != "test_long")  # longer than all of "test"
    assert run["test"]["by_length"]["bleu"] == run["bleu"] and run["test"]["sentences"] == 60
    written = json.loads(json.dumps(program.head(corpus)))
    assert written["corpus"] == corpus and corpus in written["command"] + "ko-en-easy"


def test_a_model_without_attention_has_no_alignment_on_the_other_tests(
    programs, few, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = programs("attention_chapter")
    monkeypatch.setattr(program, "UPDATES", {"ko-en-easy": 10})
    run = program.run("ko-en-easy", "none", 1)
    found = run["others"]["test_composition"]
    assert set(found) == {"sentences", "bleu", "exact", "by_length", "same_lengths"}


def test_the_runs_of_chapters_3_and_7_are_also_measured_on_the_composition_test(
    programs, few, monkeypatch: pytest.MonkeyPatch
) -> None:
    seq2seq, forcing = programs("seq2seq_chapter"), programs("teacher_forcing_chapter")
    monkeypatch.setitem(seq2seq.UPDATES, "ko-en-easy", 10)
    run = seq2seq.run("ko-reversed", 1)
    assert set(run["others"]) == {"test_composition"}
    for found in (run["test"], run["others"]["test_composition"]):
        assert found["sentences"] == sum(found["by_length"]["sentences"]) == 60
        assert len(found["by_length"]["exact"]) == len(run["bleu"]) == 5
    monkeypatch.setitem(forcing.TRANSLATE, "ko-en-easy", 10)
    run = forcing.run("translate", "ko-en-easy", "gold", 1)
    assert set(run["others"]) == {"test_composition"}
    short = few.other_tests(at_most=forcing.AT_MOST)["test_composition"]
    assert 0 < len(short) < 60  # sentences as long as those that it was trained on


def test_the_runs_of_chapters_8_and_11_are_also_measured_on_the_composition_test(
    programs, few, monkeypatch: pytest.MonkeyPatch
) -> None:
    search, transformer = programs("search_chapter"), programs("transformer_chapter")
    for name, value in {"WIDTHS": (2, 5), "ALPHAS": (0.0,), "BETAS": ()}.items():
        monkeypatch.setattr(search, name, value)
    monkeypatch.setattr(search, "search_errors", lambda translator, pairs: {})
    run = search.run(10, 1)
    assert set(run["others"]["test_composition"]) == {"greedy", "beam_5"}
    monkeypatch.setattr(transformer, "UPDATES", 10)
    run = transformer.run("short", 1)
    assert set(run["others"]) == {"test_composition"}
    assert (len(run["bleu"]), len(run["aer_heads"]), len(run["valid_loss"])) == (5, 4, 10)


def test_what_is_measured_of_all_is_no_mean_of_the_ranges_and_a_range_may_be_empty(
    programs,
) -> None:
    measured = programs("records").measured
    texts, references = ["a b c d e", "a b c d"], ["a b c d e", "a b c x"]
    found = measured(texts, [3, 12], references, [(1, 10), (11, 20), (21, 30)])
    assert found["sentences"] == 2 and found["exact"] == 0.5
    by_length = found["by_length"]
    assert by_length["sentences"] == [1, 1, 0] and by_length["exact"] == [1.0, 0.0, None]
    assert by_length["bleu"][0] == 100.0 and by_length["bleu"][2] is None
    assert 0 < by_length["bleu"][1] < found["bleu"] < 100


def test_beside_another_test_stand_the_sentences_of_the_test_that_are_as_long(few) -> None:
    given = few.numbers("ko-en")
    long, short = (few.as_long(given.corpus.split(name), "ko-en") for name in SPLITS)
    assert long == [] and 0 < len(short) < len(given.corpus.test)
    sizes = few.tokens(given.corpus.split("test_composition"), "ko-en")
    assert all(min(sizes) <= size <= max(sizes) for size in few.tokens(short, "ko-en"))


def test_every_sentence_of_a_test_falls_into_a_bucket_of_its_corpus() -> None:
    for name, buckets in records.BUCKETS_OF.items():
        src, _ = vocabularies(name)
        lengths = {len(src.tokenize(pair.src)) for pair in load_corpus(name).test}
        assert all(any(low <= n <= high for low, high in buckets) for n in lengths), name


def test_every_program_that_makes_a_record_uses_the_runner() -> None:
    names = {path.stem for path in STUDIES.glob("*.py")}
    others = {"characters", "contributions", "divisors", "search_hypotheses", "single_unit"}
    others |= {"alignment_baselines", "attention_time", "query_gradient", "tense", *WITH_FOLDER}
    assert set(PROGRAMS) == {name for name in names if name.endswith("_chapter")} | others


# Each new program, tiny ---------------------------------------------------------------------------


def test_the_starts_of_the_plain_network_are_what_they_say_and_train(
    programs, monkeypatch: pytest.MonkeyPatch
) -> None:
    lstm = programs("lstm_chapter")
    eye, sizes = torch.eye(66), {}
    for variant in ("rnn", "rnn-orthogonal", "rnn-identity"):
        torch.manual_seed(1)
        network = lstm.make_network(variant)
        turned = network.weight_hh_l0 @ network.weight_hh_l0.T
        assert torch.allclose(turned, eye, atol=1e-5) == (variant != "rnn")
        assert network.mode == ("RNN_RELU" if variant == "rnn-identity" else "RNN_TANH")
        sizes[variant] = lstm.size(variant, network)
    assert network.weight_hh_l0.equal(eye) and not (network.bias_ih_l0 + network.bias_hh_l0).any()
    assert 0 < network.weight_ih_l0.std() < 0.002 and len(set(sizes.values())) == 1
    monkeypatch.setattr(lstm, "EVERY", 2)
    monkeypatch.setitem(lstm.UPDATES, "adding", 4)
    assert len(lstm.train("adding", "rnn-identity", 20, 1)["curve"]) == 2
    assert lstm.SERIES.skip("recall", "rnn-identity", 20)


def test_gates_start_where_the_variant_says_and_as_they_were_elsewhere(
    programs, monkeypatch: pytest.MonkeyPatch
) -> None:
    lstm = programs("lstm_chapter")
    made, sizes = {}, []
    for variant in lstm.GATES:
        torch.manual_seed(1)
        made[variant] = lstm.make_network(variant)
        sizes.append(lstm.size(variant, made[variant]))
    assert max(sizes) <= 1.05 * min(sizes)
    inputs = {"lstm-1997-shut": 37, "lstm-3-shut": 32}
    for variant, units in inputs.items():
        network, before = made[variant], lstm.make_network(variant.removesuffix("-shut"))
        bias = network.bias_ih_l0 + network.bias_hh_l0
        assert (bias[:units] == -3).all()
        assert bias[units : 2 * units].equal(
            (before.bias_ih_l0 + before.bias_hh_l0)[units : 2 * units]
        )
    gru, open_gru = made["gru"], made["gru-3"]
    assert ((open_gru.bias_ih_l0 + open_gru.bias_hh_l0)[37:74] == 3).all()
    assert gru.weight_hh_l0.equal(open_gru.weight_hh_l0)
    # A gate of 3 keeps 95 % of a state that nothing is written over.
    with torch.no_grad():
        kept = [
            network(torch.zeros(1, 1, 2), torch.ones(1, 1, 37))[1] for network in (gru, open_gru)
        ]
    assert kept[0].mean() < 0.8 < kept[1].mean()
    monkeypatch.setattr(lstm, "EVERY", 2)
    monkeypatch.setitem(lstm.UPDATES, "recall", 4)
    assert len(lstm.train("recall", "lstm-1997-shut", 20, 1)["curve"]) == 2
    assert lstm.OF_GATES.skip("adding", "gru", 20) and not lstm.OF_GATES.skip("recall", "gru", 20)


def test_a_network_that_diverges_has_no_score_and_the_record_is_plain_json(
    programs, monkeypatch: pytest.MonkeyPatch
) -> None:
    lstm = programs("lstm_chapter")
    monkeypatch.setattr(lstm, "EVERY", 2)
    monkeypatch.setattr(lstm, "learning_rate", lambda variant, task: 1e30)
    monkeypatch.setitem(lstm.UPDATES, "adding", 4)
    run = lstm.train("adding", "rnn-identity", 20, 1)
    assert run["curve"] == [None, None]
    json.dumps(run, allow_nan=False)


def test_the_single_unit_is_chosen_on_some_sentences_and_measured_on_others(
    programs, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = programs("single_unit")
    words, ids, choose, test = program.material()
    assert choose.asks.any() and test.asks.any() and not test.asks.all()
    some = [program.Sentences(*(part[:200] for part in given)) for given in (choose, test)]
    monkeypatch.setattr(program, "material", lambda: (words, ids, *some))
    run = program.run(4, 1)
    network = program.train(4, 1)
    contrast = [program.contrast(given, program.read(network, given)[1]) for given in some]
    assert run["unit"] == int(contrast[0].argmax()) != int(contrast[1].argmax())
    assert run["contrast_test"][0] == round(contrast[1][run["unit"]].item(), 2)
    assert run["turned"] == run["turned_each"][0] == run["turned_together"][0]
    assert len(run["turned_each"]) == program.UNITS
    assert not run["best_on_test_too"]


def test_the_readers_of_yesterday_and_tomorrow_are_of_one_size_and_what_is_kept_of_them_is_theirs(
    programs, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = programs("tense")
    sizes = [
        sum(p.numel() for p in program.make_network(variant).cells.parameters())
        for variant in program.VARIANTS
    ]
    assert max(sizes) <= 1.05 * min(sizes)
    monkeypatch.setattr(program, "UPDATES", 3)
    network = program.train("lstm-3", 1)
    text = "Tomorrow, Minsu will go to the market. He"
    kept = program.gates(network, text)
    i, f, g, o, c = (torch.tensor(kept[name]) for name in "ifgoc")
    assert torch.allclose(f[1:] * c[:-1] + i[1:] * g[1:], c[1:], atol=4e-3)
    assert torch.allclose(c[1:], program.memories(network, text), atol=1e-3)
    assert kept["tokens"] == ["<sos>", *program.material()[0].tokenize(text)]
    before, after = program.apart(network), program.apart(network)
    assert before == after and before[0] == 1 and len(before) == len(kept["tokens"]) - 1
    assert program.apart(program.train("rnn", 1))[-1] < 0.1
    for variant, gain in program.GAIN.items():
        matrix = program.make_network(variant).cells.weight_hh_l0
        assert torch.allclose(matrix @ matrix.T, gain**2 * torch.eye(len(matrix)), atol=1e-4)


def test_the_loss_of_stories_is_that_of_their_words_and_the_unseen_are_not_those_learned_from(
    programs, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = programs("tense")
    (_, told), unseen = program.material(), program.unseen()
    for first in program.FIRST:
        assert unseen[first] and not set(map(tuple, told[first])) & set(map(tuple, unseen[first]))
    torch.manual_seed(1)
    network = program.make_network("gru")
    some = {first: told[first][:5] for first in program.FIRST}
    monkeypatch.setattr(program, "AT_ONCE", 2)
    for first, found in zip(program.FIRST, program.losses(network, some)):
        alone = [(program.surprise(network, [ids]).item(), len(ids) - 1) for ids in some[first]]
        expected = sum(loss * words for loss, words in alone) / sum(words for _, words in alone)
        assert found == pytest.approx(expected, abs=1e-5)


def test_a_sentence_is_read_alike_alone_and_beside_longer_ones_and_a_turn_reaches_its_end_alone(
    programs,
) -> None:
    program = programs("single_unit")
    *_, test = program.material()
    network = program.train(2, 1)
    few = program.Sentences(*(part[:40] for part in test))
    expected, cells, gates = program.read(network, few)
    turned = program.read(network, few, [3])[1]
    for n, length in enumerate(few.lengths.tolist()):
        alone = program.Sentences(
            few.tokens[n : n + 1, :length], few.lengths[n : n + 1], few.asks[n : n + 1]
        )
        one, its_cells, its_gates = program.read(network, alone)
        assert bool(one) == bool(expected[n])
        assert torch.allclose(its_cells[0], cells[n, :length], atol=1e-5)
        assert torch.allclose(its_gates[0], gates[n, :length], atol=1e-5)
        assert turned[n, : length - 1].equal(cells[n, : length - 1])
        assert not turned[n, length - 1].equal(cells[n, length - 1])


def test_a_long_run_of_dictation_has_ten_times_the_updates_and_the_strings(
    programs, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = programs("seq2seq_chapter")
    counts, numbers = [], program.numbers

    def counted(count: int, *given: int) -> list[list[int]]:
        counts.append(count)
        return numbers(count, *given)

    monkeypatch.setattr(program, "numbers", counted)
    monkeypatch.setattr(program, "PAIRS", 64)
    monkeypatch.setattr(program, "PER_LENGTH", 2)
    monkeypatch.setitem(program.UPDATES, "digits", 2)
    short, long = program.run("size-32", 1), program.run("size-32-long", 1)
    assert (short["updates"], long["updates"]) == (2, 20)
    assert [count for count in counts if count > 2] == [64, 640]
    assert short["parameters"] == long["parameters"] and len(long["exact"]) == 16


@pytest.fixture
def forcing(programs) -> ModuleType:
    return programs("teacher_forcing_chapter")


def test_a_run_of_reversal_has_ten_seeds_and_profiles_of_mixed_lengths(
    forcing, programs, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(forcing.REVERSE, "gold", ("", 2, lambda: None))
    series = forcing.series("reverse")
    given = programs("runner").parser("", series).parse_args([])
    assert {seed for *_, seed in series.wanted(given)} == set(range(1, 11))
    free = series.make("gold", 1)["free"]
    assert len(free["mixed_at"]) == len(free["mixed_left"]) == len(free["accuracy_at"]) == 11
    assert free["mixed_at"] != free["accuracy_at"]  # that is of rows of ten alone


def test_accuracy_is_also_counted_from_the_end(forcing) -> None:
    mask = torch.tensor([[True, True, True], [True, True, False]])
    right = torch.tensor([[True, False, True], [True, False, True]])  # the last is padding
    assert forcing.by_rest(right, mask) == [0.5, 0.5, 1.0]


def drawing_model(forcing, kind: type, probabilities: list[float]):
    """A model of the task that predicts the same words after everything, and what it is fed."""
    model = forcing.reverse_model(kind)
    torch.nn.init.zeros_(model.output.weight)
    model.output.bias.data = torch.tensor(probabilities).log()
    fed: list = []
    read = model.decoder.read
    model.decoder.read = lambda tokens: [fed.append(tokens), read(tokens)][1]
    return model, fed


def test_a_word_is_drawn_as_probable_as_it_is_predicted_and_only_while_training(forcing) -> None:
    chances = [1e-9] * 5 + [0.75, 0.25] + [1e-9] * 7
    model, fed = drawing_model(forcing, forcing.SampledWords, chances)
    src, mask = torch.full((400, 3), 4), torch.ones(400, 3, dtype=torch.bool)
    tgt_in = torch.full((400, 5), 9)
    model.train().features(src, mask, tgt_in, 0.0, torch.Generator().manual_seed(0))
    drawn = torch.cat(fed[1:]).flatten()  # the first word is the start of the sentence
    assert len(drawn) == 1600 and set(drawn.tolist()) == {5, 6}
    assert abs((drawn == 6).double().mean() - 0.25) < 0.05
    fed.clear()
    model.features(src, mask, tgt_in, 0.5, torch.Generator().manual_seed(0))
    assert abs((torch.cat(fed[1:]) == 9).double().mean() - 0.5) < 0.05
    fed.clear()
    model.eval().features(src, mask, tgt_in, 0.0)
    assert (torch.cat(fed[1:]) == 5).all()


def test_a_coin_for_a_position_is_the_same_for_all_rows_of_a_batch(forcing) -> None:
    model, fed = drawing_model(forcing, forcing.PositionCoins, [1e-9] * 5 + [1.0] + [1e-9] * 8)
    src, mask = torch.full((8, 3), 4), torch.ones(8, 3, dtype=torch.bool)
    tgt_in = torch.full((8, 200), 9)
    model.train().features(src, mask, tgt_in, 0.25, torch.Generator().manual_seed(0))
    read = torch.cat(fed, dim=1)
    assert (read == read[:1]).all() and set(read[0].tolist()) == {5, 9}
    assert abs((read[0, 1:] == 9).double().mean() - 0.25) < 0.1
    assert forcing.COINS["half-position"] is forcing.PositionCoins


@pytest.mark.parametrize("attention", [False, True])
def test_a_digit_is_planted_in_rows_that_are_right_without_it(attention: bool, forcing) -> None:
    torch.manual_seed(1)
    model = forcing.reverse_model(attention=attention)
    forcing.train_reverse(model, 3, 1, None)
    batch = forcing.digits_batch(6, seed=3, shortest=forcing.LONGEST)
    found = forcing.after_planting(model, batch)
    assert (found["rows"], found["of"], found["after"]) == (0, 6, None)
    with torch.no_grad():  # a decoder that copies what it reads next, whatever that is
        fed: list = []

        def loop(tgt_in, memory, given):
            features = [torch.nn.functional.one_hot(batch.tgt_out[:, 0], 14).float()]
            for t in range(1, 11):
                fed.append(given(t, features[-1].unsqueeze(1)))
                wrong = (fed[-1][:, 0] != batch.tgt_out[:, t - 1]).unsqueeze(1)
                right = torch.nn.functional.one_hot(batch.tgt_out[:, t], 14).float()
                features.append(torch.where(wrong, right.roll(1, 1), right))
            return torch.stack(features, 1), None

        model.decoder.loop, model.output = loop, torch.nn.Identity()
    found = forcing.after_planting(model, batch)
    # The wrong third digit makes the fourth wrong, and that the next: every one of them is lost.
    assert (found["rows"], found["after"], found["end"]) == (6, 0.0, 0.0)
    planted = fed[-10:]
    assert (planted[2][:, 0] == 4 + (batch.tgt_out[:, 2] - 4 + 1) % 10).all()
    assert planted[1][:, 0].equal(batch.tgt_out[:, 1]) and len(found["at"]) == 8


def test_a_planted_run_is_known_by_its_budget(forcing, programs) -> None:
    series = forcing.series("planted")
    given = programs("runner").parser("", series).parse_args([])
    budgets = {(variant, budget) for variant, budget, _ in series.wanted(given)}
    assert budgets == {(v, n) for v, (_, several) in forcing.PLANTED.items() for n in several}
    assert list(series.head()["variants"]) == ["plain", "attention"]


@pytest.fixture
def correlations(programs) -> ModuleType:
    return programs("correlations")


def test_ranks_correlate_as_spearman_has_it_and_p_counts_all_orders(correlations) -> None:
    x = torch.tensor([[1.0, 2.0, 2.0, 9.0]])
    assert records.ranks(x).tolist() == [[1.0, 2.5, 2.5, 4.0]]
    same = correlations.associated(x, -x)
    assert same.rho == pytest.approx(-1) and same.p == pytest.approx(4 / 24)  # two ties, two ends
    x, y = torch.tensor([[1.0, 2, 3, 4, 5]]), torch.tensor([[2.0, 1, 4, 3, 5]])
    found = correlations.associated(x, y)
    assert found.rho == pytest.approx(1 - 6 * 4 / (5 * 24))
    assert found.p == pytest.approx(16 / 120)  # Kendall's table: P(ρ ≥ .8) = .067, twice
    correlations.EXACT = 4
    assert correlations.associated(x, y).p == pytest.approx(16 / 120, abs=0.01)


def test_within_a_way_the_level_of_the_way_does_not_count(correlations) -> None:
    x = torch.tensor([[1.0, 2, 3, 102.5], [101, 102, 103, 104]])
    y = torch.tensor([[4.0, 3, 2, 1], [104, 103, 102, 101]])
    assert correlations.associated(x, y).rho == pytest.approx(-1)
    assert correlations.associated(x.view(1, -1), y.view(1, -1)).rho > 0


def test_the_sign_test_is_the_binomial_one_and_ties_are_left_out(correlations) -> None:
    expected = {(10, 0): 0.002, (1, 9): 0.0215, (8, 2): 0.1094, (5, 5): 1.0, (8, 1): 0.0391}
    for sides, p in expected.items():
        assert correlations.sign_test(*sides) == pytest.approx(p, abs=5e-5)


def test_all_records_of_chapter_7_have_their_correlations_and_comparisons(
    correlations, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(correlations, "DRAWN", 20)
    told = "\n".join(correlations.lines())
    assert [name for name in correlations.WANTED if f"{name}: " not in told] == []
    assert "two-sided p 0.0020" in told and "10 seeds each" in told


def test_a_model_that_draws_its_words_is_trained_on_ko_en_too(
    forcing, few, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(forcing.TRANSLATE, "ko-en", 4)
    series = forcing.series("translate", "ko-en")
    run = series.make("linear-drawn", 1)
    assert series.name == "07_translate_ko-en" and series.data("half") == "ko-en"
    assert run["updates"] == 4 and set(run["others"]) == {"test_composition", "test_written"}


@pytest.fixture
def attention(programs) -> ModuleType:
    return programs("attention_chapter")


def test_local_attention_with_a_window_as_wide_as_the_source_is_global(attention) -> None:
    torch.manual_seed(0)
    whole, local = (attention.make_model(name, 12, 12).eval() for name in ("luong", "local-m"))
    local.load_state_dict(whole.state_dict())
    src, tgt = torch.randint(4, 12, (3, 9)), torch.randint(4, 12, (3, 7))
    given = (src, torch.ones(3, 9, dtype=torch.bool), tgt)
    for ours, expected in zip(local(*given), whole(*given)):
        assert torch.allclose(ours, expected, atol=1e-6)


@pytest.mark.parametrize("name", ["local-m", "local-p"])
def test_local_attention_sees_its_window_alone_and_steps_as_it_trains(
    name: str, attention, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(attention, "REACH", 2)
    torch.manual_seed(0)
    model = attention.make_model(name, 12, 12).eval()
    lengths = torch.tensor([9, 5])
    src, tgt = torch.randint(4, 12, (2, 9)), torch.randint(4, 12, (2, 8))
    mask = torch.arange(9) < lengths.unsqueeze(1)
    with torch.no_grad():
        memory = model.encode(src, mask)
        features, weights = model.decoder(tgt, memory)
        stepped = model.decoder.loop(tgt, memory)
        hidden, _ = model.decoder.run(
            model.decoder.read(tgt).unsqueeze(1), model.decoder.start(memory)
        )
    assert torch.allclose(features, stepped[0], atol=1e-6)
    assert torch.allclose(weights, stepped[1], atol=1e-6)
    sums, seen = weights.sum(-1), weights > 0
    assert not seen[1, :, 5:].any() and (seen.sum(-1) <= 5).all() and seen.any(-1).all()
    if name == "local-m":
        assert torch.allclose(sums, torch.ones_like(sums))
        assert seen[0, 3].nonzero().flatten().tolist() == [1, 2, 3, 4, 5]
        assert seen[1, 7].nonzero().flatten().tolist() == [2, 3, 4]  # t = 7, and five words
        return
    center = lengths.view(-1, 1, 1) * model.decoder.predictor(hidden.squeeze(1))
    away = torch.arange(9) - center
    assert (away.abs()[seen] <= 2).all() and (sums < 1).all()
    scores = hidden.squeeze(1) @ memory.states.transpose(1, 2)
    scores = scores.masked_fill((away.abs() > 2) | ~mask.unsqueeze(1), float("-inf"))
    expected = scores.softmax(-1) * torch.exp(-(away**2) / 2)  # σ = D/2 = 1
    assert torch.allclose(weights, expected, atol=1e-6)


@pytest.mark.parametrize("name", ["feeding", "general-feeding", "local-p"])
def test_feeding_and_local_attention_are_trained_and_searched(
    name: str, attention, few, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(attention, "UPDATES", {"ko-en-easy": 4})
    run = attention.run("ko-en-easy", name, 1)
    assert len(run["bleu"]) == 5 and 0 < run["aer"] <= 1


def test_input_feeding_is_compared_at_parameters_within_five_per_cent(attention) -> None:
    sizes = {
        name: sum(p.numel() for p in attention.make_model(name, 78, 85).parameters())
        for name in ("general", "general-feeding", "luong", "feeding")
    }
    assert abs(sizes["general-feeding"] / sizes["general"] - 1) < 0.05
    assert sizes["feeding"] > 1.1 * sizes["luong"]  # as its text says


@pytest.fixture
def inside(programs) -> ModuleType:
    return programs("contributions")


@pytest.fixture
def batch():
    return make_batch([[4, 5, 6, 7], [8, 9]], [[5, 6], [7, 8, 9]])


@pytest.mark.parametrize("name", ["luong", "general", "none"])
def test_the_roads_of_the_gradient_add_up_to_all_of_it(name: str, inside, attention, batch) -> None:
    torch.manual_seed(0)
    model = attention.make_model(name, 12, 12).eval()
    table = model.encoder.embed.weight
    other = table.detach().clone().requires_grad_()
    model.encoder.embed.weight = torch.nn.Parameter(other)  # not the target's, which is not asked
    table = model.encoder.embed.weight

    def back(choose) -> torch.Tensor:
        memory = choose(model.encode(batch.src, batch.src_mask))
        loss = model.output(model.decoder(batch.tgt_in, memory)[0]).logsumexp(-1).sum()
        found = torch.autograd.grad(loss, table, allow_unused=True)[0]
        return torch.zeros_like(table) if found is None else found

    names = ("values", "keys", "last state")
    parts = [back(lambda memory, way=way: inside.roads(memory)[way]) for way in names]
    assert torch.allclose(sum(parts), back(lambda memory: memory), atol=1e-5)
    assert [bool(part.any()) for part in parts] == [name != "none", name != "none", True]


def test_gradients_of_a_batch_are_those_of_each_sentence_and_nothing_reaches_padding(
    inside, attention, batch
) -> None:
    torch.manual_seed(0)
    model = attention.make_model("luong", 12, 12).eval()
    found = inside.gradients(model, batch)
    assert set(found) == {"values", "keys", "last state"}
    alone = inside.gradients(model, make_batch([[8, 9]], [[7, 8, 9]]))
    for road, (rows, whole) in found.items():
        assert rows.shape == (4, 2, 5) and whole.shape == (2, 5)
        assert torch.allclose(rows[:, 1, :3], alone[road][0][:, 0], atol=1e-6)
        assert torch.allclose(whole[1, :3], alone[road][1][0], atol=1e-6)
        assert not rows[:, 1, 3:].any() and not rows[3, 0].any() and rows[:3, 0].any()


def test_means_by_part_and_by_distance_are_taken_where_tokens_are_real(inside) -> None:
    norms = torch.arange(20.0).repeat(2, 1)  # (B, S)
    real = torch.arange(20) < torch.tensor([[20], [10]])
    # Twenty tokens are two a tenth, ten are one: (0 + 1 + 0) / 3 in the first, and so on.
    assert inside.by_part(norms, real)[:2] == [0.333, 2.0]
    rows, weights = torch.tensor([[[5.0, 7.0, 9.0]]]), torch.tensor([[[0.1, 0.8, 0.1]]])
    near = inside.by_distance(rows, weights, torch.ones(1, 1, 3, dtype=torch.bool))
    assert near[:2] == [7.0, 7.0] and all(math.isnan(value) for value in near[2:])
    near = inside.by_distance(rows, weights, torch.tensor([[[True, True, False]]]))
    assert near[:2] == [7.0, 5.0]


def test_a_run_inside_a_translator_has_gradients_and_contributions(
    inside, attention, few, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(attention, "UPDATES", {"ko-en-easy": 4})
    monkeypatch.setattr(inside, "LONG", (4, 10))
    monkeypatch.setattr(inside, "SENTENCES", 3)
    monkeypatch.setattr(inside, "EACH", 4)
    run = inside.run("luong", 1)
    shuffled = run["shuffled"]["short"]
    assert shuffled["sentences"] == 4 and len(shuffled["moved"]) == inside.DRAWS
    assert run["shuffled"]["all"]["rows"] > shuffled["rows"] == run["replaced"]["rows"] > 0
    assert 0 < run["replaced"]["by chance"] < 0.5
    assert set(run["gradients"]) == {"values", "keys", "last state"}
    assert len(run["gradients"]["keys"]["a word"]) == inside.PARTS
    assert set(run["contributions"]["aer"]) == {"weight", "length", "behind W_c"}
    example = run["contributions"]["example"]
    for name in ("weight", "length", "behind W_c"):
        assert len(example[name]) == len(example["tgt"])
        assert all(len(row) == len(example["src"]) for row in example[name])
    assert sum(example["length"][0]) == pytest.approx(1, abs=0.01)
    assert example["length"] != example["weight"]
    run = inside.run("none", 1)
    assert set(run["gradients"]) == {"last state"} and "contributions" not in run


def test_weights_in_another_order_are_the_same_weights_and_padding_keeps_none(inside) -> None:
    weights = torch.tensor([[[0.5, 0.3, 0.2, 0.0], [0.1, 0.2, 0.3, 0.4]]]).transpose(0, 1)
    mask = torch.tensor([[True, True, True, False], [True] * 4])
    lots = torch.Generator().manual_seed(0)
    orders = torch.stack([inside.in_another_order(weights, mask, lots) for _ in range(300)])
    assert orders.sort(-1).values.equal(weights.sort(-1).values.expand_as(orders))
    assert not orders[:, 0, :, 3].any()
    first = (orders.argmax(-1) == weights.argmax(-1)).double().mean(0).flatten()
    assert abs(first[0] - 1 / 3) < 0.1 and abs(first[1] - 1 / 4) < 0.1  # as often as by chance


def test_the_order_of_weights_that_are_equal_changes_no_word(inside, attention, few) -> None:
    model = attention.make_model("uniform", *map(len, vocabularies("ko-en-easy"))).eval()
    translator = few.Translator(model, *vocabularies("ko-en-easy"))
    found = inside.stays(translator, few.numbers().corpus.test[:5], seed=1)
    assert found["equal"] == 1 and set(found["all"]) == {1.0}
    assert not model.decoder.attention._forward_hooks


def test_ranks_agree_or_turn(inside) -> None:
    a = torch.tensor([0.1, 0.7, 0.2])
    assert inside.correlation(a, torch.tensor([1.0, 9.0, 2.0])) == pytest.approx(1)
    assert inside.correlation(a, -a) == pytest.approx(-1)


def test_a_divisor_is_learned_or_stays_and_is_trained_at_the_rate_of_its_name(
    programs, few, monkeypatch: pytest.MonkeyPatch
) -> None:
    divisors, scores = programs("divisors"), programs("scores_chapter")
    monkeypatch.setitem(scores.UPDATES, "ko-en-easy", 10)
    made = {name: divisors.run(name, 1) for name in ("learned", "0.25-slow", "measured-slow-long")}
    assert made["0.25-slow"]["divisor"] == 0.25 and made["0.25-slow"]["learning_rate"] == 1e-3
    assert made["measured-slow-long"]["updates"] == 40
    assert made["learned"]["divisor"] != 1 and made["learned"]["learning_rate"] == 4e-3
    assert made["learned"]["parameters"] == made["0.25-slow"]["parameters"] + 1
    assert made["measured-slow-long"]["divisor"] == made["learned"]["spread"][0]


def test_counting_learns_which_word_translates_which(programs) -> None:
    """House, book and their articles: the example of every text on IBM Model 1."""
    baselines = programs("alignment_baselines")
    das, haus, buch, ein = 4, 5, 6, 7
    the, house, book, a = 4, 5, 6, 7
    pairs = [([das, haus], [the, house]), ([das, buch], [the, book]), ([ein, buch], [a, book])]
    t = torch.full((8, 8), 1 / 8)
    for _ in range(20):
        t = baselines.one_round(pairs, t)
        assert torch.allclose(t[[das, haus, buch, ein]].sum(1), torch.ones(4))
    assert t[das, the] > 0.8 and t[buch, book] > 0.8
    assert baselines.linked(t, [das, haus], [the, house]) == {(0, 0), (1, 1)}
    t[das, [the, house]], t[0, [the, house]] = torch.tensor([0.8, 0.2]), torch.tensor([0.2, 0.2])
    once = baselines.one_round([([das], [the, house])], t)
    assert once[das, the] == pytest.approx(0.8 / 1.3)  # das has 0.8 of the, and half of house
    t[0, the] = 1
    assert baselines.linked(t, [das, haus], [the, house], null=True) == {(1, 1)}


def test_one_training_that_stands_in_two_records_is_one_draw(programs, tmp_path: Path) -> None:
    draws = programs("draws")
    one = {"seed": 1, "bleu": [1.0, 2.0], "aer": 0.1}
    rows = {"05_attention": ["luong", "general"], "06_scores": ["dot", "general"]}
    for name, variants in rows.items():
        runs = [{"variant": v, **one} for v in variants]
        runs[1] = runs[1] | {"aer": 0.1 + 0.1 * (name == "06_scores")}
        records.save(tmp_path / f"{name}.json", {"command": "c"}, runs)
    assert len(draws.draws("Luong, dot", "ko-en-easy", tmp_path)) == 1
    both = draws.draws("Luong, general", "ko-en-easy", tmp_path)
    assert [run["record"] for run in both] == ["05_attention", "06_scores"]
    assert draws.draws("Luong, general", "ko-en", tmp_path) == []
    for stands in draws.SAME.values():
        for stem, variant in stands.items():
            assert (variant,) in records.read(records.path_of(stem), ("variant",))


@pytest.fixture
def characters(programs, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    program = programs("characters")
    tiny = {"UPDATES": 2, "LOOKS": (0, 2), "WRITTEN": 12, "CONTEXTS": (1, 3), "PLACES": 9}
    for name, value in tiny.items():
        monkeypatch.setattr(program, name, value)
    return program


def test_the_bundled_prose_is_the_text_that_its_readme_speaks_of(characters) -> None:
    folder = bundled_directory().parent / "shakespeare"
    content = (folder / "shakespeare.txt").read_bytes()
    readme = (folder.parent / "README.md").read_text(encoding="utf-8")
    assert hashlib.sha256(content).hexdigest() in readme and "karpathy/char-rnn" in readme
    letters, train, valid = characters.prose()
    assert len(train) + len(valid) == 299_868 and len(letters) == 62
    text = "".join(letters[n] for n in [*train[-30:].tolist(), *valid[:30].tolist()])
    assert text in content.decode("utf-8")


def test_a_network_reads_characters_and_writes_what_it_has_learned(characters) -> None:
    letters, train, valid = characters.prose()
    for variant in characters.VARIANTS:
        run = characters.run(variant, 1)
        first, last = run["looks"]
        assert (first["update"], last["update"]) == (0, 2) and first["bits"] > last["bits"]
        assert all(len(text) == 12 for text in last["written"].values())
        assert len(run["bits_by_context"]) == 2 and len(run["train_bits"]) == 2
    sizes = [sum(p.numel() for p in characters.Reader(v, 62).parameters()) for v in ("rnn", "lstm")]
    assert abs(sizes[1] / sizes[0] - 1) < 0.05


def test_the_gpt_of_chapter_11_reads_and_writes_with_as_many_numbers_as_chapter_1_has(
    programs, characters, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = programs("gpt_chapter")
    for name, value in {"UPDATES": 2, "LOOKS": (0, 2), "WRITTEN": 12}.items():
        monkeypatch.setattr(program, name, value)
    run = program.run("gpt", 1)
    first, last = run["looks"]
    assert first["bits"] == pytest.approx(math.log2(62), abs=1e-3) and first["bits"] > last["bits"]
    assert [len(look["written"]) for look in (first, last)] == [13, 13]  # with the line end before
    assert len(run["train_bits"]) == 2
    for variant in characters.VARIANTS:
        size = sum(p.numel() for p in characters.Reader(variant, 62).parameters())
        assert abs(run["parameters"] / size - 1) < 0.05, variant


def test_bits_are_those_of_the_whole_text_however_it_is_cut(characters) -> None:
    torch.manual_seed(0)
    model, (_, train, _) = characters.Reader("rnn", 62), characters.prose()
    text = train[:4500]  # read in three pieces
    logits = model(text[None, :-1])[0][0]
    whole = torch.nn.functional.cross_entropy(logits, text[1:]).item() / math.log(2)
    assert characters.bits(model, text) == pytest.approx(whole, abs=1e-3)
    torch.nn.init.zeros_(model.output.weight)
    torch.nn.init.zeros_(model.output.bias)
    assert characters.bits(model, text) == pytest.approx(math.log2(62), abs=1e-3)
    assert characters.bits_by_context(model, text) == [pytest.approx(math.log2(62), abs=1e-3)] * 2


def test_what_is_counted_is_better_the_more_is_known(characters) -> None:
    counted = list(characters.counted().values())
    assert counted == sorted(counted, reverse=True) and counted[0] == round(math.log2(62), 4)


# Captions -----------------------------------------------------------------------------------------


def test_the_tiny_transformer_writes_step_by_step_what_it_learns_in_parallel(programs) -> None:
    models = programs("models")
    torch.manual_seed(1)
    shape = {"size": 16, "layers": 2, "inner": 24, "heads": 4, "dropout": 0.3}
    model = models.Tiny(12, **shape).eval()
    batch = make_batch([[4, 5, 6], [7]], [[8, 9], [10, 11]])
    logits = model.output(model.features(*batch[:3])[0])
    memory = model.encode(batch.src, batch.src_mask)
    state = model.decoder.start(memory)
    for t in range(3):
        found, state, _ = model.step(batch.tgt_in[:, t : t + 1], memory, state)
        torch.testing.assert_close(found[:, 0], logits[:, t].log_softmax(-1))
    short = make_batch([[7]], [[10, 11]])  # without the padding
    alone = model.output(model.features(*short[:3])[0])
    torch.testing.assert_close(alone[0], logits[1])
    assert model.output.weight is model.encoder.embed.weight
    drops = {module.p for module in model.modules() if isinstance(module, torch.nn.Dropout)}
    heads = [m for m in model.modules() if isinstance(m, torch.nn.MultiheadAttention)]
    assert drops == {0.0, 0.3} and {one.dropout for one in heads} == {0.0} and len(heads) == 6


def test_large_batches_read_as_much_as_the_presets_and_their_rate_is_the_published_one(
    programs,
) -> None:
    models = programs("models")
    for name, (updates, _) in models.UPDATES.items():
        whole = models.PRESETS[name].recipe.updates * models.PRESETS[name].batch_tokens
        assert abs(whole - updates * models.LARGE) < models.LARGE
    recipe = models.settings("tiny", "published", models.PRESETS["published"]).recipe
    assert [recipe.learning_rate_at(n - 1, 0.0) for n in (1, 2000, 8000)] == [2.5e-6, 5e-3, 2.5e-3]
    tried = models.settings("large batches", "quick", models.PRESETS["quick"], 0.01)
    assert tried.recipe.learning_rate == 0.01 and tried.batch_tokens == models.LARGE


def test_the_mean_of_weights_is_taken_at_the_ends_of_epochs(programs, tmp_path: Path) -> None:
    captions = programs("multi30k")
    batches = Batches([[4]] * 5, [[4]] * 5, batch_size=2)
    assert captions.ends_of_epochs(batches, 7) == [3, 6]
    paths = [tmp_path / f"{n}.safetensors" for n in (1, 2)]
    for path, number in zip(paths, (1.0, 4.0)):
        write_tensors(path, {"w": torch.full((2,), number)})
    assert captions.mean_of_weights(paths)["w"].tolist() == [2.5, 2.5]


def test_the_trials_of_a_rate_stay_where_a_run_is_added(programs, tmp_path: Path) -> None:
    captions, path = programs("multi30k"), tmp_path / "runs.json"
    captions.save(path, trial={"learning rate": 0.1})
    captions.save(path, {"preset": "full", "model": "tiny", "seed": 1})
    captions.save(path, trial={"learning rate": 0.2})
    assert [trial["learning rate"] for trial in captions.trials(path)] == [0.1, 0.2]
    assert list(captions.read(path)) == [("full", "tiny", 1)]


@pytest.mark.parametrize("seed", range(8))
def test_the_empty_translation_is_proved_to_be_the_mode_where_it_is(seed: int, programs) -> None:
    program = programs("smoothing")
    generator = torch.Generator().manual_seed(seed)
    logits = 2 * torch.randn(7, 7, generator=generator)  # of what follows which
    logits[2, 3] += 0.5 * seed
    table = logits.log_softmax(-1)

    def step(tokens, memory, state):
        return table[tokens], state, None

    start = torch.zeros(1), torch.zeros(1, 1)
    [[best]] = exhaustive_search(step, *start, max_length=6)
    for at_once in (1, 1000):
        program.AT_ONCE = at_once
        assert program.empty_is_mode(step, *start, 6)[0] == (not best.tokens)
    assert program.empty_is_mode(step, *start, 6, budget=0) == (None, 1)


def test_a_better_translation_counts_only_where_it_is_not_too_long(programs) -> None:
    table = torch.zeros(6, 6)
    table[2, [3, 4]] = torch.tensor([0.4, 0.6])  # either nothing, or 4 and then surely 5
    table[4, 5] = table[5, 3] = 1.0

    def step(tokens, memory, state):
        return table.log()[tokens], state, None

    search = programs("smoothing").empty_is_mode
    found = [search(step, torch.zeros(1), torch.zeros(1, 1), limit)[0] for limit in (2, 3)]
    assert found == [True, False]


def test_a_training_of_quick_counts_once(programs, tmp_path: Path) -> None:
    program = programs("quick_runs")

    def one(valid: float, loss: float, **what: object) -> dict:
        scores = {"valid beam 5": valid, "test beam 5": valid}
        machine = {"precision": "bf16"}
        return {"seed": 1, "bleu": scores, "curve": {"valid loss": [loss]}, **what} | {
            "machine": machine
        }

    files = {
        "10_multi30k": [one(41.0, 1.5, preset="quick"), one(43.0, 1.3, preset="full")],
        "10_models": [
            one(41.0, 1.5, preset="quick", model="general"),
            one(40.0, 1.5, preset="quick", model="dot"),
        ],
        "10_ladder": [
            one(41.01, 1.5004, variant="quick"),
            one(42.0, 1.51, variant="quick"),
        ],
    }
    for name, runs in files.items():
        records.save(tmp_path / f"{name}.json", {"what": ""}, runs)
    found = program.distinct(tmp_path)
    assert [run["files"] for run in found] == [
        ["10_multi30k", "10_models", "10_ladder"],
        ["10_ladder"],
    ]
    assert program.joined(found)["test beam 5"] == {"n": 2, "mean": 41.5, "range": [41.0, 42.0]}


def test_the_gradient_at_the_query_is_that_of_autograd(programs) -> None:
    program, generator = programs("query_gradient"), torch.Generator().manual_seed(1)
    query = torch.randn(1, 6, generator=generator, dtype=torch.double)
    keys = torch.randn(1, 5, 6, generator=generator, dtype=torch.double)
    weigh = torch.autograd.functional.jacobian(lambda q: (keys[0] @ q / 2).softmax(-1), query[0])
    torch.testing.assert_close(program.norms(query, keys, 2.0)[0], weigh.norm())


def test_the_fused_attention_is_the_books(programs) -> None:
    program = programs("attention_time")
    torch.manual_seed(1)
    module, x = MultiHeadAttention(8, 2), torch.randn(1, 5, 8)
    torch.testing.assert_close(program.fused(module, x), module(x, x)[0])
