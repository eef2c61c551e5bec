"""Wrong answers to the exercises of chapter 8, and a part of the diagnosis meant for each."""

GREEDY = """def greedy_tokens(step, memory, state, max_length):
    tokens, log_prob, last = [], 0.0, 2
    for _ in range(max_length):
        log_probs, state, weights = step(torch.tensor([[last]]), memory, state)
        row = log_probs[0, 0]
        row[0] = row[2] = -math.inf
        last = row.argmax().item()
        log_prob += row[last].item()
        if last == 3:
            break
        tokens.append(last)
    return tokens, log_prob"""


def greedy(old: str, new: str) -> str:
    """A right answer with one line changed."""
    assert old in GREEDY
    return GREEDY.replace(old, new)


BEAM = """def beam_tokens(step, memory, state, max_length, beam_size=5, alpha=0.0, penalty="gnmt"):
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
    return tokens, log_prob"""


def beam(old: str, new: str) -> str:
    """A right answer with one line changed."""
    assert old in BEAM
    return BEAM.replace(old, new)


RIGHT = [GREEDY, BEAM]  # what the changed lines are changes of

WRONG = [
    # greedy_trap
    ("greedy_trap", "def greedy_trap(p):\n    return [1.0], [1.0]", "must the model be unsure"),
    (
        "greedy_trap",
        "def greedy_trap(p):\n    return [0.5, 0.5], [1.0]",
        "enough only while p / 2 < 1 − p",
    ),
    (
        "greedy_trap",
        "def greedy_trap(p):\n    return [0.25] * 4, [1.0]",
        "Among how many words must",
    ),
    (
        "greedy_trap",
        "def greedy_trap(p):\n    return [0.1] * 5, [1.0]",
        "What follows a sums to 0.5",
    ),
    (
        "greedy_trap",
        "def greedy_trap(p):\n    n = int(p / (1 - p)) + 2\n    return [1.0], [1 / n] * n",
        "what follows b be more certain",
    ),
    (
        "greedy_trap",
        "def greedy_trap(p):\n    n = math.ceil(p / (1 - p)) + 1\n    return [1.0], [1 / n] * n",
        "The two lists are exchanged",
    ),
    (
        "greedy_trap",
        "def greedy_trap(p):\n    return [0.01] * 100, [0.5, 0.5]",
        "what follows b be more certain",
    ),
    ("greedy_trap", "def greedy_trap(p):\n    return [0.01] * 100, []", "Two lists of numbers"),
    # greedy_tokens
    (
        "greedy_tokens",
        greedy("return tokens, log_prob", "return tokens, math.exp(log_prob)"),
        "This is the probability",
    ),
    ("greedy_tokens", greedy("return tokens, log_prob", "return tokens, -log_prob"), "wrong sign"),
    (
        "greedy_tokens",
        greedy(
            "        if last == 3:\n            break\n        tokens.append(last)",
            "        tokens.append(last)\n        if last == 3:\n            break",
        ),
        "The eos is among the tokens",
    ),
    (
        "greedy_tokens",
        greedy(
            "        log_prob += row[last].item()\n        if last == 3:\n            break\n",
            "        if last == 3:\n            break\n        log_prob += row[last].item()\n",
        ),
        "eos is missing from the sum",
    ),
    (
        "greedy_tokens",
        greedy("log_probs, state, weights = step(", "log_probs, _, weights = step("),
        "Every step is given the state of the start",
    ),
    (
        "greedy_tokens",
        greedy("torch.tensor([[last]])", "torch.tensor([[2]])"),
        "Every step is fed the start token",
    ),
    ("greedy_tokens", greedy("        row[0] = row[2] = -math.inf\n", ""), "may not be chosen"),
    (
        "greedy_tokens",
        greedy("row.argmax()", "row.masked_fill(row < -1e9, 0).abs().argmax()"),
        "largest absolute value",
    ),
    ("greedy_tokens", greedy("range(max_length)", "range(max_length + 1)"), "One token too many"),
    # length_penalty
    (
        "length_penalty",
        "def length_penalty(n, alpha, kind='gnmt'):\n"
        "    if kind == 'power':\n        return n ** alpha\n"
        "    return (5 + n) ** alpha / 6",
        "Only the numerator",
    ),
    (
        "length_penalty",
        "def length_penalty(n, alpha, kind='gnmt'):\n"
        "    base = {'power': n, 'gnmt': (5 + n) / 6}[kind]\n    return base * alpha",
        "multiplied by α",
    ),
    (
        "length_penalty",
        "def length_penalty(n, alpha, kind='gnmt'):\n"
        "    return (5 + n) ** alpha / (5 + 1) ** alpha",
        "always the GNMT penalty",
    ),
    (
        "length_penalty",
        "def length_penalty(n, alpha, kind='gnmt'):\n    return n ** alpha",
        "always n^α",
    ),
    (
        "length_penalty",
        "def length_penalty(n, alpha, kind='gnmt'):\n"
        "    n = n + 1  # the eos\n"
        "    return n ** alpha if kind == 'power' else ((5 + n) / 6) ** alpha",
        "eos is counted twice",
    ),
    (
        "length_penalty",
        "def length_penalty(n, alpha, kind='gnmt'):\n"
        "    base = n if kind == 'power' else (5 + n) / 6\n    return 1 / base ** alpha",
        "exponent has the wrong sign",
    ),
    # coverage_penalty
    (
        "coverage_penalty",
        "def coverage_penalty(coverage, beta, mask):\n"
        "    parts = torch.where(mask, torch.log(coverage + 1e-9), 0.0)\n"
        "    return beta * parts.sum(-1)",
        "Where is the minimum with 1",
    ),
    (
        "coverage_penalty",
        "def coverage_penalty(coverage, beta, mask):\n"
        "    return beta * coverage.clamp(1e-9, 1.0).log().sum(-1)",
        "Padding is counted",
    ),
    (
        "coverage_penalty",
        "def coverage_penalty(coverage, beta, mask):\n"
        "    logs = torch.minimum(coverage, torch.ones_like(coverage)).log()\n"
        "    return beta * logs.masked_fill(~mask, 0).sum(-1)",
        "Take at least 1e-9",
    ),
    (
        "coverage_penalty",
        "def coverage_penalty(coverage, beta, mask):\n"
        "    logs = coverage.clamp(1e-9, 1).log() * mask\n    return beta * logs.mean(-1)",
        "mean over the positions",
    ),
    (
        "coverage_penalty",
        "def coverage_penalty(coverage, beta, mask):\n"
        "    return -beta * (coverage.clamp(1e-9, 1).log() * mask).sum(-1)",
        "The sign is turned",
    ),
    (
        "coverage_penalty",
        "def coverage_penalty(coverage, beta, mask):\n"
        "    return (coverage.clamp(1e-9, 1).log() * mask).sum(-1)",
        "beta has no effect",
    ),
    (
        "coverage_penalty",
        "def coverage_penalty(coverage, beta, mask):\n"
        "    return beta * (coverage.clamp(max=1) * mask).sum(-1)",
        "logarithm is missing",
    ),
    # can_stop
    (
        "can_stop",
        "def can_stop(best, live, t, max_length, alpha):\n"
        "    return best >= live / ((5 + t) / 6) ** alpha",
        "*present* length",
    ),
    (
        "can_stop",
        "def can_stop(best, live, t, max_length, alpha):\n    return best >= live",
        "rule for α = 0",
    ),
    (
        "can_stop",
        "def can_stop(best, live, t, max_length, alpha):\n"
        "    return best >= live / ((5 + max_length) / 6) ** alpha",
        "With a negative α",
    ),
    (
        "can_stop",
        "def can_stop(best, live, t, max_length, alpha):\n"
        "    if t == max_length:\n        return True\n"
        "    return best >= live / ((5 + t + 1) / 6) ** alpha",
        "as if it ended now",
    ),
    (
        "can_stop",
        "def can_stop(best, live, t, max_length, alpha):\n    return best != -math.inf",
        "as soon as anything has ended",
    ),
    (
        "can_stop",
        "def can_stop(best, live, t, max_length, alpha):\n    return t == max_length",
        "never stops before max_length",
    ),
    (
        "can_stop",
        "def can_stop(best, live, t, max_length, alpha):\n    return False",
        "It goes on for nothing",
    ),
    (
        "can_stop",
        "def can_stop(best, live, t, max_length, alpha):\n"
        "    lengths = range(t, max_length)\n"
        "    return all(best >= live / ((5 + n) / 6) ** alpha for n in lengths)",
        "It stops too early",
    ),
    # beam_tokens
    (
        "beam_tokens",
        beam("range(1, max_length + 1)", "range(1, max_length + 1) if not ended else []").replace(
            "        if not alive:", "        if not alive or ended:"
        ),
        "It stops when the first hypothesis ends",
    ),
    (
        "beam_tokens",
        beam("if not alive:", "if not alive or len(ended) >= beam_size:"),
        "It stops when beam_size hypotheses have ended",
    ),
    (
        "beam_tokens",
        beam(
            "if not alive:",
            "if not alive or ended and max(e[0] for e in ended) >= alive[0][0] / lp(t):",
        ),
        "*present* length",
    ),
    (
        "beam_tokens",
        beam("max(ended, key=lambda end: end[0])", "max(ended, key=lambda end: end[2])"),
        "alpha has no effect",
    ),
    (
        "beam_tokens",
        beam("for log_prob, tokens, new in options:", "for log_prob, tokens, _ in options:"),
        "state of the last prefix",
    ),
    (
        "beam_tokens",
        beam("token not in (0, 2) and gain", "gain"),
        "may not be chosen",
    ),
    (
        "beam_tokens",
        beam(
            "        options = sorted(",
            "        mine = {}\n"
            "        for option in options:\n"
            "            key = tuple(option[1][:-1])\n"
            "            mine[key] = max(mine.get(key, option), option, key=lambda o: o[0])\n"
            "        options = list(mine.values())\n"
            "        options = sorted(",
        ),
        "only its own best continuation",
    ),
    (
        "beam_tokens",
        beam("if len(alive) == beam_size:", "if len(alive) >= beam_size - len(ended):"),
        "The beam shrinks",
    ),
    (
        "beam_tokens",
        beam(
            "for log_prob, tokens, new in options:",
            "for log_prob, tokens, new in options[:beam_size]:",
        ),
        "takes a place in the beam",
    ),
    ("beam_tokens", beam("if len(alive) == beam_size:", "if alive:"), "This is greedy search"),
    (
        "beam_tokens",
        beam("return tokens, log_prob", "return tokens, score"),
        "not divided by anything",
    ),
    (
        "beam_tokens",
        beam("tokens[1:-1], log_prob))", "tokens[1:], log_prob))"),
        "The eos (3) is among the tokens",
    ),
    # reorder
    (
        "reorder",
        "def reorder(state, parents):\n"
        "    new = dict(state)\n"
        "    rows = torch.arange(len(parents))[:, None]\n"
        "    new['hidden'] = state['hidden'][rows, parents]\n    return new",
        "Only the hidden state",
    ),
    ("reorder", "def reorder(state, parents):\n    return state", "comes back as it was"),
    (
        "reorder",
        "def reorder(state, parents):\n"
        "    return {k: v.index_select(1, parents[0]) for k, v in state.items()}",
        "parents of the first one",
    ),
    (
        "reorder",
        "def reorder(state, parents):\n    return {k: v[parents] for k, v in state.items()}",
        "One index too few",
    ),
    (
        "reorder",
        "def reorder(state, parents):\n    return {k: v[parents[:, 0]] for k, v in state.items()}",
        "not sentences",
    ),
    (
        "reorder",
        "def reorder(state, parents):\n"
        "    for k, v in state.items():\n"
        "        old = v.clone()\n"
        "        for b in range(len(parents)):\n"
        "            for n in range(min(v.shape[1], parents.shape[1])):\n"
        "                v[b, n] = old[b, parents[b, n]]\n"
        "    return state",
        "was changed by the call",
    ),
    # nucleus
    (
        "nucleus",
        "def nucleus(probs, top_p):\n"
        "    p, i = probs.sort(-1, descending=True)\n"
        "    p = torch.where(p.cumsum(-1) - p < top_p, p, 0.0)\n"
        "    return torch.zeros_like(probs).scatter(-1, i, p)",
        "not divided by its sum",
    ),
    (
        "nucleus",
        "def nucleus(probs, top_p):\n"
        "    p, i = probs.sort(-1, descending=True)\n"
        "    p = torch.where(p.cumsum(-1) <= top_p, p, 0.0)\n"
        "    p = torch.zeros_like(probs).scatter(-1, i, p)\n"
        "    return p / p.sum(-1, keepdim=True)",
        "crosses the line",
    ),
    (
        "nucleus",
        "def nucleus(probs, top_p):\n"
        "    p = torch.where(probs.cumsum(-1) - probs < top_p, probs, 0.0)\n"
        "    return p / p.sum(-1, keepdim=True)",
        "in the order of the vocabulary",
    ),
    (
        "nucleus",
        "def nucleus(probs, top_p):\n"
        "    p, i = probs.sort(-1)\n"
        "    p = torch.where(p.cumsum(-1) - p < top_p, p, 0.0)\n"
        "    p = torch.zeros_like(probs).scatter(-1, i, p)\n"
        "    return p / p.sum(-1, keepdim=True)",
        "from the least probable token upwards",
    ),
    (
        "nucleus",
        "def nucleus(probs, top_p):\n"
        "    p = torch.where(probs >= 1 - top_p, probs, 0.0)\n"
        "    return p / p.sum(-1, keepdim=True)",
        "own probability is at least",
    ),
    (
        "nucleus",
        "def nucleus(probs, top_p):\n"
        "    p = probs.sort(-1, descending=True).values\n"
        "    p = torch.where(p.cumsum(-1) - p < top_p, p, 0.0)\n"
        "    return p / p.sum(-1, keepdim=True)",
        "The result is sorted",
    ),
]
