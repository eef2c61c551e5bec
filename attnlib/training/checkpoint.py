"""What is kept of a model and of a run, and how a run goes on from it."""

import dataclasses
import hashlib
import json
import math
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeAlias

import torch
from torch import Tensor, nn

from ..checks import require, require_whole
from ..data import Batches
from ..files import StorageError, claim, remove_unfinished
from ..model import describe
from ..translator.storage import (
    digest,
    load_weights,
    read_tensors,
    require_finite,
    write_json,
    write_tensors,
)
from .recipe import History, Recipe

MakeOptimizer: TypeAlias = Callable[[list[dict[str, Any]]], torch.optim.Optimizer]
BEST, RESUME = "model.safetensors", "resume.safetensors"  # the two files of a run's directory


def identify(
    run: "Run", batches: Batches, recipe: Recipe, about: Mapping[str, Any]
) -> dict[str, Any]:
    """What a run is, for its directory: recipe, model, optimizer, training sentences."""
    model, optimizer = run.model, run.optimizer
    sentences = repr([[list(s) for s in side] for side in (batches.src, batches.tgt)])
    identity = {
        **dataclasses.asdict(recipe),
        **about,
        **(getattr(model, "architecture", None) or {}),
        "sentences' checksum": hashlib.sha256(sentences.encode()).hexdigest()[:12],
        **describe(model),
        "batches": {k: getattr(batches, k) for k in ("tokens", "size", "seed")},
    }
    if not run.usual:
        settings = {k: v for k, v in optimizer.param_groups[0].items() if k not in _OF_A_GROUP}
        plain = {k: v for k, v in settings.items() if isinstance(v, bool | int | float | tuple)}
        identity["optimizer"] = {"kind": type(optimizer).__qualname__, **plain}
    return json.loads(json.dumps(identity))  # as a file gives it back: a tuple is a list there


class Run:
    """What must survive a stop: weights, the optimizer's moments, best weights, and history."""

    def __init__(self, model: nn.Module, optimizer: MakeOptimizer | None = None) -> None:
        self.model, self.usual = model, optimizer is None
        self.parameters = dict(model.named_parameters())  # a shared table appears once
        self.optimizer = (optimizer or _adam)(_groups(model))
        kind, wanted = type(self.optimizer), "a function that makes a torch.optim.Optimizer"
        require(isinstance(self.optimizer, torch.optim.Optimizer), "optimizer", wanted, kind)
        self.history = History()
        self.losses: list[float] = []  # since the last validation
        self.best: dict[str, Tensor] = {}

    def keep_as_best(self, score: float) -> None:
        """Remember the weights as they are now, and what they are worth."""
        self.history.best_score, self.history.best_update = score, self.history.updates
        self.best = {name: p.detach().clone() for name, p in self.parameters.items()}

    def save(self, path: Path, identity: Mapping[str, Any]) -> None:
        """Write the checkpoint from which this run can go on as if it had never stopped."""
        tensors: dict[str, Tensor] = {f"model.{n}": p for n, p in self.parameters.items()}
        tensors.update({f"best.{name}": p for name, p in self.best.items()})
        moved = [name for name, p in self.parameters.items() if self.optimizer.state[p]]
        for name in moved:
            for key, value in self.optimizer.state[self.parameters[name]].items():
                if value is not None:  # momentum that is switched off
                    wanted = "one that keeps tensors alone, so that it can go on from a checkpoint"
                    require(isinstance(value, Tensor), "optimizer", wanted, {key: value})
                    tensors[f"optimizer.{key}.{name}"] = value
        about = {"history": dataclasses.asdict(self.history), "losses": self.losses}
        write_tensors(path, tensors, {**about, "moved": moved, "identity": identity})

    def load(self, path: Path, identity: Mapping[str, Any]) -> dict[str, Any]:
        """Go back to a checkpoint; the identity with which it was saved.

        A precision of None in ``identity`` is any. Raises StorageError where it is damaged, or
        belongs to another run, naming the difference, or holds what no training writes; this run
        is then as it was.
        """
        tensors, about = read_tensors(path)
        try:
            saved, moved = dict(about["identity"]), list(about["moved"])
            history, losses = History(**about["history"]), list(about["losses"])
            _require_possible(history, losses, saved.get("updates") or _MOST)
        except (KeyError, TypeError, ValueError, OverflowError) as problem:
            why = f" ({problem})"[:200] if type(problem) is ValueError else ""
            raise StorageError(
                f"{path} is no checkpoint of this version{why}; train anew"
            ) from None
        _check_same_run(saved, identity, path)
        expected: dict[str, Tensor] = {f"model.{name}": p for name, p in self.parameters.items()}
        if history.update:
            expected |= {f"best.{name}": p for name, p in self.parameters.items()}
        for name in moved:
            if name not in self.parameters:
                raise StorageError(f"{path} belongs to another architecture: it knows {name}")
            like = self.parameters[name]
            if self.usual:
                expected[f"optimizer.step.{name}"] = torch.zeros(())
                expected |= {f"optimizer.{moment}.{name}": like for moment in _MOMENTS}
            else:  # another optimizer's state: saved as it is, without a look inside
                own = {key for key in tensors if key.startswith("optimizer.")}
                expected |= {k: tensors[k] for k in own if k.split(".", 2)[2] == name}
        _require_alike(expected, tensors, path)
        if self.usual:
            _require_moments(tensors, history.updates, path)

        groups: dict[str, dict[str, Tensor]] = {"model": {}, "best": {}, "optimizer": {}}
        for key, tensor in tensors.items():
            group, name = key.split(".", 1)
            groups[group][name] = tensor
        load_weights(self.model, groups["model"], path)
        self.best = {n: t.to(self.parameters[n].device) for n, t in groups["best"].items()}
        state = self.optimizer.state_dict()
        numbered = [p for group in self.optimizer.param_groups for p in group["params"]]
        place = {parameter: number for number, parameter in enumerate(numbered)}
        for key, tensor in groups["optimizer"].items():
            moment, name = key.split(".", 1)
            state["state"].setdefault(place[self.parameters[name]], {})[moment] = tensor
        # This also moves each tensor to its parameter's device.
        self.optimizer.load_state_dict(state)
        self.history, self.losses = history, losses
        return saved


