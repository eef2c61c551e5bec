"""The recorded runs of chapter 6: the scores in one translator, everything else alike.

    python benchmarks/scores_chapter.py                  # data/runs/06_scores.json
    python benchmarks/scores_chapter.py --variants dot --seeds 1

A run that is in the file already is not made again, so the program can be stopped at any time. All
variants have chapter 5's Luong decoder, encoder, batches, updates and learning rate, and one
thread; A, the width inside "concat" and "additive", is chosen so that they have as many parameters
as "general", and all lie within 5 %. "additive_bias" is "additive" with one more vector inside.
While a run trains, its alignment is watched on the validation split; nothing was chosen on the test
split. ``seconds`` is the processor time of the training alone: compare ratios within one file, not
seconds.
"""

import argparse
import datetime
import json
import time
from pathlib import Path
from typing import Any

import records
import torch
from torch import Tensor, nn

from attnlib.data import Batches, Corpus, Pair, WordVocabulary, load_corpus, make_batch
from attnlib.device import seed_everything
from attnlib.metrics import aer, links_from_weights
from attnlib.model import AdditiveAttention, Encoder, LuongDecoder, Seq2Seq, make_attention
from attnlib.training import Recipe, fit
from attnlib.translator import Translator

WIDTH = 128  # of embeddings, of encoder states, and of the decoder's state
INNER = 64  # A of concat and additive: A (128 + 128) + A numbers, general has 128 · 128
UPDATES = 1000
WATCH = 100  # updates between two looks at the validation split

VARIANTS = {
    "dot": "s·h: no parameters",
    "scaled_dot": "s·h / √128: no parameters",
    "general": "s W h",
    "concat": "v tanh(W [s ; h]), A = 64",
    "additive": "v tanh(W s + U h), A = 64",
    "additive_bias": "v tanh(W s + U h + b), A = 64",
}


def make_model(kind: str, src_size: int, tgt_size: int) -> Seq2Seq:
    """Chapter 5's model with another score; the chapter's own ``make_model`` makes the same."""
    source, target = nn.Embedding(src_size, WIDTH), nn.Embedding(tgt_size, WIDTH)
    for table in (source, target):
        nn.init.normal_(table.weight, std=WIDTH**-0.5)
    encoder = Encoder(source, WIDTH, cell="lstm", dropout=0.2, source_in_memory=True)
    decoder = LuongDecoder(target, WIDTH, WIDTH, WIDTH, attention="dot", cell="lstm", dropout=0.2)
    output = nn.Linear(WIDTH, tgt_size)
    nn.init.zeros_(output.bias)
    output.weight = target.weight
    decoder.attention = make_attention(kind.removesuffix("_bias"), WIDTH, WIDTH, INNER)
    if isinstance(decoder.attention, AdditiveAttention) and kind.endswith("_bias"):
        decoder.attention.from_query = nn.Linear(WIDTH, INNER)  # as it was, with a b
    return Seq2Seq(encoder, decoder, output)


def recipe(seed: int) -> Recipe:
    """The same for all variants, and that of chapter 5."""
    return Recipe(
        updates=UPDATES,
        learning_rate=4e-3,
        warmup=UPDATES // 4,
        label_smoothing=0.0,
        validate_every=WATCH,
        precision="fp32",
        seed=seed,
    )


def train(kind: str, seed: int, corpus: Corpus) -> tuple[Translator, dict[str, Any]]:
    src = WordVocabulary.build((pair.src for pair in corpus.train), pieces=corpus.src_pieces)
    tgt = WordVocabulary.build(pair.tgt for pair in corpus.train)
    ids = [(src.encode(pair.src), tgt.encode(pair.tgt)) for pair in corpus.train]
    seed_everything(seed)
    translator = Translator(make_model(kind, len(src), len(tgt)), src, tgt)
    batches = Batches([x for x, _ in ids], [y for _, y in ids], size=32, seed=seed)
    watched = corpus.valid[::3]  # 20 sentences of every length
    curve: list[float] = []
    idle = 0.0

    def watch(model: Seq2Seq) -> float:
        """The alignment error so far; what is returned makes the last weights the best."""
        nonlocal idle
        start = time.process_time()
        weights = all_weights(translator, watched)
        found = [links_from_weights(w) for w in weights]
        curve.append(round(aer(found, [pair.links for pair in watched]), 4))
        idle += time.process_time() - start
        return float(len(curve))

    start = time.process_time()
    history = fit(translator.model, batches, recipe(seed), score=watch, progress=False)
    seconds = time.process_time() - start - idle
    loss = [round(value, 4) for value in history.train_loss]
    return translator, {"seconds": round(seconds, 1), "loss": loss, "aer_while": curve}


@torch.no_grad()
def all_weights(translator: Translator, pairs: list[Pair]) -> list[Tensor]:
    """α (T, S) of every pair under the reference, without the row and column of the end."""
    model = translator.model.eval()
    sources = [translator.src_vocabulary.encode(pair.src) for pair in pairs]
    targets = [translator.tgt_vocabulary.encode(pair.tgt) for pair in pairs]
    batch = make_batch(sources, targets)
    _, weights = model(batch.src, batch.src_mask, batch.tgt_in)
    return [w[: len(y), : len(x)] for w, x, y in zip(weights, sources, targets)]


def evaluate(translator: Translator, corpus: Corpus) -> dict[str, Any]:
    translator.model.eval()
    lengths = [len(translator.src_vocabulary.encode(pair.src)) for pair in corpus.test]
    texts = [t.text for t in translator.translate([p.src for p in corpus.test], beam=1)]
    references = [pair.tgt for pair in corpus.test]
    bleu = records.bleu_by_length(texts, lengths, references)
    result: dict[str, Any] = {"bleu": bleu}
    gold = [pair.links for pair in corpus.test]
    return result | records.alignment(all_weights(translator, corpus.test), gold)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--variants", nargs="+", choices=list(VARIANTS), default=list(VARIANTS))
    parser.add_argument("--seeds", type=int, nargs="+", default=[1, 2, 3])
    default = records.path_of("06_scores")
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
            translator, watched = train(variant, seed, corpus)
            used = [p for p in translator.model.parameters() if p.grad is not None]
            runs[variant, seed] = {
                "variant": variant,
                "seed": seed,
                "parameters": sum(p.numel() for p in used),
                "date": datetime.date.today().isoformat(),
                **watched,
                **evaluate(translator, corpus),
            }
            head = {
                "command": "python benchmarks/scores_chapter.py",
                "corpus": corpus.name,
                "split": "test",
                "buckets": records.BUCKETS,
                "batch": 32,
                "updates": UPDATES,
                "watched": [WATCH * (n + 1) for n in range(UPDATES // WATCH)],
                "search": "greedy",
                **records.origin(),
                "variants": VARIANTS,
            }
            records.save(given.file, head, records.in_order(runs, VARIANTS))
            print(json.dumps(runs[variant, seed]), flush=True)


if __name__ == "__main__":
    main()
