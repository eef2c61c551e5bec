"""Answers to exercise ``leak_rate``, written from its statement alone."""

from collections import Counter

from answering import right, wrong


@wrong("divided by the size of the training split")
def leak_rate(train, test):
    known = set(train)
    return sum(s in known for s in test) / len(train)


@wrong("repeated test sentences count once")
def leak_rate(train, test):
    return len(set(train) & set(test)) / len(set(test))


@wrong("distinct sentences over all test sentences")
def leak_rate(train, test):
    return len(set(train) & set(test)) / len(test)


@wrong("upper and lower case and outer spaces make no difference")
def leak_rate(train, test):
    known = {s.strip().lower() for s in train}
    return sum(s.strip().lower() in known for s in test) / len(test)


@wrong("a test sentence that is a part of a training sentence counts")
def leak_rate(train, test):
    return sum(any(s in t for t in train) for s in test) / len(test)


@wrong("the share of what was not seen")
def leak_rate(train, test):
    known = set(train)
    return sum(s not in known for s in test) / len(test)


@wrong("counts how often the training split holds them")
def leak_rate(train, test):
    wanted = set(test)
    return sum(s in wanted for s in train) / len(test)


@right
def leak_rate(train, test):
    n = 0
    for sentence in test:
        if sentence in train:
            n += 1
    return n / len(test)


@right
def leak_rate(train, test):
    known = set(train)
    return sum(n for s, n in Counter(test).items() if s in known) / len(test)
