"""Answers to exercise ``scheduled_run``, written from its statement alone."""

import torch
from answering import right, wrong


@wrong("the coins are ignored: always gold")
def scheduled_run(step, state, gold, coins):
    found = []
    for t in range(gold.shape[1]):
        logits, state = step(gold[:, t], state)
        found.append(logits)
    return torch.stack(found, dim=1)


@wrong("the coins are read the wrong way round")
def scheduled_run(step, state, gold, coins):
    tokens, found = gold[:, 0], []
    for t in range(gold.shape[1]):
        if t > 0:
            tokens = torch.where(coins[:, t], found[-1].argmax(-1), gold[:, t])
        logits, state = step(tokens, state)
        found.append(logits)
    return torch.stack(found, dim=1)


@wrong("own words from a run that was fed gold")
def scheduled_run(step, state, gold, coins):
    forced, s = [], state
    for t in range(gold.shape[1]):
        logits, s = step(gold[:, t], s)
        forced.append(logits.argmax(-1))
    found = []
    for t in range(gold.shape[1]):
        tokens = gold[:, t]
        if t > 0:
            tokens = torch.where(coins[:, t], gold[:, t], forced[t - 1])
        logits, state = step(tokens, state)
        found.append(logits)
    return torch.stack(found, dim=1)


@wrong("own words from a run that never saw gold")
def scheduled_run(step, state, gold, coins):
    free, s, tokens = [], state, gold[:, 0]
    for _ in range(gold.shape[1]):
        logits, s = step(tokens, s)
        tokens = logits.argmax(-1)
        free.append(tokens)
    found = []
    for t in range(gold.shape[1]):
        tokens = gold[:, t]
        if t > 0:
            tokens = torch.where(coins[:, t], gold[:, t], free[t - 1])
        logits, state = step(tokens, state)
        found.append(logits)
    return torch.stack(found, dim=1)


@wrong("the start token obeys its coin: with the coin down a 0 is read")
def scheduled_run(step, state, gold, coins):
    own, found = torch.zeros_like(gold[:, 0]), []
    for t in range(gold.shape[1]):
        logits, state = step(torch.where(coins[:, t], gold[:, t], own), state)
        own = logits.argmax(-1)
        found.append(logits)
    return torch.stack(found, dim=1)


@wrong("the coin of the first sentence decides for all")
def scheduled_run(step, state, gold, coins):
    tokens, found = gold[:, 0], []
    for t in range(gold.shape[1]):
        if t > 0:
            tokens = gold[:, t] if coins[0, t] else found[-1].argmax(-1)
        logits, state = step(tokens, state)
        found.append(logits)
    return torch.stack(found, dim=1)


@wrong("the coin of the step before")
def scheduled_run(step, state, gold, coins):
    tokens, found = gold[:, 0], []
    for t in range(gold.shape[1]):
        logits, state = step(tokens, state)
        found.append(logits)
        if t + 1 < gold.shape[1]:
            tokens = torch.where(coins[:, t], gold[:, t + 1], logits.argmax(-1))
    return torch.stack(found, dim=1)


@wrong("reads the gold word of the step before")
def scheduled_run(step, state, gold, coins):
    tokens, found = gold[:, 0], []
    for t in range(gold.shape[1]):
        if t > 0:
            tokens = torch.where(coins[:, t], gold[:, t - 1], found[-1].argmax(-1))
        logits, state = step(tokens, state)
        found.append(logits)
    return torch.stack(found, dim=1)


@wrong("the state is not passed on")
def scheduled_run(step, state, gold, coins):
    tokens, found = gold[:, 0], []
    for t in range(gold.shape[1]):
        if t > 0:
            tokens = torch.where(coins[:, t], gold[:, t], found[-1].argmax(-1))
        found.append(step(tokens, state)[0])
    return torch.stack(found, dim=1)


@wrong("no gradient: the decoder cannot learn from this run")
def scheduled_run(step, state, gold, coins):
    tokens, found = gold[:, 0], []
    with torch.no_grad():
        for t in range(gold.shape[1]):
            if t > 0:
                tokens = torch.where(coins[:, t], gold[:, t], found[-1].argmax(-1))
            logits, state = step(tokens, state)
            found.append(logits)
    return torch.stack(found, dim=1)


@wrong("gold is overwritten with own words")
def scheduled_run(step, state, gold, coins):
    found = []
    for t in range(gold.shape[1]):
        if t > 0:
            gold[:, t] = torch.where(coins[:, t], gold[:, t], found[-1].argmax(-1))
        logits, state = step(gold[:, t], state)
        found.append(logits)
    return torch.stack(found, dim=1)


# Relabelled: the values are right, but no gradient comes back through plain numbers.
@wrong("no gradient comes back through plain numbers")
def scheduled_run(step, state, gold, coins):
    inputs, found = gold.clone(), []
    for t in range(gold.shape[1]):
        logits, state = step(inputs[:, t], state)
        found.append(logits[:, None])
        if t + 1 < gold.shape[1]:
            down = ~coins[:, t + 1]
            inputs[down, t + 1] = logits.argmax(-1)[down]
    return torch.cat(found, dim=1)


@right
def scheduled_run(step, state, gold, coins):
    logits, state = step(gold[:, 0], state)
    found = [logits]
    for words, coin in zip(gold.T[1:], coins.T[1:]):
        own = found[-1].argmax(-1).tolist()
        read = [w if c else o for w, c, o in zip(words.tolist(), coin.tolist(), own)]
        logits, state = step(torch.tensor(read), state)
        found.append(logits)
    return torch.stack(found, dim=1)
