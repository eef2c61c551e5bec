"""Chapter 1, first file: a recurrent network, its loop, its training and its writing."""

#: In the order of the chapter, with the minutes that it states.
EXERCISES = {
    "rnn_step": 6,
    "unroll": 10,
    "training_step": 15,
    "draw_word": 10,
    "go_on": 12,
}
