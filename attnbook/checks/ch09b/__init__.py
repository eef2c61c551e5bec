"""Chapter 9, second file: single sentences, characters, and how sure a difference is."""

#: In the order of the chapter, with the minutes that it states.
EXERCISES = {
    "smoothed_precisions": 12,
    "sentence_chrf": 15,
    "paired_bootstrap": 15,
    "report": 12,
}
