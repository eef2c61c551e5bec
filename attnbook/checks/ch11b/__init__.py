"""Chapter 11, second file: a Transformer that translates."""

#: In the order of the file, with the minutes that it states.
EXERCISES = {
    "cached_step": 15,
    "decoder_forward": 20,
}
