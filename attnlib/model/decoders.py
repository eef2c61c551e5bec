"""Three decoders, which differ in when they look at the source, and at what:

==========  ==========================  =====================================================
plain       never again                 s_t = RNN(E y_{t−1}, s_{t−1}) after s_0 from the encoder
Luong       after the recurrent step    query s_t;   s̃_t = tanh(W_c [c_t ; s_t]) predicts
Bahdanau    before the recurrent step   query s_{t−1};   s_t = RNN([E y_{t−1} ; c_t], s_{t−1})
==========  ==========================  =====================================================

With teacher forcing and no input feeding the plain and Luong decoders run one fused recurrent
call and one attention over all steps; only what must loop loops.
"""

from collections.abc import Callable

import torch
from jaxtyping import Float, Int
from torch import Tensor, nn

from ..checks import as_bool, check_probability, check_sizes
from .attention import Attention, make_attention
from .encoder import Memory
from .recurrent import make_layer, run_layer
from .single_step import run_single_step

DecoderState = dict[str, Tensor]  # what is carried from step to step: "hidden" (B, K, H), ...
Tokens = Int[Tensor, "B T"]  # of T steps, or of K hypotheses
Words = Float[Tensor, "B T E"]  # the same, embedded
Inputs = Float[Tensor, "B K T I"]  # what the recurrent layer reads
Choice = Callable[[int, Tensor], Tensor]  # step, features of the one before → tokens (B, 1)
StepOutput = tuple[Float[Tensor, "B K O"], DecoderState, Float[Tensor, "B K S"] | None]
Steps = tuple[Float[Tensor, "B T O"], Float[Tensor, "B T S"] | None]


class Decoder(nn.Module):
    """What the decoders share: the recurrent layer, its first state, and the loop over steps.

    A *step* maps tokens (B, K), K hypotheses a sentence, to features (B, K, O), from which the
    output layer predicts the next token. Training is the case K = 1 with gold tokens.

    Arguments of all decoders: embed, the target's embedding (V, E); memory_size M, the encoder's;
    hidden_size H, its own; cell, "lstm", "gru" or "rnn"; dropout, of embeddings and features. Here
    extra says how many numbers a step reads beside the embedded word; the three below have in its
    place output_size O and what they alone need. Raises ValueError for another cell, attention,
    size, dropout or switch.
    """

    def __init__(
        self,
        embed: nn.Embedding,
        memory_size: int,
        hidden_size: int,
        extra: int,
        cell: str,
        dropout: float,
    ) -> None:
        super().__init__()
        check_sizes(memory_size=memory_size)
        check_probability("dropout", dropout)
        self.embed = embed
        self.rnn = make_layer(cell, embed.embedding_dim + extra, hidden_size)
        self.parts = ("hidden", "cell") if cell == "lstm" else ("hidden",)
        self.bridge = nn.Linear(memory_size, len(self.parts) * hidden_size)
        self.dropout = nn.Dropout(dropout)
        self.attention: Attention | None = None

    def prepare(self, states: Float[Tensor, "B S M"]) -> Float[Tensor, "B S A"]:
        """What the decoder's attention needs of the keys, once a sentence."""
        return states if self.attention is None else self.attention.prepare(states)

    def start(self, memory: Memory) -> DecoderState:
        """s_0 = tanh(W [→h_S ; ←h_1] + b), and an LSTM's c_0 likewise, each (B, 1, H)."""
        first = torch.tanh(self.bridge(memory.final)).unsqueeze(1)
        return dict(zip(self.parts, first.chunk(len(self.parts), dim=-1)))

    def run(self, inputs: Inputs, state: DecoderState) -> tuple[Tensor, DecoderState]:
        """The recurrent layer over T steps: hidden states (B, K, T, H) and the last state."""
        rows = inputs.shape[:2]  # (B, K), which the layer takes for B·K sentences
        run = run_single_step if inputs.shape[2] == 1 else run_layer
        first = [state[part].flatten(0, 1) for part in self.parts]
        hidden, last = run(self.rnn, inputs.flatten(0, 1), first)
        new = {part: tensor.unflatten(0, rows) for part, tensor in zip(self.parts, last)}
        return hidden.unflatten(0, rows), new

    def read(self, tokens: Tokens) -> Words:
        """The embedded words (B, T, E), some of their numbers dropped while training."""
        return self.dropout(self.embed(tokens))

    def advance(self, words: Words, memory: Memory, state: DecoderState) -> StepOutput:
        """``step`` of words that are embedded already, (B, K, E): what each decoder is made of."""
        raise NotImplementedError

    def step(self, tokens: Tokens, memory: Memory, state: DecoderState) -> StepOutput:
        """One step: features (B, K, O), the new state, attention weights (B, K, S) or None."""
        return self.advance(self.read(tokens), memory, state)

    def loop(self, tgt_in: Tokens, memory: Memory, choose: Choice | None = None) -> Steps:
        """T steps, one after the other: features (B, T, O) and weights (B, T, S).

        The first step reads ``tgt_in[:, :1]``; ``choose(t, features)`` says what step t reads,
        (B, 1), when it knows the features (B, 1, O) of the step before: the gold tokens where
        None, which can then be embedded all at once.
        """
        state = self.start(memory)
        words = self.read(tgt_in if choose is None else tgt_in[:, :1]).split(1, dim=1)
        features: list[Tensor] = []
        weights: list[Tensor] = []
        for t in range(tgt_in.shape[1]):
            word = self.read(choose(t, features[-1])) if choose and t else words[t]
            feature, state, weight = self.advance(word, memory, state)
            features.append(feature)
            weights += [] if weight is None else [weight]
        return torch.cat(features, dim=1), torch.cat(weights, dim=1) if weights else None

    def forward(self, tgt_in: Tokens, memory: Memory) -> Steps:
        """All steps with the gold tokens as input: features (B, T, O) and weights (B, T, S)."""
        return self.loop(tgt_in, memory)


