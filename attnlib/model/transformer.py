"""The Transformer: attention in the place of recurrence (Vaswani et al. 2017).

Each part reads a normalized copy of the residual stream and adds its result to it: x + f(norm(x)),
pre-norm. With the same weights the modules here compute what torch's compute:

======================  =============================================================
here                    torch.nn
======================  =============================================================
``MultiHeadAttention``  ``MultiheadAttention``; ``in_proj_weight`` is query, key, value
``EncoderLayer``        ``TransformerEncoderLayer(..., norm_first=True)``
``DecoderLayer``        ``TransformerDecoderLayer(..., norm_first=True)``
``EncoderStack``        ``TransformerEncoder`` behind embeddings and positions
``DecoderStack``        ``TransformerDecoder`` behind embeddings and positions
``Transformer``         ``Transformer`` with both embeddings and the output layer
======================  =============================================================

In masks True means that a position may be attended; torch's modules take the opposite.

To decode, nothing is read twice: ``encode`` computes the keys and values of the source once for
each layer, and the state of a search holds those of the tokens written so far (the KV cache).
"""

import math
from typing import Any, ClassVar, NamedTuple

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor, nn

from ..checks import as_bool, as_int, as_number, check_probability, check_sizes, require
from ..masking import accumulation_dtype, check_padding, check_tokens, masked_softmax

Rows = Float[Tensor, "B T D"]  # the residual stream: of T positions, or of K hypotheses
Query = Float[Tensor, "*dims T D"]
Keys = Float[Tensor, "*dims S D"]
Mask = Bool[Tensor, "*mask_dims"] | None  # broadcast to (B, T, S), True = may be attended
SourceMask = Bool[Tensor, "B 1 S"]
KeysValues = tuple[Float[Tensor, "B S D"], Float[Tensor, "B S D"]]  # of the source
Written = tuple[Float[Tensor, "B K _ D"], Float[Tensor, "B K _ D"]]  # keys, values of t tokens
Cache = list[Written]  # of every layer
Output = tuple[Float[Tensor, "B T D"], Float[Tensor, "B heads T S"]]  # and attention weights


class TransformerMemory(NamedTuple):
    """The encoded source, fixed for a sentence: every tensor has B as its first dimension."""

    prepared: list[KeysValues]  # for the cross-attention of each decoder layer
    mask: Bool[Tensor, "B S"]


def sinusoidal_positions(
    length: int, size: int, first: int = 0, device: torch.device | None = None
) -> Float[Tensor, "T D"]:
    """Positional encodings p_t of ``length`` positions from ``first`` on, (length, size).

    p_{t,2i} = sin(t / 10000^{2i/D})   p_{t,2i+1} = cos(t / 10000^{2i/D})   (§3.5)

    Raises ValueError for an odd size.

    >>> sinusoidal_positions(2, 4)
    tensor([[0.0000, 1.0000, 0.0000, 1.0000],
            [0.8415, 0.5403, 0.0100, 0.9999]])
    """
    require(size % 2 == 0, "size", "even, for pairs of sine and cosine", size)
    speeds = 10000.0 ** (-torch.arange(0, size, 2, device=device) / size)  # (D / 2)
    positions = torch.arange(first, first + length, device=device)
    angles = positions.unsqueeze(1) * speeds  # (T, D / 2)
    return torch.stack([angles.sin(), angles.cos()], dim=-1).flatten(1)


def causal_mask(length: int, device: torch.device | None = None) -> Bool[Tensor, "T T"]:
    """Position t (row) may attend to the positions up to and with t (§3.2.3).

    >>> causal_mask(3).int().tolist()
    [[1, 0, 0], [1, 1, 0], [1, 1, 1]]
    """
    return torch.ones(length, length, dtype=torch.bool, device=device).tril()


