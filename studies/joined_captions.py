"""The recorded runs of chapter 9: Multi30k captions joined one to four at a time, German → English.

    python -m studies.joined_captions                   # data/runs/09_joined_captions.json

Three runs that differ in the seed, about six minutes each on one quiet core with bfloat16 (twice
that without). Training and test sentences are captions alone and two, three and four of them joined
with a space. The settings of the recipe were chosen on the validation captions; nothing was chosen
on the test split, and the last weights count.

A run that is in the file already is not made again, and one that was interrupted goes on from its
last checkpoint, so the program can be stopped at any time. The file keeps, of every test sentence,
what corpus BLEU sums up (its length and its clipped matches), so that any interval can be drawn
from it; it keeps no caption.
"""

import dataclasses
import itertools
import random
from functools import cache, partial
from pathlib import Path
from typing import Any

from torch import nn

from attnlib.data import Batches, Corpus, Pair, SubwordVocabulary
from attnlib.device import seed_everything
from attnlib.metrics import Settings, corpus_bleu
from attnlib.model import Encoder, LuongDecoder, Seq2Seq
from attnlib.training import Recipe, fit
from attnlib.translator import CHECKPOINT_FILE, Checkpoint, Preset, Translator

from . import common, records, runner

VARIANTS = {"with": "Luong decoder, general score over encoder state + W · source embedding"}
BUCKETS = ((1, 10), (11, 20), (21, 30), (31, 45), (46, 999))  # source words, cut at white space
LARGEST = 200  # sentences of a bucket
DEALS = 3  # how often the test captions are shuffled and joined, to fill the buckets
SIZES = (1, 2, 3, 4)  # captions of a sentence
EMBEDDING, ENCODER, DECODER = 256, 384, 384
# "quick" as it was when these runs were made; today's has fewer updates and less dropout.
PRESET = Preset(
    Recipe(learning_rate=4e-3, warmup=200), 256, 384, 0.2, batch_tokens=900, subwords=4000
)
UPDATES = 2800
CHECKPOINT = 200  # updates
DATA_SEED = 0  # of the joining, the same for every run


def recipe(seed: int) -> Recipe:
    return dataclasses.replace(PRESET.recipe, updates=UPDATES, validate_every=CHECKPOINT, seed=seed)


def joined(pairs: list[Pair], size: int, deal: int = 0) -> list[tuple[int, ...]]:
    """The captions in groups of ``size``, each in one group, as their numbers."""
    order = list(range(len(pairs)))
    random.Random(DATA_SEED + 10 * deal + size).shuffle(order)
    return [tuple(order[i : i + size]) for i in range(0, len(order) - size + 1, size)]


def sentence(pairs: list[Pair], group: tuple[int, ...]) -> tuple[str, str]:
    return " ".join(pairs[i].src for i in group), " ".join(pairs[i].tgt for i in group)


def test_buckets(pairs: list[Pair]) -> list[list[tuple[str, str]]]:
    """At most ``LARGEST`` sentences for every range of lengths; no caption twice in one."""
    buckets: list[list[tuple[str, str]]] = [[] for _ in BUCKETS]
    used: list[set[int]] = [set() for _ in BUCKETS]
    for deal, size in itertools.product(range(DEALS), SIZES):
        for group in joined(pairs, size, deal):
            src, tgt = sentence(pairs, group)
            k = next(k for k, (low, high) in enumerate(BUCKETS) if low <= len(src.split()) <= high)
            if len(buckets[k]) < LARGEST and not used[k] & set(group):
                buckets[k].append((src, tgt))
                used[k] |= set(group)
    return buckets


def make_model(size: int) -> Seq2Seq:
    embed = nn.Embedding(size, EMBEDDING)
    nn.init.normal_(embed.weight, std=EMBEDDING**-0.5)
    dropout = PRESET.dropout
    encoder = Encoder(embed, ENCODER, cell="lstm", dropout=dropout, source_in_memory=True)
    sizes = (embed, ENCODER, DECODER, EMBEDDING)
    decoder = LuongDecoder(*sizes, attention="general", dropout=dropout)
    return common.joined(encoder, decoder, embed)


