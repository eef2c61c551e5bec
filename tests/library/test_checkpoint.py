"""A run can be stopped or damaged anywhere: its folder holds no run, or one that goes on."""

import copy
import dataclasses
import os
import random
import shutil
import signal

import pytest
import torch

from attnlib.data import Batches, make_batch
from attnlib.files import StorageError, lock_directory
from attnlib.model import make_seq2seq
from attnlib.training import Recipe, fit, loop
from attnlib.translator import (
    BEST_FILE,
    CHECKPOINT_FILE,
    Checkpoint,
    checkpoints,
    digest,
    read_json,
    read_tensors,
    write_tensors,
)

SRC = [[4 + (3 * i + k) % 6 for k in range(1 + i % 4)] for i in range(40)]
TGT = [list(reversed(sentence)) for sentence in SRC]
VALID = [make_batch(SRC[:8], TGT[:8])]
RECIPE = Recipe(updates=12, learning_rate=0.01, warmup=2, validate_every=4, precision="fp32")


def train(recipe=RECIPE, directory=None, **more):
    torch.manual_seed(0)
    model = make_seq2seq(10, 10, embedding_size=8, hidden_size=8)
    batches = Batches(SRC, TGT, batch_size=4)
    checkpoint = None if directory is None else Checkpoint(directory, **more)
    history = fit(model, batches, recipe, valid=VALID, progress=False, checkpoint=checkpoint)
    return model, history


def same(one, other):
    (model, history), (other_model, other_history) = one, other
    for now in (history, other_history):
        now.seconds = 0.0
    weights = zip(model.parameters(), other_model.parameters())
    return all(torch.equal(a, b) for a, b in weights) and history == other_history


def at_update(monkeypatch, number, happens):
    """Let something happen before an update."""
    update = loop.update

    def watched(trainer):
        if trainer.run.history.updates == number:
            happens()
        return update(trainer)

    monkeypatch.setattr(loop, "update", watched)


def kill(*given, **more):
    raise SystemExit("killed")


@pytest.fixture(scope="module")
def stopped(tmp_path_factory):
    """A run that was stopped after 6 of 12 updates, and what it would have become."""
    folder = tmp_path_factory.mktemp("stopped")
    with pytest.MonkeyPatch.context() as patch, pytest.raises(SystemExit):
        at_update(patch, 6, lambda: os.kill(os.getpid(), signal.SIGTERM))
        train(directory=folder)
    assert read_tensors(folder / CHECKPOINT_FILE)[1]["history"]["updates"] == 7
    return folder, train()


# Stopped anywhere --------------------------------------------------------------------------------


@pytest.mark.parametrize("written", [1, 2])
def test_a_run_that_is_killed_before_any_of_its_files_is_begun_again_or_resumed(
    written, tmp_path, monkeypatch
):
    """A card, then a checkpoint and the best weights at each of three validations."""
    left = [written]

    def counted(write):
        def write_or_die(path, *given):
            if not left[0]:
                kill()
            left[0] -= 1
            write(path, *given)

        return write_or_die

    with monkeypatch.context() as patch, pytest.raises(SystemExit):
        for name in ("write_tensors", "write_json"):
            patch.setattr(checkpoints, name, counted(getattr(checkpoints, name)))
        train(directory=tmp_path, extra_files={"card.json": [1]})
    begun = (tmp_path / CHECKPOINT_FILE).is_file()
    assert begun == (written >= 2)
    again = train(directory=tmp_path, resume=begun, extra_files={"card.json": [1]})
    assert same(again, train())
    assert {path.name for path in tmp_path.iterdir()} == {"card.json", BEST_FILE, CHECKPOINT_FILE}
    best, _ = read_tensors(tmp_path / BEST_FILE)
    assert all(torch.equal(best[name], p) for name, p in again[0].named_parameters())


@pytest.mark.parametrize("lost", [BEST_FILE, "card.json"])
def test_what_was_lost_of_a_run_but_its_checkpoint_is_written_anew(lost, tmp_path):
    train(directory=tmp_path, extra_files={"card.json": [1]})
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    (tmp_path / lost).unlink()
    train(directory=tmp_path, resume=True, extra_files={"card.json": [1]})
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == before


