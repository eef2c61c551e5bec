"""Chapter 7: what the decoder is fed, and which loss is reported."""

EXERCISES = (
    "accuracy_by_position",
    "free_running",
    "mix_inputs",
    "scheduled_run",
    "inverse_sigmoid",
    "token_cross_entropy",
    "masked_cross_entropy",
)
