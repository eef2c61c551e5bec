"""BLEU, chrF, significance, and word alignment."""

from .alignment import Weights, aer, best_shift, links_from_weights, match_rate, probability_mass
from .bleu import (
    ORDER,
    SMOOTHINGS,
    Bleu,
    Overlap,
    Real,
    Settings,
    brevity_penalty,
    corpus_bleu,
    ngram_counts,
    overlap,
    sentence_bleu,
)
from .chrf import corpus_chrf, sentence_chrf
from .significance import (
    Comparison,
    Interval,
    approximate_randomization,
    bootstrap_interval,
    paired_bootstrap,
)
from .tokenizers import TOKENIZERS, References, tokenize_13a

__all__ = [
    "Bleu",
    "Comparison",
    "Interval",
    "ORDER",
    "Overlap",
    "Real",
    "References",
    "SMOOTHINGS",
    "Settings",
    "TOKENIZERS",
    "Weights",
    "aer",
    "approximate_randomization",
    "best_shift",
    "bootstrap_interval",
    "brevity_penalty",
    "corpus_bleu",
    "corpus_chrf",
    "links_from_weights",
    "match_rate",
    "ngram_counts",
    "overlap",
    "paired_bootstrap",
    "probability_mass",
    "sentence_bleu",
    "sentence_chrf",
    "tokenize_13a",
]
