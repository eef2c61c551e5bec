"""Wrong answers to the exercises of chapter 1, and a part of the diagnosis meant for each."""

_STEP = "def rnn_step(x, state, weight_ih, weight_hh, bias_ih, bias_hh):\n"
_UNROLL = "def unroll(cell, inputs, state=None, mask=None):\n"
_PAIRS = "def next_word_pairs(sentence, most):\n"
_DRAW = "def draw_word(logits, temperature, chance):\n"
_BPTT = "def bptt(inputs, states, grad_states, weight_hh):\n"
_RADIUS = "def with_spectral_radius(weight, radius):\n"
_REACH = "def gradient_reach(run, inputs):\n"
_CLIP = "def clip_by_norm(gradients, max_norm):\n"

# A right walk back through time, with places where it can go wrong.
_WALK = (
    "    T, H = len(inputs), states.shape[1]\n"
    "    dW, dU, db = torch.zeros(H, inputs.shape[1]), torch.zeros(H, H), torch.zeros(H)\n"
    "    dh = torch.zeros(H)\n"
    "    for t in reversed(range(T)):\n"
    "        dh = dh + grad_states[t]\n"
    "        da = dh * (1 - states[t + 1] * states[t + 1])\n"
    "        dW += da[:, None] * inputs[t][None, :]\n"
    "        dU += da[:, None] * states[t][None, :]\n"
    "        db += da\n"
    "        dh = da @ weight_hh\n"
    "    return dW, dU, db"
)


def _walk(right: str, wrong: str) -> str:
    assert right in _WALK
    return _BPTT + _WALK.replace(right, wrong)


