"""Small interactive views: a few kB of HTML, CSS and JavaScript, with no request to any host.

They take arrays and labels and know nothing of models. A view shows itself as the last line of a
cell and can be saved as a page of its own. It works with the mouse and with the keyboard, follows
the light or dark theme around it, and where scripts do not run its alternative text is read
instead. The same arguments give the same bytes everywhere, so that nbval can compare them.

>>> view = attention_view([[0.1, 0.9]], ["나는", "갔다"], ["went"])
>>> view
<attention view: 1 target word by 2 source words>
"""

import base64
import hashlib
import html
import io
import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
from fontTools import subset

Array: TypeAlias = Any  # whatever numpy.asarray takes, and tensors with or without a gradient

_PARTS = Path(__file__).with_name("assets")
_STATUSES = ("best", "finished", "live", "pruned")
_DROPPED = subset.Options().drop_tables + ["TSI0", "TSI1", "TSI2", "TSI3", "TSI5"]  # hints' source
_HANGUL = ((0x1100, 0x11FF), (0x3130, 0x318F), (0xA960, 0xA97F), (0xAC00, 0xD7FF))


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
        page = (
            '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
            '<meta name="viewport" content="width=device-width">\n'
            '<meta name="color-scheme" content="light dark">\n'
            f"<title>{html.escape(self.title)}</title>\n"
            "<style>body{font:16px system-ui,sans-serif;margin:1.5em}</style>\n</head>\n"
            f"<body>\n{self.html}\n</body>\n</html>\n"
        )
        path = Path(path)
        path.write_text(page, encoding="utf-8", newline="\n")
        return path


def attention_view(
    weights: Array,
    src_tokens: Sequence[str],
    tgt_tokens: Sequence[str],
    *,
    gold: tuple[Any, Any] | None = None,
    title: str = "Attention: choose a word",
    alt: str | None = None,
) -> View:
    """Source words above target words, joined by lines as thick as the weights α_tj.

    A chosen target word shows where it looks, a chosen source word who looks at it. Choose with
    the mouse, or with the arrow keys; Escape lets go.

    Arguments: weights (T, S), each in [0, 1]; src_tokens, S labels; tgt_tokens, T labels; gold,
    ``(sure, possible)`` sets of links (source index, target index); alt, the alternative text
    (None: the largest weight of each row). Raises ValueError where shapes disagree, a weight is
    outside [0, 1] or a link outside the matrix.
    """
    shape = (len(tgt_tokens), len(src_tokens))
    table = _array("weights", weights, shape, limits=(0.0, 1.0))
    sure, possible = (set(links) for links in gold or ((), ()))
    for j, t in sure | possible:
        if not (0 <= t < shape[0] and 0 <= j < shape[1]):
            raise ValueError(
                f"gold must hold pairs (source index < {shape[1]}, target index < {shape[0]}), "
                f"got ({j}, {t}); are the two swapped?"
            )
    if alt is None:
        pairs = zip(tgt_tokens, table, table.argmax(axis=1))
        rows = (f"“{word}” on “{src_tokens[j]}” ({row[j]:.2f})" for word, row, j in pairs)
        alt = f"Attention, largest weight of each target word: {', '.join(rows)}."
    data = {
        "src": list(src_tokens),
        "tgt": list(tgt_tokens),
        "weights": _rounded(table, 3),
        "gold": [[int(j), int(t), (j, t) in sure] for j, t in sorted(sure | possible)],
        "hint": "Choose a word to see its weights (mouse, or Tab and the arrow keys).",
    }
    summary = (
        f"attention view: {_count(shape[0], 'target word')} by {_count(shape[1], 'source word')}"
    )
    return _view("attention", data, title, alt, summary)


def gates_view(
    values: Mapping[str, Array],
    tokens: Sequence[str],
    *,
    title: str = "Gates along the sentence",
    alt: str | None = None,
) -> View:
    """Gate values along a sentence; a slider walks through it, another through the units.

    Arguments: values, name → (T,) or (T, H) with one H for all; tokens, T labels; alt, the
    alternative text (None: where the mean of each gate is lowest and highest). Raises ValueError
    where shapes disagree or a value is not finite.
    """
    size = len(tokens)
    arrays = {k: _array(f"values[{k!r}]", v, (size,), (size, None)) for k, v in values.items()}
    units = {array.shape[1] for array in arrays.values() if array.ndim == 2}
    if not arrays or len(units) > 1:
        raise ValueError(
            f"values must name at least one gate, and all (T, H) gates must have the same H, "
            f"got {len(arrays)} gates with H = {sorted(units)}"
        )
    if alt is None:
        parts = []
        for name, array in arrays.items():
            mean = array.reshape(size, -1).mean(axis=1)
            ends = (("lowest", mean.argmin()), ("highest", mean.argmax()))
            told = (f"{word} {mean[i]:.2f} at “{tokens[i]}”" for word, i in ends)
            parts.append(f"{name}: {', '.join(told)}")
        alt = f"Gates over {_count(size, 'time step')}. {'; '.join(parts)}."
    top = math.ceil(10 * max(1.0, *(abs(array).max() for array in arrays.values()))) / 10
    signed = any((array < 0).any() for array in arrays.values())  # a cell state, no gate
    data = {
        "x": list(tokens),
        "lines": [{"name": name, "y": _rounded(array, 3)} for name, array in arrays.items()],
        "range": [-top if signed else 0, top],
        "units": max(units, default=0),
        "digits": 2,
        "xlabel": "time step (word read)",
        "ylabel": "value",
        "step": "time step",
    }
    summary = f"gates view: {_count(len(arrays), 'gate')} over {_count(size, 'time step')}"
    return _view("lines", data, title, alt, summary)


