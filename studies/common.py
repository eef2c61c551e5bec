"""What the recorded runs of chapters 3 to 8 share: a bundled corpus, one recipe, one evaluation.

The corpus is ko-en-easy where a program does not say otherwise. Run by itself this module does
nothing.
"""

import argparse
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any, NamedTuple

import torch
from torch import Tensor, nn

from attnlib.data import Batches, Corpus, Pair, WordVocabulary, load_corpus, make_batch
from attnlib.device import seed_everything
from attnlib.model import Decoder, Encoder, Seq2Seq
from attnlib.training import History, Recipe, fit
from attnlib.translator import Translator

from . import records, runner

EASY = "ko-en-easy"
BATCH_SIZE = 500  # sentences whose weights are computed in one batch


class EncodedCorpus(NamedTuple):
    """A corpus, its vocabularies, and its training pairs as token ids."""

    corpus: Corpus
    src: WordVocabulary
    tgt: WordVocabulary
    pairs: list[tuple[list[int], list[int]]]


@cache
def encoded_corpus(name: str = EASY) -> EncodedCorpus:
    corpus = load_corpus(name)
    src = WordVocabulary.build((pair.src for pair in corpus.train), pieces=corpus.src_pieces)
    tgt = WordVocabulary.build(pair.tgt for pair in corpus.train)
    pairs = [(src.encode(pair.src), tgt.encode(pair.tgt)) for pair in corpus.train]
    return EncodedCorpus(corpus, src, tgt, pairs)


def corpus_option() -> argparse.ArgumentParser:
    """The option --corpus, for a program whose runs are made on either."""
    return runner.option("--corpus", choices=list(records.BUCKETS_OF), default=EASY)


def record_of(name: str, corpus: str) -> str:
    """The file of a program's runs: those on ko-en have one of their own."""
    return name if corpus == EASY else f"{name}_{corpus}"


