"""Answers to exercise ``free_running``, as learners write them."""

import torch
from answering import wrong


@wrong("fed the start token again")
def free_running(step, state, first, length):
    out = []
    for t in range(length):
        logits, state = step(first, state)
        out.append(logits)
    return torch.stack(out, 1)


@wrong("new state is thrown away")
def free_running(step, state, first, length):
    out, word = [], first
    for t in range(length):
        logits, new = step(word, state)
        word = logits.max(-1).indices
        out.append(logits)
    return torch.stack(out, 1)


@wrong("The loss needs their logits")
def free_running(step, state, first, length):
    words, word = [], first
    for t in range(length):
        logits, state = step(word, state)
        word = logits.argmax(dim=1)
        words.append(word)
    return torch.stack(words, dim=1)


@wrong("stack the steps along dimension 1")
def free_running(step, state, first, length):
    out, word = [], first
    for t in range(length):
        logits, state = step(word, state)
        word = logits.argmax(dim=1)
        out.append(logits)
    return torch.stack(out)


@wrong("least probable word")
def free_running(step, state, first, length):
    out, word = [], first
    for t in range(length):
        logits, state = step(word, state)
        word = (-logits).argmax(dim=1)
        out.append(logits)
    return torch.stack(out, 1)


@wrong("Feed it what it has just written")
def free_running(step, state, first, length):
    out, word = [], first
    for t in range(length):
        logits, state = step(word, state)
        word = logits.topk(2).indices[:, 1]
        out.append(logits)
    return torch.stack(out, 1)
