"""Answers to exercise ``which_decoder``, written from its statement alone."""

import torch
from answering import right, wrong


@wrong("the two names exchanged")
def which_decoder(step, word, state, keys):
    new, weights = step(word, state, keys)
    hears_word = not torch.allclose(weights, step(word + 1, state, keys)[1])
    feels_keys = not torch.allclose(new, step(word, state, keys + 1)[0])
    if hears_word and not feels_keys:
        return "bahdanau"
    if feels_keys and not hears_word:
        return "luong"
    return "another"


@wrong("one question only: do the weights hear the word?")
def which_decoder(step, word, state, keys):
    _, weights = step(word, state, keys)
    same = torch.allclose(weights, step(word + 1, state, keys)[1])
    return "bahdanau" if same else "luong"


@wrong("one question only: does the state feel the keys?")
def which_decoder(step, word, state, keys):
    new, _ = step(word, state, keys)
    same = torch.allclose(new, step(word, state, keys + 1)[0])
    return "luong" if same else "bahdanau"


@wrong("the word is changed in place")
def which_decoder(step, word, state, keys):
    new, weights = step(word, state, keys)
    feels_keys = not torch.allclose(new, step(word, state, keys + 1)[0])
    word += 1
    hears_word = not torch.allclose(weights, step(word, state, keys)[1])
    if feels_keys and not hears_word:
        return "bahdanau"
    if hears_word and not feels_keys:
        return "luong"
    return "another"


@wrong("compares sums of weights, which are always 1")
def which_decoder(step, word, state, keys):
    new, weights = step(word, state, keys)
    hears_word = not torch.allclose(weights.sum(), step(word + 1, state, keys)[1].sum())
    feels_keys = not torch.allclose(new, step(word, state, keys + 1)[0])
    if feels_keys and not hears_word:
        return "bahdanau"
    if hears_word and not feels_keys:
        return "luong"
    return "another"


@wrong("or where and is meant")
def which_decoder(step, word, state, keys):
    new, weights = step(word, state, keys)
    hears_word = not torch.allclose(weights, step(word + 1, state, keys)[1])
    feels_keys = not torch.allclose(new, step(word, state, keys + 1)[0])
    if feels_keys or not hears_word:
        return "bahdanau"
    if hears_word or not feels_keys:
        return "luong"
    return "another"


@wrong("asks whether the weights feel the keys: they always do")
def which_decoder(step, word, state, keys):
    _, weights = step(word, state, keys)
    hears_word = not torch.allclose(weights, step(word + 1, state, keys)[1])
    feels_keys = not torch.allclose(weights, step(word, state, keys * 2)[1])
    if feels_keys and not hears_word:
        return "bahdanau"
    if hears_word and not feels_keys:
        return "luong"
    return "another"


@wrong("asks whether the new state hears the word: it always does")
def which_decoder(step, word, state, keys):
    new, _ = step(word, state, keys)
    hears_word = not torch.allclose(new, step(word + 1, state, keys)[0])
    feels_keys = not torch.allclose(new, step(word, state, keys + 1)[0])
    if feels_keys and not hears_word:
        return "bahdanau"
    if hears_word and not feels_keys:
        return "luong"
    return "another"


@wrong("changes the state, not the word: both kinds hear the state")
def which_decoder(step, word, state, keys):
    new, weights = step(word, state, keys)
    hears = not torch.allclose(weights, step(word, state + 1, keys)[1])
    feels_keys = not torch.allclose(new, step(word, state, keys + 1)[0])
    if feels_keys and not hears:
        return "bahdanau"
    if hears and not feels_keys:
        return "luong"
    return "another"


@wrong("what is neither is called luong")
def which_decoder(step, word, state, keys):
    new, weights = step(word, state, keys)
    hears_word = not torch.allclose(weights, step(word + 1, state, keys)[1])
    feels_keys = not torch.allclose(new, step(word, state, keys + 1)[0])
    return "bahdanau" if feels_keys and not hears_word else "luong"


@wrong("the keys in another order: no context changes by that")
def which_decoder(step, word, state, keys):
    new, weights = step(word, state, keys)
    hears_word = not torch.allclose(weights, step(word + 1, state, keys)[1], atol=1e-5)
    feels_keys = not torch.allclose(new, step(word, state, keys.flip(0))[0], atol=1e-5)
    if feels_keys and not hears_word:
        return "bahdanau"
    if hears_word and not feels_keys:
        return "luong"
    return "another"


@wrong("capital letters")
def which_decoder(step, word, state, keys):
    new, weights = step(word, state, keys)
    hears_word = not torch.allclose(weights, step(word + 1, state, keys)[1])
    feels_keys = not torch.allclose(new, step(word, state, keys + 1)[0])
    if feels_keys and not hears_word:
        return "Bahdanau"
    if hears_word and not feels_keys:
        return "Luong"
    return "another"


@wrong("word and keys are changed together: the questions are mixed")
def which_decoder(step, word, state, keys):
    new, weights = step(word, state, keys)
    other, looks = step(word + 1, state, keys + 1)
    if torch.allclose(weights, looks) and not torch.allclose(new, other):
        return "bahdanau"
    if torch.allclose(new, other) and not torch.allclose(weights, looks):
        return "luong"
    return "another"


@right
def which_decoder(step, word, state, keys):
    new, weights = step(word, state, keys)
    other_weights = step(word + torch.ones_like(word), state, keys)[1]
    other_new = step(word, state, keys + torch.ones_like(keys))[0]
    before = float((weights - other_weights).abs().max()) < 1e-6
    fed = float((new - other_new).abs().max()) > 1e-6
    names = {(True, True): "bahdanau", (False, False): "luong"}
    return names.get((before, fed), "another")


@right
def which_decoder(step, word, state, keys):
    def depends(which, argument):
        changed = {"word": word, "keys": keys}
        changed[argument] = changed[argument].clone() * 3 + 1
        one = step(word, state, keys)[which]
        two = step(changed["word"], state, changed["keys"])[which]
        return not torch.allclose(one, two, atol=1e-6)

    if depends(1, "word"):
        return "another" if depends(0, "keys") else "luong"
    return "bahdanau" if depends(0, "keys") else "another"
