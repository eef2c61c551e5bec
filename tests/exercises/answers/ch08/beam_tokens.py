"""Answers to exercise ``beam_tokens``, as learners write them."""

import math

import torch
from answering import right, wrong


@right
def beam_tokens(step, memory, state, max_length, beam_size=5, alpha=0.0, penalty="gnmt"):
    def lp(n):
        return (n if penalty == "power" else (5 + n) / 6) ** alpha

    alive = [(0.0, [2], state)]
    ended = []
    for t in range(1, max_length + 1):
        options = []
        for log_prob, tokens, old in alive:
            log_probs, new, _ = step(torch.tensor([tokens[-1:]]), memory, old)
            for token in range(log_probs.shape[2]):
                gain = log_probs[0, 0, token].item()
                if token not in (0, 2) and gain > -math.inf:
                    options.append((log_prob + gain, tokens + [token], new))
        options = sorted(options, key=lambda option: option[0], reverse=True)
        alive = []
        for log_prob, tokens, new in options:
            if len(alive) == beam_size:
                break
            if tokens[-1] == 3:
                ended.append((log_prob / lp(t), tokens[1:-1], log_prob))
            else:
                alive.append((log_prob, tokens, new))
        if not alive:
            break
    if not ended:
        return alive[0][1][1:], alive[0][0]
    score, tokens, log_prob = max(ended, key=lambda end: end[0])
    return tokens, log_prob


@wrong("It stops when the first hypothesis ends")
def beam_tokens(step, memory, state, max_length, beam_size=5, alpha=0.0, penalty="gnmt"):
    def lp(n):
        return (n if penalty == "power" else (5 + n) / 6) ** alpha

    alive = [(0.0, [2], state)]
    ended = []
    for t in range(1, max_length + 1) if not ended else []:
        options = []
        for log_prob, tokens, old in alive:
            log_probs, new, _ = step(torch.tensor([tokens[-1:]]), memory, old)
            for token in range(log_probs.shape[2]):
                gain = log_probs[0, 0, token].item()
                if token not in (0, 2) and gain > -math.inf:
                    options.append((log_prob + gain, tokens + [token], new))
        options = sorted(options, key=lambda option: option[0], reverse=True)
        alive = []
        for log_prob, tokens, new in options:
            if len(alive) == beam_size:
                break
            if tokens[-1] == 3:
                ended.append((log_prob / lp(t), tokens[1:-1], log_prob))
            else:
                alive.append((log_prob, tokens, new))
        if not alive or ended:
            break
    if not ended:
        return alive[0][1][1:], alive[0][0]
    score, tokens, log_prob = max(ended, key=lambda end: end[0])
    return tokens, log_prob


@wrong("It stops when beam_size hypotheses have ended")
def beam_tokens(step, memory, state, max_length, beam_size=5, alpha=0.0, penalty="gnmt"):
    def lp(n):
        return (n if penalty == "power" else (5 + n) / 6) ** alpha

    alive = [(0.0, [2], state)]
    ended = []
    for t in range(1, max_length + 1):
        options = []
        for log_prob, tokens, old in alive:
            log_probs, new, _ = step(torch.tensor([tokens[-1:]]), memory, old)
            for token in range(log_probs.shape[2]):
                gain = log_probs[0, 0, token].item()
                if token not in (0, 2) and gain > -math.inf:
                    options.append((log_prob + gain, tokens + [token], new))
        options = sorted(options, key=lambda option: option[0], reverse=True)
        alive = []
        for log_prob, tokens, new in options:
            if len(alive) == beam_size:
                break
            if tokens[-1] == 3:
                ended.append((log_prob / lp(t), tokens[1:-1], log_prob))
            else:
                alive.append((log_prob, tokens, new))
        if not alive or len(ended) >= beam_size:
            break
    if not ended:
        return alive[0][1][1:], alive[0][0]
    score, tokens, log_prob = max(ended, key=lambda end: end[0])
    return tokens, log_prob


