"""Answers to exercise ``unknown_rate``, written from its statement alone."""

from collections import Counter

from answering import right, wrong


@wrong("different words are counted, not occurrences")
def unknown_rate(train, test, min_count=1):
    counts = Counter(w for s in train for w in s)
    words = {w for s in test for w in s}
    return sum(counts[w] < min_count for w in words) / len(words)


@wrong("<= instead of <")
def unknown_rate(train, test, min_count=1):
    counts = Counter(w for s in train for w in s)
    words = [w for s in test for w in s]
    return sum(counts[w] <= min_count for w in words) / len(words)


@wrong("min_count is ignored")
def unknown_rate(train, test, min_count=1):
    known = {w for s in train for w in s}
    words = [w for s in test for w in s]
    return sum(w not in known for w in words) / len(words)


@wrong("the share of the known")
def unknown_rate(train, test, min_count=1):
    counts = Counter(w for s in train for w in s)
    words = [w for s in test for w in s]
    return sum(counts[w] >= min_count for w in words) / len(words)


@wrong("the mean of the sentences' shares")
def unknown_rate(train, test, min_count=1):
    counts = Counter(w for s in train for w in s)
    shares = [sum(counts[w] < min_count for w in s) / len(s) for s in test if s]
    return sum(shares) / len(shares)


@wrong("a word is counted once a sentence of train")
def unknown_rate(train, test, min_count=1):
    counts = Counter()
    for s in train:
        counts.update(set(s))
    words = [w for s in test for w in s]
    return len([w for w in words if counts[w] < min_count]) / len(words)


@wrong("lower-cases the words")
def unknown_rate(train, test, min_count=1):
    counts = Counter(w.lower() for s in train for w in s)
    words = [w.lower() for s in test for w in s]
    return sum(counts[w] < min_count for w in words) / len(words)


@wrong("the share of sentences that hold an unknown word")
def unknown_rate(train, test, min_count=1):
    counts = Counter(w for s in train for w in s)
    return sum(any(counts[w] < min_count for w in s) for s in test) / len(test)


@wrong("divided by the number of training words")
def unknown_rate(train, test, min_count=1):
    counts = Counter(w for s in train for w in s)
    unknown = sum(counts[w] < min_count for s in test for w in s)
    return unknown / sum(counts.values())


@right
def unknown_rate(train, test, min_count=1):
    counts = {}
    for sentence in train:
        for word in sentence:
            counts[word] = counts.get(word, 0) + 1
    known = {word for word, count in counts.items() if count >= min_count}
    unknown = total = 0
    for sentence in test:
        for word in sentence:
            total += 1
            if word not in known:
                unknown += 1
    return unknown / total


@right
def unknown_rate(train, test, min_count=1):
    seen = sum(train, [])
    words = sum(test, [])
    return 1 - sum(seen.count(word) >= min_count for word in words) / len(words)