def train(seed: int, corpus: Corpus, folder: Path) -> tuple[Translator, float]:
    """A trained translator and the minutes of its updates."""
    captions = [text for pair in corpus.train for text in (pair.src, pair.tgt)]
    assert PRESET.subwords is not None
    vocabulary = SubwordVocabulary.build(captions, PRESET.subwords)
    texts = [sentence(corpus.train, group) for k in SIZES for group in joined(corpus.train, k)]
    batches = Batches(
        [vocabulary.encode(src) for src, _ in texts],
        [vocabulary.encode(tgt) for _, tgt in texts],
        max_tokens=PRESET.batch_tokens,
        seed=seed,
    )
    seed_everything(seed)
    model = make_model(len(vocabulary))
    history = fit(
        model,
        batches,
        recipe(seed),
        checkpoint=Checkpoint(folder, resume=(folder / CHECKPOINT_FILE).is_file()),
        progress=False,
    )
    return Translator(model, vocabulary, vocabulary), history.seconds / 60


def evaluate(translator: Translator, buckets: list[list[tuple[str, str]]]) -> dict[str, Any]:
    """BLEU of every bucket, and of every sentence c, r and the clipped matches of n = 1 … 4."""
    scores, sentences = [], []
    for bucket in buckets:
        found = translator.translate([src for src, _ in bucket], beam_size=1, single_sentence=True)
        texts = [one.text for one in found]
        references = [tgt for _, tgt in bucket]
        scores.append(round(corpus_bleu(texts, references).score, 2))
        each = [corpus_bleu([text], [tgt]) for text, tgt in zip(texts, references)]
        sentences.append(
            [[one.hypothesis_length, one.reference_length, *map(int, one.counts)] for one in each]
        )
    return {"bleu": scores, "sentences": sentences}


@cache
def corpus_and_buckets() -> tuple[Corpus, list[list[tuple[str, str]]]]:
    corpus = records.corpus_or_exit("multi30k-de-en")
    return corpus, test_buckets(corpus.test)


def run(out: Path, variant: str, seed: int) -> dict[str, Any]:
    corpus, buckets = corpus_and_buckets()
    translator, minutes = train(seed, corpus, out / f"{variant}-{seed}")
    return {
        "command": f"python -m studies.joined_captions --variants {variant} --seeds {seed}",
        **records.circumstances(PRESET.recipe.precision, "torch", "tokenizers"),
        "minutes": round(minutes, 1),
        "parameters": sum(p.numel() for p in translator.model.parameters()),
        **evaluate(translator, buckets),
    }


def header() -> dict[str, Any]:
    return {
        "what": "Multi30k German-English captions joined one to four at a time, one model with "
        "attention, recorded for chapter 9. Greedy search; BLEU cased, 13a. Under sentences, for "
        "every bucket and sentence: [c, r, clipped matches of n = 1, 2, 3, 4].",
        "command": "python -m studies.joined_captions",
        "corpus": "multi30k-de-en",
        "split": "test",
        "buckets": BUCKETS,
        "sentences a bucket": [len(bucket) for bucket in corpus_and_buckets()[1]],
        "signature": Settings().signature(),
        "search": "greedy",
        "updates": UPDATES,
        "recipe": dataclasses.asdict(dataclasses.replace(recipe(0), seed=0))
        | {"seed": "the run's"},
        "embedding": EMBEDDING,
        "encoder": ENCODER,
        "decoder": DECODER,
        "dropout": PRESET.dropout,
        "batch tokens": PRESET.batch_tokens,
        "subwords": PRESET.subwords,
        "variants": VARIANTS,
    }


def series(out: Path) -> runner.Series:
    variants = {"variant": list(VARIANTS)}
    return runner.Series(
        "09_joined_captions", variants, partial(run, out), header, separators=(",", ":")
    )


if __name__ == "__main__":
    out = runner.option("--out", type=Path, default=Path("runs/joined_captions"))
    runner.main(__doc__, series, out, say="{variant} {seed}: {bleu}".format_map)
