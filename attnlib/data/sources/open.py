"""A corpus by its name: bundled, downloaded, or a table of the reader's own."""

import glob
import os
import re
import sys
from collections.abc import Sequence
from pathlib import Path

from ...checks import check_name, require
from ..corpus import Corpus, CorpusError, StrPath
from .bundled import BUNDLED_CORPORA, bundled_pieces, bundled_splits
from .multi30k import multi30k_splits
from .reading import shell_join
from .table import SUFFIXES, is_table, table_splits

LANGUAGE_NAMES = {"ko": "Korean", "en": "English", "de": "German", "fr": "French"}


def open_corpus(name: StrPath, names: Sequence[str], cache: StrPath | None = None) -> Corpus:
    """What ``load_corpus`` gives: one of ``names``, or the table at a path."""
    known = isinstance(name, str | os.PathLike)
    require(known, "name", "the name of a corpus or the path of a table", name)
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


_SUFFIX_HINTS = {
    **dict.fromkeys((".gz", ".zip", ".bz2", ".xz", ".7z", ".zst", ".tgz"), "unpack it first"),
    **dict.fromkeys((".xlsx", ".xls", ".ods"), "save its sheet as CSV UTF-8"),
}


def _refuse_file(path: Path) -> None:
    """Raise CorpusError for a path that is no table's, with the way to make a table of it."""
    table = path.with_suffix(".tsv")
    # The two sides of a corpus as Moses has them: corpus.ko and corpus.en, line by line.
    sides = [
        other
        for other in sorted(path.parent.glob(f"{glob.escape(path.stem)}.*"))
        if re.fullmatch(r"\.[a-z]{2,3}", other.suffix)
        and not (is_table(other.name) or other.suffix in _SUFFIX_HINTS)
    ]
    if len(sides) > 1 and (path in sides or not os.path.exists(path)):
        sides.sort(key=lambda side: side != path)  # the one that was named is the source
        hint = "make a table of both"
        if sys.platform == "win32":  # which has no paste
            hint += f", {table.name}, with a source, a tab and its target in each line"
        else:
            hint += f": {shell_join('paste', *map(str, sides[:2]))} > {shell_join(str(table))}"
        raise CorpusError(f"{path} is one side of two; {hint}")
    if os.path.isdir(path):
        raise CorpusError(f"{path} is a folder; name the table in it")
    if os.path.exists(path):
        rename = f"rename it to {table.name} if its lines are source<TAB>target"
        hint = _SUFFIX_HINTS.get(path.suffix.lower(), rename)
        raise CorpusError(f"{path}: a table's name ends in {', '.join(SUFFIXES)}; {hint}")
