"""Chapter 2: gates."""

EXERCISES = (
    "write_memory",
    "lstm_step",
    "with_forget_bias",
    "cell_path",
    "lstm_step_back",
    "lstm_reach",
    "adding_batch",
    "gru_step",
)
