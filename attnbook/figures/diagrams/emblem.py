"""The book's emblem, encoder – attention – decoder, as it grows from chapter to chapter."""

from collections.abc import Sequence
from typing import Any

from attnlib.checks import Number
from attnlib.figures import Array

from .cells import MIDDLE, at_most, gates_of
from .diagram import WIDTH, Diagram
from .lstm import lstm_core
from .page import Node, Page, Word, shape_of

PITCH = 68.0  # from the middle of a column to that of the next


def columns(count: int, pitch: float = PITCH) -> list[float]:
    """The middles of so many columns, together in the middle of the page."""
    return [MIDDLE + (n - (count - 1) / 2) * pitch for n in range(count)]


def encoder(
    page: Page,
    y: Number,
    words: Sequence[str],
    *,
    solid: int = 9,
    pitch: float = PITCH,
) -> list[Node]:
    """States h_1 … h_S at height y above their words; those after ``solid`` are still to come."""
    states: list[Node] = []
    for j, (x, word) in enumerate(zip(columns(len(words), pitch), words), 1):
        style = "faint" if j > solid else ""
        state = page.box(x, y, f"$h_{j}$", kind="source", w=44, style=style)
        page.label(x, y + 48, Word(word), room=pitch - 6)
        page.arrow((x, y + 38), state, style=style)
        if states:
            page.arrow(states[-1], state, kind="source", style=style)
        states.append(state)
    return states


def decoder(
    page: Page,
    y: Number,
    fed: Sequence[str],
    written: Sequence[str],
    *,
    high: Number = 48,
    room: Number = 62,
    onward: bool = True,
) -> list[Node]:
    """States s_1 … s_T at height y; below each what it reads, ``high`` above what it predicts.

    onward=False: no arrow leads from a state to its word, because something comes between.
    """
    states: list[Node] = []
    for t, (x, read, target) in enumerate(zip(columns(len(fed)), fed, written), 1):
        state = page.box(x, y, f"$s_{t}$", kind="target", w=44)
        page.label(x, y + 48, Word(read), room=room if t == len(fed) else 62)
        page.arrow((x, y + 38), state)
        if onward:
            page.arrow(state, (x, y - high + 10))
        page.label(x, y - high, Word(target), room=62)
        if states:
            page.arrow(states[-1], state, kind="target")
        states.append(state)
    return states


def check_sides(src: Sequence[str], tgt: Sequence[str], states: Array, wrote: Array) -> None:
    """Raise ValueError where words are too many or too few, or states are not one a word."""
    at_most("src", src, 4, 2)
    at_most("tgt", tgt, 4, 2)
    for name, words, table in (("states", src, states), ("decoder_states", tgt, wrote)):
        if len(table.shape) != 2 or len(table) != len(words):
            raise ValueError(f"{name} must have shape ({len(words)}, H), got {shape_of(table)}")


def opened_cell_diagram(cell: Any, words: Sequence[str]) -> Diagram:
    """The emblem in chapter 2: the cell opened, and an LSTM in it.

    Arguments: cell, an LSTM cell; words, two to four that it reads. Raises ValueError where the
    cell has not four blocks or the words do not fit.

    >>> import torch
    >>> opened_cell_diagram(torch.nn.LSTMCell(3, 2), ["나는", "갔다"]).title
    'The cell, opened'
    """
    at_most("words", words, 4, 2)
    (features, units), page = gates_of(cell, 4), Page(428)
    low = lstm_core(page, 34)
    inside = page.frame(Node(MIDDLE, low / 2 + 3, WIDTH - 6, low), kind="source", pad=0)
    states = encoder(page, low + 66, words, pitch=min(84.0, (WIDTH - 20) / len(words)))
    page.arrow((14, low + 66), states[0], kind="source")
    for before, after in zip([14.0, *(s.right.x for s in states)], states):
        page.arrow((before, low + 56), (after.left.x, low + 56), kind="memory", width=2.5)
    for side in (-1, 1):
        corner = (states[1].x + 22 * side, states[1].top.y)
        edge = (MIDDLE + (inside.w / 2 - 10) * side, inside.bottom.y)
        page.arrow(corner, edge, kind="source", style="faint", head=False)
    page.label(MIDDLE, 414, f"a word: {features} numbers, memory and state: {units} each", "small")
    return page.finish(
        "The cell, opened",
        f"Below, a row of {len(words)} states over the words {' '.join(words)}; a thick arrow, the"
        " memory, and a thin one, the state, lead from each to the next. Dotted lines lead"
        " from one of them to a large frame above, which shows its inside: an LSTM. The memory runs"
        " along the top from c t−1 to c t, the forget gate f multiplies it, input gate i times"
        " candidate g is added, the output gate o lets it out as h t."
        f" A word has {features} numbers, memory and state {units} each.",
    )


def encoder_decoder_diagram(
    src: Sequence[str],
    tgt: Sequence[str],
    states: Array,
    decoder_states: Array,
    *,
    fed_back: bool = False,
    memory: bool = False,
) -> Diagram:
    """The emblem in chapter 3: both halves, and what passes between them.

    Arguments: src, two to four source words; tgt, as many target words; states (S, H) and
    decoder_states (T, H); fed_back, whether each word that is predicted is led to the next input,
    as in writing; memory, whether an LSTM's memory passes as well as its state. Raises ValueError
    where states are not one a word.

    >>> import torch
    >>> states = torch.zeros(2, 8)
    >>> encoder_decoder_diagram(["나는", "갔다"], ["I", "went"], states, states)
    <diagram: Encoder and decoder>
    """
    check_sides(src, tgt, states, decoder_states)
    high, low = (98, 28) if fed_back else (84, 0)
    units = states.shape[1]
    page = Page(292 + low)
    page.label(MIDDLE, 12, f"decoder: states {shape_of(decoder_states)}", "small")
    wrote = decoder(page, high, ["<sos>", *tgt[:-1]], tgt)
    for state, after in zip(wrote, wrote[1:]) if fed_back else ():
        between, above, under = (state.x + after.x) / 2, high - 58, high + 58
        way = (state.x, above - 8), (between, above - 8), (between, under + 8), (after.x, under + 8)
        page.arrow((state.x, above), *way, (after.x, under), kind="target")
    read = encoder(page, 210 + low, src)
    last = read[-1]
    around = (last.x, 164 + low), (14, 164 + low), (14, high)
    page.arrow(last, *around, wrote[0], kind="attention", width=3)
    passed = f"state and memory, {2 * units}" if memory else f"one state, {units}"
    page.label(MIDDLE, 150 + low, f"{passed} numbers", "small")
    page.label(MIDDLE, 281 + low, f"encoder: states {shape_of(states)}", "small")
    own = " Each predicted word is led down to the input of the next step." if fed_back else ""
    return page.finish(
        "Encoder and decoder, writing" if fed_back else "Encoder and decoder",
        f"Below, the encoder: {len(src)} states h, each over one of the words {' '.join(src)},"
        f" joined from left to right. One thick arrow leads from the last, h {len(src)}, up and to"
        f" the first decoder state: {passed} numbers, and nothing else passes. Above, the"
        f" decoder: {len(tgt)} states s, fed <sos> {' '.join(tgt[:-1])} from below, predict"
        f" {' '.join(tgt)} above.{own}",
    )
