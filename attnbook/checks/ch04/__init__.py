"""Chapter 4: a dictionary made soft."""

EXERCISES = (
    "soft_lookup",
    "max_cosine_weight",
    "temperature_for",
    "lookup_gradient",
    "nadaraya_watson",
    "contribution_shares",
    "attend",
)
