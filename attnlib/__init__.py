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

from typing import TYPE_CHECKING

__version__ = "1.0.0"

if TYPE_CHECKING:  # what editors and type checkers see
    from . import data as data
    from . import device as device
    from . import figures as figures
    from . import masking as masking
    from . import metrics as metrics
    from . import model as model
    from . import search as search
    from . import training as training
    from . import translator as translator
    from .data import Batches as Batches
    from .data import WordVocabulary as WordVocabulary
    from .data import load_corpus as load_corpus
    from .data import make_batch as make_batch
    from .device import seed_everything as seed_everything
    from .metrics import corpus_bleu as corpus_bleu
    from .model import make_seq2seq as make_seq2seq
    from .training import Recipe as Recipe
    from .training import fit as fit
    from .translator import Translator as Translator
else:
    from .lazy import lazy_exports

    _MODULE_BY_NAME = {
        **dict.fromkeys(("Batches", "WordVocabulary", "load_corpus", "make_batch"), "data"),
        **{"seed_everything": "device", "corpus_bleu": "metrics", "make_seq2seq": "model"},
        **{"Recipe": "training", "fit": "training", "Translator": "translator"},
    }
    _SUBMODULES = {*_MODULE_BY_NAME.values(), "figures", "masking", "search"}
    __all__ = sorted(_MODULE_BY_NAME)
    __getattr__, __dir__ = lazy_exports(__name__, _MODULE_BY_NAME, _SUBMODULES)
