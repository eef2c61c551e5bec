"""Chapter 9: from n-gram counts to BLEU."""

#: In the order of the chapter, with the minutes that it states.
EXERCISES = {
    "ngram_counts": 6,
    "overlap": 10,
    "brevity_penalty": 6,
    "corpus_bleu": 20,
}
