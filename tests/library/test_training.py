"""Training lowers the loss, keeps the best, stops and resumes as if nothing had happened."""

import dataclasses
import itertools
import multiprocessing
import os
import signal
import socket
import types

import pytest
import torch
from torch import distributed

from attnlib.data import Batches, make_batch
from attnlib.files import StorageError
from attnlib.model import make_seq2seq
from attnlib.training import Recipe, Trainable, fit, fused
from attnlib.training import loop as module
from attnlib.training import run as behind
from attnlib.training.loss import batch_loss, teacher_forced_loss, token_cross_entropy
from attnlib.training.trainable import module_of
from attnlib.translator import CHECKPOINT_FILE, Checkpoint, Processes, read_tensors, write_tensors

SRC = [[4 + (3 * i + k) % 6 for k in range(1 + i % 4)] for i in range(40)]
TGT = [list(reversed(sentence)) for sentence in SRC]
VALID = [make_batch(SRC[:8], TGT[:8]), make_batch(SRC[8:12], TGT[8:12])]
RECIPE = Recipe(updates=12, learning_rate=0.01, warmup=2, validate_every=4, precision="fp32")


def make(**more):
    torch.manual_seed(0)
    return make_seq2seq(10, 10, embedding_size=8, hidden_size=8, **more)


def train(recipe=RECIPE, model=None, batches=None, **more):
    model = make(dropout=0.2) if model is None else model
    batches = Batches(SRC, TGT, batch_size=4) if batches is None else batches
    keeps = {key: more.pop(key) for key in ("resume", "about", "extra_files") if key in more}
    folder = more.pop("directory", None)
    checkpoint = None if folder is None else Checkpoint(folder, **keeps)
    more |= {"checkpoint": checkpoint, "processes": Processes(batches.largest)}
    history = fit(model, batches, recipe, progress=False, **more)
    return model, history


def same_weights(one, other):
    return all(torch.equal(a, b) for a, b in zip(one.parameters(), other.parameters()))


def test_the_loss_predicts_real_tokens_only():
    model, batch = make(), make_batch(SRC[:5], TGT[:5])
    logits, _ = model(batch.src, batch.src_mask, batch.tgt_in)
    expected = token_cross_entropy(logits[batch.tgt_mask], batch.tgt_out[batch.tgt_mask], 0.1)
    assert torch.allclose(batch_loss(model, batch, 0.1), expected, atol=1e-6)


def test_the_loss_of_many_logits_in_blocks_is_that_of_few(monkeypatch):
    model, batch = make(), make_batch(SRC[:5], TGT[:5])
    few = batch_loss(model, batch, 0.1)
    expected = torch.autograd.grad(few, model.parameters(), allow_unused=True)
    monkeypatch.setattr(fused, "MANY", 0)
    monkeypatch.setattr(fused, "BLOCK_ROWS", 2)
    many = batch_loss(model, batch, 0.1)
    assert many.grad_fn.name() != few.grad_fn.name() and torch.allclose(many, few, atol=1e-6)
    gradients = torch.autograd.grad(many, model.parameters(), allow_unused=True)
    assert all(torch.allclose(a, b, atol=1e-6) for a, b in zip(gradients, expected))


def test_validation_loss_counts_tokens_and_not_batches():
    model = make().eval()
    expected = teacher_forced_loss(model, [make_batch(SRC[:12], TGT[:12])])
    assert teacher_forced_loss(model, VALID) == pytest.approx(expected, abs=1e-5)


def test_the_same_seed_gives_the_same_weights_and_another_seed_others():
    assert same_weights(train()[0], train()[0])
    assert not same_weights(train()[0], train(dataclasses.replace(RECIPE, seed=2))[0])


@pytest.mark.parametrize("at, forcing", [(4, None), (7, lambda update: 0.5)])
def test_a_run_that_was_stopped_and_resumed_ends_as_one_that_was_not(
    tmp_path, monkeypatch, at, forcing
):
    more = {"valid": VALID, "teacher_forcing": forcing}
    whole, history = train(**more)

    update = module.update

    def interrupted(trainer):
        if trainer.run.history.updates == at - 1:
            os.kill(os.getpid(), signal.SIGINT)  # a person presses Ctrl-C in mid-update
        return update(trainer)

    monkeypatch.setattr(module, "update", interrupted)
    with pytest.raises(KeyboardInterrupt):
        train(directory=tmp_path, **more)
    monkeypatch.undo()
    resumed, again = train(directory=tmp_path, resume=True, **more)
    assert same_weights(whole, resumed)
    fields = "validated_at train_loss valid_loss best_update updates batches_in_epoch"
    for field in fields.split():
        assert getattr(again, field) == getattr(history, field), field


