"""Chapter 0: the exercise that is done together."""

EXERCISES = ("shares",)
