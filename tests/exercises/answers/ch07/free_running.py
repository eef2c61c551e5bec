"""Answers to exercise ``free_running``, as learners write them."""

import torch
from answering import wrong


@wrong("At step 2 the decoder was fed [2]")
def free_running(step, state, first, length):
    out = []
    for t in range(length):
        logits, state = step(first, state)
        out.append(logits)
    return torch.stack(out, 1)


@wrong("stack the steps along dimension 1")
def free_running(step, state, first, length):
    out, word = [], first
    for t in range(length):
        logits, state = step(word, state)
        word = logits.argmax(dim=1)
        out.append(logits)
    return torch.stack(out)


@wrong("It should be what step 1 gave back")
def free_running(step, state, first, length):
    out, word = [], first
    for t in range(length):
        logits, new = step(word, state)
        state = state + 0.5 * (new - state)
        out.append(logits)
        word = logits.argmax(-1)
    return torch.stack(out, 1)


@wrong("Along dimension 1 there is one too few")
def free_running(step, state, first, length):
    out, word = [], first
    for _ in range(1, length):
        logits, state = step(word, state)
        word = logits.argmax(-1)
        out.append(logits)
    return torch.stack(out, 1)
