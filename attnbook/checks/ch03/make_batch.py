"""Exercise 3.1: ``make_batch``."""

from typing import Any

import torch

from attnbook.checks.inputs import Inputs
from attnbook.exercises import Call, Exercise, Rule
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


def _with_eos(sentence: Any) -> Any:
    return [*sentence, EOS]


def _with_bos(sentence: Any) -> Any:
    return [BOS, *sentence]


def _with_both(sentence: Any) -> Any:
    return [BOS, *sentence, EOS]


def _row(name: str, column: int, sentences: str, marked: Any) -> Rule:
    """A rule: every row is its sentence with the special token, and then padding."""

    def rule(call: Call) -> str | None:
        for sentence, row in zip(call.arguments[sentences], call.result[column].tolist()):
            expected = marked(sentence)
            expected += [PAD] * (len(row) - len(expected))
            if row != expected:
                return (
                    f"A row of {name} is {row}, where {expected} is expected (PAD is {PAD}, BOS "
                    f"{BOS}, EOS {EOS})."
                )
        return None

    return rule


def _masks(call: Call) -> str | None:
    for name, table, mask in (("src", 0, 1), ("tgt_in", 2, 4)):
        for row, real, right in zip(*(call.result[i] for i in (table, mask)), call.expected[mask]):
            if not torch.equal(real, right):
                return (
                    f"The row {row.tolist()} of {name} has the mask "
                    f"{real.int().tolist()}; {int(right.sum())} of its tokens are real."
                )
    return None


def _marked(source: Any = _with_eos, goes_in: Any = _with_bos, out: Any = _with_eos) -> Any:
    """A batch whose sentences get other special tokens."""

    def wrong(src: Any, tgt: Any) -> Any:
        tgt_in, tgt_mask = data.pad([goes_in(sentence) for sentence in tgt])
        tgt_out, _ = data.pad([out(sentence) for sentence in tgt])
        return *data.pad([source(sentence) for sentence in src]), tgt_in, tgt_out, tgt_mask

    return wrong


def _cut(columns: slice) -> Any:
    """Shifted in the padded table, with these columns of its mask."""

    def wrong(src: Any, tgt: Any) -> Any:
        table, mask = data.pad([_with_both(sentence) for sentence in tgt])
        return *make_batch(src, tgt)[:2], table[:, :-1], table[:, 1:], mask[:, columns]

    return wrong


def _tables_first(src: Any, tgt: Any) -> Any:
    source, source_mask, *target, target_mask = make_batch(src, tgt)
    return source, *target, source_mask, target_mask


CHECK = Exercise(
    make_batch,
    inputs=_pairs,
    rules={
        "a source is its sentence and EOS": _row("src", 0, "src", _with_eos),
        "the decoder is fed BOS and the sentence": _row("tgt_in", 2, "tgt", _with_bos),
        "the targets are the sentence and EOS": _row("tgt_out", 3, "tgt", _with_eos),
        "the masks mark what is real": _masks,
    },
    mistakes={
        "The source has no EOS. The encoder should see where the sentence stops.": (
            _marked(source=list)
        ),
        "The source begins with BOS. It needs EOS only: BOS is there to start the decoder.": (
            _marked(source=_with_both)
        ),
        "Both target rows contain BOS and EOS. Each should have only one of the two, so that they "
        "are equally long and shifted by one.": _marked(goes_in=_with_both, out=_with_both),
        "Short rows feed EOS to the decoder: you cut off the last column after padding, but only "
        "the longest sentence has its EOS there. Shift each sentence before you pad.": [
            _cut(slice(-1)),
            _cut(slice(1, None)),
        ],
        "The order of the five tensors should be src, src_mask, tgt_in, tgt_out, tgt_mask.": (
            _tables_first
        ),
    },
)
