"""Answers to exercise ``error_rate``, written from its statement alone."""

from answering import right, wrong


@wrong("possible without the sure ones: a sure link counts once only")
def error_rate(found, sure, possible):
    hits = len(found & sure) + len(found & (possible - sure))
    return 1 - hits / (len(found) + len(sure))


@wrong("the share of found links that are not possible: 1 - precision")
def error_rate(found, sure, possible):
    return len(found - possible) / len(found)


@right
def error_rate(found, sure, possible):
    hits = 0
    for link in found:
        hits += link in sure
        hits += link in possible
    total = len(found) + len(sure)
    return (total - hits) / total


@right
def error_rate(found, sure, possible):
    def common(a, b):
        return len([x for x in a if x in b])

    return 1.0 - (common(found, sure) + common(found, possible)) / (len(found) + len(sure))
