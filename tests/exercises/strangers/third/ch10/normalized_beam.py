import math

import torch
from answering import right, wrong

from attnlib.data import BOS, EOS, PAD


@wrong("the states do not follow their prefixes")
def normalized_beam(step, state, max_length, beam_size=5, alpha=1.0):
    tokens, total, words = torch.tensor([BOS]), torch.zeros(1), [[]]
    best, best_words = -math.inf, None
    for t in range(1, max_length + 1):
        log_probs, state = step(tokens, state)
        totals = total.unsqueeze(1) + log_probs
        endings = totals[:, EOS].clone()
        totals[:, [PAD, BOS, EOS]] = -math.inf
        K, V = totals.shape
        values, places = totals.flatten().topk(min(beam_size, K * (V - 3)))
        for k in range(K):
            score = float(endings[k]) / t**alpha
            if endings[k] > values[-1] and score > best:
                best, best_words = score, words[k]
        parents, tokens = places // V, places % V
        words = [words[p] + [w] for p, w in zip(parents.tolist(), tokens.tolist())]
        total = values
    if best_words is None:
        return words[0], float(total[0]) / max_length**alpha
    return best_words, best


@wrong("the sums are not carried: only the last gain counts")
def normalized_beam(step, state, max_length, beam_size=5, alpha=1.0):
    tokens, total, words = torch.tensor([BOS]), torch.zeros(1), [[]]
    best, best_words = -math.inf, None
    for t in range(1, max_length + 1):
        log_probs, state = step(tokens, state)
        totals = log_probs.clone()
        endings = totals[:, EOS].clone()
        totals[:, [PAD, BOS, EOS]] = -math.inf
        K, V = totals.shape
        values, places = totals.flatten().topk(min(beam_size, K * (V - 3)))
        for k in range(K):
            score = float(endings[k]) / t**alpha
            if endings[k] > values[-1] and score > best:
                best, best_words = score, words[k]
        parents, tokens = places // V, places % V
        words = [words[p] + [w] for p, w in zip(parents.tolist(), tokens.tolist())]
        state, total = state[parents], values
    if best_words is None:
        return words[0], float(total[0]) / max_length**alpha
    return best_words, best


@wrong("the score is the bare sum: alpha is not used")
def normalized_beam(step, state, max_length, beam_size=5, alpha=1.0):
    tokens, total, words = torch.tensor([BOS]), torch.zeros(1), [[]]
    best, best_words = -math.inf, None
    for t in range(1, max_length + 1):
        log_probs, state = step(tokens, state)
        totals = total.unsqueeze(1) + log_probs
        endings = totals[:, EOS].clone()
        totals[:, [PAD, BOS, EOS]] = -math.inf
        K, V = totals.shape
        values, places = totals.flatten().topk(min(beam_size, K * (V - 3)))
        for k in range(K):
            score = float(endings[k])
            if endings[k] > values[-1] and score > best:
                best, best_words = score, words[k]
        parents, tokens = places // V, places % V
        words = [words[p] + [w] for p, w in zip(parents.tolist(), tokens.tolist())]
        state, total = state[parents], values
    if best_words is None:
        return words[0], float(total[0])
    return best_words, best


@wrong("divided by the number of words, without the end")
def normalized_beam(step, state, max_length, beam_size=5, alpha=1.0):
    tokens, total, words = torch.tensor([BOS]), torch.zeros(1), [[]]
    best, best_words = -math.inf, None
    for t in range(1, max_length + 1):
        log_probs, state = step(tokens, state)
        totals = total.unsqueeze(1) + log_probs
        endings = totals[:, EOS].clone()
        totals[:, [PAD, BOS, EOS]] = -math.inf
        K, V = totals.shape
        values, places = totals.flatten().topk(min(beam_size, K * (V - 3)))
        for k in range(K):
            score = float(endings[k]) / max(t - 1, 1) ** alpha
            if endings[k] > values[-1] and score > best:
                best, best_words = score, words[k]
        parents, tokens = places // V, places % V
        words = [words[p] + [w] for p, w in zip(parents.tolist(), tokens.tolist())]
        state, total = state[parents], values
    if best_words is None:
        return words[0], float(total[0]) / max_length**alpha
    return best_words, best


