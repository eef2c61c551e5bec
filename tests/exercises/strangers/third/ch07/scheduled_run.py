import torch
from answering import right, wrong


@wrong("the start token obeys its coin: the first step may read something else")
def scheduled_run(step, state, gold, coins):
    own, logits = torch.zeros_like(gold[:, 0]), []
    for t in range(gold.shape[1]):
        tokens = torch.where(coins[:, t], gold[:, t], own)
        out, state = step(tokens, state)
        logits.append(out)
        own = out.argmax(-1)
    return torch.stack(logits, dim=1)


@wrong("the coin is turned round: True reads its own word")
def scheduled_run(step, state, gold, coins):
    logits = []
    for t in range(gold.shape[1]):
        tokens = gold[:, t]
        if t:
            tokens = torch.where(coins[:, t], logits[-1].argmax(-1), gold[:, t])
        out, state = step(tokens, state)
        logits.append(out)
    return torch.stack(logits, dim=1)


@wrong("its own words come from a run that was fed gold")
def scheduled_run(step, state, gold, coins):
    first, s = [], state
    for t in range(gold.shape[1]):
        out, s = step(gold[:, t], s)
        first.append(out.argmax(-1))
    logits = []
    for t in range(gold.shape[1]):
        tokens = gold[:, t] if t == 0 else torch.where(coins[:, t], gold[:, t], first[t - 1])
        out, state = step(tokens, state)
        logits.append(out)
    return torch.stack(logits, dim=1)


@wrong("its own words come from a free run made beforehand")
def scheduled_run(step, state, gold, coins):
    tokens, s, free = gold[:, 0], state, []
    for _ in range(gold.shape[1]):
        out, s = step(tokens, s)
        tokens = out.argmax(-1)
        free.append(tokens)
    logits = []
    for t in range(gold.shape[1]):
        tokens = gold[:, t] if t == 0 else torch.where(coins[:, t], gold[:, t], free[t - 1])
        out, state = step(tokens, state)
        logits.append(out)
    return torch.stack(logits, dim=1)


@wrong("the coin of the step before is looked at")
def scheduled_run(step, state, gold, coins):
    logits = []
    for t in range(gold.shape[1]):
        tokens = gold[:, t]
        if t:
            tokens = torch.where(coins[:, t - 1], gold[:, t], logits[-1].argmax(-1))
        out, state = step(tokens, state)
        logits.append(out)
    return torch.stack(logits, dim=1)


@wrong("one coin decides for all sentences: that of the first")
def scheduled_run(step, state, gold, coins):
    logits = []
    for t in range(gold.shape[1]):
        tokens = gold[:, t] if t == 0 or coins[0, t] else logits[-1].argmax(-1)
        out, state = step(tokens, state)
        logits.append(out)
    return torch.stack(logits, dim=1)


@wrong("the logits are detached: a loss on them trains nothing")
def scheduled_run(step, state, gold, coins):
    logits = []
    for t in range(gold.shape[1]):
        tokens = gold[:, t]
        if t:
            tokens = torch.where(coins[:, t], gold[:, t], logits[-1].argmax(-1))
        out, state = step(tokens, state)
        logits.append(out.detach())
    return torch.stack(logits, dim=1)


@wrong("the gold word before is read: shifted by one")
def scheduled_run(step, state, gold, coins):
    logits = []
    for t in range(gold.shape[1]):
        tokens = gold[:, t]
        if t:
            tokens = torch.where(coins[:, t], gold[:, t - 1], logits[-1].argmax(-1))
        out, state = step(tokens, state)
        logits.append(out)
    return torch.stack(logits, dim=1)


@wrong("once a coin has fallen to own it stays with own words to the end")
def scheduled_run(step, state, gold, coins):
    logits = []
    still = torch.ones_like(coins[:, 0])
    for t in range(gold.shape[1]):
        tokens = gold[:, t]
        if t:
            still = still & coins[:, t]
            tokens = torch.where(still, gold[:, t], logits[-1].argmax(-1))
        out, state = step(tokens, state)
        logits.append(out)
    return torch.stack(logits, dim=1)


@wrong("own is updated only where it was read: an old word of its own comes back later")
def scheduled_run(step, state, gold, coins):
    logits = []
    own = None
    for t in range(gold.shape[1]):
        tokens = gold[:, t]
        if t:
            own = (
                logits[-1].argmax(-1)
                if own is None
                else torch.where(coins[:, t - 1], own, logits[-1].argmax(-1))
            )
            tokens = torch.where(coins[:, t], gold[:, t], own)
        out, state = step(tokens, state)
        logits.append(out)
    return torch.stack(logits, dim=1)


@right
def scheduled_run(step, state, gold, coins):
    B, T = gold.shape
    tokens, logits = gold[:, 0].clone(), []
    for t in range(T):
        out, state = step(tokens, state)
        logits.append(out)
        if t + 1 < T:
            said = out.argmax(dim=1).tolist()
            nxt = [int(gold[b, t + 1]) if bool(coins[b, t + 1]) else said[b] for b in range(B)]
            tokens = torch.tensor(nxt, dtype=gold.dtype)
    return torch.stack(logits, 1)


@right
def scheduled_run(step, state, gold, coins):
    out, state = step(gold[:, 0], state)
    logits = [out]
    for word, up in zip(gold.T[1:], coins.T[1:]):
        tokens = logits[-1].max(dim=-1).indices
        tokens[up] = word[up]
        out, state = step(tokens, state)
        logits.append(out)
    return torch.stack(logits, dim=1)
