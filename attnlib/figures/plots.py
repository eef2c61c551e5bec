"""Figures of the book: attention heat maps, gates, beam trees, BLEU by length, curves.

The functions take arrays and labels and know nothing of models; they draw with matplotlib and
seaborn, return the Axes or the Figure, and never show it. ``describe_…`` puts into words, from the
same arrays, what a figure shows: its alternative text.

Importing changes no setting. Every figure is drawn inside ``style()``, the book's look: colours
that colour-blind readers can tell apart (Okabe & Ito 2008; cividis), sizes legible at the width of
a notebook, and Hangul on machines that have no Korean font.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from importlib.util import find_spec
from itertools import cycle
from pathlib import Path
from typing import Any, TypeAlias

import matplotlib as mpl
import matplotlib.pyplot as plt
import numpy as np
import seaborn as sns
from matplotlib import font_manager, patheffects
from matplotlib.pyplot import Axes, Figure, Line2D, Rectangle

Array: TypeAlias = Any  # whatever numpy.asarray takes, and tensors with or without a gradient
Links: TypeAlias = tuple[Any, Any]  # (sure, possible), sets of (source index, target index)
Records: TypeAlias = Sequence[Mapping[str, Any]]

#: Okabe and Ito's colours, in the order in which the lines of a figure take them.
PALETTE = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000")
_MARKERS = ("o", "s", "^", "D", "v", "P", "X")  # so that no line is told by its colour alone
_BEAM_LOOK = {  # status → text, box, edge, shape of the box, line style, line width
    "best": ("#ffffff", "#0072B2", "#0072B2", "square", "-", 2.6),
    "finished": ("#00402f", "#e0f3ec", "#009E73", "square", "-", 1.6),
    "live": ("#222222", "#ffffff", "#555555", "round", "-", 1.4),
    "pruned": ("#666666", "#f4f4f4", "#aaaaaa", "round", ":", 1.0),
}
_KOREAN_FONTS = (  # Noto's collection comes twice: matplotlib may see only its first, Japanese face
    *("Noto Sans CJK KR", "Noto Sans CJK JP", "Noto Sans KR", "NanumGothic", "NanumBarunGothic"),
    *("Apple SD Gothic Neo", "AppleGothic", "Malgun Gothic"),
)
_LOOK: dict[str, Any] = {
    **{"figure.dpi": 100, "figure.constrained_layout.use": True, "font.size": 11},
    **{"axes.titlesize": 13, "axes.labelsize": 11, "legend.fontsize": 10.5},
    **{"xtick.labelsize": 10.5, "ytick.labelsize": 10.5, "lines.linewidth": 2},
    **{"axes.grid": True, "grid.color": "#dddddd", "axes.axisbelow": True},
    **{"axes.spines.top": False, "axes.spines.right": False, "figure.titlesize": 13},
    **{"axes.edgecolor": "#444444", "figure.facecolor": "white", "axes.facecolor": "white"},
}


def hangul_font() -> list[str]:
    """Font families that together show Latin and Hangul, for ``rcParams["font.family"]``.

    A Korean font of the system comes first; where there is none, the NanumGothic of the package
    koreanize-matplotlib is registered. That package is only located: importing it would set a
    global font, and fails from Python 3.12 on. Without either, DejaVu Sans stands alone.

    >>> hangul_font()[0]
    'DejaVu Sans'
    """
    known = {font.name for font in font_manager.fontManager.ttflist}
    for family in _KOREAN_FONTS:
        if family in known:
            return ["DejaVu Sans", family]
    spec = find_spec("koreanize_matplotlib")
    for folder in (spec and spec.submodule_search_locations) or ():
        path = Path(folder) / "fonts" / "NanumGothic.ttf"
        if path.is_file():
            font_manager.fontManager.addfont(path)
            return ["DejaVu Sans", "NanumGothic"]
    return ["DejaVu Sans"]


def use_style() -> None:
    """Give every figure from here on the book's look: for the set-up cell of a chapter."""
    settings: Any = mpl.rcParams
    settings.update(_LOOK)
    settings.update({"axes.prop_cycle": plt.cycler(color=PALETTE), "font.family": hangul_font()})