@contextmanager
def keeping(
    run: Run,
    folder: Path | None,
    identity: Mapping[str, Any],
    beside: Mapping[str, Any],
    resume: bool,
) -> Iterator[Callable[[bool], None]]:
    """Keep a folder for this run alone; gives what saves it there, with its best weights or not.

    The checkpoint is written first: it holds the best weights, too, so that wherever a process is
    killed the folder holds either no run or one that can be resumed. Raises StorageError where
    the folder belongs to another run or process.
    """
    if folder is None:
        yield lambda best: None
        return
    with claim(folder) as require_ours:
        if not resume:
            require_no_run(folder)
        for name in (*beside, BEST, RESUME):
            remove_unfinished(folder / name)
        for name, value in beside.items():
            write_json(folder / name, value)
        digests = {name: digest(value) for name, value in beside.items()}

        def save_best() -> None:
            write_tensors(folder / BEST, run.best, digests)

        def save(best: bool) -> None:
            require_ours()
            run.save(folder / RESUME, identity)
            if best:
                save_best()

        if resume and run.best:
            save_best()  # a crash between the two files, or a card of another run
        yield save


def require_no_run(folder: Path) -> None:
    """Raise StorageError where a folder holds a run, or the weights of one."""
    if (folder / RESUME).is_file():
        raise StorageError(f"{folder} already holds a run: resume it or choose another folder")
    if (folder / BEST).is_file():
        raise StorageError(f"{folder} already holds a trained model: choose another folder")


def _groups(model: nn.Module) -> list[dict[str, Any]]:
    """The parameters in two groups, for the rate of the embedding tables may be another."""
    # In order; a shared parameter once.
    tables = {part.weight: None for part in model.modules() if isinstance(part, nn.Embedding)}
    others = [parameter for parameter in model.parameters() if parameter not in tables]
    return [{"params": [*tables], "embeds": True}, {"params": others, "embeds": False}]


def _adam(groups: Any) -> torch.optim.Adam:
    """The optimizer of a training that names none (Kingma and Ba 2015)."""
    betas = (0.9, 0.98)
    try:
        return torch.optim.Adam(groups, betas=betas, fused=True)
    except RuntimeError:  # older versions of torch have the fused form on CUDA only
        return torch.optim.Adam(groups, betas=betas)


_OF_A_GROUP = ("params", "embeds", "lr")  # no settings of the optimizer: the rate is the recipe's
_MOMENTS = ("exp_avg", "exp_avg_sq")  # of Adam, beside the number of its steps
_MOST = 10**12  # updates: far more than anybody makes, and few enough for torch's seeds


