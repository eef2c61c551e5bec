"""The tree of a beam search: what its records must hold, and its picture."""

from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

from matplotlib.pyplot import Axes, Line2D

from attnlib.figures import as_written, axes_of, clip, style

Records: TypeAlias = Sequence[Mapping[str, Any]]

#: What may have become of a hypothesis of a beam search.
STATUSES = ("best", "finished", "live", "pruned")

_NODE_STYLES = {  # status → text, box, edge, shape of the box, line style, line width
    "best": ("#ffffff", "#0072B2", "#0072B2", "square", "-", 2.6),
    "finished": ("#00402f", "#e0f3ec", "#009E73", "square", "-", 1.6),
    "live": ("#222222", "#ffffff", "#555555", "round", "-", 1.4),
    "pruned": ("#666666", "#f4f4f4", "#aaaaaa", "round", ":", 1.0),
}


def beam_tree(
    records: Records, *, pruned: bool = True, title: str = "Beam search", ax: Axes | None = None
) -> Axes:
    """Tree of a beam search: a column for each step, a box for each hypothesis.

    Arguments: records, one dictionary a hypothesis, parents before children:

    - ``id``: a number or string of its own; ``parent``: the id of the hypothesis that this one
      extends by one token, None at the start
    - ``step``: the number of tokens so far (0 at the start); ``token``: the last one's text
    - ``log_prob``: of all tokens so far, in nats
    - ``status``: "live" (kept in the beam), "pruned", "finished" (ended) or "best" (the answer)

    pruned=False leaves the pruned ones out. Returns the Axes. Raises ValueError for a missing key,
    an id used twice, a parent that does not come earlier, or an unknown status.

    >>> start = {"id": 0, "parent": None, "step": 0, "token": "<sos>", "log_prob": 0.0}
    >>> beam_tree([{**start, "status": "live"}]).texts[0].get_text()
    '<sos>\\n0.00'
    """
    nodes = {i: n for i, n in parse_tree(records).items() if pruned or n["status"] != "pruned"}
    path, positions = best_path(nodes), _positions(nodes)
    statuses = {i: "best" if i in path else node["status"] for i, node in nodes.items()}
    steps = sorted({node["step"] for node in nodes.values()})
    rows = 1 + 2 * max(y for _, y in positions.values())
    with style(ax):
        ax = axes_of(ax, clip(1.3 * len(steps), 5, 9), clip(1.8 + 0.55 * rows, 3, 11))
        for i, node in nodes.items():
            text, fill, edge, shape, dash, width = _NODE_STYLES[statuses[i]]
            if node["parent"] in positions:
                xs, ys = zip(positions[node["parent"]], positions[i])
                ax.plot(xs, ys, color=edge, linestyle=dash, linewidth=width, zorder=1)
            box = {"boxstyle": f"{shape},pad=0.25", "fc": fill, "ec": edge, "ls": dash}
            font: Any = {"fontsize": 9.5, "linespacing": 1.1, "ha": "center", "va": "center"}
            label = f"{node['token']}\n{node['log_prob']:.2f}".replace("\n-", "\n−")
            ax.text(*positions[i], label, color=text, bbox=box, parse_math=False, zorder=2, **font)
        ax.set(title=title, xlabel="step (tokens so far)", xticks=steps, yticks=[])
        as_written(ax.title)
        ax.set(xlim=(steps[0] - 0.5, steps[-1] + 0.5), ylim=(rows / 2 + 0.1, -rows / 2 - 0.1))
        ax.set_ylabel("hypotheses:\nlast token, log-probability (nats)")
        ax.grid(visible=False)
        ax.spines.left.set_visible(False)
        shown = {name: look for name, look in _NODE_STYLES.items() if name in statuses.values()}
        keys = [Line2D([], [], color=k[2], ls=k[4], lw=k[5], label=n) for n, k in shown.items()]
        ax.figure.legend(handles=keys, loc="outside lower center", ncols=4, frameon=False)
    return ax


def parse_tree(records: Records) -> dict[Any, Mapping[str, Any]]:
    """The records of a beam search by id, once they are known to make a tree."""
    nodes: dict[Any, Mapping[str, Any]] = {}
    keys = {"id", "parent", "step", "token", "log_prob", "status"}
    for n, record in enumerate(records):
        if keys - record.keys():
            wrong = f"the key {min(keys - record.keys())!r}"
        elif record["id"] in nodes:
            wrong = "an id of its own"
        elif record["parent"] not in (None, *nodes):
            wrong = "a parent that comes before it"
        elif record["status"] not in STATUSES:
            wrong = f"a status of {', '.join(STATUSES)}"
        else:
            nodes[record["id"]] = record
            continue
        raise ValueError(f"records[{n}] must have {wrong}, got {dict(record)}; see beam_tree")
    if not nodes:
        raise ValueError("records must hold at least one hypothesis, got none; search first")
    return nodes


def best_path(nodes: Mapping[Any, Mapping[str, Any]]) -> list[Any]:
    """Ids from the best hypothesis back to the start; empty where none is the best."""
    path = [i for i, node in nodes.items() if node["status"] == "best"][:1]
    while path and nodes[path[-1]]["parent"] is not None:
        path.append(nodes[path[-1]]["parent"])
    return path


def _positions(nodes: Mapping[Any, Mapping[str, Any]]) -> dict[Any, tuple[int, float]]:
    """(step, y) of each hypothesis: columns in the order of their parents, so no lines cross."""
    positions: dict[Any, tuple[int, float]] = {}
    for step in sorted({node["step"] for node in nodes.values()}):
        column = [i for i, node in nodes.items() if node["step"] == step]
        above = {i: positions.get(nodes[i]["parent"], (0, 0))[1] for i in column}
        column.sort(key=lambda i: (above[i], -nodes[i]["log_prob"]))
        for rank, i in enumerate(column):
            positions[i] = (step, rank - (len(column) - 1) / 2)
    return positions
