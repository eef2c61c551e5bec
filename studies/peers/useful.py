"""Useful operations: what the matrix products of an update must cost, padding not counted."""

from collections.abc import Iterable

from .program import Work


def lstm_flops(batch: int, steps: int, width: int) -> int:
    """nn.LSTM(width, width) forward and backward: 3 · 2 · B · T · 4 · 2 · width².

    A product of n multiplications and additions counts 2 n, and goes once forward and twice
    backward (the gradients of its two factors).

    >>> lstm_flops(1, 1, 1)
    48
    """
    return 3 * 2 * batch * steps * 4 * 2 * width**2


def update_flops(work: Work, lengths: Iterable[tuple[int, int]]) -> int:
    """Useful operations of an update on sentences of (S, T) real tokens, EOS included.

    Three times (forward, and backward for both factors) two times (multiply, add) the sum of

    - encoder: S · g · (E·M + M·M/d), g gates (4 for an LSTM, 3 for a GRU) and d directions of M/d;
    - first state of the decoder: M · states · H (an LSTM has two);
    - keys: S · M · A, once a sentence (nothing for the scores dot and scaled_dot);
    - queries of an additive score: T · H · A, and its sum over A: T · S · A;
    - scores of the others, T · S · H, and contexts, T · S · M;
    - decoder: T · g · (I + H) · H, I = E, with the fed vector (O) or the context (M) beside it;
    - s̃: T · (M + H) · O, or Bahdanau's maxout: T · (H + E + M) · 2 O;
    - output layer: T · O · V.

    Elementwise work (gates, softmax, loss, Adam) is not counted.

    >>> work = Work(9, 7, embedding=1, hidden=2, output=2, score="dot")
    >>> update_flops(work, [(1, 1)])  # 6 · (4·(2 + 2) + 2·4 + 2 + 2 + 4·(1 + 2)·2 + 8 + 14)
    444
    """
    e, h, m, o = work.embedding, work.hidden, work.hidden, work.output
    bahdanau = work.decoder == "bahdanau"
    gates, ways, states = (3, 1, 1) if bahdanau else (4, 2, 2)
    additive = work.score in ("concat", "additive")
    inner = 0 if work.score in ("dot", "scaled_dot") else h  # A: of the keys' projection
    read = e + (m if bahdanau else o if work.feeding else 0)
    total = 0
    for s, t in lengths:
        encoder = s * gates * (e * m + m * m // ways) + m * states * h + s * m * inner
        attention = t * s * (inner if additive else h) + t * s * m + t * h * inner * additive
        features = t * (h + e + m) * 2 * o if bahdanau else t * (m + h) * o
        decoder = t * gates * (read + h) * h + features + t * o * work.tgt_size
        total += encoder + attention + decoder
    return 3 * 2 * total