class MultiHeadAttention(nn.Module):
    """Scaled dot-product attention in ``num_heads`` slices of the D features (§3.2.2).

    head_i = softmax(Q_i K_iᵀ / √(D / heads)) V_i     MultiHead = [head_1 ; … ; head_heads] W_O

    Raises ValueError for a hidden_size that does not divide into heads.

    >>> attention = MultiHeadAttention(6, num_heads=2)
    >>> context, weights = attention(torch.randn(1, 3, 6), torch.randn(1, 5, 6))
    >>> context.shape, weights.shape  # (B, T, D) and (B, heads, T, S)
    (torch.Size([1, 3, 6]), torch.Size([1, 2, 3, 5]))
    """

    def __init__(self, hidden_size: int, num_heads: int) -> None:
        super().__init__()
        check_sizes(hidden_size=hidden_size, num_heads=num_heads)
        divides = hidden_size % num_heads == 0
        require(divides, "hidden_size", f"a multiple of num_heads={num_heads}", hidden_size)
        self.query, self.key, self.value, self.out = (
            nn.Linear(hidden_size, hidden_size) for _ in range(4)
        )
        self.num_heads = num_heads

    def prepare(self, memory: Keys) -> tuple[Keys, Keys]:
        """Keys and values of what is attended to: they are the same for every query."""
        return self.key(memory), self.value(memory)

    def attend(
        self, query: Query, keys: Keys, values: Keys, mask: Mask = None
    ) -> tuple[Query, Float[Tensor, "*dims heads T S"]]:
        """Contexts and weights, of query, keys and values that are projected already."""
        query, keys, values = (
            x.unflatten(-1, (self.num_heads, -1)).transpose(-3, -2) for x in (query, keys, values)
        )  # (..., heads, T or S, D / heads)
        scores = query @ keys.transpose(-2, -1) / math.sqrt(query.shape[-1])
        weights = masked_softmax(scores, None if mask is None else mask.unsqueeze(-3))
        context = weights.to(values.dtype) @ values
        return self.out(context.transpose(-3, -2).flatten(-2)), weights

    def forward(self, x: Rows, memory: Float[Tensor, "B S D"], mask: Mask = None) -> Output:
        """Each row of x attends to the rows of memory: contexts (B, T, D), weights of each head.

        Arguments: mask, bool, broadcast to (B, T, S), True = may be attended (None: all may).
        """
        return self.attend(self.query(x), *self.prepare(memory), mask)


def _feed_forward(hidden_size: int, feedforward_size: int) -> nn.Sequential:
    """max(0, x W_1 + b_1) W_2 + b_2, for each position by itself (§3.3, Eq. 2)."""
    check_sizes(feedforward_size=feedforward_size)
    return nn.Sequential(
        nn.Linear(hidden_size, feedforward_size),
        nn.ReLU(),
        nn.Linear(feedforward_size, hidden_size),
    )


class EncoderLayer(nn.Module):
    """Self-attention, then a feed-forward network (§3.1), pre-norm.

    x ← x + MultiHead(norm(x))     x ← x + max(0, norm(x) W_1 + b_1) W_2 + b_2

    >>> layer = EncoderLayer(6, num_heads=2, feedforward_size=12)
    >>> layer(torch.randn(1, 3, 6), causal_mask(3)).shape  # as in a GPT
    torch.Size([1, 3, 6])
    """

    def __init__(
        self, hidden_size: int, num_heads: int, feedforward_size: int, dropout: float = 0.1
    ) -> None:
        super().__init__()
        self.self_attn = MultiHeadAttention(hidden_size, num_heads)
        self.feed_forward = _feed_forward(hidden_size, feedforward_size)
        self.norm1, self.norm2 = (nn.LayerNorm(hidden_size) for _ in range(2))
        self.dropout = nn.Dropout(dropout)

    def forward(self, x: Rows, mask: Mask = None) -> Rows:
        """The stream (B, T, D) behind the layer; mask as in ``MultiHeadAttention``."""
        normed = self.norm1(x)
        x = x + self.dropout(self.self_attn(normed, normed, mask)[0])
        return x + self.dropout(self.feed_forward(self.norm2(x)))


class DecoderLayer(nn.Module):
    """Self-attention, cross-attention to the source, a feed-forward network (§3.1), pre-norm.

    ``forward`` takes all T positions under a causal mask, ``step`` the next one of K hypotheses.
    Both are given the source as keys and values, ``cross_attn.prepare(states)``.
    """

    def __init__(
        self, hidden_size: int, num_heads: int, feedforward_size: int, dropout: float = 0.1
    ) -> None:
        super().__init__()
        self.self_attn = MultiHeadAttention(hidden_size, num_heads)
        self.cross_attn = MultiHeadAttention(hidden_size, num_heads)
        self.feed_forward = _feed_forward(hidden_size, feedforward_size)
        self.norm1, self.norm2, self.norm3 = (nn.LayerNorm(hidden_size) for _ in range(3))
        self.dropout = nn.Dropout(dropout)

    def forward(
        self, x: Rows, mask: Bool[Tensor, "T T"], source: KeysValues, source_mask: SourceMask
    ) -> Output:
        """The stream (B, T, D) and the weights of the cross-attention (B, heads, T, S)."""
        normed = self.norm1(x)
        context, _ = self.self_attn(normed, normed, mask)
        return self._read_source(x + self.dropout(context), source, source_mask)

    def step(
        self, x: Float[Tensor, "B K D"], past: Written, source: KeysValues, source_mask: SourceMask
    ) -> tuple[Float[Tensor, "B K D"], Written, Float[Tensor, "B heads K S"]]:
        """One new row of each hypothesis; ``past`` (B, K, t, D), also returned one row longer."""
        normed = self.norm1(x).unsqueeze(2)  # (B, K, 1, D)
        keys, values = (
            torch.cat(pair, dim=2) for pair in zip(past, self.self_attn.prepare(normed))
        )
        context, _ = self.self_attn.attend(self.self_attn.query(normed), keys, values)
        x = x + self.dropout(context.squeeze(2))
        x, weights = self._read_source(x, source, source_mask)
        return x, (keys, values), weights

    def _read_source(self, x: Rows, source: KeysValues, source_mask: SourceMask) -> Output:
        """What follows self-attention: cross-attention and the feed-forward network."""
        query = self.cross_attn.query(self.norm2(x))
        context, weights = self.cross_attn.attend(query, *source, source_mask)
        x = x + self.dropout(context)
        return x + self.dropout(self.feed_forward(self.norm3(x))), weights


