"""Answers to exercise ``greedy_tokens``, written from its statement alone."""

import math

import torch
from answering import right, wrong

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


@wrong("writes −∞ into the model's own log-probabilities")
def greedy_tokens(step, memory, state, max_length):
    last, found, total = BOS, [], 0.0
    for _ in range(max_length):
        log_probs, state, _w = step(torch.tensor([[last]]), memory, state)
        row = log_probs[0, 0]
        row[PAD] = row[BOS] = -math.inf
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


@wrong("the unknown word, 1, is ruled out as well")
def greedy_tokens(step, memory, state, max_length):
    last, found, total = BOS, [], 0.0
    for _ in range(max_length):
        log_probs, state, _w = step(torch.tensor([[last]]), memory, state)
        row = log_probs[0, 0].clone()
        row[:EOS] = -math.inf
        last = int(row.argmax())
        total += float(row[last])
        if last == EOS:
            break
        found.append(last)
    return found, total


@wrong("after ruling out, the rest is normalised again")
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


@right
def greedy_tokens(step, memory, state, max_length):
    def rest(last, state, left):
        if left == 0:
            return [], 0.0
        log_probs, state, _ = step(torch.tensor([[last]]), memory, state)
        row = log_probs.flatten().tolist()
        token = max((i for i in range(len(row)) if i not in (PAD, BOS)), key=row.__getitem__)
        if token == EOS:
            return [], row[token]
        tokens, total = rest(token, state, left - 1)
        return [token] + tokens, row[token] + total

    return rest(BOS, state, max_length)


@right
def greedy_tokens(step, memory, state, max_length):
    tokens, chosen = torch.tensor([[BOS]]), []
    total = torch.zeros(())
    while len(chosen) < max_length:
        log_probs, state, _ = step(tokens, memory, state)
        forbidden = torch.zeros(log_probs.shape[-1], dtype=torch.bool)
        forbidden[[PAD, BOS]] = True
        value, tokens = log_probs.masked_fill(forbidden, -math.inf).max(dim=-1)
        total = total + value.squeeze()
        chosen.append(tokens.item())
        if chosen[-1] == EOS:
            chosen.pop()
            break
    return chosen, total.item()
