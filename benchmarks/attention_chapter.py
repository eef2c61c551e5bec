"""The recorded runs of chapter 5: translators that differ in one thing each, three seeds of all.

    python benchmarks/attention_chapter.py                  # data/runs/05_attention.json
    python benchmarks/attention_chapter.py --corpus ko-en   # data/runs/05_attention_ko-en.json
    python benchmarks/attention_chapter.py --variants luong --seeds 1

A run that is in the file already is not made again, so the program can be stopped at any time. All
variants have the same encoder, batches, updates and learning rate, and one thread. The decoders'
widths are chosen so that "none", "luong" and "bahdanau" have parameters within 5 %; an ablation
keeps the width of "luong". Nothing was chosen on the test split.
"""

from functools import partial
from typing import Any

import easy_runs
import records
import runner
import torch
from torch import Tensor, nn

from attnlib.model import (
    Attention,
    BahdanauDecoder,
    DotAttention,
    Encoder,
    LuongDecoder,
    Memory,
    PlainDecoder,
    Seq2Seq,
    Steps,
)

WIDTH = 128  # of embeddings, of encoder states, and of the Luong decoder's state
UPDATES = {"ko-en-easy": 1000, "ko-en": 3000}
LONGER = 3000  # of "none-longer"
SHORT = 20  # the longest source that "short" is trained on


class UniformAttention(Attention):
    """All real positions weigh the same: the context is the mean state, at every step."""

    def scores(self, query: Tensor, prepared: Tensor) -> Tensor:
        return query.new_zeros(*query.shape[:2], prepared.shape[1])


class LinearDecoder(LuongDecoder):
    """s̃_t = W_c [c_t ; s_t] without the tanh."""

    def attend(self, hidden: Tensor, memory: Memory) -> Steps:
        states, mask = memory.states, memory.mask
        context, weights = self.attention(hidden, states, states, mask, memory.prepared)
        return self.dropout(self.combine(torch.cat([context, hidden], dim=-1))), weights


class ContextOnlyDecoder(LuongDecoder):
    """s̃_t = tanh(W_c c_t): the state asks, and predicts nothing itself."""

    def attend(self, hidden: Tensor, memory: Memory) -> Steps:
        states, mask = memory.states, memory.mask
        context, weights = self.attention(hidden, states, states, mask, memory.prepared)
        both = torch.cat([context, torch.zeros_like(hidden)], dim=-1)
        return self.dropout(torch.tanh(self.combine(both))), weights


class SplitDecoder(LuongDecoder):
    """One half of each vector matches, the other is fetched or predicts (Daniluk et al. 2017)."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, attention="dot", **kwargs)
        half = WIDTH // 2
        self.attention = DotAttention(half, half)
        self.combine = nn.Linear(2 * half, WIDTH)

    def attend(self, hidden: Tensor, memory: Memory) -> Steps:
        query, predicts = hidden.chunk(2, dim=-1)
        keys, values = memory.states.chunk(2, dim=-1)
        context, weights = self.attention(query, keys, values, memory.mask)
        s_tilde = torch.tanh(self.combine(torch.cat([context, predicts], dim=-1)))
        return self.dropout(s_tilde), weights


def make_model(variant: str, src_size: int, tgt_size: int) -> Seq2Seq:
    """A model of the chapter; the chapter's own ``make_model`` makes "luong" and "none" alike."""
    dropout = 0.0 if variant == "no-dropout" else 0.2
    source, target = easy_runs.tables(src_size, tgt_size, WIDTH)
    words = not variant.endswith("states-only")  # does the memory also hold the word itself?
    encoder = Encoder(source, WIDTH, cell="lstm", dropout=dropout, source_in_memory=words)
    kind = {"cell": "lstm", "dropout": dropout}
    if variant in ("none", "none-longer"):
        decoder: Any = PlainDecoder(target, WIDTH, 116, WIDTH, every_step=True, **kind)
    elif variant == "bahdanau":
        decoder = BahdanauDecoder(target, WIDTH, 72, WIDTH, **kind)
    else:
        made = {
            "no-tanh": LinearDecoder,
            "context-only": ContextOnlyDecoder,
            "split": SplitDecoder,
        }.get(variant, LuongDecoder)
        if made is not SplitDecoder:
            kind["attention"] = "general" if variant.startswith("general") else "dot"
        decoder = made(target, WIDTH, WIDTH, WIDTH, **kind)
        if variant == "uniform":
            decoder.attention = UniformAttention(WIDTH, WIDTH)
    return easy_runs.joined(encoder, decoder, target)


VARIANTS = {
    "luong": "Luong, dot score",
    "none": "no attention: the last states start the decoder and are part of every input",
    "none-longer": "no attention, three times the updates",
    "short": f"Luong, dot score, trained on at most {SHORT} source tokens",
    "bahdanau": "Bahdanau, additive score",
    "general": "Luong, general score: a matrix between the spaces",
    "states-only": "Luong, dot score, keys and values h_j instead of h_j + W x_j",
    "general-states-only": "Luong, general score, keys and values h_j",
    "no-dropout": "Luong, dot score, no dropout",
    "uniform": "Luong, all weights equal",
    "context-only": "Luong, dot score, s̃ from the context alone",
    "no-tanh": "Luong, dot score, s̃ without tanh",
    "split": "Luong, dot score, half of each vector for matching, half for content",
}


ONLY_EASY = {"none-longer", "short"}  # what ko-en is not asked


def run(corpus: str, variant: str, seed: int) -> dict[str, Any]:
    """Trained like all others, but for the one that is trained for longer."""
    updates = LONGER if variant == "none-longer" else UPDATES[corpus]
    translator, _ = easy_runs.train(
        partial(make_model, variant),
        easy_runs.recipe(updates, seed),
        at_most=SHORT if variant == "short" else None,
        corpus=corpus,
    )
    return {
        "parameters": easy_runs.used(translator.model),
        "updates": updates,
        "date": records.today(),
        **easy_runs.evaluate(translator, corpus=corpus),
        "others": easy_runs.evaluate_others(translator, corpus),
    }


def variants(corpus: str) -> dict[str, str]:
    """What is trained on a corpus."""
    left_out = set() if corpus == easy_runs.EASY else ONLY_EASY
    return {name: text for name, text in VARIANTS.items() if name not in left_out}


def head(corpus: str) -> dict[str, Any]:
    option = "" if corpus == easy_runs.EASY else f" --corpus {corpus}"
    return {
        "command": "python benchmarks/attention_chapter.py" + option,
        "corpus": corpus,
        "split": "test",
        "buckets": records.BUCKETS_OF[corpus],
        "batch": 32,
        "search": "greedy",
        **records.origin(),
        "variants": variants(corpus),
    }


def series(corpus: str) -> runner.Series:
    name, chosen = easy_runs.record_of("05_attention", corpus), {"variant": list(variants(corpus))}
    return runner.Series(
        name, chosen, partial(run, corpus), partial(head, corpus), data=lambda variant: corpus
    )


if __name__ == "__main__":
    which = easy_runs.corpus_option()
    runner.main(__doc__, series(which.parse_known_args()[0].corpus), which)
