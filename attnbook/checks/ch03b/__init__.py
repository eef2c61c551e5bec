"""Chapter 3, second file: reading both ways."""

#: In the order of the chapter, with the minutes that it states.
EXERCISES = {
    "reverse_real": 12,
    "read_both_ways": 20,
}
