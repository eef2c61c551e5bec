"""How a recorded run is made: what the programs beside this one share of their ``main``.

A program says which runs there are and how one is made; this reads what the file holds, makes the
runs that are missing and saves after each one, so that a program can be stopped at any time. A run
that was made on another version of the bundled data is made again. Run by itself this module does
nothing.
"""

import argparse
import itertools
import json
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch

from . import records


@dataclass(frozen=True)
class Series:
    """The runs of one file: what they differ in, how one is made, what stands above them.

    A run is known by its value on every axis and its seed: ``make(*values, seed)`` returns what it
    measured. ``skip`` names runs that are not made, by the same arguments: where one seed chooses
    a learning rate, the others are made at that rate alone. ``data`` names the bundled data that a
    run reads, as in ``records.data_digest``; None where it reads none.
    """

    name: str  # of the file under data/runs
    axes: Mapping[str, Sequence[Any]]  # "variant" → its values, in the order of the file
    make: Callable[..., Mapping[str, Any]]
    header: Callable[[], Mapping[str, Any]]
    skip: Callable[..., bool] = lambda *key: False
    separators: tuple[str, str] | None = None
    data: Callable[..., str | None] = lambda *values: None
    seeds: Sequence[int] = (1, 2, 3)  # made where nothing else is asked for

    @property
    def key(self) -> tuple[str, ...]:
        return (*self.axes, "seed")

    def sort_key(self, key: tuple[Any, ...]) -> tuple[int, ...]:
        """Runs stand in the order of the axes' values, then of the seeds."""
        indices = [list(values).index(value) for value, values in zip(key, self.axes.values())]
        return (*indices, key[-1])

    def digest(self, key: tuple[Any, ...]) -> str | None:
        """Of the data that this run reads, what a run keeps under "data"."""
        name = self.data(*key[:-1])
        return name and records.data_digest(name)

    def is_current(self, key: tuple[Any, ...], run: Mapping[str, Any]) -> bool:
        """Whether a run that a file holds is one of this series, on the data as they are now."""
        known = all(value in values for value, values in zip(key, self.axes.values()))
        return known and run.get("data") == self.digest(key)

    def run(self, key: tuple[Any, ...]) -> dict[str, Any]:
        """Make one run: its values and seed, what it measured, and the minutes of CPU time."""
        start = time.process_time()
        measured = self.make(*key)
        minutes = round((time.process_time() - start) / 60, 2)
        digest = self.digest(key)
        data = {} if digest is None else {"data": digest}
        return {**dict(zip(self.key, key)), **data, "minutes": minutes, **measured}

    def requested(self, args: argparse.Namespace) -> Iterator[tuple[Any, ...]]:
        """The runs asked for. Both orders in turn: a series that is cut off is still balanced."""
        chosen = [getattr(args, plural(axis)) for axis in self.axes]
        for turn, seed in enumerate(args.seeds):
            for values in list(itertools.product(*chosen))[:: -1 if turn % 2 else 1]:
                if not self.skip(*values, seed):
                    yield (*values, seed)


def plural(axis: str) -> str:
    """The option that chooses among an axis's values: several of them."""
    return axis if axis.endswith("s") else axis + "s"


def parser(doc: str, series: Series, *parents: argparse.ArgumentParser) -> argparse.ArgumentParser:
    """An option for every axis, and --seeds and --file."""
    parser = argparse.ArgumentParser(description=doc.partition("\n")[0], parents=parents)
    for axis, values in series.axes.items():
        kind, every = type(next(iter(values))), list(values)
        parser.add_argument(f"--{plural(axis)}", nargs="+", type=kind, choices=every, default=every)
    parser.add_argument("--seeds", type=int, nargs="+", default=list(series.seeds))
    parser.add_argument("--file", type=Path, default=records.path_of(series.name))
    return parser


def option(name: str, **settings: Any) -> argparse.ArgumentParser:
    """An option of a program that comes before those of its series, for ``main``."""
    parser = argparse.ArgumentParser(add_help=False)
    parser.add_argument(name, **settings)
    return parser


def main(
    doc: str,
    series: Series | Callable[..., Series],
    *options: argparse.ArgumentParser,
    say: Callable[[Mapping[str, Any]], str] = json.dumps,
) -> None:
    """Make the runs that are asked for and missing, and print a line about each.

    Where a program has several series, ``series`` returns one of them, given the ``options``.
    """
    if not isinstance(series, Series):
        which = argparse.ArgumentParser(add_help=False, parents=options)
        series = series(**vars(which.parse_known_args()[0]))
    args = parser(doc, series, *options).parse_args()
    torch.set_num_threads(1)
    found = records.read(args.file, series.key)
    runs = {key: run for key, run in found.items() if series.is_current(key, run)}
    if older := len(found) - len(runs):
        print(f"{older} runs of {args.file.name} are no more, or of older data", flush=True)
    for key in series.requested(args):
        if key in runs:
            continue
        runs[key] = series.run(key)
        in_order = [runs[each] for each in sorted(runs, key=series.sort_key)]
        records.save(args.file, series.header(), in_order, series.separators)
        print(say(runs[key]), flush=True)
