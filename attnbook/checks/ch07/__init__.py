"""Chapter 7: what the decoder is fed."""

#: In the order of the chapter, with the minutes that it states.
EXERCISES = {
    "accuracy_by_position": 6,
    "free_running": 10,
    "mix_inputs": 8,
    "scheduled_run": 20,
}
