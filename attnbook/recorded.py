"""Recorded runs and measured results: what is too long to make before the reader's eyes."""

import json
from typing import Any, Literal

from attnlib.checks import check_name
from attnlib.data import bundled_directory


def read_record(name: str, kind: Literal["runs", "results"] = "runs") -> dict[str, Any]:
    """A file of ``data/runs``: the command, the seeds and the versions that made it, and the runs.

    Of ``kind`` "results", a file of ``data/results``: measured times, memory and peers.

    >>> read_record("02_tense")["command"]
    'python -m studies.tense'
    """
    folder = bundled_directory().parent / kind
    check_name("name", name, sorted(path.stem for path in folder.glob("*.json")))
    record: dict[str, Any] = json.loads((folder / f"{name}.json").read_text(encoding="utf-8"))
    return record
