"""Where corpora come from: bundled files, downloads, and tables of the reader's own."""

from .bundled import BUNDLED_CORPORA
from .download import check_writable
from .multi30k import MULTI30K_SHA256, cache_directory
from .open import open_corpus
from .reading import read_lines
from .table import is_table

__all__ = [
    "BUNDLED_CORPORA",
    "MULTI30K_SHA256",
    "cache_directory",
    "check_writable",
    "is_table",
    "open_corpus",
    "read_lines",
]
