"""Answers to exercise ``greedy_tokens``, as learners write them."""

import math

import torch
from answering import right, wrong


@right
def greedy_tokens(step, memory, state, max_length):
    tokens, log_prob, last = [], 0.0, 2
    for _ in range(max_length):
        log_probs, state, weights = step(torch.tensor([[last]]), memory, state)
        row = log_probs[0, 0]
        row[0] = row[2] = -math.inf
        last = row.argmax().item()
        log_prob += row[last].item()
        if last == 3:
            break
        tokens.append(last)
    return tokens, log_prob


@wrong("This is the probability")
def greedy_tokens(step, memory, state, max_length):
    tokens, log_prob, last = [], 0.0, 2
    for _ in range(max_length):
        log_probs, state, weights = step(torch.tensor([[last]]), memory, state)
        row = log_probs[0, 0]
        row[0] = row[2] = -math.inf
        last = row.argmax().item()
        log_prob += row[last].item()
        if last == 3:
            break
        tokens.append(last)
    return tokens, math.exp(log_prob)


@wrong("wrong sign")
def greedy_tokens(step, memory, state, max_length):
    tokens, log_prob, last = [], 0.0, 2
    for _ in range(max_length):
        log_probs, state, weights = step(torch.tensor([[last]]), memory, state)
        row = log_probs[0, 0]
        row[0] = row[2] = -math.inf
        last = row.argmax().item()
        log_prob += row[last].item()
        if last == 3:
            break
        tokens.append(last)
    return tokens, -log_prob


@wrong("The eos is among the tokens")
def greedy_tokens(step, memory, state, max_length):
    tokens, log_prob, last = [], 0.0, 2
    for _ in range(max_length):
        log_probs, state, weights = step(torch.tensor([[last]]), memory, state)
        row = log_probs[0, 0]
        row[0] = row[2] = -math.inf
        last = row.argmax().item()
        log_prob += row[last].item()
        tokens.append(last)
        if last == 3:
            break
    return tokens, log_prob


@wrong("eos is missing from the sum")
def greedy_tokens(step, memory, state, max_length):
    tokens, log_prob, last = [], 0.0, 2
    for _ in range(max_length):
        log_probs, state, weights = step(torch.tensor([[last]]), memory, state)
        row = log_probs[0, 0]
        row[0] = row[2] = -math.inf
        last = row.argmax().item()
        if last == 3:
            break
        log_prob += row[last].item()
        tokens.append(last)
    return tokens, log_prob


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


@wrong("largest absolute value")
def greedy_tokens(step, memory, state, max_length):
    tokens, log_prob, last = [], 0.0, 2
    for _ in range(max_length):
        log_probs, state, weights = step(torch.tensor([[last]]), memory, state)
        row = log_probs[0, 0]
        row[0] = row[2] = -math.inf
        last = row.masked_fill(row < -1e9, 0).abs().argmax().item()
        log_prob += row[last].item()
        if last == 3:
            break
        tokens.append(last)
    return tokens, log_prob


@wrong("One token too many")
def greedy_tokens(step, memory, state, max_length):
    tokens, log_prob, last = [], 0.0, 2
    for _ in range(max_length + 1):
        log_probs, state, weights = step(torch.tensor([[last]]), memory, state)
        row = log_probs[0, 0]
        row[0] = row[2] = -math.inf
        last = row.argmax().item()
        log_prob += row[last].item()
        if last == 3:
            break
        tokens.append(last)
    return tokens, log_prob
