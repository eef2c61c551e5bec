"""Chapter 4: a dictionary made soft."""

#: In the order of the chapter, with the minutes that it states.
EXERCISES = {
    "soft_lookup": 8,
    "max_cosine_weight": 5,
    "temperature_for": 12,
}
