"""Sequence to sequence: the model that joins encoder and decoder, and how one is made."""

from typing import Any

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor, nn

from ..checks import (
    as_bool,
    as_int,
    as_number,
    check_name,
    check_probability,
    check_sizes,
    require,
)
from ..device import to_device
from ..masking import accumulation_dtype, check_tokens
from .decoders import BahdanauDecoder, Decoder, DecoderState, LuongDecoder, PlainDecoder, Steps
from .encoder import Encoder, Memory


class Seq2Seq(nn.Module):
    """Encoder, decoder and output layer: p(y_t | y_<t, x) = softmax(W_s features_t + b).

    ``forward`` is for training, ``encode`` and ``step`` are for search; ``step`` is a step
    function as ``attnlib.search`` wants it. ``architecture`` says how ``make_seq2seq`` builds the
    model again, and is None for one that was put together by hand.

    ``torch.jit.trace`` and ``torch.export`` take a model (a plain one without its None of weights),
    and what comes out takes any number of sentences. Their lengths may change in a trace, unless
    the decoder loops (Bahdanau's, input feeding), but not in an export: torch unrolls ``nn.LSTM``
    there. ``Attention`` alone is exported for all lengths.

    >>> model = make_seq2seq(9, 8, embedding_size=4, hidden_size=4)
    >>> src, tgt_in = torch.tensor([[4, 5, 3]]), torch.tensor([[2, 6]])
    >>> logits, weights = model(src, src > 0, tgt_in)
    >>> logits.shape, weights.shape  # (B, T, V) and (B, T, S)
    (torch.Size([1, 2, 8]), torch.Size([1, 2, 3]))
    """

    def __init__(self, encoder: Encoder, decoder: Decoder, output: nn.Linear) -> None:
        super().__init__()
        self.encoder, self.decoder, self.output = encoder, decoder, output
        self.architecture: dict[str, Any] | None = None

    def encode(self, src: Int[Tensor, "B S"], mask: Bool[Tensor, "B S"]) -> Memory:
        """Everything about the source that decoding needs, computed once."""
        states, final = self.encoder(src, mask)
        return Memory(states, self.decoder.prepare(states), mask, final)

    def features(
        self,
        src: Int[Tensor, "B S"],
        src_mask: Bool[Tensor, "B S"],
        tgt_in: Int[Tensor, "B T"],
        teacher_forcing: float = 1.0,
        generator: torch.Generator | None = None,
    ) -> Steps:
        """What the output layer reads, and the attention weights, for every target position.

        ``teacher_forcing`` is the probability that a step is fed the gold token rather than the
        model's own best guess: one coin a token (Bengio et al. 2015, §2.4), from ``generator``.
        No gradient passes through the guess. Raises ValueError for what is no probability, no
        table of tokens, no generator, and a mask that does not fit (see ``Encoder``).
        """
        check_probability("teacher_forcing", teacher_forcing)
        check_tokens("tgt_in", tgt_in)
        memory = self.encode(src, src_mask)
        if teacher_forcing == 1.0:
            return self.decoder(tgt_in, memory)

        free = generator is None or isinstance(generator, torch.Generator)
        require(free, "generator", "a torch.Generator or None", generator)
        coins = torch.rand(tgt_in.shape[1] - 1, tgt_in.shape[0], 1, generator=generator)
        gold = to_device(coins < teacher_forcing, tgt_in.device)  # (T − 1, B, 1), all in one copy

        def gold_or_guess(t: int, features: Tensor) -> Tensor:
            guess = self.output(features.detach()).argmax(-1)  # (B, 1)
            return torch.where(gold[t - 1], tgt_in[:, t : t + 1], guess)

        return self.decoder.loop(tgt_in, memory, gold_or_guess)

    def forward(
        self, src: Int[Tensor, "B S"], src_mask: Bool[Tensor, "B S"], tgt_in: Int[Tensor, "B T"]
    ) -> tuple[Float[Tensor, "B T V"], Float[Tensor, "B T S"] | None]:
        """Logits (B, T, V) of every next token under teacher forcing, and weights (B, T, S)."""
        features, weights = self.features(src, src_mask, tgt_in)
        return self.output(features), weights

    def step(
        self, tokens: Int[Tensor, "B K"], memory: Memory, state: DecoderState
    ) -> tuple[Float[Tensor, "B K V"], DecoderState, Float[Tensor, "B K S"] | None]:
        """One step of search: log-probabilities (B, K, V), the new state, attention weights."""
        features, state, weights = self.decoder.step(tokens, memory, state)
        logits = self.output(features)
        return logits.log_softmax(-1, dtype=accumulation_dtype(logits.dtype)), state, weights


_DECODER_CLASSES: Any = {"plain": PlainDecoder, "luong": LuongDecoder, "bahdanau": BahdanauDecoder}
DECODERS = tuple(_DECODER_CLASSES)
# What only some decoders can be given.
_DECODER_OPTIONS = {
    "attention": ("luong", "bahdanau"),
    "attention_size": ("luong", "bahdanau"),
    "input_feeding": ("luong",),
    "every_step": ("plain",),
}


