"""Answers to exercise ``greedy_tokens``, written from its statement alone."""

import torch
from answering import right, wrong

from attnlib.data import BOS, EOS, PAD


@wrong("PAD and BOS may be chosen")
def greedy_tokens(step, memory, state, max_length):
    last, tokens, total = BOS, [], 0.0
    for _ in range(max_length):
        log_probs, state, _ = step(torch.tensor([[last]]), memory, state)
        last = int(log_probs[0, 0].argmax())
        total += float(log_probs[0, 0, last])
        if last == EOS:
            break
        tokens.append(last)
    return tokens, total


@wrong("the eos's log-probability is not counted")
def greedy_tokens(step, memory, state, max_length):
    last, tokens, total = BOS, [], 0.0
    for _ in range(max_length):
        log_probs, state, _ = step(torch.tensor([[last]]), memory, state)
        row = log_probs[0, 0].clone()
        row[[PAD, BOS]] = -torch.inf
        last = int(row.argmax())
        if last == EOS:
            break
        tokens.append(last)
        total += float(row[last])
    return tokens, total


@wrong("the eos stays in the list")
def greedy_tokens(step, memory, state, max_length):
    last, tokens, total = BOS, [], 0.0
    for _ in range(max_length):
        log_probs, state, _ = step(torch.tensor([[last]]), memory, state)
        row = log_probs[0, 0].clone()
        row[PAD] = row[BOS] = -torch.inf
        last = int(row.argmax())
        total += float(row[last])
        tokens.append(last)
        if last == EOS:
            break
    return tokens, total


@wrong("the step is always fed the start token")
def greedy_tokens(step, memory, state, max_length):
    tokens, total = [], 0.0
    start = torch.tensor([[BOS]])
    while len(tokens) < max_length:
        log_probs, state, _ = step(start, memory, state)
        row = log_probs[0, 0].clone()
        row[PAD] = row[BOS] = -torch.inf
        best = int(row.argmax())
        total += float(row[best])
        if best == EOS:
            break
        tokens.append(best)
    return tokens, total


@wrong("the model's log-probabilities are overwritten in place")
def greedy_tokens(step, memory, state, max_length):
    last, tokens, total = BOS, [], 0.0
    for _ in range(max_length):
        log_probs, state, _ = step(torch.tensor([[last]]), memory, state)
        row = log_probs[0, 0]
        row[PAD] = -torch.inf
        row[BOS] = -torch.inf
        last = int(row.argmax())
        total += float(row[last])
        if last == EOS:
            break
        tokens.append(last)
    return tokens, total


@wrong("eos is not counted in max_length: one round too many")
def greedy_tokens(step, memory, state, max_length):
    last, tokens, total = BOS, [], 0.0
    while len(tokens) <= max_length:
        log_probs, state, _ = step(torch.tensor([[last]]), memory, state)
        row = log_probs[0, 0].clone()
        row[PAD] = row[BOS] = -torch.inf
        last = int(row.argmax())
        total += float(row[last])
        if last == EOS:
            break
        tokens.append(last)
    return tokens[:max_length], total


@wrong("the old state is fed again")
def greedy_tokens(step, memory, state, max_length):
    last, tokens, total = BOS, [], 0.0
    for _ in range(max_length):
        log_probs, new, _ = step(torch.tensor([[last]]), memory, state)
        row = log_probs[0, 0].clone()
        row[PAD] = row[BOS] = -torch.inf
        last = int(row.argmax())
        total += float(row[last])
        if last == EOS:
            break
        tokens.append(last)
    return tokens, total


@wrong("the probabilities are normalised again without pad and bos")
def greedy_tokens(step, memory, state, max_length):
    last, tokens, total = BOS, [], 0.0
    for _ in range(max_length):
        log_probs, state, _ = step(torch.tensor([[last]]), memory, state)
        row = log_probs[0, 0].clone()
        row[PAD] = row[BOS] = -torch.inf
        row = row.log_softmax(-1)
        last = int(row.argmax())
        total += float(row[last])
        if last == EOS:
            break
        tokens.append(last)
    return tokens, total


@right
def greedy_tokens(step, memory, state, max_length):
    chosen, scores = [], []
    last = BOS
    while last != EOS and len(chosen) < max_length:
        log_probs, state, _ = step(torch.tensor([[last]]), memory, state)
        row = log_probs[0, 0].tolist()
        candidates = [token for token in range(len(row)) if token not in (PAD, BOS)]
        last = max(candidates, key=lambda token: row[token])
        chosen.append(last)
        scores.append(row[last])
    if chosen and chosen[-1] == EOS:
        chosen.pop()
    return chosen, sum(scores)


@right
def greedy_tokens(step, memory, state, max_length):
    def go(last, state, left):
        if left == 0:
            return [], torch.tensor(0.0)
        log_probs, state, _ = step(torch.full((1, 1), last), memory, state)
        forbidden = torch.zeros(log_probs.shape[-1], dtype=torch.bool)
        forbidden[PAD] = forbidden[BOS] = True
        value, place = log_probs[0, 0].masked_fill(forbidden, -1e30).max(-1)
        if place == EOS:
            return [], value
        rest, more = go(place.item(), state, left - 1)
        return [place.item(), *rest], value + more

    return go(BOS, state, max_length)
