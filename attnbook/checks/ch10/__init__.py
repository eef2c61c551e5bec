"""Chapter 10: a real translator."""

#: In the order of the chapter, with the minutes that it states.
EXERCISES = {
    "leak_rate": 5,
    "unknown_rate": 7,
    "bucketed": 12,
    "perplexity": 8,
    "comparable": 6,
    "bucket_scores": 10,
    "word_attention": 15,
}
