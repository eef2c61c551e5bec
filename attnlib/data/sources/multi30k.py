"""Multi30k: captions of photographs in German, French and English, fetched when first asked for.

Every file is pinned by commit and SHA-256; a download appears whole and checked, or not at all.
"""

import os
import sys
from collections.abc import Sequence
from functools import partial
from pathlib import Path

from ...files import write_bytes
from ..corpus import StrPath
from ..pairs import Pair, PairLoader, Splits
from .download import check_writable, fetch
from .reading import check_sum, decode, read, read_sums, unpack

COMMIT = "a3d2e0d26b56f3846f66a952536ffed4e401d05a"
MULTI30K = f"https://raw.githubusercontent.com/multi30k/dataset/{COMMIT}/data/task1/raw"
BY_HAND = f"https://github.com/multi30k/dataset/tree/{COMMIT}/data/task1/raw"
CITATION = """Multi30k, for educational and non-commercial use. Please cite: Desmond Elliott, Stella
Frank, Khalil Sima'an and Lucia Specia (2016): Multi30K: Multilingual English-German Image
Descriptions. Proceedings of the 5th Workshop on Vision and Language, 70-74."""
# Our names for the splits, and the files they come from.
MULTI30K_SPLITS = {"train": "train", "valid": "val", "test": "test_2016_flickr"} | {
    name: name for name in ("test_2017_flickr", "test_2017_mscoco", "test_2018_flickr")
}
# SHA-256 of the compressed files, at that commit.
MULTI30K_SHA256 = read_sums(Path(__file__).with_name("multi30k.sha256"))


def multi30k_splits(languages: Sequence[str], cache: StrPath | None = None) -> Splits:
    """The splits of a pair of languages ("de", "en")."""
    directory = cache_directory(cache) / "multi30k"
    readers: dict[str, PairLoader] = {
        name: partial(_read_two_files, directory, stem, languages)
        for name, stem in MULTI30K_SPLITS.items()
    }
    return Splits(readers)


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


def _read_two_files(directory: Path, stem: str, languages: Sequence[str]) -> list[Pair]:
    """One split from two files with one sentence a line, fetched first if they are missing."""
    sides = []
    for language in languages:
        path = directory / f"{stem}.{language}.gz"
        if not path.exists():
            _download(f"{MULTI30K}/{path.name}", path, MULTI30K_SHA256[path.name])
        hint = "it is damaged or half-downloaded: delete it and run again to fetch it anew"
        packed = read(path)
        check_sum(path, packed, MULTI30K_SHA256[path.name], hint)
        sides.append(decode(path, unpack(path, packed, hint)))
    return [Pair(src.strip(), tgt.strip()) for src, tgt in zip(*sides)]


def _download(url: str, path: Path, sha256: str) -> None:
    """Fetch a file: it appears under its name complete and checked, or not at all."""
    check_writable(path.parent)
    print(f"downloading {url}", file=sys.stderr)
    by_hand = f"check the network, or put the files of {BY_HAND} into {path.parent} yourself"
    content = fetch(url, by_hand)
    check_sum(url, content, sha256, f"what arrived is not the pinned file; {by_hand}")
    write_bytes(path, content)
    print(CITATION, file=sys.stderr)
