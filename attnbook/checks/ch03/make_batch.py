"""Exercise 3.3: ``make_batch``."""

from __future__ import annotations

from collections.abc import Callable

from torch import Tensor

from attnbook.checks.shared import Inputs
from attnbook.exercises import Call, Exercise, Mistake
from attnlib import data
from attnlib.data import BOS, EOS


def _pairs() -> Inputs:
    yield {"src": [[10, 11]], "tgt": [[20]]}
    yield {"src": [[10, 11], [12]], "tgt": [[20], [21, 22, 23]]}
    yield {"src": [[9, 8, 7], [6, 5], [4]], "tgt": [[14, 15], [16, 17], [18]]}


Pairs = list[list[int]]


def _batch(
    src: Pairs, goes_in: Callable[[list[int]], list[int]], out: Callable[[list[int]], list[int]],
    tgt: Pairs, ends: bool = True,
) -> tuple[Tensor, ...]:  # fmt: skip
    source, source_mask = data.pad([[*s, EOS] if ends else s for s in src])
    tgt_in, tgt_mask = data.pad([goes_in(t) for t in tgt])
    tgt_out, _ = data.pad([out(t) for t in tgt])
    return source, source_mask, tgt_in, tgt_out, tgt_mask


def _cut_after_padding(src: Pairs, tgt: Pairs) -> tuple[Tensor, ...]:
    source, source_mask = data.pad([[*s, EOS] for s in src])
    table, mask = data.pad([[BOS, *t, EOS] for t in tgt])
    return source, source_mask, table[:, :-1], table[:, 1:], mask[:, :-1]


def _no_end_is_read(call: Call) -> str | None:
    for row in call.result[2].tolist():
        if EOS in row:
            return (
                f"The decoder is fed {row}: EOS ({EOS}) is among its inputs. After the end there "
                "is nothing to predict. Was the last column cut off after the padding?"
            )
    return None


def _shifted_by_one(call: Call) -> str | None:
    for given, wanted, real in zip(*call.result[2:]):
        before, after = given[real].tolist(), wanted[real].tolist()
        if before[1:] != after[:-1]:
            return (
                f"Fed {before}, to be predicted {after}: what is predicted at one step should be "
                "what is fed at the next."
            )
    return None


CHECK = Exercise(
    "make_batch",
    reference=lambda src, tgt: tuple(data.make_batch(src, tgt)),
    inputs=_pairs,
    rules={
        "the decoder is never fed the end": _no_end_is_read,
        "what is predicted at a step is fed at the next": _shifted_by_one,
    },
    mistakes=[
        Mistake(
            "Short rows feed EOS to the decoder: the last column was cut off after the padding, "
            "and only the longest sentence has its EOS there. Shift each sentence before you pad.",
            _cut_after_padding,
        ),
        Mistake(
            "tgt_in and tgt_out are exchanged: BOS is fed, EOS is predicted.",
            lambda src, tgt: _batch(src, lambda t: [*t, EOS], lambda t: [BOS, *t], tgt),
        ),
        Mistake(
            "Input and goal are the same row: the decoder would learn to copy the word it has just "
            "been given. The goal is shifted by one.",
            lambda src, tgt: _batch(src, lambda t: [BOS, *t], lambda t: [BOS, *t], tgt),
        ),
        Mistake(
            "The source has no EOS. The encoder should see where the sentence stops.",
            lambda src, tgt: _batch(src, lambda t: [BOS, *t], lambda t: [*t, EOS], tgt, ends=False),
        ),
        Mistake(
            "Both target rows hold BOS and EOS: each has one of the two, which makes them equally "
            "long and shifted by one.",
            lambda src, tgt: _batch(src, lambda t: [BOS, *t, EOS], lambda t: [BOS, *t, EOS], tgt),
        ),
        Mistake(
            "The goal has no EOS: nobody tells this model to stop.",
            lambda src, tgt: _batch(src, lambda t: [BOS, *t[:-1]], lambda t: t, tgt),
        ),
    ],
)
