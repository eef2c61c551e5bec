"""Chapter 10: a real translator."""

EXERCISES = (
    "leak_rate",
    "unknown_rate",
    "bucketed",
    "perplexity",
    "comparable",
    "bucket_scores",
    "word_attention",
)
