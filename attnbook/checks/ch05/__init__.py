"""Chapter 5: attention inside a translator."""

EXERCISES = (
    "weighted_sum",
    "general_score",
    "safe_softmax",
    "attentional_vector",
    "additive_score",
    "first_state",
    "bahdanau_step",
    "which_decoder",
    "gradients_by_path",
    "error_rate",
)
