"""Chapter 8: beam search."""

#: In the order of the chapter, with the minutes that it states.
EXERCISES = {
    "greedy_trap": 8,
    "greedy_tokens": 12,
    "length_penalty": 5,
    "coverage_penalty": 8,
    "can_stop": 20,
    "beam_tokens": 30,
    "reorder": 10,
    "nucleus": 12,
}
