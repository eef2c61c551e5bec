"""The recorded runs of chapter 9's null: how often a test names a winner where there is none.

    python -m studies.significance   # data/runs/09_null.json

The chapter's population, 6,000 English sentences of ko-en, and two systems that damage them alike;
on each of 2,000 test sets a coin decides for every sentence which system gets which of the two
translations, so that neither can be better. "bootstrap" names a winner that wins 95 % of the
resampled test sets, for A or for B; "randomization" where p ≤ 0.1. Both promise at most 10 %, and
both judge the same test sets, with 1,000 resamples or trials on each. A share p of n test sets has
a standard error of √(p (1 − p) / n), 0.7 points at 10 %.
"""

import random
from functools import cache
from typing import Any

import torch
from torch import Tensor

from attnlib import metrics
from attnlib.data import load_corpus

from . import records, runner

CORPUS, SENTENCES = "ko-en", 6000
SIZES, DRAWS, TEST_SETS = (10, 30, 100, 300), 1000, 2000
TESTS = {
    "bootstrap": "paired bootstrap: one system wins at least 95 % of the resampled test sets",
    "randomization": "approximate randomization: p at most 0.1",
}


@cache
def population() -> tuple[Tensor, Tensor]:
    """c, r, matches and totals of n = 1 … 4 of every sentence (N, 10), by each system."""
    corpus = load_corpus(CORPUS)
    words = {word for pair in corpus.test for word in metrics.tokenize_13a(pair.tgt)}
    known = sorted(word for word in words if word.isalpha())
    texts = [metrics.tokenize_13a(pair.tgt) for pair in corpus.train[:SENTENCES]]
    draw = random.Random(5)
    ease = [1 - 0.6 * draw.random() for _ in texts]  # a word survives with this probability

    def damaged(text: list[str], q: float) -> str:
        keep = [not word.isalpha() or draw.random() < q for word in text]
        return " ".join(
            word if kept else known[int(draw.random() * len(known))]
            for word, kept in zip(text, keep)
        )

    def system() -> Tensor:
        rows = []
        for text, q in zip(texts, ease):
            found = metrics.corpus_bleu([damaged(text, q)], [" ".join(text)])
            sizes = [found.hypothesis_length, found.reference_length]
            rows.append([*sizes, *found.counts, *found.totals])
        return torch.tensor(rows, dtype=torch.double)

    return system(), system()


def score_of(sums: Tensor) -> Tensor:
    """BLEU of summed counts (..., 10)."""
    c, r, matches, totals = sums[..., 0], sums[..., 1], sums[..., 2:6], sums[..., 6:]
    geometric = (matches / totals).clamp(min=1e-9).log().mean(-1).exp()
    return 100 * (1 - r / c).clamp(max=0).exp() * geometric


def bootstrap(first: Tensor, second: Tensor, generator: torch.Generator) -> bool:
    picks = torch.randint(len(first), (DRAWS, len(first)), generator=generator)
    counts = torch.zeros(picks.shape, dtype=torch.double)
    counts.scatter_add_(1, picks, torch.ones_like(counts))
    gaps = score_of(counts @ first) - score_of(counts @ second)
    return max(int((gaps > 1e-9).sum()), int((gaps < -1e-9).sum())) >= 0.95 * DRAWS


def randomization(first: Tensor, second: Tensor, generator: torch.Generator) -> bool:
    coins = (torch.rand(DRAWS, len(first), generator=generator) < 0.5).double()
    one = score_of(coins @ first + (1 - coins) @ second)
    other = score_of((1 - coins) @ first + coins @ second)
    real = (score_of(first.sum(0)) - score_of(second.sum(0))).abs()
    as_large = int(((one - other).abs() >= real - 1e-9).sum())
    return (1 + as_large) / (1 + DRAWS) <= 0.1


def run(variant: str, size: int, seed: int) -> dict[str, Any]:
    a, b = population()
    names_one = {"bootstrap": bootstrap, "randomization": randomization}[variant]
    sets, own = (torch.Generator().manual_seed(n) for n in (seed, seed + 1000))
    named = 0
    for _ in range(TEST_SETS):
        picks = torch.randint(SENTENCES, (size,), generator=sets)
        coin = (torch.rand(size, 1, generator=sets) < 0.5).double()
        first = coin * a[picks] + (1 - coin) * b[picks]
        named += names_one(first, a[picks] + b[picks] - first, own)
    return {"date": records.today(), "named": named, "of": TEST_SETS}


def header() -> dict[str, Any]:
    return {
        "what": "On how many test sets a test names a winner of two systems that are alike, by the "
        "number of sentences.",
        "command": "python -m studies.significance",
        "corpus": CORPUS,
        "draws": DRAWS,
        **records.origin(),
        "variants": TESTS,
    }


SERIES = runner.Series(
    "09_null",
    {"variant": list(TESTS), "size": SIZES},
    run,
    header,
    data=lambda *values: CORPUS,
    seeds=(1,),
)


if __name__ == "__main__":
    runner.main(__doc__, SERIES)
