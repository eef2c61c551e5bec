"""The models that multi30k.py compares: recurrent ones with one encoder and seven ways to write
from it, and a Transformer. Run by itself this module does nothing.
"""

import dataclasses
from collections.abc import Callable
from typing import Any

import torch
from torch import nn

from attnlib.model import Seq2Seq, make_seq2seq
from attnlib.presets import Preset

WHAT = {
    "general": "Luong's decoder, general score: the model of the presets",
    "none": "no attention: the last states start the decoder and are part of every input",
    "dot": "Luong's decoder, dot score",
    "concat": "Luong's decoder, concat score",
    "additive": "Luong's decoder, additive score",
    "bahdanau": "Bahdanau's decoder, additive score",
    "feeding": "Luong's decoder, general score, input feeding",
    "transformer": "the Transformer of chapter 11, with one table for both languages",
}
# Decoders and, where it is not 1, their width as a share of the preset's: with it a model has the
# parameters of "general" within 5 %, at the width of "quick". All are LSTMs.
DECODERS: dict[str, dict[str, Any]] = {
    "none": {"decoder": "plain", "every_step": True},
    "bahdanau": {"decoder": "bahdanau", "attention": "additive", "source_in_memory": True},
    "feeding": {"attention": "general", "input_feeding": True, "source_in_memory": True},
} | {
    score: {"attention": score, "source_in_memory": True}
    for score in ("general", "dot", "concat", "additive")
}
WIDTHS = {"none": 11 / 12, "bahdanau": 2 / 3, "feeding": 7 / 8}
# The Transformer's shape at the width of each preset, and what differs in its recipe.
TRANSFORMERS: dict[str, dict[str, Any]] = {
    "quick": {"layers": 2, "inner": 400, "heads": 4},
    "full": {"layers": 3, "inner": 472, "heads": 4},
}
RECIPE: dict[str, Any] = {"learning_rate": 2e-3, "embedding_rate": 4.0, "warmup": 400}
TRIALS = """Layers are normalized first, as in chapter 11, whose model it is. Of four trials by the
validation loss after 900 updates of quick's budget: rate .002 with the tables at 4 times it 2.22,
at 8 times 2.27, at the same rate 2.52; .001 with the tables at the same rate 2.97."""


def settings(model: str, preset: Preset) -> Preset:
    """The preset as this model is trained with it: the Transformer learns at other rates."""
    changed = RECIPE if model == "transformer" else {}
    return dataclasses.replace(preset, recipe=dataclasses.replace(preset.recipe, **changed))


def shape(model: str, name: str, preset: Preset) -> dict[str, Any]:
    """How a model is made at a preset's width: what ``make_seq2seq`` or the chapter is given."""
    if model == "transformer":
        return {"size": preset.embedding_size, **TRANSFORMERS[name], "dropout": preset.dropout}
    return {
        **DECODERS[model],
        "embedding_size": preset.embedding_size,
        "encoder_size": preset.hidden_size,
        "decoder_size": round(preset.hidden_size * WIDTHS.get(model, 1)),
        "shared_embedding": True,
        "dropout": preset.dropout,
    }


def maker(model: str, name: str, preset: Preset) -> Callable[[int], Seq2Seq]:
    """What makes the model for a vocabulary of a size, and draws nothing but its weights."""
    options = shape(model, name, preset)
    if model != "transformer":
        return lambda size: make_seq2seq(size, size, **options)
    from transformer_chapter import chapter  # the one thing here that wants jupytext

    threads = torch.get_num_threads()
    book = chapter()  # whose cells draw, and choose one thread
    torch.set_num_threads(threads)

    def make(size: int) -> Seq2Seq:
        made = book["Transformer"](size, size, **options)
        made.encoder.embed = made.decoder.embed
        return OfChapter11(made)

    return make


class OfChapter11(Seq2Seq):
    """Chapter 11's Transformer where a Seq2Seq is asked for: its parts, and its own way to read,
    to learn and to write.
    """

    def __init__(self, made: Any) -> None:
        nn.Module.__init__(self)  # Seq2Seq's takes recurrent parts
        self.encoder, self.decoder, self.output = made.encoder, made.decoder, made.output
        self.encode, self.features, self.step = made.encode, made.features, made.step
