"""Answers to exercise ``draw_word``, as learners write them."""

import torch
from answering import wrong


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