@wrong("*present* length")
def beam_tokens(step, memory, state, max_length, beam_size=5, alpha=0.0, penalty="gnmt"):
    def lp(n):
        return (n if penalty == "power" else (5 + n) / 6) ** alpha

    alive = [(0.0, [2], state)]
    ended = []
    for t in range(1, max_length + 1):
        options = []
        for log_prob, tokens, old in alive:
            log_probs, new, _ = step(torch.tensor([tokens[-1:]]), memory, old)
            for token in range(log_probs.shape[2]):
                gain = log_probs[0, 0, token].item()
                if token not in (0, 2) and gain > -math.inf:
                    options.append((log_prob + gain, tokens + [token], new))
        options = sorted(options, key=lambda option: option[0], reverse=True)
        alive = []
        for log_prob, tokens, new in options:
            if len(alive) == beam_size:
                break
            if tokens[-1] == 3:
                ended.append((log_prob / lp(t), tokens[1:-1], log_prob))
            else:
                alive.append((log_prob, tokens, new))
        if not alive or ended and max(e[0] for e in ended) >= alive[0][0] / lp(t):
            break
    if not ended:
        return alive[0][1][1:], alive[0][0]
    score, tokens, log_prob = max(ended, key=lambda end: end[0])
    return tokens, log_prob


@wrong("alpha has no effect")
def beam_tokens(step, memory, state, max_length, beam_size=5, alpha=0.0, penalty="gnmt"):
    def lp(n):
        return (n if penalty == "power" else (5 + n) / 6) ** alpha

    alive = [(0.0, [2], state)]
    ended = []
    for t in range(1, max_length + 1):
        options = []
        for log_prob, tokens, old in alive:
            log_probs, new, _ = step(torch.tensor([tokens[-1:]]), memory, old)
            for token in range(log_probs.shape[2]):
                gain = log_probs[0, 0, token].item()
                if token not in (0, 2) and gain > -math.inf:
                    options.append((log_prob + gain, tokens + [token], new))
        options = sorted(options, key=lambda option: option[0], reverse=True)
        alive = []
        for log_prob, tokens, new in options:
            if len(alive) == beam_size:
                break
            if tokens[-1] == 3:
                ended.append((log_prob / lp(t), tokens[1:-1], log_prob))
            else:
                alive.append((log_prob, tokens, new))
        if not alive:
            break
    if not ended:
        return alive[0][1][1:], alive[0][0]
    score, tokens, log_prob = max(ended, key=lambda end: end[2])
    return tokens, log_prob


@wrong("state of the last prefix")
def beam_tokens(step, memory, state, max_length, beam_size=5, alpha=0.0, penalty="gnmt"):
    def lp(n):
        return (n if penalty == "power" else (5 + n) / 6) ** alpha

    alive = [(0.0, [2], state)]
    ended = []
    for t in range(1, max_length + 1):
        options = []
        for log_prob, tokens, old in alive:
            log_probs, new, _ = step(torch.tensor([tokens[-1:]]), memory, old)
            for token in range(log_probs.shape[2]):
                gain = log_probs[0, 0, token].item()
                if token not in (0, 2) and gain > -math.inf:
                    options.append((log_prob + gain, tokens + [token], new))
        options = sorted(options, key=lambda option: option[0], reverse=True)
        alive = []
        for log_prob, tokens, _ in options:
            if len(alive) == beam_size:
                break
            if tokens[-1] == 3:
                ended.append((log_prob / lp(t), tokens[1:-1], log_prob))
            else:
                alive.append((log_prob, tokens, new))
        if not alive:
            break
    if not ended:
        return alive[0][1][1:], alive[0][0]
    score, tokens, log_prob = max(ended, key=lambda end: end[0])
    return tokens, log_prob


