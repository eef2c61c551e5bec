"""Answers to exercise ``greedy_decode``, as learners write them."""

import torch
from answering import wrong


@wrong("EOS is part of the result")
def greedy_decode(step, state, bos, eos, max_length):
    tokens, token = [], bos
    while len(tokens) < max_length:
        logits, state = step(token, state)
        token = logits.argmax().item()
        tokens.append(token)
        if token == eos:
            break
    return tokens


@wrong("It never stops at EOS")
def greedy_decode(step, state, bos, eos, max_length):
    tokens, token = [], bos
    for _ in range(max_length):
        logits, state = step(token, state)
        token = int(logits.argmax())
        tokens.append(token)
    return tokens


@wrong("Does it stop at the end")
def greedy_decode(step, state, bos, eos, max_length):
    tokens, token = [], bos
    for _ in range(max_length):
        logits, state = step(token, state)
        token = int(logits.argmax())
        tokens.append(token)
    return tokens[: tokens.index(eos)] if eos in tokens else tokens


@wrong("Every step starts from the first state")
def greedy_decode(step, state, bos, eos, max_length):
    tokens, token = [], bos
    for _ in range(max_length):
        logits, _ = step(token, state)
        token = int(logits.argmax())
        if token == eos:
            return tokens
        tokens.append(token)
    return tokens


@wrong("Every step is fed the start token")
def greedy_decode(step, state, bos, eos, max_length):
    tokens = []
    for _ in range(max_length):
        logits, state = step(bos, state)
        best = int(torch.softmax(logits, 0).argmax())
        if best == eos:
            break
        tokens.append(best)
    return tokens


@wrong("BOS is part of the result")
def greedy_decode(step, state, bos, eos, max_length):
    tokens = [bos]
    while len(tokens) <= max_length:
        logits, state = step(tokens[-1], state)
        best = int(logits.argmax())
        if best == eos:
            break
        tokens.append(best)
    return tokens


@wrong("does a loop never end")
def greedy_decode(step, state, bos, eos, max_length):
    token, tokens = bos, []
    while True:
        logits, state = step(token, state)
        token = int(logits.argmax())
        if token == eos:
            return tokens
        tokens.append(token)
