"""The emblem from chapter 5 on: attention whole, what is fed, what is kept, no recurrence."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from attnlib.checks import Number
from attnlib.figures import Array

from .cells import MIDDLE, at_most
from .diagram import WIDTH, Diagram
from .emblem import PITCH, check_sides, columns, decoder, encoder
from .page import Node, Page, Word, number, numbers, shape_of, softmax


def attention_diagram(
    src: Sequence[str], tgt: Sequence[str], states: Array, decoder_states: Array, scores: Array
) -> Diagram:
    """The emblem in chapter 5, whole: scores → softmax → weights → Σ, for the last target word.

    Arguments: src, two to four source words; tgt, as many target words; states (S, H) and
    decoder_states (T, H); scores (S,) of the last decoder state with each source state, of which
    the weights are made here. Raises ValueError where shapes disagree.

    >>> import torch
    >>> words, states = (["나는", "갔다"], ["I", "went"]), torch.zeros(2, 8)
    >>> drawing = attention_diagram(*words, states, states, torch.tensor([0.0, 2.0]))
    >>> drawing.alt.split(". ")[-1]
    'Weights: 나는 0.12, 갔다 0.88.'
    """
    check_sides(src, tgt, states, decoder_states)
    values = numbers("scores", scores, len(src))
    weights = softmax(values)
    page, t = Page(562), len(tgt)
    page.label(MIDDLE, 12, f"decoder: states {shape_of(decoder_states)}", "small")
    asks = decoder(page, 134, ["<sos>", *tgt[:-1]], tgt, high=98, room=34, onward=False)[-1]
    read = encoder(page, 482, src)
    page.label(MIDDLE, 552, f"encoder: states {shape_of(states)}", "small")
    context = weigh(page, read, values, weights, t)
    join(page, asks, context, t)
    query = (asks.x - 20, asks.bottom.y)
    page.arrow(
        query,
        (query[0], 204),
        (12, 204),
        (12, 418),
        (MIDDLE - PITCH * len(src) / 2, 418),
        kind="target",
    )
    page.label(22, 217, f"query $s_{t}$", anchor="start")
    listing = ", ".join(f"{word} {weight:.2f}" for word, weight in zip(src, weights))
    return page.finish(
        "Encoder, attention, decoder",
        f"Below, the encoder: {len(src)} states h over the words {' '.join(src)}. Above, the"
        f" decoder: {t} states s, which are fed <sos> {' '.join(tgt[:-1])} and predict"
        f" {' '.join(tgt)}. Between them attention for step {t}: the query s {t} comes down on the"
        " left, the keys h come up from below; each pair makes a score; a softmax makes weights of"
        " the scores; the values h come up on the right, and Σ adds them up, each times its weight,"
        f" to the context c {t}. It goes up and is joined with s {t} to s̃ {t}, which predicts. The"
        " steps before have their own s̃, dotted, made in the same way."
        f" Weights: {listing}.",
    )


def weigh(
    page: Page, read: Sequence[Node], scores: np.ndarray, weights: np.ndarray, t: int
) -> Node:
    """Scores, softmax, weights and Σ above the encoder's states; returns the context's box."""
    wide = PITCH * len(read)
    scored = page.strip(MIDDLE, 418, [number(score, 1) for score in scores], w=PITCH)
    soft = page.box(MIDDLE, 370, "softmax", kind="attention", w=wide, h=26)
    shown = [number(weight) for weight in weights]
    page.strip(MIDDLE, 322, shown, "attention", shades=weights.tolist(), w=PITCH)
    total = page.circle(MIDDLE, 272, "Σ", "attention")
    context = page.box(MIDDLE, 226, f"$c_{t}$", kind="attention", w=44, h=28)
    for state, score in zip(read, scored):
        page.arrow(state, score, kind="source")
    row = Node(MIDDLE, 322, wide, 24)
    page.arrow(Node(MIDDLE, 418, wide, 24), soft)
    page.arrow(soft, row, kind="attention")
    page.arrow(row, total, kind="attention")
    page.arrow(total, context, kind="attention")
    around = page.frame(*read, kind="source")
    page.arrow(around.right, (318, around.y), (318, 272), total, kind="source")
    for y, text in ((393, f"scores $e_{{{t}j}}$"), (346, f"weights $α_{{{t}j}}$, sum 1")):
        page.label(MIDDLE + 10, y, text, "small", anchor="start")
    # Of an odd number of states, the arrow of the middle one is in the middle.
    beside = PITCH / 2 * (len(read) % 2)
    page.label(MIDDLE - beside, 448, "keys", "small")
    page.label(310, 288, "values", "small", anchor="end")
    return context


def join(page: Page, state: Node, context: Node, t: int) -> None:
    """The last decoder state and its context joined to s̃_t; the steps before it are faint."""
    joined = page.box(state.x, 84, f"$s̃_{t}$", kind="attention", w=44, h=28)
    page.arrow(state, joined)
    page.arrow(joined, (state.x, 46))
    for n, x in enumerate(columns(t)[:-1], 1):
        before = page.box(x, 84, f"$s̃_{n}$", kind="attention", w=44, h=28, style="faint")
        page.arrow((x, 118), before, style="faint")
        page.arrow(before, (x, 46), style="faint")
    page.arrow(context, (300, context.y), (300, 84), joined, kind="attention")
    page.label(292, 108, "context", "small", anchor="end")


def weighted_mean_diagram(words: Sequence[str], vectors: Any, weights: Any) -> Diagram:
    """What attention computes: the mean of some vectors, each as heavy as its weight.

    Arguments: words, two or three; vectors (n, d), one per word, d at most 3; weights (n,), which
    sum to 1. Raises ValueError where they do not.

    >>> import torch
    >>> vectors = torch.tensor([[0.0, 2.0], [4.0, 2.0]])
    >>> weighted_mean_diagram(["a", "b"], vectors, torch.tensor([0.25, 0.75]))
    <diagram: Attention computes a weighted mean>
    """
    at_most("words", words, 3, 2)
    table = numbers("vectors", vectors, len(words), None)
    shares = numbers("weights", weights, len(words))
    at_most("each vector", table[0], 3)
    if abs(float(shares.sum()) - 1) > 1e-4:
        raise ValueError(f"weights must sum to 1, got {float(shares.sum()):.4f}")
    page, mean = Page(248), shares @ table
    plus = page.circle(MIDDLE, 86, "+", "attention")
    result = page.strip(MIDDLE, 28, [number(x) for x in mean], "attention", w=40)
    page.arrow(plus, Node(MIDDLE, result[0].y, 40, result[0].h), kind="attention")
    page.label(MIDDLE + 24 * len(mean) + 4, 28, "weighted mean", "small", anchor="start")
    pitch = (WIDTH - 10) / len(words)
    for n, (word, vector, share) in enumerate(zip(words, table, shares)):
        x = MIDDLE + (n - (len(words) - 1) / 2) * pitch
        times = page.circle(x, 146, "×", "attention")
        page.label(x + 18, 146, number(share, 3), "small", anchor="start")
        strip = page.strip(x, 196, [number(v, 1) for v in vector], "source", w=34)
        page.arrow(Node(x, strip[0].y, 34, strip[0].h), times, kind="source")
        way = (plus,) if abs(x - MIDDLE) < 1 else ((x, 86), plus)
        page.arrow(times, *way, kind="attention", width=0.8 + 5 * share)
        page.label(x, 228, Word(word), room=pitch - 4)
    terms = ", ".join(
        f"{word} ({', '.join(number(v, 1) for v in vector)}) times {number(share, 3)}"
        for word, vector, share in zip(words, table, shares)
    )
    return page.finish(
        "Attention computes a weighted mean",
        f"{len(words)} words in a row, each with a vector above it. Each vector is multiplied by"
        " its weight, and the products are added up; the larger the weight, the thicker the arrow."
        f" {terms}. The sum, at the top, is ({', '.join(number(x) for x in mean)}).",
    )


def free_running_diagram(gold: Sequence[str], written: Sequence[str]) -> Diagram:
    """The emblem in chapter 7: what the decoder is fed, the right words or its predictions.

    Arguments: gold, two to four words of the right translation; written, as many that the decoder
    wrote. Raises ValueError where their numbers differ or do not fit.

    >>> free_running_diagram(["I", "go", "home"], ["I", "went", "to"])
    <diagram: What the decoder is fed>
    """
    at_most("gold", gold, 4, 2)
    at_most("written", written, len(gold), len(gold))
    page, states = Page(296), list[Node]()
    before = Node(0, 0)
    page.label(MIDDLE, 12, "what the decoder writes", "small")
    for t, (x, word) in enumerate(zip(columns(len(gold)), written), 1):
        state = page.box(x, 96, f"$s_{t}$", kind="target", w=44)
        page.arrow(state, (x, 47))
        if t == 1:
            page.arrow((x, 202), state)
            page.label(x, 214, Word("<sos>"))
        else:
            page.arrow(states[-1], state, kind="target")
            coin = page.circle(x, 156, "?", "gate")
            page.arrow(coin, state)
            page.arrow((x, 202), coin)
            page.label(x, 214, Word(gold[t - 2]), room=62)
            turn = x - PITCH / 2
            page.arrow(before, (turn, 36), (turn, 156), coin, kind="gate", style="faint")
        before = page.label(x, 36, Word(word), room=48)
        states.append(state)
    page.label(MIDDLE, 236, "gold: the right translation", "small")
    box = page.box(MIDDLE, 270, "encoder", w=120, h=30)
    page.arrow(box, (14, 270), (14, 96), states[0], kind="source")
    return page.finish(
        "What the decoder is fed",
        f"{len(gold)} decoder states in a row, the first started by the encoder. Each"
        f" writes a word upward: {' '.join(written)}. From below the first is fed <sos>. Before"
        " every other stands a circle with a question mark, into which two arrows lead: from below"
        f" the gold word ({' '.join(gold[:-1])}), and, dotted, the word that the step before wrote."
        " Training feeds the right word, translating feeds the word just written.",
    )


def no_recurrence_diagram(
    src: Sequence[str], tgt: Sequence[str], states: Array, decoder_states: Array
) -> Diagram:
    """The emblem in chapter 11: the chains are gone, attention and positions are left.

    Arguments: as ``encoder_decoder_diagram`` takes them. Raises ValueError where states are not one
    a word.

    >>> import torch
    >>> states = torch.zeros(2, 8)
    >>> no_recurrence_diagram(["나는", "갔다"], ["I", "went"], states, states)
    <diagram: What is left without recurrence>
    """
    check_sides(src, tgt, states, decoder_states)
    page = Page(530)
    page.label(MIDDLE, 12, f"decoder: vectors {shape_of(decoder_states)}", "small")
    top = side(page, 84, "masked self-attention", ["<sos>", *tgt[:-1]], "target", "s")
    below = side(page, 356, "self-attention", src, "source", "h")
    for state, word in zip(top, tgt):
        page.arrow(state, (state.x, 46))
        page.label(state.x, 36, Word(word), room=62)
    page.label(MIDDLE, 520, f"encoder: vectors {shape_of(states)}", "small")
    cross = page.box(MIDDLE, 284, "attention, as in chapter 5", kind="attention", w=250, h=30)
    for state in below:
        page.arrow(state, cross, kind="source")
    between = below[-1].x - PITCH / 2  # beside the arrows, not on them
    page.label(between, 313, "keys,", "small")
    page.label(between, 327, "values", "small")
    row = page.frame(*top, kind="target")
    page.arrow((row.left.x, 84), (14, 84), (14, 284), cross, kind="target")
    page.arrow(cross, (316, 284), (316, 84), row, kind="attention")
    page.label(22, 250, "queries", "small", anchor="start")
    page.label(308, 250, "contexts", "small", anchor="end")
    return page.finish(
        "What is left without recurrence",
        f"Below, the encoder: the words {' '.join(src)}, to each of which its position is added,"
        " go into one box, self-attention, and come out as states h; no arrow joins one state to"
        f" the next. Above, the decoder in the same form: <sos> {' '.join(tgt[:-1])} plus"
        " positions, self-attention masked to what is written, states s, which predict"
        f" {' '.join(tgt)}. Between them the attention of chapter 5: queries from s, keys and"
        " values from h, contexts back to s.",
    )


def side(
    page: Page, y: Number, how: str, words: Sequence[str], kind: str, symbol: str
) -> list[Node]:
    """Words plus positions, self-attention, and at height y what comes out."""
    xs = columns(len(words))
    attention = page.box(
        MIDDLE,
        y + 54,
        how,
        kind="attention",
        w=PITCH * len(words) - 8 if len(words) == 4 else 232,
        h=28,
    )
    states = []
    for j, (x, word) in enumerate(zip(xs, words), 1):
        states.append(page.box(x, y, f"${symbol}_{j}$", kind=kind, w=44, h=30))
        plus = page.circle(x, y + 98, "+", size=22)
        page.label(x, y + 136, Word(word), room=62)
        page.arrow((x, y + 126), plus)
        page.label(x + 24, y + 98, f"$p_{j}$", "small")
        page.arrow(plus, attention)
        page.arrow(attention, states[-1])
    return states