@contextmanager
def style() -> Iterator[None]:
    """The book's look inside a ``with`` block; afterwards every setting is as it was.

    >>> with style():
    ...     mpl.rcParams["axes.titlesize"]
    13.0
    """
    # Not rc_context: it would also undo that a notebook's backend, which matplotlib loads with the
    # first figure, turns the showing of figures on.
    settings: Any = mpl.rcParams
    before = {name: settings[name] for name in (*_LOOK, "axes.prop_cycle", "font.family")}
    try:
        use_style()
        yield
    finally:
        settings.update(before)


def attention_heatmap(
    weights: Array,
    src_tokens: Sequence[str],
    tgt_tokens: Sequence[str],
    *,
    gold: Links | None = None,
    title: str = "Attention: where each target word looks",
    annotate: bool = False,
    ax: Axes | None = None,
) -> Axes:
    """Heat map of weights α_tj: a row for each target word, a column for each source word.

    As in Bahdanau et al. (2015, Fig. 3): source words along the top, the first target word in the
    top row. The colours run from 0 to 1 in every figure, so that figures can be compared.

    Arguments: weights (T, S), each in [0, 1]; src_tokens, S labels (a line break puts a gloss
    under a word); tgt_tokens, T labels; gold, ``(sure, possible)`` sets of links (source index,
    target index), outlined; annotate writes the weights into the cells. Returns the Axes. Raises
    ValueError where shapes disagree, a weight is outside [0, 1] or a link outside the matrix.
    """
    table = _weights(weights, src_tokens, tgt_tokens)
    sure, possible = _links(gold, table.shape)
    with style():
        column = _clip(0.15 + _widest(src_tokens) * 10.5 / 72, 0.62, 1.1)  # inches
        size = (_clip(2.2 + column * len(src_tokens), 5, 9), _clip(1.6 + 0.4 * len(table), 3.2, 10))
        ax = plt.subplots(figsize=size)[1] if ax is None else ax
        bar = {"label": r"attention weight $\alpha_{tj}$ (0 to 1)", "pad": 0.02}
        _heat(ax, table, (0, 1), "cividis", bar, annotate)
        _source_axis(ax, src_tokens, top=True)
        font = _clip(_points(ax.bbox.height, ax) / len(table), 6, 10.5)
        ax.set_yticks(_centres(tgt_tokens), tgt_tokens, fontsize=font, rotation=0, parse_math=False)
        ax.set(xlabel="source word j", ylabel="target word t", title=title)
        for links, kind, dash in ((sure, "sure", "-"), (possible, "possible", (0, (2, 1.4)))):
            for number, (j, t) in enumerate(sorted(links)):
                name = "_" if number else f"{kind} gold link"  # one line of the legend is enough
                ax.add_patch(_outline(j, t, name, dash))
        if sure or possible:
            look = {"facecolor": "#777777", "labelcolor": "white", "framealpha": 1}
            ax.legend(loc="upper center", bbox_to_anchor=(0.5, -0.01), ncols=2, **look)
    return ax


def describe_heatmap(
    weights: Array, src_tokens: Sequence[str], tgt_tokens: Sequence[str], gold: Links | None = None
) -> str:
    """Alternative text of ``attention_heatmap``: the source word with the largest weight, by row.

    >>> describe_heatmap([[0.1, 0.9], [0.7, 0.3]], ["나는", "갔다"], ["went", "I"])
    'Attention heat map, 2 target words by 2 source words. Largest weight of each target word:
    “went” on “갔다” (0.90), “I” on “나는” (0.70).'
    """
    table = _weights(weights, src_tokens, tgt_tokens)
    sure, _ = _links(gold, table.shape)
    best = table.argmax(axis=1)
    text = f"Attention heat map, {len(tgt_tokens)} target words by {len(src_tokens)} source words."
    pairs = zip(tgt_tokens, table, best)
    rows = [f"{_quote(word)} on {_quote(src_tokens[j])} ({row[j]:.2f})" for word, row, j in pairs]
    text += f" Largest weight of each target word: {', '.join(rows)}."
    if sure:
        hits = sum(int(best[t]) == j for j, t in sure)
        text += f" {hits} of {len(sure)} sure gold links have the largest weight of their row."
    return text


