"""Every diagram of the book, drawn from small arguments, for the tests that read and measure it."""

import functools
from xml.etree import ElementTree

import pytest
import torch
from drawing import record
from torch import nn

from attnbook import figures
from attnlib.model import Transformer, make_attention

KO, EN = ["나는", "집에", "갔다", "<eos>"], ["I", "went", "home"]
MAT = ["the", "cat", "sat", "on", "the", "mat"]
SVG = "{http://www.w3.org/2000/svg}"
SCORES = ("dot", "scaled_dot", "general", "concat", "additive")
KEYS = torch.tensor([[0.3, 0.0, 0.5, 0.1], [0.1, 0.9, 0.2, 0.1], [0.2, 0.6, 0.3, 0.1]])
GATES = {"i": 0.25, "f": 0.5, "g": -0.8, "o": torch.tensor(0.75)}

TRACE = [
    record("s", None, 0, "<sos>", 0.0),
    record("a", "s", 1, "He", -0.69),
    record("b", "s", 1, "I", -0.92),
    record("c", "b", 2, "went", -1.02),
    record("d", "a", 2, "went", -1.61),
    record("e", "a", 2, "came", -1.74, "pruned"),
    record("d$", "d", 3, "<eos>", -2.12, "finished"),
    record("c$", "c", 3, "<eos>", -1.53, "best"),
]


def transformer(size=88, heads=4, inner=176, layers=2) -> Transformer:
    sizes = {"hidden_size": size, "num_heads": heads, "feedforward_size": inner}
    return Transformer(1234, 720, num_layers=layers, **sizes)


def whole(scores=(0.3, 2.4, -0.7, 0.1)):
    return figures.attention_diagram(
        KO, EN, torch.zeros(4, 64), torch.zeros(3, 48), torch.tensor(scores)
    )


def step(order, weights=(0.6, 0.37, 0.03)):
    sizes = torch.zeros(6), torch.zeros(5), torch.zeros(3, 8)
    return figures.decoder_step_diagram(order, *sizes, torch.tensor(weights))


def kinds(*names, query_size=128, key_size=128, hidden=64):
    return {name: make_attention(name, query_size, key_size, hidden) for name in names or SCORES}


DRAWN = {
    "rnn": lambda: figures.rnn_diagram(nn.RNNCell(3, 2), KO[:3]),
    "lstm": lambda: figures.lstm_diagram(nn.LSTMCell(3, 2)),
    "forget gate": lambda: figures.lstm_step_diagram("forget gate", -1.5, GATES),
    "candidate": lambda: figures.lstm_step_diagram("candidate", -1.5, GATES),
    "input gate": lambda: figures.lstm_step_diagram("input gate", -1.5, GATES),
    "output gate": lambda: figures.lstm_step_diagram("output gate", -1.5, GATES),
    "gru": lambda: figures.gru_diagram(nn.GRUCell(3, 5)),
    "both ways": lambda: figures.bidirectional_diagram(torch.zeros(4, 8), KO),
    "layouts": lambda: figures.layouts_diagram(),
    "weighted mean": lambda: figures.weighted_mean_diagram(
        EN, 4 * KEYS[:, :2], torch.tensor((0.125, 0.125, 0.75))
    ),
    "opened": lambda: figures.opened_cell_diagram(nn.LSTMCell(3, 2), KO),
    "bahdanau": lambda: step("bahdanau"),
    "luong": lambda: step("luong"),
    "input feeding": lambda: step("input feeding"),
    "both halves": lambda: figures.encoder_decoder_diagram(
        KO, EN, torch.zeros(4, 64), torch.zeros(3, 48)
    ),
    "both halves, writing": lambda: figures.encoder_decoder_diagram(
        KO, EN, torch.zeros(4, 64), torch.zeros(3, 48), fed_back=True
    ),
    "attention": whole,
    "attention of two": lambda: figures.attention_diagram(
        KO[:2], EN[:2], torch.zeros(2, 512), torch.zeros(2, 512), torch.tensor([-12.3, 4.0])
    ),
    "fed": lambda: figures.free_running_diagram(
        ["I", "go", "home", "."], ["I", "went", "to", "houses"]
    ),
    "no recurrence": lambda: figures.no_recurrence_diagram(
        KO, EN, torch.zeros(4, 64), torch.zeros(3, 48)
    ),
    "lookup": lambda: figures.lookup_diagram(
        ["computer", "dog", "cat"], KEYS[1] * 3, KEYS, torch.tensor([9.0, 2.0, 3.0])
    ),
    "lookup, not solved": lambda: figures.lookup_diagram(
        ["dog", "cat"], KEYS[0], KEYS[:2], torch.tensor([2.0, 3.0]), solved=False
    ),
    "scores": lambda: figures.scores_diagram(kinds()),
    "feeding": lambda: figures.scheduled_sampling_diagram(
        ["I", "go", "home", "."], ["I", "went", "home", "."], [True, False, True]
    ),
    "beam": lambda: figures.beam_diagram(TRACE),
    "runs": lambda: figures.ngram_diagram(
        ["now", *MAT[:5], *MAT[4:]], MAT, 2
    ),
    "words": lambda: figures.ngram_diagram(["the", "the", "the", "cat"], ["the", "cat", "the"], 1),
    "transformer": lambda: figures.transformer_diagram(transformer()),
    "long words": lambda: figures.encoder_decoder_diagram(
        ["mmmmmmmmmmmmmm", "Donaudampfschifffahrt", "개발자컨퍼런스에서", "."],
        ["WWWWWWWWWWW", "internationalization", "iiiiiiiiiiiiiiiiiiiii", "."],
        torch.zeros(4, 8), torch.zeros(4, 8),
    ),
}  # fmt: skip
each = pytest.mark.parametrize("name", DRAWN)


@functools.cache
def drawn(name: str) -> figures.Diagram:
    return DRAWN[name]()


def tree_of(drawing) -> ElementTree.Element:
    return ElementTree.fromstring(drawing.svg.replace("<svg", f'<svg xmlns="{SVG[1:-1]}"', 1))


def labels(node: ElementTree.Element) -> list[str]:
    return ["".join(text.itertext()).replace("\u200b", "") for text in node.iter(SVG + "text")]


def texts(drawing) -> list[str]:
    return labels(tree_of(drawing))
