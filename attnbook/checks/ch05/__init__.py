"""Chapter 5: attention inside a translator."""

#: In the order of the chapter, with the minutes that it states.
EXERCISES = {
    "weighted_sum": 5,
    "safe_softmax": 12,
    "attentional_vector": 5,
    "error_rate": 6,
    "general_score": 8,
    "additive_score": 12,
    "first_state": 8,
    "bahdanau_step": 12,
    "which_decoder": 15,
    "gradients_by_path": 15,
}
