import itertools
from collections import Counter

from answering import right, wrong


@wrong("every word is counted once, however often it occurs")
def bpe_merge(words):
    counts = Counter()
    for word, times in words.items():
        for pair in zip(word, word[1:]):
            counts[pair] += 1
    best = min(counts, key=lambda pair: (-counts[pair], pair))
    merged = {}
    for word, times in words.items():
        pieces, i = [], 0
        while i < len(word):
            if word[i : i + 2] == best:
                pieces.append(best[0] + best[1])
                i += 2
            else:
                pieces.append(word[i])
                i += 1
        merged[tuple(pieces)] = times
    return best, merged


@wrong("of equally frequent pairs the one that was met first")
def bpe_merge(words):
    counts = Counter()
    for word, times in words.items():
        for pair in zip(word, word[1:]):
            counts[pair] += times
    best = max(counts, key=counts.get)
    merged = {}
    for word, times in words.items():
        pieces, i = [], 0
        while i < len(word):
            if word[i : i + 2] == best:
                pieces.append(best[0] + best[1])
                i += 2
            else:
                pieces.append(word[i])
                i += 1
        merged[tuple(pieces)] = times
    return best, merged


@wrong("of equally frequent pairs the last in alphabetical order")
def bpe_merge(words):
    counts = Counter()
    for word, times in words.items():
        for pair in zip(word, word[1:]):
            counts[pair] += times
    best = max(counts, key=lambda pair: (counts[pair], pair))
    merged = {}
    for word, times in words.items():
        pieces, i = [], 0
        while i < len(word):
            if word[i : i + 2] == best:
                pieces.append(best[0] + best[1])
                i += 2
            else:
                pieces.append(word[i])
                i += 1
        merged[tuple(pieces)] = times
    return best, merged


@wrong("of equally frequent pairs by the joined string, not by the tuples")
def bpe_merge(words):
    counts = Counter()
    for word, times in words.items():
        for pair in zip(word, word[1:]):
            counts[pair] += times
    best = min(counts, key=lambda pair: (-counts[pair], pair[0] + pair[1]))
    merged = {}
    for word, times in words.items():
        pieces, i = [], 0
        while i < len(word):
            if word[i : i + 2] == best:
                pieces.append(best[0] + best[1])
                i += 2
            else:
                pieces.append(word[i])
                i += 1
        merged[tuple(pieces)] = times
    return best, merged


@wrong("only the first place in each word is joined")
def bpe_merge(words):
    counts = Counter()
    for word, times in words.items():
        for pair in zip(word, word[1:]):
            counts[pair] += times
    best = min(counts, key=lambda pair: (-counts[pair], pair))
    merged = {}
    for word, times in words.items():
        pieces, i = [], 0
        while i < len(word):
            if word[i : i + 2] == best and best[0] + best[1] not in pieces:
                pieces.append(best[0] + best[1])
                i += 2
            else:
                pieces.append(word[i])
                i += 1
        merged[tuple(pieces)] = times
    return best, merged


@wrong("joined from right to left")
def bpe_merge(words):
    counts = Counter()
    for word, times in words.items():
        for pair in zip(word, word[1:]):
            counts[pair] += times
    best = min(counts, key=lambda pair: (-counts[pair], pair))
    merged = {}
    for word, times in words.items():
        pieces, i = [], len(word)
        while i > 0:
            if i > 1 and word[i - 2 : i] == best:
                pieces.insert(0, best[0] + best[1])
                i -= 2
            else:
                pieces.insert(0, word[i - 1])
                i -= 1
        merged[tuple(pieces)] = times
    return best, merged


@wrong("goes on one place after a join: the second piece is there once more")
def bpe_merge(words):
    counts = Counter()
    for word, times in words.items():
        for pair in zip(word, word[1:]):
            counts[pair] += times
    best = min(counts, key=lambda pair: (-counts[pair], pair))
    merged = {}
    for word, times in words.items():
        pieces, i = [], 0
        while i < len(word):
            if word[i : i + 2] == best:
                pieces.append(best[0] + best[1])
                i += 1
            else:
                pieces.append(word[i])
                i += 1
        merged[tuple(pieces)] = times
    return best, merged


@wrong("the words without the pair are left out of the new dictionary")
def bpe_merge(words):
    counts = Counter()
    for word, times in words.items():
        for pair in zip(word, word[1:]):
            counts[pair] += times
    best = min(counts, key=lambda pair: (-counts[pair], pair))
    merged = {}
    for word, times in words.items():
        pieces, i = [], 0
        while i < len(word):
            if word[i : i + 2] == best:
                pieces.append(best[0] + best[1])
                i += 2
            else:
                pieces.append(word[i])
                i += 1
        if len(pieces) < len(word):
            merged[tuple(pieces)] = times
    return best, merged


@wrong("the keys of the new dictionary are strings with spaces")
def bpe_merge(words):
    counts = Counter()
    for word, times in words.items():
        for pair in zip(word, word[1:]):
            counts[pair] += times
    best = min(counts, key=lambda pair: (-counts[pair], pair))
    merged = {}
    for word, times in words.items():
        pieces, i = [], 0
        while i < len(word):
            if word[i : i + 2] == best:
                pieces.append(best[0] + best[1])
                i += 2
            else:
                pieces.append(word[i])
                i += 1
        merged[" ".join(pieces)] = times
    return best, merged


