"""Answers to exercise ``beam_tokens``, as learners write them."""

import math

import torch
from answering import right, wrong

from attnlib import search
from attnlib.data import BOS, EOS, PAD


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


@wrong("It stops when the first hypothesis ends, or takes that one")
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


@wrong("All prefixes share one state")
def beam_tokens(step, memory, state, max_length, beam_size=5, alpha=0.0, penalty="gnmt"):
    beam, finished = [([], 0.0)], []
    for t in range(1, max_length + 1):
        candidates = []
        for tokens, total in beam:
            newest = tokens[-1] if tokens else 2
            log_probs, state, _ = step(torch.tensor([[newest]]), memory, state)
            for token, gain in enumerate(log_probs[0, 0].tolist()):
                if token not in (0, 2) and gain > -math.inf:
                    candidates.append((tokens + [token], total + gain))
        candidates.sort(key=lambda pair: -pair[1])
        beam = []
        for tokens, total in candidates:
            if len(beam) == beam_size:
                break
            if tokens[-1] == 3:
                lp = search.length_penalty(float(t), alpha, penalty)
                finished.append((tokens[:-1], total, total / lp))
            else:
                beam.append((tokens, total))
        if not beam:
            break
    if finished:
        tokens, total, _ = max(finished, key=lambda found: found[2])
        return tokens, total
    return beam[0]


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


@wrong("The score is returned")
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


@wrong("does not count the eos")
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


@wrong("penalty has no effect")
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


@wrong("Where nothing has ended")
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


@wrong("compete with finished")
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


@wrong("sort by the log-probability alone")
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


@wrong("A beam of 2 finds")
def beam_tokens(step, memory, state, max_length, beam_size=5, alpha=0.0, penalty="gnmt"):
    live, finished = [(0.0, [], state)], []
    for t in range(1, max_length + 1):
        found = {}
        for total, tokens, old in live:
            log_probs, new, _ = step(torch.tensor([[(tokens or [2])[-1]]]), memory, old)
            for token, gain in enumerate(log_probs[0, 0].tolist()):
                if token not in (0, 2) and gain > -math.inf:
                    found[total + gain] = ([*tokens, token], new)
        live = []
        for total in sorted(found, reverse=True):
            tokens, new = found[total]
            if len(live) == beam_size:
                break
            if tokens[-1] == 3:
                divisor = search.length_penalty(float(t), alpha, penalty)
                finished.append((total / divisor, total, tokens[:-1]))
            else:
                live.append((total, tokens, new))
        if not live:
            break
    if not finished:
        return live[0][1], live[0][0]
    _, total, tokens = max(finished)
    return tokens, total


@wrong("are written into")
def beam_tokens(step, memory, state, max_length, beam_size=5, alpha=0.0, penalty="gnmt"):
    live, finished = [(0.0, [], state)], []
    for t in range(1, max_length + 1):
        found = []
        for total, tokens, old in live:
            log_probs, new, _ = step(torch.tensor([[(tokens or [2])[-1]]]), memory, old)
            log_probs[0, 0, [0, 2]] = -math.inf
            for token, gain in enumerate(log_probs[0, 0].tolist()):
                if gain > -math.inf:
                    found.append((total + gain, [*tokens, token], new))
        found.sort(key=lambda one: one[0], reverse=True)
        live = []
        for total, tokens, new in found:
            if len(live) == beam_size:
                break
            if tokens[-1] == 3:
                divisor = search.length_penalty(float(t), alpha, penalty)
                finished.append((total / divisor, total, tokens[:-1]))
            else:
                live.append((total, tokens, new))
        if not live:
            break
    if not finished:
        return live[0][1], live[0][0]
    _, total, tokens = max(finished)
    return tokens, total
