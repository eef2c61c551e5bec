"""Small interactive views: a few kB of HTML, CSS and JavaScript, with no request to any host.

They take arrays and labels and know nothing of models. A view shows itself as the last line of a
cell and can be saved as a page of its own. It works with the mouse and with the keyboard, follows
the light or dark theme around it, and where scripts do not run its alternative text is read
instead. The same arguments give the same bytes everywhere, so that nbval can compare them.

>>> view = attention_view([[0.1, 0.9]], ["나는", "갔다"], ["went"])
>>> view
<attention view: 1 target word by 2 source words>
"""

import hashlib
import html
import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from string import Template
from typing import Any

import numpy as np

from attnlib.figures import Array, Links, check_bleu, check_gates, check_weights

from ..figures import STATUSES, Records, best_path, check_tree
from ..figures.hangul import embedded_hangul

_PARTS = Path(__file__).with_name("assets")


@dataclass(frozen=True, repr=False)
class View:
    """An interactive view: ``html`` is a fragment that may stand in any page.

    ``title`` heads it, ``alt`` is its alternative text, ``summary`` what it prints as.
    """

    title: str
    alt: str
    summary: str
    html: str

    def __repr__(self) -> str:
        return f"<{self.summary}>"

    def _repr_html_(self) -> str:
        return self.html

    def save(self, path: str | Path) -> Path:
        """Write the view as a page of its own, in utf-8, and return its path."""
        page = _fill("page.html", title=html.escape(self.title), view=self.html)
        path = Path(path)
        path.write_text(page, encoding="utf-8", newline="\n")
        return path


def attention_view(
    weights: Array, src_tokens: Sequence[str], tgt_tokens: Sequence[str], *,
    gold: Links | None = None, title: str = "Attention: choose a word", alt: str | None = None,
) -> View:  # fmt: skip
    """Source words above target words, joined by lines as thick as the weights α_tj.

    A chosen target word shows where it looks, a chosen source word who looks at it. Choose with
    the mouse, or with the arrow keys; Escape lets go.

    Arguments: weights (T, S), each in [0, 1]; src_tokens, S labels; tgt_tokens, T labels; gold,
    ``(sure, possible)`` sets of links (source index, target index); alt, the alternative text
    (None: the largest weight of each row). Returns the View. Raises ValueError where shapes
    disagree, a weight is outside [0, 1] or a link outside the matrix.

    >>> attention_view([[0.1, 0.9]], ["나는", "갔다"], ["went"]).alt
    'Attention, largest weight of each target word: “went” on “갔다” (0.90).'
    """
    table, sure, possible = check_weights(weights, src_tokens, tgt_tokens, gold)
    if alt is None:
        told = _largest_weights(table, src_tokens, tgt_tokens)
        alt = f"Attention, largest weight of each target word: {told}."
    data = {
        **{"src": list(src_tokens), "tgt": list(tgt_tokens), "weights": _rounded(table, 3)},
        "gold": [[int(j), int(t), (j, t) in sure] for j, t in sorted(sure | possible)],
        "hint": "Choose a word to see its weights (mouse, or Tab and the arrow keys).",
    }
    size = f"{_count(len(table), 'target word')} by {_count(len(src_tokens), 'source word')}"
    return _view("attention", data, title, alt, f"attention view: {size}")


def _largest_weights(table: np.ndarray, src: Sequence[str], tgt: Sequence[str]) -> str:
    """In words, the source word with the largest weight of each target word."""
    pairs = zip(tgt, table, table.argmax(axis=1))
    return ", ".join(f"“{word}” on “{src[j]}” ({row[j]:.2f})" for word, row, j in pairs)


