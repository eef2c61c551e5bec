"""Answers to exercise ``error_rate``, as learners write them."""

from answering import wrong


@wrong("An error rate is 1 minus it")
def error_rate(found, sure, possible):
    hits = len(found & sure) + len(found & possible)
    return hits / (len(found) + len(sure))


@wrong("possible links are not used")
def error_rate(found, sure, possible):
    f1 = 2 * len(found & sure) / (len(found) + len(sure))
    return 1 - f1


@wrong("Every possible link is demanded")
def error_rate(found, sure, possible):
    hits = len(found & sure) + len(found & possible)
    return 1 - hits / (len(found) + len(possible))


@wrong("links that were not found cost nothing")
def error_rate(found, sure, possible):
    wrong = [link for link in found if link not in possible]
    return len(wrong) / len(found)


@wrong("links that are wrong cost nothing")
def error_rate(found, sure, possible):
    missing = [link for link in sure if link not in found]
    return len(missing) / len(sure)
