"""Chapter 11: from attention to a network that writes."""

#: In the order of the chapter, with the minutes that it states.
EXERCISES = {
    "position_table": 12,
    "multi_head": 20,
    "decoder_mask": 8,
}
