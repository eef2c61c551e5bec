"""Sequence to sequence: an encoder, three decoders, and the model that joins them.

The decoders differ in when they look at the source, and at what:

==========  ==========================  =====================================================
plain       never again                 s_t = RNN(E y_{t−1}, s_{t−1}) after s_0 from the encoder
Luong       after the recurrent step    query s_t;   s̃_t = tanh(W_c [c_t ; s_t]) predicts
Bahdanau    before the recurrent step   query s_{t−1};   s_t = RNN([E y_{t−1} ; c_t], s_{t−1})
==========  ==========================  =====================================================

With teacher forcing and no input feeding the plain and Luong decoders run one fused recurrent
call and one attention over all steps; only what must loop loops.
"""

from typing import Any, NamedTuple

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor, nn

from ..names import check_name
from .attention import make_attention
from .recurrent import read_both_ways, read_forward

State = dict[str, Tensor]  # what a decoder carries from step to step: "hidden" (B, K, H), ...
Step = tuple[Float[Tensor, "B K O"], State, Float[Tensor, "B K S"] | None]
Steps = tuple[Float[Tensor, "B T O"], Float[Tensor, "B T S"] | None]

LAYERS: dict[str, Any] = {"lstm": nn.LSTM, "gru": nn.GRU, "rnn": nn.RNN}


class Memory(NamedTuple):
    """The encoded source, fixed for a sentence: every tensor has B as its first dimension."""

    states: Float[Tensor, "B S M"]  # h_j, the keys and values of attention
    prepared: Float[Tensor, "B S A"]  # what the score needs of them, computed once
    mask: Bool[Tensor, "B S"]
    final: Float[Tensor, "B M"]  # [→h_S ; ←h_1], all that a plain decoder gets


class Encoder(nn.Module):
    """Read the source: h_j = [→h_j ; ←h_j] (Bahdanau et al. 2015, §3.2), or →h_j alone.

    With ``source_in_memory`` the memory is h_j + W x_j, so that a decoder that attends to
    position j also sees which word stands there, untouched by its neighbours.
    """

    def __init__(
        self,
        embed: nn.Embedding,
        hidden_size: int,
        *,
        cell: str = "lstm",
        bidirectional: bool = True,
        source_in_memory: bool = False,
        dropout: float = 0.0,
    ) -> None:
        super().__init__()
        ways = 2 if bidirectional else 1
        if hidden_size % ways:
            raise ValueError(f"hidden_size must be even to be read both ways, got {hidden_size}")
        self.embed = embed
        width = hidden_size // ways  # the two directions together are as wide as one would be
        self.layers = nn.ModuleList(
            LAYERS[cell](embed.embedding_dim, width, batch_first=True) for _ in range(ways)
        )
        self.from_embedding = (
            nn.Linear(embed.embedding_dim, hidden_size, bias=False) if source_in_memory else None
        )
        self.dropout = nn.Dropout(dropout)

    def forward(
        self, src: Int[Tensor, "B S"], mask: Bool[Tensor, "B S"]
    ) -> tuple[Float[Tensor, "B S M"], Float[Tensor, "B M"]]:
        """States h_j (B, S, M) and the final state (B, M); padding changes neither."""
        embedded = self.dropout(self.embed(src))  # (B, S, E)
        if len(self.layers) == 2:
            states, final = read_both_ways(self.layers[0], self.layers[1], embedded, mask)
        else:
            states, final = read_forward(self.layers[0], embedded, mask)
        if self.from_embedding is not None:
            states = states + self.from_embedding(embedded)
        return self.dropout(states), final


def _join(features: list[Tensor], weights: list[Tensor | None]) -> Steps:
    """Steps (B, 1, ·) side by side; a decoder without attention has no weights."""
    known = [weight for weight in weights if weight is not None]
    return torch.cat(features, dim=1), torch.cat(known, dim=1) if known else None


