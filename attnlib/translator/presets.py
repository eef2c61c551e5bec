"""From a corpus to a trained translator in one call: vocabulary, batches, model, training.

Chapter 10 takes these steps one by one; this is the same road for the command line.
"""

import dataclasses
import warnings
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from ..checks import check_name, require
from ..data import (
    Batch,
    Batches,
    Corpus,
    CorpusError,
    CorpusWarning,
    Pair,
    Splits,
    SubwordVocabulary,
    Vocabulary,
    WordVocabulary,
    bucket_by_length,
    load_corpus,
    make_batch,
)
from ..data.sources import is_table
from ..device import best_device, choose_precision, seed_everything
from ..files import StorageError
from ..model import make_seq2seq
from ..training import History, Recipe, fit
from .checkpoints import CHECKPOINT_FILE, Checkpoint, check_no_run
from .distributed import Processes
from .limits import LengthLimit
from .sentences import max_sentences_per_text
from .translator import CARD_FILE, Translator

ATTENTIONS = ("none", "dot", "scaled_dot", "general", "concat", "additive", "bahdanau")


@dataclasses.dataclass(frozen=True)
class Preset:
    """Settings that were chosen together on a validation set: width, batches, and the recipe.

    Sizes and dropout are checked where the model, the batches and the vocabulary are made of them.
    """

    recipe: Recipe
    embedding_size: int
    hidden_size: int
    dropout: float
    batch_tokens: int  # padded positions a batch, on the longer side
    subwords: int | None  # size of the joint subword vocabulary; None: whole words

    def architecture(self, attention: str) -> dict[str, Any]:
        """How to call ``make_seq2seq`` for a kind of attention, "none" or "bahdanau"."""
        check_name("attention", attention, ATTENTIONS)
        sizes = ("embedding_size", "hidden_size", "dropout")
        common = {name: getattr(self, name) for name in sizes}
        common["shared_embedding"] = self.subwords is not None
        if attention == "none":
            return {**common, "decoder": "plain", "every_step": True}
        if attention == "bahdanau":  # query before the step, additive score, GRU: as in the paper
            return {**common, "decoder": "bahdanau", "attention": "additive", "cell": "gru"}
        return {**common, "decoder": "luong", "attention": attention, "source_in_memory": True}


_QUICK_RECIPE = Recipe(
    updates=1800, learning_rate=4e-3, embedding_rate=8.0, warmup=200, validate_every=600
)
_FULL_RECIPE = Recipe(
    updates=9000, learning_rate=3e-3, embedding_rate=8.0, warmup=400, validate_every=1500
)
_BUNDLED_QUICK_RECIPE = Recipe(
    updates=2000,
    learning_rate=3e-3,
    warmup=500,
    label_smoothing=0.0,
    validate_every=500,
    precision="fp32",
)

DEFAULT_PRESETS = {
    "quick": Preset(_QUICK_RECIPE, 256, 384, 0.1, batch_tokens=900, subwords=4000),
    "full": Preset(_FULL_RECIPE, 256, 512, 0.3, batch_tokens=1200, subwords=4000),
}
_BUNDLED_FULL_RECIPE = dataclasses.replace(_BUNDLED_QUICK_RECIPE, updates=6000, validate_every=1500)
BUNDLED_PRESETS = {
    "quick": Preset(_BUNDLED_QUICK_RECIPE, 128, 128, 0.2, batch_tokens=800, subwords=None),
    "full": Preset(_BUNDLED_FULL_RECIPE, 128, 256, 0.2, batch_tokens=800, subwords=None),
}


def presets_for(corpus: Corpus | str) -> dict[str, Preset]:
    """The presets "quick" and "full" of a corpus, or of the one that a name or path stands for."""
    if isinstance(corpus, str) and not is_table(corpus):
        corpus = load_corpus(corpus)
    return BUNDLED_PRESETS if isinstance(corpus, Corpus) and corpus.bundled else DEFAULT_PRESETS


def make_vocabularies(corpus: Corpus, subwords: int | None) -> tuple[Vocabulary, Vocabulary]:
    """Source and target vocabulary of a training split: one joint subword one, or two of words."""
    src, tgt = [pair.src for pair in corpus.train], [pair.tgt for pair in corpus.train]
    if subwords is not None:
        joint = SubwordVocabulary.build([*src, *tgt], subwords)
        return joint, joint
    words = WordVocabulary.build(src, pieces=corpus.src_pieces)
    return words, WordVocabulary.build(tgt, pieces=corpus.tgt_pieces)


def make_batches(
    corpus: Corpus, src: Vocabulary, tgt: Vocabulary, tokens: int, seed: int
) -> tuple[Batches, list[Batch]]:
    """The training batches and the validation batches of a corpus."""
    encode = partial(_encode, src, tgt)
    train = Batches(*encode(corpus.train), max_tokens=tokens, seed=seed)
    rows = bucket_by_length([len(pair.src) for pair in corpus.valid], 64)
    valid = [make_batch(*encode([corpus.valid[i] for i in chosen])) for chosen in rows]
    return train, valid


