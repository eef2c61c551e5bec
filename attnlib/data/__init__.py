"""Corpora, vocabularies and batches: from a name to numbers."""

from .batches import Batch, Batches, Ids, StreamedBatches, batches_by_length, make_batch, pad
from .bundled import BUNDLED, bundled_directory
from .corpus import LANGUAGES, NAMES, Corpus, load_corpus
from .download import writable
from .multi30k import MULTI30K_SHA256, cache_directory
from .pairs import Link, Links, Pair, Splits, format_links, parse_links
from .reading import CorpusError, CorpusWarning, read_lines
from .subwords import SubwordVocabulary, vocabulary_from_json
from .table import is_table
from .text import normalize, sentences_at_once, split_sentences, texts_of
from .typed import read_typed
from .words import (
    BOS,
    CONTINUES,
    EOS,
    PAD,
    SPECIALS,
    UNK,
    Vocabulary,
    WordVocabulary,
    in_known_case,
)

__all__ = [
    "BOS",
    "BUNDLED",
    "Batch",
    "Batches",
    "CONTINUES",
    "Corpus",
    "CorpusError",
    "CorpusWarning",
    "EOS",
    "Ids",
    "LANGUAGES",
    "Link",
    "Links",
    "MULTI30K_SHA256",
    "NAMES",
    "PAD",
    "Pair",
    "SPECIALS",
    "Splits",
    "StreamedBatches",
    "SubwordVocabulary",
    "UNK",
    "Vocabulary",
    "WordVocabulary",
    "batches_by_length",
    "bundled_directory",
    "cache_directory",
    "format_links",
    "in_known_case",
    "is_table",
    "load_corpus",
    "make_batch",
    "normalize",
    "pad",
    "parse_links",
    "read_lines",
    "read_typed",
    "sentences_at_once",
    "split_sentences",
    "texts_of",
    "vocabulary_from_json",
    "writable",
]
