"""Chapter 4, second file: how a lookup learns, and kernel regression."""

#: In the order of the chapter, with the minutes that it states.
EXERCISES = {
    "lookup_gradient": 20,
    "nadaraya_watson": 12,
    "leave_one_out": 15,
}
