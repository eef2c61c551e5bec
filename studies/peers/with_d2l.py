"""d2l 1.0.3: the encoder, the additive attention and the loss of the package.

The decoder with attention stands in the book (d2l.ai, §11.4.2, ``Seq2SeqAttentionDecoder``) and
not in the package; here it is with the same layers, products and order.
"""

from typing import Any

import torch
from torch import Tensor, nn

from .program import PAD, Batch, Program, Work, without

without("torchvision", "scipy", "scipy.spatial")  # pictures and kernels of other chapters

from d2l import torch as d2l  # noqa: E402


class AttentionDecoder(d2l.AttentionDecoder):
    """Attention before the step: the query is the state so far, of the last layer."""

    def __init__(self, vocabulary: int, embedding: int, hidden: int, dropout: float) -> None:
        super().__init__()
        self.attention = d2l.AdditiveAttention(hidden, dropout)
        self.embedding = nn.Embedding(vocabulary, embedding)
        self.rnn = nn.GRU(embedding + hidden, hidden)
        self.dense = nn.LazyLinear(vocabulary)
        self.apply(d2l.init_seq2seq)

    def init_state(self, encoded: Any, lengths: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        outputs, hidden = encoded
        return outputs.permute(1, 0, 2), hidden, lengths

    def forward(self, words: Tensor, state: Any) -> tuple[Tensor, Any]:
        encoded, hidden, lengths = state
        outputs = []
        for embedded in self.embedding(words).permute(1, 0, 2):
            context = self.attention(hidden[-1].unsqueeze(1), encoded, encoded, lengths)
            read = torch.cat((context, embedded.unsqueeze(1)), dim=-1)
            out, hidden = self.rnn(read.permute(1, 0, 2), hidden)
            outputs.append(out)
        return self.dense(torch.cat(outputs, dim=0)).permute(1, 0, 2), (encoded, hidden, lengths)


class D2L(Program):
    """A GRU in one direction and Bahdanau's order, as the book has them."""

    def __init__(self, work: Work) -> None:
        encoder = d2l.Seq2SeqEncoder(work.src_size, work.embedding, work.hidden, 1)
        decoder = AttentionDecoder(work.tgt_size, work.embedding, work.hidden, work.dropout)
        self.model = d2l.EncoderDecoder(encoder, decoder)
        words = torch.ones(1, 2, dtype=torch.long)
        self.model(words, words, torch.tensor([2]))  # lazy layers learn their sizes
        self.optimizer = torch.optim.Adam(self.model.parameters(), lr=1e-3)

    def loss(self, batch: Batch) -> Tensor:
        logits = self.model(batch.src, batch.tgt_in, batch.src_mask.sum(1))
        each = self.model.loss(logits, batch.tgt_out, averaged=False)
        real = (batch.tgt_out.reshape(-1) != PAD).float()
        return (each * real).sum() / real.sum()
