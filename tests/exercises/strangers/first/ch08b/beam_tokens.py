"""Answers to exercise ``beam_tokens``, written from its statement alone."""

import math

import torch
from answering import right, wrong

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


@wrong("the length in the penalty does not count the eos")
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
                lp = search.length_penalty(float(max(t - 1, 1)), alpha, penalty)
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


@wrong("the kind of penalty is not passed on")
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
                lp = search.length_penalty(float(t), alpha)
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


@wrong("if nothing has ended, nothing comes back")
def beam_tokens(step, memory, state, max_length, beam_size=5, alpha=0.0, penalty="gnmt"):
    live, best = [(0.0, [], state)], (-math.inf, [], -math.inf)
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
                score = c[0] / search.length_penalty(float(t), alpha, penalty)
                best = max(best, (score, c[1][:-1], c[0]), key=lambda f: f[0])
            else:
                live.append(c)
                if len(live) == beam_size:
                    break
        if not live:
            break
    return best[1], best[2]


@wrong("prefixes that have not ended compete with finished ones at the end")
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
        if not live:
            break
    lp = search.length_penalty(float(max_length), alpha, penalty)
    finished += [(total / lp, tokens, total) for total, tokens, _ in live]
    best = max(finished, key=lambda f: f[0])
    return best[1], best[2]


@right
def beam_tokens(step, memory, state, max_length, beam_size=5, alpha=0.0, penalty="gnmt"):
    def penalised(total, n):
        return total / (((5 + n) / 6) ** alpha if penalty == "gnmt" else n**alpha)

    def grow(live, done, t):
        if t > max_length or not live:
            return live, done
        found = []
        for total, tokens, old in live:
            last = tokens[-1] if tokens else BOS
            log_probs, new, _ = step(torch.tensor([[last]]), memory, old)
            row = log_probs[0, 0]
            for v in range(len(row)):
                if v != PAD and v != BOS and not torch.isinf(row[v]):
                    found.append({"p": total + float(row[v]), "t": (*tokens, v), "s": new})
        found.sort(key=lambda c: c["p"], reverse=True)
        alive = []
        for c in found:
            if c["t"][-1] == EOS:
                done = done + [(penalised(c["p"], t), c["t"][:-1], c["p"])]
                continue
            alive.append((c["p"], c["t"], c["s"]))
            if len(alive) >= beam_size:
                break
        return grow(alive, done, t + 1)

    live, done = grow([(0.0, (), state)], [], 1)
    if done:
        _, tokens, total = sorted(done, key=lambda d: d[0], reverse=True)[0]
    else:
        total, tokens, _ = live[0]
    return list(tokens), total


@right
def beam_tokens(step, memory, state, max_length, beam_size=5, alpha=0.0, penalty="gnmt"):
    totals, prefixes, states = torch.zeros(1), [[]], [state]
    best = None
    for t in range(1, max_length + 1):
        rows, news = [], []
        for prefix, old in zip(prefixes, states):
            log_probs, new, _ = step(torch.tensor([[prefix[-1] if prefix else BOS]]), memory, old)
            row = log_probs[0, 0].clone()
            row[PAD] = row[BOS] = -math.inf
            rows.append(row)
            news.append(new)
        table = totals.unsqueeze(1) + torch.stack(rows)
        V = table.shape[1]
        kept = []
        for place in table.flatten().argsort(descending=True).tolist():
            parent, token = divmod(place, V)
            total = table[parent, token]
            if total == -math.inf:
                break
            if token == EOS:
                score = float(total) / float(search.length_penalty(float(t), alpha, penalty))
                if best is None or score > best[0]:
                    best = (score, prefixes[parent], float(total))
            else:
                kept.append((total, prefixes[parent] + [token], news[parent]))
                if len(kept) == beam_size:
                    break
        if not kept:
            break
        totals = torch.stack([k[0] for k in kept])
        prefixes, states = [k[1] for k in kept], [k[2] for k in kept]
    if best is None:
        return prefixes[0], float(totals[0])
    return best[1], best[2]