class PlainDecoder(Decoder):
    """No attention: the source reaches the decoder as one vector of fixed size.

    The vector sets s_0 (Sutskever et al. 2014) and, with ``every_step``, is also part of the
    input of every step (Cho et al. 2014a).

    >>> PlainDecoder(nn.Embedding(9, 4), 6, 5, 3, every_step=True).rnn.input_size  # E + M
    10
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
        extra = memory_size if as_bool("every_step", every_step) else 0
        super().__init__(embed, memory_size, hidden_size, extra, cell, dropout)
        check_sizes(output_size=output_size)
        self.every_step = every_step
        self.head = nn.Linear(hidden_size, output_size)

    def inputs(self, words: Words, memory: Memory) -> Float[Tensor, "B T I"]:
        if not self.every_step:
            return words
        final = memory.final.unsqueeze(1).expand(-1, words.shape[1], -1)
        return torch.cat([words, final], dim=-1)

    def features(self, hidden: Float[Tensor, "B T H"]) -> Float[Tensor, "B T O"]:
        return self.dropout(torch.tanh(self.head(hidden)))

    def advance(self, words: Words, memory: Memory, state: DecoderState) -> StepOutput:
        hidden, state = self.run(self.inputs(words, memory).unsqueeze(2), state)
        return self.features(hidden.squeeze(2)), state, None

    def forward(self, tgt_in: Tokens, memory: Memory) -> Steps:
        inputs = self.inputs(self.read(tgt_in), memory)
        hidden, _ = self.run(inputs.unsqueeze(1), self.start(memory))
        return self.features(hidden.squeeze(1)), None


class LuongDecoder(Decoder):
    """Attention after the recurrent step (Luong et al. 2015, §3).

    s_t = RNN(E y_{t−1}, s_{t−1})   c_t = attention(s_t, h)   s̃_t = tanh(W_c [c_t ; s_t])   (Eq. 5)

    With ``input_feeding`` (§3.3) the input is [E y_{t−1} ; s̃_{t−1}], s̃_0 = 0, and steps must loop.
    ``attention`` is a kind of ``make_attention``, and ``attention_size`` the width inside it.

    >>> LuongDecoder(nn.Embedding(9, 4), 6, 5, 3).combine.weight.shape  # (O, M + H)
    torch.Size([3, 11])
    """

    attention: Attention

    def __init__(
        self,
        embed: nn.Embedding,
        memory_size: int,
        hidden_size: int,
        output_size: int,
        *,
        attention: str = "general",
        attention_size: int | None = None,
        cell: str = "lstm",
        input_feeding: bool = False,
        dropout: float = 0.0,
    ) -> None:
        extra = output_size if as_bool("input_feeding", input_feeding) else 0
        super().__init__(embed, memory_size, hidden_size, extra, cell, dropout)
        check_sizes(output_size=output_size)
        self.input_feeding = input_feeding
        self.attention = make_attention(attention, hidden_size, memory_size, attention_size)
        self.combine = nn.Linear(memory_size + hidden_size, output_size)  # W_c

    def start(self, memory: Memory) -> DecoderState:
        state = super().start(memory)
        if self.input_feeding:
            rows = memory.mask.shape[0]
            state["fed"] = state["hidden"].new_zeros(rows, 1, self.combine.out_features)
        return state

    def attend(self, hidden: Float[Tensor, "B T H"], memory: Memory) -> Steps:
        """The attentional vectors s̃ (B, T, O) of recurrent states, and the weights (B, T, S)."""
        states = memory.states
        context, weights = self.attention(hidden, states, states, memory.mask, memory.prepared)
        s_tilde = torch.tanh(self.combine(torch.cat([context, hidden], dim=-1)))
        return self.dropout(s_tilde), weights

    def advance(self, words: Words, memory: Memory, state: DecoderState) -> StepOutput:
        inputs = torch.cat([words, state["fed"]], dim=-1) if self.input_feeding else words
        hidden, new = self.run(inputs.unsqueeze(2), state)
        s_tilde, weights = self.attend(hidden.squeeze(2), memory)
        return s_tilde, new | ({"fed": s_tilde} if self.input_feeding else {}), weights

    def forward(self, tgt_in: Tokens, memory: Memory) -> Steps:
        if self.input_feeding:  # s̃_{t−1} is needed before step t can begin
            return super().forward(tgt_in, memory)
        hidden, _ = self.run(self.read(tgt_in).unsqueeze(1), self.start(memory))
        return self.attend(hidden.squeeze(1), memory)


class BahdanauDecoder(Decoder):
    """Attention before the recurrent step (Bahdanau et al. 2015, §3.1 and §A.2.2).

    c_t = attention(s_{t−1}, h)   s_t = RNN([E y_{t−1} ; c_t], s_{t−1})
    features = maxout(U_o s_t + V_o E y_{t−1} + C_o c_t), the larger of each pair.

    >>> BahdanauDecoder(nn.Embedding(9, 4), 6, 5, 3).rnn.input_size  # E + M
    10
    """

    attention: Attention

    def __init__(
        self,
        embed: nn.Embedding,
        memory_size: int,
        hidden_size: int,
        output_size: int,
        *,
        attention: str = "additive",
        attention_size: int | None = None,
        cell: str = "gru",
        dropout: float = 0.0,
    ) -> None:
        super().__init__(embed, memory_size, hidden_size, memory_size, cell, dropout)
        check_sizes(output_size=output_size)
        self.attention = make_attention(attention, hidden_size, memory_size, attention_size)
        read = hidden_size + embed.embedding_dim + memory_size
        self.head = nn.Linear(read, 2 * output_size)  # [U_o V_o C_o]

    def advance(self, words: Words, memory: Memory, state: DecoderState) -> StepOutput:
        query, states = state["hidden"], memory.states
        context, weights = self.attention(query, states, states, memory.mask, memory.prepared)
        inputs = torch.cat([words, context], dim=-1)  # (B, K, E + M)
        hidden, state = self.run(inputs.unsqueeze(2), state)
        pairs = self.head(torch.cat([hidden.squeeze(2), inputs], dim=-1)).unflatten(-1, (-1, 2))
        return self.dropout(pairs.amax(-1)), state, weights
