"""Chapter 6, second file: how large a score should be, and which one translates."""

#: In the order of the chapter, with the minutes that it states.
EXERCISES = {
    "through_softmax": 10,
    "score_spread": 20,
}
