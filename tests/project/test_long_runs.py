"""The programs whose runs are long, made with models and corpora that are tiny."""

import dataclasses
import importlib
import json
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType

import pytest
import torch

from attnlib.data import Corpus, Splits, load_corpus
from attnlib.training import Recipe
from attnlib.translator import DEFAULT_PRESETS, Preset

pytestmark = pytest.mark.thorough

QUICK = Preset(
    Recipe(updates=2, learning_rate=1e-2, warmup=1, validate_every=2, precision="fp32"),
    16,
    24,
    0.1,
    batch_tokens=100,
    subwords=300,
)
FULL = dataclasses.replace(QUICK, hidden_size=32)


@pytest.fixture
def program() -> Iterator[Callable[[str], ModuleType]]:
    """Import a program of studies/ by its name."""
    threads = torch.get_num_threads()
    yield lambda name: importlib.import_module(f"studies.{name}")
    torch.set_num_threads(threads)


@pytest.fixture
def captions() -> Corpus:
    """A corpus with the splits of Multi30k, of sentences that need no network."""
    easy = load_corpus("ko-en-easy")
    short = [pair for pair in easy.train if len(pair.src.split()) <= 4][:112]
    parts = {"train": short[:100]}
    for number, name in enumerate(TESTS):
        parts[name] = short[100 + 3 * number :][:3]
    parts["valid"] = parts["test"]
    return Corpus("captions", Splits({k: lambda v=v: v for k, v in parts.items()}), "de", "en")


TESTS = ("test", "test_2017_flickr", "test_2017_mscoco", "test_2018_flickr")


def start(module: ModuleType, monkeypatch: pytest.MonkeyPatch, *arguments: object) -> None:
    monkeypatch.setattr(sys, "argv", [str(module.__file__), *map(str, arguments)])
    module.main()


# multi30k ---------------------------------------------------------------------------------------


