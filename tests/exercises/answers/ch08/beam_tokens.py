"""Answers to exercise ``beam_tokens``, as learners write them."""

import math

import torch
from answering import wrong

from attnlib import search


@wrong("sort only by the log-probability")
def beam_tokens(step, memory, state, max_length, beam_size=5, alpha=0.0, penalty="gnmt"):
    live, finished = [(0.0, state, [])], []
    for t in range(1, max_length + 1):
        found = []
        for total, old, tokens in live:
            log_probs, new, _ = step(torch.tensor([[(tokens or [2])[-1]]]), memory, old)
            for token, gain in enumerate(log_probs[0, 0].tolist()):
                if token not in (0, 2) and gain > -math.inf:
                    found.append((total + gain, new, [*tokens, token]))
        live = []
        for total, new, tokens in sorted(found, reverse=True):
            if len(live) == beam_size:
                break
            if tokens[-1] == 3:
                divisor = search.length_penalty(float(t), alpha, penalty)
                finished.append((total / divisor, total, tokens[:-1]))
            else:
                live.append((total, new, tokens))
        if not live:
            break
    if not finished:
        return live[0][2], live[0][0]
    _, total, tokens = max(finished)
    return tokens, total
