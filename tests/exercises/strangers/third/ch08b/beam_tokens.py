import math

import torch
from answering import right, wrong

from attnlib import search
from attnlib.data import BOS, EOS, PAD


@wrong("the score is returned, not the log-probability")
def beam_tokens(step, memory, state, max_length, beam_size=5, alpha=0.0, penalty="gnmt"):
    live = [(0.0, [], state)]
    finished = []
    for t in range(1, max_length + 1):
        candidates = []
        for so_far, tokens, own in live:
            last = tokens[-1] if tokens else BOS
            log_probs, new, _ = step(torch.tensor([[last]]), memory, own)
            for token, gain in enumerate(log_probs[0, 0].tolist()):
                if token not in (PAD, BOS) and gain > -math.inf:
                    candidates.append((so_far + gain, [*tokens, token], new))
        candidates.sort(key=lambda c: -c[0])
        live = []
        for total, tokens, own in candidates:
            if tokens[-1] == EOS:
                score = total / search.length_penalty(float(t), alpha, penalty)
                finished.append((score, tokens[:-1], total))
            else:
                live.append((total, tokens, own))
                if len(live) == beam_size:
                    break
        if not live:
            break
    if finished:
        score, tokens, _ = max(finished, key=lambda f: f[0])
        return tokens, score
    total, tokens, _ = live[0]
    return tokens, total


@wrong("the finished one with the highest log-probability wins, not the one with the highest score")
def beam_tokens(step, memory, state, max_length, beam_size=5, alpha=0.0, penalty="gnmt"):
    live = [(0.0, [], state)]
    finished = []
    for t in range(1, max_length + 1):
        candidates = []
        for so_far, tokens, own in live:
            last = tokens[-1] if tokens else BOS
            log_probs, new, _ = step(torch.tensor([[last]]), memory, own)
            for token, gain in enumerate(log_probs[0, 0].tolist()):
                if token not in (PAD, BOS) and gain > -math.inf:
                    candidates.append((so_far + gain, [*tokens, token], new))
        candidates.sort(key=lambda c: -c[0])
        live = []
        for total, tokens, own in candidates:
            if tokens[-1] == EOS:
                score = total / search.length_penalty(float(t), alpha, penalty)
                finished.append((score, tokens[:-1], total))
            else:
                live.append((total, tokens, own))
                if len(live) == beam_size:
                    break
        if not live:
            break
    if finished:
        _, tokens, total = max(finished, key=lambda f: f[2])
        return tokens, total
    total, tokens, _ = live[0]
    return tokens, total


@wrong("the gain alone is kept: the parent's log-probability is not added")
def beam_tokens(step, memory, state, max_length, beam_size=5, alpha=0.0, penalty="gnmt"):
    live = [(0.0, [], state)]
    finished = []
    for t in range(1, max_length + 1):
        candidates = []
        for so_far, tokens, own in live:
            last = tokens[-1] if tokens else BOS
            log_probs, new, _ = step(torch.tensor([[last]]), memory, own)
            for token, gain in enumerate(log_probs[0, 0].tolist()):
                if token not in (PAD, BOS) and gain > -math.inf:
                    candidates.append((gain, [*tokens, token], new))
        candidates.sort(key=lambda c: -c[0])
        live = []
        for total, tokens, own in candidates:
            if tokens[-1] == EOS:
                score = total / search.length_penalty(float(t), alpha, penalty)
                finished.append((score, tokens[:-1], total))
            else:
                live.append((total, tokens, own))
                if len(live) == beam_size:
                    break
        if not live:
            break
    if finished:
        _, tokens, total = max(finished, key=lambda f: f[0])
        return tokens, total
    total, tokens, _ = live[0]
    return tokens, total


@wrong("all share the state of the last prefix that was asked")
def beam_tokens(step, memory, state, max_length, beam_size=5, alpha=0.0, penalty="gnmt"):
    live = [(0.0, [], state)]
    finished = []
    for t in range(1, max_length + 1):
        candidates = []
        for so_far, tokens, own in live:
            last = tokens[-1] if tokens else BOS
            log_probs, new, _ = step(torch.tensor([[last]]), memory, own)
            for token, gain in enumerate(log_probs[0, 0].tolist()):
                if token not in (PAD, BOS) and gain > -math.inf:
                    candidates.append((so_far + gain, [*tokens, token], new))
        candidates.sort(key=lambda c: -c[0])
        live = []
        for total, tokens, own in candidates:
            if tokens[-1] == EOS:
                score = total / search.length_penalty(float(t), alpha, penalty)
                finished.append((score, tokens[:-1], total))
            else:
                live.append((total, tokens, new))
                if len(live) == beam_size:
                    break
        if not live:
            break
    if finished:
        _, tokens, total = max(finished, key=lambda f: f[0])
        return tokens, total
    total, tokens, _ = live[0]
    return tokens, total


