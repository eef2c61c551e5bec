"""Answers to exercise ``which_decoder``, as learners write them."""

import torch
from answering import wrong


@wrong("Only the word was changed")
def which_decoder(step, word, state, keys):
    _, a = step(word, state, keys)
    _, b = step(word + 0.5, state, keys)
    return "bahdanau" if torch.allclose(a, b) else "luong"


@wrong("That is 'another', and")
def which_decoder(step, word, state, keys):
    s, a = step(word, state, keys)
    s2, a2 = step(word * 2 + 1, state, keys)
    s3, a3 = step(word, state, keys * 2 + 1)
    if (a - a2).abs().max() > 1e-6:
        return "luong"
    if (s - s3).abs().max() > 1e-6:
        return "bahdanau"
    return "another"


@wrong("That is 'bahdanau', and 'another' comes back")
def which_decoder(step, word, state, keys):
    new, weights = step(word, state, keys)
    hears = not torch.allclose(weights, step(word + 1, state, keys)[1], atol=1e-5)
    feels = not torch.allclose(new, step(word, state, keys.flip(0))[0], atol=1e-5)
    return {(False, True): "bahdanau", (True, False): "luong"}.get((hears, feels), "another")


@wrong("the weights do not depend on the word and the new state depends on the keys")
def which_decoder(step, word, state, keys):
    new, weights = step(word, state, keys)
    word_moves = step(word + 1, state, keys)[1] is not weights
    keys_move = step(word, state, keys + 1)[0] is not new
    return {(True, False): "luong", (False, True): "bahdanau"}.get(
        (word_moves, keys_move), "another"
    )
