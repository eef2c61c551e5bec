"""The Transformer of chapter 11, with a box for each exercise that builds it."""

from collections.abc import Sequence
from typing import Any

from attnlib.checks import Number

from .diagram import Diagram
from .page import Node, Page

_ROW, _BOX = 20.0, 118.0  # height and width of a row of a box
_BOTTOM = 608.0  # where the words stand


def sizes_of(model: Any) -> tuple[int, int, int, int, int, int]:
    """Of a Transformer built as chapter 11 builds it: width, heads, feed-forward width, layers,
    source words, target words. ValueError for another."""
    try:
        (src, size), tgt = model.encoder.embed.weight.shape, model.decoder.embed.weight.shape[0]
        layer = model.encoder.layers[0]
        inner, heads = layer.feed_forward[0].weight.shape[0], layer.self_attn.num_heads
        return size, heads, inner, len(model.encoder.layers), src, tgt
    except (AttributeError, IndexError, TypeError) as problem:
        raise ValueError(
            f"model must be built as in chapter 11, got {type(model).__name__}: {problem}"
        ) from problem


def transformer_diagram(model: Any) -> Diagram:
    """Encoder and decoder of a Transformer: the residual stream, and what reads and adds to it.

    Arguments: model, with an encoder and a decoder that have ``embed`` and ``layers``, each layer
    with ``self_attn`` (its ``num_heads``) and ``feed_forward``, as in chapter 11. Raises ValueError
    for another.
    """
    size, heads, inner, layers, src, tgt = sizes_of(model)
    page = Page(_BOTTOM + 14)
    forward = ("norm", "feed-forward", f"{size} → {inner} → {size}")
    looks = ("norm", "self-attention", f"{heads} heads: ex. 11.2")
    masked = (*looks, "mask: ex. 11.3", "cache: ex. 11.4")
    across = ("norm", "cross-attention", f"{heads} heads: ex. 11.2")
    top, _ = tower(page, "source", src, size, (looks, forward), layers, 0)
    end, boxes = tower(page, "target", tgt, size, (masked, across, forward), layers, 48)
    states = stack(page, 92, boxes[1].y, ["norm"], "source")
    page.arrow(top, (top.x, states.y), states, kind="memory", width=2.5)
    page.arrow(states, boxes[1], kind="source")
    last = stack(page, 238, end.y - 44, ["norm"], "target")
    page.arrow(end, (end.x, last.y), last, kind="memory", width=2.5)
    words = stack(page, 238, last.y - 52, [f"output {size} → {tgt:,}", "next word"], "plain")
    page.arrow(last, words)
    for n, text in enumerate(
        (f"vectors of {size} numbers", "pink: your exercises", "thick: the residual stream")
    ):
        page.label(80, 24 + 20 * n, text, "small")
    return page.finish(
        "The Transformer, exercise by exercise",
        "Two towers, the encoder on the left, the decoder on the right. In each, words are embedded"
        f" ({src:,} and {tgt:,} words, vectors of {size}) and get positions (exercise"
        " 11.1); then a thick line, the residual stream, leads upward, and boxes read from it and"
        f" add to it. The encoder's boxes, {layers} times: self-attention with {heads} heads"
        f" (exercise 11.2) and a feed-forward network {size} → {inner} → {size}. The decoder's"
        f" (exercise 11.5), {layers} times:"
        " self-attention with a mask (exercise 11.3), whose keys and values can be kept"
        " (exercise 11.4), cross-attention, which also reads the encoder's output, and the"
        " feed-forward network. Every box begins with a norm. The last norm leads to the next"
        " word.",
    )


def tower(
    page: Page,
    kind: str,
    words: int,
    size: int,
    sublayers: Sequence[Sequence[str]],
    layers: int,
    lift: Number,
) -> tuple[Node, list[Node]]:
    """Embedding and sublayers of a layer, from the bottom up: (end of the stream, sublayers)."""
    stream, x, label = (314, 238, "words so far") if kind == "target" else (16, 92, "source words")
    page.label(x, _BOTTOM, label, "small")
    rows = (f"embed {words:,} × {size}", "positions: ex. 11.1")
    embed = stack(page, x, _BOTTOM - 31 - _ROW, rows, kind)
    page.arrow((x, _BOTTOM - 9), embed)
    y = embed.top.y - 18
    begin, boxes = y - 8 - lift, list[Node]()
    page.arrow(
        embed.top, (x, y), (stream, y), (stream, begin), kind="memory", width=2.5, head=False
    )
    y = begin
    for sublayer in sublayers:
        box = stack(page, x, y - 24 - _ROW * len(sublayer) / 2, sublayer, kind)
        plus = page.circle(stream, box.top.y - 9, "+", size=18)
        page.arrow((stream, y), plus, kind="memory", width=2.5)
        page.arrow((stream, y - 10), (x, y - 10), box)
        page.arrow(box, (x, plus.y), plus)
        boxes.append(box)
        y = plus.top.y
    side = 165 + (85 if kind == "target" else -85)
    page.frame(Node(side, (begin + y) / 2 - 4, 154, begin - y + 8), kind=kind, pad=0)
    page.label(side, y - 20, f"× {layers}" + ": ex. 11.5" * (kind == "target"), "small")
    return Node(stream, y), boxes


def stack(page: Page, x: Number, y: Number, rows: Sequence[str], kind: str) -> Node:
    """A box of several rows, the first at the bottom; an exercise has a color of its own."""
    for n, text in enumerate(rows):
        place = y + (len(rows) / 2 - n - 0.5) * _ROW
        page.strip(x, place, [text], "gate" if "ex." in text else kind, w=_BOX, h=_ROW)
    return Node(x, y, _BOX, _ROW * len(rows))
