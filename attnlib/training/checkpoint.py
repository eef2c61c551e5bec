"""What is kept of a model: weights as safetensors, everything else as JSON.

Neither format can hold code, so loading a file from a stranger runs nothing.
"""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import torch
from safetensors import SafetensorError, safe_open
from safetensors.torch import save
from torch import Tensor, nn

from ..files import StorageError, write_bytes


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
            raise StorageError(
                f"{source} belongs to another architecture: {name} should have shape "
                f"{shapes.get(name)} and has {found.get(name)}"
            )
    with torch.no_grad():
        for name, parameter in parameters.items():
            parameter.copy_(tensors[name])
