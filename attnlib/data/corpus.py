"""Sentence pairs: the bundled corpus, pinned and checked downloads, and any table of the reader's.

Whatever is wrong with a file ends in one sentence that says where and what to do, and a download
that fails leaves nothing behind.
"""

import gzip
import hashlib
import http.client
import json
import os
import sys
import urllib.error
import urllib.request
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from ..files import StorageError, write_bytes
from ..names import check_name
from .pairs import Links, Pair, parse_links

COMMIT = "a3d2e0d26b56f3846f66a952536ffed4e401d05a"
MULTI30K = f"https://raw.githubusercontent.com/multi30k/dataset/{COMMIT}/data/task1/raw"
CITATION = """Multi30k, for educational and non-commercial use. Please cite: Desmond Elliott, Stella
Frank, Khalil Sima'an and Lucia Specia (2016): Multi30K: Multilingual English-German Image
Descriptions. Proceedings of the 5th Workshop on Vision and Language, 70-74."""
# Our names for the splits, and the files they come from.
MULTI30K_SPLITS = {"train": "train", "valid": "val", "test": "test_2016_flickr"} | {
    name: name for name in ("test_2017_flickr", "test_2017_mscoco", "test_2018_flickr")
}
# SHA-256 of the compressed files, at that commit.
MULTI30K_SHA256 = {
    "test_2016_flickr.de.gz": "9204244e408ccb38d2a55cfcd344df15005fc42a07a6e55ca6c52b6ababb8cc8",
    "test_2016_flickr.en.gz": "611d361c6334bc7246101d48097c13cf5c4413c5befc793cc629934359d532d9",
    "test_2016_flickr.fr.gz": "6d326e188d259fb1d04ac19eae3af956559b3a0b93d7635e56c90987c40c8b90",
    "test_2017_flickr.de.gz": "a2c89666db00c495cd8513b9d708d5a3acc205d7de312ef2bf5fb7ebc1540aee",
    "test_2017_flickr.en.gz": "76a444ee25172e72695cddb13ae4a3bda59430617be88e0bb46b60504f054074",
    "test_2017_flickr.fr.gz": "3ba671ceb2299f3304ffafefea7a833d08632fbaf0ba18546f8a2ec2391af496",
    "test_2017_mscoco.de.gz": "799e4854c25d601cb6cb6be29eabe5667734c61ace2f495e03e429031a0bc338",
    "test_2017_mscoco.en.gz": "aab300bfb4427697987e02cd0aacd44bfe8aa50456231b6474c08038bbed2b58",
    "test_2017_mscoco.fr.gz": "754f3072ba9f124569ba5258b32730fc1d214bbf8e0c6dfb2b74401676220db0",
    "test_2018_flickr.de.gz": "ddd0130c7d97482dc5197a02141dae8dd79f20f03586c480d675c09a32daf608",
    "test_2018_flickr.en.gz": "ef4f4844037d4c5dea75c9a8ed5fd78905967a26f67c255e230cc9780032654d",
    "test_2018_flickr.fr.gz": "fb2b83fcceb937a4f7e3e93c1c51c22aba92f1e342391e6b5ba392b16a920501",
    "train.de.gz": "726e39b2fa9eb9ffb6dc763fb35a179f80fae06ffc5d28b6ace5faa883de28a6",
    "train.en.gz": "d79cfa999dd4c51d2cb42499b6796d5a882c3a8a961923c25a898c90f8bbd56f",
    "train.fr.gz": "622e75069e9f4c577425c4f277116ce66e63a2401c0a2312d90073cb12379a3c",
    "val.de.gz": "f0cba2f995189cf5770f29a8a9a537a3ad3f51657ad873405082ff6863a5e75a",
    "val.en.gz": "14f7d25ddd868909a9213e361768460edcacdd6ab9d1e77b92560dc10c10dc28",
    "val.fr.gz": "ca3106f1a72390591d25f6c45cb4cd39dec4cd3f123e099748a3ce5256c160e9",
}
StrPath = str | os.PathLike[str]
BUNDLED = {"ko-en": "", "ko-en-easy": "easy-"}  # name -> how its files begin
NAMES = (*BUNDLED, "multi30k-de-en", "multi30k-fr-en")
LANGUAGES = {"ko": "Korean", "en": "English", "de": "German", "fr": "French"}