WRONG = [
    # rnn_step
    (
        "rnn_step",
        _STEP + "    return x @ weight_ih.T + state @ weight_hh.T + bias_ih + bias_hh",
        "Where is the tanh?",
    ),
    (
        "rnn_step",
        _STEP + "    a = torch.nn.functional.linear(x, weight_ih, bias_ih)\n"
        "    b = torch.nn.functional.linear(state, weight_hh, bias_hh)\n"
        "    return 1 / (1 + torch.exp(-(a + b)))",
        "bends with a sigmoid",
    ),
    (
        "rnn_step",
        _STEP + "    from_x = (x @ weight_ih.T + bias_ih).tanh()\n"
        "    from_h = (state @ weight_hh.T + bias_hh).tanh()\n"
        "    return from_x + from_h",
        "There are two tanh here",
    ),
    (
        "rnn_step",
        _STEP + "    return torch.tanh(torch.einsum('be,he->bh', x, weight_ih)"
        " + torch.einsum('bg,hg->bh', state, weight_hh) + bias_ih)",
        "A bias is missing",
    ),
    (
        "rnn_step",
        _STEP + "    return torch.tanh(x @ weight_ih.T + state @ weight_hh.T)",
        "A bias is missing",
    ),
    (
        "rnn_step",
        _STEP + "    h = torch.matmul(state, weight_hh) + bias_hh\n"
        "    return torch.tanh(x.matmul(weight_ih.t()) + bias_ih + h)",
        "For rows it must be transposed",
    ),
    (
        "rnn_step",
        _STEP + "    return torch.tanh(x @ weight_ih + bias_ih + state @ weight_hh + bias_hh)",
        "The weights are used as they stand",
    ),
    (
        "rnn_step",
        _STEP + "    return torch.tanh(x @ weight_ih.T + bias_ih + bias_hh)",
        "remembers nothing",
    ),
    (
        "rnn_step",
        _STEP + "    state += x @ weight_ih.T\n    return torch.tanh(state)",
        "The argument state was changed",
    ),
    # unroll
    (
        "unroll",
        _UNROLL + "    out = []\n"
        "    for x in inputs.unbind(1):\n"
        "        state = cell(x, state)\n"
        "        out.append(state)\n"
        "    return torch.stack(out, 1), state",
        "The mask is not used",
    ),
    (
        "unroll",
        _UNROLL + "    out = []\n"
        "    for t in range(inputs.size(1)):\n"
        "        new = cell(inputs[:, t], state)\n"
        "        if mask is not None:\n"
        "            old = state if state is not None else new * 0\n"
        "            m = mask[:, t, None]\n"
        "            new = torch.where(m, old, new)\n"
        "        state = new\n"
        "        out.append(new)\n"
        "    return torch.stack(out, 1), out[-1]",
        "The mask is the wrong way round",
    ),
    (
        "unroll",
        _UNROLL + "    out = []\n"
        "    for t in range(inputs.size(1)):\n"
        "        state = cell(inputs[:, t], state)\n"
        "        if mask is not None:\n"
        "            state = state * mask[:, t].unsqueeze(1)\n"
        "        out.append(state)\n"
        "    return torch.stack(out, 1), state",
        "At padding the state becomes zero",
    ),
    (
        "unroll",
        _UNROLL + "    out, last = [], None\n"
        "    for t in range(inputs.size(1)):\n"
        "        last = cell(inputs[:, t], state)\n"
        "        if mask is not None:\n"
        "            old = torch.zeros_like(last) if state is None else state\n"
        "            last = torch.where(mask[:, t][:, None], last, old)\n"
        "        out.append(last)\n"
        "    return torch.stack(out, 1), last",
        "every word starts from the state at the beginning",
    ),
    (
        "unroll",
        _UNROLL + "    state, out = None, []\n"
        "    for t in range(inputs.size(1)):\n"
        "        new = cell(inputs[:, t], state)\n"
        "        if mask is not None and state is not None:\n"
        "            new = torch.where(mask[:, t][:, None], new, state)\n"
        "        state = new\n"
        "        out.append(new)\n"
        "    return torch.stack(out, 1), state",
        "The state that was given is not used",
    ),
    (
        "unroll",
        _UNROLL + "    out = []\n"
        "    for t in range(inputs.size(1)):\n"
        "        new = cell(inputs[:, t], state)\n"
        "        out.append(new)\n"
        "        if mask is not None and state is not None:\n"
        "            new = torch.where(mask[:, t][:, None], new, state)\n"
        "        state = new\n"
        "    return torch.stack(out, 1), state",
        "from before the choice",
    ),
    (
        "unroll",
        _UNROLL + "    out = []\n"
        "    for t in range(inputs.size(1)):\n"
        "        new = cell(inputs[:, t], state)\n"
        "        if mask is not None and state is not None:\n"
        "            new = torch.where(mask[:, t][:, None], new, state)\n"
        "        state = new\n"
        "        out.append(new)\n"
        "    return torch.stack(out), state",
        "Are two dimensions swapped?",
    ),
    (
        "unroll",
        _UNROLL + "    out = []\n"
        "    for t in range(inputs.size(1)):\n"
        "        state = cell(inputs[:, t], state)\n"
        "        out.append(state)\n"
        "    out = torch.stack(out, 1)\n"
        "    if mask is None:\n"
        "        return out, state\n"
        "    return out, out[torch.arange(len(out)), mask.sum(1) - 1]",
        "The last of the states and the last state differ",
    ),
    # next_word_pairs
    (
        "next_word_pairs",
        _PAIRS + "    pairs = []\n"
        "    for t in range(1, len(sentence)):\n"
        "        start = max(t - most + 1, 0)\n"
        "        pairs.append((sentence[start : t + 1], sentence[t]))\n"
        "    return pairs",
        "stands in its own history",
    ),
    (
        "next_word_pairs",
        _PAIRS + "    return [(sentence[: min(t, most)], sentence[t])"
        " for t in range(1, len(sentence))]",
        "A short memory keeps the last ones",
    ),
    (
        "next_word_pairs",
        _PAIRS + "    pairs, history = [], []\n"
        "    for word in sentence:\n"
        "        if history:\n"
        "            pairs.append((list(history), word))\n"
        "        history.append(word)\n"
        "    return pairs",
        "`most` is not used",
    ),
    (
        "next_word_pairs",
        _PAIRS + "    windows = [sentence[i : i + most + 1] for i in range(len(sentence) - most)]\n"
        "    return [(window[:-1], window[-1]) for window in windows]",
        "are never guessed",
    ),
    (
        "next_word_pairs",
        _PAIRS + "    return [(sentence[t - most : t], sentence[t])"
        " for t in range(1, len(sentence))]",
        "A negative start counts from the end",
    ),
    (
        "next_word_pairs",
        _PAIRS + "    return [(sentence[max(0, t - most) : t], word)"
        " for t, word in enumerate(sentence)]",
        "guessed from nothing",
    ),
    (
        "next_word_pairs",
        _PAIRS + "    return [(sentence[max(0, t - most) : t], sentence[t])"
        " for t in range(1, len(sentence) - 1)]",
        "The end is never guessed",
    ),
    # draw_word
    (
        "draw_word",
        _DRAW + "    p = torch.softmax(logits * temperature, dim=0)\n"
        "    return int((torch.cumsum(p, 0) <= chance).sum())",
        "then a high one sharpens",
    ),
    (
        "draw_word",
        _DRAW + "    p = torch.softmax(logits, dim=0).tolist()\n"
        "    total = 0.0\n"
        "    for word, share in enumerate(p):\n"
        "        total += share\n"
        "        if chance < total:\n"
        "            return word\n"
        "    return len(p) - 1",
        "The temperature is not used",
    ),
    (
        "draw_word",
        _DRAW + "    p = logits.softmax(0) / temperature\n"
        "    return int((p.cumsum(0) <= chance).sum())",
        "The temperature divides the probabilities",
    ),
    (
        "draw_word",
        _DRAW + "    return torch.softmax(logits / temperature, 0).argmax().item()",
        "That is not a draw",
    ),
    (
        "draw_word",
        _DRAW + "    ends = torch.cumsum(logits / temperature, 0)\n"
        "    return int((ends <= chance).sum())",
        "no probabilities before the softmax",
    ),
    (
        "draw_word",
        _DRAW + "    ends = (logits / temperature).softmax(0).cumsum(0)\n"
        "    return int((ends <= chance).sum()) + 1",
        "One too far",
    ),
    (
        "draw_word",
        _DRAW + "    p, order = (logits / temperature).softmax(0).sort(descending=True)\n"
        "    return order[int((p.cumsum(0) <= chance).sum())].item()",
        "in the order of their size",
    ),
    (
        "draw_word",
        _DRAW + "    p = (logits / temperature).softmax(0)\n    return torch.multinomial(p, 1)",
        "where an int is expected",
    ),
    # bptt
    ("bptt", _walk("da @ weight_hh", "torch.zeros(H)"), "Each step hears only its own part"),
    ("bptt", _walk("da @ weight_hh", "weight_hh @ da"), "backward it is transposed"),
    ("bptt", _walk("da @ weight_hh", "da"), "it has to pass W_hh"),
    (
        "bptt",
        _walk(" * (1 - states[t + 1] * states[t + 1])", ""),
        "The slope of the tanh is missing",
    ),
    ("bptt", _walk("states[t + 1] * states[t + 1]", "states[t] ** 2"), "taken at the state before"),
    ("bptt", _walk("* states[t][None, :]", "* states[t + 1][None, :]"), "the state *before*"),
    (
        "bptt",
        _walk("dh = dh + grad_states[t]", "dh = grad_states[t] if t == T - 1 else dh"),
        "speaks to every state",
    ),
    (
        "bptt",
        _walk("dW +=", "dW =").replace("dU +=", "dU =").replace("db +=", "db ="),
        "the parts of all steps are added up",
    ),
    ("bptt", _walk("return dW, dU, db", "return dW / T, dU / T, db / T"), "averaged"),
    ("bptt", _walk("return dW, dU, db", "return dW, dU.T, db"), "its rows belong to a_t"),
    # with_spectral_radius
    (
        "with_spectral_radius",
        _RADIUS + "    return weight * radius / torch.linalg.svdvals(weight).max()",
        "This is the largest singular value",
    ),
    (
        "with_spectral_radius",
        _RADIUS + "    eigenvalues = torch.linalg.eigvals(weight)\n"
        "    return weight / eigenvalues.real.max() * radius",
        "The largest real part is taken",
    ),
    (
        "with_spectral_radius",
        _RADIUS + "    rho = torch.linalg.eigvals(weight).real.abs().max()\n"
        "    return weight * (radius / rho)",
        "Only the real parts are looked at",
    ),
    ("with_spectral_radius", _RADIUS + "    return radius * weight", "first divide by the radius"),
    (
        "with_spectral_radius",
        _RADIUS + "    return weight / torch.linalg.eigvals(weight).abs().max()",
        "scaled to radius 1",
    ),
    (
        "with_spectral_radius",
        _RADIUS + "    return radius * weight / torch.norm(weight)",
        "the norm of all numbers together",
    ),
    (
        "with_spectral_radius",
        _RADIUS + "    return weight * torch.linalg.eigvals(weight).abs().max() / radius",
        "the wrong way up",
    ),
    # gradient_reach
    (
        "gradient_reach",
        _REACH + "    x = inputs.clone().requires_grad_()\n"
        "    run(x)[-1].sum().backward()\n"
        "    norms = x.grad.norm(dim=-1)\n"
        "    return norms / norms[-1]",
        "This runs from the first word to the last",
    ),
    (
        "gradient_reach",
        _REACH + "    x = inputs.clone().requires_grad_()\n"
        "    run(x)[-1].sum().backward()\n"
        "    norms = x.grad.norm(dim=-1)\n"
        "    return norms / norms[0]",
        "relative to the first word",
    ),
    (
        "gradient_reach",
        _REACH + "    x = inputs.clone().requires_grad_()\n"
        "    run(x)[-1].sum().backward()\n"
        "    return torch.flip(x.grad.norm(dim=1), (0,))",
        "divide by the one at distance 0",
    ),
    (
        "gradient_reach",
        _REACH + "    x = inputs.clone().requires_grad_()\n"
        "    run(x).sum().backward()\n"
        "    norms = x.grad.norm(dim=1).flip(0)\n"
        "    return norms / norms[0]",
        "The sum of *all* states is taken",
    ),
    (
        "gradient_reach",
        _REACH + "    x = inputs.clone().requires_grad_()\n"
        "    g = torch.autograd.grad(run(x)[-1].sum(), x)[0]\n"
        "    total = g.sum(1).flip(0)\n"
        "    return total / total[0]",
        "signs cancel",
    ),
    (
        "gradient_reach",
        _REACH + "    x = inputs.clone().requires_grad_()\n"
        "    g = torch.autograd.grad(run(x)[-1].sum(), x)[0]\n"
        "    total = (g * g).sum(1).flip(0)\n"
        "    return total / total[0]",
        "squares of lengths",
    ),
    (
        "gradient_reach",
        _REACH + "    states = run(inputs)\n"
        "    norms = states.norm(dim=1).flip(0)\n"
        "    return norms / norms[0]",
        "These are the lengths of the states",
    ),
    (
        "gradient_reach",
        _REACH + "    inputs = inputs.clone().requires_grad_()\n"
        "    run(inputs)[-1][0].backward()\n"
        "    norms = inputs.grad.norm(dim=1).flip(0)\n"
        "    return norms / norms[0]",
        "Only one number of the last state",
    ),
    # clip_by_norm
    (
        "clip_by_norm",
        _CLIP + "    clipped, total = [], 0.0\n"
        "    for g in gradients:\n"
        "        n = g.norm().item()\n"
        "        total += n ** 2\n"
        "        clipped.append(g * (max_norm / n) if n > max_norm else g)\n"
        "    return clipped, total ** 0.5",
        "Each tensor is clipped by itself",
    ),
    (
        "clip_by_norm",
        _CLIP + "    norm = torch.cat([g.flatten() for g in gradients]).norm().item()\n"
        "    return [torch.clamp(g, min=-max_norm, max=max_norm) for g in gradients], norm",
        "Each number is clipped by itself",
    ),
    (
        "clip_by_norm",
        _CLIP + "    norm = torch.cat([g.flatten() for g in gradients]).norm().item()\n"
        "    factor = min(1.0, max_norm / norm) if norm else 1.0\n"
        "    clipped = [g * factor for g in gradients]\n"
        "    return clipped, torch.cat([g.flatten() for g in clipped]).norm().item()",
        "the one after clipping",
    ),
    (
        "clip_by_norm",
        _CLIP + "    norm = torch.cat([g.flatten() for g in gradients]).norm().item()\n"
        "    return [g / norm * max_norm if norm else g for g in gradients], norm",
        "stretched to the threshold",
    ),
    (
        "clip_by_norm",
        _CLIP + "    norm = torch.cat([g.flatten() for g in gradients]).norm()\n"
        "    return [g * (max_norm / norm) for g in gradients], float(norm)",
        "the factor must not exceed 1",
    ),
    (
        "clip_by_norm",
        _CLIP + "    norm = sum(g.norm().item() for g in gradients)\n"
        "    scale = max_norm / norm if norm > max_norm else 1.0\n"
        "    return [g * scale for g in gradients], norm",
        "Norms do not add",
    ),
    (
        "clip_by_norm",
        _CLIP + "    norm = sum((g ** 2).sum().item() for g in gradients)\n"
        "    scale = max_norm / norm if norm > max_norm else 1.0\n"
        "    return [g * scale for g in gradients], norm",
        "The square root is missing",
    ),
    (
        "clip_by_norm",
        _CLIP + "    norm = sum((g ** 2).sum().item() for g in gradients) ** 0.5\n"
        "    for g in gradients:\n"
        "        g.mul_(min(1.0, max_norm / max(norm, 1e-9)))\n"
        "    return gradients, norm",
        "The argument gradients was changed",
    ),
]