@wrong("the pair comes back joined, as one string")
def bpe_merge(words):
    counts = Counter()
    for word, times in words.items():
        for pair in zip(word, word[1:]):
            counts[pair] += times
    best = min(counts, key=lambda pair: (-counts[pair], pair))
    merged = {}
    for word, times in words.items():
        pieces, i = [], 0
        while i < len(word):
            if word[i : i + 2] == best:
                pieces.append(best[0] + best[1])
                i += 2
            else:
                pieces.append(word[i])
                i += 1
        merged[tuple(pieces)] = times
    return best[0] + best[1], merged


@wrong("the rarest pair")
def bpe_merge(words):
    counts = Counter()
    for word, times in words.items():
        for pair in zip(word, word[1:]):
            counts[pair] += times
    best = min(counts, key=lambda pair: (counts[pair], pair))
    merged = {}
    for word, times in words.items():
        pieces, i = [], 0
        while i < len(word):
            if word[i : i + 2] == best:
                pieces.append(best[0] + best[1])
                i += 2
            else:
                pieces.append(word[i])
                i += 1
        merged[tuple(pieces)] = times
    return best, merged


@wrong("all counts become 1")
def bpe_merge(words):
    counts = Counter()
    for word, times in words.items():
        for pair in zip(word, word[1:]):
            counts[pair] += times
    best = min(counts, key=lambda pair: (-counts[pair], pair))
    merged = {}
    for word, times in words.items():
        pieces, i = [], 0
        while i < len(word):
            if word[i : i + 2] == best:
                pieces.append(best[0] + best[1])
                i += 2
            else:
                pieces.append(word[i])
                i += 1
        merged[tuple(pieces)] = 1
    return best, merged


@wrong("a pair is counted once a word, also where it stands there twice")
def bpe_merge(words):
    counts = Counter()
    for word, times in words.items():
        for pair in set(zip(word, word[1:])):
            counts[pair] += times
    best = min(counts, key=lambda pair: (-counts[pair], pair))
    merged = {}
    for word, times in words.items():
        pieces, i = [], 0
        while i < len(word):
            if word[i : i + 2] == best:
                pieces.append(best[0] + best[1])
                i += 2
            else:
                pieces.append(word[i])
                i += 1
        merged[tuple(pieces)] = times
    return best, merged


@wrong("the order of the two pieces does not matter: sorted pairs are counted")
def bpe_merge(words):
    counts = Counter()
    for word, times in words.items():
        for pair in zip(word, word[1:]):
            counts[tuple(sorted(pair))] += times
    best = min(counts, key=lambda pair: (-counts[pair], pair))
    merged = {}
    for word, times in words.items():
        pieces, i = [], 0
        while i < len(word):
            if word[i : i + 2] == best:
                pieces.append(best[0] + best[1])
                i += 2
            else:
                pieces.append(word[i])
                i += 1
        merged[tuple(pieces)] = times
    return best, merged


@wrong("only the most frequent word is joined: the loop's word of before is used")
def bpe_merge(words):
    counts = Counter()
    for word, times in words.items():
        for pair in zip(word, word[1:]):
            counts[pair] += times
    best = min(counts, key=lambda pair: (-counts[pair], pair))
    merged = dict(words)
    for word, times in [max(words.items(), key=lambda item: item[1])]:
        del merged[word]
        pieces, i = [], 0
        while i < len(word):
            if word[i : i + 2] == best:
                pieces.append(best[0] + best[1])
                i += 2
            else:
                pieces.append(word[i])
                i += 1
        merged[tuple(pieces)] = times
    return best, merged


@wrong("a string with spaces and replace: finds the pair inside of longer pieces")
def bpe_merge(words):
    counts = Counter()
    for word, times in words.items():
        for pair in zip(word, word[1:]):
            counts[pair] += times
    best = min(counts, key=lambda pair: (-counts[pair], pair))
    merged = {}
    for word, times in words.items():
        text = " ".join(word).replace(" ".join(best), "".join(best))
        merged[tuple(text.split(" "))] = times
    return best, merged


@wrong("the caller's dictionary is emptied and filled with the new words")
def bpe_merge(words):
    counts = Counter()
    for word, times in words.items():
        for pair in zip(word, word[1:]):
            counts[pair] += times
    best = min(counts, key=lambda pair: (-counts[pair], pair))
    for word in list(words):
        times = words.pop(word)
        pieces = []
        for piece in word:
            if pieces and (pieces[-1], piece) == best:
                pieces[-1] += piece
            else:
                pieces.append(piece)
        words[tuple(pieces)] = times
    return best, words


@right
def bpe_merge(words):
    pairs = {}
    for word, times in words.items():
        for k in range(1, len(word)):
            pair = word[k - 1], word[k]
            pairs[pair] = pairs.get(pair, 0) + times
    most = max(pairs.values())
    best = sorted(pair for pair in pairs if pairs[pair] == most)[0]

    def join(word):
        if len(word) < 2:
            return word
        if word[:2] == best:
            return ("".join(best), *join(word[2:]))
        return (word[0], *join(word[1:]))

    return best, {join(word): times for word, times in words.items()}


@right
def bpe_merge(words):
    counts = Counter()
    for word, times in words.items():
        counts.update({pair: 0 for pair in itertools.pairwise(word)})
        for pair in itertools.pairwise(word):
            counts[pair] += times
    best, _ = sorted(counts.items(), key=lambda item: (-item[1], item[0]))[0]
    merged = {}
    for word, times in words.items():
        pieces, joined = [], False
        for piece in word:
            if pieces and not joined and (pieces[-1], piece) == best:
                pieces[-1] = pieces[-1] + piece
                joined = True
            else:
                pieces.append(piece)
                joined = False
        merged[tuple(pieces)] = times
    return best, merged
