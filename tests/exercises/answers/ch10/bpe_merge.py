"""Answers to exercise ``bpe_merge``, as learners write them."""

from collections import Counter

from answering import wrong


def joined(word, pair):
    out, i = [], 0
    while i < len(word):
        if word[i : i + 2] == pair:
            out.append(word[i] + word[i + 1])
            i += 2
        else:
            out.append(word[i])
            i += 1
    return tuple(out)


def counted(words):
    counts = Counter()
    for word, n in words.items():
        for pair in zip(word, word[1:]):
            counts[pair] += n
    return counts


@wrong("every word counted as often as it occurs")
def bpe_merge(words):
    counts = Counter(pair for word in words for pair in zip(word, word[1:]))
    best = sorted(counts, key=lambda p: (-counts[p], p))[0]
    return best, {joined(word, best): n for word, n in words.items()}


@wrong("the first one is asked for")
def bpe_merge(words):
    best = counted(words).most_common(1)[0][0]
    return best, {joined(word, best): n for word, n in words.items()}


@wrong("a·b is found in xa·b as well")
def bpe_merge(words):
    counts = counted(words)
    best = min(counts, key=lambda p: (-counts[p], p))
    new = {}
    for word, n in words.items():
        text = " ".join(word).replace(" ".join(best), "".join(best))
        new[tuple(text.split())] = n
    return best, new


# Mistakes that nobody has foreseen: the rules say what does not hold.


def best_of(words):
    counts = counted(words)
    return min(counts, key=lambda pair: (-counts[pair], pair))


@wrong("there is no such word")
def bpe_merge(words):
    best = best_of(words)
    return best, {joined(word, best): n for word, n in list(words.items())[:-1]}
