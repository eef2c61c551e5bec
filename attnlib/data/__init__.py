"""Corpora, vocabularies and batches: from a name to token ids."""

from .batches import Batch, Batches, TokenIds, bucket_by_length, make_batch, pad
from .corpus import Corpus, CorpusError, CorpusWarning, bundled_directory
from .loading import CORPUS_NAMES, load_corpus
from .pairs import Link, Links, Pair, Splits, format_links, parse_links
from .subwords import SubwordVocabulary, vocabulary_from_json
from .text import as_text_list, check_text, normalize, upper_first
from .words import (
    BOS,
    CONTINUATION_PREFIX,
    EOS,
    PAD,
    SPECIAL_TOKENS,
    UNK,
    Vocabulary,
    WordVocabulary,
)

__all__ = [
    "BOS",
    "Batch",
    "Batches",
    "CONTINUATION_PREFIX",
    "CORPUS_NAMES",
    "Corpus",
    "CorpusError",
    "CorpusWarning",
    "EOS",
    "Link",
    "Links",
    "PAD",
    "Pair",
    "SPECIAL_TOKENS",
    "Splits",
    "SubwordVocabulary",
    "TokenIds",
    "UNK",
    "Vocabulary",
    "WordVocabulary",
    "as_text_list",
    "bucket_by_length",
    "bundled_directory",
    "check_text",
    "format_links",
    "load_corpus",
    "make_batch",
    "normalize",
    "pad",
    "parse_links",
    "upper_first",
    "vocabulary_from_json",
]
