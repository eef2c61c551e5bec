"""Answers to exercise ``unknown_rate``, written from its statement alone."""

from collections import Counter

from answering import right, wrong


@wrong("each word of the test counts once")
def unknown_rate(train, test, min_count=1):
    counts = Counter(w for s in train for w in s)
    words = {w for s in test for w in s}
    return sum(counts[w] < min_count for w in words) / len(words)


@wrong("a word that occurs exactly min_count times counts as unknown")
def unknown_rate(train, test, min_count=1):
    counts = Counter(w for s in train for w in s)
    words = [w for s in test for w in s]
    return sum(counts[w] <= min_count for w in words) / len(words)


@wrong("min_count is ignored")
def unknown_rate(train, test, min_count=1):
    known = {w for s in train for w in s}
    words = [w for s in test for w in s]
    return sum(w not in known for w in words) / len(words)


@wrong("the share of known words")
def unknown_rate(train, test, min_count=1):
    counts = Counter(w for s in train for w in s)
    words = [w for s in test for w in s]
    return sum(counts[w] >= min_count for w in words) / len(words)


@wrong("the mean of the sentences' shares")
def unknown_rate(train, test, min_count=1):
    counts = Counter(w for s in train for w in s)
    return sum(sum(counts[w] < min_count for w in s) / len(s) for s in test) / len(test)


@wrong("counts sentences that hold the word, not occurrences")
def unknown_rate(train, test, min_count=1):
    counts = Counter(w for s in train for w in set(s))
    words = [w for s in test for w in s]
    return sum(counts[w] < min_count for w in words) / len(words)


@wrong("divided by the number of sentences")
def unknown_rate(train, test, min_count=1):
    counts = Counter(w for s in train for w in s)
    return sum(counts[w] < min_count for s in test for w in s) / len(test)


@right
def unknown_rate(train, test, min_count=1):
    flat = sum(train, [])
    words = sum(test, [])
    return len([w for w in words if flat.count(w) < min_count]) / len(words)


@right
def unknown_rate(train, test, min_count=1):
    counts, unknown, total = {}, 0, 0
    for sentence in train:
        for word in sentence:
            counts[word] = counts.get(word, 0) + 1
    for sentence in test:
        for word in sentence:
            total += 1
            unknown += counts.get(word, 0) < min_count
    return unknown / total
