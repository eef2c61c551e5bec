"""Recurrent cells from outside and inside: the loop, the GRU, the reader of both ways."""

from collections.abc import Mapping, Sequence
from typing import Any

from attnlib.checks import Number

from .diagram import WIDTH, Diagram
from .page import Node, Page, Word, shape_of

MIDDLE = WIDTH / 2


def columns(count: int, left: Number, right: Number) -> list[float]:
    """The middles of two or more columns, the first at the left, the last at the right."""
    return [left + n * (right - left) / (count - 1) for n in range(count)]


def matrices(cell: Any) -> tuple[Any, Any]:
    """weight_ih and weight_hh of a cell, or of the first layer of torch's ``nn.RNN`` and its kin.

    >>> import torch
    >>> [tuple(w.shape) for w in matrices(torch.nn.LSTM(3, 2))]
    [(8, 3), (8, 2)]
    """
    names = ("weight_ih", "weight_hh")
    weights = [getattr(cell, name, getattr(cell, f"{name}_l0", None)) for name in names]
    if weights[0] is None or weights[1] is None:
        raise ValueError(f"cell must have weight_ih and weight_hh, got {type(cell).__name__}")
    return weights[0], weights[1]


def gates_of(cell: Any, gates: int) -> tuple[int, int]:
    """(E, H) of a cell with so many blocks of rows."""
    from_input, from_hidden = matrices(cell)
    if len(from_hidden) != gates * from_hidden.shape[1]:
        expected = f"{gates} blocks of H rows, weight_hh ({gates} H, H)"
        raise ValueError(f"cell must have {expected}, got {shape_of(from_hidden)}")
    return from_input.shape[1], from_hidden.shape[1]


def at_most(name: str, values: Any, most: int, least: int = 1) -> None:
    """Raise ValueError where there are more values than a page has room for, or too few."""
    if not least <= len(values) <= most:
        expected = f"{least} to {most}" if least < most else f"{most}"
        raise ValueError(f"{name} must have {expected} entries, got {len(values)}")


def rnn_diagram(cell: Any, words: Sequence[str]) -> Diagram:
    """A recurrent cell as a loop, and below it the same loop unrolled over two to four words.

    Arguments: cell, an RNN cell (weight_ih (H, E), weight_hh (H, H)); words, those that it reads.
    Raises ValueError where the cell has several gates or the words do not fit.

    >>> import torch
    >>> rnn_diagram(torch.nn.RNNCell(3, 2), ["나는", "갔다"])
    <diagram: A recurrent cell: the loop, and the loop unrolled>
    """
    at_most("words", words, 4, 2)
    (features, units), page = gates_of(cell, 1), Page(420)
    axis = 130
    loop = page.box(axis, 92, "tanh", kind="source", w=74, h=42)
    page.arrow((axis, 150), loop)
    page.label(axis, 162, "$x_t$")
    page.arrow(loop, (axis, 28))
    page.label(axis, 16, "$h_t$")
    page.arrow((axis, 48), (212, 48), (212, 92), loop, kind="source")
    page.label(222, 62, "$h_{t−1}$ of the", "small", anchor="start")
    page.label(222, 78, "next step", "small", anchor="start")
    page.label(178, 108, f"$W_{{hh}}$ {shape_of(matrices(cell)[1])}", "small", anchor="start")
    page.label(axis + 10, 132, f"$W_{{ih}}$ {shape_of(matrices(cell)[0])}", "small", anchor="start")
    page.label(MIDDLE, 204, "the same, written out in time:")
    before = page.label(20, 302, "$h_0$")
    for t, (x, word) in enumerate(zip(columns(len(words), 76, 294), words), 1):
        state = page.box(x, 302, "tanh", kind="source", w=42)
        page.arrow(Node(20, 302, 24) if t == 1 else before, state, kind="source")
        page.arrow((x, 352), state)
        page.arrow(state, (x, 252))
        page.label(x, 240, f"$h_{t}$")
        page.label(x, 364, f"$x_{t}$")
        page.label(x, 386, Word(word), room=56)
        before = state
    page.label(MIDDLE, 410, "every box holds the same numbers", "small")
    text = " ".join(words)
    return page.finish(
        "A recurrent cell: the loop, and the loop unrolled",
        f"Above, one cell: from below comes x t, {features} numbers; an arrow leads up to h t,"
        f" {units} numbers, and a loop leads h t back into the cell as h t−1 of the next step."
        f" Below, the same cell {len(words)} times in a row, reading {text}: each state goes to the"
        " cell on its right and upward; every cell has the same weights.",
    )