class CorpusError(ValueError):
    """A corpus that cannot be used: what is wrong, where, and what to do about it."""


class Splits(Mapping):  # not Mapping[str, ...]: a check of types at run time would read files
    """Split name -> its pairs, each read when it is first asked for."""

    def __init__(self, readers: Mapping[str, Callable[[], list[Pair]]]) -> None:
        self._readers = dict(readers)
        self._pairs: dict[str, list[Pair]] = {}

    def __getitem__(self, name: str) -> list[Pair]:
        if name not in self._pairs:
            self._pairs[name] = self._readers[name]()
        return self._pairs[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._readers)

    def __len__(self) -> int:
        return len(self._readers)


@dataclass(frozen=True)
class Corpus:
    """A parallel corpus. ``src_pieces`` are the pieces into which its source words may be cut:
    ``WordVocabulary.build((pair.src for pair in corpus.train), pieces=corpus.src_pieces)``.
    """

    name: str
    splits: Splits
    src_language: str
    tgt_language: str
    src_pieces: tuple[str, ...] = ()
    tgt_pieces: tuple[str, ...] = ()

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
        """The pairs of a split. Raises CorpusError for an unknown name, with the nearest one."""
        _check_name("split", name, tuple(self.splits))
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
        content = json.dumps([self.name, *read, self.src_pieces, self.tgt_pieces])
        return hashlib.sha256(content.encode()).hexdigest()

    def swapped(self) -> "Corpus":
        """The same corpus the other way round: English to Korean, say, links included."""
        readers = {name: _swapping(self.splits, name) for name in self.splits}
        return Corpus(
            self.name, Splits(readers), self.tgt_language, self.src_language,
            self.tgt_pieces, self.src_pieces,
        )  # fmt: skip


def _swapping(splits: Splits, name: str) -> Callable[[], list[Pair]]:
    def read() -> list[Pair]:
        return [Pair(p.tgt, p.src, p.links and _transposed(p.links)) for p in splits[name]]

    return read


def _transposed(links: Links) -> Links:
    return Links(*(frozenset((t, j) for j, t in part) for part in links))


def load_corpus(
    name: str | os.PathLike[str], cache: str | os.PathLike[str] | None = None
) -> Corpus:
    """A corpus by its name, or from a table of the reader's own.

    Arguments: name, one of ``NAMES`` or the path of a ``.tsv`` file whose lines are
    source<TAB>target (more columns are ignored; ``.swapped()`` turns the direction round);
    cache, where downloads are kept: by default $ATTNLIB_DATA or the user's cache directory.
    A split is read, and if need be downloaded, when it is first used. Raises CorpusError.

    >>> corpus = load_corpus("ko-en-easy")
    >>> sorted(corpus.splits), corpus.src_language
    (['test', 'train', 'valid'], 'Korean')
    """
    text = os.fspath(name)
    if text.endswith(".tsv"):
        return _load_table(Path(text))
    _check_name("corpus", text, NAMES, " (or the path of a .tsv file)")
    if text in BUNDLED:
        return _load_bundled(text)
    directory = cache_directory(cache) / "multi30k"
    languages = text.split("-")[1:]

    def reader(stem: str) -> Callable[[], list[Pair]]:
        return lambda: _read_two_files(directory, stem, languages)

    readers = {split: reader(stem) for split, stem in MULTI30K_SPLITS.items()}
    src, tgt = (LANGUAGES[code] for code in languages)
    return Corpus(text, Splits(readers), src, tgt)


def cache_directory(cache: StrPath | None = None) -> Path:
    """Where downloads are kept: ``cache``, else $ATTNLIB_DATA, else the user's cache directory."""
    chosen = cache or os.environ.get("ATTNLIB_DATA")
    if chosen:
        return Path(chosen).expanduser()
    if sys.platform == "win32":
        base = os.environ.get("LOCALAPPDATA") or "~/AppData/Local"
    elif sys.platform == "darwin":
        base = "~/Library/Caches"
    else:
        base = os.environ.get("XDG_CACHE_HOME") or "~/.cache"
    return Path(base).expanduser() / "attnlib"


