"""Chapter 5: attention inside a translator."""

#: In the order of the chapter, with the minutes that it states.
EXERCISES = {
    "safe_softmax": 12,
    "feeding_decoder": 15,
    "error_rate": 6,
}
