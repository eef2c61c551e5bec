"""Chapter 5, second file: Bahdanau's decoder beside Luong's."""

#: In the order of the chapter, with the minutes that it states.
EXERCISES = {
    "additive_score": 12,
    "bahdanau_step": 12,
    "which_decoder": 15,
    "gradients_by_path": 15,
}
