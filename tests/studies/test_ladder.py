"""The ladder of chapter 10: its techniques do what they say, and the record is of its rungs."""

import dataclasses
import json

import pytest
import torch
from torch import nn

from attnlib.data import Batches, Corpus, Pair, Splits, bundled_directory, make_batch
from attnlib.model import make_seq2seq
from attnlib.training import batch_loss
from studies import ladder

pytestmark = pytest.mark.thorough

SRC = [[4 + (3 * i + k) % 6 for k in range(1 + i % 4)] for i in range(40)]


def model(dropout: float) -> nn.Module:
    torch.manual_seed(0)
    return make_seq2seq(10, 10, embedding_size=8, hidden_size=8, dropout=dropout)


def test_two_passes_that_agree_cost_nothing_and_others_what_their_divergence_is():
    """¼ (KL(p‖q) + KL(q‖p)) of a position, by torch's own divergence, and its gradient."""
    batch = make_batch(SRC[:6] * 2, SRC[6:12] * 2)
    gradients = []
    for way in ("plain", "together", "by hand"):
        made = model(0.5)
        if way == "together":
            made = ladder.Agreeing(made, 3.0)
        torch.manual_seed(1)
        loss = batch_loss(made, batch)
        if way == "by hand":
            torch.manual_seed(1)
            found, _ = made.features(batch.src, batch.src_mask, batch.tgt_in)
            p, q = (
                made.output(half)[batch.tgt_mask[:6]].log_softmax(-1) for half in found.chunk(2)
            )
            both = [
                nn.functional.kl_div(a, b, log_target=True, reduction="batchmean")
                for a, b in ((p, q), (q, p))
            ]
            loss = loss + 3.0 * sum(both) / 4
        loss.backward()
        gradients.append(made.output.weight.grad)
    assert torch.allclose(gradients[1], gradients[2], atol=1e-6)
    assert not torch.allclose(gradients[0], gradients[1], atol=1e-3)
    certain, agreeing = model(0.0), ladder.Agreeing(model(0.0), 3.0)
    for made in (certain, agreeing):
        batch_loss(made, batch).backward()
    assert torch.allclose(certain.output.weight.grad, agreeing.output.weight.grad, atol=1e-6)


def test_every_sentence_stands_twice_in_its_batch():
    once, twice = (kind(SRC, SRC, max_tokens=12, seed=1) for kind in (Batches, ladder.Twice))
    assert twice.batch_indices(3) == [chosen + chosen for chosen in once.batch_indices(3)]


def test_a_step_of_muon_is_equally_strong_in_all_directions():
    """U Vᵀ has singular values 1; the iteration leaves them near it."""
    layer = nn.Linear(16, 24, bias=False)
    optimizer = ladder.Muon([{"params": [layer.weight], "embeds": False}], lr=1.0)
    before = layer.weight.detach().clone()
    layer.weight.grad = torch.randn(24, 16) @ torch.diag(torch.logspace(0, 1, 16))
    optimizer.step()
    strengths = torch.linalg.svdvals(before - layer.weight.detach()) / (0.2 * 24**0.5)
    assert strengths.min() > 0.8 and strengths.max() < 1.2


def test_a_deep_model_writes_step_by_step_what_it_writes_at_once():
    """Both layers carry their states: without the upper one's the second step would differ."""
    torch.manual_seed(0)
    options = {"attention": "general", "source_in_memory": True}
    deep = make_seq2seq(10, 10, embedding_size=8, hidden_size=8, **options)
    shallow = sum(p.numel() for p in deep.parameters())
    ladder.deepen(deep)
    grown = sum(p.numel() for p in deep.parameters()) - shallow
    ways, gates, biases, norm = (2 * (4 * 4 * (8 + 4)), 4 * 8 * (8 + 8), 2 * 4 * 16, 4 * 8)
    assert grown == ways + gates + biases + norm
    batch = make_batch(SRC[:6], SRC[6:12])
    at_once, _ = deep.features(batch.src, batch.src_mask, batch.tgt_in)
    memory = deep.encode(batch.src, batch.src_mask)
    state = deep.decoder.start(memory)
    for t in range(batch.tgt_in.shape[1]):
        feature, state, _ = deep.decoder.step(batch.tgt_in[:, t : t + 1], memory, state)
        assert torch.allclose(feature[:, 0], at_once[:, t], atol=1e-6)
    batch_loss(deep, batch).backward()
    assert all(p.grad is not None and p.grad.abs().sum() > 0 for p in deep.parameters())


def test_a_distilled_rung_learns_from_what_teachers_wrote(monkeypatch, tmp_path):
    """And is validated on what people wrote."""
    words = ["one", "two", "three", "four", "five", "six", "seven"]
    train = [Pair(f"Ein {word}", f"A {word}") for word in words]
    splits = {"train": lambda: train, "valid": lambda: train[:2], "test": lambda: train[:2]}
    corpus = Corpus("tiny", Splits(splits), "de", "en")
    taught = [(pair.src, "no", pair.src) for pair in train]
    (tmp_path / "000.json").write_text(json.dumps(taught), encoding="utf-8")
    monkeypatch.setattr(ladder.records, "corpus_or_exit", lambda _: corpus)
    monkeypatch.setattr(ladder, "TAUGHT", tmp_path)
    rung = ladder.EVERY_RUNG["quick, distilled"]
    small = dataclasses.replace(rung.preset, subwords=60, hidden_size=8, embedding_size=8)
    rung = dataclasses.replace(rung, preset=small)
    _, translator, batches, valid = ladder.prepare(rung, 1)
    read = translator.tgt_vocabulary.decode
    assert sorted(map(read, batches.tgt)) == sorted(pair.src for pair in train)
    expected = [translator.tgt_vocabulary.encode(pair.tgt) for pair in train[:2]]
    assert valid[0].tgt_out[:, : len(expected[0])].tolist()[0] == expected[0]


def test_the_record_is_of_the_rungs_that_the_program_has():
    path = bundled_directory().parent / "runs" / "10_ladder.json"
    record = json.loads(path.read_text(encoding="utf-8"))
    for run in record["runs"]:
        rung = ladder.EVERY_RUNG[run["variant"]]
        settings = json.loads(json.dumps(dataclasses.asdict(rung)))
        assert run["what"] == settings.pop("what")
        settings["preset"]["recipe"]["seed"] = run["seed"]
        assert run["settings"] == settings


def test_an_embedding_that_is_scaled_keeps_its_parameter_and_is_read_scaled():
    table = nn.Embedding(4, 3)
    scaled = ladder.Scaled(table, 5.0)
    assert scaled.weight is table.weight
    assert torch.equal(scaled(torch.tensor([2])), 5 * table(torch.tensor([2])))
