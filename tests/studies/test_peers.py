"""The comparison with the peers, as far as it can be tested where none of them is installed."""

import json
import math
import re
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import torch
from torch.utils.flop_counter import FlopCounterMode

from attnlib.data import load_corpus
from studies.peers import __main__ as bench
from studies.peers import children, prepare, program, tables, useful
from studies.peers.with_attnlib import Attnlib

pytestmark = pytest.mark.thorough

HERE = Path(children.__file__).parent
SMALL = program.Work(13, 11, embedding=8, hidden=16, dropout=0.0, output=16)


def batch(size: int, source: int, target: int) -> program.Batch:
    """A batch of random words without padding."""
    src = torch.randint(4, SMALL.src_size, (size, source))
    tgt = torch.randint(4, SMALL.tgt_size, (size, target + 1))
    masks = [torch.ones(size, length, dtype=torch.bool) for length in (source, target)]
    return program.Batch(src, masks[0], tgt[:, :-1], tgt[:, 1:], masks[1])


# Useful operations -------------------------------------------------------------------------------


# torch says so where oneDNN's flags are set: a remark on GPUs of Intel.
NO_TF32 = pytest.mark.filterwarnings("ignore:TF32 acceleration")


@NO_TF32
@pytest.mark.parametrize(
    "options",
    [
        {"score": "dot"},
        {"score": "general"},
        {"score": "general", "feeding": True},
        {"score": "concat"},
        {"score": "additive", "feeding": True},
        {"score": "additive", "decoder": "bahdanau", "output": 12},
    ],
    ids=str,
)
def test_useful_operations_are_those_that_torch_counts(options: dict[str, Any]) -> None:
    work = SMALL._replace(**options)
    made = Attnlib(work)
    given = batch(3, 17, 19)
    counter = FlopCounterMode(display=False)
    # oneDNN's LSTM is one operation that the counter does not know; without it, it is products.
    with torch.backends.mkldnn.flags(enabled=False), counter:
        made.loss(given).backward()
    # Of the encoder's first state, a constant, nobody wants a gradient: a seventeenth of a part.
    expected = useful.update_flops(work, [(17, 19)] * 3)
    # v·tanh is a product with a vector: the counter leaves it out, forward and in both gradients.
    uncounted = 3 * 2 * 3 * 17 * 19 * 16 * (work.score in ("concat", "additive"))
    assert expected - uncounted == pytest.approx(counter.get_total_flops(), rel=0.02)


def test_padding_counts_no_operations_and_sentences_add_up() -> None:
    both = useful.update_flops(SMALL, [(3, 4), (7, 2)])
    assert both == sum(useful.update_flops(SMALL, [one]) for one in ((3, 4), (7, 2)))


@NO_TF32
def test_the_operations_of_an_lstm_are_those_that_torch_counts() -> None:
    layer, counter = torch.nn.LSTM(16, 16, batch_first=True), FlopCounterMode(display=False)
    inputs = torch.randn(3, 25, 16, requires_grad=True)
    with torch.backends.mkldnn.flags(enabled=False), counter:
        layer(inputs)[0].sum().backward()
    assert useful.lstm_flops(3, 25, 16) == pytest.approx(counter.get_total_flops(), rel=0.02)


# Ratios and tables -------------------------------------------------------------------------------


def rounds(seconds: list[float], peak: float = 100.0) -> dict[str, Any]:
    return {"parameters": 2_000_000, "rounds": [{"cpu": s, "peak_mib": peak} for s in seconds]}


def test_ratios_are_taken_within_a_round() -> None:
    # The second round fell into a busy minute, for both: medians of seconds would say 1.5.
    assert tables.ratios([1.0, 10.0, 1.0], [1.2, 12.0, 1.2]) == (1.2, 1.2, 1.2)
    with pytest.raises(ValueError, match="argument 2"):
        tables.ratios([1.0], [1.0, 2.0])


def test_a_summary_has_rates_ratios_and_the_share_of_the_best_lstm() -> None:
    lstm = {"rounds": [{"flops_per_second": 50.0}, {"flops_per_second": 80.0}]}
    found = {"attnlib": rounds([1.0, 2.0]), "other": rounds([2.0, 3.0], 300.4), "lstm": lstm}
    ours, other = tables.summary(found, [10, 40], [40, 120])
    assert (ours["program"], other["program"]) == ("attnlib", "other")
    assert ours["rate"] == (15.0, 10.0, 20.0)
    assert ours["ratio"] == (1.0, 1.0, 1.0) and other["ratio"] == (1.75, 1.5, 2.0)
    assert ours["utilisation"] == 0.75 and other["utilisation"] == 0.5  # 60 / 80, 40 / 80
    assert other["peak_mib"] == 300
    assert "utilisation" not in tables.summary(found, [10, 40])[0]


# Turns -------------------------------------------------------------------------------------------


