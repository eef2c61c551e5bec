"""Answers to exercise ``which_decoder``, as learners write them."""

from answering import wrong


@wrong("Only the word was changed")
def which_decoder(step, word, state, keys):
    import torch

    _, a = step(word, state, keys)
    _, b = step(word + 0.5, state, keys)
    return "bahdanau" if torch.allclose(a, b) else "luong"


@wrong("Only the keys were changed")
def which_decoder(step, word, state, keys):
    import torch

    a, _ = step(word, state, keys)
    b, _ = step(word, state, torch.zeros_like(keys))
    return "luong" if torch.equal(a, b) else "bahdanau"


@wrong("The two names are exchanged")
def which_decoder(step, word, state, keys):
    import torch

    s, a = step(word, state, keys)
    same_weights = torch.allclose(step(word - 1, state, keys)[1], a)
    same_state = torch.allclose(step(word, state, keys - 1)[0], s)
    if same_weights and not same_state:
        return "luong"
    if same_state and not same_weights:
        return "bahdanau"
    return "another"


@wrong("ask it something")
def which_decoder(step, word, state, keys):
    return "luong"


@wrong("is neither Bahdanau's nor Luong's")
def which_decoder(step, word, state, keys):
    s, a = step(word, state, keys)
    s2, a2 = step(word * 2 + 1, state, keys)
    s3, a3 = step(word, state, keys * 2 + 1)
    if (a - a2).abs().max() > 1e-6:
        return "luong"
    if (s - s3).abs().max() > 1e-6:
        return "bahdanau"
    return "another"


@wrong("is none of")
def which_decoder(step, word, state, keys):
    return "Bahdanau"
