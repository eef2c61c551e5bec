"""Chapter 10: a real translator."""

#: In the order of the chapter, with the minutes that it states.
EXERCISES = {
    "bpe_merge": 15,
    "bucketed": 12,
    "adam_step": 20,
    "perplexity": 5,
    "closest_caption": 15,
}