@wrong("sorted upward: the least probable continuations survive")
def beam_tokens(step, memory, state, max_length, beam_size=5, alpha=0.0, penalty="gnmt"):
    live = [(0.0, [], state)]
    finished = []
    for t in range(1, max_length + 1):
        candidates = []
        for so_far, tokens, own in live:
            last = tokens[-1] if tokens else BOS
            log_probs, new, _ = step(torch.tensor([[last]]), memory, own)
            for token, gain in enumerate(log_probs[0, 0].tolist()):
                if token not in (PAD, BOS) and gain > -math.inf:
                    candidates.append((so_far + gain, [*tokens, token], new))
        candidates.sort(key=lambda c: c[0])
        live = []
        for total, tokens, own in candidates:
            if tokens[-1] == EOS:
                score = total / search.length_penalty(float(t), alpha, penalty)
                finished.append((score, tokens[:-1], total))
            else:
                live.append((total, tokens, own))
                if len(live) == beam_size:
                    break
        if not live:
            break
    if finished:
        _, tokens, total = max(finished, key=lambda f: f[0])
        return tokens, total
    total, tokens, _ = live[0]
    return tokens, total


@wrong("stops at the first finished hypothesis")
def beam_tokens(step, memory, state, max_length, beam_size=5, alpha=0.0, penalty="gnmt"):
    live = [(0.0, [], state)]
    finished = []
    for t in range(1, max_length + 1):
        candidates = []
        for so_far, tokens, own in live:
            last = tokens[-1] if tokens else BOS
            log_probs, new, _ = step(torch.tensor([[last]]), memory, own)
            for token, gain in enumerate(log_probs[0, 0].tolist()):
                if token not in (PAD, BOS) and gain > -math.inf:
                    candidates.append((so_far + gain, [*tokens, token], new))
        candidates.sort(key=lambda c: -c[0])
        live = []
        for total, tokens, own in candidates:
            if tokens[-1] == EOS:
                score = total / search.length_penalty(float(t), alpha, penalty)
                finished.append((score, tokens[:-1], total))
            else:
                live.append((total, tokens, own))
                if len(live) == beam_size:
                    break
        if finished or not live:
            break
    if finished:
        _, tokens, total = max(finished, key=lambda f: f[0])
        return tokens, total
    total, tokens, _ = live[0]
    return tokens, total


@wrong("the list is cut to beam_size first, so that an eos takes a place among the living")
def beam_tokens(step, memory, state, max_length, beam_size=5, alpha=0.0, penalty="gnmt"):
    live = [(0.0, [], state)]
    finished = []
    for t in range(1, max_length + 1):
        candidates = []
        for so_far, tokens, own in live:
            last = tokens[-1] if tokens else BOS
            log_probs, new, _ = step(torch.tensor([[last]]), memory, own)
            for token, gain in enumerate(log_probs[0, 0].tolist()):
                if token not in (PAD, BOS) and gain > -math.inf:
                    candidates.append((so_far + gain, [*tokens, token], new))
        candidates = sorted(candidates, key=lambda c: -c[0])[:beam_size]
        live = []
        for total, tokens, own in candidates:
            if tokens[-1] == EOS:
                score = total / search.length_penalty(float(t), alpha, penalty)
                finished.append((score, tokens[:-1], total))
            else:
                live.append((total, tokens, own))
                if len(live) == beam_size:
                    break
        if not live:
            break
    if finished:
        _, tokens, total = max(finished, key=lambda f: f[0])
        return tokens, total
    total, tokens, _ = live[0]
    return tokens, total


@wrong("the eos stays in the returned tokens")
def beam_tokens(step, memory, state, max_length, beam_size=5, alpha=0.0, penalty="gnmt"):
    live = [(0.0, [], state)]
    finished = []
    for t in range(1, max_length + 1):
        candidates = []
        for so_far, tokens, own in live:
            last = tokens[-1] if tokens else BOS
            log_probs, new, _ = step(torch.tensor([[last]]), memory, own)
            for token, gain in enumerate(log_probs[0, 0].tolist()):
                if token not in (PAD, BOS) and gain > -math.inf:
                    candidates.append((so_far + gain, [*tokens, token], new))
        candidates.sort(key=lambda c: -c[0])
        live = []
        for total, tokens, own in candidates:
            if tokens[-1] == EOS:
                score = total / search.length_penalty(float(t), alpha, penalty)
                finished.append((score, tokens, total))
            else:
                live.append((total, tokens, own))
                if len(live) == beam_size:
                    break
        if not live:
            break
    if finished:
        _, tokens, total = max(finished, key=lambda f: f[0])
        return tokens, total
    total, tokens, _ = live[0]
    return tokens, total


