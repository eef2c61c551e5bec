"""Answers to exercise ``free_running``, written from its statement alone."""

import torch
from answering import right, wrong


@wrong("the state is not passed on")
def free_running(step, state, first, length):
    tokens, found = first, []
    for _ in range(length):
        logits, _new = step(tokens, state)
        tokens = logits.argmax(-1)
        found.append(logits)
    return torch.stack(found, dim=1)


@wrong("the start token is read at every step")
def free_running(step, state, first, length):
    found = []
    for _ in range(length):
        logits, state = step(first, state)
        found.append(logits)
    return torch.stack(found, dim=1)


@wrong("the words come back, not the logits")
def free_running(step, state, first, length):
    tokens, found = first, []
    for _ in range(length):
        logits, state = step(tokens, state)
        tokens = logits.argmax(-1)
        found.append(tokens)
    return torch.stack(found, dim=1)


@wrong("stacked at the wrong dimension: (length, B, V)")
def free_running(step, state, first, length):
    tokens, found = first, []
    for _ in range(length):
        logits, state = step(tokens, state)
        tokens = logits.argmax(-1)
        found.append(logits)
    return torch.stack(found)


@wrong("probabilities instead of logits")
def free_running(step, state, first, length):
    tokens, found = first, []
    for _ in range(length):
        logits, state = step(tokens, state)
        probs = logits.softmax(-1)
        tokens = probs.argmax(-1)
        found.append(probs)
    return torch.stack(found, dim=1)


@wrong("one step too few: the first step is not counted among the results")
def free_running(step, state, first, length):
    logits, state = step(first, state)
    found = []
    for _ in range(length):
        logits, state = step(logits.argmax(-1), state)
        found.append(logits)
    return torch.stack(found, dim=1)


@wrong("the next word is drawn instead of taking the most probable")
def free_running(step, state, first, length):
    tokens, found = first, []
    for _ in range(length):
        logits, state = step(tokens, state)
        tokens = torch.multinomial(logits.softmax(-1), 1).squeeze(1)
        found.append(logits)
    return torch.stack(found, dim=1)


@wrong("the word of the first sentence is fed to all")
def free_running(step, state, first, length):
    tokens, found = first, []
    for _ in range(length):
        logits, state = step(tokens, state)
        tokens = logits[0].argmax().expand(first.shape[0])
        found.append(logits)
    return torch.stack(found, dim=1)


@wrong("joined side by side: (B, length · V)")
def free_running(step, state, first, length):
    tokens, found = first, []
    for _ in range(length):
        logits, state = step(tokens, state)
        tokens = logits.argmax(-1)
        found.append(logits)
    return torch.cat(found, dim=1)


@wrong("stops as soon as every sentence has written the end token, 3")
def free_running(step, state, first, length):
    tokens, found = first, []
    for _ in range(length):
        logits, state = step(tokens, state)
        found.append(logits)
        tokens = logits.argmax(-1)
        if (tokens == 3).all():
            break
    return torch.stack(found, dim=1)


@right
def free_running(step, state, first, length):
    if length == 0:
        return torch.zeros(len(first), 0, 1)
    logits, state = step(first, state)
    result = [logits.unsqueeze(1)]
    while len(result) < length:
        logits, state = step(logits.max(dim=1).indices, state)
        result.append(logits.unsqueeze(1))
    return torch.cat(result, dim=1)


@right
def free_running(step, state, first, length):
    def rest(tokens, state, n):
        if n == 0:
            return []
        logits, state = step(tokens, state)
        return [logits, *rest(logits.softmax(-1).argmax(dim=1), state, n - 1)]

    return torch.stack(rest(first, state, length)).transpose(0, 1)
