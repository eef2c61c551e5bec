"""Multi30k: captions of photographs in German, French and English, fetched when first asked for.

Every file is pinned by commit and SHA-256; a download appears whole and checked, or not at all.
"""

import http.client
import os
import sys
import urllib.error
import urllib.request
from collections.abc import Callable, Sequence
from pathlib import Path

from ..files import StorageError, write_bytes
from .pairs import Pair, Splits
from .reading import CorpusError, check_sum, decode, read, unpack

StrPath = str | os.PathLike[str]
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


def multi30k_splits(languages: Sequence[str], cache: StrPath | None = None) -> Splits:
    """The splits of a pair of languages ("de", "en"), by our names or by those of their files."""
    directory = cache_directory(cache) / "multi30k"

    def reader(stem: str) -> Callable[[], list[Pair]]:
        return lambda: _read_two_files(directory, stem, languages)

    also = {stem: name for name, stem in MULTI30K_SPLITS.items() if stem != name}
    return Splits({name: reader(stem) for name, stem in MULTI30K_SPLITS.items()}, also)


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
        packed = read(path)
        remedy = "it is damaged or half-downloaded: delete it and run again to fetch it anew"
        check_sum(path, packed, MULTI30K_SHA256[path.name], remedy)
        sides.append((path, decode(path, unpack(path, packed, remedy))))
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
    check_sum(url, content, sha256, f"what arrived is not the pinned file; {by_hand}")
    try:
        write_bytes(path, content)
    except StorageError as problem:
        raise CorpusError(f"{problem}, or name another one in ATTNLIB_DATA") from problem
    print(CITATION, file=sys.stderr)
