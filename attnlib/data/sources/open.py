"""A corpus by its name: bundled, downloaded, or a table of the reader's own."""

import os
from collections.abc import Sequence
from pathlib import Path

from ...checks import check_name, require
from ..corpus import Corpus, CorpusError, StrPath
from .bundled import BUNDLED_CORPORA, bundled_pieces, bundled_splits
from .multi30k import multi30k_splits
from .table import SUFFIXES, is_table, table_splits

LANGUAGE_NAMES = {"ko": "Korean", "en": "English", "de": "German", "fr": "French"}
PACKED = (".gz", ".zip", ".bz2", ".xz", ".7z", ".zst", ".tgz", ".xlsx", ".xls", ".ods")


def open_corpus(name: StrPath, names: Sequence[str], cache: StrPath | None = None) -> Corpus:
    """What ``load_corpus`` gives: one of ``names``, or the table at a path."""
    is_name = isinstance(name, str | os.PathLike)
    require(is_name, "name", "the name of a corpus or the path of a table", name)
    text = os.fspath(name)
    if is_table(text):
        return Corpus(Path(text).stem, table_splits(Path(text)), "source", "target")
    if text in BUNDLED_CORPORA:
        pieces = bundled_pieces()
        return Corpus(text, bundled_splits(text), "Korean", "English", pieces, bundled=True)
    if text and text not in names:
        _refuse_file(Path(text))
    check_name("corpus (or the path of a .tsv file)", text, names, CorpusError)
    languages = text.split("-")[1:]
    src, tgt = (LANGUAGE_NAMES[code] for code in languages)
    return Corpus(text, multi30k_splits(languages, cache), src, tgt)


def _refuse_file(path: Path) -> None:
    """Raise CorpusError for a file whose name is no table's, with the way to make one of it."""
    if path.is_dir():
        raise CorpusError(f"{path} is a folder; name the table in it")
    if path.exists():
        hint = f"rename it to {path.with_suffix('.tsv').name} if its lines are source<TAB>target"
        if path.suffix.lower() in PACKED:
            hint = "unpack it, or save its sheet as CSV UTF-8"
        raise CorpusError(f"{path}: a table's name ends in {', '.join(SUFFIXES)}; {hint}")
