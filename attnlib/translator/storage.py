"""Cards and weights on disk: JSON and safetensors, read and written so that damage is noticed.

Neither format can hold code, so reading an untrusted file runs nothing. A file of tensors
contains the SHA-256 of its content; one that was made elsewhere and has none is taken as it is.
"""

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import torch
from safetensors import SafetensorError, safe_open
from safetensors.torch import save as serialize
from torch import Tensor, nn

from ..files import StorageError, write_bytes

_METADATA_KEY = "attnlib"  # the header entry of a tensor file that holds our own JSON


def write_json(path: Path, value: Any) -> None:
    """Write a value as indented JSON, utf-8."""
    write_bytes(path, (json.dumps(value, ensure_ascii=False, indent=1) + "\n").encode())


def read_json(path: Path) -> Any:
    """Read a JSON file. Raises StorageError where it is missing, cut short or not JSON."""
    _check_file(path)
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise StorageError(f"cannot read {path}: {error.strerror or error}") from error
    except (ValueError, RecursionError) as error:  # JSON and utf-8 errors; lists in lists in …
        raise _corrupt_file_error(path, error) from error


def write_tensors(path: Path, tensors: Mapping[str, Tensor], about: Any = None) -> None:
    """Write named tensors, and any JSON value ``about`` them, as one safetensors file."""
    plain = {name: tensor.detach().cpu().contiguous() for name, tensor in tensors.items()}
    payload = json.dumps({"sha256": _tensors_sha256(plain, about), "about": about})
    # One entry, because safetensors keeps no order of several.
    write_bytes(path, serialize(plain, {_METADATA_KEY: payload}))


def read_tensors(path: Path) -> tuple[dict[str, Tensor], Any]:
    """The tensors of a safetensors file and the value ``about`` them.

    They are copies: the file may be replaced, or removed, while they are in use. Raises
    StorageError where the file is missing, cut short, changed by a single bit, or of another
    format.
    """
    _check_file(path)
    try:
        with safe_open(path, framework="pt") as file:
            payload = json.loads((file.metadata() or {}).get(_METADATA_KEY, "{}"))
            tensors = {name: file.get_tensor(name).clone() for name in file.keys()}  # noqa: SIM118
        about = payload.get("about")
        if payload and payload.get("sha256") != _tensors_sha256(tensors, about):
            raise ValueError("its SHA-256 is another one than when it was written")
        return tensors, about
    except (
        *(SafetensorError, OSError, ValueError, RecursionError),
        *(AttributeError, KeyError, TypeError),  # a header with other entries
    ) as error:
        raise _corrupt_file_error(path, error) from error


def load_weights(model: nn.Module, tensors: dict[str, Tensor], source: Any = "weights") -> None:
    """Copy named tensors into a model's parameters, which must be exactly the same ones.

    Raises StorageError naming the first parameter that is missing, left over, of another shape or
    no tensor of floating-point numbers. Of a compiled model, those of what was compiled are meant.
    """
    parameters = dict(getattr(model, "_orig_mod", model).named_parameters())
    shapes = {name: tuple(p.shape) for name, p in parameters.items()}
    given = {name: tuple(t.shape) for name, t in tensors.items()}
    for name in sorted(shapes.keys() | given.keys()):
        if shapes.get(name) != given.get(name):
            differs = (
                f"{name} should be {shapes.get(name, 'absent')}, is {given.get(name, 'absent')}"
            )
            raise StorageError(f"{source} belongs to another architecture: {differs}")
        if not tensors[name].is_floating_point():
            raise StorageError(f"{source} holds no weights: {name} is of {tensors[name].dtype}")
    with torch.no_grad():
        for name, parameter in parameters.items():
            parameter.copy_(tensors[name])


def check_finite(tensors: Mapping[str, Tensor], source: Any) -> None:
    """Raise StorageError where a number is infinite or none at all, naming its tensor."""
    for name, tensor in tensors.items():
        if not bool(tensor.isfinite().all()):
            what = f"{source} holds numbers in {name} that are infinite or not numbers"
            raise StorageError(f"{what}: train again, with a smaller learning rate perhaps")


def digest(value: Any) -> str:
    """SHA-256 of a JSON value, however its file is laid out.

    >>> digest({"a": 1, "b": [2]}) == digest({"b": [2], "a": 1})
    True
    """
    return hashlib.sha256(json.dumps(value, sort_keys=True).encode()).hexdigest()


def _tensors_sha256(tensors: Mapping[str, Tensor], about: Any) -> str:
    sha256 = hashlib.sha256(json.dumps(about).encode())
    for name, tensor in sorted(tensors.items()):
        sha256.update(repr((name, str(tensor.dtype), tuple(tensor.shape))).encode())
        sha256.update(tensor.reshape(-1).view(torch.uint8).numpy().data)
    return sha256.hexdigest()


def _check_file(path: Path) -> None:
    if not path.is_file():  # reading a pipe could wait forever, reading a device never end
        raise StorageError(f"cannot read {path}: there is no such file")


def _corrupt_file_error(path: Path, error: Exception) -> StorageError:
    return StorageError(f"{path} is damaged ({error}); train or copy it again")
