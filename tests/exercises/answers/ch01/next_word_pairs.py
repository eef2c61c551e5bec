"""Answers to exercise ``next_word_pairs``, as learners write them."""

from answering import wrong


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