def test_what_a_killed_process_left_half_written_is_removed_by_the_next(tmp_path):
    others = {".other.safetensors.77", ".resume.safetensors.txt"}
    for name in {f".{BEST_FILE}.12", f".{CHECKPOINT_FILE}.34567"} | others:
        (tmp_path / name).write_bytes(b"half")
    train(directory=tmp_path)
    assert {path.name for path in tmp_path.iterdir()} == {BEST_FILE, CHECKPOINT_FILE, *others}


ENDS = [name for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)]


@pytest.mark.parametrize("name", ENDS)
def test_what_asks_a_program_to_end_saves_first_however_often_it_asks(name, tmp_path, monkeypatch):
    """A terminal that is closed says so twice: itself, and by its shell."""
    number = getattr(signal, name)
    with monkeypatch.context() as patch, pytest.raises(SystemExit) as end:
        at_update(patch, 5, lambda: [os.kill(os.getpid(), number) for _ in range(2)])
        train(directory=tmp_path)
    assert end.value.code == 128 + number and signal.getsignal(number) == signal.SIG_DFL
    assert read_tensors(tmp_path / CHECKPOINT_FILE)[1]["history"]["updates"] == 6
    assert same(train(directory=tmp_path, resume=True), train())


@pytest.mark.parametrize("name", ENDS)
def test_a_signal_that_is_ignored_or_handled_stays_so(name, monkeypatch):
    number, calls = getattr(signal, name), []
    before = signal.getsignal(number)
    try:
        for theirs in (signal.SIG_IGN, lambda *given: calls.append(given)):
            signal.signal(number, theirs)  # nohup, say
            with monkeypatch.context() as patch:
                at_update(patch, 5, lambda: os.kill(os.getpid(), number))
                assert train()[1].updates == 12
            assert signal.getsignal(number) == theirs
    finally:
        signal.signal(number, before)
    assert len(calls) == 1


# One run a folder --------------------------------------------------------------------------------


def test_a_folder_into_which_another_process_trains_is_refused_at_once(tmp_path):
    with (
        lock_directory(tmp_path),
        pytest.raises(StorageError, match="another process is writing into"),
    ):
        train(directory=tmp_path)
    assert list(tmp_path.iterdir()) == []
    train(directory=tmp_path)
    before = (tmp_path / CHECKPOINT_FILE).read_bytes()
    with (
        lock_directory(tmp_path),
        pytest.raises(StorageError, match="another process is writing into"),
    ):
        train(directory=tmp_path, resume=True)
    assert (tmp_path / CHECKPOINT_FILE).read_bytes() == before


def test_a_run_is_never_begun_over_another_nor_over_weights(tmp_path):
    train(directory=tmp_path)
    before = {path: path.read_bytes() for path in tmp_path.iterdir()}
    with pytest.raises(StorageError, match="already holds a run: resume it or choose another"):
        train(directory=tmp_path)
    assert {path: path.read_bytes() for path in tmp_path.iterdir()} == before
    (tmp_path / CHECKPOINT_FILE).unlink()
    with pytest.raises(StorageError, match="already holds a trained model: choose another"):
        train(directory=tmp_path)


@pytest.mark.parametrize("fate", ["removed", "replaced"])
def test_a_folder_that_vanishes_ends_the_training_and_not_in_a_lie(fate, tmp_path, monkeypatch):
    folder, there = tmp_path / "run", tmp_path / "elsewhere"

    def vanish():
        monkeypatch.undo()
        if fate == "removed":
            shutil.rmtree(folder)
        else:
            folder.rename(there)
            train(directory=folder)

    at_update(monkeypatch, 6, vanish)
    with pytest.raises(StorageError, match="run was moved or removed while this process wrote"):
        train(directory=folder)
    if fate == "removed":
        assert not folder.exists()
    else:
        assert same(train(directory=folder, resume=True), train())
        assert same(train(directory=there, resume=True), train())


# Checkpoints that no training wrote --------------------------------------------------------------


