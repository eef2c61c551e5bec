"""One number for the preset "quick" on Multi30k: all its recorded trainings, each counted once.

    python -m studies.quick_runs

Several records hold trainings of one and the same model and recipe: 10_multi30k and 10_models, the
rung "quick" of 10_ladder, and 10_quick. They differ in the seed, or in the stream of chance:
processors round differently, and so one seed becomes different trainings on different machines. On
the same kind of processor it becomes the same one, and such a training stands in two records but
counts once. Trains nothing.
"""

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from . import records

FILES = ("10_multi30k", "10_models", "10_quick", "10_ladder")
FIGURES = ("valid greedy", "valid beam 5", "test greedy", "test beam 5")
LOSS, BLEU = 0.001, 0.02  # what rounding, and another program's beam, may change


def is_quick(run: Mapping[str, Any]) -> bool:
    """Whether a run is the preset's own model, trained by its recipe. (The ladder's rung looks at
    the validation split once instead of three times, which leaves the training what it is.)
    """
    name, model = run.get("preset", run.get("variant")), run.get("model", "general")
    return (name, model, run["machine"]["precision"]) == ("quick", "general", "bf16")


def same(one: Mapping[str, Any], other: Mapping[str, Any]) -> bool:
    """Whether two runs are one training, recorded twice."""

    def near(a: float, b: float, most: float) -> bool:
        return abs(a - b) <= most + 1e-9

    ends = (run["curve"]["valid loss"][-1] for run in (one, other))
    scores = [
        [run["bleu"][f"{split} beam 5"] for split in ("valid", "test")] for run in (one, other)
    ]
    alike = all(near(a, b, BLEU) for a, b in zip(*scores))
    return one["seed"] == other["seed"] and near(*ends, LOSS) and alike


def distinct(folder: Path | None = None) -> list[dict[str, Any]]:
    """Every training once, as the first of FILES has it, with the names of all that have it."""
    found: list[dict[str, Any]] = []
    for name in FILES:
        path = folder / f"{name}.json" if folder else records.path_of(name)
        if not path.exists():
            continue
        for run in filter(is_quick, json.loads(path.read_text(encoding="utf-8"))["runs"]):
            if twin := next((one for one in found if same(one, run)), None):
                twin["files"].append(name)
            else:
                found.append({**run, "files": [name]})
    return found


def joined(runs: Iterable[Mapping[str, Any]]) -> dict[str, dict[str, Any]]:
    """Of each figure: how many trainings have it, their mean, lowest and highest."""
    runs, result = list(runs), {}
    for figure in FIGURES:
        scores = [run["bleu"][figure] for run in runs if figure in run["bleu"]]
        if scores:
            mean = round(sum(scores) / len(scores), 2)
            result[figure] = {"n": len(scores), "mean": mean, "range": [min(scores), max(scores)]}
    return result


def main() -> None:
    runs = distinct()
    for run in runs:
        scores = [f"{run['bleu'].get(figure, float('nan')):6.2f}" for figure in FIGURES]
        print(f"seed {run['seed']}", *scores, ", ".join(run["files"]), sep="  ")
    for figure, one in joined(runs).items():
        print(f"{figure:13} {one['n']} trainings, {one['mean']:.2f}", *one["range"])


if __name__ == "__main__":
    main()
