"""Answers to exercise ``greedy_tokens``, written from its statement alone."""

import math

import torch
from answering import wrong

from attnlib.data import BOS, EOS, PAD


@wrong("the eos is not added to the log-probability")
def greedy_tokens(step, memory, state, max_length):
    last, found, total = BOS, [], 0.0
    for _ in range(max_length):
        log_probs, state, _w = step(torch.tensor([[last]]), memory, state)
        row = log_probs[0, 0].clone()
        row[[PAD, BOS]] = -math.inf
        last = int(row.argmax())
        if last == EOS:
            break
        total += float(row[last])
        found.append(last)
    return found, total


@wrong("the eos stands among the tokens")
def greedy_tokens(step, memory, state, max_length):
    last, found, total = BOS, [], 0.0
    while len(found) < max_length and last != EOS:
        log_probs, state, _w = step(torch.tensor([[last]]), memory, state)
        row = log_probs[0, 0].clone()
        row[[PAD, BOS]] = -math.inf
        last = int(row.argmax())
        total += float(row[last])
        found.append(last)
    return found, total


@wrong("pad and bos may be chosen")
def greedy_tokens(step, memory, state, max_length):
    last, found, total = BOS, [], 0.0
    for _ in range(max_length):
        log_probs, state, _w = step(torch.tensor([[last]]), memory, state)
        row = log_probs[0, 0]
        last = int(row.argmax())
        total += float(row[last])
        if last == EOS:
            break
        found.append(last)
    return found, total


@wrong("the state is not passed on")
def greedy_tokens(step, memory, state, max_length):
    last, found, total = BOS, [], 0.0
    for _ in range(max_length):
        log_probs, _s, _w = step(torch.tensor([[last]]), memory, state)
        row = log_probs[0, 0].clone()
        row[[PAD, BOS]] = -math.inf
        last = int(row.argmax())
        total += float(row[last])
        if last == EOS:
            break
        found.append(last)
    return found, total


@wrong("max_length does not count the eos: one token too many")
def greedy_tokens(step, memory, state, max_length):
    last, found, total = BOS, [], 0.0
    for _ in range(max_length + 1):
        log_probs, state, _w = step(torch.tensor([[last]]), memory, state)
        row = log_probs[0, 0].clone()
        row[[PAD, BOS]] = -math.inf
        last = int(row.argmax())
        total += float(row[last])
        if last == EOS:
            break
        found.append(last)
    return found, total


@wrong("the start token is fed again at every step")
def greedy_tokens(step, memory, state, max_length):
    found, total = [], 0.0
    for _ in range(max_length):
        log_probs, state, _w = step(torch.tensor([[BOS]]), memory, state)
        row = log_probs[0, 0].clone()
        row[[PAD, BOS]] = -math.inf
        last = int(row.argmax())
        total += float(row[last])
        if last == EOS:
            break
        found.append(last)
    return found, total
