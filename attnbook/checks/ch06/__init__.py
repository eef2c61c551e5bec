"""Chapter 6: the scores, what they cost, and which one fits."""

#: In the order of the chapter, with the minutes that it states.
EXERCISES = {
    "dot_score": 6,
    "general_matrix": 10,
    "beat_concat": 12,
    "pick_score": 20,
}
