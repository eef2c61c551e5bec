"""Answers to exercise ``leak_rate``, as learners write them."""

from collections import Counter

from answering import right, wrong


@wrong("number of leaked sentences")
def leak_rate(train, test):
    count = 0
    for sentence in test:
        if sentence in train:
            count += 1
    return float(count)


@wrong("divided by the size of the training split")
def leak_rate(train, test):
    return len([s for s in test if s in train]) / len(train)


@wrong("lost above the line")
def leak_rate(train, test):
    return len(set(train) & set(test)) / len(test)


@wrong("above the line and below it")
def leak_rate(train, test):
    both = set(train).intersection(test)
    return len(both) / len(set(test))


@wrong("only found inside another one")
def leak_rate(train, test):
    return sum(any(s in t for t in train) for s in test) / len(test)


@wrong("one minus what is asked")
def leak_rate(train, test):
    new = [s for s in test if s not in set(train)]
    return len(new) / len(test)


@wrong("Capitals and spaces")
def leak_rate(train, test):
    known = {s.strip().lower() for s in train}
    return sum(s.strip().lower() in known for s in test) / len(test)


@wrong("sentences of *training*")
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


@wrong("in percent")
def leak_rate(train, test):
    return 100 * sum(s in train for s in test) / len(test)


@wrong("cut to a whole number")
def leak_rate(train, test):
    return sum(s in train for s in test) // len(test)
