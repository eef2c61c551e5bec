import torch
from answering import right, wrong


@wrong("the two names are swapped")
def which_decoder(step, word, state, keys):
    s, a = step(word, state, keys)
    s_word, a_word = step(word + 1, state, keys)
    s_keys, a_keys = step(word, state, keys + 1)
    asks_new = not torch.allclose(a, a_word)
    fed = not torch.allclose(s, s_keys)
    if fed and not asks_new:
        return "luong"
    if asks_new and not fed:
        return "bahdanau"
    return "another"


@wrong("one question only: do the weights depend on the word? 'another' is never said")
def which_decoder(step, word, state, keys):
    _, a = step(word, state, keys)
    _, a_word = step(word + 1, state, keys)
    return "bahdanau" if torch.allclose(a, a_word) else "luong"


@wrong("one question only: does the state depend on the keys?")
def which_decoder(step, word, state, keys):
    s, _ = step(word, state, keys)
    s_keys, _ = step(word, state, keys + 1)
    return "luong" if torch.allclose(s, s_keys) else "bahdanau"


@wrong("adds to the word and to the keys in place, so later calls see other arguments")
def which_decoder(step, word, state, keys):
    s, a = step(word, state, keys)
    word += 1
    _, a_word = step(word, state, keys)
    keys += 1
    s_keys, _ = step(word, state, keys)
    asks_new = not torch.allclose(a, a_word)
    fed = not torch.allclose(s, s_keys)
    if fed and not asks_new:
        return "bahdanau"
    if asks_new and not fed:
        return "luong"
    return "another"


@wrong("asks whether the weights depend on the state, which they do in both")
def which_decoder(step, word, state, keys):
    s, a = step(word, state, keys)
    _, a_state = step(word, state + 1, keys)
    s_keys, _ = step(word, state, keys + 1)
    asks_new = not torch.allclose(a, a_state)
    fed = not torch.allclose(s, s_keys)
    if fed and not asks_new:
        return "bahdanau"
    if asks_new and not fed:
        return "luong"
    return "another"


@wrong("asks whether the state depends on the word, instead of the weights")
def which_decoder(step, word, state, keys):
    s, _ = step(word, state, keys)
    s_word, _ = step(word + 1, state, keys)
    s_keys, _ = step(word, state, keys + 1)
    moved = not torch.allclose(s, s_word)
    fed = not torch.allclose(s, s_keys)
    if fed and not moved:
        return "bahdanau"
    if moved and not fed:
        return "luong"
    return "another"


@wrong("looks whether the weights depend on the keys, where the state was to be looked at")
def which_decoder(step, word, state, keys):
    _, a = step(word, state, keys)
    _, a_word = step(word + 1, state, keys)
    _, a_keys = step(word, state, keys + torch.arange(keys.numel()).view_as(keys))
    asks_new = not torch.allclose(a, a_word)
    fed = not torch.allclose(a, a_keys)
    if fed and not asks_new:
        return "bahdanau"
    if asks_new and not fed:
        return "luong"
    return "another"


@wrong("a decoder that attends late and is fed as well counts as luong")
def which_decoder(step, word, state, keys):
    s, a = step(word, state, keys)
    _, a_word = step(word + 1, state, keys)
    s_keys, _ = step(word, state, keys + 1)
    if not torch.allclose(a, a_word):
        return "luong"
    if not torch.allclose(s, s_keys):
        return "bahdanau"
    return "another"


@wrong("names with a capital letter")
def which_decoder(step, word, state, keys):
    s, a = step(word, state, keys)
    _, a_word = step(word + 1, state, keys)
    s_keys, _ = step(word, state, keys + 1)
    asks_new = not torch.allclose(a, a_word)
    fed = not torch.allclose(s, s_keys)
    if asks_new == fed:
        return "Another"
    return "Bahdanau" if fed else "Luong"


@right
def which_decoder(step, word, state, keys):
    def same(x, y):
        return bool(((x - y).abs() < 1e-6).all())

    s, a = step(word.clone(), state.clone(), keys.clone())
    late = not same(a, step(word + 1, state.clone(), keys.clone())[1])
    fed = not same(s, step(word.clone(), state.clone(), keys + 1)[0])
    return {(False, True): "bahdanau", (True, False): "luong"}.get((late, fed), "another")


@right
def which_decoder(step, word, state, keys):
    plain, by_word, by_keys = (
        step(word + dw, state, keys + dk) for dw, dk in ((0, 0), (1, 0), (0, 1))
    )
    late = torch.ne(plain[1], by_word[1]).any().item()
    fed = torch.ne(plain[0], by_keys[0]).any().item()
    if late is fed:
        return "another"
    return "luong" if late else "bahdanau"
