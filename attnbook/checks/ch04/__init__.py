"""Chapter 4: a dictionary made soft."""

#: In the order of the chapter, with the minutes that it states.
EXERCISES = {
    "soft_lookup": 8,
    "max_cosine_weight": 5,
    "temperature_for": 12,
    "lookup_gradient": 20,
    "nadaraya_watson": 12,
    "contribution_shares": 10,
    "attend": 15,
}
