"""Chapter 9: from n-gram counts to BLEU, chrF and the bootstrap."""

EXERCISES = (
    "ngram_counts",
    "overlap",
    "brevity_penalty",
    "corpus_bleu",
    "smoothed_precisions",
    "sentence_chrf",
    "paired_bootstrap",
)