def bleu_view(
    buckets: Sequence[Any],
    scores: Mapping[str, Array],
    *,
    intervals: Mapping[str, Array] | None = None,
    counts: Array | None = None,
    title: str = "BLEU by source length",
    alt: str | None = None,
) -> View:
    """BLEU of one or more systems by source length; a slider reads out a bucket.

    Arguments: buckets, N labels or (shortest, longest) pairs; scores, system → (N,) BLEU from 0 to
    100, NaN where a bucket is too small to say; intervals, system → (N, 2) lower and upper ends;
    counts, N numbers of sentences; alt, the alternative text (None: all scores). Raises ValueError
    where shapes disagree or a BLEU is outside 0 to 100.
    """
    names = [b if isinstance(b, str) else f"{b[0]}–{b[1]}" for b in buckets]
    size, limits, parts, lines = len(names), (0.0, 100.0), [], []
    for label, score in scores.items():
        array = _array(f"scores[{label!r}]", score, (size,), limits=limits, nan=True)
        told = (
            f"no value at {name}" if np.isnan(value) else f"{value:.1f} at {name}"
            for name, value in zip(names, array)
        )
        parts.append(f"{label}: {', '.join(told)}")
        lines.append({"name": label, "y": _rounded(array, 2)})
        if intervals and label in intervals:
            ends = intervals[label]
            ends = _array(f"intervals[{label!r}]", ends, (size, 2), limits=limits, nan=True)
            lines[-1]["ends"] = [None if None in pair else pair for pair in _rounded(ends, 2)]
    data = {
        "x": names,
        "lines": lines,
        "range": [0, 100],
        "digits": 1,
        "xlabel": "source length (tokens)",
        "ylabel": "BLEU (0 to 100)",
        "step": "bucket",
    }
    if counts is not None:
        sizes = _array("counts", counts, (size,))
        data["notes"] = [f"{int(count):,} sentences" for count in sizes]
    alt = f"BLEU by source length. {'; '.join(parts)}." if alt is None else alt
    summary = f"BLEU view: {_count(len(lines), 'system')} in {_count(size, 'bucket')}"
    return _view("lines", data, title, alt, summary)


def beam_view(
    records: Sequence[Mapping[str, Any]],
    *,
    title: str = "Beam search, step by step",
    alt: str | None = None,
) -> View:
    """The tree of a beam search; sliders grow it step by step and read out each hypothesis.

    Arguments: records, one dictionary a hypothesis, parents before children: ``id``, ``parent``
    (the id of the hypothesis that it extends, None at the start), ``step`` (tokens so far),
    ``token`` (the last one's text), ``log_prob`` (nats, all tokens so far), ``status`` ("live",
    "pruned", "finished" or "best"); alt, the alternative text (None: the counts and the answer).
    Raises ValueError for a missing key, an id used twice, a parent that does not come earlier, or
    an unknown status.
    """
    nodes = _nodes(records)
    statuses = [node["status"] for node in nodes]
    if alt is None:
        counts = ", ".join(f"{statuses.count(status)} {status}" for status in _STATUSES)
        alt = f"Beam search, {_count(len(nodes), 'hypothesis')}: {counts}."
        if "best" in statuses:
            i: int | None = statuses.index("best")
            words, log_prob = [], nodes[statuses.index("best")]["log_prob"]
            while i is not None:
                words.append(nodes[i]["token"])
                i = nodes[i]["parent"]
            alt += f" Best: “{' '.join(reversed(words))}”, log-probability {log_prob:.2f}."
    summary = f"beam view: {_count(len(nodes), 'hypothesis')}"
    return _view("beam", {"nodes": nodes}, title, alt, summary)


