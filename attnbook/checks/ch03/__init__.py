"""Chapter 3: an encoder, a decoder, the loop that writes, and batches with padding."""

#: In the order of the chapter, with the minutes that it states.
EXERCISES = {
    "greedy_decode": 12,
    "pad": 8,
    "make_batch": 12,
    "last_real": 8,
    "seq2seq_loss": 20,
}
