"""Answers to exercise ``error_rate``, written from its statement alone."""

import torch
from answering import right, wrong


@wrong("the 1 − is forgotten: a rate of what is right")
def error_rate(found, sure, possible):
    return (len(found & sure) + len(found & possible)) / (len(found) + len(sure))


@wrong("P below the line, not S")
def error_rate(found, sure, possible):
    return 1 - (len(found & sure) + len(found & possible)) / (len(found) + len(possible))


@wrong("possible links that are not sure only: sure ones count once")
def error_rate(found, sure, possible):
    right_ones = len(found & sure) + len(found & (possible - sure))
    return 1 - right_ones / (len(found) + len(sure))


@wrong("divided by the union")
def error_rate(found, sure, possible):
    return 1 - (len(found & sure) + len(found & possible)) / len(found | sure)


@wrong("integer division")
def error_rate(found, sure, possible):
    return 1 - (len(found & sure) + len(found & possible)) // (len(found) + len(sure))


@wrong("one minus precision: missing links cost nothing")
def error_rate(found, sure, possible):
    return 1 - len(found & possible) / len(found)


@wrong("one minus recall of the sure ones")
def error_rate(found, sure, possible):
    return 1 - len(found & sure) / len(sure)


@wrong("twice the sure ones: possible ones are not forgiven")
def error_rate(found, sure, possible):
    return 1 - 2 * len(found & sure) / (len(found) + len(sure))


@wrong("unions where intersections are meant")
def error_rate(found, sure, possible):
    return 1 - (len(found | sure) + len(found | possible)) / (len(found) + len(sure))


@wrong("compares source positions only")
def error_rate(found, sure, possible):
    a, s, p = ({j for j, _ in links} for links in (found, sure, possible))
    return 1 - (len(a & s) + len(a & p)) / (len(a) + len(s))


@wrong("the caller's set of found links is cut down")
def error_rate(found, sure, possible):
    size = len(found) + len(sure)
    good = len(found & possible)
    found &= sure
    return 1 - (len(found) + good) / size


@right
def error_rate(found, sure, possible):
    good = 0
    for link in found:
        if link in sure:
            good += 1
        if link in possible:
            good += 1
    size = len(found) + len(sure)
    return (size - good) / size


@right
def error_rate(found, sure, possible):
    hits = sum((link in sure) + (link in possible) for link in found)
    return 1.0 - hits / (len(sure) + len(found))


@right
def error_rate(found, sure, possible):
    above = torch.tensor([len(found.intersection(sure)), len(found.intersection(possible))])
    below = torch.tensor([len(found), len(sure)])
    return float(1 - above.sum().double() / below.sum().double())
