"""Answers to exercise ``normalized_beam``, as learners write them."""

import math

import torch
from answering import right, wrong


def finished(best, written, total, max_length, alpha):
    if best is None:
        return written[0], float(total[0]) / max_length**alpha
    return best[1], best[0]


@wrong("Set EOS to −∞ before topk")
def normalized_beam(step, state, max_length, beam_size=5, alpha=1.0):
    last, total, written, best = torch.tensor([2]), torch.zeros(1), [[]], None
    for t in range(1, max_length + 1):
        log_probs, state = step(last, state)
        totals = total[:, None] + log_probs
        ending = totals[:, 3].tolist()
        totals[:, [0, 2]] = -math.inf
        total, flat = totals.flatten().topk(beam_size)
        for tokens, end in zip(written, ending):
            if end > total[-1] and (best is None or end / t**alpha > best[0]):
                best = (end / t**alpha, tokens)
        parents, last = flat // totals.shape[1], flat % totals.shape[1]
        written = [[*written[p], w] for p, w in zip(parents.tolist(), last.tolist())]
        state = state[parents]
    return finished(best, written, total, max_length, alpha)


@wrong("The states do not follow")
def normalized_beam(step, state, max_length, beam_size=5, alpha=1.0):
    last, total, written, best = torch.tensor([2]), torch.zeros(1), [[]], None
    for t in range(1, max_length + 1):
        log_probs, state = step(last, state)
        totals = total[:, None] + log_probs
        ending = totals[:, 3].tolist()
        totals[:, [0, 2, 3]] = -math.inf
        total, flat = totals.flatten().topk(beam_size)
        for tokens, end in zip(written, ending):
            if end > total[-1] and (best is None or end / t**alpha > best[0]):
                best = (end / t**alpha, tokens)
        parents, last = flat // totals.shape[1], flat % totals.shape[1]
        written = [[*written[p], w] for p, w in zip(parents.tolist(), last.tolist())]
        if len(state) == 1:
            state = state.expand(beam_size, *state.shape[1:])
    return finished(best, written, total, max_length, alpha)


@wrong("add the total")
def normalized_beam(step, state, max_length, beam_size=5, alpha=1.0):
    last, total, written, best = torch.tensor([2]), torch.zeros(1), [[]], None
    for t in range(1, max_length + 1):
        totals, state = step(last, state)
        totals = totals.clone()
        ending = totals[:, 3].tolist()
        totals[:, [0, 2, 3]] = -math.inf
        total, flat = totals.flatten().topk(beam_size)
        for tokens, end in zip(written, ending):
            if end > total[-1] and (best is None or end / t**alpha > best[0]):
                best = (end / t**alpha, tokens)
        parents, last = flat // totals.shape[1], flat % totals.shape[1]
        written = [[*written[p], w] for p, w in zip(parents.tolist(), last.tolist())]
        state = state[parents]
    return finished(best, written, total, max_length, alpha)


@wrong("Divide first")
def normalized_beam(step, state, max_length, beam_size=5, alpha=1.0):
    last, total, written, best = torch.tensor([2]), torch.zeros(1), [[]], None
    for t in range(1, max_length + 1):
        log_probs, state = step(last, state)
        totals = total[:, None] + log_probs
        ending = totals[:, 3].tolist()
        totals[:, [0, 2, 3]] = -math.inf
        total, flat = totals.flatten().topk(beam_size)
        for tokens, end in zip(written, ending):
            if end > total[-1] and (best is None or end > best[0]):
                best = (end, tokens)
        parents, last = flat // totals.shape[1], flat % totals.shape[1]
        written = [[*written[p], w] for p, w in zip(parents.tolist(), last.tolist())]
        state = state[parents]
    if best is None:
        return written[0], float(total[0]) / max_length**alpha
    return best[1], best[0] / (len(best[1]) + 1) ** alpha


@wrong("The end is not counted in the length")
def normalized_beam(step, state, max_length, beam_size=5, alpha=1.0):
    last, total, written, best = torch.tensor([2]), torch.zeros(1), [[]], None
    for t in range(1, max_length + 1):
        log_probs, state = step(last, state)
        totals = total[:, None] + log_probs
        ending = totals[:, 3].tolist()
        totals[:, [0, 2, 3]] = -math.inf
        total, flat = totals.flatten().topk(beam_size)
        for tokens, end in zip(written, ending):
            score = end / max(len(tokens), 1) ** alpha
            if end > total[-1] and (best is None or score > best[0]):
                best = (score, tokens)
        parents, last = flat // totals.shape[1], flat % totals.shape[1]
        written = [[*written[p], w] for p, w in zip(parents.tolist(), last.tolist())]
        state = state[parents]
    return finished(best, written, total, max_length, alpha)