@wrong("the score is divided by the length without the eos")
def beam_tokens(step, memory, state, max_length, beam_size=5, alpha=0.0, penalty="gnmt"):
    live = [(0.0, [], state)]
    finished = []
    for t in range(1, max_length + 1):
        candidates = []
        for so_far, tokens, own in live:
            last = tokens[-1] if tokens else BOS
            log_probs, new, _ = step(torch.tensor([[last]]), memory, own)
            for token, gain in enumerate(log_probs[0, 0].tolist()):
                if token not in (PAD, BOS) and gain > -math.inf:
                    candidates.append((so_far + gain, [*tokens, token], new))
        candidates.sort(key=lambda c: -c[0])
        live = []
        for total, tokens, own in candidates:
            if tokens[-1] == EOS:
                score = total / search.length_penalty(float(max(t - 1, 1)), alpha, penalty)
                finished.append((score, tokens[:-1], total))
            else:
                live.append((total, tokens, own))
                if len(live) == beam_size:
                    break
        if not live:
            break
    if finished:
        _, tokens, total = max(finished, key=lambda f: f[0])
        return tokens, total
    total, tokens, _ = live[0]
    return tokens, total


@wrong("alpha and penalty are not used")
def beam_tokens(step, memory, state, max_length, beam_size=5, alpha=0.0, penalty="gnmt"):
    live = [(0.0, [], state)]
    finished = []
    for t in range(1, max_length + 1):
        candidates = []
        for so_far, tokens, own in live:
            last = tokens[-1] if tokens else BOS
            log_probs, new, _ = step(torch.tensor([[last]]), memory, own)
            for token, gain in enumerate(log_probs[0, 0].tolist()):
                if token not in (PAD, BOS) and gain > -math.inf:
                    candidates.append((so_far + gain, [*tokens, token], new))
        candidates.sort(key=lambda c: -c[0])
        live = []
        for total, tokens, own in candidates:
            if tokens[-1] == EOS:
                score = total
                finished.append((score, tokens[:-1], total))
            else:
                live.append((total, tokens, own))
                if len(live) == beam_size:
                    break
        if not live:
            break
    if finished:
        _, tokens, total = max(finished, key=lambda f: f[0])
        return tokens, total
    total, tokens, _ = live[0]
    return tokens, total


@wrong("PAD and BOS may be written")
def beam_tokens(step, memory, state, max_length, beam_size=5, alpha=0.0, penalty="gnmt"):
    live = [(0.0, [], state)]
    finished = []
    for t in range(1, max_length + 1):
        candidates = []
        for so_far, tokens, own in live:
            last = tokens[-1] if tokens else BOS
            log_probs, new, _ = step(torch.tensor([[last]]), memory, own)
            for token, gain in enumerate(log_probs[0, 0].tolist()):
                if gain > -math.inf:
                    candidates.append((so_far + gain, [*tokens, token], new))
        candidates.sort(key=lambda c: -c[0])
        live = []
        for total, tokens, own in candidates:
            if tokens[-1] == EOS:
                score = total / search.length_penalty(float(t), alpha, penalty)
                finished.append((score, tokens[:-1], total))
            else:
                live.append((total, tokens, own))
                if len(live) == beam_size:
                    break
        if not live:
            break
    if finished:
        _, tokens, total = max(finished, key=lambda f: f[0])
        return tokens, total
    total, tokens, _ = live[0]
    return tokens, total


@wrong("where nothing has ended the last of the survivors is returned")
def beam_tokens(step, memory, state, max_length, beam_size=5, alpha=0.0, penalty="gnmt"):
    live = [(0.0, [], state)]
    finished = []
    for t in range(1, max_length + 1):
        candidates = []
        for so_far, tokens, own in live:
            last = tokens[-1] if tokens else BOS
            log_probs, new, _ = step(torch.tensor([[last]]), memory, own)
            for token, gain in enumerate(log_probs[0, 0].tolist()):
                if token not in (PAD, BOS) and gain > -math.inf:
                    candidates.append((so_far + gain, [*tokens, token], new))
        candidates.sort(key=lambda c: -c[0])
        live = []
        for total, tokens, own in candidates:
            if tokens[-1] == EOS:
                score = total / search.length_penalty(float(t), alpha, penalty)
                finished.append((score, tokens[:-1], total))
            else:
                live.append((total, tokens, own))
                if len(live) == beam_size:
                    break
        if not live:
            break
    if finished:
        _, tokens, total = max(finished, key=lambda f: f[0])
        return tokens, total
    total, tokens, _ = live[-1]
    return tokens, total