@wrong("every ending counts, also one below the last survivor")
def normalized_beam(step, state, max_length, beam_size=5, alpha=1.0):
    tokens, total, words = torch.tensor([BOS]), torch.zeros(1), [[]]
    best, best_words = -math.inf, None
    for t in range(1, max_length + 1):
        log_probs, state = step(tokens, state)
        totals = total.unsqueeze(1) + log_probs
        endings = totals[:, EOS].clone()
        totals[:, [PAD, BOS, EOS]] = -math.inf
        K, V = totals.shape
        values, places = totals.flatten().topk(min(beam_size, K * (V - 3)))
        for k in range(K):
            score = float(endings[k]) / t**alpha
            if score > best:
                best, best_words = score, words[k]
        parents, tokens = places // V, places % V
        words = [words[p] + [w] for p, w in zip(parents.tolist(), tokens.tolist())]
        state, total = state[parents], values
    if best_words is None:
        return words[0], float(total[0]) / max_length**alpha
    return best_words, best


@wrong("an ending counts only above the first survivor")
def normalized_beam(step, state, max_length, beam_size=5, alpha=1.0):
    tokens, total, words = torch.tensor([BOS]), torch.zeros(1), [[]]
    best, best_words = -math.inf, None
    for t in range(1, max_length + 1):
        log_probs, state = step(tokens, state)
        totals = total.unsqueeze(1) + log_probs
        endings = totals[:, EOS].clone()
        totals[:, [PAD, BOS, EOS]] = -math.inf
        K, V = totals.shape
        values, places = totals.flatten().topk(min(beam_size, K * (V - 3)))
        for k in range(K):
            score = float(endings[k]) / t**alpha
            if endings[k] > values[0] and score > best:
                best, best_words = score, words[k]
        parents, tokens = places // V, places % V
        words = [words[p] + [w] for p, w in zip(parents.tolist(), tokens.tolist())]
        state, total = state[parents], values
    if best_words is None:
        return words[0], float(total[0]) / max_length**alpha
    return best_words, best


@wrong("the words of the survivors are already in place when the endings are looked at")
def normalized_beam(step, state, max_length, beam_size=5, alpha=1.0):
    tokens, total, words = torch.tensor([BOS]), torch.zeros(1), [[]]
    best, best_words = -math.inf, None
    for t in range(1, max_length + 1):
        log_probs, state = step(tokens, state)
        totals = total.unsqueeze(1) + log_probs
        endings = totals[:, EOS].clone()
        totals[:, [PAD, BOS, EOS]] = -math.inf
        K, V = totals.shape
        values, places = totals.flatten().topk(min(beam_size, K * (V - 3)))
        parents, tokens = places // V, places % V
        words = [words[p] + [w] for p, w in zip(parents.tolist(), tokens.tolist())]
        state, total = state[parents], values
        for k in range(min(K, len(words))):
            score = float(endings[k]) / t**alpha
            if endings[k] > values[-1] and score > best:
                best, best_words = score, words[k]
    if best_words is None:
        return words[0], float(total[0]) / max_length**alpha
    return best_words, best


@wrong("each survivor continues the words at its own place, not its parent's")
def normalized_beam(step, state, max_length, beam_size=5, alpha=1.0):
    tokens, total, words = torch.tensor([BOS]), torch.zeros(1), [[]]
    best, best_words = -math.inf, None
    for t in range(1, max_length + 1):
        log_probs, state = step(tokens, state)
        totals = total.unsqueeze(1) + log_probs
        endings = totals[:, EOS].clone()
        totals[:, [PAD, BOS, EOS]] = -math.inf
        K, V = totals.shape
        values, places = totals.flatten().topk(min(beam_size, K * (V - 3)))
        for k in range(K):
            score = float(endings[k]) / t**alpha
            if endings[k] > values[-1] and score > best:
                best, best_words = score, words[k]
        parents, tokens = places // V, places % V
        words = [words[min(k, len(words) - 1)] + [w] for k, w in enumerate(tokens.tolist())]
        state, total = state[parents], values
    if best_words is None:
        return words[0], float(total[0]) / max_length**alpha
    return best_words, best


