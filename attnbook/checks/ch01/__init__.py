"""Chapter 1: a recurrent network, its memory and its gradient."""

EXERCISES = (
    "rnn_step",
    "unroll",
    "next_word_pairs",
    "draw_word",
    "bptt",
    "with_spectral_radius",
    "gradient_reach",
    "clip_by_norm",
)
