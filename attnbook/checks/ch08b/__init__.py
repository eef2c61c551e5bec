"""Chapter 8, second file: beams and samples that work in practice."""

#: In the order of the chapter, with the minutes that it states.
EXERCISES = {
    "can_stop": 20,
    "beam_tokens": 30,
    "reorder": 10,
    "nucleus": 12,
    "least_risk": 12,
}
