"""The files of recorded runs under data/runs/: what the programs beside this one share.

A program reads what its file holds, makes the runs that are missing and saves after each one, so
that it can be stopped at any time. Run by itself this module does nothing.
"""

import datetime
import functools
import hashlib
import json
import platform
import sys
from collections.abc import Iterable, Mapping, Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from attnlib.data import Corpus, CorpusError, Links, WordVocabulary, bundled_directory, load_corpus
from attnlib.device import choose_precision
from attnlib.files import write_bytes
from attnlib.metrics import aer, corpus_bleu, links_from_weights, probability_mass

BUCKETS = ((4, 10), (11, 20), (21, 30), (31, 40), (41, 50))  # source tokens of ko-en-easy
BUCKETS_OF = {"ko-en-easy": BUCKETS, "ko-en": ((3, 10), *BUCKETS[1:])}
Runs = dict[tuple[Any, ...], dict[str, Any]]


def path_of(name: str) -> Path:
    """Where a chapter's record lies, when no --file is given."""
    return bundled_directory().parent / "runs" / f"{name}.json"


def read(path: Path, key: Sequence[str] = ("variant", "seed")) -> Runs:
    """The runs a file holds, each under the values of its ``key``; none if there is no file."""
    if not path.exists():
        return {}
    record = json.loads(path.read_text(encoding="utf-8"))
    return {tuple(run[part] for part in key): run for run in record["runs"]}


@functools.cache
def data_digest(name: str) -> str:
    """What tells one version of bundled data from another: "ko-en", "ko-en-easy", "shakespeare",
    "stories".

    SHA-256, its first 16 digits: of the text, or of the checksums of a corpus's splits and of its
    source vocabulary, which says how the sentences are cut. A run on them keeps it, so that a test
    notices a record of an older version.
    """
    if name == "shakespeare":
        content = (bundled_directory().parent / name / f"{name}.txt").read_bytes()
    elif name == "stories":
        folder = bundled_directory().parent / name
        splits = ("train", "valid", "test")
        content = b"".join((folder / f"{split}.txt").read_bytes() for split in splits)
    else:
        easy = name == "ko-en-easy"
        sums = (bundled_directory() / "SHA256SUMS").read_text(encoding="utf-8").splitlines()
        ours = sorted(line for line in sums if (" easy-" in line) == easy)
        corpus = load_corpus(name)
        sources = (pair.src for pair in corpus.train)
        vocabulary = WordVocabulary.build(sources, pieces=corpus.src_pieces)
        content = "\n".join([*ours, *vocabulary.tokens]).encode("utf-8")
    return hashlib.sha256(content).hexdigest()[:16]


def corpus_or_exit(name: str) -> Corpus:
    """A corpus, all its splits read; where it cannot be had, one sentence and the program's end."""
    try:
        corpus = load_corpus(name)
        assert all(corpus.split(split) for split in corpus.splits)
    except CorpusError as problem:
        sys.exit(f"This needs the corpus {name}: {problem}.")
    return corpus


def today() -> str:
    """The date of a run, whatever the time zone."""
    return datetime.datetime.now(datetime.timezone.utc).date().isoformat()


def origin() -> dict[str, str]:
    """What the numbers were made with."""
    return {
        "torch": torch.__version__,
        "python": platform.python_version(),
        "machine": f"{platform.machine()}, one thread",
    }


def circumstances(
    precision: str | None, *packages: str, device: torch.device | str = "cpu"
) -> dict[str, Any]:
    """Date, machine and versions of a long run."""
    return {
        "date": today(),
        "machine": {
            "system": f"{platform.system()} {platform.machine()}",
            "device": torch.device(device).type,
            "threads": torch.get_num_threads(),
            "precision": choose_precision(precision, device),
        },
        "versions": {"python": platform.python_version()}
        | {package: version(package) for package in packages},
    }


def save(
    path: Path,
    head: Mapping[str, Any],
    runs: Iterable[Mapping[str, Any]],
    separators: tuple[str, str] | None = None,
) -> None:
    """One run a line, so that a difference between two files can be read."""
    lines = ",\n".join(
        "  " + json.dumps(run, ensure_ascii=False, separators=separators) for run in runs
    )
    text = json.dumps(head, ensure_ascii=False, indent=1)[:-2] + f',\n "runs": [\n{lines}\n ]\n}}\n'
    write_bytes(path, text.encode("utf-8"))


def measured(
    texts: Sequence[str],
    lengths: Sequence[int],
    references: Sequence[str],
    buckets: Sequence[tuple[int, int]] = BUCKETS,
) -> dict[str, Any]:
    """BLEU, and the share that is the reference, word for word: of all, and in every bucket.

    A mean of the buckets is not the score of all: BLEU adds up counts, and a long sentence has
    more. None stands where a bucket has no sentence.
    """

    def of(chosen: Sequence[int]) -> dict[str, Any]:
        found, wanted = [texts[n] for n in chosen], [references[n] for n in chosen]
        if not chosen:
            return {"sentences": 0, "bleu": None, "exact": None}
        exact = sum(a == b for a, b in zip(found, wanted)) / len(chosen)
        bleu = round(corpus_bleu(found, wanted).score, 2)
        return {"sentences": len(chosen), "bleu": bleu, "exact": round(exact, 4)}

    parts = [of([n for n, size in enumerate(lengths) if a <= size <= b]) for a, b in buckets]
    by_length = {name: [part[name] for part in parts] for name in parts[0]} if parts else {}
    return {**of(range(len(texts))), "by_length": by_length}


def alignment(weights: Sequence[Tensor], gold: Sequence[Links]) -> dict[str, float]:
    """How well weights (T, S) point at the gold links."""
    return {
        "aer": round(aer([links_from_weights(w) for w in weights], gold), 4),
        "probability_mass": round(probability_mass(weights, gold), 4),
    }