class _Stack(nn.Module):
    """Token ids to vectors: embeddings times √D, plus positions (§3.4, §3.5); layers; a norm.

    ``positions`` may be set to False, for a stack that knows no order but that of its mask.
    Raises ValueError for a size below 1, an odd hidden_size, or no probability as dropout.
    """

    layer: ClassVar[type[nn.Module]]

    def __init__(
        self,
        vocabulary_size: int,
        hidden_size: int,
        num_heads: int,
        feedforward_size: int,
        num_layers: int,
        dropout: float = 0.1,
    ) -> None:
        super().__init__()
        check_sizes(vocabulary_size=vocabulary_size, hidden_size=hidden_size)
        check_probability("dropout", dropout)
        require(hidden_size % 2 == 0, "hidden_size", "even, for the positions", hidden_size)
        as_int("num_layers", num_layers, below=1000)  # a file from elsewhere may ask for it
        self.embed = nn.Embedding(vocabulary_size, hidden_size)
        self.norm = nn.LayerNorm(hidden_size)
        nn.init.normal_(self.embed.weight, std=hidden_size**-0.5)
        sizes = (hidden_size, num_heads, feedforward_size, dropout)
        self.layers: Any = nn.ModuleList(self.layer(*sizes) for _ in range(num_layers))
        self.dropout, self.positions = nn.Dropout(dropout), True

    def embedded(self, ids: Int[Tensor, "*dims T"], first: int = 0) -> Float[Tensor, "*dims T D"]:
        """What the first layer reads of tokens that stand at the positions from ``first`` on."""
        x = self.embed(ids) * math.sqrt(self.embed.embedding_dim)
        if self.positions:
            length, size = x.shape[-2:]
            x = x + sinusoidal_positions(length, size, first, x.device).to(x.dtype)
        return self.dropout(x)


class EncoderStack(_Stack):
    """The encoder of a Transformer or, under a causal mask, the network inside a GPT.

    >>> stack = EncoderStack(9, 8, num_heads=2, feedforward_size=16, num_layers=1)
    >>> stack(torch.tensor([[4, 5, 3]]), causal_mask(3)).shape  # (B, T, D)
    torch.Size([1, 3, 8])
    """

    layer = EncoderLayer

    def forward(self, ids: Int[Tensor, "B T"], mask: Mask = None) -> Rows:
        """Vectors (B, T, D) of all tokens; mask as in ``MultiHeadAttention``."""
        x = self.embedded(ids)
        for layer in self.layers:
            x = layer(x, mask)
        return self.norm(x)


class DecoderStack(_Stack):
    """The decoder of a Transformer; its state is a cache, (B, K, t, D) of each layer."""

    layer = DecoderLayer

    def prepare(self, states: Float[Tensor, "B S D"]) -> list[KeysValues]:
        """Keys and values of the source for every layer, once a sentence."""
        return [layer.cross_attn.prepare(states) for layer in self.layers]

    def start(self, memory: TransformerMemory) -> Cache:
        """The cache before the first step: keys and values of no token, (B, 1, 0, D)."""
        return [(keys[:, None, :0], values[:, None, :0]) for keys, values in memory.prepared]

    def forward(self, ids: Int[Tensor, "B T"], memory: TransformerMemory) -> Output:
        """Vectors (B, T, D) of all positions, and the last layer's weights (B, heads, T, S)."""
        x, mask = self.embedded(ids), causal_mask(ids.shape[1], ids.device)
        for layer, source in zip(self.layers, memory.prepared):
            x, weights = layer(x, mask, source, memory.mask.unsqueeze(1))
        return self.norm(x), weights

    def step(
        self, tokens: Int[Tensor, "B K"], memory: TransformerMemory, state: Cache
    ) -> tuple[Float[Tensor, "B K D"], Cache, Float[Tensor, "B K S"]]:
        """One token more of K hypotheses; weights are the mean of the last layer's heads."""
        written = state[0][0].shape[2]
        x = self.embedded(tokens.unsqueeze(-1), first=written).squeeze(2)  # (B, K, D)
        longer = []
        for layer, past, source in zip(self.layers, state, memory.prepared):
            x, past, weights = layer.step(x, past, source, memory.mask.unsqueeze(1))
            longer.append(past)
        return self.norm(x), longer, weights.mean(1)


