"""A table of every recorded run: what was measured, how often, when, and on which data.

    python -m studies.summary                    # all files of data/runs
    python -m studies.summary 05_attention 06    # those whose names begin so

A row is what runs have in common but for the seed; a figure is the mean of its runs and, behind it,
the lowest and the highest. A file of which nothing is said below shows the first numbers that its
runs hold. Nothing is trained.
"""

import argparse
import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from . import records

# What is shown of a file: a column and where it stands in a run. Of a list the mean is taken, or,
# where the place ends in "*", each of its numbers is shown, as means of the runs.
ON_CAPTIONS = {  # of all that was trained on Multi30k
    "valid": "bleu.valid beam 5",
    "greedy": "bleu.test greedy",
    "test": "bleu.test beam 5",
    "parameters": "parameters",
}
FIGURES = {
    "01_characters": {"bits": "looks.-1.bits", "of 8 before": "bits_by_context.3"},
    "01_rates": {"bits": "looks.-1.bits", "of 128 before": "bits_by_context.-1"},
    "02_lstm": {"at the end": "curve.-1"},
    "02_gates": {"at the end": "curve.-1"},
    "02_single_unit": {
        "right": "right",
        "contrast": "contrast_test.0",
        "turned ?": "turned.0",
        "turned .": "turned.1",
    },
    "02_tense": {
        "future, yest.": "after_future.0",
        "tomorrow": "after_future.1",
        "left": "apart.-1",
        "perplexity, unseen": "perplexity.unseen",
    },
    "03_seq2seq": {
        "exact": "exact",
        "longest": "exact.-1",
        "BLEU by length": "bleu.*",
        "of all": "test.bleu",
        "exact of all": "test.exact",
        "composition": "others.test_composition.bleu",
        "its exact": "others.test_composition.exact",
        "composition by length": "others.test_composition.by_length.bleu.*",
    },
    "05_alignments": {"AER": "aer", "composition": "others.test_composition.aer"},
    "05_contributions": {
        "AER weights": "contributions.aer.weight",
        "AER ‖α h‖": "contributions.aer.length",
        "another first": "contributions.another is first.length",
        "∂ by last state, 5th tenth": "gradients.last state.a word.4",
        "shuffled, stay": "shuffled.short.all",
        "peak moved": "shuffled.short.moved",
        "not": "shuffled.short.not moved",
        "rank corr., all": "replaced.correlation of all cells",
        "in rows": "replaced.within rows",
    },
    "07_planted": {"whole of 500": "rows", "right after": "after", "end": "end"},
    "06_query_gradient": {
        "mean, H = 4": "rows.0.mean",
        "median": "rows.0.quantiles.2",
        "mean, H = 1,024": "rows.4.mean",
        "median, too": "rows.4.quantiles.2",
    },
    "07_reverse": {"whole rows": "free.whole", "loss forced": "forced.loss"},
    "08_hypotheses": {"greedy log P": "beams.1.0.log_prob", "k=50": "beams.50.0.log_prob"},
    "08_multi30k": {
        "first row": "rows.0.bleu",
        "last": "rows.-1.bleu",
        "least risk": "rows.-1.least risk.3.bleu",
    },
    "08_smoothing": {
        "mode is empty": "mode.empty",
        "k=5": "rows.2.bleu",
        "k=100": "rows.6.bleu",
        "empty, k=100": "rows.6.empty",
        "k=50, mean": "rows.8.bleu",
    },
    "08_search": {"greedy": "sweep.0.bleu", "k=5": "sweep.9.bleu"},
    "09_joined_captions": {"BLEU 1-10": "bleu.0", "BLEU 46-": "bleu.-1"},
    "10_learning": {
        "AER first": "stages.0.aer",
        "last": "stages.-1.aer",
        "BLEU first": "stages.0.valid bleu",
        "BLEU last": "stages.-1.valid bleu",
    },
    "11_attention_time": {
        "book / LSTM, S = 16": "rows.0.times the LSTM's.self-attention",
        "2,048": "rows.4.times the LSTM's.self-attention",
        "fused / LSTM, S = 16": "rows.0.times the LSTM's.fused",
        "fused, 2,048": "rows.4.times the LSTM's.fused",
    },
    "11_gpt": {"bits": "looks.-1.bits", "after 300": "looks.3.bits"},
    **dict.fromkeys(("06_scaled_dot", "11_captions"), ON_CAPTIONS),
    "10_": ON_CAPTIONS,
}
TRANSLATORS = {
    "BLEU": "bleu",
    "by length": "bleu.*",
    "of all": "test.bleu",
    "AER": "aer",
    "composition": "others.test_composition.bleu",
    "as short": "others.test_composition.same_lengths.bleu",
    "long": "others.test_long.bleu",
    "written": "others.test_written.bleu",
    "parameters": "parameters",
}
AXES = (
    "task",
    "preset",
    "corpus",
    "model",
    "part",
    "variant",
    "length",
    "rate",
    "budget",
)  # what runs of one file differ in


NO_FIGURES = ("seed", "minutes", "updates", "machine", "versions", "settings")
SHOWN = 8  # figures of a file of which nothing is said, at most


def at(run: Mapping[str, Any], place: str) -> Any:
    """What stands at a place, "bleu.-1"; None where there is nothing."""
    found: Any = run
    for part in place.removesuffix(".*").split("."):
        try:
            found = found[int(part) if isinstance(found, list) else part]
        except (KeyError, IndexError, ValueError, TypeError):
            return None
    return found