def _encode(
    src: Vocabulary, tgt: Vocabulary, pairs: list[Pair]
) -> tuple[list[list[int]], list[list[int]]]:
    return [src.encode(pair.src) for pair in pairs], [tgt.encode(pair.tgt) for pair in pairs]


def filter_long_pairs(corpus: Corpus, src: Vocabulary, tgt: Vocabulary, longest: int) -> Corpus:
    """The corpus without those training and validation pairs that are longer than a batch.

    Such a pair, mostly a whole text in one line, would be a batch of its own that takes time and
    memory without bound. Arguments: longest, how many pieces a side may have, its end included.
    Warns of what is left out (CorpusWarning); raises CorpusError where nothing would remain.
    """
    readers = {name: partial(corpus.split, name) for name in corpus.splits}
    long: list[Pair] = []
    for name in ("train", "valid"):
        fitting: list[Pair] = []
        for pair in corpus.split(name):
            (fitting if _fits(src, tgt, longest, pair) else long).append(pair)
        if not fitting:
            why = f"is longer than {longest:,} pieces; write a sentence a line"
            raise CorpusError(f"every {name} pair of {corpus.name} {why}")
        readers[name] = partial(list, fitting)
    if long:
        number = "1 pair is" if len(long) == 1 else f"{len(long):,} pairs are"
        which = f"{number} longer than {longest:,} pieces and left out"
        message = f"{corpus.name}: {which}; the first begins {long[0].src[:40]!r}"
        warnings.warn(message, CorpusWarning, stacklevel=3)
    return dataclasses.replace(corpus, splits=Splits(readers))


def _fits(src: Vocabulary, tgt: Vocabulary, longest: int, pair: Pair) -> bool:
    sides = ((src, pair.src), (tgt, pair.tgt))
    # Every piece has at least one letter, so a text with few letters fits without being cut.
    return all(len(text) + 2 <= longest or len(v.encode(text)) < longest for v, text in sides)


def train_translator(
    corpus: Corpus | str,
    preset: Preset,
    directory: Path | str,
    *,
    attention: str = "general",
    resume: bool = False,
    progress: bool = True,
    begin: Callable[[], object] | None = None,
) -> tuple[Translator, History]:
    """Train a translator into a folder, which can be loaded from the first validation on.

    The weights that are kept are those with the best greedy BLEU on the validation split.
    ``begin`` is called once names, table and folder have been checked, before the long part.
    Raises StorageError where the folder already holds a run and ``resume`` is False (nothing is
    overwritten), or does not and ``resume`` is True, or holds a run of another corpus, model or
    recipe; ValueError for unknown names and for a precision that the device does not have.
    """
    require(isinstance(preset, Preset), "preset", "one of presets_for(corpus)", preset)
    folder = Path(directory)
    name = corpus if isinstance(corpus, str) else corpus.name  # a table is named by its path
    corpus = load_corpus(corpus) if isinstance(corpus, str) else corpus
    architecture = preset.architecture(attention)
    choose_precision(preset.recipe.precision, best_device())  # raises before the corpus is read
    _check_folder(folder, resume)
    if begin:
        begin()
    src, tgt = make_vocabularies(corpus, preset.subwords)
    about = _about(corpus, name, preset, attention)
    corpus = filter_long_pairs(corpus, src, tgt, preset.batch_tokens)
    about["validation pairs"] = len(corpus.valid)
    batches, valid = make_batches(corpus, src, tgt, preset.batch_tokens, preset.recipe.seed)
    seed_everything(preset.recipe.seed)
    model = make_seq2seq(len(src), len(tgt), **architecture).to(best_device())
    translator = Translator(model, src, tgt, about, LengthLimit.learn(batches.lengths))
    same = {key: about[key] for key in ("corpus's checksum", "subwords")}
    card = {CARD_FILE: translator.card()}
    history = fit(
        model,
        batches,
        preset.recipe,
        valid=valid,
        score=lambda _: translator.bleu(corpus.valid, 1),
        progress=progress,
        checkpoint=Checkpoint(folder, resume=resume, about=same, extra_files=card),
        processes=Processes(batches.largest),
    )
    return translator, history


def _about(corpus: Corpus, name: str, preset: Preset, attention: str) -> dict[str, Any]:
    """What a translator's card says of its training."""
    return {
        "corpus": name,
        "corpus's checksum": corpus.fingerprint()[:12],
        "attention": attention,
        "sentences": max_sentences_per_text(pair.src for pair in corpus.train),
        **dataclasses.asdict(preset),
    }


def _check_folder(folder: Path, resume: bool) -> None:
    """Raise StorageError where a folder holds a run and none is resumed, or the reverse.

    Called in every process before any of them has written something.
    """
    if not resume:
        check_no_run(folder)
    elif not (folder / CHECKPOINT_FILE).is_file():
        why = f"there is no run to resume in {folder}: {CHECKPOINT_FILE} is missing"
        raise StorageError(f"{why}; train without resuming, into an empty folder")
