"""Answers to exercise ``draw_word``, written from its statement alone."""

import torch
from answering import right, wrong


@wrong("multiplies by the temperature")
def draw_word(logits, temperature, chance):
    ends = (logits * temperature).softmax(0).cumsum(0)
    return int((ends <= chance).sum())


@wrong("the temperature is left out")
def draw_word(logits, temperature, chance):
    ends = logits.softmax(0).cumsum(0)
    return int((ends <= chance).sum())


@wrong("always the most probable word")
def draw_word(logits, temperature, chance):
    return int((logits / temperature).softmax(0).argmax())


@wrong("lays the probable words first")
def draw_word(logits, temperature, chance):
    p, order = (logits / temperature).softmax(0).sort(descending=True)
    return int(order[(p.cumsum(0) <= chance).sum()])


@right
def draw_word(logits, temperature, chance):
    ends = torch.softmax(logits / temperature, 0).cumsum(0)
    place = torch.tensor(chance, dtype=ends.dtype)
    found = torch.searchsorted(ends, place, right=True)
    return min(found.item(), len(logits) - 1)
