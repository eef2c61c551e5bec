"""What the reader has done, kept in one small file beside the notebooks.

``progress.json`` in the folder of a notebook survives a restart of its kernel; who removes it
begins anew. The variable ATTNLIB_PROGRESS names another file, or none where it is empty: so do the
build, the tests and grading. Outside a notebook nothing is written either. Where nothing can be
written, what was done is known until the kernel ends. Notebooks that are open at once write one
after the other, and the file may be a link to where it really lies.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable
from itertools import count
from pathlib import Path
from typing import Any, TypeAlias

from attnlib.files import StorageError, lock_directory, remove_stale_temporaries, write_bytes

#: The environment variable that names the file, and the name that it has otherwise.
PROGRESS_VARIABLE, PROGRESS_FILE = "ATTNLIB_PROGRESS", "progress.json"

#: Three tables, each by name: "exercises" → "right" or "wrong"; "predictions" → what was said, what
#: it was, whether that is right; "recall" → chapter → question → whether the first answer was
#: right, None where there is none yet.
ProgressState: TypeAlias = dict[str, dict[str, Any]]

_FIELDS: dict[str, Any] = {
    "said": (str, int, float),
    "was": (str, int, float),
    "right": bool,
}

#: Bytes of the file at most, a hundred times what the whole book needs, and seconds that a notebook
#: waits for another that is just writing it.
MAX_PROGRESS_BYTES, LOCK_TIMEOUT = 2_000_000, 10.0

_disabled: set[Path] = set()  # files that cannot be read or written: one warning, then unused


def _empty_state() -> ProgressState:
    return {"exercises": {}, "predictions": {}, "recall": {}}


_session = _empty_state()


def progress_path() -> Path | None:
    """The file in which progress is kept; None where it is not kept."""
    if (named := os.environ.get(PROGRESS_VARIABLE)) is not None:
        return Path(named) if named else None
    notebook = sys.modules.get("IPython")  # only if already loaded: importing it takes a while
    shell = notebook.get_ipython() if notebook else None
    return Path(PROGRESS_FILE) if hasattr(shell, "kernel") else None


def read_progress() -> ProgressState:
    """What was done so far. A damaged file is renamed, with a message; its valid part is kept."""
    path = progress_path()
    if path is None or path in _disabled:
        return _session
    try:
        if path.exists() and not path.is_file():  # reading a pipe could wait forever
            raise OSError(0, "it is not a file")
        with open(path, "rb") as file:
            content = file.read(MAX_PROGRESS_BYTES + 1)
        if len(content) > MAX_PROGRESS_BYTES:
            raise ValueError("no reader does so much")
        state = json.loads(content)
        if isinstance(state, dict):
            state = {**_empty_state(), **state}  # a table may be missing
    except FileNotFoundError:
        return _empty_state()
    except OSError as error:
        _disable_file(path, f"{path} cannot be read: {error.strerror}")
        return _session
    except (ValueError, RecursionError):
        state = None
    valid = _validated(state)
    return valid if valid is not None and valid == state else _set_aside(path, valid)


def _set_aside(path: Path, valid: ProgressState | None) -> ProgressState:
    """Rename a damaged file and write the valid part of it in its place."""
    asides = (path.with_name(f"{path.stem}.damaged-{n}{path.suffix}") for n in count(1))
    aside = next(other for other in asides if not other.exists())
    try:
        os.replace(path, aside)
    except OSError as error:
        _disable_file(path, f"{path.name} is damaged and cannot be put aside: {error.strerror}")
        return _session
    rest = "your progress begins anew" if valid is None else "what is sound in it is kept"
    print(f"{path.name} was damaged: it is now {aside.name}, and {rest}.")
    if valid is not None:
        try:
            _write(path, valid)
        except StorageError as error:
            _session.update(valid)
            _disable_file(path, str(error))
    return valid or _empty_state()


def save_progress(table: str, name: str, value: Any) -> None:
    """Note what became of something. Never raises because of the file."""
    state = read_progress()
    if state[table].get(name) == value:
        return
    path = progress_path()
    if path is None or path in _disabled:
        state[table][name] = value  # for this session, even where the file cannot be written
        return
    real = Path(os.path.realpath(path))  # writes to the target of a link
    try:
        with lock_directory(real.parent, LOCK_TIMEOUT, f".{PROGRESS_FILE}.lock"):
            remove_stale_temporaries(real)
            state = read_progress()  # read again: another notebook may have written since
            state[table][name] = value
            if path not in _disabled:
                _write(real, state)
    except StorageError as error:
        state[table][name] = value
        _disable_file(path, str(error))
        _session.update(state)


def _write(path: Path, state: ProgressState) -> None:
    # A read-only file is kept, though the folder would allow to replace it.
    if path.exists() and not path.stat().st_mode & 0o222:
        raise StorageError(f"{path.name} may only be read")
    content = json.dumps(state, ensure_ascii=False, indent=1).encode(errors="replace")
    if len(content) > MAX_PROGRESS_BYTES:
        raise StorageError(f"{path.name} would be larger than {MAX_PROGRESS_BYTES:,} bytes")
    write_bytes(path, content)


def _disable_file(path: Path, reason: str) -> None:
    _disabled.add(path)
    print(f"Your progress is known only until the kernel ends: {reason}.")


def _validated(state: Any) -> ProgressState | None:
    """A state without what cannot have been written here; None where it is no dictionary."""
    if not isinstance(state, dict):
        return None
    tables = {
        name: {key: value for key, value in state[name].items() if is_valid(value)}
        for name, is_valid in _FITS.items()
        if isinstance(state[name], dict)
    }
    return {**state, **_empty_state(), **tables}


def _is_recall(entry: Any) -> bool:
    return isinstance(entry, dict) and all(right in (True, False, None) for right in entry.values())


def _is_prediction(entry: Any) -> bool:
    return isinstance(entry, dict) and all(
        isinstance(entry.get(name, ()), kinds) for name, kinds in _FIELDS.items()
    )


#: What an entry of each table may be.
_FITS: dict[str, Callable[[Any], bool]] = {
    "exercises": lambda entry: entry in ("right", "wrong"),
    "predictions": _is_prediction,
    "recall": _is_recall,
}
