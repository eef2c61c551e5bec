"""What is kept of a model and of a run: weights as safetensors, everything else as JSON.

Neither format can hold code, so loading a file from a stranger runs nothing.
"""

import dataclasses
import hashlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import torch
from safetensors import SafetensorError, safe_open
from safetensors.torch import save
from torch import Tensor, nn

from ..data import Batches
from ..files import StorageError, write_bytes
from .recipe import History, Recipe

BEST, RESUME = "model.safetensors", "resume.safetensors"  # the two files of a run's directory


def write_json(path: Path, value: Any) -> None:
    """Write a value as indented JSON, utf-8."""
    write_bytes(path, (json.dumps(value, ensure_ascii=False, indent=1) + "\n").encode())


def read_json(path: Path) -> Any:
    """Read a JSON file. Raises StorageError where it is missing, cut short or not JSON."""
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except OSError as problem:
        raise StorageError(f"cannot read {path}: {problem.strerror or problem}") from problem
    except ValueError as problem:  # JSON and utf-8 errors both
        raise StorageError(f"{path} is damaged ({problem}); train or copy it again") from problem


def write_tensors(path: Path, tensors: Mapping[str, Tensor], about: Any = None) -> None:
    """Write named tensors, and any JSON value ``about`` them, as one safetensors file."""
    plain = {name: tensor.detach().cpu().contiguous() for name, tensor in tensors.items()}
    write_bytes(path, save(plain, metadata={"about": json.dumps(about)}))


def read_tensors(path: Path) -> tuple[dict[str, Tensor], Any]:
    """The tensors of a safetensors file and the value ``about`` them.

    Raises StorageError where the file is missing, cut short or of another format.
    """
    if not path.is_file():
        raise StorageError(f"cannot read {path}: there is no such file")
    try:
        with safe_open(path, framework="pt") as file:
            about = json.loads((file.metadata() or {}).get("about", "null"))
            return {name: file.get_tensor(name) for name in file.keys()}, about  # noqa: SIM118
    except (SafetensorError, ValueError, OSError) as problem:
        raise StorageError(f"{path} is damaged ({problem}); train or copy it again") from problem


def load_weights(model: nn.Module, tensors: dict[str, Tensor], source: Any = "weights") -> None:
    """Copy named tensors into a model's parameters, which must be exactly the same ones.

    Raises StorageError naming the first parameter that is missing, left over or of another shape.
    """
    parameters = dict(model.named_parameters())
    shapes = {name: tuple(p.shape) for name, p in parameters.items()}
    found = {name: tuple(t.shape) for name, t in tensors.items()}
    for name in sorted(shapes.keys() | found.keys()):
        if shapes.get(name) != found.get(name):
            differs = f"{name} should have shape {shapes.get(name)} and has {found.get(name)}"
            raise StorageError(f"{source} belongs to another architecture: {differs}")
    with torch.no_grad():
        for name, parameter in parameters.items():
            parameter.copy_(tensors[name])


def describe(model: nn.Module) -> dict[str, Any]:
    """All that makes a model and is no parameter, part by part: kinds, sizes, dropout, switches.

    Two models with the same description and the same parameters compute the same.

    >>> describe(nn.Dropout(0.25))
    {'model': 'Dropout', 'model.p': 0.25, 'model.inplace': False}
    """
    found: dict[str, Any] = {}
    for name, part in model.named_modules(prefix="model"):
        found[name] = type(part).__qualname__
        for setting, value in vars(part).items():
            if not setting.startswith("_") and setting not in ("training", "architecture"):
                plain = isinstance(value, bool | int | float | str | tuple | None)
                found[f"{name}.{setting}"] = value if plain else type(value).__qualname__
        if part._forward_hooks or part._forward_pre_hooks:
            found[f"{name}.hooks"] = "functions"
    return found


def identify(
    model: nn.Module, batches: Batches, recipe: Recipe, about: Mapping[str, Any]
) -> dict[str, Any]:
    """What a run is, for its directory: recipe, model, training sentences."""
    sentences = repr([[list(s) for s in side] for side in (batches.src, batches.tgt)])
    identity = {
        **dataclasses.asdict(recipe),
        **about,
        **(getattr(model, "architecture", None) or {}),
        "sentences' checksum": hashlib.sha256(sentences.encode()).hexdigest()[:12],
        **describe(model),
        "batches": {k: getattr(batches, k) for k in ("tokens", "size", "seed")},
    }
    return json.loads(json.dumps(identity))  # as a file gives it back: a tuple is a list there


class Run:
    """What must survive a stop: weights, Adam's moments, the best weights, and the history."""

    def __init__(self, model: nn.Module) -> None:
        self.model = model
        self.parameters = dict(model.named_parameters())  # a shared table appears once
        self.optimizer = _adam(model)
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
        for name, parameter in self.parameters.items():
            for key, value in self.optimizer.state[parameter].items():
                tensors[f"optimizer.{key}.{name}"] = value
        about = {"history": dataclasses.asdict(self.history), "losses": self.losses}
        write_tensors(path, tensors, {**about, "identity": identity})

    def load(self, path: Path, identity: Mapping[str, Any]) -> None:
        """Go back to a checkpoint.

        Raises StorageError where it is damaged or belongs to another run, naming the difference.
        """
        tensors, about = read_tensors(path)
        try:
            saved, history = about["identity"], History(**about["history"])
            losses = [float(loss) for loss in about["losses"]]
        except (KeyError, TypeError, ValueError):
            raise StorageError(f"{path} is no checkpoint of this version; train anew") from None
        _check_same_run(saved, identity, path)
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
        self.optimizer.load_state_dict(state)  # which also knows what belongs on which device
        self.history, self.losses = history, losses


def _adam(model: nn.Module) -> torch.optim.Adam:
    """The optimizer, with a group for the embedding tables, whose rate may be another."""
    # In order, a shared one once.
    tables = {part.weight: None for part in model.modules() if isinstance(part, nn.Embedding)}
    others = [parameter for parameter in model.parameters() if parameter not in tables]
    groups: Any = [{"params": [*tables], "embeds": True}, {"params": others, "embeds": False}]
    betas = (0.9, 0.98)
    try:
        return torch.optim.Adam(groups, betas=betas, fused=True)
    except RuntimeError:  # an older torch fuses on CUDA alone; the numbers are the same
        return torch.optim.Adam(groups, betas=betas)


def _check_same_run(saved: Mapping[str, Any], given: Mapping[str, Any], path: Path) -> None:
    for name in [*given, *saved]:
        before, now = saved.get(name, "none"), given.get(name, "none")
        if before != now:
            remedy = "resume it with the same settings or train into another directory"
            raise StorageError(f"{path} was begun with {name}={before}, not {now}; {remedy}")
