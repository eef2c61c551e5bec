"""Training lowers the loss, keeps the best, stops and resumes as if nothing had happened."""

import dataclasses
import multiprocessing
import os
import signal
import socket

import pytest
import torch
from torch import distributed

from attnlib.data import Batches, make_batch
from attnlib.files import StorageError
from attnlib.model import make_seq2seq
from attnlib.training import (
    BEST,
    RESUME,
    Recipe,
    batch_loss,
    fit,
    masked_cross_entropy,
    teacher_forced_loss,
)
from attnlib.training import loop as module

SRC = [[4 + (3 * i + k) % 6 for k in range(1 + i % 4)] for i in range(40)]
TGT = [list(reversed(sentence)) for sentence in SRC]
VALID = [make_batch(SRC[:8], TGT[:8]), make_batch(SRC[8:12], TGT[8:12])]
RECIPE = Recipe(updates=12, learning_rate=0.01, warmup=2, validate_every=4, precision="fp32")


def make(**more):
    torch.manual_seed(0)
    return make_seq2seq(10, 10, embedding_size=8, hidden_size=8, **more)


def train(recipe=RECIPE, model=None, **more):
    model = make(dropout=0.2) if model is None else model
    history = fit(model, Batches(SRC, TGT, size=4), recipe, progress=False, **more)
    return model, history


def same_weights(one, other):
    return all(torch.equal(a, b) for a, b in zip(one.parameters(), other.parameters()))


def test_the_loss_predicts_real_tokens_only_and_equals_the_masked_one():
    model, batch = make(), make_batch(SRC[:5], TGT[:5])
    logits, _ = model(batch.src, batch.src_mask, batch.tgt_in)
    expected = masked_cross_entropy(logits, batch.tgt_out, batch.tgt_mask, 0.1)
    assert torch.allclose(batch_loss(model, batch, 0.1), expected, atol=1e-6)


def test_validation_loss_counts_tokens_and_not_batches():
    model = make().eval()
    joined = make_batch(SRC[:12], TGT[:12])
    assert teacher_forced_loss(model, VALID) == pytest.approx(
        teacher_forced_loss(model, [joined]), abs=1e-5
    )
    with pytest.raises(ValueError, match="at least one sentence"):
        teacher_forced_loss(model, [])


def test_training_learns_a_small_task():
    model = make()
    before = teacher_forced_loss(model, VALID)
    _, history = train(
        Recipe(updates=300, learning_rate=0.02, warmup=10, validate_every=100), model, valid=VALID
    )
    assert before > 2.0 and teacher_forced_loss(model, VALID) < 0.2
    assert history.update == [100, 200, 300] and history.updates == 300


def test_the_same_seed_gives_the_same_weights_and_another_seed_others():
    assert same_weights(train()[0], train()[0])
    assert not same_weights(train()[0], train(dataclasses.replace(RECIPE, seed=2))[0])


def test_training_leaves_the_global_random_state_as_it_was():
    before = torch.get_rng_state()
    model = make_seq2seq(10, 10, embedding_size=8, hidden_size=8)
    torch.set_rng_state(before)
    train(model=model)
    assert torch.equal(torch.get_rng_state(), before)


@pytest.mark.parametrize("forcing", [None, lambda update: 0.5])
@pytest.mark.parametrize("at", [3, 4, 7])
def test_a_run_that_was_stopped_and_resumed_ends_as_one_that_was_not(
    tmp_path, monkeypatch, at, forcing
):
    more = {"valid": VALID, "teacher_forcing": forcing}
    whole, history = train(**more)

    update = module._Run.update

    def interrupted(run, *arguments):
        if run.history.updates == at - 1:
            os.kill(os.getpid(), signal.SIGINT)  # a person presses Ctrl-C in mid-update
        return update(run, *arguments)

    monkeypatch.setattr(module._Run, "update", interrupted)
    with pytest.raises(KeyboardInterrupt):
        train(directory=tmp_path, **more)
    monkeypatch.undo()
    resumed, again = train(directory=tmp_path, resume=True, **more)
    assert same_weights(whole, resumed)
    for field in ("update", "train_loss", "valid_loss", "best_update", "updates", "position"):
        assert getattr(again, field) == getattr(history, field), field


def test_power_that_fails_costs_no_more_than_the_updates_since_the_checkpoint(
    tmp_path, monkeypatch
):
    whole, _ = train(valid=VALID)
    update = module._Run.update

    def unplugged(run, *arguments):
        if run.history.updates == 10:
            raise SystemExit
        return update(run, *arguments)

    monkeypatch.setattr(module._Run, "update", unplugged)
    with pytest.raises(SystemExit):
        train(valid=VALID, directory=tmp_path)
    monkeypatch.undo()
    resumed, _ = train(valid=VALID, directory=tmp_path, resume=True)
    assert same_weights(whole, resumed)


def test_the_signal_handler_is_put_back():
    before = signal.getsignal(signal.SIGINT)
    train()
    assert signal.getsignal(signal.SIGINT) is before


def test_the_best_weights_are_kept_and_not_the_last(tmp_path):
    scores, seen = iter([1.0, 3.0, 2.0]), []

    def score(model):
        seen.append([p.detach().clone() for p in model.parameters()])
        return next(scores)

    model, history = train(score=score, directory=tmp_path)
    assert history.best_update == 8 and history.score == [1.0, 3.0, 2.0]
    assert all(torch.equal(p, q) for p, q in zip(model.parameters(), seen[1]))
    assert {path.name for path in tmp_path.iterdir()} == {BEST, RESUME}