def _view(kind: str, data: dict[str, Any], title: str, alt: str, summary: str) -> View:
    """Put data, style and script together; the id is a hash of all of it."""
    style = (_PARTS / "view.css").read_text(encoding="utf-8")
    script = "".join((_PARTS / f"{name}.js").read_text(encoding="utf-8") for name in ("core", kind))
    literal = _script_literal(data)
    ident = (
        "attn-" + hashlib.sha256("\0".join((title, alt, literal, script)).encode()).hexdigest()[:12]
    )
    alt = " ".join(alt.split())
    # The two class names keep MathJax from reading "$5 or $6" as a formula. The script draws every
    # copy of the view that it finds empty, for one page may show the same view twice.
    fragment = (
        f'<div id="{ident}" class="attn-view tex2jax_ignore mathjax_ignore">\n'
        f"<style>\n{_hangul_font(ident, title + literal)}{style}</style>\n"
        f'<p class="title">{html.escape(title)}</p>\n'
        f'<div class="stage"><svg role="img" aria-label="{html.escape(alt)}" width="0" height="0">'
        f'</svg></div>\n<p class="says" aria-live="polite">{html.escape(alt)}</p>\n'
        f"<script>\n(function () {{\n{script}"
        f"for (const view of document.querySelectorAll('[id=\"{ident}\"]')) {{\n"
        "  if (view.dataset.drawn) continue;\n  view.dataset.drawn = 1;\n"
        "  const find = name => view.querySelector(name);\n"
        f"  draw({literal}, find('.stage'), find('svg'), find('.says'));\n"
        "}\n})();\n</script>\n</div>"
    )
    return View(title, alt, summary, fragment)


def _script_literal(data: Any) -> str:
    """JSON that can stand in a script: no label can end the script or open a comment."""
    text = json.dumps(data, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    for char in "<>&\u2028\u2029":
        text = text.replace(char, f"\\u{ord(char):04x}")
    return text


def _hangul_font(ident: str, text: str) -> str:
    """CSS with the Hangul of the text as an embedded font; nothing where there is none."""
    used = {char for char in text if any(low <= ord(char) <= high for low, high in _HANGUL)}
    font = _font_subset("".join(sorted(used))) if used else ""
    if not font:
        return ""
    source = f"src:url(data:font/ttf;base64,{font})"
    families = f"{ident},system-ui,sans-serif"
    return f"@font-face{{font-family:{ident};{source}}}\n#{ident}{{font-family:{families}}}\n"


@lru_cache(maxsize=64)
def _font_subset(chars: str) -> str:
    """The glyphs of NanumGothic for these characters, in base64; "" where it is not installed.

    Not compressed, because zlib's bytes differ between systems, and without hints or dates. The
    package koreanize-matplotlib is only located: importing it would set a global font.
    """
    spec = find_spec("koreanize_matplotlib")
    for folder in (spec and spec.submodule_search_locations) or ():
        path = Path(folder) / "fonts" / "NanumGothic.ttf"
        if path.is_file():
            options = subset.Options(
                hinting=False, layout_features=[], name_IDs=[0], name_languages=[0x409],
                recalc_timestamp=False, notdef_outline=True, drop_tables=_DROPPED,
            )  # fmt: skip
            with subset.load_font(str(path), options) as font:
                subsetter = subset.Subsetter(options)
                subsetter.populate(text=chars)
                subsetter.subset(font)
                stream = io.BytesIO()
                subset.save_font(font, stream, options)
            return base64.b64encode(stream.getvalue()).decode("ascii")
    return ""


def _nodes(records: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """The records with their parents as positions in the list, once they make a tree."""
    index: dict[Any, int] = {}
    nodes: list[dict[str, Any]] = []
    for n, record in enumerate(records):
        keys = {"id", "parent", "step", "token", "log_prob", "status"}
        if keys - record.keys():
            wrong = f"the key {min(keys - record.keys())!r}"
        elif record["id"] in index:
            wrong = "an id of its own"
        elif record["parent"] not in (None, *index):
            wrong = "a parent that comes before it"
        elif record["status"] not in _STATUSES:
            wrong = f"a status of {', '.join(_STATUSES)}"
        else:
            index[record["id"]] = n
            node: dict[str, Any] = {"parent": index.get(record["parent"])}
            node |= {"step": int(record["step"]), "token": str(record["token"])}
            node |= {"log_prob": round(float(record["log_prob"]), 2), "status": record["status"]}
            nodes.append(node)
            continue
        raise ValueError(f"records[{n}] must have {wrong}, got {dict(record)}; see beam_view")
    if not nodes:
        raise ValueError("records must hold at least one hypothesis, got none; search first")
    return nodes


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


def _rounded(array: np.ndarray, digits: int) -> list:
    """Nested lists of rounded numbers, None for NaN: more digits would only add bytes."""
    if array.ndim > 1:
        return [_rounded(row, digits) for row in array]
    return [None if np.isnan(x) else round(float(x), digits) + 0.0 for x in array]


def _count(number: int, noun: str) -> str:
    plural = {"hypothesis": "hypotheses"}.get(noun, noun + "s")
    return f"{number} {noun if number == 1 else plural}"