@wrong("may not be chosen")
def beam_tokens(step, memory, state, max_length, beam_size=5, alpha=0.0, penalty="gnmt"):
    def lp(n):
        return (n if penalty == "power" else (5 + n) / 6) ** alpha

    alive = [(0.0, [2], state)]
    ended = []
    for t in range(1, max_length + 1):
        options = []
        for log_prob, tokens, old in alive:
            log_probs, new, _ = step(torch.tensor([tokens[-1:]]), memory, old)
            for token in range(log_probs.shape[2]):
                gain = log_probs[0, 0, token].item()
                if gain > -math.inf:
                    options.append((log_prob + gain, tokens + [token], new))
        options = sorted(options, key=lambda option: option[0], reverse=True)
        alive = []
        for log_prob, tokens, new in options:
            if len(alive) == beam_size:
                break
            if tokens[-1] == 3:
                ended.append((log_prob / lp(t), tokens[1:-1], log_prob))
            else:
                alive.append((log_prob, tokens, new))
        if not alive:
            break
    if not ended:
        return alive[0][1][1:], alive[0][0]
    score, tokens, log_prob = max(ended, key=lambda end: end[0])
    return tokens, log_prob


@wrong("only its own best continuation")
def beam_tokens(step, memory, state, max_length, beam_size=5, alpha=0.0, penalty="gnmt"):
    def lp(n):
        return (n if penalty == "power" else (5 + n) / 6) ** alpha

    alive = [(0.0, [2], state)]
    ended = []
    for t in range(1, max_length + 1):
        options = []
        for log_prob, tokens, old in alive:
            log_probs, new, _ = step(torch.tensor([tokens[-1:]]), memory, old)
            for token in range(log_probs.shape[2]):
                gain = log_probs[0, 0, token].item()
                if token not in (0, 2) and gain > -math.inf:
                    options.append((log_prob + gain, tokens + [token], new))
        mine = {}
        for option in options:
            key = tuple(option[1][:-1])
            mine[key] = max(mine.get(key, option), option, key=lambda o: o[0])
        options = list(mine.values())
        options = sorted(options, key=lambda option: option[0], reverse=True)
        alive = []
        for log_prob, tokens, new in options:
            if len(alive) == beam_size:
                break
            if tokens[-1] == 3:
                ended.append((log_prob / lp(t), tokens[1:-1], log_prob))
            else:
                alive.append((log_prob, tokens, new))
        if not alive:
            break
    if not ended:
        return alive[0][1][1:], alive[0][0]
    score, tokens, log_prob = max(ended, key=lambda end: end[0])
    return tokens, log_prob


@wrong("The beam shrinks")
def beam_tokens(step, memory, state, max_length, beam_size=5, alpha=0.0, penalty="gnmt"):
    def lp(n):
        return (n if penalty == "power" else (5 + n) / 6) ** alpha

    alive = [(0.0, [2], state)]
    ended = []
    for t in range(1, max_length + 1):
        options = []
        for log_prob, tokens, old in alive:
            log_probs, new, _ = step(torch.tensor([tokens[-1:]]), memory, old)
            for token in range(log_probs.shape[2]):
                gain = log_probs[0, 0, token].item()
                if token not in (0, 2) and gain > -math.inf:
                    options.append((log_prob + gain, tokens + [token], new))
        options = sorted(options, key=lambda option: option[0], reverse=True)
        alive = []
        for log_prob, tokens, new in options:
            if len(alive) >= beam_size - len(ended):
                break
            if tokens[-1] == 3:
                ended.append((log_prob / lp(t), tokens[1:-1], log_prob))
            else:
                alive.append((log_prob, tokens, new))
        if not alive:
            break
    if not ended:
        return alive[0][1][1:], alive[0][0]
    score, tokens, log_prob = max(ended, key=lambda end: end[0])
    return tokens, log_prob


@wrong("takes a place in the beam")
def beam_tokens(step, memory, state, max_length, beam_size=5, alpha=0.0, penalty="gnmt"):
    def lp(n):
        return (n if penalty == "power" else (5 + n) / 6) ** alpha

    alive = [(0.0, [2], state)]
    ended = []
    for t in range(1, max_length + 1):
        options = []
        for log_prob, tokens, old in alive:
            log_probs, new, _ = step(torch.tensor([tokens[-1:]]), memory, old)
            for token in range(log_probs.shape[2]):
                gain = log_probs[0, 0, token].item()
                if token not in (0, 2) and gain > -math.inf:
                    options.append((log_prob + gain, tokens + [token], new))
        options = sorted(options, key=lambda option: option[0], reverse=True)
        alive = []
        for log_prob, tokens, new in options[:beam_size]:
            if len(alive) == beam_size:
                break
            if tokens[-1] == 3:
                ended.append((log_prob / lp(t), tokens[1:-1], log_prob))
            else:
                alive.append((log_prob, tokens, new))
        if not alive:
            break
    if not ended:
        return alive[0][1][1:], alive[0][0]
    score, tokens, log_prob = max(ended, key=lambda end: end[0])
    return tokens, log_prob


