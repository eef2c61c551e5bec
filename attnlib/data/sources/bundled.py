"""The corpus that comes with the library: Korean → English with gold word alignments."""

from functools import partial
from pathlib import Path

from ..corpus import bundled_directory
from ..pairs import Pair, PairLoader, Splits, parse_links
from .reading import check_sum, decode, read, read_lines, read_sums, unpack

BUNDLED_CORPORA = {"ko-en": "", "ko-en-easy": "easy-"}  # name -> how its files begin
BUNDLED_SPLITS = {  # what each has; the tests are explained in data/ko-en/README.md
    "ko-en": ("train", "valid", "test", "test_composition", "test_long", "test_written"),
    "ko-en-easy": ("train", "valid", "test", "test_composition"),
}
_HINT = "install attnlib again, or run python data/ko-en/generate.py"


def bundled_splits(name: str) -> Splits:
    """The splits of a bundled corpus; each table must have the checksum that stands beside it."""
    directory = bundled_directory()
    sums = read_sums(directory / "SHA256SUMS")

    def reader(split: str) -> PairLoader:
        path = directory / f"{BUNDLED_CORPORA[name]}{split}.tsv.gz"
        return partial(_read_pairs, path, sums[path.stem])

    return Splits({split: reader(split) for split in BUNDLED_SPLITS[name]})


def bundled_pieces() -> tuple[str, ...]:
    """The pieces into which Korean words may be cut, for ``WordVocabulary.build``."""
    return tuple(read_lines(bundled_directory() / "pieces.txt"))


def _read_pairs(path: Path, sha256: str) -> list[Pair]:
    """Source, target and links, from a table whose *uncompressed* content has this checksum."""
    content = unpack(path, read(path), _HINT)
    check_sum(path, content, sha256, _HINT)
    rows = (line.split("\t") for line in decode(path, content))
    return [Pair(src, tgt, parse_links(links)) for src, tgt, links, *_ in rows]