#: Inputs and outputs of each layout, by the steps at which they come, and what it is good for.
_LAYOUTS = (
    ("one to one", 1, [0], [0], "a photograph, its label"),
    ("one to many", 3, [0], [0, 1, 2], "a photograph, its caption"),
    ("many to one", 3, [0, 1, 2], [2], "a review, its verdict"),
    ("many to many", 4, [0, 1], [2, 3], "a sentence, its translation"),
    ("many to many, in step", 3, [0, 1, 2], [0, 1, 2], "a text, each next character"),
)


def layouts_diagram() -> Diagram:
    """What can go into a recurrent network and what can come out: five layouts.

    >>> layouts_diagram()
    <diagram: Five layouts of inputs and outputs>
    """
    page = Page(420)
    for n, (name, steps, reads, writes, example) in enumerate(_LAYOUTS):
        y = 44 + 84 * n
        page.label(150, y - 10, name, anchor="start")
        page.label(150, y + 10, example, "small", anchor="start")
        before = None
        for x in (74 + 32 * (t - (steps - 1) / 2) for t in range(steps)):
            t = round((x - 74) / 32 + (steps - 1) / 2)
            state = page.box(x, y, kind="source", w=20, h=16)
            if t in reads:
                page.arrow(page.box(x, y + 28, w=20, h=12), state)
            if t in writes:
                page.arrow(state, page.box(x, y - 28, kind="target", w=20, h=12))
            if before:
                page.arrow(before, state, kind="source")
            before = state

    def count(number: int, what: str) -> str:
        return f"{number} {what}" + "s" * (number > 1)

    told = "; ".join(
        f"{name}, {count(len(reads), 'input')} and {count(len(writes), 'output')}"
        f" in {count(steps, 'step')} ({example})"
        for name, steps, reads, writes, example in _LAYOUTS
    )
    return page.finish(
        "Five layouts of inputs and outputs",
        "Five small networks, one below another. In each, states in a row are joined by arrows from"
        f" left to right; inputs enter from below, outputs leave above. They are: {told}.",
    )


