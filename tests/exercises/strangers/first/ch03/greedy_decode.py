"""Answers to exercise ``greedy_decode``, written from its statement alone."""

import itertools

import torch
from answering import right, wrong


@wrong("eos is in the answer")
def greedy_decode(step, state, bos, eos, max_length):
    tokens, token = [], bos
    for _ in range(max_length):
        logits, state = step(token, state)
        token = int(logits.argmax())
        tokens.append(token)
        if token == eos:
            break
    return tokens


@wrong("bos is in the answer")
def greedy_decode(step, state, bos, eos, max_length):
    tokens = [bos]
    for _ in range(max_length):
        logits, state = step(tokens[-1], state)
        token = int(logits.argmax())
        if token == eos:
            break
        tokens.append(token)
    return tokens


@wrong("always fed bos: its own words do not come back")
def greedy_decode(step, state, bos, eos, max_length):
    tokens = []
    for _ in range(max_length):
        logits, state = step(bos, state)
        token = int(logits.argmax())
        if token == eos:
            break
        tokens.append(token)
    return tokens


@wrong("the state is not carried on")
def greedy_decode(step, state, bos, eos, max_length):
    tokens, token = [], bos
    for _ in range(max_length):
        logits, _new = step(token, state)
        token = int(logits.argmax())
        if token == eos:
            break
        tokens.append(token)
    return tokens


@wrong("goes on after eos: continue in place of break")
def greedy_decode(step, state, bos, eos, max_length):
    tokens, token = [], bos
    for _ in range(max_length):
        logits, state = step(token, state)
        token = int(logits.argmax())
        if token == eos:
            continue
        tokens.append(token)
    return tokens


@wrong("one token too few at the limit")
def greedy_decode(step, state, bos, eos, max_length):
    tokens, token = [], bos
    for _ in range(1, max_length):
        logits, state = step(token, state)
        token = int(logits.argmax())
        if token == eos:
            break
        tokens.append(token)
    return tokens


@wrong("one token too many at the limit")
def greedy_decode(step, state, bos, eos, max_length):
    tokens, token = [], bos
    while len(tokens) <= max_length:
        logits, state = step(token, state)
        token = int(logits.argmax())
        if token == eos:
            break
        tokens.append(token)
    return tokens


@wrong("a step ahead: one is taken after the last word that fits")
def greedy_decode(step, state, bos, eos, max_length):
    tokens = []
    logits, state = step(bos, state)
    while int(logits.argmax()) != eos and len(tokens) < max_length:
        tokens.append(int(logits.argmax()))
        logits, state = step(tokens[-1], state)
    return tokens


@right  # was wrong("tensors of one number in the list"): they are the same token numbers
def greedy_decode(step, state, bos, eos, max_length):
    tokens, token = [], bos
    for _ in range(max_length):
        logits, state = step(token, state)
        token = logits.argmax()
        if token == eos:
            break
        tokens.append(token)
    return tokens


@wrong("throws a die instead of taking the largest")
def greedy_decode(step, state, bos, eos, max_length):
    tokens, token = [], bos
    for _ in range(max_length):
        logits, state = step(token, state)
        token = int(torch.multinomial((logits / 10).softmax(-1), 1))
        if token == eos:
            break
        tokens.append(token)
    return tokens


@wrong("stops when a token comes twice in a row")
def greedy_decode(step, state, bos, eos, max_length):
    tokens, token = [], bos
    for _ in range(max_length):
        logits, state = step(token, state)
        new = int(logits.argmax())
        if new == eos or new == token:
            break
        tokens.append(new)
        token = new
    return tokens


@right
def greedy_decode(step, state, bos, eos, max_length):
    if max_length == 0:
        return []
    logits, state = step(bos, state)
    best = torch.argmax(logits).item()
    if best == eos:
        return []
    return [best] + greedy_rest(step, state, best, eos, max_length - 1)


def greedy_rest(step, state, token, eos, left):
    """The rest of the sentence after a token."""
    tokens = []
    while left > 0:
        logits, state = step(token, state)
        token = max(range(len(logits)), key=lambda n: float(logits[n]))
        if token == eos:
            return tokens
        tokens.append(token)
        left -= 1
    return tokens


@right
def greedy_decode(step, state, bos, eos, max_length):
    written = [bos]
    while len(written) - 1 < max_length:
        scores, state = step(written[-1], state)
        scores = scores.log_softmax(0)
        written.append(scores.topk(1).indices.item())
        if written[-1] == eos:
            written.pop()
            break
    return written[1:]


@right
def greedy_decode(step, state, bos, eos, max_length):
    def words():
        token, now = bos, state
        while True:
            logits, now = step(token, now)
            token = int(logits.argmax(dim=-1))
            if token == eos:
                return
            yield token

    return list(itertools.islice(words(), max_length))
