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


def read_trainings(preset: str, model: str = "general") -> list[dict[str, Any]]:
    """All recorded trainings of a model on Multi30k by a preset, each once, by seed.

    They stand in several records, some in two: whoever compares two presets or models takes all.

    >>> {run["seed"] for run in read_trainings("quick", "none")}
    {1, 2, 3}
    """
    folder = bundled_directory().parent / "runs"
    found: dict[tuple[int, str], dict[str, Any]] = {}
    for path in sorted(folder.glob("*.json")):
        for run in read_record(path.stem)["runs"]:
            if (run.get("preset"), run.get("model", "general")) == (preset, model):
                # The same run has the same scores; one with the same seed alone is another.
                key = run["seed"], json.dumps(run["bleu"], sort_keys=True)
                if key not in found or "test sets" in run:  # the older record has one test set
                    found[key] = run
    return [found[key] for key in sorted(found)]
