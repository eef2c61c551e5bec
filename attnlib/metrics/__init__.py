"""BLEU, chrF, significance, and word alignment."""

from .alignment import (
    AttentionLike,
    aer,
    best_shift,
    links_from_weights,
    match_rate,
    probability_mass,
)
from .bleu import (
    MAX_NGRAM_ORDER,
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
    BootstrapComparison,
    ConfidenceInterval,
    approximate_randomization,
    bootstrap_interval,
    paired_bootstrap,
)
from .tokenizers import TOKENIZERS, References, tokenize_13a

__all__ = [
    "AttentionLike",
    "Bleu",
    "BootstrapComparison",
    "ConfidenceInterval",
    "MAX_NGRAM_ORDER",
    "Overlap",
    "Real",
    "References",
    "SMOOTHINGS",
    "Settings",
    "TOKENIZERS",
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