@wrong("parent and word are mixed up: // and %")
def normalized_beam(step, state, max_length, beam_size=5, alpha=1.0):
    tokens, total, words = torch.tensor([BOS]), torch.zeros(1), [[]]
    best, best_words = -math.inf, None
    for t in range(1, max_length + 1):
        log_probs, state = step(tokens, state)
        totals = total.unsqueeze(1) + log_probs
        endings = totals[:, EOS].clone()
        totals[:, [PAD, BOS, EOS]] = -math.inf
        K, V = totals.shape
        values, places = totals.flatten().topk(min(beam_size, K * (V - 3)))
        for k in range(K):
            score = float(endings[k]) / t**alpha
            if endings[k] > values[-1] and score > best:
                best, best_words = score, words[k]
        parents, tokens = places % K, places // K
        words = [words[p] + [w] for p, w in zip(parents.tolist(), tokens.tolist())]
        state, total = state[parents], values
    if best_words is None:
        return words[0], float(total[0]) / max_length**alpha
    return best_words, best


@wrong("EOS may survive like a word")
def normalized_beam(step, state, max_length, beam_size=5, alpha=1.0):
    tokens, total, words = torch.tensor([BOS]), torch.zeros(1), [[]]
    best, best_words = -math.inf, None
    for t in range(1, max_length + 1):
        log_probs, state = step(tokens, state)
        totals = total.unsqueeze(1) + log_probs
        endings = totals[:, EOS].clone()
        totals[:, [PAD, BOS]] = -math.inf
        K, V = totals.shape
        values, places = totals.flatten().topk(min(beam_size, K * (V - 2)))
        for k in range(K):
            score = float(endings[k]) / t**alpha
            if endings[k] > values[-1] and score > best:
                best, best_words = score, words[k]
        parents, tokens = places // V, places % V
        words = [words[p] + [w] for p, w in zip(parents.tolist(), tokens.tolist())]
        state, total = state[parents], values
    if best_words is None:
        return words[0], float(total[0]) / max_length**alpha
    return best_words, best


@wrong("the endings are read after the columns were closed: all are −∞")
def normalized_beam(step, state, max_length, beam_size=5, alpha=1.0):
    tokens, total, words = torch.tensor([BOS]), torch.zeros(1), [[]]
    best, best_words = -math.inf, None
    for t in range(1, max_length + 1):
        log_probs, state = step(tokens, state)
        totals = total.unsqueeze(1) + log_probs
        totals[:, [PAD, BOS, EOS]] = -math.inf
        endings = totals[:, EOS].clone()
        K, V = totals.shape
        values, places = totals.flatten().topk(min(beam_size, K * (V - 3)))
        for k in range(K):
            score = float(endings[k]) / t**alpha
            if endings[k] > values[-1] and score > best:
                best, best_words = score, words[k]
        parents, tokens = places // V, places % V
        words = [words[p] + [w] for p, w in zip(parents.tolist(), tokens.tolist())]
        state, total = state[parents], values
    if best_words is None:
        return words[0], float(total[0]) / max_length**alpha
    return best_words, best


@wrong("stops at the first step with an ending that counts")
def normalized_beam(step, state, max_length, beam_size=5, alpha=1.0):
    tokens, total, words = torch.tensor([BOS]), torch.zeros(1), [[]]
    best, best_words = -math.inf, None
    for t in range(1, max_length + 1):
        log_probs, state = step(tokens, state)
        totals = total.unsqueeze(1) + log_probs
        endings = totals[:, EOS].clone()
        totals[:, [PAD, BOS, EOS]] = -math.inf
        K, V = totals.shape
        values, places = totals.flatten().topk(min(beam_size, K * (V - 3)))
        for k in range(K):
            score = float(endings[k]) / t**alpha
            if endings[k] > values[-1] and score > best:
                best, best_words = score, words[k]
        if best_words is not None:
            return best_words, best
        parents, tokens = places // V, places % V
        words = [words[p] + [w] for p, w in zip(parents.tolist(), tokens.tolist())]
        state, total = state[parents], values
    if best_words is None:
        return words[0], float(total[0]) / max_length**alpha
    return best_words, best


@wrong("the last ending that counts, not the best")
def normalized_beam(step, state, max_length, beam_size=5, alpha=1.0):
    tokens, total, words = torch.tensor([BOS]), torch.zeros(1), [[]]
    best, best_words = -math.inf, None
    for t in range(1, max_length + 1):
        log_probs, state = step(tokens, state)
        totals = total.unsqueeze(1) + log_probs
        endings = totals[:, EOS].clone()
        totals[:, [PAD, BOS, EOS]] = -math.inf
        K, V = totals.shape
        values, places = totals.flatten().topk(min(beam_size, K * (V - 3)))
        for k in range(K):
            score = float(endings[k]) / t**alpha
            if endings[k] > values[-1]:
                best, best_words = score, words[k]
        parents, tokens = places // V, places % V
        words = [words[p] + [w] for p, w in zip(parents.tolist(), tokens.tolist())]
        state, total = state[parents], values
    if best_words is None:
        return words[0], float(total[0]) / max_length**alpha
    return best_words, best


