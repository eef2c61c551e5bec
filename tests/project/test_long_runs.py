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
from attnlib.metrics import corpus_bleu, corpus_chrf
from attnlib.presets import REAL, Preset
from attnlib.training import Recipe

BENCHMARKS = Path(__file__).parents[2] / "benchmarks"
QUICK = Preset(
    Recipe(updates=2, learning_rate=1e-2, warmup=1, validate_every=2, precision="fp32"),
    16, 24, 0.1, batch_tokens=100, subwords=300,
)  # fmt: skip
FULL = dataclasses.replace(QUICK, hidden_size=32)


@pytest.fixture
def program(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[str], ModuleType]]:
    """Import a program as Python does that runs it: its own folder comes first."""
    before, threads = set(sys.modules), torch.get_num_threads()
    monkeypatch.syspath_prepend(BENCHMARKS)
    yield importlib.import_module
    torch.set_num_threads(threads)
    for name in set(sys.modules) - before:
        if Path(getattr(sys.modules[name], "__file__", None) or "/").parent == BENCHMARKS:
            del sys.modules[name]


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
    monkeypatch.setattr(module, "load_corpus", lambda name: captions)
    monkeypatch.setattr(module, "REAL", {"quick": QUICK, "full": FULL})
    return module


def test_all_models_are_trained_measured_and_recorded_once(
    multi30k: ModuleType, captions: Corpus, monkeypatch, tmp_path: Path
) -> None:
    file, out = tmp_path / "runs.json", tmp_path / "folders"
    where = ("--record", file, "--out", out)
    start(multi30k, monkeypatch, "--models", "all", "--seeds", 2, *where)
    record = json.loads(file.read_text(encoding="utf-8"))
    runs = {run["model"]: run for run in record["runs"]}
    assert list(runs) == list(multi30k.models.WHAT) and "the Transformer's settings" in record
    for model, run in runs.items():
        assert (run["preset"], run["seed"]) == ("quick", 2)
        assert f"--models {model} --seeds 2 " in run["command"]
        assert run["settings"]["recipe"]["updates"] == 2 == run["curve"]["update"][-1]
        of_tests = run["test sets"]
        assert sum(of_tests["sentences by length"]) == 12
        for search in ("greedy", "beam 5"):
            assert of_tests[search]["bleu"]["test"] == run["bleu"][f"test {search}"]
            assert set(of_tests[search]["bleu"]) == set(of_tests[search]["chrf"]) == set(TESTS)
    assert {run["settings"]["recipe"]["learning_rate"] for run in runs.values()} == {1e-2, 1e-3}
    before = file.read_bytes()
    for folder in out.iterdir():
        for part in folder.iterdir():
            part.unlink()
    start(multi30k, monkeypatch, "--models", "all", "--seeds", 2, *where)
    assert file.read_bytes() == before and not any(part for part in out.glob("*/*"))


def test_a_run_with_other_settings_takes_the_place_of_the_one_that_is_there(
    multi30k: ModuleType, monkeypatch, tmp_path: Path
) -> None:
    file = tmp_path / "runs.json"
    for preset, seed in (("full", 1), ("quick", 2), ("quick", 1)):
        one = ("--preset", preset, "--seeds", seed, "--out", tmp_path / "a", "--record", file)
        start(multi30k, monkeypatch, *one)
    longer = dataclasses.replace(QUICK, recipe=dataclasses.replace(QUICK.recipe, updates=4))
    monkeypatch.setitem(multi30k.REAL, "quick", longer)
    start(multi30k, monkeypatch, "--out", tmp_path / "b", "--record", file)
    runs = json.loads(file.read_text(encoding="utf-8"))["runs"]
    found = [(run["preset"], run["seed"], run["curve"]["update"][-1]) for run in runs]
    assert found == [("quick", 1, 4), ("quick", 2, 2), ("full", 1, 2)]


def test_the_figures_of_test_sets_are_those_of_the_metrics(
    multi30k: ModuleType, captions: Corpus, monkeypatch
) -> None:
    """Beside attnlib's own BLEU and chrF; by length, of all four sets together."""
    monkeypatch.setattr(multi30k, "LENGTHS", ((1, 3), (4, 9)))
    texts = {
        (split, search): [
            " ".join(pair.tgt.split()[: -1 - number % (2 if search == "greedy" else 3)])
            for number, pair in enumerate(captions.split(split))
        ]
        for split in TESTS
        for search in ("greedy", "beam 5")
    }
    found = multi30k.on_test_sets(texts, captions)
    for search in ("greedy", "beam 5"):
        for split in TESTS:
            both = texts[split, search], [pair.tgt for pair in captions.split(split)]
            assert found[search]["bleu"][split] == pytest.approx(corpus_bleu(*both).score, abs=0.01)
            assert found[search]["chrf"][split] == pytest.approx(corpus_chrf(*both), abs=0.01)
        every = [
            (pair, text)
            for split in TESTS
            for pair, text in zip(captions.split(split), texts[split, search])
        ]
        for (low, high), n, score in zip(
            multi30k.LENGTHS, found["sentences by length"], found[search]["bleu by length"]
        ):
            chosen = [(p, text) for p, text in every if low <= len(p.src.split()) <= high]
            assert n == len(chosen) > 0
            bleu = corpus_bleu([text for _, text in chosen], [p.tgt for p, _ in chosen]).score
            assert score == pytest.approx(bleu, abs=0.01)


def test_models_that_are_compared_have_about_as_many_parameters(program) -> None:
    """At quick's budget, within 5 % of the preset's own; at full's, the two compared there."""
    models = program("models")
    for name, chosen in (("quick", models.WHAT), ("full", ("general", "transformer"))):
        count = {
            model: sum(p.numel() for p in models.maker(model, name, REAL[name])(4000).parameters())
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