def test_programs_take_turns_and_begin_in_both_orders(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    log: list[tuple[str, Any]] = []

    class Fake:
        def __init__(self, name: str, job: str, folder: Path, options: Any, avx2: bool) -> None:
            self.name = name

        def read(self) -> dict[str, Any]:
            return {"parameters": len(self.name)}

        def round(self, batches: list[int]) -> dict[str, Any]:
            log.append((self.name, batches))
            return {"cpu": 1.0}

        def close(self) -> None:
            log.append((self.name, "closed"))

    monkeypatch.setattr(children, "Child", Fake)
    found = children.take_turns("training", tmp_path, {"a": {}, "bb": {}}, [[1], [2], [3]], [0])
    assert log == [
        *(("a", [0]), ("bb", [0])),
        *(("a", [1]), ("bb", [1]), ("bb", [2]), ("a", [2]), ("a", [3]), ("bb", [3])),
        *(("a", "closed"), ("bb", "closed")),
    ]
    assert found["bb"] == {"parameters": 2, "first": {"cpu": 1.0}, "rounds": [{"cpu": 1.0}] * 3}


def test_two_processes_score_the_same_texts(tmp_path: Path) -> None:
    texts = {"hypotheses": ["a b c d e"] * 3, "references": ["a b c d f"] * 3}
    (tmp_path / "texts.json").write_text(json.dumps(texts), encoding="utf-8")
    jobs = dict.fromkeys(("attnlib", "sacrebleu"), {"tokenize": "none"})
    found = children.take_turns("bleu", tmp_path, jobs, [[], []])
    answers = [found[name]["rounds"] for name in jobs]
    for each in (*answers[0], *answers[1]):
        assert each["score"] == pytest.approx(100 * (4 / 5 * 3 / 4 * 2 / 3 * 1 / 2) ** (1 / 4))
    for each in (*answers[0], *answers[1]):
        assert 0 < each["cpu"] <= each["wall"] * 1.5 and each["peak_mib"] > 50


def test_the_error_of_a_program_that_fails_has_its_name_and_last_line(tmp_path: Path) -> None:
    with pytest.raises(children.ChildError, match="^attnlib ended with code 1: FileNotFoundError"):
        children.take_turns("bleu", tmp_path, {"attnlib": {"tokenize": "none"}}, [[]])


def test_a_process_of_a_peer_imports_nothing_of_attnlib() -> None:
    ask = "import sys, studies.peers.child; print('attnlib' in sys.modules)"
    run = subprocess.run([sys.executable, "-c", ask], cwd=HERE.parents[1], capture_output=True)
    assert run.stdout.split() == [b"False"]
    for path in HERE.glob("with_*.py"):
        alone = path.name == "with_attnlib.py"
        assert bool(re.search(r"^from attnlib", path.read_text("utf-8"), re.M)) == alone


# The work ----------------------------------------------------------------------------------------


def test_attnlibs_updates_learn_and_its_searches_take_all_steps() -> None:
    torch.manual_seed(1)
    made, given = Attnlib(SMALL), batch(4, 5, 6)
    losses = [made.update(given) for _ in range(30)]
    assert losses[0] == pytest.approx(math.log(SMALL.tgt_size), abs=0.3)
    assert losses[-1] < losses[0] - 0.1
    for beam in (1, 3):
        found = made.decode(given.src, given.src_mask, beam, 12)
        assert [len(words) for words in found] == [12] * 4


def small_corpus(name: str) -> SimpleNamespace:
    """In the place of Multi30k, which may not be at hand."""
    corpus = load_corpus("ko-en-easy")
    return SimpleNamespace(train=corpus.train[:400], test=corpus.test[:60])


def test_all_programs_are_given_the_same_batches(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(prepare.records, "corpus_or_exit", small_corpus)
    prepare.numbered.cache_clear()
    given = prepare.corpus(tmp_path, batches=3, sources=60)
    made = [program.Batch(*tensors) for tensors in torch.load(tmp_path / "batches.pt")]
    assert sorted(len(each.src) for each in made) == [16, 128, 128]  # 400 = 3 · 128 + 16
    for number, each in enumerate(made):
        assert given.tokens([number]) == int(each.tgt_mask.sum())
        assert given.lengths[number][0] == (
            int(each.src_mask[0].sum()),
            int(each.tgt_mask[0].sum()),
        )
        assert (each.tgt[:, 0] == program.BOS).all() and (each.tgt == program.EOS).any(1).all()
        assert int(each.tgt_out.max()) < given.tgt_size and int(each.src.max()) < given.src_size
    assert [len(src) for src, _ in torch.load(tmp_path / "sources.pt")] == [50, 10]
    again = prepare.corpus(tmp_path, batches=3, sources=0)
    assert again == given
    with pytest.raises(ValueError, match="batches must be at most"):
        prepare.corpus(tmp_path, batches=10_000, sources=0)
    prepare.numbered.cache_clear()


# What is kept ------------------------------------------------------------------------------------


# What each notebook costs (studies/notebooks.py) is no table of ratios.
NAMES = ("notebooks.json", "notebooks-avx2.json")
OTHERS = {bench.RESULTS / name for name in NAMES}
RECORDS = sorted(set(bench.RESULTS.glob("*.json")) - OTHERS)


@pytest.mark.parametrize("path", RECORDS, ids=lambda path: path.stem)
def test_a_result_names_what_made_it_and_compares_with_attnlib(path: Path) -> None:
    record = json.loads(path.read_text(encoding="utf-8"))
    assert record["command"].startswith("python -m studies.peers --only ")
    assert path.stem.removesuffix("-avx2") == record["command"].split()[4]
    assert path.stem.endswith("-avx2") == bool(record["machine"]["imitated"])
    assert {"processor", "torch", "attnlib", "cores"} <= set(record["machine"])
    assert re.fullmatch(r"\d{4}-\d\d-\d\d", record["date"])
    for result in record["results"]:
        if "unit" in result:
            assert result["rows"][0]["program"] == "attnlib"
            assert result["rows"][0]["ratio"] == [1.0, 1.0, 1.0]
            for row in result["rows"]:
                assert row["ratio"][1] <= row["ratio"][0] <= row["ratio"][2]
        for part, loss in result.get("first_loss", {}).items():
            assert loss == pytest.approx(math.log(result["work"]["tgt_size"]), abs=0.3), part
        sizes = [row["parameters"] for row in result["rows"] if row.get("parameters")]
        assert not sizes or max(sizes) / min(sizes) < 1.05  # the same work
