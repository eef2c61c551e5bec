"""Answers to exercise ``bpe_merge``, as learners write them."""

import re
from collections import Counter, defaultdict

from answering import right, wrong


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


@wrong("Every word counts once here")
def bpe_merge(words):
    counts = Counter(pair for word in words for pair in zip(word, word[1:]))
    best = sorted(counts, key=lambda p: (-counts[p], p))[0]
    return best, {joined(word, best): n for word, n in words.items()}


@wrong("counted once a word")
def bpe_merge(words):
    counts = Counter()
    for word, n in words.items():
        for pair in set(zip(word, word[1:])):
            counts[pair] += n
    best = sorted(counts, key=lambda p: (-counts[p], p))[0]
    return best, {joined(word, best): n for word, n in words.items()}


@wrong("the first that was met")
def bpe_merge(words):
    best = counted(words).most_common(1)[0][0]
    return best, {joined(word, best): n for word, n in words.items()}


@wrong("the last in alphabetical order")
def bpe_merge(words):
    best = max((n, pair) for pair, n in counted(words).items())[1]
    return best, {joined(word, best): n for word, n in words.items()}


@wrong("Compare the pairs, as tuples")
def bpe_merge(words):
    counts = counted(words)
    best = sorted(counts, key=lambda p: (-counts[p], p[0] + p[1]))[0]
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


@wrong("joined once a word")
def bpe_merge(words):
    counts = counted(words)
    best = min(counts, key=lambda p: (-counts[p], p))
    new = {}
    for word, n in words.items():
        subwords = list(word)
        for i in range(len(subwords) - 1):
            if (subwords[i], subwords[i + 1]) == best:
                subwords[i : i + 2] = ["".join(best)]
                break
        new[tuple(subwords)] = n
    return best, new


@wrong("Pairs of *letters* are counted")
def bpe_merge(words):
    counts = Counter()
    for word, n in words.items():
        text = "".join(word)
        for a, b in zip(text, text[1:]):
            counts[a, b] += n
    best = min(counts, key=lambda p: (-counts[p], p))
    return best, {joined(word, best): n for word, n in words.items()}


@wrong("comes back joined")
def bpe_merge(words):
    counts = counted(words)
    best = min(counts, key=lambda p: (-counts[p], p))
    return best[0] + best[1], {joined(word, best): n for word, n in words.items()}


@wrong("are lost: they stay as they are")
def bpe_merge(words):
    counts = counted(words)
    best = min(counts, key=lambda p: (-counts[p], p))
    new = {}
    for word, n in words.items():
        if joined(word, best) != word:
            new[joined(word, best)] = n
    return best, new


@wrong("The counts are lost")
def bpe_merge(words):
    counts = counted(words)
    best = min(counts, key=lambda p: (-counts[p], p))
    return best, {joined(word, best): 1 for word in words}


@wrong("the pair is asked for as well")
def bpe_merge(words):
    counts = counted(words)
    best = min(counts, key=lambda p: (-counts[p], p))
    return {joined(word, best): n for word, n in words.items()}


@right
def bpe_merge(words):
    counts = defaultdict(int)
    for word, n in words.items():
        for i in range(len(word) - 1):
            counts[word[i], word[i + 1]] += n
    most = max(counts.values())
    best = min(pair for pair, n in counts.items() if n == most)
    return best, {joined(word, best): n for word, n in words.items()}


@right
def bpe_merge(words):
    counts = counted(words)
    ((a, b), _), *_ = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    between = re.compile(rf"(?<!\S){re.escape(a)} {re.escape(b)}(?!\S)")
    return [a, b], {
        tuple(between.sub(a + b, " ".join(word)).split(" ")): n for word, n in words.items()
    }


# Mistakes that nobody has foreseen: the rules say what does not hold.


def best_of(words):
    counts = counted(words)
    return min(counts, key=lambda pair: (-counts[pair], pair))


@wrong("stands side by side")
def bpe_merge(words):
    counts = counted(words)
    best = sorted(counts, key=lambda pair: (-counts[pair], pair))[min(1, len(counts) - 1)]
    return best, {joined(word, best): n for word, n in words.items()}


@wrong("which was not there")
def bpe_merge(words):
    best = best_of(words)
    turned = {word: tuple(p[::-1] for p in joined(word, best)) for word in words}
    return best, {turned[word]: n for word, n in words.items()}


@wrong("is gone: words in which")
def bpe_merge(words):
    best = best_of(words)
    return best, {joined(word, best): n for word, n in list(words.items())[:-1]}


@wrong("times as before")
def bpe_merge(words):
    best = best_of(words)
    return best, {joined(word, best): n + 1 for word, n in words.items()}


@wrong("wherever they are neighbors")
def bpe_merge(words):
    best = best_of(words)
    return best, {joined(word, best) if len(word) < 4 else word: n for word, n in words.items()}


@wrong("Neighbors are compared as joined text")
def bpe_merge(words):
    counts = Counter()
    for word, times in words.items():
        for pair in zip(word, word[1:]):
            counts[pair] += times
    best = min(counts, key=lambda pair: (-counts[pair], pair))
    merged = {}
    for word, times in words.items():
        subwords = []
        for subword in word:
            if subwords and subwords[-1] + subword == best[0] + best[1]:
                subwords[-1] += subword
            else:
                subwords.append(subword)
        merged[tuple(subwords)] = times
    return best, merged


@wrong("is a string now. The keys stay tuples")
def bpe_merge(words):
    counts = Counter()
    for word, times in words.items():
        for pair in zip(word, word[1:]):
            counts[pair] += times
    best = min(counts, key=lambda pair: (-counts[pair], pair))
    return best, {"".join(word): times for word, times in words.items()}
