"""Chapter 11: from attention to the Transformer."""

EXERCISES = (
    "position_table",
    "multi_head",
    "decoder_mask",
    "cached_step",
)
