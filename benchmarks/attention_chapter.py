"""The recorded runs of chapter 5: translators that differ in one thing each, three seeds of all.

    python benchmarks/attention_chapter.py                  # data/runs/05_attention.json
    python benchmarks/attention_chapter.py --variants luong --seeds 1

A run that is in the file already is not made again, so the program can be stopped at any time. All
variants have the same encoder, batches, updates and learning rate, and one thread. The decoders'
widths are chosen so that "none", "luong" and "bahdanau" have parameters within 5 %; an ablation
keeps the width of "luong". Nothing was chosen on the test split.
"""

import argparse
import datetime
import json
from pathlib import Path
from typing import Any

import records
import torch
from torch import Tensor, nn

from attnlib.data import Batches, Corpus, WordVocabulary, load_corpus, make_batch
from attnlib.device import seed_everything
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
from attnlib.training import Recipe, fit
from attnlib.translator import Translator

WIDTH = 128  # of embeddings, of encoder states, and of the Luong decoder's state
UPDATES = 1000
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
    source, target = nn.Embedding(src_size, WIDTH), nn.Embedding(tgt_size, WIDTH)
    for table in (source, target):
        nn.init.normal_(table.weight, std=WIDTH**-0.5)
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
    output = nn.Linear(WIDTH, tgt_size)
    nn.init.zeros_(output.bias)
    output.weight = target.weight
    return Seq2Seq(encoder, decoder, output)


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


def recipe(variant: str, seed: int) -> Recipe:
    """The same for all variants, but for the one that is trained for longer."""
    updates = LONGER if variant == "none-longer" else UPDATES
    return Recipe(
        updates=updates,
        learning_rate=4e-3,
        warmup=updates // 4,
        label_smoothing=0.0,
        validate_every=updates,
        precision="fp32",
        seed=seed,
    )


def train(variant: str, seed: int, corpus: Corpus) -> Translator:
    src = WordVocabulary.build((pair.src for pair in corpus.train), pieces=corpus.src_pieces)
    tgt = WordVocabulary.build(pair.tgt for pair in corpus.train)
    ids = [(src.encode(pair.src), tgt.encode(pair.tgt)) for pair in corpus.train]
    if variant == "short":
        ids = [(x, y) for x, y in ids if len(x) <= SHORT]
    seed_everything(seed)
    model = make_model(variant, len(src), len(tgt))
    batches = Batches([x for x, _ in ids], [y for _, y in ids], size=32, seed=seed)
    fit(model, batches, recipe(variant, seed), progress=False)
    return Translator(model, src, tgt)


@torch.no_grad()
def all_weights(translator: Translator, corpus: Corpus) -> list[Tensor]:
    """α (T, S) of every test pair under the reference, without the row and column of the end."""
    found = []
    for pair in corpus.test:
        src = translator.src_vocabulary.encode(pair.src)
        tgt = translator.tgt_vocabulary.encode(pair.tgt)
        batch = make_batch([src], [tgt])
        _, weights = translator.model(batch.src, batch.src_mask, batch.tgt_in)
        found.append(weights[0, : len(tgt), : len(src)])
    return found


def evaluate(translator: Translator, corpus: Corpus) -> dict[str, Any]:
    translator.model.eval()
    lengths = [len(translator.src_vocabulary.encode(pair.src)) for pair in corpus.test]
    texts = [t.text for t in translator.translate([p.src for p in corpus.test], beam=1)]
    references = [pair.tgt for pair in corpus.test]
    bleu = records.bleu_by_length(texts, lengths, references)
    result: dict[str, Any] = {"bleu": bleu}
    if hasattr(translator.model.decoder, "attention"):
        gold = [pair.links for pair in corpus.test]
        result |= records.alignment(all_weights(translator, corpus), gold)
    return result


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--variants", nargs="+", choices=list(VARIANTS), default=list(VARIANTS))
    parser.add_argument("--seeds", type=int, nargs="+", default=[1, 2, 3])
    default = records.path_of("05_attention")
    parser.add_argument("--file", type=Path, default=default)
    given = parser.parse_args()
    torch.set_num_threads(1)
    corpus = load_corpus("ko-en-easy")
    runs = records.read(given.file)
    runs = {key: run for key, run in runs.items() if key[0] in VARIANTS}
    for seed in given.seeds:
        for variant in given.variants:
            if (variant, seed) in runs:
                continue
            translator = train(variant, seed, corpus)
            used = [p for p in translator.model.parameters() if p.grad is not None]
            runs[variant, seed] = {
                "variant": variant,
                "seed": seed,
                "parameters": sum(p.numel() for p in used),
                "updates": recipe(variant, seed).updates,
                "date": datetime.date.today().isoformat(),
                **evaluate(translator, corpus),
            }
            head = {
                "command": "python benchmarks/attention_chapter.py",
                "corpus": corpus.name,
                "split": "test",
                "buckets": records.BUCKETS,
                "batch": 32,
                "search": "greedy",
                **records.origin(),
                "variants": VARIANTS,
            }
            records.save(given.file, head, records.in_order(runs, VARIANTS))
            print(json.dumps(runs[variant, seed]), flush=True)


if __name__ == "__main__":
    main()
