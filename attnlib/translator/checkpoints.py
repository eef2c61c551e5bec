"""A run in a folder: its checkpoint and its best weights, and how it goes on from them."""

import dataclasses
import hashlib
import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import Any

from torch import Tensor

from ..device import choose_precision
from ..files import StorageError, lock_directory, remove_stale_temporaries
from ..model import describe
from ..training import History, Trainer, TrainingState
from .signals import exception_for, stop_on_signals
from .storage import digest, load_weights, read_tensors, write_json, write_tensors

BEST_FILE, CHECKPOINT_FILE = "model.safetensors", "resume.safetensors"  # of a run's directory


class Checkpoint:
    """What ``fit`` saves a run with, and goes on with it: a folder for one run.

    Arguments: directory, the folder; resume, go on with the run that is there, in the precision it
    was begun with unless the recipe names one; about, what else (JSON values) must be the same
    when the run is resumed; extra_files, JSON files (name → value) that are written there first,
    and whose digests the file of the best weights contains.

    Ctrl-C finishes the update, saves, and raises KeyboardInterrupt; what asks the program to end
    (SIGTERM, or SIGHUP when its terminal is closed) saves likewise and raises SystemExit. A run
    may be resumed with more processes or fewer. Raises ValueError for what JSON cannot hold, and,
    once it trains, StorageError for a directory that cannot be used, that another process is
    training into or that holds another run.
    """

    def __init__(
        self,
        directory: Path | str,
        *,
        resume: bool = False,
        about: Mapping[str, Any] | None = None,
        extra_files: Mapping[str, Any] | None = None,
    ) -> None:
        self.folder, self.resume = Path(directory), resume
        self.about, self.extra_files = dict(about or {}), dict(extra_files or {})
        for name, value in (("about", self.about), ("extra_files", self.extra_files)):
            try:
                json.dumps(value)
            except (TypeError, ValueError) as error:
                raise ValueError(f"{name} must be what JSON can hold ({error})") from None
        self.identity: dict[str, Any] = {}
        self.signals: list[int] = []
        self.check_ours: Any = None  # raises once the folder was moved or replaced

    @property
    def stopped(self) -> BaseException | None:
        """What the training is to end with, if it was asked to stop."""
        return exception_for(self.signals) if self.signals else None

    @contextmanager
    def open(self, trainer: Trainer) -> Iterator[None]:
        """Claim the folder for this run alone. Of several processes, one writes."""
        run, writes = trainer.run, trainer.processes.rank == 0
        self.identity = run_identity(trainer, self.about)
        if self.resume:
            begun = load(run, self.folder / CHECKPOINT_FILE, self.identity)
            if trainer.recipe.precision is None:
                trainer.precision = choose_precision(begun["precision"], trainer.device)
        self.identity["precision"] = trainer.precision
        with lock_directory(self.folder) if writes else nullcontext() as self.check_ours:
            if writes:
                self._begin(run)
            with stop_on_signals() as self.signals:
                yield

    def _begin(self, run: TrainingState) -> None:
        if not self.resume:
            check_no_run(self.folder)
        for name in (*self.extra_files, BEST_FILE, CHECKPOINT_FILE):
            remove_stale_temporaries(self.folder / name)
        for name, value in self.extra_files.items():
            write_json(self.folder / name, value)
        if self.resume and run.best:
            self._save_best(run)  # a crash between the two files, or a card of another run

    def save(self, trainer: Trainer, is_best: bool) -> None:
        """Write the checkpoint, then the best weights if they are new.

        The checkpoint holds the best weights, too, so that wherever a process is killed the
        folder holds either no run or one that can be resumed.
        """
        if trainer.processes.rank == 0:
            self.check_ours()
            save(trainer.run, self.folder / CHECKPOINT_FILE, self.identity)
            if is_best:
                self._save_best(trainer.run)

    def _save_best(self, run: TrainingState) -> None:
        digests = {name: digest(value) for name, value in self.extra_files.items()}
        write_tensors(self.folder / BEST_FILE, run.best, digests)


