"""Answers to exercise ``unknown_rate``, as learners write them."""

from collections import Counter

from answering import right, wrong


@wrong("list of different words")
def unknown_rate(train, test, min_count=1):
    counts = Counter(w for s in train for w in s)
    types = set(w for s in test for w in s)
    return len([w for w in types if counts[w] < min_count]) / len(types)


@wrong("test split are counted, too")
def unknown_rate(train, test, min_count=1):
    counts = Counter(w for s in train + test for w in s)
    words = [w for s in test for w in s]
    return sum(counts[w] < min_count for w in words) / len(words)


@wrong("mean of the sentences' rates")
def unknown_rate(train, test, min_count=1):
    counts = Counter(w for s in train for w in s)
    rates = [sum(counts[w] < min_count for w in s) / len(s) for s in test]
    return sum(rates) / len(rates)


@wrong("min_count has no effect")
def unknown_rate(train, test, min_count=1):
    known = {w for s in train for w in s}
    words = [w for s in test for w in s]
    return sum(w not in known for w in words) / len(words)


@wrong("Off by one")
def unknown_rate(train, test, min_count=1):
    counts = Counter(w for s in train for w in s)
    words = [w for s in test for w in s]
    return sum(counts[w] <= min_count for w in words) / len(words)


@wrong("share of known words")
def unknown_rate(train, test, min_count=1):
    counts = Counter(w for s in train for w in s)
    words = [w for s in test for w in s]
    return sum(counts[w] >= min_count for w in words) / len(words)


@wrong("once for each sentence")
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
