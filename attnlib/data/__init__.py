"""Corpora, vocabularies and batches: from a name to token ids."""

# "X as X" marks a name as public: for editors, type checkers and the reference (PEP 484).
from .batches import Batch as Batch
from .batches import Batches as Batches
from .batches import TokenIds as TokenIds
from .batches import bucket_by_length as bucket_by_length
from .batches import make_batch as make_batch
from .batches import pad as pad
from .corpus import Corpus as Corpus
from .corpus import CorpusError as CorpusError
from .corpus import CorpusWarning as CorpusWarning
from .corpus import bundled_directory as bundled_directory
from .loading import CORPUS_NAMES as CORPUS_NAMES
from .loading import load_corpus as load_corpus
from .pairs import Link as Link
from .pairs import Links as Links
from .pairs import Pair as Pair
from .pairs import Splits as Splits
from .pairs import format_links as format_links
from .pairs import parse_links as parse_links
from .subwords import SubwordVocabulary as SubwordVocabulary
from .subwords import vocabulary_from_json as vocabulary_from_json
from .text import as_text_list as as_text_list
from .text import check_text as check_text
from .text import normalize as normalize
from .text import upper_first as upper_first
from .words import BOS as BOS
from .words import CONTINUATION_PREFIX as CONTINUATION_PREFIX
from .words import EOS as EOS
from .words import PAD as PAD
from .words import SPECIAL_TOKENS as SPECIAL_TOKENS
from .words import UNK as UNK
from .words import Vocabulary as Vocabulary
from .words import WordVocabulary as WordVocabulary
