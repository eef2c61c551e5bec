"""Answers to exercise ``greedy_tokens``, as learners write them."""

import math

import torch
from answering import wrong

from attnlib.data import BOS, EOS, PAD


@wrong("Every step is given the state of the start")
def greedy_tokens(step, memory, state, max_length):
    tokens, log_prob, last = [], 0.0, 2
    for _ in range(max_length):
        log_probs, _, weights = step(torch.tensor([[last]]), memory, state)
        row = log_probs[0, 0]
        row[0] = row[2] = -math.inf
        last = row.argmax().item()
        log_prob += row[last].item()
        if last == 3:
            break
        tokens.append(last)
    return tokens, log_prob


@wrong("Every step is fed the start token")
def greedy_tokens(step, memory, state, max_length):
    tokens, log_prob, last = [], 0.0, 2
    for _ in range(max_length):
        log_probs, state, weights = step(torch.tensor([[2]]), memory, state)
        row = log_probs[0, 0]
        row[0] = row[2] = -math.inf
        last = row.argmax().item()
        log_prob += row[last].item()
        if last == 3:
            break
        tokens.append(last)
    return tokens, log_prob


@wrong("may not be chosen")
def greedy_tokens(step, memory, state, max_length):
    tokens, log_prob, last = [], 0.0, 2
    for _ in range(max_length):
        log_probs, state, weights = step(torch.tensor([[last]]), memory, state)
        row = log_probs[0, 0]
        last = row.argmax().item()
        log_prob += row[last].item()
        if last == 3:
            break
        tokens.append(last)
    return tokens, log_prob


@wrong("normalized again")
def greedy_tokens(step, memory, state, max_length):
    last, found, total = BOS, [], 0.0
    for _ in range(max_length):
        log_probs, state, _w = step(torch.tensor([[last]]), memory, state)
        row = log_probs[0, 0].clone()
        row[[PAD, BOS]] = -math.inf
        row = row.log_softmax(-1)
        last = int(row.argmax())
        total += float(row[last])
        if last == EOS:
            break
        found.append(last)
    return found, total
