import math

import torch
from answering import right, wrong

from attnlib.data import BOS, EOS, PAD


@wrong("the eos is not counted in the sum: it looks before it adds")
def greedy_tokens(step, memory, state, max_length):
    last, tokens, total = BOS, [], 0.0
    for _ in range(max_length):
        log_probs, state, _ = step(torch.tensor([[last]]), memory, state)
        row = log_probs[0, 0].clone()
        row[PAD] = row[BOS] = -math.inf
        last = int(row.argmax())
        if last == EOS:
            break
        total += float(row[last])
        tokens.append(last)
    return tokens, total


@wrong("the eos stands in the list")
def greedy_tokens(step, memory, state, max_length):
    last, tokens, total = BOS, [], 0.0
    for _ in range(max_length):
        log_probs, state, _ = step(torch.tensor([[last]]), memory, state)
        row = log_probs[0, 0].clone()
        row[PAD] = row[BOS] = -math.inf
        last = int(row.argmax())
        total += float(row[last])
        tokens.append(last)
        if last == EOS:
            break
    return tokens, total


@wrong("writes −∞ into what the model returned")
def greedy_tokens(step, memory, state, max_length):
    last, tokens, total = BOS, [], 0.0
    for _ in range(max_length):
        log_probs, state, _ = step(torch.tensor([[last]]), memory, state)
        row = log_probs[0, 0]
        row[PAD] = row[BOS] = -math.inf
        last = int(row.argmax())
        total += float(row[last])
        if last == EOS:
            break
        tokens.append(last)
    return tokens, total


@wrong("the start token may be chosen: only PAD is forbidden")
def greedy_tokens(step, memory, state, max_length):
    last, tokens, total = BOS, [], 0.0
    for _ in range(max_length):
        log_probs, state, _ = step(torch.tensor([[last]]), memory, state)
        row = log_probs[0, 0].clone()
        row[PAD] = -math.inf
        last = int(row.argmax())
        total += float(row[last])
        if last == EOS:
            break
        tokens.append(last)
    return tokens, total


@wrong("PAD may be chosen")
def greedy_tokens(step, memory, state, max_length):
    last, tokens, total = BOS, [], 0.0
    for _ in range(max_length):
        log_probs, state, _ = step(torch.tensor([[last]]), memory, state)
        row = log_probs[0, 0].clone()
        row[BOS] = -math.inf
        last = int(row.argmax())
        total += float(row[last])
        if last == EOS:
            break
        tokens.append(last)
    return tokens, total


@wrong("always fed BOS")
def greedy_tokens(step, memory, state, max_length):
    last, tokens, total = BOS, [], 0.0
    for _ in range(max_length):
        log_probs, state, _ = step(torch.tensor([[BOS]]), memory, state)
        row = log_probs[0, 0].clone()
        row[PAD] = row[BOS] = -math.inf
        last = int(row.argmax())
        total += float(row[last])
        if last == EOS:
            break
        tokens.append(last)
    return tokens, total


@wrong("the state of the beginning at every step")
def greedy_tokens(step, memory, state, max_length):
    last, tokens, total = BOS, [], 0.0
    for _ in range(max_length):
        log_probs, _, _ = step(torch.tensor([[last]]), memory, state)
        row = log_probs[0, 0].clone()
        row[PAD] = row[BOS] = -math.inf
        last = int(row.argmax())
        total += float(row[last])
        if last == EOS:
            break
        tokens.append(last)
    return tokens, total


@wrong("a product of probabilities instead of the sum of their logarithms")
def greedy_tokens(step, memory, state, max_length):
    last, tokens, total = BOS, [], 1.0
    for _ in range(max_length):
        log_probs, state, _ = step(torch.tensor([[last]]), memory, state)
        row = log_probs[0, 0].clone()
        row[PAD] = row[BOS] = -math.inf
        last = int(row.argmax())
        total *= math.exp(float(row[last]))
        if last == EOS:
            break
        tokens.append(last)
    return tokens, total