def test_training_stops_early_when_patience_ends():
    scores = iter([3.0, 2.0, 1.0, 0.0])
    recipe = dataclasses.replace(RECIPE, updates=40, patience=2)
    _, history = train(recipe, score=lambda model: next(scores))
    assert history.updates == 12 and history.best_update == 4


def clock(tick):
    """One that goes on by so many seconds at every look; an update looks twice."""
    ticks = itertools.count(step=tick)
    return types.SimpleNamespace(monotonic=lambda: float(next(ticks)))


def test_a_run_by_the_clock_ends_on_time(monkeypatch):
    monkeypatch.setattr(behind, "time", clock(1))
    history = train(dataclasses.replace(RECIPE, updates=None, minutes=0.5))[1]
    assert history.updates == 30 and history.validated_at[-1] == 30


def test_teacher_forcing_is_asked_for_at_every_update():
    calls = []
    train(teacher_forcing=lambda update: calls.append(update) or 0.5)
    assert calls == list(range(12))


def test_the_rate_warms_up_and_falls_to_its_final_share():
    recipe = Recipe(updates=100, learning_rate=2.0, warmup=10, final_rate=0.1)
    rates = [recipe.learning_rate_at(u, u / 100) for u in range(101)]
    assert rates[0] == pytest.approx(0.2) and rates[4] == pytest.approx(1.0)
    assert rates[100] == pytest.approx(0.2) and rates[50] == pytest.approx(2.0 * 0.55)
    assert max(rates) < 2.0 and rates.index(max(rates)) == 9


def test_train_loss_is_the_mean_of_the_losses_since_the_last_validation(monkeypatch):
    losses, update = [], module.update

    def noted(trainer):
        update(trainer)
        losses.append(trainer.run.losses[-1])

    monkeypatch.setattr(module, "update", noted)
    _, history = train()
    means = [sum(losses[i : i + 4]) / 4 for i in (0, 4, 8)]
    assert history.train_loss == pytest.approx(means) and min(losses) < means[-1] < max(losses)


def weights_of(model):
    return {name: p.detach().clone() for name, p in model.named_parameters()}


@pytest.mark.parametrize("spoilt", [float("nan"), float("inf")])
@pytest.mark.parametrize("what", ["loss", "gradient"])
def test_a_loss_or_gradient_that_is_no_number_is_found_before_it_reaches_a_weight(
    what, spoilt, monkeypatch
):
    model, before = make(), []  # the weights before each update

    def loss_of(model, *more):
        before.append(weights_of(model))
        loss = batch_loss(model, *more)
        return loss * spoilt if what == "loss" and len(before) == 6 else loss

    if what == "gradient":
        model.output.bias.register_hook(lambda g: g * spoilt if len(before) == 6 else g)
    monkeypatch.setattr(behind, "batch_loss", loss_of)
    with pytest.raises(FloatingPointError, match=f"the {what} of update 6 is not a number or"):
        train(model=model)
    assert len(before) == 6
    assert all(torch.equal(p, before[5][name]) for name, p in model.named_parameters())


@pytest.mark.parametrize("which", ["score", "loss"])
def test_a_validation_that_is_no_number_is_called_so(which):
    """It used to end in "belongs to another architecture", as no weights were the best."""
    model, recipe = make(), dataclasses.replace(RECIPE, validate_every=1)
    with torch.no_grad():
        model.encoder.embed.weight[1] = float("nan")  # a word that only validation meets
    score = float("nan") if which == "score" else 1.0
    valid = VALID if which == "score" else [make_batch([[1]], [[4]])]
    with pytest.raises(FloatingPointError, match=f"the validation {which} of update 1 is not a n"):
        train(recipe, model, score=lambda model: score, valid=valid)


def test_a_score_of_minus_infinity_is_a_score():
    assert train(score=lambda model: float("-inf"))[1].best_update == 4


def test_what_is_no_checkpoint_is_not_resumed(tmp_path):
    write_tensors(tmp_path / CHECKPOINT_FILE, {"model.x": torch.ones(1)}, None)
    with pytest.raises(StorageError, match=r"resume\.safetensors is no checkpoint of this version"):
        train(directory=tmp_path, resume=True)


