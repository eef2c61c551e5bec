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
KEPT, FILE = "ATTNLIB_PROGRESS", "progress.json"

#: Three tables, each by name: "exercises" → "right" or "wrong"; "predictions" → what was said, what
#: it was, whether that is right; "recall" → chapter → question → whether the first answer was
#: right, None where there is none yet.
State: TypeAlias = dict[str, dict[str, Any]]

_FIELDS: dict[str, Any] = {
    "said": (str, int, float),
    "was": (str, int, float),
    "right": bool,
}

#: Bytes of the file at most, a hundred times what the whole book needs, and seconds that a notebook
#: waits for another that is just writing it.
LARGEST, PATIENCE = 2_000_000, 10.0

_lost: set[Path] = set()  # files that cannot be read or written: warned of once, then left alone


def _nothing() -> State:
    return {"exercises": {}, "predictions": {}, "recall": {}}


_session = _nothing()


def place() -> Path | None:
    """The file in which progress is kept; None where it is not kept."""
    if (named := os.environ.get(KEPT)) is not None:
        return Path(named) if named else None
    notebook = sys.modules.get("IPython")  # only if already loaded: importing it takes a while
    shell = notebook.get_ipython() if notebook else None
    return Path(FILE) if hasattr(shell, "kernel") else None


def read() -> State:
    """What was done so far. A damaged file is put aside, and said; what is sound in it is kept."""
    path = place()
    if path is None or path in _lost:
        return _session
    try:
        if path.exists() and not path.is_file():  # reading a pipe could wait forever
            raise OSError(0, "it is not a file")
        with open(path, "rb") as file:
            content = file.read(LARGEST + 1)
        if len(content) > LARGEST:
            raise ValueError("no reader does so much")
        state = json.loads(content)
        if isinstance(state, dict):
            state = {**_nothing(), **state}  # a table may be missing
    except FileNotFoundError:
        return _nothing()
    except OSError as problem:
        _lose(path, f"{path} cannot be read: {problem.strerror}")
        return _session
    except (ValueError, RecursionError):
        state = None
    sound = _sound(state)
    return sound if sound is not None and sound == state else _aside(path, sound)


def _aside(path: Path, sound: State | None) -> State:
    """Put a damaged file aside and keep what is sound in it, in its place."""
    asides = (path.with_name(f"{path.stem}.damaged-{n}{path.suffix}") for n in count(1))
    aside = next(other for other in asides if not other.exists())
    try:
        os.replace(path, aside)
    except OSError as problem:
        _lose(path, f"{path.name} is damaged and cannot be put aside: {problem.strerror}")
        return _session
    rest = "your progress begins anew" if sound is None else "what is sound in it is kept"
    print(f"{path.name} was damaged: it is now {aside.name}, and {rest}.")
    if sound is not None:
        try:
            _write(path, sound)
        except StorageError as problem:
            _session.update(sound)
            _lose(path, str(problem))
    return sound or _nothing()


def keep(table: str, name: str, value: Any) -> None:
    """Note what became of something. Never raises because of the file."""
    state = read()
    if state[table].get(name) == value:
        return
    path = place()
    if path is None or path in _lost:
        state[table][name] = value  # for this session, even where the file cannot be written
        return
    real = Path(os.path.realpath(path))  # writes to the target of a link
    try:
        with lock_directory(real.parent, PATIENCE, f".{FILE}.lock"):
            remove_stale_temporaries(real)
            state = read()  # read again: another notebook may have written since
            state[table][name] = value
            if path not in _lost:
                _write(real, state)
    except StorageError as problem:
        state[table][name] = value
        _lose(path, str(problem))
        _session.update(state)


def _write(path: Path, state: State) -> None:
    # A read-only file is kept, though the folder would allow to replace it.
    if path.exists() and not path.stat().st_mode & 0o222:
        raise StorageError(f"{path.name} may only be read")
    content = json.dumps(state, ensure_ascii=False, indent=1).encode(errors="replace")
    if len(content) > LARGEST:
        raise StorageError(f"{path.name} would be larger than {LARGEST:,} bytes")
    write_bytes(path, content)


def _lose(path: Path, problem: str) -> None:
    _lost.add(path)
    print(f"Your progress is known only until the kernel ends: {problem}.")


def _sound(state: Any) -> State | None:
    """A state without what cannot have been written here; None where nothing of it is one."""
    if not isinstance(state, dict):
        return None
    tables = {
        name: {key: value for key, value in state[name].items() if fits(value)}
        for name, fits in _FITS.items()
        if isinstance(state[name], dict)
    }
    return {**state, **_nothing(), **tables}


def _is_recall(asked: Any) -> bool:
    return isinstance(asked, dict) and all(right in (True, False, None) for right in asked.values())


def _is_prediction(told: Any) -> bool:
    return isinstance(told, dict) and all(
        isinstance(told.get(name, ()), kinds) for name, kinds in _FIELDS.items()
    )


#: What an entry of each table may be.
_FITS: dict[str, Callable[[Any], bool]] = {
    "exercises": lambda found: found in ("right", "wrong"),
    "predictions": _is_prediction,
    "recall": _is_recall,
}
