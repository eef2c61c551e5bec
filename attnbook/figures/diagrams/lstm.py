"""The inside of an LSTM: the whole cell, and one step through it, a gate at a time."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from attnlib.checks import Number

from .cells import MIDDLE, columns, gates_of, matrices
from .diagram import Diagram
from .page import Node, Page, faint, number, numbers, shape_of

#: What one step does, in the order in which a reader follows it, and the letter of each box.
PARTS = {"forget gate": "f", "candidate": "g", "input gate": "i", "output gate": "o"}
F, IN, G, OUT = columns(4, 84, 236)  # where the boxes stand, from left to right
JOIN = (IN + G) / 2  # where what is written meets the memory
SIZE = 26  # of a circle


def _forget(page: Page, y: Number) -> None:
    """The old memory, times the forget gate."""
    keep = page.circle(F, y, "×")
    page.arrow((42, y), keep, kind="memory", width=2.5)
    page.arrow(keep, Node(JOIN, y, SIZE, SIZE), kind="memory", width=2.5)
    page.arrow(_box(page, F, y, "f"), keep, kind="gate")
    page.label(24, y, "$c_{t−1}$")


def _candidate(page: Page, y: Number) -> None:
    """What asks to be written."""
    made = _box(page, G, y, "g")
    page.arrow(made, (G, y + 68), Node(JOIN, y + 68, SIZE, SIZE), kind="source")


def _input(page: Page, y: Number) -> None:
    """The candidate, times the input gate."""
    write = page.circle(JOIN, y + 68, "×")
    page.arrow(_box(page, IN, y, "i"), (IN, write.y), write, kind="gate")
    page.arrow(write, Node(JOIN, y, SIZE, SIZE))


def _memory(page: Page, y: Number) -> None:
    """The new memory, the sum of what was kept and what was written."""
    page.arrow(page.circle(JOIN, y, "+"), (288, y), kind="memory", width=2.5)
    page.label(304, y, "$c_t$")


def _output(page: Page, y: Number) -> None:
    """The new memory as it is shown to others."""
    read, bend = page.circle(OUT, y + 82, "×"), page.box(OUT, y + 38, "tanh", w=42, h=24)
    page.arrow((OUT, y), bend, kind="memory")
    page.arrow(bend, read)
    page.arrow(_box(page, OUT, y, "o"), read, kind="gate")
    page.arrow(read, (288, read.y))
    page.label(304, read.y, "$h_t$")


def _box(page: Page, x: Number, y: Number, name: str) -> Node:
    """A gate or the candidate, fed from the line below."""
    bend, kind = ("tanh", "source") if name == "g" else ("σ", "gate")
    box = page.box(x, y + 136, f"${name}$", bend, kind, w=44, h=38)
    page.arrow((x, y + 186), box)
    return box


def lstm_core(page: Page, y: Number, lit: str = "figco") -> Number:
    """The inside of an LSTM with its memory at height y; returns the height of its lower edge.

    The memory runs along the top; forget gate, input gate, candidate and output gate stand below.
    lit: the parts that stand out, by the letters of the equations; the others are faint.
    """
    low = y + 186
    parts = {"f": _forget, "g": _candidate, "i": _input, "c": _memory, "o": _output}
    for name, draw in parts.items():
        with faint(page, name not in lit):
            draw(page, y)
    page.arrow((42, low), (OUT, low), head=False)
    page.arrow((60, low + 20), (60, low), head=False)
    page.label(24, low, "$h_{t−1}$")
    page.label(60, low + 30, "$x_t$")
    return low + 42


def lstm_diagram(cell: Any) -> Diagram:
    """The inside of an LSTM cell: the memory along the top, four gates that write and read it.

    Arguments: cell, an LSTM cell (weight_ih (4H, E), weight_hh (4H, H), blocks i, f, g, o). Raises
    ValueError where it has another number of blocks.

    >>> import torch
    >>> lstm_diagram(torch.nn.LSTMCell(3, 2)).alt[:52]
    'An LSTM cell with 3 numbers in and 2 units. Along th'
    """
    (features, units), page = gates_of(cell, 4), Page(294)
    lstm_core(page, 42)
    page.label(MIDDLE, 14, f"the memory: {units} numbers", "small")
    from_input, from_hidden = map(shape_of, matrices(cell))
    page.label(84, 254, f"weight_ih {from_input}", "small", anchor="start")
    page.label(84, 274, f"weight_hh {from_hidden}: i, f, g, o", "small", anchor="start")
    return page.finish(
        "An LSTM cell",
        f"An LSTM cell with {features} numbers in and {units} units. Along the top a thick line,"
        " the memory, runs from c t−1 to c t: it is multiplied by the forget gate f, then the"
        " product of input gate i and candidate g is added. From there a branch goes through tanh"
        " and is multiplied by the output gate o, which gives h t. Three gates and the"
        " candidate stand in a row below; each is fed x t and h t−1; f, i and o go through σ, g"
        " through tanh.",
    )


def lstm_step_diagram(part: str, before: Number, gates: Mapping[str, Any]) -> Diagram:
    """One step of one unit of an LSTM, of which one part stands out, with its numbers.

    Arguments: part, the "forget gate", "candidate", "input gate" or "output gate"; before, the
    unit's old memory; gates, its numbers i, f, g and o. Raises ValueError where there is no such
    part, a number is missing, or one is not between 0 and 1 (g: −1 and 1).

    >>> lstm_step_diagram("forget gate", 2.0, {"f": 0.5, "i": 0, "g": 0, "o": 1}).alt[-59:]
    'Forget gate 0.50 times old memory 2.00: 1.00 of it is kept.'
    """
    if part not in PARTS:
        raise ValueError(f"part must be one of {', '.join(PARTS)}, got {part!r}")
    values, (formula, description) = _worked_out(before, gates), _FORMULAS[part]
    page, y, name = Page(274), 34, PARTS[part]
    lstm_core(page, y, {"i": "ic", "o": "oc"}.get(name, name))
    places: dict[str, tuple[Number, Number]] = {
        "before": (8, 18),
        "f": (F + 6, 96),
        "kept": (F + 20, -14),
        "g": (G + 6, 98),
        "i": (IN + 6, 98),
        "written": (JOIN + 6, 38),
        "c": (JOIN + 26, -14),
        "bent": (OUT + 6, 60),
        "o": (OUT + 6, 106),
        "h": (290, 100),
    }
    shown = {key: number(value) for key, value in values.items()}
    for key in _KNOWN[name]:
        page.label(places[key][0], y + places[key][1], shown[key], "small", anchor="start")
    page.label(84, 254, formula.format(**shown), anchor="start")  # x_t is to its left
    return page.finish(
        f"One step of one unit: the {part}",
        f"The drawing of the LSTM cell, faint but for the {part} and what it acts on, with the"
        f" numbers of one unit at one step. {description.format(**shown)}",
    )


#: Which numbers a drawing shows: its own, and those of the parts before that it makes use of.
_KNOWN = {
    "f": ("before", "f", "kept"),
    "g": ("g",),
    "i": ("kept", "g", "i", "written", "c"),
    "o": ("c", "bent", "o", "h"),
}
_FORMULAS = {  # below the drawing, and in its words
    "forget gate": (
        "kept: {f} × {before} = {kept}",
        "Forget gate {f} times old memory {before}: {kept} of it is kept.",
    ),
    "candidate": ("offered: {g}", "The candidate, between −1 and 1, is {g}."),
    "input gate": (
        "$c_t$ = {kept} + {i} × {g} = {c}",
        "Input gate {i} times candidate {g} is {written}; with the {kept} that was kept the new"
        " memory is {c}.",
    ),
    "output gate": (
        "$h_t$ = {o} × {bent} = {h}",
        "The new memory {c} goes through tanh, which makes it {bent}; times output gate {o} it is"
        " the new state, {h}.",
    ),
}


def _worked_out(before: Number, gates: Mapping[str, Any]) -> dict[str, float]:
    """The numbers of a step, and what follows from them."""
    if missing := set("ifgo") - gates.keys():
        raise ValueError(f"gates must hold i, f, g and o; {min(missing)} is missing")
    values = {name: float(numbers(f"gates[{name!r}]", gates[name])) for name in "ifgo"}
    for name, value in values.items():
        least = -1 if name == "g" else 0
        if not least <= value <= 1:
            raise ValueError(f"gates[{name!r}] must be between {least} and 1, got {value}")
    old = float(numbers("before", before))
    kept, written = values["f"] * old, values["i"] * values["g"]
    bent = float(np.tanh(kept + written))
    return values | {
        "before": old,
        "kept": kept,
        "written": written,
        "c": kept + written,
        "bent": bent,
        "h": values["o"] * bent,
    }
