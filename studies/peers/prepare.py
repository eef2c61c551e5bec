"""What all programs are given: batches, sources, and texts to score, written for the children."""

import json
import random
from functools import cache
from pathlib import Path
from typing import NamedTuple

import torch

from attnlib.data import EOS, Batches, Corpus, WordVocabulary, pad
from attnlib.metrics import tokenize_13a

from .. import records
from .program import Work


class Prepared(NamedTuple):
    """Sizes of the vocabularies, and of every batch the lengths (S, T) of its sentences."""

    src_size: int
    tgt_size: int
    lengths: list[list[tuple[int, int]]]

    def tokens(self, batches: list[int]) -> int:
        """Real target tokens of some batches, EOS included."""
        return sum(t for number in batches for _, t in self.lengths[number])


@cache
def numbered() -> tuple[Corpus, WordVocabulary, WordVocabulary]:
    """Multi30k de→en and its words of both sides that occur at least twice, in lower case."""
    data = records.corpus_or_exit("multi30k-de-en")
    src = WordVocabulary.build((pair.src.lower() for pair in data.train), min_count=2)
    tgt = WordVocabulary.build((pair.tgt.lower() for pair in data.train), min_count=2)
    return data, src, tgt


def corpus(folder: Path, batches: int, sources: int) -> Prepared:
    """Training batches of 128 pairs of similar length, and sources of the test split.

    ``batches``, how many: the same random ones at every call, of the first 12,800 pairs;
    ``sources``, how many sentences, the first, in batches of 50 by length.
    """
    data, src, tgt = numbered()
    encoded = [
        (src.encode(pair.src.lower()), tgt.encode(pair.tgt.lower())) for pair in data.train[:12800]
    ]
    made = Batches([x for x, _ in encoded], [y for _, y in encoded], batch_size=128, seed=1)
    chosen = [batch for batch, _ in zip(made.epoch(0), range(batches))]
    if len(chosen) < batches:
        raise ValueError(f"batches must be at most {len(chosen)}, got {batches}")
    torch.save([tuple(batch) for batch in chosen], folder / "batches.pt")
    lengths = [
        list(zip(batch.src_mask.sum(1).tolist(), batch.tgt_mask.sum(1).tolist()))
        for batch in chosen
    ]
    tests = sorted((src.encode(pair.src.lower()) for pair in data.test[:sources]), key=len)
    groups = [tests[start : start + 50] for start in range(0, len(tests), 50)]
    torch.save([pad([[*s, EOS] for s in group]) for group in groups], folder / "sources.pt")
    return Prepared(len(src), len(tgt), lengths)


def long_batch(folder: Path, work: Work, batch: int, length: int) -> None:
    """One batch of B random pairs with S = T = length, for the memory that it takes."""
    generator = torch.Generator().manual_seed(1)
    src = torch.randint(4, work.src_size, (batch, length), generator=generator)
    tgt = torch.randint(4, work.tgt_size, (batch, length + 1), generator=generator)
    real = torch.ones(batch, length, dtype=torch.bool)
    torch.save([(src, real, tgt[:, :-1], tgt[:, 1:], real)], folder / "batches.pt")


def texts(folder: Path, pairs: int) -> None:
    """Tokenised references and translations of them that miss and exchange some words."""
    data = records.corpus_or_exit("multi30k-de-en")
    lines = [" ".join(tokenize_13a(pair.tgt)) for pair in data.train]
    references = [lines[i % len(lines)] for i in range(pairs)]
    draw = random.Random(1)
    hypotheses = []
    for line in references:
        words = line.split()
        kept = [word for word in words if draw.random() > 0.1] or words
        at = draw.randrange(len(kept))
        kept[at], kept[-1] = kept[-1], kept[at]
        hypotheses.append(" ".join(kept))
    content = json.dumps({"hypotheses": hypotheses, "references": references})
    (folder / "texts.json").write_text(content, encoding="utf-8")
