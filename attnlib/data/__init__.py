"""Corpora, vocabularies and batches: from a name to numbers."""

from .batches import Batch, Batches, Ids, bucket_by_length, make_batch, pad
from .corpus import Corpus, CorpusError, CorpusWarning, bundled_directory
from .loading import NAMES, load_corpus
from .pairs import Link, Links, Pair, Splits, format_links, parse_links
from .subwords import SubwordVocabulary, vocabulary_from_json
from .text import as_text_list, check_text, normalize, upper_first
from .words import (
    BOS,
    CONTINUES,
    EOS,
    PAD,
    SPECIALS,
    UNK,
    Vocabulary,
    WordVocabulary,
)

__all__ = [
    "BOS",
    "Batch",
    "Batches",
    "CONTINUES",
    "Corpus",
    "CorpusError",
    "CorpusWarning",
    "EOS",
    "Ids",
    "Link",
    "Links",
    "NAMES",
    "PAD",
    "Pair",
    "SPECIALS",
    "Splits",
    "SubwordVocabulary",
    "UNK",
    "Vocabulary",
    "WordVocabulary",
    "bucket_by_length",
    "bundled_directory",
    "check_text",
    "format_links",
    "load_corpus",
    "make_batch",
    "normalize",
    "pad",
    "parse_links",
    "as_text_list",
    "upper_first",
    "vocabulary_from_json",
]