@wrong("the end stands among the words")
def normalized_beam(step, state, max_length, beam_size=5, alpha=1.0):
    tokens, total, words = torch.tensor([BOS]), torch.zeros(1), [[]]
    best, best_words = -math.inf, None
    for t in range(1, max_length + 1):
        log_probs, state = step(tokens, state)
        totals = total.unsqueeze(1) + log_probs
        endings = totals[:, EOS].clone()
        totals[:, [PAD, BOS, EOS]] = -math.inf
        K, V = totals.shape
        values, places = totals.flatten().topk(min(beam_size, K * (V - 3)))
        for k in range(K):
            score = float(endings[k]) / t**alpha
            if endings[k] > values[-1] and score > best:
                best, best_words = score, words[k] + [EOS]
        parents, tokens = places // V, places % V
        words = [words[p] + [w] for p, w in zip(parents.tolist(), tokens.tolist())]
        state, total = state[parents], values
    if best_words is None:
        return words[0], float(total[0]) / max_length**alpha
    return best_words, best


@wrong("the sum is returned with the words, not the score")
def normalized_beam(step, state, max_length, beam_size=5, alpha=1.0):
    tokens, total, words = torch.tensor([BOS]), torch.zeros(1), [[]]
    best, best_words = -math.inf, None
    for t in range(1, max_length + 1):
        log_probs, state = step(tokens, state)
        totals = total.unsqueeze(1) + log_probs
        endings = totals[:, EOS].clone()
        totals[:, [PAD, BOS, EOS]] = -math.inf
        K, V = totals.shape
        values, places = totals.flatten().topk(min(beam_size, K * (V - 3)))
        for k in range(K):
            score = float(endings[k]) / t**alpha
            if endings[k] > values[-1] and score > best:
                best, best_words, best_sum = score, words[k], float(endings[k])
        parents, tokens = places // V, places % V
        words = [words[p] + [w] for p, w in zip(parents.tolist(), tokens.tolist())]
        state, total = state[parents], values
    if best_words is None:
        return words[0], float(total[0]) / max_length**alpha
    return best_words, best_sum


@wrong("where nothing has ended the score is not divided")
def normalized_beam(step, state, max_length, beam_size=5, alpha=1.0):
    tokens, total, words = torch.tensor([BOS]), torch.zeros(1), [[]]
    best, best_words = -math.inf, None
    for t in range(1, max_length + 1):
        log_probs, state = step(tokens, state)
        totals = total.unsqueeze(1) + log_probs
        endings = totals[:, EOS].clone()
        totals[:, [PAD, BOS, EOS]] = -math.inf
        K, V = totals.shape
        values, places = totals.flatten().topk(min(beam_size, K * (V - 3)))
        for k in range(K):
            score = float(endings[k]) / t**alpha
            if endings[k] > values[-1] and score > best:
                best, best_words = score, words[k]
        parents, tokens = places // V, places % V
        words = [words[p] + [w] for p, w in zip(parents.tolist(), tokens.tolist())]
        state, total = state[parents], values
    if best_words is None:
        return words[0], float(total[0])
    return best_words, best


@wrong("multiplied by t to the power alpha")
def normalized_beam(step, state, max_length, beam_size=5, alpha=1.0):
    tokens, total, words = torch.tensor([BOS]), torch.zeros(1), [[]]
    best, best_words = -math.inf, None
    for t in range(1, max_length + 1):
        log_probs, state = step(tokens, state)
        totals = total.unsqueeze(1) + log_probs
        endings = totals[:, EOS].clone()
        totals[:, [PAD, BOS, EOS]] = -math.inf
        K, V = totals.shape
        values, places = totals.flatten().topk(min(beam_size, K * (V - 3)))
        for k in range(K):
            score = float(endings[k]) * t**alpha
            if endings[k] > values[-1] and score > best:
                best, best_words = score, words[k]
        parents, tokens = places // V, places % V
        words = [words[p] + [w] for p, w in zip(parents.tolist(), tokens.tolist())]
        state, total = state[parents], values
    if best_words is None:
        return words[0], float(total[0]) * max_length**alpha
    return best_words, best


