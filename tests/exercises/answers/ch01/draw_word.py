"""Answers to exercise ``draw_word``, as learners write them."""

import math

import torch
from answering import right, wrong
from torch.nn import functional as F


@wrong("then a high one sharpens")
def draw_word(logits, temperature, chance):
    p = torch.softmax(logits * temperature, dim=0)
    return int((torch.cumsum(p, 0) <= chance).sum())


@wrong("The temperature is not used")
def draw_word(logits, temperature, chance):
    p = torch.softmax(logits, dim=0).tolist()
    total = 0.0
    for word, share in enumerate(p):
        total += share
        if chance < total:
            return word
    return len(p) - 1


@wrong("The temperature divides the probabilities")
def draw_word(logits, temperature, chance):
    p = logits.softmax(0) / temperature
    return int((p.cumsum(0) <= chance).sum())


@wrong("That is not a draw")
def draw_word(logits, temperature, chance):
    return torch.softmax(logits / temperature, 0).argmax().item()


@wrong("no probabilities before the softmax")
def draw_word(logits, temperature, chance):
    ends = torch.cumsum(logits / temperature, 0)
    return int((ends <= chance).sum())


@wrong("One too far")
def draw_word(logits, temperature, chance):
    ends = (logits / temperature).softmax(0).cumsum(0)
    return int((ends <= chance).sum()) + 1


@wrong("in the order of their size")
def draw_word(logits, temperature, chance):
    p, order = (logits / temperature).softmax(0).sort(descending=True)
    return order[int((p.cumsum(0) <= chance).sum())].item()


@wrong("where an int is expected")
def draw_word(logits, temperature, chance):
    p = (logits / temperature).softmax(0)
    return torch.multinomial(p, 1)


@wrong("The temperature divides the probabilities.")
def draw_word(logits, temperature, chance):
    ends = (logits.softmax(0) / temperature).cumsum(0)
    return min(int((ends <= chance).sum()), len(logits) - 1)


@wrong("A chance that lies exactly on an end belongs to the next piece:")
def draw_word(logits, temperature, chance):
    ends = (logits / temperature).softmax(0).cumsum(0)
    return int((ends < chance).sum())


@right
def draw_word(logits, temperature, chance):
    ends = (logits / temperature).softmax(0).cumsum(0)
    return (ends <= chance).sum()


@wrong("This counts the pieces that end *after* the chance.")
def draw_word(logits, temperature, chance):
    ends = (logits / temperature).softmax(0).cumsum(0)
    return int((ends > chance).sum())


@wrong("Called twenty times with the same arguments it draws the tokens [0, 1].")
def draw_word(logits, temperature, chance):
    return int(torch.multinomial((logits / temperature).softmax(0), 1))


@wrong("The chance is compared with the probabilities themselves.")
def draw_word(logits, temperature, chance):
    p = (logits / temperature).softmax(0)
    return min(int((p <= chance).sum()), len(logits) - 1)


@wrong("Every token gets a piece of the same size.")
def draw_word(logits, temperature, chance):
    return int(chance * len(logits))


@wrong("The probabilities are raised to 1/temperature, but they no longer sum")
def draw_word(logits, temperature, chance):
    ends = (logits.softmax(0) ** (1 / temperature)).cumsum(0)
    return min(int((ends <= chance).sum()), len(logits) - 1)


@wrong("Large logits overflow:")
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