@wrong("the search goes on with the parent's state: the new one is thrown away")
def beam_tokens(step, memory, state, max_length, beam_size=5, alpha=0.0, penalty="gnmt"):
    live = [(0.0, [], state)]
    finished = []
    for t in range(1, max_length + 1):
        candidates = []
        for so_far, tokens, own in live:
            last = tokens[-1] if tokens else BOS
            log_probs, new, _ = step(torch.tensor([[last]]), memory, own)
            for token, gain in enumerate(log_probs[0, 0].tolist()):
                if token not in (PAD, BOS) and gain > -math.inf:
                    candidates.append((so_far + gain, [*tokens, token], own))
        candidates.sort(key=lambda c: -c[0])
        live = []
        for total, tokens, own in candidates:
            if tokens[-1] == EOS:
                score = total / search.length_penalty(float(t), alpha, penalty)
                finished.append((score, tokens[:-1], total))
            else:
                live.append((total, tokens, own))
                if len(live) == beam_size:
                    break
        if not live:
            break
    if finished:
        _, tokens, total = max(finished, key=lambda f: f[0])
        return tokens, total
    total, tokens, _ = live[0]
    return tokens, total


@wrong("beam_size continuations of every prefix are kept, not beam_size in all")
def beam_tokens(step, memory, state, max_length, beam_size=5, alpha=0.0, penalty="gnmt"):
    live = [(0.0, [], state)]
    finished = []
    for t in range(1, max_length + 1):
        candidates = []
        for so_far, tokens, own in live:
            last = tokens[-1] if tokens else BOS
            log_probs, new, _ = step(torch.tensor([[last]]), memory, own)
            for token, gain in enumerate(log_probs[0, 0].tolist()):
                if token not in (PAD, BOS) and gain > -math.inf:
                    candidates.append((so_far + gain, [*tokens, token], new))
        candidates.sort(key=lambda c: -c[0])
        beam_size = beam_size * len(live)
        live = []
        for total, tokens, own in candidates:
            if tokens[-1] == EOS:
                score = total / search.length_penalty(float(t), alpha, penalty)
                finished.append((score, tokens[:-1], total))
            else:
                live.append((total, tokens, own))
                if len(live) == beam_size:
                    break
        if not live:
            break
    if finished:
        _, tokens, total = max(finished, key=lambda f: f[0])
        return tokens, total
    total, tokens, _ = live[0]
    return tokens, total


@wrong("endings are collected at the last step only")
def beam_tokens(step, memory, state, max_length, beam_size=5, alpha=0.0, penalty="gnmt"):
    live = [(0.0, [], state)]
    finished = []
    for t in range(1, max_length + 1):
        candidates = []
        for so_far, tokens, own in live:
            last = tokens[-1] if tokens else BOS
            log_probs, new, _ = step(torch.tensor([[last]]), memory, own)
            for token, gain in enumerate(log_probs[0, 0].tolist()):
                if token not in (PAD, BOS) and gain > -math.inf:
                    candidates.append((so_far + gain, [*tokens, token], new))
        candidates.sort(key=lambda c: -c[0])
        live = []
        for total, tokens, own in candidates:
            if tokens[-1] == EOS and t < max_length:
                continue
            if tokens[-1] == EOS:
                score = total / search.length_penalty(float(t), alpha, penalty)
                finished.append((score, tokens[:-1], total))
            else:
                live.append((total, tokens, own))
                if len(live) == beam_size:
                    break
        if not live:
            break
    if finished:
        _, tokens, total = max(finished, key=lambda f: f[0])
        return tokens, total
    total, tokens, _ = live[0]
    return tokens, total


