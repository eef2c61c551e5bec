"""One model, all its recorded draws: chapters 5 and 6 train some of the same translators.

    python -m studies.draws

Luong's decoder with the general score is trained in both chapters, by one recipe, and its weights
are drawn in another order: with equal seeds these are different trainings of one model, and a
verdict on it is one on all of them. Other models are trained twice from the same draw: such a run
stands in two records and counts once. So three seeds of one record do not pair with those of
another, and what is "so in every seed" must be so in every draw. Trains nothing.
"""

import argparse
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from . import easy_runs, records

# One model: where it stands, a record and the variant in it. The others stand in one record alone.
SAME = {
    "Luong, dot": {"05_attention": "luong", "06_scores": "dot", "06_divisors": "1"},
    "Luong, scaled dot": {"06_scores": "scaled_dot", "06_divisors": "root"},
    "Luong, general": {"05_attention": "general", "06_scores": "general"},
    "Luong, additive": {"06_scores": "additive"},
    "Luong, concat": {"06_scores": "concat"},
    "Bahdanau, additive": {"05_attention": "bahdanau"},
    "Luong, general, keys h_j": {"05_attention": "general-states-only"},
    "Luong, dot, keys h_j": {"05_attention": "states-only"},
    "Luong, dot, no tanh": {"05_attention": "no-tanh"},
    "none": {"05_attention": "none"},
}


def draws(model: str, corpus: str, folder: Path | None = None) -> list[Mapping[str, Any]]:
    """Every training of a model that is recorded on a corpus, each once, with its "record"."""
    found: dict[tuple[Any, ...], Mapping[str, Any]] = {}
    for stem, variant in SAME[model].items():
        name = easy_runs.record_of(stem, corpus)
        path = records.path_of(name) if folder is None else folder / f"{name}.json"
        for key, run in records.read(path).items():
            if key[0] == variant:
                same = (run["seed"], *run["bleu"], run.get("aer"))
                found.setdefault(same, {"record": name, **run})
    return list(found.values())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--folder", type=Path, help="of the records (data/runs)")
    given = parser.parse_args()
    for corpus in records.BUCKETS_OF:
        print(f"{corpus}: BLEU of the test (mean of the ranges); AER; BLEU of test_long")
        for model in SAME:
            runs = draws(model, corpus, given.folder)
            long = [run["others"].get("test_long", {}) for run in runs]
            columns = [
                [f"{sum(run['bleu']) / len(run['bleu']):.1f}" for run in runs],
                [f"{run['aer']:.3f}" for run in runs if "aer" in run],
                [f"{found['bleu']:.1f}" for found in long if found],
            ]
            if runs:
                told = "; ".join(" ".join(column) for column in columns if column)
                print(f"  {model:26} {len(runs)} draws: {told}")


if __name__ == "__main__":
    main()
