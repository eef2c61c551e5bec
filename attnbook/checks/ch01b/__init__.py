"""Chapter 1, second file: gradients through time."""

#: In the order of the chapter, with the minutes that it states.
EXERCISES = {
    "bptt": 25,
    "gradient_reach": 12,
    "clip_by_norm": 10,
}
