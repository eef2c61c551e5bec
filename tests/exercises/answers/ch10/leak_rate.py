"""Answers to exercise ``leak_rate``, as learners write them."""

from answering import wrong


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


@wrong("Are repetitions lost")
def leak_rate(train, test):
    return len(set(train) & set(test)) / len(test)


@wrong("Are repetitions lost")
def leak_rate(train, test):
    both = set(train).intersection(test)
    return len(both) / len(set(test))


@wrong("only found inside one")
def leak_rate(train, test):
    return sum(any(s in t for t in train) for s in test) / len(test)


@wrong("one minus what is asked")
def leak_rate(train, test):
    new = [s for s in test if s not in set(train)]
    return len(new) / len(test)
