"""The five scores of attention side by side: how a query and a key become one number."""

from collections.abc import Mapping
from typing import Any

from attnlib.checks import Number

from .cells import at_most
from .diagram import WIDTH, Diagram
from .page import Node, Page

_ALT_TEXTS = {
    "dot": "s and h meet in a dot product, number times number, and the sum",
    "scaled_dot": "s and h meet in a dot product, which is divided by √H",
    "general": "h passes the matrix W a and meets s in a dot product",
    "concat": "s and h are put end to end and pass one matrix W a, a tanh and the row v a",
    "additive": "s passes W a and h passes U a, both are added and pass a tanh and the row v a",
}
_APART = 16  # of a query and its key, from the middle of their column


def scores_diagram(modules: Mapping[str, Any]) -> Diagram:
    """Scores side by side: what happens to a query and a key, and what of it is learned.

    Arguments: modules, two to five of attnlib's attention modules by kind ("dot", "scaled_dot",
    "general", "concat", "additive"); their parameters are counted. Raises ValueError for another
    kind, fewer or more, or what is no such module.

    >>> from attnlib.model import DotAttention, GeneralAttention
    >>> modules = {"dot": DotAttention(8, 8), "general": GeneralAttention(8, 8)}
    >>> scores_diagram(modules).alt[-24:]
    'dot product; 64 learned.'
    """
    at_most("modules", modules, 5, 2)
    page, descriptions = Page(318), []
    for n, (kind, module) in enumerate(modules.items()):
        x, num_parameters = WIDTH * (n + 0.5) / len(modules), _count_parameters(kind, module)
        page.label(x, 14, kind.replace("_", " "), "small")
        score = page.box(x, 46, "$e_{tj}$", kind="attention", w=40, h=28)
        page.arrow(_wired(page, kind, x), score, kind="attention")
        page.label(x, 289, f"{num_parameters:,}", "small")
        page.label(x, 305, "learned", "small")
        descriptions.append(
            f"{kind.replace('_', ' ')}: {_ALT_TEXTS[kind]}; {num_parameters:,} learned"
        )
    return page.finish(
        "From a query and a key to a score",
        "Below stand a query s t and a key h j, above the score e tj, a column for each kind. "
        + ". ".join(descriptions)
        + ".",
    )


def _count_parameters(kind: str, module: Any) -> int:
    """How many numbers of a module are learned."""
    if kind not in _ALT_TEXTS:
        raise ValueError(f"modules must be of the kinds {', '.join(_ALT_TEXTS)}, got {kind!r}")
    if not hasattr(module, "query_size"):
        raise ValueError(f"modules must be attention modules, got {type(module).__name__}")
    return sum(parameter.numel() for parameter in module.parameters())


def _wired(page: Page, kind: str, x: Number) -> Node:
    """The wires of a column, from the query and the key up to what gives the score."""
    query = page.box(x - _APART, 254, "$s_t$", kind="target", w=28, h=30)
    key = page.box(x + _APART, 254, "$h_j$", kind="source", w=28, h=30)
    if kind in ("concat", "additive"):
        return _network(page, kind, query, key)
    if kind == "general":
        matrix = page.box(key.x, 204, "$W_a$", kind="gate", w=28, h=28)
        page.arrow(key, matrix, kind="source")
        key = matrix
    met = page.box(x, 150, "×, Σ", w=58, h=26)  # number times number, and the sum
    page.arrow(query, met, kind="target")
    page.arrow(key, met, kind="source")
    if kind != "scaled_dot":
        return met
    divided = page.box(x, 100, "÷√H", w=40, h=26)
    page.arrow(met, divided)
    return divided


def _network(page: Page, kind: str, query: Node, key: Node) -> Node:
    """A layer with one matrix or with two, the tanh, and the row that makes one number."""
    x = (query.x + key.x) / 2
    if kind == "concat":
        joined = page.box(x, 210, "$[s_t;h_j]$", w=58, h=26)
        page.arrow(query, joined, kind="target")
        page.arrow(key, joined, kind="source")
        below = page.box(x, 168, "$W_a$", kind="gate", w=58, h=26)
        page.arrow(joined, below)
    else:
        below = page.box(x, 168, "+", w=58, h=26)
        for part, name, of in ((query, "$W_a$", "target"), (key, "$U_a$", "source")):
            matrix = page.box(part.x, 210, name, kind="gate", w=28, h=26)
            page.arrow(part, matrix, kind=of)
            page.arrow(matrix, below, kind=of)
    bent = page.box(x, 128, "tanh", w=44, h=24)
    page.arrow(below, bent)
    row = page.box(x, 90, "$v_a$", kind="gate", w=44, h=24)
    page.arrow(bent, row)
    return row
