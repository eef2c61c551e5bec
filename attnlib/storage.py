"""Cards and weights on disk: JSON and safetensors, read and written so that damage is noticed.

Neither format can hold code, so reading a file from a stranger runs nothing. A file of tensors
bears the SHA-256 of all that it says; one that was made elsewhere and has none is taken as it is.
"""

import contextlib
import hashlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import torch
from safetensors import SafetensorError, safe_open
from safetensors.torch import save
from torch import Tensor

from .files import StorageError, write_bytes

_TOLD = "attnlib"  # where the header of a file of tensors holds what is told about them
LARGEST = 100_000_000  # bytes of a JSON file; a card of 100,000 tokens has 6 million


def write_json(path: Path, value: Any) -> None:
    """Write a value as indented JSON, utf-8."""
    write_bytes(path, (json.dumps(value, ensure_ascii=False, indent=1) + "\n").encode())


def read_json(path: Path) -> Any:
    """Read a JSON file. Raises StorageError where it is missing, cut short or not JSON."""
    _require_file(path)
    try:
        with open(path, "rb") as file:
            content = file.read(LARGEST + 1)
        if len(content) > LARGEST:
            raise ValueError(f"more than {LARGEST:,} bytes")
        return json.loads(content.decode("utf-8"))
    except OSError as problem:
        raise StorageError(f"cannot read {path}: {problem.strerror or problem}") from problem
    except (ValueError, RecursionError) as problem:  # JSON and utf-8 errors; lists in lists in …
        raise _damaged(path, problem) from problem


def write_tensors(path: Path, tensors: Mapping[str, Tensor], about: Any = None) -> None:
    """Write named tensors, and any JSON value ``about`` them, as one safetensors file."""
    plain = {name: tensor.detach().cpu().contiguous() for name, tensor in tensors.items()}
    told = json.dumps({"sha256": _digest_of_all(plain, about), "about": about})
    write_bytes(path, save(plain, {_TOLD: told}))  # one entry: the order of several is chance


def read_tensors(path: Path) -> tuple[dict[str, Tensor], Any]:
    """The tensors of a safetensors file and the value ``about`` them.

    They are copies: the file may be replaced, or removed, while they are in use. Raises
    StorageError where the file is missing, cut short, changed by a single bit, or of another
    format.
    """
    _require_file(path)
    try:
        with safe_open(path, framework="pt") as file:
            told = json.loads((file.metadata() or {}).get(_TOLD, "{}"))
            tensors = {name: file.get_tensor(name).clone() for name in file.keys()}  # noqa: SIM118
        about = told.get("about")
        if told and told.get("sha256") != _digest_of_all(tensors, about):
            raise ValueError("its SHA-256 is another one than when it was written")
        return tensors, about
    except (
        *(SafetensorError, OSError, ValueError, RecursionError),
        *(AttributeError, KeyError, TypeError),  # a header that tells something else
    ) as problem:
        raise _damaged(path, problem) from problem


def digest(value: Any) -> str:
    """SHA-256 of a JSON value, however its file is laid out.

    >>> digest({"a": 1, "b": [2]}) == digest({"b": [2], "a": 1})
    True
    """
    return hashlib.sha256(json.dumps(value, sort_keys=True).encode()).hexdigest()


def _digest_of_all(tensors: Mapping[str, Tensor], about: Any) -> str:
    found = hashlib.sha256(json.dumps(about).encode())
    for name, tensor in sorted(tensors.items()):
        found.update(repr((name, str(tensor.dtype), tuple(tensor.shape))).encode())
        found.update(tensor.reshape(-1).view(torch.uint8).numpy().data)
    return found.hexdigest()


def _require_file(path: Path) -> None:
    if not path.is_file():  # a pipe would wait for ever, a device never end
        raise StorageError(f"cannot read {path}: there is no such file")


def _damaged(path: Path, problem: Exception) -> StorageError:
    """What is wrong with a file: what it is instead, where its first bytes tell."""
    start = b"?"
    with contextlib.suppress(OSError), open(path, "rb") as file:
        start = file.read(100).lstrip(b"\xef\xbb\xbf \t\r\n")
    what, remedy = str(problem), "train or copy it again"
    if isinstance(problem, RecursionError):
        what = "it is nested too deeply"
    if not start:
        what = "it is empty"
    if start.startswith(b"<"):
        what, remedy = "it is a web page", "download the file itself (on GitHub, the raw one)"
    if start.startswith(b"version https://git-lfs"):
        what, remedy = "it is only a pointer of Git LFS", "fetch the file with git lfs pull"
    return StorageError(f"{path} is damaged ({what}); {remedy}")
