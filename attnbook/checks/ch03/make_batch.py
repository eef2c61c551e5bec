"""Exercise 3.3: ``make_batch``."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor

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


Pairs = list[list[int]]
Marked = Callable[[list[int]], list[int]]


def _pairs() -> Inputs:
    yield {"src": [[10, 11]], "tgt": [[20]]}
    yield {"src": [[10], [12, 11]], "tgt": [[20], [21, 22, 23]]}
    yield {"src": [[9, 8, 7], [6, 5, 10, 11], [4]], "tgt": [[14, 15], [16], [17, 18, 19]]}


def _source(marked: Marked) -> Callable[[Pairs], tuple[Tensor, Tensor]]:
    return lambda src: data.pad([marked(s) for s in src])


def _target(goes_in: Marked, out: Marked) -> Callable[[Pairs], tuple[Tensor, ...]]:
    """tgt_in, tgt_out and the mask of tgt_in."""

    def target(tgt: Pairs) -> tuple[Tensor, ...]:
        tgt_in, tgt_mask = data.pad([goes_in(t) for t in tgt])
        return tgt_in, data.pad([out(t) for t in tgt])[0], tgt_mask

    return target


def _ended(s: list[int]) -> list[int]:
    return [*s, EOS]


def _begun(s: list[int]) -> list[int]:
    return [BOS, *s]


def _whole(s: list[int]) -> list[int]:
    return [BOS, *s, EOS]


def _bare(s: list[int]) -> list[int]:
    return list(s)


_right_source, _right_target = _source(_ended), _target(_begun, _ended)

NO_END = "The source has no EOS. The encoder should see where the sentence stops."
SOURCES: dict[str, Callable[[Pairs], tuple[Tensor, ...]]] = {
    NO_END: _source(_bare),
    "The source begins with BOS. It needs EOS only: BOS is there to start the decoder.": _source(
        _whole
    ),
    "The source has BOS in front and no EOS at its end. It needs EOS only.": _source(_begun),
    "The source ends with BOS. EOS says where a sentence stops.": _source(lambda s: [*s, BOS]),
    "EOS stands behind the padding of short sources. It belongs to the sentence: put it there "
    "before you pad.": lambda src: (
        torch.cat([data.pad(src)[0], torch.full((len(src), 1), EOS)], 1),
        torch.cat([data.pad(src)[1], torch.ones(len(src), 1).bool()], 1),
    ),
    "The source's mask is that of the bare sentences: EOS is a real token, too.": lambda src: (
        _right_source(src)[0],
        data.pad(src)[1],
    ),
}


def _cut(tgt: Pairs, *columns: slice) -> tuple[Tensor, ...]:
    """Shifted in the padded table."""
    table, mask = data.pad([_whole(t) for t in tgt])
    return table[:, :-1], table[:, 1:], *(mask[:, column] for column in columns)


def _behind_padding(tgt: Pairs) -> tuple[Tensor, ...]:
    words, real = data.pad(tgt)
    rows = len(tgt)
    tgt_in = torch.cat([torch.full((rows, 1), BOS), words], 1)
    mask = torch.cat([torch.ones(rows, 1).bool(), real], 1)
    return tgt_in, torch.cat([words, torch.full((rows, 1), EOS)], 1), mask


def _with_mask(mask: Callable[[Pairs], Tensor]) -> Callable[[Pairs], tuple[Tensor, ...]]:
    return lambda tgt: (*_right_target(tgt)[:2], mask(tgt))


CUT = (
    "Short rows feed EOS to the decoder: the last column was cut off after the padding, and only "
    "the longest sentence has its EOS there. Shift each sentence before you pad."
)
WIDE = (
    "The target's mask marks one position too many in short rows: it is that of BOS, words and "
    "EOS together. Each of the two tables has only one of the two."
)
TARGETS: list[tuple[str, Callable[[Pairs], tuple[Tensor, ...]]]] = [
    (CUT, lambda tgt: _cut(tgt, slice(-1))),
    (CUT, lambda tgt: _cut(tgt, slice(1, None))),
    ("tgt_in and tgt_out are exchanged: BOS is fed, EOS is predicted.", _target(_ended, _begun)),
    (
        "BOS and EOS are exchanged: a sentence begins with BOS and ends with EOS.",
        _target(lambda t: [EOS, *t], lambda t: [*t, BOS]),
    ),
    (
        "Input and goal are the same row: the decoder would learn to copy the word it has just "
        "been given. The goal is shifted by one.",
        _target(_begun, _begun),
    ),
    (
        "Input and goal are the same row, and it has no BOS: with what would the decoder begin?",
        _target(_ended, _ended),
    ),
    (
        "Both target rows hold BOS and EOS: each has one of the two, which makes them equally "
        "long and shifted by one.",
        _target(_whole, _whole),
    ),
    (
        "tgt_in holds EOS as well: after the end there is nothing to predict.",
        _target(_whole, _ended),
    ),
    (
        "tgt_out holds BOS as well: nobody predicts the start, it is given.",
        _target(_begun, _whole),
    ),
    (
        "The goal has no EOS: nobody tells this model to stop.",
        _target(lambda t: [BOS, *t[:-1]], _bare),
    ),
    ("The goal has no EOS: nobody tells this model to stop.", _target(_begun, _bare)),
    ("tgt_in has no BOS: with what would the decoder begin?", _target(_bare, _ended)),
    ("Neither target row has its special token: BOS in front of tgt_in, EOS at the end of "
     "tgt_out.", _target(_bare, _bare)),
    (
        "The goal skips the first word: after BOS the decoder should predict it.",
        _target(_begun, lambda t: [*t[1:], EOS]),
    ),
    (
        "EOS stands behind the padding of short rows in tgt_out. It follows the last word: put it "
        "on the sentence before you pad.",
        _behind_padding,
    ),
    (WIDE, _with_mask(lambda tgt: data.pad([_whole(t) for t in tgt])[1][:, :-1])),
    (
        "The target's mask is one column too wide: it is that of BOS, words and EOS together.",
        _with_mask(lambda tgt: data.pad([_whole(t) for t in tgt])[1]),
    ),
    (
        "The target's mask is that of the bare sentences, one column short: BOS (and EOS) count.",
        _with_mask(lambda tgt: data.pad(tgt)[1]),
    ),
    (
        "The target's mask is the wrong way round: True marks a real token.",
        _with_mask(lambda tgt: ~_right_target(tgt)[2]),
    ),
]  # fmt: skip


def _joined(
    source: Callable[[Pairs], tuple[Tensor, ...]], target: Callable[[Pairs], tuple[Tensor, ...]]
) -> Callable[..., Any]:
    return lambda src, tgt: (*source(src), *target(tgt))


def _order(*chosen: int) -> Callable[..., Any]:
    return lambda src, tgt: tuple(data.make_batch(src, tgt)[i] for i in chosen)


def _row(name: str, column: int, sentences: str, marked: Marked) -> Callable[[Call], str | None]:
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
        *((told, _joined(of, _right_target)) for told, of in SOURCES.items()),
        *((told, _joined(_right_source, of)) for told, of in TARGETS),
        *(
            (f"{NO_END} And of the target: {told}", _joined(SOURCES[NO_END], of))
            for told, of in TARGETS
            if told.startswith(("Input and goal are the same row: ", "The goal has", "Neither"))
        ),
        (
            "BOS and EOS are exchanged: a sentence begins with BOS and ends with EOS.",
            lambda src, tgt: (
                *_source(lambda s: [*s, BOS])(src),
                *_target(lambda t: [EOS, *t], lambda t: [*t, BOS])(tgt),
            ),
        ),
        (
            "All three tables hold BOS and EOS. The source needs EOS, tgt_in BOS, tgt_out EOS.",
            lambda src, tgt: (*_source(_whole)(src), *_target(_whole, _whole)(tgt)),
        ),
        (
            "The last tensor is missing: the mask of the two target tables.", _order(0, 1, 2, 3)
        ),
        ("The masks are missing: five tensors are asked for.", _order(0, 2, 3)),
        (
            "Each table has a mask here, six tensors. One mask serves tgt_in and tgt_out.",
            _order(0, 1, 2, 4, 3, 4),
        ),
        *(
            (
                "The order of the five tensors is another: src, src_mask, tgt_in, tgt_out, "
                "tgt_mask.",
                _order(*chosen),
            )
            for chosen in ((0, 2, 3, 1, 4), (0, 1, 2, 4, 3), (2, 3, 4, 0, 1), (0, 2, 1, 3, 4))
        ),
        (
            "Both masks are the wrong way round: True marks a real token.",
            lambda src, tgt: tuple(
                ~part if part.dtype == torch.bool else part for part in data.make_batch(src, tgt)
            ),
        ),
    ],
)  # fmt: skip
