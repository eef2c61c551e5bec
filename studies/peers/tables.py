"""From rounds to a table: rates, ratios within a round, medians and spread."""

import statistics
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple


class Spread(NamedTuple):
    """The median of some rounds, the least and the most."""

    median: float
    low: float
    high: float

    @classmethod
    def of(cls, values: Iterable[float]) -> "Spread":
        """
        >>> Spread.of([3.0, 1.0, 2.0])
        Spread(median=2.0, low=1.0, high=3.0)
        """
        values = list(values)
        return cls(statistics.median(values), min(values), max(values))

    def text(self, digits: int) -> str:
        """
        >>> Spread(2.0, 1.0, 3.0).text(1)
        '2.0 (1.0–3.0)'
        """
        return f"{self.median:.{digits}f} ({self.low:.{digits}f}–{self.high:.{digits}f})"


def ratios(ours: Sequence[float], theirs: Sequence[float]) -> Spread:
    """How many times faster we were, round by round: what slows a round slows both.

    Arguments: seconds that the same work took in the same rounds.

    >>> ratios([1.0, 2.0, 4.0], [2.0, 2.0, 4.4])
    Spread(median=1.1, low=1.0, high=2.0)
    """
    return Spread.of(round(other / own, 3) for own, other in zip(ours, theirs, strict=True))


def summary(
    found: Mapping[str, Mapping[str, Any]], amounts: Sequence[float], flops: Sequence[float] = ()
) -> list[dict[str, Any]]:
    """A row a program: rate, our ratio to it, parameters, peak memory, utilisation.

    Arguments: found, what ``take_turns`` returns, attnlib first; amounts, the useful work of each
    round (tokens, sentences, pairs); flops, its useful operations. Seconds are the processor's:
    one thread, so they are the clock's on an idle machine. A program "lstm" among them is no
    row; its best rate is what utilisation is measured by.
    """
    peers = {name: value for name, value in found.items() if name != "lstm"}
    seconds = {name: [each["cpu"] for each in value["rounds"]] for name, value in peers.items()}
    ours = seconds[next(iter(seconds))]
    best = max(
        (each["flops_per_second"] for each in found.get("lstm", {}).get("rounds", ())), default=None
    )
    rows = []
    for name, value in peers.items():
        own = seconds[name]
        row: dict[str, Any] = {"program": name, "parameters": value.get("parameters")}
        row["rate"] = Spread.of(round(n / time, 1) for n, time in zip(amounts, own))
        row["ratio"] = ratios(ours, own)
        row["peak_mib"] = round(max(each["peak_mib"] for each in value["rounds"]))
        if best and flops:
            # Both at their best: the spread of either is other people's work.
            row["utilisation"] = round(max(f / t for f, t in zip(flops, own)) / best, 3)
        rows.append(row)
    return rows


def best_peer(rows: Sequence[Mapping[str, Any]]) -> Mapping[str, Any]:
    """The row of the fastest program that is not ours: the one with the smallest ratio.

    >>> a, b = {"ratio": Spread(1.1, 1.0, 1.2)}, {"ratio": Spread(1.3, 1.2, 1.4)}
    >>> best_peer([{"ratio": Spread(1.0, 1.0, 1.0)}, b, a]) is a
    True
    """
    return min(rows[1:], key=lambda row: row["ratio"].median)


def markdown(rows: Sequence[Mapping[str, Any]], unit: str) -> str:
    """The rows as a table; columns that no row has are left out."""
    columns = {
        "program": lambda row: row["program"],
        "parameters": lambda row: f"{row['parameters'] / 1e6:.2f} M",
        unit: lambda row: row["rate"].text(0 if row["rate"].median >= 100 else 1),
        "attnlib is faster by": lambda row: row["ratio"].text(2),
        "utilisation": lambda row: f"{row['utilisation']:.0%}",
        "peak MiB": lambda row: f"{row['peak_mib']:,}",
    }
    keys = {"parameters": "parameters", "utilisation": "utilisation"}
    kept = {
        title: cell
        for title, cell in columns.items()
        if title not in keys or all(row.get(keys[title]) is not None for row in rows)
    }
    head = "| " + " | ".join(kept) + " |\n" + "|---" * len(kept) + "|"
    lines = ["| " + " | ".join(cell(row) for cell in kept.values()) + " |" for row in rows]
    return "\n".join([head, *lines])