def gates_view(
    values: Mapping[str, Array], tokens: Sequence[str], *, title: str = "Gates along the sentence",
    alt: str | None = None,
) -> View:  # fmt: skip
    """Gate values along a sentence; a slider walks through it, another through the units.

    Arguments: values, name → (T,) or (T, H) with one H for all; tokens, T labels; alt, the
    alternative text (None: where the mean of each gate is lowest and highest). Returns the View.
    Raises ValueError where shapes disagree or a value is not finite.

    >>> gates_view({"forget gate": [0.9, 0.1]}, ["나는", "갔다"])
    <gates view: 1 gate over 2 time steps>
    """
    arrays = check_gates(values, tokens)
    units = {array.shape[1] for array in arrays.values() if array.ndim == 2}
    if len(units) > 1:
        raise ValueError(f"values must have the same H for all (T, H) gates, got {sorted(units)}")
    top = math.ceil(10 * max(1.0, *(abs(array).max() for array in arrays.values()))) / 10
    signed = any((array < 0).any() for array in arrays.values())  # a cell state, no gate
    data = {
        "x": list(tokens),
        "lines": [{"name": name, "y": _rounded(array, 3)} for name, array in arrays.items()],
        **{"range": [-top if signed else 0, top], "units": max(units, default=0), "digits": 2},
        **{"xlabel": "time step (word read)", "ylabel": "value", "step": "time step"},
    }
    steps = _count(len(tokens), "time step")
    if alt is None:
        alt = f"Gates over {steps}. {_ends_of_gates(arrays, tokens)}."
    summary = f"gates view: {_count(len(arrays), 'gate')} over {steps}"
    return _view("lines", data, title, alt, summary)


def _ends_of_gates(arrays: Mapping[str, np.ndarray], tokens: Sequence[str]) -> str:
    """In words, where the mean of each gate's units is lowest and highest."""
    parts = []
    for name, array in arrays.items():
        mean = array.reshape(len(tokens), -1).mean(axis=1)
        ends = (("lowest", mean.argmin()), ("highest", mean.argmax()))
        told = (f"{word} {mean[i]:.2f} at “{tokens[i]}”" for word, i in ends)
        parts.append(f"{name}: {', '.join(told)}")
    return "; ".join(parts)


def bleu_view(
    buckets: Sequence[Any], scores: Mapping[str, Array], *,
    intervals: Mapping[str, Array] | None = None, counts: Array | None = None,
    title: str = "BLEU by source length", alt: str | None = None,
) -> View:  # fmt: skip
    """BLEU of one or more systems by source length; a slider reads out a bucket.

    Arguments: buckets, N labels or (shortest, longest) pairs; scores, system → (N,) BLEU from 0 to
    100, NaN where a bucket is too small to say; intervals, system → (N, 2) lower and upper ends;
    counts, N numbers of sentences; alt, the alternative text (None: all scores). Returns the View.
    Raises ValueError where shapes disagree or a BLEU is outside 0 to 100.

    >>> bleu_view([(1, 10), (11, 20)], {"attention": [61.25, float("nan")]}).alt
    'BLEU by source length. attention: 61.2 at 1–10, no value at 11–20.'
    """
    names, bleu, ends, sizes = check_bleu(buckets, scores, intervals, counts)
    lines: list[dict[str, Any]] = [{"name": k, "y": _rounded(y, 2)} for k, y in bleu.items()]
    for line in lines:
        if line["name"] in ends:
            pairs = _rounded(ends[line["name"]], 2)
            line["ends"] = [None if None in pair else pair for pair in pairs]
    data: dict[str, Any] = {
        **{"x": names, "lines": lines, "range": [0, 100], "digits": 1},
        **{"xlabel": "source length (tokens)", "ylabel": "BLEU (0 to 100)", "step": "bucket"},
    }
    if sizes:
        data["notes"] = [f"{size:,} sentences" for size in sizes]
    if alt is None:
        told = (f"{k}: {', '.join(map(_bleu_at, y, names))}" for k, y in bleu.items())
        alt = f"BLEU by source length. {'; '.join(told)}."
    summary = f"BLEU view: {_count(len(lines), 'system')} in {_count(len(names), 'bucket')}"
    return _view("lines", data, title, alt, summary)


def _bleu_at(value: float, bucket: str) -> str:
    return f"no value at {bucket}" if np.isnan(value) else f"{value:.1f} at {bucket}"


