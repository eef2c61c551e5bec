"""Answers to exercise ``beam_tokens``, written from its statement alone."""

import math

import torch
from answering import wrong

from attnlib import search
from attnlib.data import BOS, EOS, PAD


@wrong("the answer is chosen by log-probability, not by score")
def beam_tokens(step, memory, state, max_length, beam_size=5, alpha=0.0, penalty="gnmt"):
    live, finished = [(0.0, [], state)], []
    for _t in range(max_length):
        found = []
        for total, tokens, s in live:
            log_probs, s, _ = step(torch.tensor([[(tokens or [BOS])[-1]]]), memory, s)
            for v, x in enumerate(log_probs[0, 0].tolist()):
                if v not in (PAD, BOS) and x > -math.inf:
                    found.append((total + x, tokens + [v], s))
        live = []
        for c in sorted(found, key=lambda c: -c[0]):
            if c[1][-1] == EOS:
                finished.append((c[0], c[1][:-1]))
            else:
                live.append(c)
                if len(live) == beam_size:
                    break
        if not live:
            break
    if not finished:
        return live[0][1], live[0][0]
    best = max(finished, key=lambda f: f[0])
    return best[1], best[0]


@wrong("an eos takes a place of the beam")
def beam_tokens(step, memory, state, max_length, beam_size=5, alpha=0.0, penalty="gnmt"):
    live, finished = [(0.0, [], state)], []
    for t in range(1, max_length + 1):
        found = []
        for total, tokens, s in live:
            log_probs, s, _ = step(torch.tensor([[(tokens or [BOS])[-1]]]), memory, s)
            for v, x in enumerate(log_probs[0, 0].tolist()):
                if v not in (PAD, BOS) and x > -math.inf:
                    found.append((total + x, tokens + [v], s))
        live, before = [], live
        for c in sorted(found, key=lambda c: -c[0])[:beam_size]:
            if c[1][-1] == EOS:
                lp = search.length_penalty(float(t), alpha, penalty)
                finished.append((c[0] / lp, c[1][:-1], c[0]))
            else:
                live.append(c)
        if not live:
            break
    if not finished:
        return live[0][1], live[0][0]
    best = max(finished, key=lambda f: f[0])
    return best[1], best[2]


@wrong("all prefixes share one state")
def beam_tokens(step, memory, state, max_length, beam_size=5, alpha=0.0, penalty="gnmt"):
    live, finished = [(0.0, [])], []
    for t in range(1, max_length + 1):
        found = []
        for total, tokens in live:
            log_probs, new, _ = step(torch.tensor([[(tokens or [BOS])[-1]]]), memory, state)
            for v, x in enumerate(log_probs[0, 0].tolist()):
                if v not in (PAD, BOS) and x > -math.inf:
                    found.append((total + x, tokens + [v]))
        state = new
        live = []
        for c in sorted(found, key=lambda c: -c[0]):
            if c[1][-1] == EOS:
                lp = search.length_penalty(float(t), alpha, penalty)
                finished.append((c[0] / lp, c[1][:-1], c[0]))
            else:
                live.append(c)
                if len(live) == beam_size:
                    break
        if not live:
            break
    if not finished:
        return live[0][1], live[0][0]
    best = max(finished, key=lambda f: f[0])
    return best[1], best[2]


@wrong("stops at the first finished hypothesis")
def beam_tokens(step, memory, state, max_length, beam_size=5, alpha=0.0, penalty="gnmt"):
    live, finished = [(0.0, [], state)], []
    for t in range(1, max_length + 1):
        found = []
        for total, tokens, s in live:
            log_probs, s, _ = step(torch.tensor([[(tokens or [BOS])[-1]]]), memory, s)
            for v, x in enumerate(log_probs[0, 0].tolist()):
                if v not in (PAD, BOS) and x > -math.inf:
                    found.append((total + x, tokens + [v], s))
        live = []
        for c in sorted(found, key=lambda c: -c[0]):
            if c[1][-1] == EOS:
                lp = search.length_penalty(float(t), alpha, penalty)
                finished.append((c[0] / lp, c[1][:-1], c[0]))
            else:
                live.append(c)
                if len(live) == beam_size:
                    break
        if finished or not live:
            break
    if not finished:
        return live[0][1], live[0][0]
    best = max(finished, key=lambda f: f[0])
    return best[1], best[2]


@wrong("the score is returned in place of the log-probability")
def beam_tokens(step, memory, state, max_length, beam_size=5, alpha=0.0, penalty="gnmt"):
    live, finished = [(0.0, [], state)], []
    for t in range(1, max_length + 1):
        found = []
        for total, tokens, s in live:
            log_probs, s, _ = step(torch.tensor([[(tokens or [BOS])[-1]]]), memory, s)
            for v, x in enumerate(log_probs[0, 0].tolist()):
                if v not in (PAD, BOS) and x > -math.inf:
                    found.append((total + x, tokens + [v], s))
        live = []
        for c in sorted(found, key=lambda c: -c[0]):
            if c[1][-1] == EOS:
                finished.append((c[0] / search.length_penalty(float(t), alpha, penalty), c[1][:-1]))
            else:
                live.append(c)
                if len(live) == beam_size:
                    break
        if not live:
            break
    if not finished:
        return live[0][1], live[0][0]
    best = max(finished, key=lambda f: f[0])
    return best[1], best[0]