class Decoder(nn.Module):
    """What the decoders share: the recurrent layer, its first state, and the loop over steps.

    A *step* maps tokens (B, K), K hypotheses a sentence, to features (B, K, O), from which the
    output layer predicts the next token. Training is the case K = 1 with gold tokens.
    """

    def __init__(
        self, embed: nn.Embedding, memory_size: int, hidden_size: int, *, cell: str, input_size: int
    ) -> None:
        super().__init__()
        self.embed = embed
        self.rnn = LAYERS[cell](input_size, hidden_size, batch_first=True)
        self.parts = ("hidden", "cell") if cell == "lstm" else ("hidden",)
        self.bridge = nn.Linear(memory_size, len(self.parts) * hidden_size)

    def prepare(self, states: Float[Tensor, "B S M"]) -> Float[Tensor, "B S A"]:
        """What the decoder's attention needs of the keys, once a sentence."""
        return states

    def start(self, memory: Memory) -> State:
        """s_0 = tanh(W [→h_S ; ←h_1] + b), and an LSTM's c_0 likewise, each (B, 1, H)."""
        first = torch.tanh(self.bridge(memory.final)).unsqueeze(1)
        return dict(zip(self.parts, first.chunk(len(self.parts), dim=-1)))

    def run(self, inputs: Float[Tensor, "B K T I"], state: State) -> tuple[Tensor, State]:
        """The recurrent layer over T steps: hidden states (B, K, T, H) and the last state."""
        batch, beams = inputs.shape[:2]
        rows = [state[part].reshape(1, batch * beams, -1) for part in self.parts]  # (1, B·K, H)
        flat = inputs.flatten(0, 1)  # (B·K, T, I): the layer knows nothing of hypotheses
        outputs, last = self.rnn(flat, tuple(rows) if len(rows) == 2 else rows[0])
        lasts = last if isinstance(last, tuple) else (last,)
        new = {part: t.reshape(batch, beams, -1) for part, t in zip(self.parts, lasts)}
        return outputs.unflatten(0, (batch, beams)), new

    def step(self, tokens: Int[Tensor, "B K"], memory: Memory, state: State) -> Step:
        """One step: features (B, K, O), the new state, attention weights (B, K, S) or None."""
        raise NotImplementedError

    def forward(self, tgt_in: Int[Tensor, "B T"], memory: Memory) -> Steps:
        """All steps with the gold tokens as input: features (B, T, O) and weights (B, T, S)."""
        state = self.start(memory)
        features: list[Tensor] = []
        weights: list[Tensor | None] = []
        for t in range(tgt_in.shape[1]):
            feature, state, weight = self.step(tgt_in[:, t : t + 1], memory, state)
            features.append(feature)
            weights.append(weight)
        return _join(features, weights)


class PlainDecoder(Decoder):
    """No attention: the source reaches the decoder as one vector of fixed size.

    The vector sets s_0 (Sutskever et al. 2014) and, with ``every_step``, is also part of the
    input of every step (Cho et al. 2014a).
    """

    def __init__(
        self,
        embed: nn.Embedding,
        memory_size: int,
        hidden_size: int,
        output_size: int,
        *,
        cell: str = "lstm",
        every_step: bool = False,
        dropout: float = 0.0,
    ) -> None:
        input_size = embed.embedding_dim + (memory_size if every_step else 0)
        super().__init__(embed, memory_size, hidden_size, cell=cell, input_size=input_size)
        self.every_step = every_step
        self.head = nn.Linear(hidden_size, output_size)
        self.dropout = nn.Dropout(dropout)

    def inputs(self, tokens: Int[Tensor, "B T"], memory: Memory) -> Float[Tensor, "B T I"]:
        embedded = self.dropout(self.embed(tokens))  # (B, T, E)
        if not self.every_step:
            return embedded
        final = memory.final.unsqueeze(1).expand(-1, tokens.shape[1], -1)
        return torch.cat([embedded, final], dim=-1)

    def features(self, hidden: Float[Tensor, "B T H"]) -> Float[Tensor, "B T O"]:
        return self.dropout(torch.tanh(self.head(hidden)))

    def step(self, tokens: Int[Tensor, "B K"], memory: Memory, state: State) -> Step:
        hidden, state = self.run(self.inputs(tokens, memory).unsqueeze(2), state)
        return self.features(hidden.squeeze(2)), state, None

    def forward(self, tgt_in: Int[Tensor, "B T"], memory: Memory) -> Steps:
        hidden, _ = self.run(self.inputs(tgt_in, memory).unsqueeze(1), self.start(memory))
        return self.features(hidden.squeeze(1)), None


