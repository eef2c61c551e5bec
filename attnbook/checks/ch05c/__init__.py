"""Chapter 5, third file: what a heat map proves."""

#: In the order of the chapter, with the minutes that it states.
EXERCISES = {
    "contribution_shares": 10,
}