@wrong("Every ending counts here")
def normalized_beam(step, state, max_length, beam_size=5, alpha=1.0):
    last, total, written, best = torch.tensor([2]), torch.zeros(1), [[]], None
    for t in range(1, max_length + 1):
        log_probs, state = step(last, state)
        totals = total[:, None] + log_probs
        for tokens, end in zip(written, totals[:, 3].tolist()):
            if end > -math.inf and (best is None or end / t**alpha > best[0]):
                best = (end / t**alpha, tokens)
        totals[:, [0, 2, 3]] = -math.inf
        total, flat = totals.flatten().topk(beam_size)
        parents, last = flat // totals.shape[1], flat % totals.shape[1]
        written = [[*written[p], w] for p, w in zip(parents.tolist(), last.tolist())]
        state = state[parents]
    return finished(best, written, total, max_length, alpha)


@wrong("after they have grown")
def normalized_beam(step, state, max_length, beam_size=5, alpha=1.0):
    last, total, written, best = torch.tensor([2]), torch.zeros(1), [[]], None
    for t in range(1, max_length + 1):
        log_probs, state = step(last, state)
        totals = total[:, None] + log_probs
        ending = totals[:, 3].tolist()
        totals[:, [0, 2, 3]] = -math.inf
        total, flat = totals.flatten().topk(beam_size)
        parents, last = flat // totals.shape[1], flat % totals.shape[1]
        written = [[*written[p], w] for p, w in zip(parents.tolist(), last.tolist())]
        state = state[parents]
        for tokens, end in zip(written, ending):
            if end > total[-1] and (best is None or end / t**alpha > best[0]):
                best = (end / t**alpha, tokens)
    return finished(best, written, total, max_length, alpha)


