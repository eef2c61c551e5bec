"""Chapter 3: padded batches, an encoder, a decoder, and the loop that translates."""

EXERCISES = (
    "lengths_to_mask",
    "pad",
    "make_batch",
    "last_real",
    "reverse_real",
    "read_both_ways",
    "bridge",
    "every_step_inputs",
    "greedy_decode",
)
