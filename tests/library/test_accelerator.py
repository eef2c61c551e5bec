"""What the processor computes, the accelerator computes too. Skipped where there is none."""

import copy

import pytest
import torch

from attnbook.exercises.engine import find
from attnbook.exercises.judge import RIGHT, WRONG, judge
from attnlib.data import Batches, WordVocabulary, make_batch
from attnlib.device import best_device
from attnlib.model import make_seq2seq
from attnlib.training import Recipe, batch_loss, fit
from attnlib.translator import Checkpoint, Translator

SRC = [[4 + (3 * i + k) % 6 for k in range(1 + i % 4)] for i in range(24)]
TGT = [list(reversed(sentence)) for sentence in SRC]

pytestmark = pytest.mark.gpu


@pytest.mark.parametrize(
    "decoder, cell", [("plain", "lstm"), ("luong", "gru"), ("bahdanau", "rnn")]
)
def test_loss_and_gradients_agree_with_the_processors(decoder, cell):
    model = make_seq2seq(10, 10, decoder=decoder, cell=cell, embedding_size=8, hidden_size=8)
    moved = copy.deepcopy(model).to(best_device())
    batch = make_batch(SRC, TGT)
    loss, other = batch_loss(model, batch, 0.1), batch_loss(moved, batch.to(best_device()), 0.1)
    assert loss.item() == pytest.approx(other.item(), abs=1e-4)
    loss.backward()
    other.backward()
    for ours, theirs in zip(model.parameters(), moved.parameters()):
        assert torch.allclose(ours.grad, theirs.grad.cpu(), atol=1e-4)


def test_training_stops_resumes_and_translates(tmp_path):
    recipe = Recipe(updates=6, validate_every=3, precision="fp32")
    model = make_seq2seq(10, 10, embedding_size=8, hidden_size=8).to(best_device())
    fit(
        model,
        Batches(SRC, TGT, batch_size=4),
        recipe,
        checkpoint=Checkpoint(tmp_path),
        progress=False,
    )
    again = make_seq2seq(10, 10, embedding_size=8, hidden_size=8).to(best_device())
    fit(
        again,
        Batches(SRC, TGT, batch_size=4),
        recipe,
        checkpoint=Checkpoint(tmp_path, resume=True),
        progress=False,
    )
    assert all(torch.equal(a, b) for a, b in zip(model.parameters(), again.parameters()))
    words = WordVocabulary.build(["a b c d e f"])
    assert len(Translator(again, words, words).translate(["a b", "c"], 2)) == 2


def test_exercises_are_judged_on_the_learners_device():
    devices = []

    def shares(amounts):
        devices.append(amounts.device.type)
        return amounts / amounts.sum()

    def elsewhere(amounts):
        return (amounts / amounts.sum()).cpu()

    with torch.device(best_device()):
        assert judge(find("shares"), shares).state == RIGHT
        verdict = judge(find("shares"), elsewhere)
    assert set(devices) == {best_device().type}
    assert verdict.state == WRONG and "is on cpu" in verdict.diagnosis