@wrong("among the best 2K")
def normalized_beam(step, state, max_length, beam_size=5, alpha=1.0):
    last, total, written, best = torch.tensor([2]), torch.zeros(1), [[]], None
    for t in range(1, max_length + 1):
        log_probs, state = step(last, state)
        totals = total[:, None] + log_probs
        totals[:, [0, 2]] = -math.inf
        size, kept = totals.shape[1], []
        values, flat = totals.flatten().topk(2 * beam_size)
        for value, place in zip(values.tolist(), flat.tolist()):
            if place % size != 3:
                kept.append((value, place // size, place % size))
            elif best is None or value / t**alpha > best[0]:
                best = (value / t**alpha, written[place // size])
        kept = kept[:beam_size]
        written = [[*written[p], w] for _, p, w in kept]
        total, last = torch.tensor([v for v, _, _ in kept]), torch.tensor([w for _, _, w in kept])
        state = state[[p for _, p, _ in kept]]
    return finished(best, written, total, max_length, alpha)


@wrong("A later ending may have a better score")
def normalized_beam(step, state, max_length, beam_size=5, alpha=1.0):
    last, total, written = torch.tensor([2]), torch.zeros(1), [[]]
    for t in range(1, max_length + 1):
        log_probs, state = step(last, state)
        totals = total[:, None] + log_probs
        ending = totals[:, 3].tolist()
        totals[:, [0, 2, 3]] = -math.inf
        total, flat = totals.flatten().topk(beam_size)
        ended = [
            (end / t**alpha, tokens) for tokens, end in zip(written, ending) if end > total[-1]
        ]
        if ended:
            score, tokens = max(ended)
            return tokens, score
        parents, last = flat // totals.shape[1], flat % totals.shape[1]
        written = [[*written[p], w] for p, w in zip(parents.tolist(), last.tolist())]
        state = state[parents]
    return written[0], float(total[0]) / max_length**alpha


@wrong("Every prefix keeps its own best word")
def normalized_beam(step, state, max_length, beam_size=5, alpha=1.0):
    last, total, written, best = torch.tensor([2]), torch.zeros(1), [[]], None
    for t in range(1, max_length + 1):
        log_probs, state = step(last, state)
        totals = total[:, None] + log_probs
        ending = totals[:, 3].tolist()
        totals[:, [0, 2, 3]] = -math.inf
        if t == 1:
            total, last = totals[0].topk(beam_size)
            parents = torch.zeros(beam_size, dtype=torch.long)
        else:
            total, last = totals.max(dim=1)
            parents = torch.arange(beam_size)
        for tokens, end in zip(written, ending):
            if end > total[-1] and (best is None or end / t**alpha > best[0]):
                best = (end / t**alpha, tokens)
        written = [[*written[p], w] for p, w in zip(parents.tolist(), last.tolist())]
        state = state[parents]
    return finished(best, written, total, max_length, alpha)


@right
def normalized_beam(step, state, max_length, beam_size=5, alpha=1.0):
    live, done = [(0.0, [2], state)], []
    for t in range(1, max_length + 1):
        found, ends = [], []
        for total, tokens, one in live:
            log_probs, new = step(torch.tensor(tokens[-1:]), one)
            gains = log_probs[0].tolist()
            ends.append((total + gains[3], tokens[1:]))
            found += [
                (total + gain, [*tokens, v], new)
                for v, gain in enumerate(gains)
                if v not in (0, 2, 3)
            ]
        found.sort(key=lambda one: -one[0])
        live = found[:beam_size]
        done += [(end / t**alpha, tokens) for end, tokens in ends if end > live[-1][0]]
    if done:
        score, tokens = max(done, key=lambda one: one[0])
        return tokens, score
    return live[0][1][1:], live[0][0] / max_length**alpha


@right
def normalized_beam(step, state, max_length, beam_size=5, alpha=1.0):
    words, total = torch.full((1, 1), 2), torch.zeros(1)
    best = (-math.inf, None)
    for t in range(1, max_length + 1):
        log_probs, state = step(words[:, -1], state)
        totals = total.unsqueeze(1) + log_probs
        ending = totals[:, 3]
        rest = totals.index_fill(1, torch.tensor([0, 2, 3]), -math.inf)
        total, flat = rest.flatten().topk(beam_size)
        k = int(ending.argmax())
        if ending[k] > total[-1]:
            best = max(
                best, (float(ending[k]) / t**alpha, words[k, 1:].tolist()), key=lambda x: x[0]
            )
        parents = flat.div(rest.shape[1], rounding_mode="floor")
        words = torch.cat([words[parents], flat.remainder(rest.shape[1]).unsqueeze(1)], 1)
        state = state.index_select(0, parents)
    if best[1] is None:
        best = (float(total[0]) / max_length**alpha, words[0, 1:].tolist())
    return best[1], best[0]


# Mistakes that nobody has foreseen: the rules say what does not hold.


def beams(step, state, max_length, beam_size):
    """Everything that a beam finds: endings as (log P, number of tokens, tokens), and the rest."""
    last, total, written, ends = torch.tensor([2]), torch.zeros(1), [[]], []
    for t in range(1, max_length + 1):
        log_probs, state = step(last, state)
        totals = total[:, None] + log_probs
        ending = totals[:, 3].tolist()
        totals[:, [0, 2, 3]] = -math.inf
        total, flat = totals.flatten().topk(beam_size)
        ends += [(end, t, tokens) for tokens, end in zip(written, ending) if end > total[-1]]
        parents, last = flat // totals.shape[1], flat % totals.shape[1]
        written = [[*written[p], w] for p, w in zip(parents.tolist(), last.tolist())]
        state = state[parents]
    return ends, written, total


def best_of(step, state, max_length, beam_size, alpha):
    ends, written, total = beams(step, state, max_length, beam_size)
    ranked = [(end / t**alpha, tokens) for end, t, tokens in ends]
    score, tokens = max(ranked, default=(float(total[0]) / max_length**alpha, written[0]))
    return tokens, score


@wrong("is among the tokens")
def normalized_beam(step, state, max_length, beam_size=5, alpha=1.0):
    tokens, score = best_of(step, state, max_length, beam_size, alpha)
    return [2, *tokens], score


@wrong("The model, reading")
def normalized_beam(step, state, max_length, beam_size=5, alpha=1.0):
    tokens, score = best_of(step, state, max_length, beam_size, alpha)
    return tokens, math.exp(score)


@wrong("comes back, score")
def normalized_beam(step, state, max_length, beam_size=5, alpha=1.0):
    ends, written, total = beams(step, state, max_length, beam_size)
    longest = max((t for _, t, _ in ends), default=0)  # prefers length, whatever it costs
    ranked = [(end / t**alpha, tokens) for end, t, tokens in ends if t == longest]
    score, tokens = max(ranked, default=(float(total[0]) / max_length**alpha, written[0]))
    return tokens, score


@wrong("but does not count")
def normalized_beam(step, state, max_length, beam_size=5, alpha=1.0):
    last, total, written, best = torch.tensor([2]), torch.zeros(1), [[]], None
    for t in range(1, max_length + 1):
        log_probs, state = step(last, state)
        totals = total[:, None] + log_probs
        ending = totals[:, 3].tolist()
        totals[:, [0, 2, 3]] = -math.inf
        total, flat = totals.flatten().topk(beam_size)
        for tokens, end in zip(written, ending):  # a bar of its own
            if end > total[-1] - 1 and (best is None or end / t**alpha > best[0]):
                best = (end / t**alpha, tokens)
        parents, last = flat // totals.shape[1], flat % totals.shape[1]
        written = [[*written[p], w] for p, w in zip(parents.tolist(), last.tolist())]
        state = state[parents]
    return finished(best, written, total, max_length, alpha)