def _require_possible(history: History, losses: list[float], planned: int) -> None:
    """Raise ValueError for a history that no training has: it decides what is done next."""
    require_whole("updates", history.updates, 0, planned + 1)
    for name in ("epoch", "position", "best_update"):
        require_whole(name, getattr(history, name), 0, _MOST)
    rows = (history.update, history.train_loss, history.valid_loss, history.score)
    require(all(isinstance(row, list) for row in rows), "history", "lists", history)
    require(len({len(row) for row in rows}) == 1, "history", "lists of one length", history)
    ends = [0, *history.update, history.updates]
    whole = all(isinstance(update, int) for update in ends)
    ascending = whole and ends[:-1] == sorted(set(ends[:-1])) and ends[-2] <= ends[-1]
    require(ascending, "update", "ascending numbers of updates", history.update)
    require(history.position <= history.updates, "position", "at most updates", history.position)
    require(history.best_update in ends[:-1], "best_update", "in update", history.best_update)
    require(len(losses) == ends[-1] - ends[-2], "losses", "one an update", len(losses))
    numbers = (*losses, *history.train_loss, *history.score, history.seconds, history.best_score)
    for number in (*numbers, *history.valid_loss):
        require(isinstance(number, int | float), "a loss or score", "a number", number)
    scores = dict(zip(history.update, history.score))
    best = (scores.get(history.best_update), -math.inf)  # −∞ where no validation has counted yet
    require(history.best_score in best, "best_score", "that of its update", history.best_score)
    # A valid_loss may be none (NaN), a score −infinity.
    require(not any(map(math.isnan, numbers)), "history", "numbers", history)
    require(all(map(math.isfinite, losses)), "losses", "finite", losses)
    require(0 <= history.seconds < math.inf, "seconds", "at least 0", history.seconds)


def _require_alike(
    expected: Mapping[str, Tensor], found: Mapping[str, Tensor], source: Path
) -> None:
    """Raise StorageError unless the same tensors are there, of the same shapes and types."""
    for name in sorted(expected.keys() | found.keys()):
        ours, theirs = (
            f"a table {tuple(table.shape)} of {str(table.dtype).removeprefix('torch.')}"
            if (table := tables.get(name)) is not None
            else "missing"
            for tables in (expected, found)
        )
        if ours != theirs:
            differs = f"{name} should be {ours} and is {theirs}"
            raise StorageError(f"{source} belongs to another architecture: {differs}")
    require_finite(found, source)


def _require_moments(tensors: Mapping[str, Tensor], updates: int, source: Path) -> None:
    """Raise StorageError for moments or numbers of steps that Adam never has."""
    for name, tensor in tensors.items():
        steps, squares = (name.startswith(f"optimizer.{k}.") for k in ("step", "exp_avg_sq"))
        possible = not steps or tensor.item() in range(1, updates + 1)
        if not possible or (squares and bool((tensor < 0).any())):
            raise StorageError(f"{source} is damaged ({name} is impossible); train anew")


def _check_same_run(saved: Mapping[str, Any], given: Mapping[str, Any], path: Path) -> None:
    for name in [*given, *saved]:
        before, now = saved.get(name), given.get(name)
        if before == now or (name == "precision" and now is None):
            continue
        if isinstance(before, dict) and isinstance(now, dict):  # how the batches are cut
            _check_same_run(
                {f"{name}' {key}": value for key, value in before.items()},
                {f"{name}' {key}": value for key, value in now.items()},
                path,
            )
        if name in ("updates", "minutes"):
            planned = f"the learning rate of {path} was planned for {_length(saved)}"
            remedy = f"start a run of {_length(given)} in another folder"
            raise StorageError(f"{planned} and cannot go on after that; {remedy}")
        before, now = ("none" if value is None else str(value)[:100] for value in (before, now))
        remedy = "resume it with the same settings or train into another directory"
        raise StorageError(f"{path} was begun with {name}={before}, not {now}; {remedy}")


def _length(of: Mapping[str, Any]) -> str:
    """How long a run was to be, of its identity.

    >>> _length({"updates": None, "minutes": 1.5})
    '1.5 minutes'
    """
    given = [f"{of[unit]} {unit}" for unit in ("updates", "minutes") if of.get(unit)]
    return given[0][:100] if given else "no time at all"
