"""Chapter 2: gates."""

#: In the order of the chapter, with the minutes that it states.
EXERCISES = {
    "write_memory": 5,
    "lstm_step": 12,
    "with_forget_bias": 6,
    "cell_path": 10,
    "lstm_step_back": 25,
    "lstm_reach": 12,
    "adding_batch": 8,
    "gru_step": 12,
}
