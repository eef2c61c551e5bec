"""A parallel corpus by its name: bundled, downloaded, or a table of the reader's own."""

import glob
import hashlib
import json
import os
import re
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path

from ..names import as_typed, check_name, require
from .bundled import BUNDLED, bundled_pieces, bundled_splits
from .multi30k import StrPath, multi30k_splits
from .pairs import Links, Pair, Reader, Splits
from .reading import CorpusError
from .table import SUFFIXES, is_table, table_splits

NAMES = (*BUNDLED, "multi30k-de-en", "multi30k-fr-en")
LANGUAGES = {"ko": "Korean", "en": "English", "de": "German", "fr": "French"}


@dataclass(frozen=True)
class Corpus:
    """A parallel corpus: its splits, its languages, and how its words may be cut.

    ``src_pieces`` are the pieces into which its source words may be cut:
    ``WordVocabulary.build((pair.src for pair in corpus.train), pieces=corpus.src_pieces)``.
    ``bundled`` says that it is the one that comes with the library, for which presets of its own
    were chosen; a table of the reader's own is another, whatever its name. A table of more than
    16 MiB stays on disk: ``chunks`` reads the training pairs of its parts of 64 KiB, by their
    place and SHA-256; ``train`` is then only a sample, from which vocabularies are learned.

    >>> load_corpus("ko-en-easy")
    Corpus(name='ko-en-easy', splits=Splits(train, valid, test, test_composition),
           src_language='Korean', tgt_language='English', bundled=True)
    """

    name: str
    splits: Splits
    src_language: str
    tgt_language: str
    src_pieces: tuple[str, ...] = field(default=(), repr=False)
    tgt_pieces: tuple[str, ...] = field(default=(), repr=False)
    bundled: bool = False
    chunks: Mapping[tuple[int, str], Reader] = field(default_factory=dict, repr=False)

    @property
    def train(self) -> list[Pair]:
        return self.splits["train"]

    @property
    def valid(self) -> list[Pair]:
        return self.splits["valid"]

    @property
    def test(self) -> list[Pair]:
        return self.splits["test"]

    def split(self, name: str) -> list[Pair]:
        """The pairs of a split, by our name for it or that of its files ("test_2016_flickr").

        Raises CorpusError for an unknown name, with the nearest that exists.
        """
        check_name("split", name, (*self.splits, *self.splits.also), CorpusError)
        return self.splits[name]

    def fingerprint(self) -> str:
        """SHA-256 of all that training reads: the name, both training splits, the pieces.

        Reads (and if need be downloads) the splits train and valid. Two corpora with the same
        fingerprint train the same model; a run that is resumed must find the one it began with.

        >>> easy = load_corpus("ko-en-easy")
        >>> easy.fingerprint() == load_corpus("ko-en-easy").fingerprint()
        True
        >>> easy.fingerprint() == easy.swapped().fingerprint()
        False
        """
        read = [[pair[:2] for pair in pairs] for pairs in (self.train, self.valid)]
        content = json.dumps([self.name, *read, self.src_pieces, self.tgt_pieces, *self.chunks])
        return hashlib.sha256(content.encode()).hexdigest()

    def swapped(self) -> "Corpus":
        """The same corpus the other way round: English to Korean, say, links included."""

        readers: dict[str, Reader] = {
            name: partial(_turned, partial(self.split, name)) for name in self.splits
        }
        return replace(
            self,
            splits=Splits(readers, self.splits.also),
            src_language=self.tgt_language,
            tgt_language=self.src_language,
            src_pieces=self.tgt_pieces,
            tgt_pieces=self.src_pieces,
            chunks={key: partial(_turned, read) for key, read in self.chunks.items()},
        )


def _turned(read: Reader) -> list[Pair]:
    """What is read, the other way round."""
    return [_turned_pair(pair) for pair in read()]


def _turned_pair(pair: Pair) -> Pair:
    links = pair.links and Links(*(frozenset((t, j) for j, t in part) for part in pair.links))
    return Pair(pair.tgt, pair.src, links)


def load_corpus(name: StrPath, cache: StrPath | None = None) -> Corpus:
    """A corpus by its name, or from a table of the reader's own.

    Arguments: name, one of ``NAMES`` or the path of a table: a ``.tsv`` or ``.txt`` in UTF-8 whose
    lines are source<TAB>target, or a ``.csv`` (more columns are ignored; ``.swapped()`` turns the
    direction round); cache, where downloads are kept: by default $ATTNLIB_DATA or the user's cache
    directory. A split is read, and if need be downloaded, when it is first used.

    Of a table, blank lines, a first row that names the columns, and quotes around cells are left
    out; texts are normalized (``attnlib.data.text``). Raises CorpusError for what cannot be used;
    warns (CorpusWarning) of what was left out, or is odd.

    >>> corpus = load_corpus("ko-en-easy")
    >>> sorted(corpus.splits), corpus.src_language
    (['test', 'test_composition', 'train', 'valid'], 'Korean')
    """
    known = isinstance(name, str | os.PathLike)
    require(known, "name", "the name of a corpus or the path of a table", name)
    text = os.fspath(name)
    if is_table(text):
        splits, chunks = table_splits(Path(text))
        return Corpus(Path(text).stem, splits, "source", "target", chunks=chunks)
    if text in BUNDLED:
        pieces = bundled_pieces()
        return Corpus(text, bundled_splits(text), "Korean", "English", pieces, bundled=True)
    if text and text not in NAMES:
        _refuse_file(Path(text))
    check_name("corpus (or the path of a .tsv file)", text, NAMES, CorpusError)
    src, tgt = text.split("-")[1:]
    return Corpus(text, multi30k_splits((src, tgt), cache), LANGUAGES[src], LANGUAGES[tgt])


_REMEDIES = {
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
        and not (is_table(other.name) or other.suffix in _REMEDIES)
    ]
    if len(sides) > 1 and (path in sides or not os.path.exists(path)):
        sides.sort(key=lambda side: side != path)  # the one that was named is the source
        remedy = "make a table of both"
        if sys.platform == "win32":  # which has no paste
            remedy += f", {table.name}, with a source, a tab and its target in each line"
        else:
            remedy += f": {as_typed('paste', *map(str, sides[:2]))} > {as_typed(str(table))}"
        raise CorpusError(f"{path} is one side of two; {remedy}")
    if os.path.isdir(path):
        raise CorpusError(f"{path} is a folder; name the table in it")
    if os.path.exists(path):
        rename = f"rename it to {table.name} if its lines are source<TAB>target"
        remedy = _REMEDIES.get(path.suffix.lower(), rename)
        raise CorpusError(f"{path}: a table's name ends in {', '.join(SUFFIXES)}; {remedy}")
