"""Chapter 3: padded batches, an encoder, a decoder, and the loop that translates."""

#: In the order of the chapter, with the minutes that it states.
EXERCISES = {
    "lengths_to_mask": 6,
    "pad": 8,
    "make_batch": 12,
    "bridge": 5,
    "last_real": 8,
    "greedy_decode": 12,
    "every_step_inputs": 8,
    "reverse_real": 12,
    "read_both_ways": 20,
}