def numbers(found: Any) -> list[float]:
    """Those of a list that are numbers: there may be gaps."""
    given = found if isinstance(found, list) else []
    return [x for x in given if isinstance(x, int | float) and not isinstance(x, bool)]


def value(run: Mapping[str, Any], place: str) -> float | None:
    """The number at a place; of a list the mean; None where there is none."""
    found = at(run, place)
    if given := numbers(found):
        return sum(given) / len(given)
    return found if isinstance(found, int | float) else None


def columns(name: str, runs: Sequence[Mapping[str, Any]] = ()) -> dict[str, str]:
    """The figures of a file; that of another corpus has those of the first."""
    for stem, shown in FIGURES.items():
        if name.startswith(stem):
            return shown
    if not runs or any(value(run, "bleu") is not None for run in runs):
        return TRANSLATORS
    return dict(list(dict(place for run in runs for place in places(run)).items())[:SHOWN])


def places(run: Mapping[str, Any], before: str = "") -> Iterable[tuple[str, str]]:
    """Where a run holds numbers: a column and its place. Of several tables in a row the last."""
    for name, found in run.items():
        place = before + name
        if place in NO_FIGURES:
            continue
        if isinstance(found, list) and found and isinstance(found[-1], dict):
            place, found = f"{place}.-1", found[-1]
        if isinstance(found, dict):
            yield from places(found, f"{place}.")
        elif place not in own_axes(run) and value({name: found}, name) is not None:
            yield place.replace(".-1.", " ").replace(".", " "), place


def own_axes(run: Mapping[str, Any]) -> list[str]:
    """What runs of one file differ in: what the runner writes first, and the names known here."""
    first = list(run)[: list(run).index("seed")] if "seed" in run else []
    return [*(a for a in AXES if a in run), *(a for a in first if a not in (*AXES, "updates"))]


def label(run: Mapping[str, Any]) -> str:
    """What a run shares with those of other seeds."""
    parts = [str(run[axis]) for axis in own_axes(run)]
    return " ".join(parts) or f"{run.get('updates', '?')} updates"


def figure(values: Sequence[float], runs: int) -> str:
    """Mean and range of so many runs, and how many of them have a number where not all do."""
    if not values:
        return ""
    shape = ",.0f" if max(values) >= 10_000 else ".4g"
    mean, low, high = (sum(values) / len(values), min(values), max(values))
    text = [format(number, shape) for number in (mean, low, high)]
    shown = text[0] if low == high else f"{text[0]} ({text[1]} to {text[2]})"
    return shown if len(values) == runs else f"{shown}, {len(values)} of {runs}"


def means(lists: Sequence[Any]) -> str:
    """Of every place of lists the mean; a dash where a list has none there."""
    rows = [row for row in lists if isinstance(row, list)]
    columns = [numbers(list(column)) for column in zip(*rows)]
    shown = [f"{sum(column) / len(column):.3g}" if column else "–" for column in columns]
    return " ".join(shown) if any(columns) else ""


def edition(record: Mapping[str, Any]) -> str:
    """Whether the bundled data that the runs read are those of today."""
    now = {records.data_digest(name) for name in ("ko-en", "ko-en-easy", "shakespeare")}
    marks = {run.get("data") for run in record["runs"]} - {None}
    head = json.dumps({key: value for key, value in record.items() if key != "runs"})
    if not marks and "ko-en" not in head and record.get("task") != "translate":
        return "no bundled data"
    return "data of today" if marks and marks <= now else "older data"


def summary(path: Path) -> Iterable[str]:
    """The lines of one file: what it is, then a row for each of its settings."""
    record = json.loads(path.read_text(encoding="utf-8"))
    runs = record["runs"]
    dates = sorted({run["date"] for run in runs if "date" in run}) or ["no date"]
    known = [run["minutes"] for run in runs if "minutes" in run]
    minutes = f"{sum(known):.0f} minutes" if len(known) == len(runs) else "minutes not recorded"
    when = dates[0] if len(dates) == 1 else f"{dates[0]} to {dates[-1]}"
    yield f"{path.stem}: {len(runs)} runs, {minutes}, {when}, {edition(record)}"
    if command := record.get("command"):
        yield f"  {command}"
    groups: dict[str, list[Mapping[str, Any]]] = {}
    for run in runs:
        groups.setdefault(label(run), []).append(run)
    shown = columns(path.stem, runs)
    table = [["", "seeds", *shown]]
    for name, group in groups.items():
        row = [name, str(len(group))]
        for place in shown.values():
            if place.endswith(".*"):
                row.append(means([at(run, place) for run in group]))
                continue
            given = [n for run in group if (n := value(run, place)) is not None]
            row.append(figure(given, len(group)))
        table.append(row)
    used = [n for n in range(len(table[0])) if any(row[n] for row in table[1:])]
    widths = {n: max(len(row[n]) for row in table) for n in used}
    for row in table:
        yield "  " + "  ".join(row[n].ljust(widths[n]) for n in used).rstrip()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("names", nargs="*", default=[""], help="how names of files begin")
    parser.add_argument("--folder", type=Path, default=records.path_of("any").parent)
    given = parser.parse_args()
    for path in sorted(given.folder.glob("*.json")):
        if any(path.stem.startswith(name) for name in given.names):
            print("\n".join(summary(path)), end="\n\n")


if __name__ == "__main__":
    main()
