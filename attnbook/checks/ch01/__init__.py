"""Chapter 1: a recurrent network, its memory and its gradient."""

#: In the order of the chapter, with the minutes that it states.
EXERCISES = {
    "rnn_step": 6,
    "unroll": 15,
    "next_word_pairs": 8,
    "draw_word": 10,
    "bptt": 25,
    "with_spectral_radius": 8,
    "gradient_reach": 12,
    "clip_by_norm": 10,
}