def _check_name(what: str, name: str, known: Sequence[str], more: str = "") -> None:
    try:
        check_name(what, name, known)
    except ValueError as problem:
        raise CorpusError(f"{problem}{more}") from None


# The bundled corpus ------------------------------------------------------------------------------


def bundled_directory() -> Path:
    """Where the bundled corpus lies: inside an installed package, or beside it in a checkout."""
    here = Path(__file__).resolve().parents[1]
    installed = here / "_data" / "ko-en"
    return installed if installed.is_dir() else here.parent / "data" / "ko-en"


def _load_bundled(name: str) -> Corpus:
    directory, prefix = bundled_directory(), BUNDLED[name]
    sums = dict(line.split()[::-1] for line in _lines(directory / "SHA256SUMS"))

    def reader(split: str) -> Callable[[], list[Pair]]:
        path = directory / f"{prefix}{split}.tsv.gz"
        remedy = "install attnlib again, or run python data/ko-en/generate.py"
        return lambda: _read_pairs(path, sums[path.stem], remedy)

    readers = {split: reader(split) for split in ("train", "valid", "test")}
    pieces = tuple(_lines(directory / "pieces.txt"))
    return Corpus(name, Splits(readers), "Korean", "English", src_pieces=pieces)


def _read_pairs(path: Path, sha256: str, remedy: str) -> list[Pair]:
    """Source, target and links, from a table whose *uncompressed* content has this checksum."""
    content = _unpack(path, _read(path), remedy)
    _check_sum(path, content, sha256, remedy)
    rows = (line.split("\t") for line in _decode(path, content))
    return [Pair(src, tgt, parse_links(links)) for src, tgt, links, *_ in rows]


# Downloads ---------------------------------------------------------------------------------------


def _read_two_files(directory: Path, stem: str, languages: list[str]) -> list[Pair]:
    """One split from two files with one sentence a line, fetched first if they are missing."""
    sides = []
    for language in languages:
        path = directory / f"{stem}.{language}.gz"
        if not path.exists():
            _download(f"{MULTI30K}/{path.name}", path, MULTI30K_SHA256[path.name])
        packed = _read(path)
        remedy = "it is damaged or half-downloaded: delete it and run again to fetch it anew"
        _check_sum(path, packed, MULTI30K_SHA256[path.name], remedy)
        sides.append((path, _decode(path, _unpack(path, packed, remedy))))
    return pair_lines(*sides)


def pair_lines(src: tuple[Path, list[str]], tgt: tuple[Path, list[str]]) -> list[Pair]:
    """Pairs from two files of equally many lines. Raises CorpusError for unequal or empty ones."""
    (src_path, src_lines), (tgt_path, tgt_lines) = src, tgt
    if len(src_lines) != len(tgt_lines):
        raise CorpusError(
            f"{src_path} has {len(src_lines)} lines and {tgt_path} has {len(tgt_lines)}; "
            "line n of one must translate line n of the other: get both files from one source"
        )
    for path, lines in (src, tgt):
        for number, line in enumerate(lines, 1):
            if not line.strip():
                raise CorpusError(f"{path}, line {number}: the sentence is empty; remove the line")
    return [Pair(s.strip(), t.strip()) for s, t in zip(src_lines, tgt_lines)]


def _download(url: str, path: Path, sha256: str) -> None:
    """Fetch a file: it appears under its name complete and checked, or not at all."""
    print(f"downloading {url}", file=sys.stderr)
    by_hand = f"check the network, or put the file at {path} yourself"
    try:
        with urllib.request.urlopen(url, timeout=60) as answer:
            content = answer.read()
    except http.client.IncompleteRead as problem:
        got = len(problem.partial)
        raise CorpusError(f"{url} broke off after {got} bytes; run again") from problem
    except (OSError, http.client.HTTPException) as problem:  # URLError is an OSError
        reason = getattr(problem, "reason", None) or problem
        if isinstance(problem, urllib.error.HTTPError):
            problem.close()  # it is also the answer, with an open connection
        raise CorpusError(f"{url} cannot be downloaded ({reason}); {by_hand}") from problem
    _check_sum(url, content, sha256, f"what arrived is not the pinned file; {by_hand}")
    try:
        write_bytes(path, content)
    except StorageError as problem:
        raise CorpusError(f"{problem}, or name another one in ATTNLIB_DATA") from problem
    print(CITATION, file=sys.stderr)


