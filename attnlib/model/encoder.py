"""The encoder: from source tokens to the memory that decoders look into."""

from typing import NamedTuple

from jaxtyping import Bool, Float, Int
from torch import Tensor, nn

from ..checks import as_bool, check_probability, check_sizes, require
from ..masking import check_tokens
from .recurrent import make_layer, read_both_ways, read_forward


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

    Arguments: embed, the source's embedding (V, E); hidden_size M, of both directions together;
    cell, "lstm", "gru" or "rnn"; dropout, of the embeddings and of the memory. Raises ValueError
    for another cell or dropout, an M that two directions cannot share, or a switch that is neither
    True nor False.

    >>> import torch
    >>> states, final = Encoder(nn.Embedding(9, 4), 6)(torch.tensor([[5, 3]]), torch.ones(1, 2) > 0)
    >>> states.shape, final.shape
    (torch.Size([1, 2, 6]), torch.Size([1, 6]))
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
        check_sizes(hidden_size=hidden_size)
        check_probability("dropout", dropout)
        as_bool("source_in_memory", source_in_memory)
        ways = 2 if as_bool("bidirectional", bidirectional) else 1
        require(hidden_size % ways == 0, "hidden_size", "even to be read both ways", hidden_size)
        self.embed = embed
        # The two directions together are as wide as one would be.
        width, read = hidden_size // ways, embed.embedding_dim
        self.layers = nn.ModuleList(make_layer(cell, read, width) for _ in range(ways))
        self.from_embedding = nn.Linear(read, hidden_size, bias=False) if source_in_memory else None
        self.dropout = nn.Dropout(dropout)

    def forward(
        self, src: Int[Tensor, "B S"], mask: Bool[Tensor, "B S"]
    ) -> tuple[Float[Tensor, "B S M"], Float[Tensor, "B M"]]:
        """States h_j (B, S, M) and the final state (B, M); padding changes neither.

        Raises ValueError for what is no table of tokens, and a mask of another shape or in which
        padding comes before a real token (``masking.check_padding`` says where it looks).
        """
        check_tokens("src", src)
        embedded = self.dropout(self.embed(src))  # (B, S, E)
        if len(self.layers) == 2:
            states, final = read_both_ways(self.layers[0], self.layers[1], embedded, mask)
        else:
            states, final = read_forward(self.layers[0], embedded, mask)
        if self.from_embedding is not None:
            states = states + self.from_embedding(embedded)
        return self.dropout(states), final
