"""Views of attention between two sentences: step by step, and as it is learned."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from attnlib.figures import Array, as_weights

from ..figures.diagrams.page import numbers, softmax
from .still import table
from .view import View, counted, finish, rounded, significant


def attention_steps_view(
    scores: Array,
    values: Array,
    src_tokens: Sequence[str],
    tgt_tokens: Sequence[str],
    *,
    title: str = "Attention, step by step",
    verb: str | None = None,
) -> View:
    """How each target word gets its context: scores e_tj → softmax → weights α_tj → Σ_j α_tj v_j.

    A slider walks through the steps of the decoder, three buttons through the parts of a step, and
    Play through all of it. Of the values and the context the first twelve numbers are shown.

    Arguments: scores (T, S), −inf where a key may not be attended; values (S, H), of which the
    context is the weighted sum; src_tokens, S labels; tgt_tokens, T labels, what each step writes;
    verb, what a target word does at its step where nothing is written, "asks" in self-attention.
    Returns the View. Raises ValueError where shapes disagree, a number is not finite or a step has
    no key to attend.

    >>> view = attention_steps_view([[0.0, 1.0]], [[1.0], [2.0]], ["나는", "갔다"], ["went"])
    >>> view.alt
    'Scores, a softmax and a weighted sum for each of 1 step of a decoder. Largest weights: “went”
    on “갔다” (0.73).'
    """
    array = np.asarray(scores.detach().cpu() if hasattr(scores, "detach") else scores, dtype=float)
    open_to = ~np.isneginf(array)
    shape = (len(tgt_tokens), len(src_tokens))
    known = numbers("scores", np.where(open_to, array, 0), *shape)
    if not open_to.any(axis=1).all():
        row = int((~open_to.any(axis=1)).argmax())
        raise ValueError(f"scores must leave each step a key, got only −inf at step {row}")
    vectors = numbers("values", values, len(src_tokens), None)
    weights = np.array([softmax(row) for row in np.where(open_to, known, -np.inf)])
    data = {
        **{"src": list(src_tokens), "tgt": list(tgt_tokens), "units": vectors.shape[1]},
        "scores": rounded(np.where(open_to, known, np.nan), 3),
        "values": significant(vectors[:, :12]),
        **({"verb": verb} if verb else {}),
    }
    steps = counted(len(tgt_tokens), "step")
    whose = "" if verb else " of a decoder"
    alt = f"Scores, a softmax and a weighted sum for each of {steps}{whose}."
    alt += f" Largest weights: {_largest_weights(weights, src_tokens, tgt_tokens)}."
    still = table(title, alt, tgt_tokens, src_tokens, weights)
    summary = f"attention steps view: {steps}, {counted(len(src_tokens), 'source word')}"
    return finish("steps", data, title, alt, summary, still)


def _largest_weights(array: np.ndarray, src: Sequence[str], tgt: Sequence[str]) -> str:
    """In words, the source word with the largest weight of each target word."""
    pairs = zip(tgt, array, array.argmax(axis=1))
    return ", ".join(f"“{word}” on “{src[j]}” ({row[j]:.2f})" for word, row, j in pairs)


def learning_view(
    records: Sequence[Mapping[str, Any]],
    src_tokens: Sequence[str],
    *,
    title: str = "A translator learns to speak",
    alt: str | None = None,
) -> View:
    """One source sentence after every so many updates: the translation, and where it looks.

    A slider walks through the training while the heat map crystallizes, another through the words
    of the translation; Play walks by itself.

    Arguments: records, in the order of training, each a dictionary:

    - ``step``: an int, how many updates were made
    - ``tokens``: the T tokens of the translation at that time; T may be 0
    - ``weights``: (T, S), or (T + 1, S) where the last row is the end mark's, which is left out
    - ``note``: a short text beside it, "loss 2.31" say; it may be missing

    src_tokens, S labels; alt, the alternative text (None: the first and
    the last translation). Returns the View. Raises ValueError where shapes disagree, a weight is
    outside [0, 1], a key is missing or the steps do not grow.

    >>> one = {"step": 100, "tokens": ["I"], "weights": [[0.5, 0.5]]}
    >>> two = {"step": 300, "tokens": ["I", "went"], "weights": [[0.9, 0.1], [0.2, 0.8]]}
    >>> learning_view([one, two], ["나는", "갔다"])
    <learning view: 2 records, 100 to 300 updates>
    """
    shots = [_shot(n, record, src_tokens) for n, record in enumerate(records)]
    steps = [shot["step"] for shot in shots]
    if not shots or any(a >= b for a, b in zip(steps, steps[1:])):
        raise ValueError(f"records must be one or more with growing steps, got {steps}")
    first, last = shots[0], shots[-1]
    if alt is None:
        alt = (
            f"The translation of “{' '.join(src_tokens)}” in {counted(len(shots), 'record')}. After"
            f" {first['step']:,} updates: “{' '.join(first['tgt'])}”; after {last['step']:,}:"
            f" “{' '.join(last['tgt'])}”. The picture shows the weights after {last['step']:,}."
        )
    rows = last["tgt"] or ["(nothing)"]
    weights = np.array(last["weights"]) / 100 if last["tgt"] else np.zeros((1, len(src_tokens)))
    still = table(title, alt, rows, src_tokens, weights)
    data = {"src": list(src_tokens), "unit": "updates", "shots": shots}
    span = f"{first['step']:,} to {last['step']:,} updates"
    summary = f"learning view: {counted(len(shots), 'record')}, {span}"
    return finish("learning", data, title, alt, summary, still)


def _shot(n: int, record: Mapping[str, Any], src_tokens: Sequence[str]) -> dict[str, Any]:
    """A record of a translation as it stands on the page."""
    if missing := {"step", "tokens", "weights"} - record.keys():
        raise ValueError(f"records[{n}] must have the key {min(missing)!r}, got {dict(record)}")
    tokens, weights = list(record["tokens"]), record["weights"]
    rows: list = []
    if tokens:
        if len(weights) == len(tokens) + 1:
            weights = weights[:-1]  # the row of the end mark
        shares, *_ = as_weights(weights, src_tokens, tokens, None)
        rows = (100 * shares).round().astype(int).tolist()  # percent: many records fit on a page
    shot = {"step": int(record["step"]), "tgt": tokens, "weights": rows}
    return shot | ({"note": str(record["note"])} if record.get("note") else {})