@wrong("one step too few")
def normalized_beam(step, state, max_length, beam_size=5, alpha=1.0):
    tokens, total, words = torch.tensor([BOS]), torch.zeros(1), [[]]
    best, best_words = -math.inf, None
    for t in range(1, max(max_length, 2)):
        log_probs, state = step(tokens, state)
        totals = total.unsqueeze(1) + log_probs
        endings = totals[:, EOS].clone()
        totals[:, [PAD, BOS, EOS]] = -math.inf
        K, V = totals.shape
        values, places = totals.flatten().topk(min(beam_size, K * (V - 3)))
        for k in range(K):
            score = float(endings[k]) / t**alpha
            if endings[k] > values[-1] and score > best:
                best, best_words = score, words[k]
        parents, tokens = places // V, places % V
        words = [words[p] + [w] for p, w in zip(parents.tolist(), tokens.tolist())]
        state, total = state[parents], values
    if best_words is None:
        return words[0], float(total[0]) / max_length**alpha
    return best_words, best


@wrong("one list of words is shared: append to the parent's list")
def normalized_beam(step, state, max_length, beam_size=5, alpha=1.0):
    tokens, total, words = torch.tensor([BOS]), torch.zeros(1), [[]]
    best, best_words = -math.inf, None
    for t in range(1, max_length + 1):
        log_probs, state = step(tokens, state)
        totals = total.unsqueeze(1) + log_probs
        endings = totals[:, EOS].clone()
        totals[:, [PAD, BOS, EOS]] = -math.inf
        K, V = totals.shape
        values, places = totals.flatten().topk(min(beam_size, K * (V - 3)))
        for k in range(K):
            score = float(endings[k]) / t**alpha
            if endings[k] > values[-1] and score > best:
                best, best_words = score, words[k]
        parents, tokens = places // V, places % V
        grown = []
        for p, w in zip(parents.tolist(), tokens.tolist()):
            words[p].append(w)
            grown.append(words[p])
        words = grown
        state, total = state[parents], values
    if best_words is None:
        return words[0], float(total[0]) / max_length**alpha
    return best_words, best


@right
def normalized_beam(step, state, max_length, beam_size=5, alpha=1.0):
    live = [(0.0, [], BOS, state[0])]
    ended = []
    for t in range(1, max_length + 1):
        fed = torch.tensor([last for _, _, last, _ in live])
        log_probs, states = step(fed, torch.stack([own for _, _, _, own in live]))
        grown, endings = [], []
        for (total, words, _, _), row, after in zip(live, log_probs.tolist(), states):
            endings.append((total + row[EOS], words))
            for token, gain in enumerate(row):
                if token not in (PAD, BOS, EOS):
                    grown.append((total + gain, [*words, token], token, after))
        live = sorted(grown, key=lambda prefix: -prefix[0])[:beam_size]
        for total, words in endings:
            if total > live[-1][0]:
                ended.append((total / t**alpha, words))
    if not ended:
        return live[0][1], live[0][0] / max_length**alpha
    score, words = max(ended, key=lambda pair: pair[0])
    return words, score


@right
def normalized_beam(step, state, max_length, beam_size=5, alpha=1.0):
    total = torch.zeros(1)
    history = torch.full((1, 1), BOS)
    answers = []
    for t in range(1, max_length + 1):
        out, state = step(history[:, -1], state)
        sums = out + total[:, None]
        K, V = sums.shape
        free = torch.ones(V, dtype=torch.bool)
        free[[PAD, BOS, EOS]] = False
        numbers = free.nonzero().flatten()
        open_sums = sums[:, numbers].reshape(-1)
        order = open_sums.argsort(descending=True)[:beam_size]
        bar = open_sums[order[-1]]
        for k in (sums[:, EOS] > bar).nonzero().flatten().tolist():
            answers.append(((sums[k, EOS] / t**alpha).item(), history[k, 1:].tolist()))
        parents = order.div(len(numbers), rounding_mode="floor")
        new = numbers[order.remainder(len(numbers))]
        history = torch.cat([history[parents], new[:, None]], dim=1)
        state, total = state.index_select(0, parents), open_sums[order]
    if answers:
        score, words = max(answers, key=lambda answer: answer[0])
        return words, score
    return history[0, 1:].tolist(), (total[0] / max_length**alpha).item()
