"""Answers to exercise ``draw_word``, as learners write them."""

import torch
from answering import wrong


@wrong("then a high one sharpens")
def draw_word(logits, temperature, chance):
    p = torch.softmax(logits * temperature, dim=0)
    return int((torch.cumsum(p, 0) <= chance).sum())


@wrong("That is not a draw")
def draw_word(logits, temperature, chance):
    return torch.softmax(logits / temperature, 0).argmax().item()


@wrong("where an int is expected")
def draw_word(logits, temperature, chance):
    p = (logits / temperature).softmax(0)
    return torch.multinomial(p, 1)


@wrong("Called twenty times with the same arguments it draws the tokens [0, 1].")
def draw_word(logits, temperature, chance):
    return int(torch.multinomial((logits / temperature).softmax(0), 1))
