"""Answers to exercise ``unknown_rate``, as learners write them."""

from answering import wrong


@wrong("list of different words")
def unknown_rate(train, test, min_count=1):
    from collections import Counter

    counts = Counter(w for s in train for w in s)
    types = set(w for s in test for w in s)
    return len([w for w in types if counts[w] < min_count]) / len(types)


@wrong("which split is counted")
def unknown_rate(train, test, min_count=1):
    from collections import Counter

    counts = Counter(w for s in train + test for w in s)
    words = [w for s in test for w in s]
    return sum(counts[w] < min_count for w in words) / len(words)


@wrong("mean of the sentences' rates")
def unknown_rate(train, test, min_count=1):
    from collections import Counter

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
    from collections import Counter

    counts = Counter(w for s in train for w in s)
    words = [w for s in test for w in s]
    return sum(counts[w] <= min_count for w in words) / len(words)


@wrong("share of known words")
def unknown_rate(train, test, min_count=1):
    from collections import Counter

    counts = Counter(w for s in train for w in s)
    words = [w for s in test for w in s]
    return sum(counts[w] >= min_count for w in words) / len(words)
