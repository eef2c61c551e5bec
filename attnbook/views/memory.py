"""Views of a memory through time: the gates of an LSTM, and the gradient on its way back."""

from collections.abc import Collection, Mapping, Sequence

import numpy as np

from attnlib.figures import Array

from ..figures.diagrams.page import numbers
from .still import table
from .view import View, counted, finish, rounded, significant

HEAT_MAPS = ("f", "i", "g", "o", "c", "h")  # of an LSTM, in the order in which the view offers them


def lstm_view(
    values: Mapping[str, Array],
    tokens: Sequence[str],
    *,
    start: int = 0,
    shown: str = "f",
    word: int = 0,
    title: str = "The gates of an LSTM along a sentence",
) -> View:
    """Every gate of every unit of an LSTM, word by word, and what it does to the memory.

    A heat map of units by words for the gate chosen; sliders choose a word and a unit, of which the
    step is written out: c_t = f c_{t−1} + i g, h_t = o tanh(c_t).

    Arguments: values, the gates i, f, g and o and the memory c of every step, each (T, H); tokens,
    T labels; start, shown and word, what it opens at: the unit, the heat map ("f", "i", "g", "o",
    the memory "c" or the output "h") and the word, counted from 0. Returns the View. Raises
    ValueError where shapes disagree or there is no such unit, heat map or word.

    >>> lstm_view(dict.fromkeys("ifgoc", np.zeros((2, 3))), ["나는", "갔다"])
    <LSTM view: 3 units over 2 words>
    """
    if missing := set("ifgoc") - values.keys():
        raise ValueError(f"values must hold i, f, g, o and c; {min(missing)} is missing")
    steps = len(tokens)
    units = numbers("values['i']", values["i"], steps, None).shape[1]
    gates = {k: numbers(f"values[{k!r}]", values[k], steps, units) for k in "ifgoc"}
    if not 0 <= start < units:
        raise ValueError(f"start must be a unit from 0 to {units - 1}, got {start}")
    if shown not in HEAT_MAPS:
        raise ValueError(f"shown must be one of {', '.join(HEAT_MAPS)}, got {shown!r}")
    if not 0 <= word < len(tokens):
        raise ValueError(f"word must be a word from 0 to {len(tokens) - 1}, got {word}")
    mean = gates["f"].mean(axis=1)
    low, high = int(mean.argmin()), int(mean.argmax())
    alt = (
        f"The gates of an LSTM with {counted(units, 'unit')} along “{' '.join(tokens)}”. The"
        f" mean of its forget gates is lowest, {mean[low]:.2f}, at “{tokens[low]}” and highest,"
        f" {mean[high]:.2f}, at “{tokens[high]}”. The picture shows unit {start + 1}."
    )
    names = ("input gate i", "forget gate f", "candidate g", "output gate o", "memory c")
    still = table(title, alt, names, tokens, np.stack([gates[k][:, start] for k in "ifgoc"]))
    data = {k: (1000 * array).round().astype(int).tolist() for k, array in gates.items()}
    summary = f"LSTM view: {counted(units, 'unit')} over {counted(len(tokens), 'word')}"
    data |= {"tokens": list(tokens), "unit": start}
    data |= {"gate": HEAT_MAPS.index(shown), "word": word}
    return finish("lstm", data, title, alt, summary, still)


def gradient_view(
    norms: Mapping[str, Array],
    tokens: Sequence[str],
    *,
    direct: Collection[str] = (),
    title: str = "The gradient travels back",
) -> View:
    """How much of a loss at the end reaches each word, step by step back in time.

    For each model a row of boxes, a word each, the stronger its color the larger the gradient (on a
    log scale, each row beside its own largest). It starts where the gradient has arrived; a slider
    and Play send it back once more. A model in ``direct`` has a shortcut from the loss to every
    word, as attention has: it is drawn as arcs.

    Arguments: norms, name → (T,), the norm of the loss's gradient with regard to each word's
    embedding or state; tokens, T labels; direct, the names with a shortcut. Returns the View.
    Raises ValueError where a length is not that of the tokens, a norm is below 0 or not finite, or
    a name is unknown.

    >>> gradient_view({"RNN": [0.001, 0.1], "attention": [0.2, 0.4]}, ["나는", "갔다"]).alt
    'Gradient of a loss at the end, of the first and the last word of 2. RNN: 0.001 at “나는”, 0.1
    at “갔다”. attention: 0.2 at “나는”, 0.4 at “갔다”.'
    """
    if not norms:
        raise ValueError("norms must name at least one model, got none; pass {name: norms}")
    rows = {name: numbers(f"norms[{name!r}]", row, len(tokens)) for name, row in norms.items()}
    for name, row in rows.items():
        if row.min() < 0:
            raise ValueError(f"norms[{name!r}] must be at least 0, got {row.min():.4g}")
    if unknown := set(direct) - rows.keys():
        raise ValueError(f"direct must hold names of {', '.join(rows)}, got {min(unknown)!r}")
    alt = f"Gradient of a loss at the end, of the first and the last word of {len(tokens)}."
    for name, row in rows.items():
        alt += f" {name}: {row[0]:.3g} at “{tokens[0]}”, {row[-1]:.3g} at “{tokens[-1]}”."
    shades = np.array([_shades(row) for row in rows.values()])
    values = np.array(list(rows.values()))
    still = table(title, alt, list(rows), tokens, values, digits=3, shades=shades)
    lines = [
        {"name": name, "y": significant(row), "direct": name in direct, "shade": rounded(shade, 3)}
        for (name, row), shade in zip(rows.items(), shades)
    ]
    summary = f"gradient view: {counted(len(rows), 'model')} over {counted(len(tokens), 'word')}"
    return finish("gradient", {"tokens": list(tokens), "lines": lines}, title, alt, summary, still)


def _shades(row: np.ndarray) -> np.ndarray:
    """From 1 for the largest norm to 0 for a ten-thousandth of it or less."""
    shares = np.maximum(row / max(row.max(), 1e-300), 1e-4)
    return 1 + np.log10(shares) / 4
