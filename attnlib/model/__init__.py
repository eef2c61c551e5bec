"""Recurrent cells, attention, encoder and decoders, and the model that joins them."""

# ruff: noqa: I001 (a door in few lines: names side by side)

from .attention import (
    KINDS, AdditiveAttention, Attention, ConcatAttention, DotAttention, GeneralAttention,
    ScaledDotAttention, make_attention,
)  # fmt: skip
from .decoders import (
    BahdanauDecoder, Decoder, DecoderState, LuongDecoder, PlainDecoder, Step, Steps,
)  # fmt: skip
from .encoder import Encoder, Memory
from .recurrent import (
    LAYERS, GRUCell, LSTMCell, LSTMState, RNNCell, State, last_real, make_layer, read_both_ways,
    read_forward, reverse_real, unroll,
)  # fmt: skip
from .seq2seq import DECODERS, Seq2Seq, make_seq2seq

__all__ = [
    "AdditiveAttention", "Attention", "BahdanauDecoder", "ConcatAttention", "DECODERS", "Decoder",
    "DecoderState", "DotAttention", "Encoder", "GRUCell", "GeneralAttention", "KINDS", "LAYERS",
    "LSTMCell", "LSTMState", "LuongDecoder", "Memory", "PlainDecoder", "RNNCell",
    "ScaledDotAttention", "Seq2Seq", "State", "Step", "Steps", "last_real", "make_attention",
    "make_layer", "make_seq2seq", "read_both_ways", "read_forward", "reverse_real", "unroll",
]  # fmt: skip