def gru_diagram(cell: Any) -> Diagram:
    """The inside of torch's GRU cell: one state, an update gate that mixes, a reset gate.

    Arguments: cell, a GRU cell (weight_ih (3H, E), weight_hh (3H, H), blocks r, z, n). Raises
    ValueError where it has another number of blocks.

    >>> import torch
    >>> gru_diagram(torch.nn.GRUCell(3, 2))
    <diagram: A GRU cell, as torch has it>
    """
    (features, units), page = gates_of(cell, 3), Page(348)
    z = page.box(72, 216, "$z$", "σ", kind="gate", w=42, h=38)
    old = page.box(128, 216, "$W_{hn}$", w=42, h=38)
    r = page.box(190, 216, "$r$", "σ", kind="gate", w=42, h=38)
    n = page.box(262, 156, "$n$", "tanh", kind="source", w=48, h=38)
    keep, plus = page.circle(72, 42, "×"), page.circle(262, 42, "+")
    rest, let_in = page.circle(MIDDLE, 98, "1−", size=30), page.circle(262, 98, "×")
    reset = page.circle(190, 156, "×")
    page.arrow((40, 42), keep, kind="memory", width=2.5)
    page.arrow(keep, plus, kind="memory", width=2.5)
    page.arrow(plus, (294, 42), kind="memory", width=2.5)
    page.arrow(z, keep, kind="gate")
    page.arrow((72, 98), rest, kind="gate")
    page.arrow(rest, let_in, kind="gate")
    page.arrow(n, let_in, kind="source")
    page.arrow(let_in, plus)
    page.arrow(r, reset, kind="gate")
    page.arrow(old, (128, 156), reset)
    page.arrow(reset, n)
    feed(page, 262, "plain", {62: z, 128: old, 180: r})  # the state's line, the word's below it
    feed(page, 292, "source", {82: z, 200: r, 262: n})
    page.arrow((40, 262), (180, 262), head=False)
    page.arrow((40, 292), (262, 292), kind="source", head=False)
    page.label(20, 42, "$h_{t−1}$")
    page.label(310, 42, "$h_t$")
    page.label(20, 262, "$h_{t−1}$")
    page.label(24, 292, "$x_t$")
    from_input, from_hidden = map(shape_of, matrices(cell))
    page.label(60, 314, f"weight_ih {from_input}", "small", anchor="start")
    page.label(60, 330, f"weight_hh {from_hidden}: r, z, n", "small", anchor="start")
    return page.finish(
        "A GRU cell, as torch has it",
        f"A GRU cell with {features} numbers in and {units} units. Along the top a thick line, the"
        " state, runs from h t−1 to h t: it is multiplied by the update gate z, and the candidate n"
        " times 1 − z is added. The candidate goes through tanh; it is made from x t and from"
        " W hn h t−1 times the reset gate r. Both gates go through σ and are fed x t and h t−1.",
    )


def feed(page: Page, y: Number, kind: str, boxes: Mapping[int, Node]) -> None:
    """Arrows from the line at height y up to boxes, at the places given."""
    for x, box in boxes.items():
        page.arrow((x, y), Node(x, box.y, 0, box.h), kind=kind)


def bidirectional_diagram(states: Any, words: Sequence[str]) -> Diagram:
    """A reader of both directions: the states of each word, and how they are joined.

    Arguments: states (S, 2H), [→h_j ; ←h_j] of two to four words; words, S labels. Raises
    ValueError where there is not one row of states a word, or no two halves.

    >>> import torch
    >>> bidirectional_diagram(torch.zeros(2, 8), ["나는", "갔다"]).title
    'Reading both ways'
    """
    at_most("words", words, 4, 2)
    if len(states.shape) != 2 or len(states) != len(words) or states.shape[1] % 2:
        raise ValueError(f"states must have shape ({len(words)}, 2H), got {shape_of(states)}")
    page, units = Page(262), states.shape[1] // 2
    ahead, back = [], []
    for j, (x, word) in enumerate(zip(columns(len(words), 48, 282), words), 1):
        ahead.append(page.box(x, 62, f"$h_{j}$", kind="source", h=40))
        page.label(x, 126, Word(word), room=54)
        back.append(page.box(x, 190, f"$h_{j}$", kind="target", h=40))
        page.label(x - 2, 49, "→", "small")
        page.label(x - 2, 177, "←", "small")
        page.arrow((x, 112), ahead[-1])
        page.arrow((x, 140), back[-1])
        page.frame(ahead[-1], back[-1], pad=7)
        page.label(x, 24, f"$h_{j}$")
    for state, following in zip(ahead, ahead[1:]):
        page.arrow(state, following, kind="source")
    for state, following in zip(back, back[1:]):
        page.arrow(following, state, kind="target")
    page.label(MIDDLE, 246, f"{units} + {units} = {2 * units} numbers per word", "small")
    return page.finish(
        "Reading both ways",
        f"{len(words)} words in a row: {' '.join(words)}. Above them a chain of forward states"
        " whose arrows lead from left to right, below them a chain of backward states whose arrows"
        " lead from right to left. A dashed frame joins the two states of each word to h j,"
        f" {units} + {units} = {2 * units} numbers.",
    )
