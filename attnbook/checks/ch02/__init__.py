"""Chapter 2: gates."""

#: In the order of the chapter, with the minutes that it states.
EXERCISES = {
    "write_memory": 5,
    "lstm_step": 12,
    "with_forget_bias": 6,
}