def first(tensors, prefix):
    return next(name for name in sorted(tensors) if name.startswith(prefix))


def change(prefix, to):
    """Put something else in the place of a tensor whose name begins so; None removes it."""

    def changed(tensors, about):
        name = first(tensors, prefix)
        if (new := to(tensors[name])) is None:
            del tensors[name]
        else:
            tensors[name] = new

    return changed


def set_about(way, value):
    def changed(tensors, about):
        *keys, last = way.split(".")
        for key in keys:
            about = about[key]
        if value is KeyError:
            del about[last]
        else:
            about[last] = value

    return changed


ODD = {
    "weights of another shape": change("model.", lambda t: torch.ones(3)),
    "a foreign group": lambda tensors, about: tensors.update({"evil.x": torch.ones(1)}),
    "a moment of nobody": lambda tensors, about: tensors.update(
        {"optimizer.exp_avg.evil": torch.ones(1)}
    ),
    "no identity": set_about("identity", KeyError),
    "another seed": set_about("identity.seed", 2),
}


@pytest.mark.parametrize("name", ODD)
def test_a_checkpoint_that_no_training_wrote_is_refused_in_a_sentence(name, stopped, tmp_path):
    tensors, about = read_tensors(stopped[0] / CHECKPOINT_FILE)
    about = copy.deepcopy(about)
    ODD[name](tensors, about)
    write_tensors(tmp_path / CHECKPOINT_FILE, tensors, about)
    before = (tmp_path / CHECKPOINT_FILE).read_bytes()
    with pytest.raises(StorageError) as problem:
        train(directory=tmp_path, resume=True)
    message = str(problem.value)
    assert CHECKPOINT_FILE in message and "\n" not in message and len(message) < 600
    assert "None" not in message
    assert (tmp_path / CHECKPOINT_FILE).read_bytes() == before


def test_a_single_bit_that_was_flipped_in_a_checkpoint_never_gives_another_end(stopped, tmp_path):
    folder, whole = stopped
    content, rng, refused = (folder / CHECKPOINT_FILE).read_bytes(), random.Random(0), 0
    header = int.from_bytes(content[:8], "little")
    places = [rng.randrange(len(content)) for _ in range(15)]
    places += [rng.randrange(8 + header) for _ in range(15)]
    for place in places:
        changed = bytearray(content)
        changed[place] ^= 1 << rng.randrange(8)
        (tmp_path / CHECKPOINT_FILE).write_bytes(changed)
        try:
            again = train(directory=tmp_path, resume=True)
        except StorageError as problem:
            assert CHECKPOINT_FILE in str(problem)
            refused += 1
        else:
            assert same(again, whole)
    assert refused > 25


# What a run can be resumed with ------------------------------------------------------------------


def test_a_precision_that_is_not_named_is_that_of_the_run(stopped, tmp_path, monkeypatch):
    shutil.copy(stopped[0] / CHECKPOINT_FILE, tmp_path)
    monkeypatch.setattr(
        "attnlib.device.recommended_precision", lambda device: ("bf16", "it is faster")
    )
    recipe = dataclasses.replace(RECIPE, precision=None)
    assert same(train(recipe, tmp_path, resume=True), stopped[1])


def test_a_precision_that_was_chosen_may_be_named_when_the_run_goes_on(tmp_path, monkeypatch):
    monkeypatch.setattr("attnlib.device.recommended_precision", lambda device: ("fp32", "no bf16"))
    train(dataclasses.replace(RECIPE, precision=None), tmp_path)
    assert read_tensors(tmp_path / CHECKPOINT_FILE)[1]["identity"]["precision"] == "fp32"
    assert train(RECIPE, tmp_path, resume=True)[1].updates == 12


def test_what_lies_beside_the_weights_is_named_in_them_by_its_digest(tmp_path):
    train(directory=tmp_path, extra_files={"card.json": {"b": [1.5], "a": "한"}})
    assert read_json(tmp_path / "card.json") == {"b": [1.5], "a": "한"}
    assert read_tensors(tmp_path / BEST_FILE)[1] == {"card.json": digest({"a": "한", "b": [1.5]})}