def gates_over_time(
    values: Mapping[str, Array], tokens: Sequence[str], *, title: str = "Gates along the sentence"
) -> Figure:
    """Gate values along a sentence: lines for (T,) values, a heat map of the units for (T, H).

    Arguments: values, name → (T,) or (T, H); tokens, T labels. Gates, whose values lie in [0, 1],
    are coloured from 0 to 1; others (a cell state) symmetrically around 0. Returns the Figure.
    Raises ValueError where a length is not that of the tokens or a value is not finite.
    """
    if not values:
        raise ValueError("values must name at least one gate, got none; pass {name: values}")
    shapes = (len(tokens),), (len(tokens), None)
    arrays = {name: _array(f"values[{name!r}]", v, *shapes) for name, v in values.items()}
    lines = {name: array[None] for name, array in arrays.items() if array.ndim == 1}
    maps = {name: array.T for name, array in arrays.items() if array.ndim == 2}
    heights = [3.0] * bool(lines) + [_clip(0.12 * len(m), 1.5, 3.0) for m in maps.values()]
    with style():
        size = (_clip(2.5 + 0.62 * len(tokens), 6, 9), sum(heights) + 0.3 * len(heights) + 1.0)
        shape: Any = {"sharex": True, "squeeze": False, "height_ratios": heights}
        figure, grid = plt.subplots(len(heights), 1, figsize=size, **shape)
        if lines:
            gates = all(_is_gate(line) for line in lines.values())
            _draw_lines(grid[0, 0], _centres(tokens), lines)
            grid[0, 0].set(**({"ylim": (-0.04, 1.04)} if gates else {}), ylabel="value")
            grid[0, 0].legend(loc="lower center", bbox_to_anchor=(0.5, 1), ncols=4, frameon=False)
        for ax, (name, units) in zip(grid[bool(lines) :, 0], maps.items()):
            top = abs(units).max()
            limits, colours = ((0, 1), "cividis") if _is_gate(units) else ((-top, top), "PuOr")
            _heat(ax, units, limits, colours, {"label": "value", "pad": 0.02})
            ax.set(title=name, ylabel=f"{len(units)} units")
            ax.tick_params(length=0)
        _source_axis(grid[-1, 0], tokens)
        grid[-1, 0].set(xlabel="time step (word read)", xlim=(0, len(tokens)))
        figure.suptitle(title)
    return figure


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
    """
    nodes = {i: n for i, n in _tree(records).items() if pruned or n["status"] != "pruned"}
    path, places = _best_path(nodes), _places(nodes)
    looks = {i: "best" if i in path else node["status"] for i, node in nodes.items()}
    steps = sorted({node["step"] for node in nodes.values()})
    rows = 1 + 2 * max(y for _, y in places.values())
    with style():
        size = (_clip(1.3 * len(steps), 5, 9), _clip(1.8 + 0.55 * rows, 3, 11))
        ax = plt.subplots(figsize=size)[1] if ax is None else ax
        for i, node in nodes.items():
            text, fill, edge, shape, dash, width = _BEAM_LOOK[looks[i]]
            if node["parent"] in places:
                xs, ys = zip(places[node["parent"]], places[i])
                ax.plot(xs, ys, color=edge, linestyle=dash, linewidth=width, zorder=1)
            box = {"boxstyle": f"{shape},pad=0.25", "fc": fill, "ec": edge, "ls": dash}
            font: Any = {"fontsize": 9.5, "linespacing": 1.1, "ha": "center", "va": "center"}
            label = f"{node['token']}\n{node['log_prob']:.2f}".replace("\n-", "\n−")
            ax.text(*places[i], label, color=text, bbox=box, parse_math=False, zorder=2, **font)
        ax.set(title=title, xlabel="step (tokens so far)", xticks=steps, yticks=[])
        ax.set(xlim=(steps[0] - 0.5, steps[-1] + 0.5), ylim=(rows / 2 + 0.1, -rows / 2 - 0.1))
        ax.set_ylabel("hypotheses:\nlast token, log-probability (nats)")
        ax.grid(visible=False)
        ax.spines.left.set_visible(False)
        shown = {name: look for name, look in _BEAM_LOOK.items() if name in looks.values()}
        keys = [Line2D([], [], color=k[2], ls=k[4], lw=k[5], label=n) for n, k in shown.items()]
        ax.figure.legend(handles=keys, loc="outside lower center", ncols=4, frameon=False)
    return ax


def describe_beam(records: Records) -> str:
    """Alternative text of ``beam_tree``: how many hypotheses, what became of them, the answer.

    >>> start = {"id": 0, "parent": None, "step": 0, "token": "<sos>", "log_prob": 0.0}
    >>> end = {"id": 1, "parent": 0, "step": 1, "token": "yes", "log_prob": -0.5, "status": "best"}
    >>> describe_beam([{**start, "status": "live"}, end])
    'Beam search, 2 hypotheses: 1 best, 0 finished, 1 live, 0 pruned.
    Best: “<sos> yes”, log-probability -0.50.'
    """
    nodes = _tree(records)
    statuses = [node["status"] for node in nodes.values()]
    counts = ", ".join(f"{statuses.count(status)} {status}" for status in _BEAM_LOOK)
    text = f"Beam search, {len(nodes)} hypotheses: {counts}."
    if path := _best_path(nodes):
        words = " ".join(str(nodes[i]["token"]) for i in reversed(path))
        text += f" Best: {_quote(words)}, log-probability {nodes[path[0]]['log_prob']:.2f}."
    return text


def bleu_by_length(
    buckets: Sequence[Any],
    scores: Mapping[str, Array],
    *,
    intervals: Mapping[str, Array] | None = None,
    counts: Array | None = None,
    title: str = "BLEU by source length",
    ax: Axes | None = None,
) -> Axes:
    """BLEU of one or more systems in buckets of source length.

    Arguments: buckets, N labels or (shortest, longest) pairs; scores, system → (N,) BLEU from 0 to
    100, NaN where a bucket is too small to say; intervals, system → (N, 2) lower and upper ends;
    counts, N numbers of sentences. Returns the Axes. Raises ValueError where shapes disagree or a
    BLEU is outside 0 to 100.
    """
    names, limits = [_bucket(bucket) for bucket in buckets], (0.0, 100.0)
    bleu, ends = {}, {}
    for k, line in scores.items():
        bleu[k] = _array(f"scores[{k!r}]", line, (len(names),), limits=limits, nan=True)
    for k, pairs in (intervals or {}).items():
        ends[k] = _array(f"intervals[{k!r}]", pairs, (len(names), 2), limits=limits, nan=True)
    if counts is not None:
        sizes = _array("counts", counts, (len(names),))
        names = [f"{name}\nn = {int(size):,}" for name, size in zip(names, sizes)]
    with style():
        ax = plt.subplots(figsize=(7.5, 4.2))[1] if ax is None else ax
        for n, ((label, line), marker) in enumerate(zip(bleu.items(), cycle(_MARKERS))):
            # Side by side, so that the bars of two systems can be told apart.
            x = np.arange(len(names)) + 0.06 * (n - (len(bleu) - 1) / 2)
            error = abs(ends[label].T - line) if label in ends else None
            ax.errorbar(x, line, yerr=error, label=label, marker=marker, capsize=4)
        ax.set(title=title, xlabel="source length (tokens)", ylabel="BLEU (0 to 100)")
        ax.set(ylim=(0, 103), xlim=(-0.5, len(names) - 0.5))
        ax.set_xticks(range(len(names)), names)
        ax.legend(frameon=False)
    return ax


def learning_curves(
    steps: Array,
    curves: Mapping[str, Array],
    *,
    title: str = "Learning curves",
    xlabel: str = "updates",
    ylabel: str = "loss (nats per token)",
    log: bool = False,
    ax: Axes | None = None,
) -> Axes:
    """Curves over training; several runs of one kind as their mean in a band from low to high.

    With other labels it draws any measure, for instance the norm of a gradient by its distance in
    time. Arguments: steps (N,); curves, label → (N,) or (runs, N); log, a logarithmic y axis.
    Returns the Axes. Raises ValueError where a length is not that of steps.
    """
    x = _array("steps", steps, (None,))
    lines = {}
    for label, curve in curves.items():
        runs = _array(f"curves[{label!r}]", curve, (len(x),), (None, len(x)))
        lines[label] = np.atleast_2d(runs)
    with style():
        ax = plt.subplots(figsize=(7.5, 4.2))[1] if ax is None else ax
        _draw_lines(ax, x, lines)
        ax.set(title=title, xlabel=xlabel, ylabel=ylabel, yscale="log" if log else "linear")
        ax.legend(frameon=False)
    return ax


def describe_lines(x: Array, lines: Mapping[str, Array], title: str) -> str:
    """Alternative text of gates, BLEU by length and curves: where each line stands.

    A line of more than 12 points is told by its first, last, lowest and highest. Arguments: x, N
    numbers, labels or (shortest, longest) buckets; lines, label → (N,) or (runs, N), of which the
    mean is told (take the mean of a gate's units before); title, what the figure shows.

    >>> describe_lines([(1, 10), (11, 20)], {"attention": [61.25, float("nan")]}, "BLEU by length")
    'BLEU by length. attention: 61.2 at 1–10, no value at 11–20.'
    """
    places, parts = [_bucket(point) for point in x], []
    for label, line in lines.items():
        runs = _array(f"lines[{label!r}]", line, (len(places),), (None, len(places)), nan=True)
        y = np.atleast_2d(runs).mean(axis=0)
        told = [
            f"{value:.3g} at {place}" if np.isfinite(value) else f"no value at {place}"
            for value, place in zip(y, places)
        ]
        if len(told) > 12 and np.isfinite(y).any():
            low, high = told[np.nanargmin(y)], told[np.nanargmax(y)]
            told = [f"first {told[0]}", f"last {told[-1]}", f"lowest {low}", f"highest {high}"]
        parts.append(f"{label}: {', '.join(told)}")
    return f"{title}. {'; '.join(parts)}."


def _clip(value: float, low: float | int, high: float | int) -> float | int:
    return min(high, max(low, value))


def _centres(tokens: Sequence[str]) -> np.ndarray:
    """Where the centres of a heat map's cells are."""
    return np.arange(len(tokens)) + 0.5


def _quote(text: str) -> str:
    return "“" + " ".join(text.split()) + "”"


def _bucket(bucket: Any) -> str:
    if isinstance(bucket, tuple):
        return f"{bucket[0]}–{bucket[1]}"
    return bucket if isinstance(bucket, str) else f"{bucket:g}"


def _is_gate(array: np.ndarray) -> bool:
    return bool(((array >= 0) & (array <= 1)).all())


def _heat(
    ax: Axes, table: np.ndarray, limits: Any, colours: str, bar: dict, annotate: bool = False
) -> None:
    grid = {"linewidths": 0.5 if table.size <= 400 else 0, "annot": annotate, "fmt": ".2f"}
    names = {"xticklabels": False, "yticklabels": False, "cbar_kws": bar}
    sns.heatmap(table, ax=ax, vmin=limits[0], vmax=limits[1], cmap=colours, **grid, **names)


def _draw_lines(ax: Axes, x: np.ndarray, lines: Mapping[str, np.ndarray]) -> None:
    """A line for each (runs, N) array: the mean, in a band from the lowest run to the highest."""
    every = max(1, len(x) // 12)  # enough markers to tell the lines apart, and none hidden
    for (label, runs), color, marker in zip(lines.items(), cycle(PALETTE), cycle(_MARKERS)):
        ax.plot(x, runs.mean(axis=0), color=color, marker=marker, markevery=every, label=label)
        if len(runs) > 1:
            ax.fill_between(x, runs.min(axis=0), runs.max(axis=0), color=color, alpha=0.2, lw=0)


def _outline(j: int, t: int, label: str, dash: Any) -> Rectangle:
    """Outline of row t, column j: white on a dark rim is seen on every colour of the map."""
    box = Rectangle((j + 0.07, t + 0.07), 0.86, 0.86, fill=False, label=label, linestyle=dash)
    rim = patheffects.withStroke(linewidth=4.5, foreground="black")
    box.set(edgecolor="white", linewidth=2.2, path_effects=[rim], clip_on=False)
    return box


def _widest(tokens: Sequence[str]) -> float:
    """Width of the widest line, in multiples of the font size: Hangul is as wide as it is high."""
    lines = [line for token in tokens for line in token.split("\n")]
    return max(sum(1.0 if char >= "ᄀ" else 0.6 for char in line) for line in lines)


def _points(pixels: float, ax: Axes) -> float:
    """Points that remain of a length in pixels once the layout has made room for the labels."""
    return 0.92 * pixels * 72 / ax.figure.dpi


def _source_axis(ax: Axes, tokens: Sequence[str], top: bool = False) -> None:
    """Write a token at the centre of each column; slanted or smaller where room is short."""
    room = _points(ax.bbox.width, ax) / len(tokens)
    look: dict[str, Any] = {
        "fontsize": _clip(room, 6, 10.5),
        "parse_math": False,
    }  # "$5" is no math
    if _widest(tokens) * look["fontsize"] > room:
        look |= {"rotation": 50 if room > 18 else 90, "rotation_mode": "anchor"}
        look |= {"ha": "left" if top else "right", "va": "center" if room <= 18 else "baseline"}
    ax.set_xticks(_centres(tokens), tokens, **look)
    if top:
        ax.xaxis.tick_top()
        ax.xaxis.set_label_position("top")
    ax.tick_params(length=0)


def _array(
    name: str, values: Array, *shapes: tuple, limits: tuple = (-np.inf, np.inf), nan: bool = False
) -> np.ndarray:
    """The values as an array of floats: of one of the shapes (None: any length), within limits."""
    if hasattr(values, "detach"):  # a tensor: off the graph and the device; numpy has no bfloat16
        values = values.detach().cpu().float()
    array = np.asarray(values, dtype=float)
    fits = (
        len(shape) == array.ndim and all(n in (None, m) for n, m in zip(shape, array.shape))
        for shape in shapes
    )
    if array.size == 0 or not any(fits):
        wanted = " or ".join(str(shape).replace("None", "any") for shape in shapes)
        raise ValueError(f"{name} must have shape {wanted}, got {array.shape}; cut or transpose it")
    known = array[~np.isnan(array)] if nan else array
    if not (np.isfinite(known) & (known > limits[0] - 1e-3) & (known < limits[1] + 1e-3)).all():
        wanted = "finite" if np.isinf(limits[0]) else f"between {limits[0]} and {limits[1]}"
        found = f"{known.min():.4g} to {known.max():.4g}"
        raise ValueError(f"{name} must be {wanted}, got {found}; look at where it was computed")
    return array


def _weights(weights: Array, src_tokens: Sequence[str], tgt_tokens: Sequence[str]) -> np.ndarray:
    shape = (len(tgt_tokens), len(src_tokens))  # rows are target words
    return _array("weights", weights, shape, limits=(0.0, 1.0))


def _links(gold: Links | None, shape: tuple[int, ...]) -> tuple[set, set]:
    """The sure links, and those that are only possible, once all lie inside the matrix."""
    sure, possible = (set(links) for links in gold or ((), ()))
    for j, t in sure | possible:
        if not (0 <= j < shape[1] and 0 <= t < shape[0]):
            raise ValueError(
                f"gold must hold pairs (source index < {shape[1]}, target index < {shape[0]}), "
                f"got ({j}, {t}); are the two swapped?"
            )
    return sure, possible - sure


def _tree(records: Records) -> dict[Any, Mapping[str, Any]]:
    """The records by id, once they are known to make a tree."""
    nodes: dict[Any, Mapping[str, Any]] = {}
    for n, record in enumerate(records):
        keys = {"id", "parent", "step", "token", "log_prob", "status"}
        if keys - record.keys():
            wrong = f"the key {min(keys - record.keys())!r}"
        elif record["id"] in nodes:
            wrong = "an id of its own"
        elif record["parent"] not in (None, *nodes):
            wrong = "a parent that comes before it"
        elif record["status"] not in _BEAM_LOOK:
            wrong = f"a status of {', '.join(_BEAM_LOOK)}"
        else:
            nodes[record["id"]] = record
            continue
        raise ValueError(f"records[{n}] must have {wrong}, got {dict(record)}; see beam_tree")
    if not nodes:
        raise ValueError("records must hold at least one hypothesis, got none; search first")
    return nodes


def _best_path(nodes: Mapping[Any, Mapping[str, Any]]) -> list[Any]:
    """Ids from the best hypothesis back to the start; empty where none is the best."""
    path = [i for i, node in nodes.items() if node["status"] == "best"][:1]
    while path and nodes[path[-1]]["parent"] is not None:
        path.append(nodes[path[-1]]["parent"])
    return path


def _places(nodes: Mapping[Any, Mapping[str, Any]]) -> dict[Any, tuple[int, float]]:
    """(step, y) of each hypothesis: columns in the order of their parents, so no lines cross."""
    places: dict[Any, tuple[int, float]] = {}
    for step in sorted({node["step"] for node in nodes.values()}):
        column = [i for i, node in nodes.items() if node["step"] == step]
        above = {i: places.get(nodes[i]["parent"], (0, 0))[1] for i in column}
        column.sort(key=lambda i: (above[i], -nodes[i]["log_prob"]))
        for rank, i in enumerate(column):
            places[i] = (step, rank - (len(column) - 1) / 2)
    return places