@wrong("the mean per token is returned")
def greedy_tokens(step, memory, state, max_length):
    last, tokens, total = BOS, [], 0.0
    for _ in range(max_length):
        log_probs, state, _ = step(torch.tensor([[last]]), memory, state)
        row = log_probs[0, 0].clone()
        row[PAD] = row[BOS] = -math.inf
        last = int(row.argmax())
        total += float(row[last])
        if last == EOS:
            break
        tokens.append(last)
    return tokens, total / (len(tokens) + 1)


@wrong("one token more than max_length")
def greedy_tokens(step, memory, state, max_length):
    last, tokens, total = BOS, [], 0.0
    for _ in range(max_length + 1):
        log_probs, state, _ = step(torch.tensor([[last]]), memory, state)
        row = log_probs[0, 0].clone()
        row[PAD] = row[BOS] = -math.inf
        last = int(row.argmax())
        total += float(row[last])
        if last == EOS:
            break
        tokens.append(last)
    return tokens, total


@wrong("eos is forbidden too, so it never stops")
def greedy_tokens(step, memory, state, max_length):
    last, tokens, total = BOS, [], 0.0
    for _ in range(max_length):
        log_probs, state, _ = step(torch.tensor([[last]]), memory, state)
        row = log_probs[0, 0].clone()
        row[PAD] = row[BOS] = row[EOS] = -math.inf
        last = int(row.argmax())
        total += float(row[last])
        if last == EOS:
            break
        tokens.append(last)
    return tokens, total


@wrong("forbidden tokens get 0, which is the largest log-probability there is")
def greedy_tokens(step, memory, state, max_length):
    last, tokens, total = BOS, [], 0.0
    for _ in range(max_length):
        log_probs, state, _ = step(torch.tensor([[last]]), memory, state)
        row = log_probs[0, 0].clone()
        row[PAD] = row[BOS] = 0.0
        last = int(row.argmax())
        total += float(row[last])
        if last == EOS:
            break
        tokens.append(last)
    return tokens, total


@wrong("renormalized after the two are forbidden")
def greedy_tokens(step, memory, state, max_length):
    last, tokens, total = BOS, [], 0.0
    for _ in range(max_length):
        log_probs, state, _ = step(torch.tensor([[last]]), memory, state)
        row = log_probs[0, 0].clone()
        row[PAD] = row[BOS] = -math.inf
        row = row.log_softmax(-1)
        last = int(row.argmax())
        total += float(row[last])
        if last == EOS:
            break
        tokens.append(last)
    return tokens, total


@wrong("stops at 0, the number of PAD, instead of at EOS")
def greedy_tokens(step, memory, state, max_length):
    last, tokens, total = BOS, [], 0.0
    for _ in range(max_length):
        log_probs, state, _ = step(torch.tensor([[last]]), memory, state)
        row = log_probs[0, 0].clone()
        row[PAD] = row[BOS] = -math.inf
        last = int(row.argmax())
        total += float(row[last])
        if last == PAD:
            break
        tokens.append(last)
    return tokens, total


@right
def greedy_tokens(step, memory, state, max_length):
    if max_length == 0:
        return [], 0.0

    def go(last, state, left):
        log_probs, after, _ = step(torch.tensor([[last]]), memory, state)
        gains = dict(enumerate(log_probs[0, 0].tolist()))
        allowed = [v for v in gains if v not in (PAD, BOS)]
        token = max(allowed, key=gains.get)
        if token == EOS:
            return [], gains[token]
        if left == 1:
            return [token], gains[token]
        rest, total = go(token, after, left - 1)
        return [token, *rest], gains[token] + total

    return go(BOS, state, max_length)


@right
def greedy_tokens(step, memory, state, max_length):
    written, gains = [BOS], []
    while len(gains) < max_length and written[-1] != EOS:
        out, state, _ = step(torch.tensor(written[-1:]).view(1, 1), memory, state)
        forbidden = torch.zeros_like(out[0, 0], dtype=torch.bool)
        forbidden[[PAD, BOS]] = True
        gain, token = out[0, 0].masked_fill(forbidden, -torch.inf).max(0)
        gains.append(gain.item())
        written.append(token.item())
    return [token for token in written[1:] if token != EOS], math.fsum(gains)
