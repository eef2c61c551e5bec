from answering import right, wrong


@wrong("a negative start: early histories are cut from the end of the list")
def next_word_pairs(sentence, most):
    return [(sentence[t - most : t], sentence[t]) for t in range(1, len(sentence))]


@wrong("the first word is guessed, too, from nothing")
def next_word_pairs(sentence, most):
    return [(sentence[max(0, t - most) : t], sentence[t]) for t in range(len(sentence))]


@wrong("the first `most` words of the history instead of the last")
def next_word_pairs(sentence, most):
    return [(sentence[:t][:most], sentence[t]) for t in range(1, len(sentence))]


@wrong("the end is left out, as if nobody had to guess it")
def next_word_pairs(sentence, most):
    return [(sentence[max(0, t - most) : t], sentence[t]) for t in range(1, len(sentence) - 1)]


@wrong("the history holds the guessed word itself")
def next_word_pairs(sentence, most):
    pairs = []
    for t in range(1, len(sentence)):
        pairs.append((sentence[max(0, t + 1 - most) : t + 1], sentence[t]))
    return pairs


@wrong("only full histories: the early guesses with fewer words are left out")
def next_word_pairs(sentence, most):
    return [(sentence[t - most : t], sentence[t]) for t in range(most, len(sentence))]


# Relabelled: brought to lists, as every result is brought to the kind of the book's.
@right
def next_word_pairs(sentence, most):
    return [(tuple(sentence[max(0, t - most) : t]), sentence[t]) for t in range(1, len(sentence))]


@wrong("one list is used for all histories and emptied from the front, so all show its last state")
def next_word_pairs(sentence, most):
    history = [sentence[0]]
    pairs = []
    for word in sentence[1:]:
        pairs.append((history, word))
        history.append(word)
        if len(history) > most:
            history.pop(0)
    return pairs


@wrong("looks up each word by index, so a word that occurs twice gets its first history")
def next_word_pairs(sentence, most):
    pairs = []
    for word in sentence[1:]:
        t = sentence.index(word)
        pairs.append((sentence[max(0, t - most) : t], word))
    return pairs


@wrong("the history is one word too long")
def next_word_pairs(sentence, most):
    return [(sentence[max(0, t - most - 1) : t], sentence[t]) for t in range(1, len(sentence))]


@right
def next_word_pairs(sentence, most):
    history = sentence[:1]
    pairs = []
    for word in sentence[1:]:
        pairs.append((list(history[-most:]), word))
        history = history + [word]
    return pairs


@right
def next_word_pairs(sentence, most):
    if len(sentence) < 2:
        return []
    *before, word = sentence
    return next_word_pairs(before, most) + [(before[-most:], word)]
