"""Answers to exercise ``scheduled_run``, as learners write them."""

import torch
from answering import wrong


@wrong("The coin of another step")
def scheduled_run(step, state, gold, coins):
    out, word = [], gold[:, 0]
    for t in range(gold.shape[1]):
        logits, state = step(word, state)
        out.append(logits)
        if t + 1 < gold.shape[1]:
            word = torch.where(coins[:, t], gold[:, t + 1], logits.argmax(-1))
    return torch.stack(out, 1)


@wrong("one step late")
def scheduled_run(step, state, gold, coins):
    out, word = [], gold[:, 0]
    for t in range(gold.shape[1]):
        logits, state = step(word, state)
        out.append(logits)
        if t + 1 < gold.shape[1]:
            word = torch.where(coins[:, t + 1], gold[:, t], logits.argmax(-1))
    return torch.stack(out, 1)


@wrong("a single coin")
def scheduled_run(step, state, gold, coins):
    out, word = [], gold[:, 0]
    for t in range(gold.shape[1]):
        if t:
            word = torch.where(coins[:, 0], gold[:, t], out[-1].argmax(-1))
        logits, state = step(word, state)
        out.append(logits)
    return torch.stack(out, 1)


@wrong("come from a run that was fed gold")
def scheduled_run(step, state, gold, coins):
    start, guesses = state, [gold[:, 0]]
    for t in range(gold.shape[1]):
        logits, state = step(gold[:, t], state)
        guesses.append(logits.argmax(-1))
    out, state = [], start
    for t in range(gold.shape[1]):
        word = torch.where(coins[:, t], gold[:, t], guesses[t])
        logits, state = step(word, state)
        out.append(logits)
    return torch.stack(out, 1)


@wrong("True means gold")
def scheduled_run(step, state, gold, coins):
    out, word = [], gold[:, 0]
    for t in range(gold.shape[1]):
        if t:
            word = torch.where(coins[:, t], out[-1].argmax(-1), gold[:, t])
        logits, state = step(word, state)
        out.append(logits)
    return torch.stack(out, 1)


@wrong("plain teacher forcing")
def scheduled_run(step, state, gold, coins):
    out = []
    for word in gold.unbind(1):
        logits, state = step(word, state)
        out.append(logits)
    return torch.stack(out, 1)


@wrong("always reads its own word")
def scheduled_run(step, state, gold, coins):
    out, word = [], gold[:, 0]
    for t in range(gold.shape[1]):
        logits, state = step(word, state)
        word = logits.argmax(-1)
        out.append(logits)
    return torch.stack(out, 1)