# A table of the reader's own ---------------------------------------------------------------------


def _load_table(path: Path) -> Corpus:
    pairs = []
    for number, line in enumerate(_decode(path, _read(path)), 1):
        src, tab, rest = line.partition("\t")
        tgt = rest.partition("\t")[0]
        where = f"{path}, line {number}"
        if not tab:
            raise CorpusError(f"{where}: there is no tab; write source<TAB>target")
        if not src.strip() or not tgt.strip():
            side = "target" if src.strip() else "source"
            raise CorpusError(f"{where}: the {side} is empty; fill it in or remove the line")
        pairs.append(Pair(src.strip(), tgt.strip()))
    splits = _split(path, pairs)
    readers = {name: (lambda rows=rows: rows) for name, rows in splits.items()}  # type: ignore[misc]
    return Corpus(path.stem, Splits(readers), "source", "target")


def _split(path: Path, pairs: list[Pair]) -> dict[str, list[Pair]]:
    """5 % test, 5 % valid (at most 1,000 each), the rest train; by content, not by place.

    Pairs that share a sentence on either side, directly or through others, stay together: no
    test sentence has been seen in training.
    """
    leader: dict[str, str] = {}

    def find(key: str) -> str:
        while leader.setdefault(key, key) != key:
            leader[key] = leader[leader[key]]  # halve the path for the next time
            key = leader[key]
        return key

    for pair in pairs:
        leader[find("s" + pair.src)] = find("t" + pair.tgt)
    groups: dict[str, list[Pair]] = {}
    for pair in pairs:
        groups.setdefault(find("s" + pair.src), []).append(pair)
    if len(groups) < 3:
        raise CorpusError(
            f"{path} has {len(groups)} unrelated sentence pairs; at least 3 are needed, one each "
            "for training, validation and test"
        )
    wanted = max(1, min(1000, len(pairs) // 20))
    # A large group in the test set would take what is needed for training.
    order = sorted(groups.values(), key=lambda g: (len(g) > wanted, _digest(min(g)[:2])))
    splits: dict[str, list[Pair]] = {"train": [], "valid": [], "test": []}
    for group in order:
        name = next((s for s in ("test", "valid") if len(splits[s]) < wanted), "train")
        splits[name] += group
    return splits


def _digest(texts: tuple[str, ...]) -> str:
    return hashlib.sha256("\t".join(texts).encode()).hexdigest()


# Files -------------------------------------------------------------------------------------------


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except FileNotFoundError as problem:
        raise CorpusError(f"{path} does not exist; check the path") from problem
    except OSError as problem:
        raise CorpusError(f"{path} cannot be read ({problem.strerror})") from problem


def _unpack(path: Path, packed: bytes, remedy: str) -> bytes:
    try:
        return gzip.decompress(packed)
    except (OSError, EOFError, zlib.error) as problem:
        raise CorpusError(f"{path} is not a complete gzip file ({problem}); {remedy}") from problem


def _check_sum(path: Path | str, content: bytes, sha256: str, remedy: str) -> None:
    found = hashlib.sha256(content).hexdigest()
    if found != sha256:
        raise CorpusError(f"{path} has SHA-256 {found[:12]}…, not {sha256[:12]}…; {remedy}")


def _decode(path: Path, content: bytes) -> list[str]:
    """The lines of a text, split at line feeds only: other separators may be part of a sentence."""
    if not content.strip():
        raise CorpusError(f"{path} is empty; a corpus has at least one line")
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as problem:
        number = content.count(b"\n", 0, problem.start) + 1
        raise CorpusError(
            f"{path}, line {number}: byte 0x{content[problem.start]:02x} is not UTF-8; "
            "save the file as UTF-8"
        ) from problem
    return [line.removesuffix("\r") for line in text.removesuffix("\n").split("\n")]


def _lines(path: Path) -> list[str]:
    return _decode(path, _read(path))
