"""Sequence to sequence: the model that joins encoder and decoder, and how one is made."""

from typing import Any

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor, nn

from ..checks import as_bool, as_int, check_name, check_probability, check_sizes, plain, require
from ..device import to_device
from ..masking import accumulation_dtype, check_tokens
from .decoders import BahdanauDecoder, Decoder, DecoderState, LuongDecoder, PlainDecoder, Steps
from .encoder import Encoder, Memory


class Seq2Seq(nn.Module):
    """Encoder, decoder and output layer: p(y_t | y_<t, x) = softmax(W_s features_t + b).

    ``forward`` is for training, ``encode`` and ``step`` are for search; ``step`` is a step
    function as ``attnlib.search`` wants it. ``architecture`` says how ``make_seq2seq`` builds the
    model again, and is None for one that was put together by hand.

    ``torch.export`` and ``torch.jit.trace`` take a model (a plain one without its None of weights);
    what comes out takes any number of sentences, of the lengths of the example. ``Attention`` alone
    is exported for all lengths.

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


DECODERS = ("plain", "luong", "bahdanau")


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
    check_sizes(src_size=src_size, tgt_size=tgt_size, hidden_size=hidden_size)
    check_name("decoder", decoder, DECODERS)
    options: dict[str, Any] = {
        "decoder": decoder,
        "attention": "general" if attention is None and decoder != "plain" else attention,
        "embedding_size": embedding_size,
        "encoder_size": hidden_size if encoder_size is None else encoder_size,
        "decoder_size": hidden_size if decoder_size is None else decoder_size,
        "output_size": embedding_size if output_size is None else output_size,
        "attention_size": attention_size,
        "cell": cell,
        "bidirectional": bidirectional,
        "source_in_memory": source_in_memory,
        "input_feeding": input_feeding,
        "every_step": every_step,
        "shared_embedding": shared_embedding,
        "tied_output": tied_output,
        "dropout": dropout,
    }
    options = {name: plain(value) for name, value in options.items()}  # numbers that JSON knows
    _check_options(src_size, tgt_size, options)
    src_embed = _make_embedding(src_size, embedding_size)
    tgt_embed = src_embed if shared_embedding else _make_embedding(tgt_size, embedding_size)

    both: dict[str, Any] = {"cell": cell, "dropout": dropout}
    reads: dict[str, Any] = {"bidirectional": bidirectional, "source_in_memory": source_in_memory}
    encoder = Encoder(src_embed, options["encoder_size"], **reads, **both)
    attends = {"attention": options["attention"], "attention_size": attention_size}
    kind: Any  # of decoder
    if decoder == "plain":
        kind, own = PlainDecoder, {"every_step": every_step}
    elif decoder == "luong":
        kind, own = LuongDecoder, {**attends, "input_feeding": input_feeding}
    else:
        kind, own = BahdanauDecoder, attends
    sizes = [options[f"{part}_size"] for part in ("encoder", "decoder", "output")]
    made = kind(tgt_embed, *sizes, **own, **both)
    output = nn.Linear(options["output_size"], tgt_size)
    nn.init.zeros_(output.bias)
    if tied_output:
        output.weight = tgt_embed.weight
    model = Seq2Seq(encoder, made, output)
    model.architecture = options
    return model


def _check_options(src_size: int, tgt_size: int, options: dict[str, Any]) -> None:
    """Raise ValueError for options that do not fit together; the parts check the others."""
    for name in ("embedding_size", "encoder_size", "decoder_size", "output_size"):
        as_int(name, options[name])
    if options["attention_size"] is not None:
        as_int("attention_size", options["attention_size"])
    for name in ("input_feeding", "every_step", "shared_embedding", "tied_output"):
        as_bool(name, options[name])
    decoder, scores = options["decoder"], ("concat", "additive")
    applies = {
        "attention": (decoder != "plain", "to the decoder luong or bahdanau"),
        "attention_size": (options["attention"] in scores, "to the scores concat and additive"),
        "input_feeding": (decoder == "luong", "to the decoder luong"),
        "every_step": (decoder == "plain", "to the decoder plain"),
    }
    for name, (can_be_used, where) in applies.items():
        if options[name] not in (None, False) and not can_be_used:
            got = f"{name}={options[name]!r} with decoder {decoder!r}; leave it out"
            raise ValueError(f"{name} applies {where} alone, got {got}")
    if options["shared_embedding"]:
        expected = f"tgt_size={tgt_size}: a shared embedding needs one vocabulary"
        require(src_size == tgt_size, "src_size", expected, src_size)
    if options["tied_output"]:
        width = options["embedding_size"]
        expected = f"embedding_size={width} where tied_output is True"
        require(options["output_size"] == width, "output_size", expected, options["output_size"])


def _make_embedding(size: int, width: int) -> nn.Embedding:
    embed = nn.Embedding(size, width)
    # torch's unit variance would make logits of a tied output √width times too large.
    nn.init.normal_(embed.weight, std=width**-0.5)
    return embed