class Transformer(nn.Module):
    """Encoder, decoder and output layer, called as ``Seq2Seq`` is in training and in search.

    The row that predicts a word is the row that embeds it (§3.4); with ``shared_embedding`` source
    and target have one table, too. ``architecture`` holds the arguments that build it again.

    Arguments: src_size and tgt_size, the vocabularies' sizes; hidden_size D; num_heads, into which
    D is divided; feedforward_size, the width inside the feed-forward networks; num_layers, of the
    encoder and of the decoder; dropout, of embeddings and of what each part adds. Raises ValueError
    for sizes that do not fit.

    >>> model = Transformer(9, 7, hidden_size=8, num_heads=2, feedforward_size=16)
    >>> src, tgt_in = torch.tensor([[4, 5, 3]]), torch.tensor([[2, 6]])
    >>> logits, weights = model(src, src > 0, tgt_in)
    >>> logits.shape, weights.shape  # (B, T, V) and (B, heads, T, S)
    (torch.Size([1, 2, 7]), torch.Size([1, 2, 2, 3]))
    """

    def __init__(
        self,
        src_size: int,
        tgt_size: int,
        *,
        hidden_size: int = 128,
        num_heads: int = 4,
        feedforward_size: int = 512,
        num_layers: int = 2,
        shared_embedding: bool = False,
        dropout: float = 0.1,
    ) -> None:
        super().__init__()
        sizes: dict[str, Any] = {
            "hidden_size": as_int("hidden_size", hidden_size),
            "num_heads": as_int("num_heads", num_heads),
            "feedforward_size": as_int("feedforward_size", feedforward_size),
            "num_layers": as_int("num_layers", num_layers),
            "dropout": as_number(dropout),
        }
        shared = as_bool("shared_embedding", shared_embedding)
        self.architecture = {"factory": "transformer", **sizes, "shared_embedding": shared}
        fits = src_size == tgt_size or not shared
        require(fits, "src_size", f"tgt_size={tgt_size} to share one table", src_size)
        self.encoder = EncoderStack(src_size, **sizes)
        self.decoder = DecoderStack(tgt_size, **sizes)
        if shared:
            self.encoder.embed = self.decoder.embed
        self.output = nn.Linear(hidden_size, tgt_size)
        self.output.weight = self.decoder.embed.weight
        nn.init.zeros_(self.output.bias)

    def encode(self, src: Int[Tensor, "B S"], mask: Bool[Tensor, "B S"]) -> TransformerMemory:
        """Everything about the source that decoding needs, computed once.

        Raises ValueError for what is no table of tokens, and a mask that does not fit.
        """
        check_tokens("src", src)
        check_padding(mask, "src", src.unsqueeze(-1))
        states = self.encoder(src, mask.unsqueeze(1))
        return TransformerMemory(self.decoder.prepare(states), mask)

    def features(
        self,
        src: Int[Tensor, "B S"],
        src_mask: Bool[Tensor, "B S"],
        tgt_in: Int[Tensor, "B T"],
        teacher_forcing: float = 1.0,
        generator: torch.Generator | None = None,
    ) -> Output:
        """What the output layer reads (B, T, D), and the last layer's weights (B, heads, T, S).

        Padding behind a target needs no mask: no real position attends to what comes after it.
        Raises ValueError for a teacher_forcing below 1: all positions are computed at once, so a
        guess cannot be fed. (``generator`` is there for the models that can.)
        """
        forced = as_number(teacher_forcing) == 1
        require(forced, "teacher_forcing", "1, always gold", teacher_forcing)
        check_tokens("tgt_in", tgt_in)
        return self.decoder(tgt_in, self.encode(src, src_mask))

    def forward(
        self, src: Int[Tensor, "B S"], src_mask: Bool[Tensor, "B S"], tgt_in: Int[Tensor, "B T"]
    ) -> tuple[Float[Tensor, "B T V"], Float[Tensor, "B heads T S"]]:
        """Logits (B, T, V) of every next token under teacher forcing, and weights."""
        features, weights = self.features(src, src_mask, tgt_in)
        return self.output(features), weights

    def step(
        self, tokens: Int[Tensor, "B K"], memory: TransformerMemory, state: Cache
    ) -> tuple[Float[Tensor, "B K V"], Cache, Float[Tensor, "B K S"]]:
        """One step of search: log-probabilities (B, K, V), the longer cache, attention weights."""
        features, state, weights = self.decoder.step(tokens, memory, state)
        logits = self.output(features)
        return logits.log_softmax(-1, dtype=accumulation_dtype(logits.dtype)), state, weights
