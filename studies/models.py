"""The models that multi30k.py compares: recurrent ones with one encoder and ten ways to write
from it, and the Transformer. Run by itself this module does nothing.
"""

import dataclasses
from collections.abc import Callable
from typing import Any

from torch import nn

from attnlib.model import Transformer, make_seq2seq
from attnlib.translator import DEFAULT_PRESETS, Preset

from .orders import LuongOrderDecoder

WHAT = {
    "general": "Luong's decoder, general score: the model of the presets",
    "none": "no attention: the last states start the decoder and are part of every input",
    "dot": "Luong's decoder, dot score",
    "scaled_dot": "Luong's decoder, scaled dot score",
    "concat": "Luong's decoder, concat score",
    "additive": "Luong's decoder, additive score",
    "bahdanau": "Bahdanau's decoder, additive score",
    "luong order": "the same decoder and parameters, but it attends after its step: orders.py",
    "feeding": "Luong's decoder, general score, input feeding",
    "transformer": "the Transformer of chapter 11, with one table for both languages",
}
LATER = ("scaled_dot", "luong order")  # which have files of their own
COMPARED = [model for model in WHAT if model not in LATER]  # "all", of 10_models.json


def like(preset: Preset, **changes: Any) -> Preset:
    """A preset with other settings, of the model or of the recipe."""
    ours = {field.name for field in dataclasses.fields(preset)}
    recipe = dataclasses.replace(
        preset.recipe, **{k: v for k, v in changes.items() if k not in ours}
    )
    model = {k: v for k, v in changes.items() if k in ours}
    return dataclasses.replace(preset, recipe=recipe, **model)


# The budgets: those of the presets, two thirds of the updates of "quick", chapter 10's, and
# "quick" at half and at twice its learning rate.
PRESETS = DEFAULT_PRESETS | {
    "quick-1200": like(DEFAULT_PRESETS["quick"], updates=1200, validate_every=300),
    "quick-slower": like(DEFAULT_PRESETS["quick"], learning_rate=2e-3),
    "quick-faster": like(DEFAULT_PRESETS["quick"], learning_rate=8e-3),
}
# Decoders and, where it is not 1, their width as a share of the preset's: with it a model has the
# parameters of "general" within 5 %, at the width of "quick". All are LSTMs.
DECODERS: dict[str, dict[str, Any]] = {
    "none": {"decoder": "plain", "every_step": True},
    "bahdanau": {"decoder": "bahdanau", "attention": "additive", "source_in_memory": True},
    "feeding": {"attention": "general", "input_feeding": True, "source_in_memory": True},
} | {
    score: {"attention": score, "source_in_memory": True}
    for score in ("general", "dot", "scaled_dot", "concat", "additive")
}
DECODERS["luong order"] = DECODERS["bahdanau"]
WIDTHS = {"none": 11 / 12, "bahdanau": 2 / 3, "luong order": 2 / 3, "feeding": 7 / 8}
# The Transformer's shape at the width of each preset, and what differs in its recipe.
TRANSFORMERS: dict[str, dict[str, Any]] = {
    "quick": {"num_layers": 2, "feedforward_size": 400, "num_heads": 4},
    "full": {"num_layers": 3, "feedforward_size": 472, "num_heads": 4},
}
RECIPE: dict[str, Any] = {"learning_rate": 2e-3, "embedding_rate": 4.0, "warmup": 400}
TRIALS = """Layers are normalized first, as in chapter 11, whose model it is. Of four trials by the
validation loss after 900 updates of quick's budget: rate .002 with the tables at 4 times it 2.22,
at 8 times 2.27, at the same rate 2.52; .001 with the tables at the same rate 2.97."""


def settings(model: str, preset: Preset) -> Preset:
    """The preset as this model is trained with it: the Transformer learns at other rates."""
    return like(preset, **RECIPE) if model == "transformer" else preset


def shape(model: str, name: str, preset: Preset) -> dict[str, Any]:
    """How a model is made at a preset's width: what the function that makes it is given."""
    if model == "transformer":
        sizes = {"hidden_size": preset.embedding_size, **TRANSFORMERS[name]}
        return {**sizes, "shared_embedding": True, "dropout": preset.dropout}
    return {
        **DECODERS[model],
        "embedding_size": preset.embedding_size,
        "encoder_size": preset.hidden_size,
        "decoder_size": round(preset.hidden_size * WIDTHS.get(model, 1)),
        "shared_embedding": True,
        "dropout": preset.dropout,
    }


def maker(model: str, name: str, preset: Preset) -> Callable[[int], nn.Module]:
    """What makes the model for a vocabulary of a size, and draws nothing but its weights."""
    options = shape(model, name, preset)
    if model == "luong order":
        return lambda size: luong_order(make_seq2seq(size, size, **options))
    factory: Any = Transformer if model == "transformer" else make_seq2seq
    return lambda size: factory(size, size, **options)


def luong_order(model: Any) -> Any:
    """A model of Bahdanau's with its decoder in Luong's order, all weights as they were drawn."""
    before = model.decoder
    sizes = (
        before.rnn.input_size - before.embed.embedding_dim,
        before.rnn.hidden_size,
        model.output.in_features,
    )
    options = {"cell": "lstm", "fed": True, "dropout": before.dropout.p}
    model.decoder = LuongOrderDecoder(before.embed, *sizes, **options)
    model.decoder.load_state_dict(before.state_dict())
    model.architecture = None  # of another decoder
    return model