@wrong("an ending lives on and is continued")
def beam_tokens(step, memory, state, max_length, beam_size=5, alpha=0.0, penalty="gnmt"):
    live = [(0.0, [], state)]
    finished = []
    for t in range(1, max_length + 1):
        candidates = []
        for so_far, tokens, own in live:
            last = tokens[-1] if tokens else BOS
            log_probs, new, _ = step(torch.tensor([[last]]), memory, own)
            for token, gain in enumerate(log_probs[0, 0].tolist()):
                if token not in (PAD, BOS) and gain > -math.inf:
                    candidates.append((so_far + gain, [*tokens, token], new))
        candidates.sort(key=lambda c: -c[0])
        live = []
        for total, tokens, own in candidates:
            if tokens[-1] == EOS:
                score = total / search.length_penalty(float(t), alpha, penalty)
                finished.append((score, tokens[:-1], total))
            live.append((total, tokens, own))
            if len(live) == beam_size:
                break
        if not live:
            break
    if finished:
        _, tokens, total = max(finished, key=lambda f: f[0])
        return tokens, total
    total, tokens, _ = live[0]
    return tokens, total


@wrong("the penalty's kind is forgotten in the call: always gnmt")
def beam_tokens(step, memory, state, max_length, beam_size=5, alpha=0.0, penalty="gnmt"):
    live = [(0.0, [], state)]
    finished = []
    for t in range(1, max_length + 1):
        candidates = []
        for so_far, tokens, own in live:
            last = tokens[-1] if tokens else BOS
            log_probs, new, _ = step(torch.tensor([[last]]), memory, own)
            for token, gain in enumerate(log_probs[0, 0].tolist()):
                if token not in (PAD, BOS) and gain > -math.inf:
                    candidates.append((so_far + gain, [*tokens, token], new))
        candidates.sort(key=lambda c: -c[0])
        live = []
        for total, tokens, own in candidates:
            if tokens[-1] == EOS:
                score = total / search.length_penalty(float(t), alpha)
                finished.append((score, tokens[:-1], total))
            else:
                live.append((total, tokens, own))
                if len(live) == beam_size:
                    break
        if not live:
            break
    if finished:
        _, tokens, total = max(finished, key=lambda f: f[0])
        return tokens, total
    total, tokens, _ = live[0]
    return tokens, total


@right
def beam_tokens(step, memory, state, max_length, beam_size=5, alpha=0.0, penalty="gnmt"):
    def lp(n):
        return float(n) ** alpha if penalty == "power" else ((5 + n) / 6) ** alpha

    best, answer = -math.inf, None
    alive = [{"sum": 0.0, "words": (), "state": state}]
    t = 0
    while alive and t < max_length:
        t += 1
        grown = []
        for prefix in alive:
            fed = prefix["words"][-1] if prefix["words"] else BOS
            out, after, _ = step(torch.tensor([[fed]]), memory, prefix["state"])
            row = out[0, 0].clone()
            row[[PAD, BOS]] = -math.inf
            for token in torch.isfinite(row).nonzero().flatten().tolist():
                grown.append(
                    {
                        "sum": prefix["sum"] + row[token].item(),
                        "words": (*prefix["words"], token),
                        "state": after,
                    }
                )
        grown = sorted(grown, key=lambda prefix: prefix["sum"], reverse=True)
        alive = []
        while grown and len(alive) < beam_size:
            prefix = grown.pop(0)
            if prefix["words"][-1] != EOS:
                alive.append(prefix)
            elif prefix["sum"] / lp(t) > best:
                best, answer = prefix["sum"] / lp(t), prefix
    if answer is not None:
        return list(answer["words"][:-1]), answer["sum"]
    return list(alive[0]["words"]), alive[0]["sum"]


@right
def beam_tokens(step, memory, state, max_length, beam_size=5, alpha=0.0, penalty="gnmt"):
    finished = []

    def go(live, t):
        if t > max_length or not live:
            return live
        options = []
        for total, tokens, own in live:
            out, new, _ = step(torch.tensor([[(tokens or [BOS])[-1]]]), memory, own)
            gains, places = out[0, 0].sort(descending=True, stable=True)
            options += [
                (total + gain, tokens + [token], new)
                for gain, token in zip(gains.tolist(), places.tolist())
                if token not in {PAD, BOS} and gain != -math.inf
            ]
        options.sort(key=lambda option: option[0], reverse=True)
        survivors = []
        for option in options:
            if len(survivors) == beam_size:
                break
            if option[1][-1] == EOS:
                lp = search.length_penalty(float(t), alpha, penalty)
                finished.append((option[0] / lp, option))
            else:
                survivors.append(option)
        return go(survivors, t + 1)

    left = go([(0.0, [], state)], 1)
    if not finished:
        return left[0][1], left[0][0]
    total, tokens, _ = max(finished, key=lambda pair: pair[0])[1]
    return tokens[:-1], total
