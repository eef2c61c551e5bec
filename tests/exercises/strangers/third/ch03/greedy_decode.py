import itertools

import torch
from answering import right, wrong


@wrong("the eos is kept in the list")
def greedy_decode(step, state, bos, eos, max_length):
    token, written = bos, []
    for _ in range(max_length):
        logits, state = step(token, state)
        token = int(logits.argmax())
        written.append(token)
        if token == eos:
            break
    return written


@wrong("bos is the first of the list")
def greedy_decode(step, state, bos, eos, max_length):
    written = [bos]
    for _ in range(max_length):
        logits, state = step(written[-1], state)
        token = int(logits.argmax())
        if token == eos:
            break
        written.append(token)
    return written


@wrong("every step reads bos: the token written last is not fed back")
def greedy_decode(step, state, bos, eos, max_length):
    written = []
    for _ in range(max_length):
        logits, state = step(bos, state)
        token = int(logits.argmax())
        if token == eos:
            break
        written.append(token)
    return written


@wrong("the state is not carried: each step starts from the first one")
def greedy_decode(step, state, bos, eos, max_length):
    token, written = bos, []
    for _ in range(max_length):
        logits, _ = step(token, state)
        token = int(logits.argmax())
        if token == eos:
            break
        written.append(token)
    return written


@wrong("max_length − 1 tokens at most")
def greedy_decode(step, state, bos, eos, max_length):
    token, written = bos, []
    for _ in range(1, max_length):
        logits, state = step(token, state)
        token = int(logits.argmax())
        if token == eos:
            break
        written.append(token)
    return written


@wrong("no limit: goes on until eos, however long")
def greedy_decode(step, state, bos, eos, max_length):
    token, written = bos, []
    while True:
        logits, state = step(token, state)
        token = int(logits.argmax())
        if token == eos or len(written) > 10 * max_length:
            return written
        written.append(token)


# Relabelled: brought to numbers, as every result is brought to the kind of the book's.
@right
def greedy_decode(step, state, bos, eos, max_length):
    token, written = bos, []
    for _ in range(max_length):
        logits, state = step(token, state)
        token = logits.argmax()
        if token == eos:
            break
        written.append(token)
    return written


@wrong("all steps are taken and the list is cut at eos afterwards: steps after the end")
def greedy_decode(step, state, bos, eos, max_length):
    token, written = bos, []
    for _ in range(max_length):
        logits, state = step(token, state)
        token = int(logits.argmax())
        written.append(token)
    return written[: written.index(eos)] if eos in written else written


@wrong("the eos is skipped, not obeyed: the loop goes on")
def greedy_decode(step, state, bos, eos, max_length):
    token, written = bos, []
    for _ in range(max_length):
        logits, state = step(token, state)
        token = int(logits.argmax())
        if token != eos:
            written.append(token)
    return written


@wrong("a random draw by probability in place of the largest logit")
def greedy_decode(step, state, bos, eos, max_length):
    token, written = bos, []
    for _ in range(max_length):
        logits, state = step(token, state)
        token = int(torch.multinomial(logits.softmax(-1), 1))
        if token == eos:
            break
        written.append(token)
    return written


@right
def greedy_decode(step, state, bos, eos, max_length):
    if max_length == 0:
        return []
    logits, after = step(bos, state)
    token = max(range(len(logits)), key=lambda v: float(logits[v]))
    if token == eos:
        return []
    return [token, *greedy_decode(step, after, token, eos, max_length - 1)]


@right
def greedy_decode(step, state, bos, eos, max_length):
    def tokens():
        last, carried = bos, state
        while True:
            logits, carried = step(last, carried)
            last = logits.topk(1).indices.item()
            if last == eos:
                return
            yield last

    return list(itertools.islice(tokens(), max_length))
