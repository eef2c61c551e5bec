"""The models that multi30k.py compares: recurrent ones with one encoder and ten ways to write
from it, and three Transformers. Run by itself this module does nothing.
"""

import dataclasses
import math
from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn.attention import SDPBackend, sdpa_kernel

from attnlib.model import Transformer, make_seq2seq
from attnlib.training import Recipe
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
    "large batches": "the same Transformer, updates of 8,192 tokens a side",
    "tiny": "the tiny Transformer of Wu et al. 2021, post-norm, by its own recipe",
}
LATER = ("scaled_dot", "luong order", "large batches", "tiny")  # which have files of their own
COMPARED = [model for model in WHAT if model not in LATER]  # "all", of 10_models.json


def like(preset: Preset, **changes: Any) -> Preset:
    """A preset with other settings, of the model or of the recipe."""
    ours = {field.name for field in dataclasses.fields(preset)}
    recipe = dataclasses.replace(
        preset.recipe, **{k: v for k, v in changes.items() if k not in ours}
    )
    model = {k: v for k, v in changes.items() if k in ours}
    return dataclasses.replace(preset, recipe=recipe, **model)


# The budgets: those of the presets, two thirds of the updates of "quick", which chapter 10 makes
# where there is no AMX, "quick" at half and at twice its learning rate, and what the tiny
# Transformer's paper has.
PRESETS = DEFAULT_PRESETS | {
    "quick-1200": like(DEFAULT_PRESETS["quick"], updates=1200, validate_every=300),
    "quick-slower": like(DEFAULT_PRESETS["quick"], learning_rate=2e-3),
    "quick-faster": like(DEFAULT_PRESETS["quick"], learning_rate=8e-3),
    "published": like(DEFAULT_PRESETS["full"], updates=8000, batch_tokens=8192),
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
LARGE_RATE = 2e-3  # best by the validation loss of .001, .002, .004, .008, .016 (11_captions.json)
TRIALS = """Layers are normalized first, as in chapter 11, whose model it is. Of four trials by the
validation loss after 900 updates of quick's budget: rate .002 with the tables at 4 times it 2.22,
at 8 times 2.27, at the same rate 2.52; .001 with the tables at the same rate 2.97."""


# Updates of large batches that read as many padded tokens as a preset does, and validations.
LARGE = 8192
UPDATES = {"quick": (198, 66), "full": (1318, 110), "published": (8000, 250)}
TINY: dict[str, Any] = {"size": 128, "layers": 4, "inner": 256, "heads": 4, "dropout": 0.3}
PUBLISHED = """Wu et al. 2021 (github.com/LividWo/Revisit-MMT, README-baseline.md): 128 wide, 4 + 4
layers, feed-forward 256, 4 heads, ReLU, normalized after each sublayer, sinusoidal positions,
embeddings times the root of 128 and shared by both languages and the output, dropout .3 but none on
attention and inside the feed-forward network, label smoothing .1, Adam (.9, .98), peak rate .005,
inverse square root, clip 25, 8,192 tokens an update, 8,000 updates of which 2,000 are the warm-up
(a quarter, also of a smaller budget), mean of the last 10 epochs' weights, beam 5, score divided
by length. Otherwise as here: 4,000 joint pieces in place of about 9,700, German to English, raw
text scored by sacreBLEU. Not taken over: to stop early. bleu is that of the mean of the weights."""
AVERAGED = {"tiny": 10}  # of how many of the last epochs' weights the mean is taken


@dataclasses.dataclass(frozen=True)
class InverseSquareRoot(Recipe):
    """A recipe whose rate falls with the inverse square root of the updates, after the warm-up
    (Vaswani et al. 2017, Eq. 3). ``final_rate`` is recorded and has no effect.
    """

    schedule: str = "inverse square root"

    def learning_rate_at(self, update: int, done: float) -> float:
        """Learning rate of an update."""
        made, warmup = update + 1, max(self.warmup, 1)
        return self.learning_rate * min(made / warmup, math.sqrt(warmup / made))


def settings(model: str, name: str, preset: Preset, rate: float | None = None) -> Preset:
    """The preset as this model is trained with it: a Transformer learns at other rates, and with
    large batches makes fewer updates of the same budget. ``rate`` is one to be tried.
    """
    changed: dict[str, Any] = {}
    if model in ("transformer", "large batches"):
        changed |= RECIPE
    if model in ("large batches", "tiny"):
        updates, every = UPDATES[name]
        # The warm-up is the paper's share of a run.
        changed |= {"updates": updates, "validate_every": every, "warmup": updates // 4}
        preset = dataclasses.replace(preset, batch_tokens=LARGE)
    recipe = preset.recipe
    if model == "tiny":
        changed |= {"learning_rate": 5e-3, "embedding_rate": 1.0, "clip": 25.0}
        changed["final_rate"] = round(math.sqrt(changed["warmup"] / changed["updates"]), 4)
        recipe = InverseSquareRoot(**dataclasses.asdict(recipe))
        preset = dataclasses.replace(preset, embedding_size=TINY["size"], dropout=TINY["dropout"])
    if model == "large batches":
        changed["learning_rate"] = LARGE_RATE
    if rate is not None:
        changed["learning_rate"] = rate
    return dataclasses.replace(preset, recipe=dataclasses.replace(recipe, **changed))


def shape(model: str, name: str, preset: Preset) -> dict[str, Any]:
    """How a model is made at a preset's width: what the function that makes it is given."""
    if model == "tiny":
        return TINY
    if model in ("transformer", "large batches"):
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
    if model == "tiny":
        return lambda size: Tiny(size, **options)
    if model == "luong order":
        return lambda size: luong_order(make_seq2seq(size, size, **options))
    factory: Any = Transformer if model in ("transformer", "large batches") else make_seq2seq
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


class Tiny(nn.Module):
    """A Transformer of torch's own layers, normalized after each sublayer as in Vaswani et al.
    2017, with one table for both languages and the output.

    As in fairseq there is no dropout on attention weights nor inside the feed-forward network.
    """

    def __init__(self, words: int, size: int, layers: int, inner: int, heads: int, dropout: float):
        super().__init__()
        options: dict[str, Any] = {"dropout": dropout, "batch_first": True}
        kinds = nn.TransformerEncoderLayer, nn.TransformerDecoderLayer
        embed, self.drop = nn.Embedding(words, size), nn.Dropout(dropout)
        self.encoder, self.decoder = (
            Side(embed, [kind(size, heads, inner, **options) for _ in range(layers)])
            for kind in kinds
        )
        self.output = nn.Linear(size, words, bias=False)
        self.output.weight = embed.weight
        for part in (*self.encoder.layers, *self.decoder.layers):
            part.dropout.p = 0.0  # the one after the ReLU
            for module in part.modules():
                if isinstance(module, nn.MultiheadAttention):
                    module.dropout = 0.0
            for parameter in part.parameters():
                if parameter.dim() > 1:
                    nn.init.xavier_uniform_(parameter)
        nn.init.normal_(embed.weight, std=size**-0.5)

    def read(self, ids: Tensor) -> Tensor:
        """Embeddings times √d, and where each stands."""
        embed = self.encoder.embed
        x = embed(ids) * math.sqrt(embed.embedding_dim)
        return self.drop(x + sinusoids(*x.shape[1:]).to(x.device))

    def encode(self, src: Tensor, mask: Tensor) -> Any:
        x = self.read(src)
        with sdpa_kernel(SDPBackend.MATH):  # trains twice as fast on a processor
            for layer in self.encoder.layers:
                x = layer(x, src_key_padding_mask=~mask)
        return x, mask

    def written(self, ids: Tensor, states: Tensor, mask: Tensor) -> Tensor:
        """What predicts the token after each of those that are written."""
        x = self.read(ids)
        hidden = torch.ones(ids.shape[1], ids.shape[1], dtype=torch.bool).triu(1).to(x.device)
        with sdpa_kernel(SDPBackend.MATH):
            for layer in self.decoder.layers:
                x = layer(x, states, tgt_mask=hidden, memory_key_padding_mask=~mask)
        return x

    def features(self, src: Tensor, src_mask: Tensor, tgt_in: Tensor, *_: Any) -> Any:
        return self.written(tgt_in, *self.encode(src, src_mask)), None

    def step(self, tokens: Tensor, memory: Any, state: Any) -> Any:
        """All that is written of each hypothesis is read again, as in chapter 11."""
        written = torch.cat([state, tokens.unsqueeze(-1)], dim=-1)  # (B, K, t)
        beams, ids = written.shape[1], written.flatten(0, 1)  # (B·K, t)
        x = self.written(ids, *(part.repeat_interleave(beams, 0) for part in memory))
        return self.output(x[:, -1]).log_softmax(-1).unflatten(0, (-1, beams)), written, None


class Side(nn.Module):
    """The table and the layers of an encoder or a decoder, whose state is what is written."""

    def __init__(self, embed: nn.Embedding, layers: list[Any]) -> None:
        super().__init__()
        self.embed, self.layers = embed, nn.ModuleList(layers)

    def start(self, memory: Any) -> Tensor:
        """Before the first step nothing is: (B, 1, 0) tokens."""
        mask: Tensor = memory[1]
        return mask.new_zeros(len(mask), 1, 0, dtype=torch.long)


def sinusoids(length: int, size: int) -> Tensor:
    """Vaswani et al. 2017, §3.5: (length, size), sines first and then cosines."""
    rates = 10_000.0 ** (-torch.arange(0, size, 2) / size)
    angles = torch.arange(length).unsqueeze(1) * rates
    return torch.cat([angles.sin(), angles.cos()], dim=1)
