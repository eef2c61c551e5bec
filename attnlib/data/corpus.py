"""A parallel corpus: its splits, its languages, and how its words may be cut."""

import hashlib
import json
import os
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import TypeAlias

from ..checks import check_name
from .pairs import Links, Pair, PairLoader, Splits

StrPath: TypeAlias = str | os.PathLike[str]


class CorpusError(ValueError):
    """A corpus that cannot be used: what is wrong, where, and what to do about it."""

    def _render_traceback_(self) -> list[str]:
        """What IPython shows in a notebook: this sentence, and no page of our code above it."""
        return [f"{type(self).__name__}: {self}"]


class CorpusWarning(UserWarning):
    """A corpus that can be used, and of which its owner should know something first."""


@dataclass(frozen=True)
class Corpus:
    """A parallel corpus: its splits, its languages, and how its words may be cut.

    ``src_pieces`` are the pieces into which its source words may be cut:
    ``WordVocabulary.build((pair.src for pair in corpus.train), pieces=corpus.src_pieces)``.
    ``bundled`` says that it is the one that comes with the library, for which presets of its own
    were chosen; a table of the reader's own is another, whatever its name.

    >>> from attnlib.data import load_corpus
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
        """The pairs of a split. Raises CorpusError for an unknown name, with the nearest."""
        check_name("split", name, tuple(self.splits), CorpusError)
        return self.splits[name]

    def fingerprint(self) -> str:
        """SHA-256 of all that training reads: the name, both training splits, the pieces.

        Reads (and if need be downloads) the splits train and valid. Two corpora with the same
        fingerprint train the same model; a run that is resumed must find the one it began with.

        >>> from attnlib.data import load_corpus
        >>> easy = load_corpus("ko-en-easy")
        >>> easy.fingerprint() == load_corpus("ko-en-easy").fingerprint()
        True
        >>> easy.fingerprint() == easy.swapped().fingerprint()
        False
        """
        read = [[pair[:2] for pair in pairs] for pairs in (self.train, self.valid)]
        content = json.dumps([self.name, *read, self.src_pieces, self.tgt_pieces])
        return hashlib.sha256(content.encode()).hexdigest()

    def swapped(self) -> "Corpus":
        """The same corpus the other way round: English to Korean, say, links included."""

        readers: dict[str, PairLoader] = {
            name: partial(_swapped, partial(self.split, name)) for name in self.splits
        }
        return replace(
            self,
            splits=Splits(readers),
            src_language=self.tgt_language,
            tgt_language=self.src_language,
            src_pieces=self.tgt_pieces,
            tgt_pieces=self.src_pieces,
        )


def _swapped(read: PairLoader) -> list[Pair]:
    """What is read, the other way round."""
    return [_swapped_pair(pair) for pair in read()]


def _swapped_pair(pair: Pair) -> Pair:
    links = pair.links and Links(*(frozenset((t, j) for j, t in part) for part in pair.links))
    return Pair(pair.tgt, pair.src, links)


def bundled_directory() -> Path:
    """Where the bundled corpus lies: inside an installed package, or beside it in a checkout."""
    here = Path(__file__).resolve().parents[1]
    installed = here / "_data" / "ko-en"
    return installed if installed.is_dir() else here.parent / "data" / "ko-en"
