"""What the chapters of the book built, in the order in which a sentence passes through it.

The ten names that are used most:

    seed_everything   the same random numbers in every run
    load_corpus       sentence pairs by the name of a corpus, or from your own table
    WordVocabulary    words to token ids and back
    make_batch        some pairs as padded tensors with their masks
    Batches           a corpus as batches of like lengths, in a new order each epoch
    make_seq2seq      encoder, attention and decoder, joined
    Recipe            how to train: updates, learning rate, warm-up, validation
    fit               train a model by a recipe; what is interrupted can be resumed
    Translator        text in, text and alignment out; save and load
    corpus_bleu       how good translations are, measured against references

The packages that define them (``from attnlib.search import beam_search``):

    attnlib.data        corpora, vocabularies and batches: from a name to token ids
    attnlib.model       recurrent cells, attention, encoder, decoders, their model; the Transformer
    attnlib.training    losses, schedules and the training loop
    attnlib.search      greedy, sampling, beam and exhaustive search over any step function
    attnlib.metrics     BLEU, chrF, significance, and word alignment
    attnlib.figures     figures; arrays and labels in, pictures out
    attnlib.masking     which positions are not padding, and a softmax over just those
    attnlib.device      where to compute, how exactly, and from which random numbers
    attnlib.translator  a trained model with its vocabularies: trained, saved, loaded, as one
                        HTML page, and on the command line

All are loaded on first use: ``import attnlib`` itself loads nothing and changes nothing.

>>> import attnlib
>>> attnlib.corpus_bleu(["a cat sat on the mat"], [["a cat sat on the mat"]]).score
100.0
"""

# ruff: noqa: I001 (names side by side)

from typing import TYPE_CHECKING

__version__ = "0.1.0"

__all__ = [
    "Batches",
    "Recipe",
    "Translator",
    "WordVocabulary",
    "corpus_bleu",
    "fit",
    "load_corpus",
    "make_batch",
    "make_seq2seq",
    "seed_everything",
]

if TYPE_CHECKING:  # what editors and type checkers see
    from . import (
        data as data,
        device as device,
        figures as figures,
        masking as masking,
        metrics as metrics,
        model as model,
        search as search,
        training as training,
        translator as translator,
    )
    from .data import Batches, WordVocabulary, load_corpus, make_batch
    from .device import seed_everything
    from .metrics import corpus_bleu
    from .model import make_seq2seq
    from .training import Recipe, fit
    from .translator import Translator
else:
    from .lazy import lazy_exports

    _MODULE_BY_NAME = {
        **dict.fromkeys(("Batches", "WordVocabulary", "load_corpus", "make_batch"), "data"),
        **{"seed_everything": "device", "corpus_bleu": "metrics", "make_seq2seq": "model"},
        **{"Recipe": "training", "fit": "training", "Translator": "translator"},
    }
    _SUBMODULES = {*_MODULE_BY_NAME.values(), "figures", "masking", "search"}
    __getattr__, __dir__ = lazy_exports(__name__, _MODULE_BY_NAME, _SUBMODULES)
