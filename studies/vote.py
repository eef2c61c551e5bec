"""The vote of many samples (minimum Bayes risk) by two utilities, and their lengths: chapter 8b.

    python -m studies.vote --out runs/multi30k        # data/runs/08_vote.json

Three trainings of the preset "quick" on Multi30k, by ``multi30k.py``, whose folders are taken
where they are there (else 5 minutes each). Each draws 32 translations of 250 validation captions at
T = 1. The one that wins by BLEU and the one that wins by chrF stand beside the reference, greedy
search, the beam of 5 by the mean log-probability a token, a single sample, and the most probable of
the 32: corpus BLEU and chrF of each, and its length. About five minutes of one thread a training.
Nothing was chosen here; the test split is not touched.
"""

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

import torch

from attnlib.data import Pair
from attnlib.metrics import corpus_bleu, corpus_chrf
from attnlib.search import beam_search, greedy_search, sample_search

from . import multi30k, records, runner
from .models import PRESETS, like
from .search_sweep import SAMPLE, UTILITIES, least_risk, sample, search, utilities

DRAWN = 32  # samples


def measured(texts: Sequence[str], pairs: Sequence[Pair]) -> dict[str, float]:
    """BLEU and chrF, the mean number of words, and its ratio to that of the references."""
    references = [pair.tgt for pair in pairs]
    words, theirs = (sum(len(text.split()) for text in some) for some in (texts, references))
    return {
        "bleu": round(corpus_bleu(texts, references).score, 2),
        "chrf": round(corpus_chrf(texts, references), 2),
        "words": round(words / len(pairs), 2),
        "ratio": round(words / theirs, 4),
        "empty": round(sum(not text for text in texts) / len(pairs), 4),
    }


def run(out: Path, variant: str, seed: int) -> dict[str, Any]:
    corpus, preset = records.corpus_or_exit("multi30k-de-en"), like(PRESETS[variant], seed=seed)
    translator, _ = multi30k.train(corpus, preset, out / f"{variant}-{seed}")
    translator.model.eval()
    pairs, decode = sample(corpus.valid), translator.tgt_vocabulary.decode
    sources = [pair.src for pair in pairs]
    how: dict[str, Any] = {"samples": DRAWN, "generator": torch.Generator().manual_seed(seed)}
    drawn = search(translator, sources, sample_search, DRAWN, **how)
    texts = [[decode(one.tokens) for one in some] for some in drawn]
    greedy = search(translator, sources, greedy_search, 1)
    beam = search(translator, sources, beam_search, 5, alpha=1.0, penalty="power")
    likely = [max(some, key=lambda one: one.log_prob) for some in drawn]
    rows = {
        "greedy": [decode(some[0].tokens) for some in greedy],
        "beam 5": [decode(some[0].tokens) for some in beam],
        "one sample": [some[0] for some in texts],
        "most probable": [decode(one.tokens) for one in likely],
    }
    for name, utility in UTILITIES.items():
        rows[f"vote by {name}"] = [
            some[least_risk(utilities(some, utility), DRAWN)] for some in texts
        ]
    words = sum(len(pair.tgt.split()) for pair in pairs) / len(pairs)
    return {
        **records.circumstances("fp32", "torch", "tokenizers"),
        "words of the reference": round(words, 2),
        "different samples": round(sum(len(set(some)) for some in texts) / len(texts), 2),
        "rows": {name: measured(some, pairs) for name, some in rows.items()},
    }


def header() -> dict[str, Any]:
    return {
        "what": "Of 32 translations drawn at T = 1 the one that is closest to all, by two "
        "utilities, beside other searches, for chapter 8b: Multi30k German-English, a sample of "
        "the validation split, three trainings of the preset quick. Lengths in words between "
        "spaces. Translations may have 2 S + 10 pieces for a source of S.",
        "command": "python -m studies.vote",
        "corpus": "multi30k-de-en",
        "split": "valid",
        "sentences": SAMPLE,
        "samples": DRAWN,
    }


def series(out: Path) -> runner.Series:
    return runner.Series("08_vote", {"variant": ["quick"]}, partial(run, out), header)


if __name__ == "__main__":
    out = runner.option("--out", type=Path, default=Path("runs/multi30k"))
    runner.main(__doc__, series, out, say="{variant} {seed}: {rows}".format_map)
