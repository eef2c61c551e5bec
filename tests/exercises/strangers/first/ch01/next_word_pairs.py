"""Answers to exercise ``next_word_pairs``, written from its statement alone."""

from answering import right, wrong


@wrong("the first word is guessed, too, from nothing")
def next_word_pairs(sentence, most):
    return [(sentence[max(0, t - most) : t], sentence[t]) for t in range(len(sentence))]


@wrong("a negative start counts from the end")
def next_word_pairs(sentence, most):
    return [(sentence[t - most : t], sentence[t]) for t in range(1, len(sentence))]


@wrong("keeps the first words of the history, not the last")
def next_word_pairs(sentence, most):
    return [(sentence[:t][:most], sentence[t]) for t in range(1, len(sentence))]


@wrong("the whole history: `most` is ignored")
def next_word_pairs(sentence, most):
    return [(sentence[:t], sentence[t]) for t in range(1, len(sentence))]


@wrong("the word itself is in its history")
def next_word_pairs(sentence, most):
    pairs = []
    for t in range(1, len(sentence)):
        pairs.append((sentence[max(0, t + 1 - most) : t + 1], sentence[t]))
    return pairs


@wrong("the end is never guessed")
def next_word_pairs(sentence, most):
    return [(sentence[max(0, t - most) : t], sentence[t]) for t in range(1, len(sentence) - 1)]


@wrong("begins only where the history is full")
def next_word_pairs(sentence, most):
    return [(sentence[t - most : t], sentence[t]) for t in range(most, len(sentence))]


@wrong("looks the position of a word up by the word, so a repeated word gets the first place")
def next_word_pairs(sentence, most):
    pairs = []
    for word in sentence[1:]:
        t = sentence.index(word)
        pairs.append((sentence[max(0, t - most) : t], word))
    return pairs


@wrong("one list for all histories: every pair shows its last content")
def next_word_pairs(sentence, most):
    pairs, history = [], []
    for before, word in zip(sentence, sentence[1:]):
        history.append(before)
        if len(history) > most:
            history.pop(0)
        pairs.append((history, word))
    return pairs


# Right: `most` is 1 or more, the statement says so now; with 0 the slice from −0 is everything.
@right
def next_word_pairs(sentence, most):
    return [(sentence[:t][-most:], sentence[t]) for t in range(1, len(sentence))]


@wrong("one word too many in the history")
def next_word_pairs(sentence, most):
    return [(sentence[max(0, t - most - 1) : t], sentence[t]) for t in range(1, len(sentence))]


@wrong("word first, history second")
def next_word_pairs(sentence, most):
    return [(sentence[t], sentence[max(0, t - most) : t]) for t in range(1, len(sentence))]


@wrong("nearest word first")
def next_word_pairs(sentence, most):
    return [(sentence[max(0, t - most) : t][::-1], sentence[t]) for t in range(1, len(sentence))]


@wrong("takes the words out of the caller's list")
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


@right
def next_word_pairs(sentence, most):
    if len(sentence) < 2:
        return []
    *rest, word = sentence
    begin = len(rest) - most
    return next_word_pairs_of(rest, most) + [(rest[begin if begin > 0 else 0 :], word)]


def next_word_pairs_of(sentence, most):
    pairs = []
    for end in range(1, len(sentence)):
        history = [sentence[k] for k in range(end) if k >= end - most]
        pairs.append((history, sentence[end]))
    return pairs
