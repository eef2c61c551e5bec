"""Bahdanau's decoder in Luong's order: recurrent step, then attention, everything else alike.

Score, cell, width of the state and output layer stay Bahdanau's; the new state asks, and so knows
the previous word. Luong's state never sees a context. ``fed``, it reads the one of the step before,
so that the two decoders have the same parameters and differ only in when they attend. Run by itself
this module does nothing.
"""

from typing import Any

import torch
from torch import Tensor

from attnlib.model import BahdanauDecoder, DecoderState, Memory, StepOutput, Steps, make_layer


class LuongOrderDecoder(BahdanauDecoder):
    """s_t = RNN(E y_{t−1}, s_{t−1})   c_t = attention(s_t, h)   features as in Bahdanau's.

    With ``fed`` s_t = RNN([E y_{t−1} ; c_{t−1}], s_{t−1}), c_0 = 0, and steps must loop.
    """

    def __init__(self, *args: Any, cell: str = "gru", fed: bool = False, **kwargs: Any) -> None:
        super().__init__(*args, cell=cell, **kwargs)
        self.fed = fed
        if not fed:
            self.rnn = make_layer(cell, self.embed.embedding_dim, self.rnn.hidden_size)

    def start(self, memory: Memory) -> DecoderState:
        state = super().start(memory)
        return state | ({"context": torch.zeros_like(memory.states[:, :1])} if self.fed else {})

    def predict(self, hidden: Tensor, words: Tensor, memory: Memory) -> tuple[Tensor, ...]:
        """Context, features and weights of T states (B, T, H) that have read words (B, T, E)."""
        states, mask = memory.states, memory.mask
        context, weights = self.attention(hidden, states, states, mask, memory.prepared)
        pairs = self.head(torch.cat([hidden, words, context], dim=-1)).unflatten(-1, (-1, 2))
        return context, self.dropout(pairs.amax(-1)), weights

    def advance(self, words: Tensor, memory: Memory, state: DecoderState) -> StepOutput:
        inputs = torch.cat([words, state["context"]], dim=-1) if self.fed else words
        hidden, new = self.run(inputs.unsqueeze(2), state)
        context, features, weights = self.predict(hidden.squeeze(2), words, memory)
        return features, new | ({"context": context} if self.fed else {}), weights

    def forward(self, tgt_in: Tensor, memory: Memory) -> Steps:
        if self.fed:
            return super().forward(tgt_in, memory)
        words = self.read(tgt_in)
        hidden, _ = self.run(words.unsqueeze(1), self.start(memory))
        _, features, weights = self.predict(hidden.squeeze(1), words, memory)
        return features, weights
