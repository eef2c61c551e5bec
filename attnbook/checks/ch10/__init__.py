"""Chapter 10: a real translator."""

#: In the order of the chapter, with the minutes that it states.
EXERCISES = {
    "bpe_merge": 15,
    "bucketed": 12,
    "luong_step": 15,
    "perplexity": 8,
    "normalized_beam": 25,
    "word_attention": 15,
}
