"""Chapter 2, second file: how far back a gradient reaches."""

#: In the order of the chapter, with the minutes that it states.
EXERCISES = {
    "cell_path": 10,
    "lstm_step_back": 25,
    "gru_step": 12,
    "forget_bias_for": 12,
}