@wrong("This is greedy search")
def beam_tokens(step, memory, state, max_length, beam_size=5, alpha=0.0, penalty="gnmt"):
    def lp(n):
        return (n if penalty == "power" else (5 + n) / 6) ** alpha

    alive = [(0.0, [2], state)]
    ended = []
    for t in range(1, max_length + 1):
        options = []
        for log_prob, tokens, old in alive:
            log_probs, new, _ = step(torch.tensor([tokens[-1:]]), memory, old)
            for token in range(log_probs.shape[2]):
                gain = log_probs[0, 0, token].item()
                if token not in (0, 2) and gain > -math.inf:
                    options.append((log_prob + gain, tokens + [token], new))
        options = sorted(options, key=lambda option: option[0], reverse=True)
        alive = []
        for log_prob, tokens, new in options:
            if alive:
                break
            if tokens[-1] == 3:
                ended.append((log_prob / lp(t), tokens[1:-1], log_prob))
            else:
                alive.append((log_prob, tokens, new))
        if not alive:
            break
    if not ended:
        return alive[0][1][1:], alive[0][0]
    score, tokens, log_prob = max(ended, key=lambda end: end[0])
    return tokens, log_prob


@wrong("not divided by anything")
def beam_tokens(step, memory, state, max_length, beam_size=5, alpha=0.0, penalty="gnmt"):
    def lp(n):
        return (n if penalty == "power" else (5 + n) / 6) ** alpha

    alive = [(0.0, [2], state)]
    ended = []
    for t in range(1, max_length + 1):
        options = []
        for log_prob, tokens, old in alive:
            log_probs, new, _ = step(torch.tensor([tokens[-1:]]), memory, old)
            for token in range(log_probs.shape[2]):
                gain = log_probs[0, 0, token].item()
                if token not in (0, 2) and gain > -math.inf:
                    options.append((log_prob + gain, tokens + [token], new))
        options = sorted(options, key=lambda option: option[0], reverse=True)
        alive = []
        for log_prob, tokens, new in options:
            if len(alive) == beam_size:
                break
            if tokens[-1] == 3:
                ended.append((log_prob / lp(t), tokens[1:-1], log_prob))
            else:
                alive.append((log_prob, tokens, new))
        if not alive:
            break
    if not ended:
        return alive[0][1][1:], alive[0][0]
    score, tokens, log_prob = max(ended, key=lambda end: end[0])
    return tokens, score


@wrong("The eos (3) is among the tokens")
def beam_tokens(step, memory, state, max_length, beam_size=5, alpha=0.0, penalty="gnmt"):
    def lp(n):
        return (n if penalty == "power" else (5 + n) / 6) ** alpha

    alive = [(0.0, [2], state)]
    ended = []
    for t in range(1, max_length + 1):
        options = []
        for log_prob, tokens, old in alive:
            log_probs, new, _ = step(torch.tensor([tokens[-1:]]), memory, old)
            for token in range(log_probs.shape[2]):
                gain = log_probs[0, 0, token].item()
                if token not in (0, 2) and gain > -math.inf:
                    options.append((log_prob + gain, tokens + [token], new))
        options = sorted(options, key=lambda option: option[0], reverse=True)
        alive = []
        for log_prob, tokens, new in options:
            if len(alive) == beam_size:
                break
            if tokens[-1] == 3:
                ended.append((log_prob / lp(t), tokens[1:], log_prob))
            else:
                alive.append((log_prob, tokens, new))
        if not alive:
            break
    if not ended:
        return alive[0][1][1:], alive[0][0]
    score, tokens, log_prob = max(ended, key=lambda end: end[0])
    return tokens, log_prob