class LuongDecoder(Decoder):
    """Attention after the recurrent step (Luong et al. 2015, §3).

    s_t = RNN(E y_{t−1}, s_{t−1})   c_t = attention(s_t, h)   s̃_t = tanh(W_c [c_t ; s_t])   (Eq. 5)

    With ``input_feeding`` (§3.3) the input is [E y_{t−1} ; s̃_{t−1}], s̃_0 = 0, and steps must loop.
    """

    def __init__(
        self,
        embed: nn.Embedding,
        memory_size: int,
        hidden_size: int,
        output_size: int,
        *,
        attention: str = "general",
        cell: str = "lstm",
        input_feeding: bool = False,
        dropout: float = 0.0,
    ) -> None:
        input_size = embed.embedding_dim + (output_size if input_feeding else 0)
        super().__init__(embed, memory_size, hidden_size, cell=cell, input_size=input_size)
        self.input_feeding = input_feeding
        self.attention = make_attention(attention, hidden_size, memory_size)
        self.combine = nn.Linear(memory_size + hidden_size, output_size)  # W_c
        self.dropout = nn.Dropout(dropout)

    def prepare(self, states: Float[Tensor, "B S M"]) -> Float[Tensor, "B S A"]:
        return self.attention.prepare(states)

    def start(self, memory: Memory) -> State:
        state = super().start(memory)
        if self.input_feeding:
            state["fed"] = state["hidden"].new_zeros(len(memory.mask), 1, self.combine.out_features)
        return state

    def attend(self, hidden: Float[Tensor, "B T H"], memory: Memory) -> Steps:
        """The attentional vectors s̃ (B, T, O) of recurrent states, and the weights (B, T, S)."""
        context, weights = self.attention(
            hidden, memory.states, memory.states, memory.mask, memory.prepared
        )
        s_tilde = torch.tanh(self.combine(torch.cat([context, hidden], dim=-1)))
        return self.dropout(s_tilde), weights

    def step(self, tokens: Int[Tensor, "B K"], memory: Memory, state: State) -> Step:
        inputs = self.dropout(self.embed(tokens))  # (B, K, E)
        if self.input_feeding:
            inputs = torch.cat([inputs, state["fed"]], dim=-1)
        hidden, new = self.run(inputs.unsqueeze(2), state)
        s_tilde, weights = self.attend(hidden.squeeze(2), memory)
        return s_tilde, new | ({"fed": s_tilde} if self.input_feeding else {}), weights

    def forward(self, tgt_in: Int[Tensor, "B T"], memory: Memory) -> Steps:
        if self.input_feeding:  # s̃_{t−1} is needed before step t can begin
            return super().forward(tgt_in, memory)
        embedded = self.dropout(self.embed(tgt_in))
        hidden, _ = self.run(embedded.unsqueeze(1), self.start(memory))
        return self.attend(hidden.squeeze(1), memory)


class BahdanauDecoder(Decoder):
    """Attention before the recurrent step (Bahdanau et al. 2015, §3.1 and §A.2.2).

    c_t = attention(s_{t−1}, h)   s_t = RNN([E y_{t−1} ; c_t], s_{t−1})
    features = maxout(U_o s_t + V_o E y_{t−1} + C_o c_t), the larger of each pair.
    """

    def __init__(
        self,
        embed: nn.Embedding,
        memory_size: int,
        hidden_size: int,
        output_size: int,
        *,
        attention: str = "additive",
        cell: str = "gru",
        dropout: float = 0.0,
    ) -> None:
        input_size = embed.embedding_dim + memory_size
        super().__init__(embed, memory_size, hidden_size, cell=cell, input_size=input_size)
        self.attention = make_attention(attention, hidden_size, memory_size)
        self.head = nn.Linear(hidden_size + input_size, 2 * output_size)  # [U_o V_o C_o]
        self.dropout = nn.Dropout(dropout)

    def prepare(self, states: Float[Tensor, "B S M"]) -> Float[Tensor, "B S A"]:
        return self.attention.prepare(states)

    def step(self, tokens: Int[Tensor, "B K"], memory: Memory, state: State) -> Step:
        context, weights = self.attention(
            state["hidden"], memory.states, memory.states, memory.mask, memory.prepared
        )
        inputs = torch.cat([self.dropout(self.embed(tokens)), context], dim=-1)  # (B, K, E + M)
        hidden, state = self.run(inputs.unsqueeze(2), state)
        pairs = self.head(torch.cat([hidden.squeeze(2), inputs], dim=-1)).unflatten(-1, (-1, 2))
        return self.dropout(pairs.amax(-1)), state, weights


