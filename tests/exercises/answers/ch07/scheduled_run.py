"""Answers to exercise ``scheduled_run``, as learners write them."""

import torch
from answering import wrong


@wrong("the coin of sentence 0 is False: it reads the most probable word")
def scheduled_run(step, state, gold, coins):
    out, word = [], gold[:, 0]
    for t in range(gold.shape[1]):
        logits, state = step(word, state)
        out.append(logits)
        if t + 1 < gold.shape[1]:
            word = torch.where(coins[:, t], gold[:, t + 1], logits.argmax(-1))
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


@wrong("it reads the most probable word of step")
def scheduled_run(step, state, gold, coins):
    out, word = [], gold[:, 0]
    for t in range(gold.shape[1]):
        if t:
            word = torch.where(coins[:, t], gold[:, t], out[-1].topk(3).indices[:, 2])
        logits, state = step(word, state)
        out.append(logits)
    return torch.stack(out, 1)


@wrong("written into after it was used")
def scheduled_run(step, state, gold, coins):
    read, out = gold.clone(), []
    for t in range(gold.shape[1]):
        logits, state = step(read[:, t], state)
        out.append(logits[:, None].double())
        if t + 1 < gold.shape[1]:
            down = ~coins[:, t + 1]
            read[down, t + 1] = logits.argmax(-1)[down]
    return torch.cat(out, dim=1)