def recipe(updates: int, seed: int, **options: Any) -> Recipe:
    """The chapters' own: the learning rate is warmed up for a quarter of the updates."""
    usual = {"learning_rate": 4e-3, "warmup": updates // 4, "validate_every": updates}
    fixed = {"label_smoothing": 0.0, "precision": "fp32", "seed": seed}
    return Recipe(updates=updates, **{**usual, **options}, **fixed)


def tables(src_size: int, tgt_size: int, width: int) -> tuple[nn.Embedding, nn.Embedding]:
    """Embeddings of both languages, of standard deviation width^−½."""
    source, target = nn.Embedding(src_size, width), nn.Embedding(tgt_size, width)
    for table in (source, target):
        nn.init.normal_(table.weight, std=width**-0.5)
    return source, target


def joined(
    encoder: Encoder, decoder: Decoder, target: nn.Embedding, kind: type[Seq2Seq] = Seq2Seq
) -> Seq2Seq:
    """The model whose output layer has the weights of the target embedding."""
    output = nn.Linear(target.embedding_dim, target.num_embeddings)
    nn.init.zeros_(output.bias)
    output.weight = target.weight
    return kind(encoder, decoder, output)


def train(
    make_model: Callable[[int, int], Seq2Seq],
    recipe: Recipe,
    at_most: int | None = None,
    corpus: str = EASY,
    **options: Any,
) -> tuple[Translator, History]:
    """A translator trained on the pairs of at most so many source tokens, 32 an update.

    ``options`` go to ``fit``; a ``score`` is given the translator.
    """
    _, src, tgt, pairs = encoded_corpus(corpus)
    chosen = [(x, y) for x, y in pairs if at_most is None or len(x) <= at_most]
    seed_everything(recipe.seed)
    translator = Translator(make_model(len(src), len(tgt)), src, tgt)
    batches = Batches(
        [x for x, _ in chosen], [y for _, y in chosen], batch_size=32, seed=recipe.seed
    )
    if score := options.pop("score", None):
        options["score"] = lambda model: score(translator)
    history = fit(translator.model, batches, recipe, progress=False, **options)
    translator.model.eval()
    return translator, history


def used(model: nn.Module) -> int:
    """Parameters that learn."""
    return sum(p.numel() for p in model.parameters() if p.grad is not None)


@torch.no_grad()
def all_weights(translator: Translator, pairs: Sequence[Pair]) -> list[Tensor]:
    """α (T, S) of every pair under the reference, without the row and column of the end."""
    model = translator.model.eval()
    found: list[Tensor] = []
    for low in range(0, len(pairs), BATCH_SIZE):
        some = pairs[low : low + BATCH_SIZE]
        sources = [translator.src_vocabulary.encode(pair.src) for pair in some]
        targets = [translator.tgt_vocabulary.encode(pair.tgt) for pair in some]
        batch = make_batch(sources, targets)
        _, weights = model(batch.src, batch.src_mask, batch.tgt_in)
        found += [w[: len(y), : len(x)] for w, x, y in zip(weights, sources, targets)]
    return found


def tokens(pairs: Sequence[Pair], corpus: str = EASY) -> list[int]:
    """How long the sources are."""
    return [len(encoded_corpus(corpus).src.encode(pair.src)) for pair in pairs]


def measured(translator: Translator, pairs: Sequence[Pair], corpus: str = EASY) -> dict[str, Any]:
    """``records.measured`` of greedy translations."""
    lengths = [len(translator.src_vocabulary.encode(pair.src)) for pair in pairs]
    texts = [t.text for t in translator.translate([pair.src for pair in pairs], beam_size=1)]
    references = [pair.tgt for pair in pairs]
    return records.measured(texts, lengths, references, records.BUCKETS_OF[corpus])


def evaluate(
    translator: Translator, pairs: Sequence[Pair] | None = None, corpus: str = EASY
) -> dict[str, Any]:
    """BLEU by length and as a whole and, where there is attention, its alignment; of the test."""
    pairs = encoded_corpus(corpus).corpus.test if pairs is None else pairs
    found = measured(translator, pairs, corpus)
    return {"bleu": found["by_length"]["bleu"], "test": found, **aligned(translator, pairs)}


def aligned(translator: Translator, pairs: Sequence[Pair]) -> dict[str, float]:
    """The alignment of a model with attention; nothing of one without."""
    if getattr(translator.model.decoder, "attention", None) is None:
        return {}
    return records.alignment(all_weights(translator, pairs), [pair.links for pair in pairs])


def other_tests(corpus: str = EASY) -> dict[str, list[Pair]]:
    """The tests beside ``test``: composition and, in ko-en, long and written sentences."""
    given = encoded_corpus(corpus).corpus
    return {name: given.split(name) for name in given.splits if name.startswith("test_")}


def as_long(pairs: Sequence[Pair], corpus: str = EASY) -> list[Pair]:
    """The sentences of ``test`` that are as long as these: no shorter and no longer than any."""
    test, sizes = encoded_corpus(corpus).corpus.test, tokens(pairs, corpus)
    return [p for p, n in zip(test, tokens(test, corpus)) if min(sizes) <= n <= max(sizes)]


def evaluate_others(translator: Translator, corpus: str = EASY) -> dict[str, dict[str, Any]]:
    """BLEU, greedy, of each of the other tests as a whole and by length, and the alignment.

    Beside it that of the sentences of ``test`` as long as theirs, for in ko-en they are shorter:
    what is worse than all of ``test`` may only be longer.
    """
    result = {}
    for name, pairs in other_tests(corpus).items():
        alike = as_long(pairs, corpus)
        found = measured(translator, pairs, corpus) | aligned(translator, pairs)
        if alike:
            beside = measured(translator, alike, corpus)
            beside["tokens"] = [min(tokens(pairs, corpus)), max(tokens(pairs, corpus))]
            found["same_lengths"] = {key: x for key, x in beside.items() if key != "by_length"}
        result[name] = found
    return result
