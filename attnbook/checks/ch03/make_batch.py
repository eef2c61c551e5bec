"""Exercise 3.3: ``make_batch``."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
from torch.nn import functional as F

from attnbook.checks.shared import Inputs
from attnbook.exercises import Call, Exercise
from attnlib import data
from attnlib.data import BOS, EOS, PAD


def make_batch(src: Any, tgt: Any) -> Any:
    """→ (src (B, S), src_mask, tgt_in (B, T) = BOS + y, tgt_out (B, T) = y + EOS, tgt_mask)."""
    source, source_mask = data.pad([[*sentence, EOS] for sentence in src])
    tgt_in, tgt_mask = data.pad([[BOS, *sentence] for sentence in tgt])
    tgt_out, _ = data.pad([[*sentence, EOS] for sentence in tgt])
    return source, source_mask, tgt_in, tgt_out, tgt_mask


def _pairs() -> Inputs:
    yield {"src": [[10, 11]], "tgt": [[20]]}
    yield {"src": [[10], [12, 11]], "tgt": [[20], [21, 22, 23]]}
    yield {"src": [[9, 8, 7], [6, 5, 10, 11], [4]], "tgt": [[14, 15], [16], [17, 18, 19]]}


def _ended(sentence: Any) -> Any:
    return [*sentence, EOS]


def _begun(sentence: Any) -> Any:
    return [BOS, *sentence]


def _whole(sentence: Any) -> Any:
    return [BOS, *sentence, EOS]


def _row(name: str, column: int, sentences: str, marked: Any) -> Callable[[Call], str | None]:
    """A rule: every row is its sentence with the special token, and then padding."""

    def rule(call: Call) -> str | None:
        for sentence, row in zip(call.arguments[sentences], call.result[column].tolist()):
            wanted = marked(sentence)
            wanted += [PAD] * (len(row) - len(wanted))
            if row != wanted:
                return f"A row of {name} is {row}, where {wanted} is expected ({_KEY})."
        return None

    return rule


_KEY = f"PAD is {PAD}, BOS {BOS}, EOS {EOS}"


def _masks(call: Call) -> str | None:
    for name, table, mask in (("src", 0, 1), ("tgt_in", 2, 4)):
        for row, real, right in zip(*(call.result[i] for i in (table, mask)), call.expected[mask]):
            if not torch.equal(real, right):
                return (
                    f"Beside the row {row.tolist()} of {name} stands the mask "
                    f"{real.int().tolist()}; {int(right.sum())} of its tokens are real."
                )
    return None


def _marked(source: Any = _ended, goes_in: Any = _begun, out: Any = _ended) -> Any:
    """A batch whose sentences get other special tokens."""

    def wrong(src: Any, tgt: Any) -> Any:
        tgt_in, tgt_mask = data.pad([goes_in(sentence) for sentence in tgt])
        tgt_out, _ = data.pad([out(sentence) for sentence in tgt])
        return *data.pad([source(sentence) for sentence in src]), tgt_in, tgt_out, tgt_mask

    return wrong


def _target(made: Any) -> Any:
    """A batch whose tgt_in, tgt_out and mask are made otherwise."""
    return lambda src, tgt: (*make_batch(src, tgt)[:2], *made(tgt))


def _target_mask(made: Any) -> Any:
    return lambda src, tgt: (*make_batch(src, tgt)[:4], made(tgt))


def _chosen(*chosen: int) -> Any:
    """Of the five right tensors these, in this order."""
    return lambda src, tgt: tuple(make_batch(src, tgt)[i] for i in chosen)


def _whole_mask(tgt: Any) -> Any:
    return data.pad([_whole(sentence) for sentence in tgt])[1]


def _cut(columns: slice) -> Any:
    """Shifted in the padded table, with these columns of its mask."""

    def made(tgt: Any) -> Any:
        table, mask = data.pad([_whole(sentence) for sentence in tgt])
        return table[:, :-1], table[:, 1:], mask[:, columns]

    return made


def _behind_padding(tgt: Any) -> Any:
    words, real = data.pad(tgt)
    tgt_in, tgt_out = F.pad(words, (1, 0), value=BOS), F.pad(words, (0, 1), value=EOS)
    return tgt_in, tgt_out, F.pad(real, (1, 0), value=True)


NO_END = "The source has no EOS. The encoder should see where the sentence stops."
EXCHANGED = "BOS and EOS are exchanged: a sentence begins with BOS and ends with EOS."
SAME_ROW = (
    "Input and goal are the same row: the decoder would learn to copy the word it has just been "
    "given. The goal is shifted by one."
)
NO_GOAL_END = "The goal has no EOS: nobody tells this model to stop."
NEITHER = (
    "Neither target row has its special token: BOS in front of tgt_in, EOS at the end of tgt_out."
)
# Made of a source before padding:
SOURCES: dict[str, Any] = {
    NO_END: list,
    "The source begins with BOS. It needs EOS only: BOS is there to start the decoder.": _whole,
    "The source has BOS in front and no EOS at its end. It needs EOS only.": _begun,
    "The source ends with BOS. EOS says where a sentence stops.": lambda source: [*source, BOS],
}
# tgt_in and tgt_out, made of a target before padding:
TARGETS: dict[str, Any] = {
    "tgt_in and tgt_out are exchanged: BOS is fed, EOS is predicted.": (_ended, _begun),
    SAME_ROW: (_begun, _begun),
    "Input and goal are the same row, and it has no BOS: with what would the decoder begin?": (
        (_ended, _ended)
    ),
    "Both target rows hold BOS and EOS: each has one of the two, which makes them equally long and "
    "shifted by one.": (_whole, _whole),
    "tgt_in holds EOS as well: after the end there is nothing to predict.": (_whole, _ended),
    "tgt_out holds BOS as well: nobody predicts the start, it is given.": (_begun, _whole),
    NO_GOAL_END: (_begun, list),
    "tgt_in has no BOS: with what would the decoder begin?": (list, _ended),
    NEITHER: (list, list),
    "The goal skips the first word: after BOS the decoder should predict it.": (
        (_begun, lambda target: [*target[1:], EOS])
    ),
}
CUT = (
    "Short rows feed EOS to the decoder: the last column was cut off after the padding, and only "
    "the longest sentence has its EOS there. Shift each sentence before you pad."
)
TARGET_MASKS: dict[str, Any] = {
    "The target's mask marks one position too many in short rows: it is that of BOS, words and EOS "
    "together. Each of the two tables has only one of the two.": (
        lambda tgt: _whole_mask(tgt)[:, :-1]
    ),
    "The target's mask is one column too wide: it is that of BOS, words and EOS together.": (
        _whole_mask
    ),
    "The target's mask is that of the bare sentences, one column short: BOS (and EOS) count.": (
        lambda tgt: data.pad(tgt)[1]
    ),
    "The target's mask is the wrong way round: True marks a real token.": (
        lambda tgt: ~data.pad([_begun(sentence) for sentence in tgt])[1]
    ),
}
ORDER = "The order of the five tensors is another: src, src_mask, tgt_in, tgt_out, tgt_mask."

CHECK = Exercise(
    "make_batch",
    reference=make_batch,
    inputs=_pairs,
    rules={
        "a source is its sentence and EOS": _row("src", 0, "src", _ended),
        "the decoder is fed BOS and the sentence": _row("tgt_in", 2, "tgt", _begun),
        "predicted are the sentence and EOS": _row("tgt_out", 3, "tgt", _ended),
        "the masks mark what is real": _masks,
    },
    mistakes=[
        *((told, _marked(source)) for told, source in SOURCES.items()),
        *((told, _marked(_ended, *marks)) for told, marks in TARGETS.items()),
        (NO_GOAL_END, _marked(_ended, lambda target: [BOS, *target[:-1]], list)),
        *(
            (f"{NO_END} And of the target: {told}", _marked(list, *TARGETS[told]))
            for told in (SAME_ROW, NO_GOAL_END, NEITHER)
        ),
        (
            f"{NO_END} And of the target: {NO_GOAL_END}",
            _marked(list, lambda target: [BOS, *target[:-1]], list),
        ),
        (
            "All three tables hold BOS and EOS. The source needs EOS, tgt_in BOS, tgt_out EOS.",
            _marked(_whole, _whole, _whole),
        ),
        *(
            (EXCHANGED, _marked(source, lambda tgt: [EOS, *tgt], lambda tgt: [*tgt, BOS]))
            for source in (_ended, lambda src: [*src, BOS])
        ),
        (CUT, _target(_cut(slice(-1)))),
        (CUT, _target(_cut(slice(1, None)))),
        (
            "EOS stands behind the padding of short rows in tgt_out. It follows the last word: put "
            "it on the sentence before you pad.",
            _target(_behind_padding),
        ),
        *((told, _target_mask(made)) for told, made in TARGET_MASKS.items()),
        (
            "EOS stands behind the padding of short sources. It belongs to the sentence: put it "
            "there before you pad.",
            lambda src, tgt: (
                F.pad(data.pad(src)[0], (0, 1), value=EOS),
                F.pad(data.pad(src)[1], (0, 1), value=True),
                *make_batch(src, tgt)[2:],
            ),
        ),
        (
            "The source's mask is that of the bare sentences: EOS is a real token, too.",
            lambda src, tgt: (
                make_batch(src, tgt)[0],
                data.pad(src)[1],
                *make_batch(src, tgt)[2:],
            ),
        ),
        ("The last tensor is missing: the mask of the two target tables.", _chosen(0, 1, 2, 3)),
        ("The masks are missing: five tensors are asked for.", _chosen(0, 2, 3)),
        (
            "Each table has a mask here, six tensors. One mask serves tgt_in and tgt_out.",
            _chosen(0, 1, 2, 4, 3, 4),
        ),
        (ORDER, _chosen(0, 2, 3, 1, 4)),
        (ORDER, _chosen(0, 1, 2, 4, 3)),
        (ORDER, _chosen(2, 3, 4, 0, 1)),
        (ORDER, _chosen(0, 2, 1, 3, 4)),
        (
            "Both masks are the wrong way round: True marks a real token.",
            lambda src, tgt: tuple(
                ~part if part.dtype == torch.bool else part for part in make_batch(src, tgt)
            ),
        ),
    ],
)
