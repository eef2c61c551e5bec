"""Answers to exercise ``draw_word``, written from its statement alone."""

import math

import torch
from answering import right, wrong
from torch.nn import functional as F


@wrong("multiplies by the temperature")
def draw_word(logits, temperature, chance):
    ends = (logits * temperature).softmax(0).cumsum(0)
    return int((ends <= chance).sum())


@wrong("the temperature is left out")
def draw_word(logits, temperature, chance):
    ends = logits.softmax(0).cumsum(0)
    return int((ends <= chance).sum())


@wrong("the temperature divides the probabilities, after the softmax")
def draw_word(logits, temperature, chance):
    ends = (logits.softmax(0) / temperature).cumsum(0)
    return min(int((ends <= chance).sum()), len(logits) - 1)


@wrong("a piece's end belongs to the piece before it")
def draw_word(logits, temperature, chance):
    ends = (logits / temperature).softmax(0).cumsum(0)
    return int((ends < chance).sum())


# Right: a number in a tensor is brought to an int by the judge.
@right
def draw_word(logits, temperature, chance):
    ends = (logits / temperature).softmax(0).cumsum(0)
    return (ends <= chance).sum()


@wrong("always the most probable word")
def draw_word(logits, temperature, chance):
    return int((logits / temperature).softmax(0).argmax())


@wrong("counts the pieces that come later")
def draw_word(logits, temperature, chance):
    ends = (logits / temperature).softmax(0).cumsum(0)
    return int((ends > chance).sum())


@wrong("lays the probable words first")
def draw_word(logits, temperature, chance):
    p, order = (logits / temperature).softmax(0).sort(descending=True)
    return int(order[(p.cumsum(0) <= chance).sum()])


@wrong("throws its own dice and ignores the chance")
def draw_word(logits, temperature, chance):
    return int(torch.multinomial((logits / temperature).softmax(0), 1))


@wrong("compares with single probabilities, not with the ends of the pieces")
def draw_word(logits, temperature, chance):
    p = (logits / temperature).softmax(0)
    return min(int((p <= chance).sum()), len(logits) - 1)


@wrong("words counted from 1")
def draw_word(logits, temperature, chance):
    ends = (logits / temperature).softmax(0).cumsum(0)
    return int((ends <= chance).sum()) + 1


@wrong("every word gets an equal piece")
def draw_word(logits, temperature, chance):
    return int(chance * len(logits))


@wrong("powers of the probabilities that no longer sum to one")
def draw_word(logits, temperature, chance):
    ends = (logits.softmax(0) ** (1 / temperature)).cumsum(0)
    return min(int((ends <= chance).sum()), len(logits) - 1)


@wrong("exponentials overflow: very cold or very large logits give the wrong word")
def draw_word(logits, temperature, chance):
    e = torch.exp(logits / temperature)
    ends = (e / e.sum()).cumsum(0)
    return int((ends <= chance).sum())


@right
def draw_word(logits, temperature, chance):
    top = float(logits.max())
    sizes = [math.exp((float(one) - top) / temperature) for one in logits]
    left = chance * sum(sizes)
    for number, size in enumerate(sizes):
        left -= size
        if left < 0:
            return number
    return len(sizes) - 1


@right
def draw_word(logits, temperature, chance):
    p = F.softmax(logits / temperature, dim=-1)
    end = 0.0
    word = 0
    for word in range(len(p)):
        end += p[word].item()
        if chance < end:
            break
    return word


@right
def draw_word(logits, temperature, chance):
    ends = torch.softmax(logits / temperature, 0).cumsum(0)
    place = torch.tensor(chance, dtype=ends.dtype)
    found = torch.searchsorted(ends, place, right=True)
    return min(found.item(), len(logits) - 1)