def by_hand(model, dropout):
    model.decoder.dropout.p = dropout
    return model


OTHERS = {
    "rate": ({"recipe": dataclasses.replace(RECIPE, learning_rate=0.5)}, "learning_rate=0.01, n"),
    "decoder": ({"model": make(decoder="plain")}, "decoder=luong, not plain"),
    "dropout": ({"model": make(dropout=0.3)}, "dropout=0.2, not 0.3"),
    "by hand": ({"model": by_hand(make(dropout=0.2), 0.9)}, r"decoder.dropout.p=0.2, not 0.9"),
    "sentences": ({"batches": Batches(TGT, SRC, batch_size=4)}, "sentences' checksum="),
    "size": ({"batches": Batches(SRC, TGT, batch_size=5)}, "batches' batch_size=4, not 5"),
    "no about": ({"about": None}, "corpus=one, not none"),
}


@pytest.fixture(scope="module")
def begun(tmp_path_factory):
    folder = tmp_path_factory.mktemp("begun")
    train(directory=folder, about={"corpus": "one"})
    return folder


@pytest.mark.parametrize("other", OTHERS)
def test_a_run_is_resumed_as_what_it_is_or_not_at_all(begun, other):
    changes, difference = OTHERS[other]
    before = (begun / CHECKPOINT_FILE).read_bytes()
    with pytest.raises(StorageError, match=f"was begun with .*{difference}"):
        train(directory=begun, resume=True, **{"about": {"corpus": "one"}, **changes})
    assert (begun / CHECKPOINT_FILE).read_bytes() == before


def test_what_cannot_be_trained_is_refused_before_anything_is_written(tmp_path):
    frozen = make().requires_grad_(False)
    with pytest.raises(ValueError, match="model must be one with parameters to train"):
        train(model=frozen, directory=tmp_path / "a")
    assert not (tmp_path / "a").exists()
    half = make()
    half.encoder.requires_grad_(False)
    train(model=half)
    assert same_weights(half.encoder, make().encoder) and not same_weights(half, make())


def joined(monkeypatch, rank, world):
    monkeypatch.setattr(distributed, "is_initialized", lambda: True)
    monkeypatch.setattr(distributed, "get_rank", lambda: rank)
    monkeypatch.setattr(distributed, "get_world_size", lambda: world)


def test_more_processes_than_a_batch_has_pairs_are_refused(monkeypatch):
    joined(monkeypatch, rank=0, world=5)
    with pytest.raises(ValueError, match="5 processes need batches of .* 5 .* the largest has 4"):
        train()


@pytest.mark.parametrize("world", [1, 2, 3, 5])
def test_processes_share_every_batch_and_weigh_by_tokens(monkeypatch, world):
    src, tgt = SRC[:4], [[7] * k for k in (1, 9, 2, 5)]
    seen, losses, counted = [], 0.0, 0.0
    for rank in range(world):
        joined(monkeypatch, rank, world)
        *share, weight = Processes(9).share(src, tgt)
        assert make_batch(*share)  # never empty
        # Let the loss of a token be the length of its sentence: the mean of a share is then
        lengths = [len(sentence) + 1 for sentence in share[1]]
        losses += weight * sum(k * k for k in lengths) / sum(lengths) / world
        counted += weight / world
        seen += zip(*share) if weight else []
    assert sorted(seen) == sorted(zip(src, tgt))
    assert counted == pytest.approx(1.0)
    assert losses == pytest.approx((4 + 100 + 9 + 36) / (2 + 10 + 3 + 6))


def _worker(rank, port, folder, results):
    os.environ.update(MASTER_ADDR="127.0.0.1", MASTER_PORT=str(port))
    distributed.init_process_group("gloo", rank=rank, world_size=2)
    torch.set_num_threads(1)
    model, history = train_shared()
    stopped_in_the_other_process(rank, folder)
    more = by_unlike_clocks(rank), with_one_bad_loss(rank)
    weights = [p.detach().numpy() for p in model.parameters()]
    results.put((rank, dataclasses.asdict(history), weights, *more))
    distributed.barrier()
    distributed.destroy_process_group()


def train_shared(**more):
    """A run of 1.25 epochs without dropout; of its 20 batches one has a single pair."""
    tgt = [sentence * (1 + i % 3) for i, sentence in enumerate(TGT)]  # uneven shares
    batches = Batches(SRC[:39], tgt[:39], batch_size=2)
    return train(dataclasses.replace(RECIPE, updates=25), make(), batches, valid=VALID, **more)


