"""Answers to exercise ``free_running``, written from its statement alone."""

import torch
from answering import right, wrong


@wrong("the new state is thrown away")
def free_running(step, state, first, length):
    tokens, found = first, []
    for _ in range(length):
        logits, _ = step(tokens, state)
        found.append(logits)
        tokens = logits.argmax(-1)
    return torch.stack(found, dim=1)


@wrong("one step too few: the start token counts as a step")
def free_running(step, state, first, length):
    tokens, found = first, []
    for _ in range(length - 1):
        logits, state = step(tokens, state)
        found.append(logits)
        tokens = logits.argmax(-1)
    return torch.stack(found, dim=1)


@wrong("stacked along the first dimension: (length, B, V)")
def free_running(step, state, first, length):
    tokens, found = first, []
    for _ in range(length):
        logits, state = step(tokens, state)
        found.append(logits)
        tokens = logits.argmax(-1)
    return torch.stack(found)


@wrong("returns log-probabilities")
def free_running(step, state, first, length):
    tokens, found = first, []
    for _ in range(length):
        logits, state = step(tokens, state)
        logits = logits.log_softmax(-1)
        found.append(logits)
        tokens = logits.argmax(-1)
    return torch.stack(found, dim=1)


@wrong("the next word is drawn, not the most probable")
def free_running(step, state, first, length):
    tokens, found = first, []
    for _ in range(length):
        logits, state = step(tokens, state)
        found.append(logits)
        tokens = torch.multinomial(logits.softmax(-1), 1).squeeze(1)
    return torch.stack(found, dim=1)


@wrong("everybody reads the first sentence's word")
def free_running(step, state, first, length):
    tokens, found = first, []
    for _ in range(length):
        logits, state = step(tokens, state)
        found.append(logits)
        tokens = torch.full_like(first, logits[0].argmax().item())
    return torch.stack(found, dim=1)


@right
def free_running(step, state, first, length):
    def go(tokens, state, left):
        if left == 0:
            return []
        logits, state = step(tokens, state)
        best = torch.tensor([row.tolist().index(max(row.tolist())) for row in logits])
        return [logits] + go(best, state, left - 1)

    return torch.stack(go(first, state, length), dim=1)


@right
def free_running(step, state, first, length):
    logits, state = step(first, state)
    out = logits.unsqueeze(1)
    while out.shape[1] < length:
        logits, state = step(out[:, -1].max(dim=-1)[1], state)
        out = torch.cat([out, logits[:, None]], dim=1)
    return out