def make_seq2seq(
    src_size: int,
    tgt_size: int,
    *,
    decoder: str = "luong",
    attention: str | None = None,
    embedding_size: int = 128,
    hidden_size: int = 128,
    encoder_size: int | None = None,
    decoder_size: int | None = None,
    output_size: int | None = None,
    attention_size: int | None = None,
    cell: str = "lstm",
    bidirectional: bool = True,
    source_in_memory: bool = False,
    input_feeding: bool = False,
    every_step: bool = False,
    shared_embedding: bool = False,
    tied_output: bool = True,
    dropout: float = 0.0,
) -> Seq2Seq:
    """The model of a few words: which decoder, which attention, how wide.

    Arguments: src_size and tgt_size, the vocabularies' sizes; decoder, "plain", "luong" or
    "bahdanau"; attention, a kind of ``make_attention`` for the last two ("general" where None);
    hidden_size H, of the decoder and of both directions of the encoder together, unless
    encoder_size or decoder_size say otherwise; output_size O, what the output layer reads
    (embedding_size where None); attention_size A, the width inside "concat" and "additive" (the
    decoder's where None); cell, "lstm", "gru" or "rnn"; input_feeding for "luong" and every_step
    for "plain"; shared_embedding, one table for source and target (one vocabulary, so equal
    sizes); tied_output, the row that predicts a word is the row that embeds it (Press and Wolf
    2017). ``architecture`` of the model holds all that builds it again.
    Raises ValueError for what does not exist or does not apply.

    >>> model = make_seq2seq(10, 12, decoder="bahdanau", attention="additive", decoder_size=64)
    >>> type(model.decoder).__name__, model.decoder.rnn.hidden_size, model.output.out_features
    ('BahdanauDecoder', 64, 12)
    """
    check_sizes(src_size=src_size, tgt_size=tgt_size)
    options: dict[str, Any] = {"decoder": decoder, "attention": attention}
    options |= {"embedding_size": embedding_size, "hidden_size": hidden_size}
    options |= {"encoder_size": encoder_size, "decoder_size": decoder_size}
    options |= {"output_size": output_size, "attention_size": attention_size, "cell": cell}
    options |= {"bidirectional": bidirectional, "source_in_memory": source_in_memory}
    options |= {"input_feeding": input_feeding, "every_step": every_step}
    options |= {"shared_embedding": shared_embedding, "tied_output": tied_output}
    options |= {"dropout": dropout}
    options = _fill_in(_check_options(options))
    if shared_embedding and src_size != tgt_size:
        raise ValueError(f"a shared embedding needs one vocabulary, got {src_size} and {tgt_size}")
    return _build(src_size, tgt_size, options)


def _check_options(given: dict[str, Any]) -> dict[str, Any]:
    """The options in Python's own numbers and truth values, for JSON. Raises ValueError for one
    that does not exist or does not apply."""
    options, decoder, attention = dict(given), given["decoder"], given["attention"]
    check_name("decoder", decoder, DECODERS)
    check_probability("dropout", options["dropout"])
    options["dropout"] = as_number(options["dropout"])
    for name, value in given.items():
        optional = name not in ("embedding_size", "hidden_size")
        if name.endswith("_size") and not (value is None and optional):
            options[name] = as_int(name, value)
        if name in _FLAGS:
            options[name] = as_bool(name, value)
    for option, decoders in _DECODER_OPTIONS.items():
        if options[option] not in (None, False) and decoder not in decoders:
            got = f"{option}={options[option]!r} with decoder {decoder!r}; leave it out"
            only = " or ".join(decoders)
            raise ValueError(f"{option} applies to the decoder {only} alone, got {got}")
    if options["attention_size"] is not None and attention not in ("concat", "additive"):
        only = "attention_size applies to the scores concat and additive alone"
        raise ValueError(f"{only}, got it with attention={attention!r}; leave it out")
    return options


_FLAGS = {"bidirectional", "source_in_memory", "input_feeding", "every_step"}
_FLAGS |= {"shared_embedding", "tied_output"}


def _fill_in(options: dict[str, Any]) -> dict[str, Any]:
    """The options, none left open, as a model's ``architecture`` keeps them."""
    full = dict(options)
    hidden_size = full.pop("hidden_size")
    attends = full["decoder"] in _DECODER_OPTIONS["attention"]
    defaults = {
        "attention": "general" if attends else None,
        "encoder_size": hidden_size,
        "decoder_size": hidden_size,
        "output_size": full["embedding_size"],
    }
    full |= {option: value for option, value in defaults.items() if full[option] is None}
    if full["tied_output"] and full["output_size"] != full["embedding_size"]:
        got = f"{full['output_size']} and {full['embedding_size']}; give tied_output=False"
        raise ValueError(f"tied_output needs output_size = embedding_size, got {got}")
    return full


def _build(src_size: int, tgt_size: int, options: dict[str, Any]) -> Seq2Seq:
    """The model of options of which none is left open."""
    src_embed = _make_embedding(src_size, options["embedding_size"])
    shared = options["shared_embedding"]
    tgt_embed = src_embed if shared else _make_embedding(tgt_size, options["embedding_size"])
    cell, dropout = options["cell"], options["dropout"]
    of_encoder = {name: options[name] for name in ("bidirectional", "source_in_memory")}
    encoder = Encoder(src_embed, options["encoder_size"], cell=cell, dropout=dropout, **of_encoder)
    kind = options["decoder"]
    sizes = [options[f"{part}_size"] for part in ("encoder", "decoder", "output")]
    own = {name: options[name] for name, kinds in _DECODER_OPTIONS.items() if kind in kinds}
    decoder = _DECODER_CLASSES[kind](tgt_embed, *sizes, cell=cell, dropout=dropout, **own)
    output = nn.Linear(options["output_size"], tgt_size)
    nn.init.zeros_(output.bias)
    if options["tied_output"]:
        output.weight = tgt_embed.weight
    model = Seq2Seq(encoder, decoder, output)
    model.architecture = options
    return model


def _make_embedding(size: int, width: int) -> nn.Embedding:
    embed = nn.Embedding(size, width)
    # torch's unit variance would make logits of a tied output √width times too large.
    nn.init.normal_(embed.weight, std=width**-0.5)
    return embed