def stopped_in_the_other_process(rank, folder):
    """One of two is asked to stop in update 10; the other saves."""
    update = module.update

    def interrupted(trainer):
        if rank == 1 and trainer.run.history.updates == 9:
            os.kill(os.getpid(), signal.SIGINT)
        return update(trainer)

    module.update = interrupted
    with pytest.raises(KeyboardInterrupt):
        train_shared(directory=folder)
    module.update = update


def by_unlike_clocks(rank):
    """How many updates fit a quarter of a minute, where one clock runs twice as fast."""
    behind.time = clock(rank + 1)
    recipe = dataclasses.replace(RECIPE, updates=None, minutes=0.25)
    return train(recipe, make())[1].updates


def with_one_bad_loss(rank):
    """What training says where the other process's loss is no number."""
    if rank == 1:
        behind.batch_loss = lambda *arguments: batch_loss(*arguments) * float("nan")
    try:
        train(dataclasses.replace(RECIPE, updates=3), make())
    except FloatingPointError as problem:
        return str(problem)


@pytest.fixture(scope="module")
def two_processes(tmp_path_factory):
    """What each of two processes found, and the folder into which one of them wrote."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    folder = tmp_path_factory.mktemp("shared")
    context = multiprocessing.get_context("spawn")
    results = context.Queue()
    workers = [
        context.Process(target=_worker, args=(rank, port, folder, results)) for rank in range(2)
    ]
    for worker in workers:
        worker.start()
    rows = sorted((results.get(timeout=120) for _ in workers), key=lambda result: result[0])
    for worker in workers:
        worker.join()
    return rows, folder


def test_two_processes_take_the_steps_that_one_would_take(two_processes):
    (_, history, weights, *_), (_, other, others, *_) = two_processes[0]
    assert all((a == b).all() for a, b in zip(weights, others)) and history == other
    model, alone = train_shared()
    assert history["epoch"] == alone.epoch == 1
    assert history["batches_in_epoch"] == alone.batches_in_epoch == 5
    for field in ("validated_at", "train_loss", "valid_loss"):
        assert history[field] == pytest.approx(getattr(alone, field), abs=1e-5), field
    for ours, theirs in zip(weights, model.parameters()):
        assert torch.allclose(torch.from_numpy(ours), theirs, atol=1e-5)


def test_two_processes_judge_alike(two_processes):
    rows, _ = two_processes
    assert [row[3] for row in rows] == [10, 10]  # one says 1 second an update, the other 2
    assert all(row[4].startswith("the loss of update 1 is not a number") for row in rows)


def test_one_process_goes_on_with_what_two_began(two_processes):
    _, folder = two_processes
    assert read_tensors(folder / CHECKPOINT_FILE)[1]["history"]["updates"] == 10
    model, history = train_shared(directory=folder, resume=True)
    whole, alone = train_shared()
    assert history.updates == 25 and history.train_loss == pytest.approx(alone.train_loss, abs=1e-5)
    for ours, theirs in zip(model.parameters(), whole.parameters()):
        assert torch.allclose(ours, theirs, atol=1e-5)


def test_after_update_is_called_with_the_number_of_updates_when_the_step_is_taken():
    model, seen = make(), []
    train(model=model, after_update=lambda n: seen.append((n, weights_of(model))))
    assert [number for number, _ in seen] == list(range(1, 13))
    assert all(not torch.equal(p, seen[0][1][n]) for n, p in seen[1][1].items())
    assert all(torch.equal(p, seen[-1][1][name]) for name, p in model.named_parameters())


class Own(torch.nn.Module):
    """A model that is no Seq2Seq: each target word is predicted from the one before alone."""

    def __init__(self):
        super().__init__()
        self.embed, self.output = torch.nn.Embedding(10, 8), torch.nn.Linear(8, 10)

    def features(self, src, src_mask, tgt_in, teacher_forcing=1.0, generator=None):
        return self.embed(tgt_in), None


def test_a_model_of_ones_own_is_trained_where_it_offers_what_training_asks():
    before = teacher_forced_loss(Own(), VALID)
    recipe = dataclasses.replace(RECIPE, updates=60)
    model, _ = train(recipe, Own(), valid=VALID)
    assert isinstance(model, Trainable) and teacher_forced_loss(model, VALID) < before - 0.2
    compiled = Own()
    compiled._orig_mod = model  # as torch.compile wraps it
    assert module_of(compiled) is model
