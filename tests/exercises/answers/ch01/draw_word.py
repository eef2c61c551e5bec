"""Answers to exercise ``draw_word``, as learners write them."""

import torch
from answering import wrong


@wrong("where an int is expected")
def draw_word(logits, temperature, chance):
    p = (logits / temperature).softmax(0)
    return torch.multinomial(p, 1)
