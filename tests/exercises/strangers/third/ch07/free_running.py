import torch
from answering import right, wrong


@wrong("every step reads the start token")
def free_running(step, state, first, length):
    logits = []
    for _ in range(length):
        out, state = step(first, state)
        logits.append(out)
    return torch.stack(logits, dim=1)


@wrong("the state is not carried")
def free_running(step, state, first, length):
    tokens, logits = first, []
    for _ in range(length):
        out, _ = step(tokens, state)
        logits.append(out)
        tokens = out.argmax(-1)
    return torch.stack(logits, dim=1)


@wrong("steps before sentences: (length, B, V)")
def free_running(step, state, first, length):
    tokens, logits = first, []
    for _ in range(length):
        out, state = step(tokens, state)
        logits.append(out)
        tokens = out.argmax(-1)
    return torch.stack(logits)


@wrong("the tokens are returned, not the logits")
def free_running(step, state, first, length):
    tokens, written = first, []
    for _ in range(length):
        out, state = step(tokens, state)
        tokens = out.argmax(-1)
        written.append(tokens)
    return torch.stack(written, dim=1)


@wrong("the argmax runs over the sentences")
def free_running(step, state, first, length):
    tokens, logits = first, []
    for _ in range(length):
        out, state = step(tokens, state)
        logits.append(out)
        tokens = out.argmax(0)[: len(first)]
    return torch.stack(logits, dim=1)


@wrong("one step too few")
def free_running(step, state, first, length):
    tokens, logits = first, []
    for _ in range(length - 1):
        out, state = step(tokens, state)
        logits.append(out)
        tokens = out.argmax(-1)
    return torch.stack(logits, dim=1)


@wrong("probabilities in place of logits")
def free_running(step, state, first, length):
    tokens, logits = first, []
    for _ in range(length):
        out, state = step(tokens, state)
        logits.append(out.softmax(-1))
        tokens = out.argmax(-1)
    return torch.stack(logits, dim=1)


@wrong("the first logits are left out and one step more is taken at the end")
def free_running(step, state, first, length):
    out, state = step(first, state)
    logits = []
    for _ in range(length):
        out, state = step(out.argmax(-1), state)
        logits.append(out)
    return torch.stack(logits, dim=1)


@wrong("the logits are joined side by side: (B, length · V)")
def free_running(step, state, first, length):
    tokens, logits = first, []
    for _ in range(length):
        out, state = step(tokens, state)
        logits.append(out)
        tokens = out.argmax(-1)
    return torch.cat(logits, dim=1)


@wrong("draws the next word instead of taking the most probable one")
def free_running(step, state, first, length):
    tokens, logits = first, []
    for _ in range(length):
        out, state = step(tokens, state)
        logits.append(out)
        tokens = torch.multinomial(out.softmax(-1), 1).squeeze(1)
    return torch.stack(logits, dim=1)


@wrong("the least probable word goes on")
def free_running(step, state, first, length):
    tokens, logits = first, []
    for _ in range(length):
        out, state = step(tokens, state)
        logits.append(out)
        tokens = out.argmin(-1)
    return torch.stack(logits, dim=1)


@right
def free_running(step, state, first, length):
    out, after = step(first, state)
    head = out.unsqueeze(1)
    if length == 1:
        return head
    return torch.cat([head, free_running(step, after, out.max(-1).indices, length - 1)], dim=1)


@right
def free_running(step, state, first, length):
    found = []
    tokens = first
    while len(found) < length:
        out, state = step(tokens, state)
        tokens = torch.topk(out, 1, dim=-1).indices[:, 0]
        found += [out[:, None]]
    return torch.cat(found, dim=1)
