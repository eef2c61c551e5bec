"""One step of Bahdanau's decoder and of Luong's, drawn alike so that they can be compared."""

from attnlib.figures import Array

from .cells import at_most
from .diagram import Diagram
from .page import Node, Page, number, numbers

_TITLES = {
    "bahdanau": "Bahdanau: attend, then step",
    "luong": "Luong: step, then attend",
    "input feeding": "Luong with input feeding",
}
_BAHDANAU, _LUONG = (  # where the moments 1, 2 and 3 stand
    ((70, 212), (244, 144), (174, 94)),
    ((128, 184), (206, 212), (282, 94)),
)
_ALT_TEXTS = {
    "bahdanau": "First the old state s t−1 asks. Second the context goes, beside the word before"
    " and the old state, into the new state s t. Third the new state, the word before and the"
    " context go into the deep output.",
    "luong": "First the old state and the word before make the new state s t. Second s t asks."
    " Third context and s t are joined to s̃ t, which goes to the softmax; no arrow leads from the"
    " context to a state.",
    "input feeding": "First the old state, the word before and the s̃ of the step before make the"
    " new state s t. Second s t asks. Third context and s t are joined to s̃ t, which goes to the"
    " softmax, and to the state of the next step.",
}


def decoder_step_diagram(
    order: str, word: Array, state: Array, keys: Array, weights: Array
) -> Diagram:
    """One step of a decoder with attention: who asks, and where the context goes.

    Arguments: order, "bahdanau" (2015), "luong" (2015) or "input feeding" (Luong's §3.3); word
    (E,), the embedding of the word before; state (H,); keys (S, M), two to four; weights (S,), as
    thick as which their arrows are drawn. Raises ValueError for another order, or where shapes
    disagree.

    >>> import torch
    >>> word, state, keys = torch.zeros(6), torch.zeros(5), torch.zeros(2, 8)
    >>> decoder_step_diagram("luong", word, state, keys, torch.tensor([0.9, 0.1]))
    <diagram: Luong: step, then attend>
    """
    if order not in _TITLES:
        raise ValueError(f"order must be one of {', '.join(_TITLES)}, got {order!r}")
    features, units = (len(numbers(n, x, None)) for n, x in (("word", word), ("state", state)))
    table = numbers("keys", keys, None, None)
    at_most("keys", table, 4, 2)
    alpha = numbers("weights", weights, len(table))
    page, early = Page(380), order == "bahdanau"
    old = page.box(54, 160, "$s_{t−1}$", f"({units},)", "target", w=56, h=42)
    new = page.box(190, 160, "$s_t$", f"({units},)", "target", w=56, h=42)
    read = page.box(104, 24, "$y_{t−1}$", f"({features},)", w=62, h=42)
    attention = page.box(140, 262, "scores → softmax → Σ", kind="attention", w=204, h=32)
    context = page.box(298, 262, "$c_t$", f"({table.shape[1]},)", "attention", w=52, h=42)
    name, note = ("deep output", "") if early else ("$s̃_t$", "then softmax")
    out = page.box(250, 24, name, note, w=148, h=42)
    if order == "input feeding":
        page.arrow(read, read := page.circle(104, 88, ";"))
        page.arrow(page.box(40, 88, "$s̃_{t−1}$", kind="attention", w=56, h=30), read)
    page.arrow(read, (104, 152), (new.left.x, 152))
    page.arrow((old.right.x, 168), (new.left.x, 168), kind="target")
    page.arrow(old if early else new, attention, kind="target")
    page.arrow(attention, context, kind="attention")
    page.arrow(context, (298, out.bottom.y), kind="attention")
    page.arrow(new, (190, out.bottom.y), kind="target")
    if early:
        page.arrow((298, 160), new, kind="attention")
        page.arrow(read, out)
    for n, place in enumerate(_BAHDANAU if early else _LUONG, 1):
        page.circle(*place, str(n), "gate", size=20)
    keys_below(page, attention, alpha.tolist())
    listing = ", ".join(number(weight) for weight in alpha)
    return page.finish(
        _TITLES[order],
        f"{len(alpha)} encoder states h at the bottom lead into attention, as thick as their"
        f" weights {listing}, and from there into the context c t. {_ALT_TEXTS[order]} Sizes: word"
        f" {features}, states {units}, context {table.shape[1]}.",
    )


def keys_below(page: Page, attention: Node, weights: list[float]) -> None:
    """The encoder's states below attention, each with its weight and an arrow as thick as that."""
    for j, weight in enumerate(weights):
        x = attention.x + (j - (len(weights) - 1) / 2) * 52
        key = page.box(x, 334, f"$h_{j + 1}$", kind="source", w=42, h=30)
        page.arrow(key, attention, kind="source", width=0.8 + 5 * weight)
        page.label(x, 365, number(weight), "small")
