"""Answers to exercise ``greedy_decode``, as learners write them."""

from answering import wrong


@wrong("Step 2 gives the end, 3, and another step is taken")
def greedy_decode(step, state, bos, eos, max_length):
    tokens, token = [], bos
    for _ in range(max_length):
        logits, state = step(token, state)
        token = int(logits.argmax())
        tokens.append(token)
    return tokens[: tokens.index(eos)] if eos in tokens else tokens


@wrong("max_length is 6, and 7 steps are taken")
def greedy_decode(step, state, bos, eos, max_length):
    tokens = []
    logits, state = step(bos, state)
    while (best := int(logits.argmax())) != eos and len(tokens) < max_length:
        tokens.append(best)
        logits, state = step(best, state)
    return tokens


@wrong("It ends after 2 steps")
def greedy_decode(step, state, bos, eos, max_length):
    tokens = [bos]
    for _ in range(max_length):
        logits, state = step(tokens[-1], state)
        best = int(logits.argmax())
        if best == eos or best in tokens:
            break
        tokens.append(best)
    return tokens[1:]


@wrong("The largest logits of the steps are those of")
def greedy_decode(step, state, bos, eos, max_length):
    tokens, token = [], bos
    for _ in range(max_length):
        logits, state = step(token, state)
        token = int(logits.argmax())
        if token == eos:
            break
        tokens.insert(0, token)
    return tokens