def beam_view(
    records: Records, *, title: str = "Beam search, step by step", alt: str | None = None
) -> View:
    """The tree of a beam search; sliders grow it step by step and read out each hypothesis.

    Arguments: records, one dictionary a hypothesis, parents before children, as ``beam_tree``
    takes them; alt, the alternative text (None: what became of them, and the best). Returns the
    View. Raises ValueError for a missing key, an id used twice, a parent that does not come
    earlier, or an unknown status.

    >>> start = {"id": 0, "parent": None, "step": 0, "token": "<sos>", "log_prob": 0.0}
    >>> beam_view([{**start, "status": "live"}])
    <beam view: 1 hypothesis>
    """
    tree = check_tree(records)
    index = {i: n for n, i in enumerate(tree)}  # on the page, parents are positions in the list
    nodes = [
        {"parent": index.get(node["parent"]), "step": int(node["step"]),
         "token": str(node["token"]), "log_prob": round(float(node["log_prob"]), 2),
         "status": node["status"]}
        for node in tree.values()
    ]  # fmt: skip
    alt = _told_beam(records) if alt is None else alt
    summary = f"beam view: {_count(len(nodes), 'hypothesis')}"
    return _view("beam", {"nodes": nodes}, title, alt, summary)


def _told_beam(records: Records) -> str:
    """A beam search in words: how many hypotheses, what became of them, the answer.

    >>> start = {"id": 0, "parent": None, "step": 0, "token": "<sos>", "log_prob": 0.0}
    >>> end = {"id": 1, "parent": 0, "step": 1, "token": "yes", "log_prob": -0.5, "status": "best"}
    >>> _told_beam([{**start, "status": "live"}, end])
    'Beam search, 2 hypotheses: 1 best, 0 finished, 1 live, 0 pruned.
    Best: “<sos> yes”, log-probability -0.50.'
    """
    nodes = check_tree(records)
    statuses = [node["status"] for node in nodes.values()]
    counts = ", ".join(f"{statuses.count(status)} {status}" for status in STATUSES)
    text = f"Beam search, {_count(len(nodes), 'hypothesis')}: {counts}."
    if path := best_path(nodes):
        tokens = " ".join(str(nodes[i]["token"]) for i in reversed(path))
        words = " ".join(tokens.split())  # a token may hold a line break
        text += f" Best: “{words}”, log-probability {nodes[path[0]]['log_prob']:.2f}."
    return text


def _view(kind: str, data: dict[str, Any], title: str, alt: str, summary: str) -> View:
    """Put data, style and script together; the id is a hash of all of it."""
    style, script = _part("view.css"), _part("core.js") + _part(f"{kind}.js")
    literal = _script_literal(data)
    content = "\0".join((title, alt, literal, script))
    ident = f"attn-{hashlib.sha256(content.encode()).hexdigest()[:12]}"
    alt = " ".join(alt.split())
    # The two class names keep MathJax from reading "$5 or $6" as a formula. The script draws every
    # copy of the view that it finds empty, for one page may show the same view twice.
    texts = {"title": html.escape(title), "alt": html.escape(alt), "data": literal}
    style = embedded_hangul(ident, title + literal) + style
    fragment = _fill("view.html", id=ident, style=style, script=script, **texts)
    return View(title, alt, summary, fragment.removesuffix("\n"))


def _part(name: str) -> str:
    return (_PARTS / name).read_text(encoding="utf-8")


def _fill(name: str, **texts: str) -> str:
    """A page or a part of one, with texts for its ``${names}``."""
    return Template(_part(name)).substitute(texts)


def _script_literal(data: Any) -> str:
    """JSON that can stand in a script: no label can end the script or open a comment."""
    text = json.dumps(data, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    for char in "<>&\u2028\u2029":
        text = text.replace(char, f"\\u{ord(char):04x}")
    return text


def _rounded(array: np.ndarray, digits: int) -> list:
    """Nested lists of rounded numbers, None for NaN: more digits would only add bytes."""
    if array.ndim > 1:
        return [_rounded(row, digits) for row in array]
    return [None if np.isnan(x) else round(float(x), digits) + 0.0 for x in array]


def _count(number: int, noun: str) -> str:
    """A number of things in words.

    >>> _count(1, "hypothesis"), _count(2, "hypothesis"), _count(2, "system")
    ('1 hypothesis', '2 hypotheses', '2 systems')
    """
    plural = {"hypothesis": "hypotheses"}.get(noun, noun + "s")
    return f"{number} {noun if number == 1 else plural}"
