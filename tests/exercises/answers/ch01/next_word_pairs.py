"""Answers to exercise ``next_word_pairs``, as learners write them."""

from answering import right, wrong


@wrong("stands in its own history")
def next_word_pairs(sentence, most):
    pairs = []
    for t in range(1, len(sentence)):
        start = max(t - most + 1, 0)
        pairs.append((sentence[start : t + 1], sentence[t]))
    return pairs


@wrong("A short memory keeps the last ones")
def next_word_pairs(sentence, most):
    return [(sentence[: min(t, most)], sentence[t]) for t in range(1, len(sentence))]


@wrong("`most` is not used")
def next_word_pairs(sentence, most):
    pairs, history = [], []
    for word in sentence:
        if history:
            pairs.append((list(history), word))
        history.append(word)
    return pairs


@wrong("are never guessed")
def next_word_pairs(sentence, most):
    windows = [sentence[i : i + most + 1] for i in range(len(sentence) - most)]
    return [(window[:-1], window[-1]) for window in windows]


@wrong("A negative start counts from the end")
def next_word_pairs(sentence, most):
    return [(sentence[t - most : t], sentence[t]) for t in range(1, len(sentence))]


@wrong("guessed from nothing")
def next_word_pairs(sentence, most):
    return [(sentence[max(0, t - most) : t], word) for t, word in enumerate(sentence)]


@wrong("The end is never guessed")
def next_word_pairs(sentence, most):
    return [(sentence[max(0, t - most) : t], sentence[t]) for t in range(1, len(sentence) - 1)]


@wrong("The place of a word is looked up by the word:")
def next_word_pairs(sentence, most):
    pairs = []
    for word in sentence[1:]:
        t = sentence.index(word)
        pairs.append((sentence[max(0, t - most) : t], word))
    return pairs


@wrong("All histories are one and the same list, which shows what it held")
def next_word_pairs(sentence, most):
    pairs, history = [], []
    for before, word in zip(sentence, sentence[1:]):
        history.append(before)
        if len(history) > most:
            history.pop(0)
        pairs.append((history, word))
    return pairs


@right
def next_word_pairs(sentence, most):
    return [(sentence[:t][-most:], sentence[t]) for t in range(1, len(sentence))]


@wrong("A history has one word too many:")
def next_word_pairs(sentence, most):
    return [(sentence[max(0, t - most - 1) : t], sentence[t]) for t in range(1, len(sentence))]


@wrong("Each pair is (word, history).")
def next_word_pairs(sentence, most):
    return [(sentence[t], sentence[max(0, t - most) : t]) for t in range(1, len(sentence))]


@wrong("The argument sentence was changed by the call.")
def next_word_pairs(sentence, most):
    history, pairs = [sentence.pop(0)], []
    while sentence:
        word = sentence.pop(0)
        pairs.append((history[max(0, len(history) - most) :], word))
        history.append(word)
    return pairs


@right
def next_word_pairs(sentence, most):
    pairs, history = [], []
    for n, word in enumerate(sentence):
        if n > 0:
            pairs.append((list(history), word))
        history.append(word)
        while len(history) > most:
            history.pop(0)
    return pairs
