"""Chapter 0: the exercise that is done together."""

#: In the order of the chapter, with the minutes that it states.
EXERCISES = {
    "shares": 3,
}
