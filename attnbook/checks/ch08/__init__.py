"""Chapter 8: beam search."""

EXERCISES = (
    "greedy_trap",
    "greedy_tokens",
    "length_penalty",
    "coverage_penalty",
    "can_stop",
    "beam_tokens",
    "reorder",
    "nucleus",
)