def check_no_run(folder: Path) -> None:
    """Raise StorageError where a folder holds a run, or the weights of one."""
    if (folder / CHECKPOINT_FILE).is_file():
        raise StorageError(f"{folder} already holds a run: resume it or choose another folder")
    if (folder / BEST_FILE).is_file():
        raise StorageError(f"{folder} already holds a trained model: choose another folder")


def run_identity(trainer: Trainer, about: Mapping[str, Any]) -> dict[str, Any]:
    """What a run is, for its directory: recipe, model, training sentences."""
    model, batches = trainer.model, trainer.batches
    sentences = repr([[list(s) for s in side] for side in (batches.src, batches.tgt)])
    identity = {
        **dataclasses.asdict(trainer.recipe),
        **about,
        **(getattr(model, "architecture", None) or {}),
        "sentences' checksum": hashlib.sha256(sentences.encode()).hexdigest()[:12],
        **describe(model),
        "batches": {k: getattr(batches, k) for k in ("max_tokens", "batch_size", "seed")},
    }
    return json.loads(json.dumps(identity))  # as a file gives it back: a tuple is a list there


def save(run: TrainingState, path: Path, identity: Mapping[str, Any]) -> None:
    """Write the checkpoint from which a run can go on as if it had never stopped."""
    tensors: dict[str, Tensor] = {f"model.{name}": p for name, p in run.parameters.items()}
    tensors.update({f"best.{name}": p for name, p in run.best.items()})
    for name, parameter in run.parameters.items():
        for key, value in run.optimizer.state.get(parameter, {}).items():
            tensors[f"optimizer.{key}.{name}"] = value
    history = dataclasses.asdict(run.history)
    write_tensors(path, tensors, {"history": history, "losses": run.losses, "identity": identity})


def load(run: TrainingState, path: Path, identity: Mapping[str, Any]) -> dict[str, Any]:
    """Go back to a checkpoint; the identity with which it was saved.

    A precision of None in ``identity`` is any. Raises StorageError where it is damaged, of another
    version, or belongs to another run, naming the difference; this run is then as it was.
    """
    tensors, about = read_tensors(path)
    try:
        saved, losses, history = about["identity"], about["losses"], History(**about["history"])
        _check_same_run(saved, identity, path)
        groups: dict[str, dict[str, Tensor]] = {"model": {}, "best": {}, "optimizer": {}}
        for key, tensor in tensors.items():
            group, _, name = key.partition(".")
            groups[group][name] = tensor
        order = [p for group in run.optimizer.param_groups for p in group["params"]]
        number = {parameter: i for i, parameter in enumerate(order)}
        state = run.optimizer.state_dict()
        for key, tensor in groups["optimizer"].items():
            moment, _, name = key.partition(".")
            state["state"].setdefault(number[run.parameters[name]], {})[moment] = tensor
    except (AttributeError, KeyError, TypeError):
        raise StorageError(f"{path} is no checkpoint of this version; train anew") from None
    load_weights(run.model, groups["model"], path)
    run.best = {name: t.to(run.parameters[name].device) for name, t in groups["best"].items()}
    run.optimizer.load_state_dict(state)  # which moves each tensor to its parameter's device
    run.history, run.losses = history, losses
    return saved


def _check_same_run(saved: Mapping[str, Any], current: Mapping[str, Any], path: Path) -> None:
    """Raise StorageError for the first thing in which a saved run is another."""
    for name in [*current, *saved]:
        before, now = saved.get(name), current.get(name)
        if before == now or (name == "precision" and now is None):
            continue
        if isinstance(before, dict) and isinstance(now, dict):
            was, is_now = ({f"{name}' {k}": v for k, v in d.items()} for d in (before, now))
            _check_same_run(was, is_now, path)
        before, now = ("none" if value is None else str(value)[:100] for value in (before, now))
        hint = "resume it with the same settings or train into another directory"
        raise StorageError(f"{path} was begun with {name}={before}, not {now}; {hint}")