class Seq2Seq(nn.Module):
    """Encoder, decoder and output layer: p(y_t | y_<t, x) = softmax(W_s features_t + b).

    ``forward`` is for training, ``encode`` and ``step`` are for search; ``step`` is a step
    function as ``attnlib.search`` wants it.
    """

    def __init__(self, encoder: Encoder, decoder: Decoder, output: nn.Linear) -> None:
        super().__init__()
        self.encoder, self.decoder, self.output = encoder, decoder, output
        self.architecture: dict[str, Any] = {}  # how make_seq2seq was called, for saving

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
        No gradient passes through the guess.
        """
        if not 0.0 <= teacher_forcing <= 1.0:
            raise ValueError(f"teacher_forcing must lie in [0, 1], got {teacher_forcing}")
        memory = self.encode(src, src_mask)
        if teacher_forcing == 1.0:
            return self.decoder(tgt_in, memory)
        state = self.decoder.start(memory)
        features: list[Tensor] = []
        weights: list[Tensor | None] = []
        tokens = tgt_in[:, :1]
        for t in range(tgt_in.shape[1]):
            feature, state, weight = self.decoder.step(tokens, memory, state)
            features.append(feature)
            weights.append(weight)
            if t + 1 < tgt_in.shape[1]:
                guess = self.output(feature.detach()).argmax(-1)  # (B, 1)
                coins = torch.rand(guess.shape, generator=generator).to(guess.device)
                tokens = torch.where(coins < teacher_forcing, tgt_in[:, t + 1 : t + 2], guess)
        return _join(features, weights)

    def forward(
        self, src: Int[Tensor, "B S"], src_mask: Bool[Tensor, "B S"], tgt_in: Int[Tensor, "B T"]
    ) -> tuple[Float[Tensor, "B T V"], Float[Tensor, "B T S"] | None]:
        """Logits (B, T, V) of every next token under teacher forcing, and weights (B, T, S)."""
        features, weights = self.features(src, src_mask, tgt_in)
        return self.output(features), weights

    def step(
        self, tokens: Int[Tensor, "B K"], memory: Memory, state: State
    ) -> tuple[Float[Tensor, "B K V"], State, Float[Tensor, "B K S"] | None]:
        """One step of search: log-probabilities (B, K, V), the new state, attention weights."""
        features, state, weights = self.decoder.step(tokens, memory, state)
        return self.output(features).float().log_softmax(-1), state, weights


DECODERS = ("plain", "luong", "bahdanau")


def make_seq2seq(
    src_size: int,
    tgt_size: int,
    *,
    decoder: str = "luong",
    attention: str = "general",
    embedding_size: int = 128,
    hidden_size: int = 128,
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
    "bahdanau"; attention, a kind of ``attnlib.attention`` (ignored by "plain"); hidden_size H,
    of the decoder and of both directions of the encoder together; cell, "lstm", "gru" or "rnn";
    input_feeding for "luong" and every_step for "plain"; shared_embedding, one table for source
    and target (one vocabulary, so equal sizes); tied_output, the row that predicts a word is the
    row that embeds it (Press and Wolf 2017). Raises ValueError for what does not exist.

    >>> model = make_seq2seq(10, 12, decoder="bahdanau", attention="additive")
    >>> type(model.decoder).__name__, model.output.out_features
    ('BahdanauDecoder', 12)
    """
    architecture = {k: v for k, v in locals().items() if k not in ("src_size", "tgt_size")}
    check_name("decoder", decoder, DECODERS)
    check_name("cell", cell, tuple(LAYERS))
    given = (src_size, tgt_size, embedding_size, hidden_size)
    if min(given) < 1:
        raise ValueError(f"every size must be at least 1, got {given}")
    if shared_embedding and src_size != tgt_size:
        raise ValueError(f"a shared embedding needs one vocabulary, got {src_size} and {tgt_size}")
    src_embed = _make_embedding(src_size, embedding_size)
    tgt_embed = src_embed if shared_embedding else _make_embedding(tgt_size, embedding_size)
    encoder = Encoder(
        src_embed,
        hidden_size,
        cell=cell,
        bidirectional=bidirectional,
        source_in_memory=source_in_memory,
        dropout=dropout,
    )
    sizes = (tgt_embed, hidden_size, hidden_size, embedding_size)
    made: Decoder
    if decoder == "plain":
        made = PlainDecoder(*sizes, cell=cell, every_step=every_step, dropout=dropout)
    elif decoder == "luong":
        made = LuongDecoder(
            *sizes, attention=attention, cell=cell, input_feeding=input_feeding, dropout=dropout
        )
    else:
        made = BahdanauDecoder(*sizes, attention=attention, cell=cell, dropout=dropout)
    output = nn.Linear(embedding_size, tgt_size)
    nn.init.zeros_(output.bias)
    if tied_output:
        output.weight = tgt_embed.weight
    model = Seq2Seq(encoder, made, output)
    model.architecture = architecture
    return model


def _make_embedding(size: int, width: int) -> nn.Embedding:
    embed = nn.Embedding(size, width)
    # torch's unit variance would make logits of a tied output √width times too large.
    nn.init.normal_(embed.weight, std=width**-0.5)
    return embed