@pytest.fixture
def multi30k(program, captions: Corpus, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    module = program("multi30k")
    monkeypatch.setattr(module.records, "corpus_or_exit", lambda name: captions)
    monkeypatch.setattr(module.models, "PRESETS", {"quick": QUICK, "full": FULL})
    return module


def test_all_models_are_trained_measured_and_recorded_once(
    multi30k: ModuleType, captions: Corpus, monkeypatch, tmp_path: Path
) -> None:
    file, out = tmp_path / "runs.json", tmp_path / "folders"
    where = ("--record", file, "--out", out)
    start(multi30k, monkeypatch, "--models", "all", "--seeds", 2, *where)
    record = json.loads(file.read_text(encoding="utf-8"))
    runs = {run["model"]: run for run in record["runs"]}
    assert list(runs) == list(multi30k.models.COMPARED) and "the Transformer's settings" in record
    for model, run in runs.items():
        assert (run["preset"], run["seed"]) == ("quick", 2)
        assert f"--models {model} --seeds 2 " in run["command"]
        assert run["settings"]["recipe"]["updates"] == 2 == run["curve"]["update"][-1]
        of_tests = run["test sets"]
        assert sum(of_tests["sentences by length"]) == 12
        for search in ("greedy", "beam 5"):
            assert of_tests[search]["bleu"]["test"] == run["bleu"][f"test {search}"]
            assert set(of_tests[search]["bleu"]) == set(of_tests[search]["chrf"]) == set(TESTS)
    assert {run["settings"]["recipe"]["learning_rate"] for run in runs.values()} == {1e-2, 2e-3}
    before = file.read_bytes()
    for folder in out.iterdir():
        for part in folder.iterdir():
            part.unlink()
    start(multi30k, monkeypatch, "--models", "all", "--seeds", 2, *where)
    assert file.read_bytes() == before and not any(part for part in out.glob("*/*"))


def test_models_that_are_compared_have_about_as_many_parameters(program) -> None:
    """At quick's budget, within 5 % of the preset's own; at full's, the two compared there."""
    models = program("models")
    for name, chosen in (("quick", models.COMPARED), ("full", ("general", "transformer"))):
        count = {
            model: sum(
                p.numel()
                for p in models.maker(model, name, DEFAULT_PRESETS[name])(4000).parameters()
            )
            for model in chosen
        }
        assert all(abs(n / count["general"] - 1) < 0.05 for n in count.values()), count


def test_the_model_of_the_presets_is_the_same_by_both_roads(
    multi30k: ModuleType, captions: Corpus, tmp_path: Path
) -> None:
    """A model made here learns as one of train_translator does: the comparison has one budget."""
    own, _ = multi30k.train_translator(captions, QUICK, tmp_path / "own", attention="dot")
    ours, history = multi30k.train(captions, QUICK, tmp_path / "ours", "quick", "dot")
    weights = dict(ours.model.named_parameters())
    assert history.updates == 2 and ours.limit == own.limit
    for name, parameter in own.model.named_parameters():
        assert torch.equal(weights[name], parameter), name


# search_sweep -----------------------------------------------------------------------------------


@pytest.fixture
def sweep(program, captions: Corpus, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    module = program("search_sweep")
    monkeypatch.setattr(module.records, "corpus_or_exit", lambda name: captions)
    monkeypatch.setattr(module, "DEFAULT_PRESETS", {"quick": QUICK, "full": FULL})
    monkeypatch.setattr(module.multi30k.models, "PRESETS", {"quick": QUICK, "full": FULL})
    monkeypatch.setattr(module, "WIDTHS", (2, 3))
    monkeypatch.setattr(module, "CANDIDATES", (2, 4))
    return module


def test_a_sweep_is_made_part_by_part_and_searches_what_it_says(
    sweep: ModuleType, monkeypatch, tmp_path: Path
) -> None:
    file = tmp_path / "runs.json"
    where = ("--file", file, "--out", tmp_path / "folders")
    start(sweep, monkeypatch, *where, "--parts", "widths")
    start(sweep, monkeypatch, *where)
    runs = json.loads(file.read_text(encoding="utf-8"))["runs"]
    assert [run["part"] for run in runs] == list(sweep.PARTS)
    parts = {run["part"]: run["rows"] for run in runs}
    assert [row["k"] for row in parts["widths"]] == [1, *[2, 3] * 4]
    assert [row["temperature"] for row in parts["samples"]] == list(sweep.TEMPERATURES)
    for row in parts["samples"]:
        assert len(row["single"]) == 4
        assert [(r["utility"], r["candidates"]) for r in row["least risk"]] == [
            *(("chrf", 2), ("chrf", 4), ("bleu", 2), ("bleu", 4))
        ]


def test_least_risk_is_the_text_that_is_most_like_the_others(program) -> None:
    sweep = program("search_sweep")
    texts = ["b", "aaaa", "aa", "aaaa"]
    worth = sweep.utilities(
        texts, lambda one, other: float(len(set(one + "*") & set(other)) * len(one))
    )
    assert worth.tolist() == [[1, 0, 0, 0], [0, 4, 4, 4], [0, 2, 2, 2], [0, 4, 4, 4]]
    assert sweep.least_risk(worth, 4) == 1 and sweep.least_risk(worth, 1) == 0
    flat = torch.tensor([[1.0, 0.0, 9.0], [0.0, 2.0, 0.0], [0.0, 0.0, 0.0]])
    assert sweep.least_risk(flat, 2) == 1  # only the first candidates are compared
    assert sweep.least_risk(flat, 3) == 0


# learning_to_speak ------------------------------------------------------------------------------


@pytest.fixture
def learning(program, captions: Corpus, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    module = program("learning_to_speak")
    monkeypatch.setattr(module.records, "corpus_or_exit", lambda name: captions)
    monkeypatch.setattr(module, "DEFAULT_PRESETS", {"quick": QUICK})
    monkeypatch.setattr(module, "STAGES", {"multi30k-de-en": (2, 6), "ko-en-easy": (1, 2)})
    monkeypatch.setattr(module, "EVERY", {"multi30k-de-en": 2, "ko-en-easy": 1})
    return module


def test_a_translator_that_learns_to_speak_is_recorded_at_every_stage(
    learning: ModuleType, monkeypatch, tmp_path: Path
) -> None:
    file = tmp_path / "runs.json"
    start(learning, monkeypatch, "--file", file, "--out", tmp_path)
    german, korean = json.loads(file.read_text(encoding="utf-8"))["runs"]
    assert [page["update"] for page in german["stages"]] == [2, 6]
    assert [page["update"] for page in korean["stages"]] == [1, 2]
    for run in (german, korean):
        for page in run["stages"]:
            assert len(page["sentences"]) == len(run["sentences"])
            for given, translated in zip(run["sentences"], page["sentences"]):
                rows = translated["tokens"] if run is german else given["reference tokens"]
                assert len(translated["weights"]) == len(rows)
                for row in translated["weights"]:
                    assert len(row) == len(given["tokens"])
                    assert run is korean or abs(sum(row) - 100) <= len(row) / 2
    assert [pair["src"] for pair in german["sentences"]] == list(learning.LINES[::2])


@pytest.mark.network("multi30k-de-en")
def test_none_of_the_sentences_that_are_kept_is_in_multi30k(program) -> None:
    corpus = load_corpus("multi30k-de-en")
    captions = {
        text.strip() for split in corpus.splits.values() for pair in split for text in pair[:2]
    }
    assert len(captions) > 50000
    for pair in program("learning_to_speak").SENTENCES:
        assert captions.isdisjoint(pair[:2])
