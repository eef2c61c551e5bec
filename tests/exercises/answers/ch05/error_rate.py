"""Answers to exercise ``error_rate``, as learners write them."""

import torch
from answering import right, wrong


@wrong("links that were not found cost nothing")
def error_rate(found, sure, possible):
    wrong = [link for link in found if link not in possible]
    return len(wrong) / len(found)


@wrong("so the rate is 1 − 2 / 3 = 0.3333; 1 is returned")
def error_rate(found, sure, possible):
    return 1 - (len(found & sure) + len(found & possible)) / len(found) + len(sure)


@wrong("counts once here")
def error_rate(found, sure, possible):
    good = [link for link in found if link in sure or link in possible]
    return 1 - len(good) / (len(found) + len(sure))


@right
def error_rate(found, sure, possible):
    hits = sum((link in sure) + (link in possible) for link in found)
    return torch.tensor(1.0 - hits / (len(sure) + len(found)), dtype=torch.float64)


@right
def error_rate(found, sure, possible):
    size = len(found) + len(sure)
    good = len(found.intersection(sure)) + len(found.intersection(possible))
    return torch.tensor([size - good]).numpy()[0] / size


@wrong("so the rate is 1 − 2 / 2 = 0; 0.5 is returned")
def error_rate(found, sure, possible):
    return 1 - len(found & sure) + len(found & possible) / (len(found) + len(sure))