def test_training_stops_early_when_patience_ends():
    scores = iter([3.0, 2.0, 1.0, 0.0])
    recipe = dataclasses.replace(RECIPE, updates=40, patience=2)
    _, history = train(recipe, score=lambda model: next(scores))
    assert history.updates == 12 and history.best_update == 4


def test_a_run_by_the_clock_ends_when_the_clock_says(monkeypatch):
    class Clock:
        now = 0.0

        def monotonic(self):
            Clock.now += 1.0  # every look at the clock costs a second; an update looks twice
            return Clock.now

    monkeypatch.setattr(module, "time", Clock())
    recipe = dataclasses.replace(RECIPE, updates=None, minutes=0.5)
    assert train(recipe)[1].updates == 30


def test_teacher_forcing_is_asked_for_at_every_update():
    asked = []
    train(teacher_forcing=lambda update: asked.append(update) or 0.5)
    assert asked == list(range(12))


def test_the_rate_warms_up_and_falls_to_its_final_share():
    recipe = Recipe(updates=100, learning_rate=2.0, warmup=10, final_rate=0.1)
    rates = [recipe.rate(u, u / 100) for u in range(101)]
    assert rates[0] == pytest.approx(0.2) and rates[4] == pytest.approx(1.0)
    assert rates[100] == pytest.approx(0.2) and rates[50] == pytest.approx(2.0 * 0.55)
    assert max(rates) < 2.0 and rates.index(max(rates)) == 9


def test_a_loss_that_is_not_a_number_ends_the_run_in_a_sentence():
    model = make()
    with torch.no_grad():
        model.output.bias.fill_(float("nan"))
    with pytest.raises(FloatingPointError, match="loss of update 0 is not a number; try a smaller"):
        train(model=model)


def test_resuming_with_other_settings_or_from_nothing_is_refused(tmp_path):
    with pytest.raises(StorageError, match=r"cannot read .*resume\.safetensors"):
        train(directory=tmp_path, resume=True)
    with pytest.raises(ValueError, match="resume needs the directory"):
        train(resume=True)
    train(directory=tmp_path)
    with pytest.raises(StorageError, match="begun with learning_rate=0.01, not 0.5"):
        train(dataclasses.replace(RECIPE, learning_rate=0.5), directory=tmp_path, resume=True)
    with pytest.raises(StorageError, match="belongs to another architecture"):
        train(model=make(decoder="plain"), directory=tmp_path, resume=True)


def test_a_finished_run_resumed_is_finished(tmp_path):
    whole, _ = train(directory=tmp_path, valid=VALID)
    again, history = train(directory=tmp_path, valid=VALID, resume=True)
    assert same_weights(whole, again) and history.updates == 12


@pytest.mark.parametrize(
    "arguments, message",
    [
        ({"updates": None}, "give updates or minutes"),
        ({"updates": 5, "minutes": 1.0}, "give updates or minutes"),
        ({"updates": -5}, "updates must be larger than 0, got -5"),
        ({"learning_rate": 0.0}, "learning_rate must be larger than 0"),
        ({"clip": -1.0}, "clip must be larger than 0"),
        ({"seed": -1}, "at least 0"),
    ],
)
def test_a_recipe_that_makes_no_sense_is_refused(arguments, message):
    with pytest.raises(ValueError, match=message):
        Recipe(**arguments)


def _worker(rank, port, results):
    os.environ.update(MASTER_ADDR="127.0.0.1", MASTER_PORT=str(port))
    distributed.init_process_group("gloo", rank=rank, world_size=2)
    torch.set_num_threads(1)
    model, history = train(dataclasses.replace(RECIPE, updates=3), make())
    results.put((rank, history.position, [p.detach().numpy() for p in model.parameters()]))
    distributed.barrier()
    distributed.destroy_process_group()


def test_two_processes_share_the_batches_and_end_with_the_same_weights():
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    context = multiprocessing.get_context("spawn")
    results = context.Queue()
    workers = [context.Process(target=_worker, args=(rank, port, results)) for rank in range(2)]
    for worker in workers:
        worker.start()
    found = sorted((results.get(timeout=120) for _ in workers), key=lambda result: result[0])
    for worker in workers:
        worker.join()
    assert [position for _, position, _ in found] == [6, 6]  # three updates of two batches
    assert all((a == b).all() for a, b in zip(found[0][2], found[1][2]))

    # One process that averages the gradients of the same two batches takes the same steps.
    model = make()
    plan = Batches(SRC, TGT, size=4).plan(0)
    optimizer = torch.optim.Adam(model.parameters(), betas=(0.9, 0.98))
    for number in range(3):
        pairs = [
            make_batch([SRC[i] for i in c], [TGT[i] for i in c])
            for c in plan[2 * number : 2 * number + 2]
        ]
        loss = sum(batch_loss(model, batch, RECIPE.label_smoothing) for batch in pairs) / 2
        optimizer.param_groups[0]["lr"] = dataclasses.replace(RECIPE, updates=3).rate(
            number, number / 3
        )
        optimizer.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), RECIPE.clip)
        optimizer.step()
    for ours, theirs in zip(found[0][2], model.parameters()):
        assert torch.allclose(torch.from_numpy(ours), theirs, atol=1e-5)


def test_the_progress_bar_is_too_calm_to_drown_a_notebook(monkeypatch) -> None:
    """Jupyter drops messages when thousands wait; the one that says "done" may be among them."""
    seconds = []
    bar = module.tqdm

    def watched(**options):
        seconds.append(options.get("mininterval", 0.1))  # tqdm's default
        return bar(**options)

    monkeypatch.setattr(module, "tqdm", watched)
    fit(make(), Batches(SRC, TGT, size=4), RECIPE, progress=True)
    assert len(seconds) == 1 and seconds[0] >= 1.0
