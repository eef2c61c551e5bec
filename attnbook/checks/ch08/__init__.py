"""Chapter 8: beam search, and what it finds."""

#: In the order of the chapter, with the minutes that it states.
EXERCISES = {
    "greedy_trap": 8,
    "greedy_tokens": 12,
    "coverage_penalty": 8,
}
