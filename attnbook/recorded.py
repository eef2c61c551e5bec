"""Recorded runs: what is too long for a chapter to train before the reader's eyes."""

import json
from typing import Any

from attnlib.checks import check_name
from attnlib.data import bundled_directory


def read_record(name: str) -> dict[str, Any]:
    """A file of ``data/runs``: the command, the seeds and the versions that made it, and the runs.

    >>> read_record("02_tense")["command"]
    'python benchmarks/tense.py'
    """
    folder = bundled_directory().parent / "runs"
    check_name("name", name, sorted(path.stem for path in folder.glob("*.json")))
    found: dict[str, Any] = json.loads((folder / f"{name}.json").read_text(encoding="utf-8"))
    return found
