"""Chapter 6: the scores, what they cost, and which one fits."""

EXERCISES = (
    "dot_score",
    "general_matrix",
    "concat_score",
    "split_concat",
    "score_parameters",
    "scaled_score",
    "through_softmax",
    "pick_score",
)
