"""Wrong answers to the exercises of chapter 5, and a part of the diagnosis meant for each."""

WRONG = [
    # weighted_sum
    (
        "weighted_sum",
        "def weighted_sum(weights, values):\n"
        "    context = values.mean(dim=1)\n"
        "    return context.unsqueeze(1).repeat(1, weights.size(1), 1)",
        "no weight has been used",
    ),
    (
        "weighted_sum",
        "def weighted_sum(weights, values):\n"
        "    import torch\n"
        "    B, T, S = weights.shape\n"
        "    out = torch.zeros(B, T, values.shape[2])\n"
        "    for t in range(T):\n"
        "        for j in range(S):\n"
        "            out[:, t] += values[:, j]\n"
        "    return out",
        "plain sum of the values",
    ),
    (
        "weighted_sum",
        "def weighted_sum(weights, values):\n"
        "    return (weights.unsqueeze(-1) * values.unsqueeze(1)).mean(dim=2)",
        "divided by the number of values",
    ),
    (
        "weighted_sum",
        "def weighted_sum(weights, values):\n"
        "    import torch\n"
        "    return torch.bmm(torch.softmax(weights, dim=2), values)",
        "softmax was taken once more",
    ),
    (
        "weighted_sum",
        "def weighted_sum(weights, values):\n"
        "    import torch\n"
        "    best = weights.argmax(dim=2)\n"
        "    return torch.stack([values[b][best[b]] for b in range(len(values))])",
        "Only the value with the largest weight",
    ),
    (
        "weighted_sum",
        "def weighted_sum(weights, values):\n"
        "    import torch\n"
        "    return weights.transpose(1, 2) @ values",
        "The weights are transposed",
    ),
    # general_score
    (
        "general_score",
        "def general_score(query, keys, weight):\n"
        "    return query @ weight.T @ keys.transpose(1, 2)",
        "which side of W",
    ),
    (
        "general_score",
        "def general_score(query, keys, weight):\n"
        "    import torch\n"
        "    return torch.nn.functional.linear(query, weight) @ keys.mT",
        "which side of W",
    ),
    (
        "general_score",
        "def general_score(query, keys, weight):\n"
        "    import torch\n"
        "    return torch.bmm(query, keys.transpose(1, 2))",
        "the matrix has not been used",
    ),
    (
        "general_score",
        "def general_score(query, keys, weight):\n"
        "    import torch\n"
        "    scores = torch.einsum('btd,de,bse->bts', query, weight, keys)\n"
        "    return torch.softmax(scores, dim=-1)",
        "what goes into the softmax",
    ),
    (
        "general_score",
        "def general_score(query, keys, weight):\n"
        "    import math\n"
        "    return query @ (weight @ keys.transpose(1, 2)) / math.sqrt(keys.size(2))",
        "is not scaled",
    ),
    (
        "general_score",
        "def general_score(query, keys, weight):\n"
        "    projected = keys @ weight.T\n"
        "    return (query @ projected.transpose(1, 2)).tanh()",
        "there is no tanh",
    ),
    # safe_softmax
    (
        "safe_softmax",
        "def safe_softmax(scores, mask):\n"
        "    import torch\n"
        "    return torch.softmax(torch.where(mask, scores, torch.zeros_like(scores)), -1)",
        "A score of 0 is a score like any other",
    ),
    (
        "safe_softmax",
        "def safe_softmax(scores, mask):\n"
        "    weights = scores.softmax(-1)\n"
        "    return weights.masked_fill(~mask, 0)",
        "The mask comes after the softmax",
    ),
    (
        "safe_softmax",
        "def safe_softmax(scores, mask):\n"
        "    scores = scores.masked_fill(mask, float('-inf'))\n"
        "    return scores.softmax(-1)",
        "the wrong way round",
    ),
    (
        "safe_softmax",
        "def safe_softmax(scores, mask):\n"
        "    import torch\n"
        "    scores = torch.where(mask, scores, torch.tensor(float('-inf')))\n"
        "    return torch.nn.functional.softmax(scores, dim=-1)",
        "nothing is allowed becomes NaN",
    ),
    (
        "safe_softmax",
        "def safe_softmax(scores, mask):\n"
        "    weights = scores.masked_fill(~mask, -1e9).softmax(-1)\n"
        "    return weights * mask",
        "beyond 65504",
    ),
    (
        "safe_softmax",
        "def safe_softmax(scores, mask):\n    return scores.masked_fill(~mask, -1e4).softmax(-1)",
        "in which nothing is allowed gets weights",
    ),
    (
        "safe_softmax",
        "def safe_softmax(scores, mask):\n"
        "    scores.masked_fill_(~mask, -60000.0)\n"
        "    return scores.softmax(-1).masked_fill(~mask, 0.0)",
        "was changed by the call",
    ),
    (
        "safe_softmax",
        "def safe_softmax(scores, mask):\n"
        "    kept = scores * mask\n"
        "    return kept / kept.sum(-1, keepdim=True)",
        "Where is the exponential",
    ),
    # attentional_vector
    (
        "attentional_vector",
        "def attentional_vector(context, state, weight):\n"
        "    import torch\n"
        "    both = torch.cat((state, context), dim=2)\n"
        "    return torch.tanh(torch.nn.functional.linear(both, weight))",
        "The state comes first here",
    ),
    (
        "attentional_vector",
        "def attentional_vector(context, state, weight):\n"
        "    import torch\n"
        "    return torch.cat([context, state], -1) @ weight.transpose(0, 1)",
        "Where is the tanh",
    ),
    (
        "attentional_vector",
        "def attentional_vector(context, state, weight):\n"
        "    import torch\n"
        "    return torch.tanh(torch.cat([context, state], dim=-1)) @ weight.T",
        "The tanh comes last",
    ),
    (
        "attentional_vector",
        "def attentional_vector(context, state, weight):\n"
        "    import torch\n"
        "    logits = torch.cat([context, state], dim=-1) @ weight.T\n"
        "    return torch.softmax(logits, dim=-1)",
        "This is a softmax",
    ),
    (
        "attentional_vector",
        "def attentional_vector(context, state, weight):\n"
        "    width = context.size(-1)\n"
        "    return (context @ weight[:, :width].T).tanh()",
        "Only the context is used",
    ),
    (
        "attentional_vector",
        "def attentional_vector(context, state, weight):\n"
        "    import torch\n"
        "    both = torch.cat([context, state], dim=1)\n"
        "    return torch.tanh(both)",
        "The shape",
    ),
    # additive_score
    (
        "additive_score",
        "def additive_score(query, keys, w, u, v):\n"
        "    s, h = query @ w.T, keys @ u.T\n"
        "    return (s[:, :, None] + h[:, None]) @ v",
        "linear in query and key",
    ),
    (
        "additive_score",
        "def additive_score(query, keys, w, u, v):\n"
        "    from_query = (query @ w.T) @ v\n"
        "    from_key = (keys @ u.T) @ v\n"
        "    return (from_query[:, :, None] + from_key[:, None, :]).tanh()",
        "The tanh is outside",
    ),
    (
        "additive_score",
        "def additive_score(query, keys, w, u, v):\n"
        "    import torch\n"
        "    s = torch.tanh(query @ w.T).unsqueeze(2)\n"
        "    h = torch.tanh(keys @ u.T).unsqueeze(1)\n"
        "    return (s + h) @ v",
        "bent one by one",
    ),
    (
        "additive_score",
        "def additive_score(query, keys, w, u, v):\n"
        "    import torch\n"
        "    s, h = (query @ w.T).unsqueeze(2), (keys @ u.T).unsqueeze(1)\n"
        "    return torch.tanh(s + h).sum(dim=3)",
        "not weighted by v",
    ),
    (
        "additive_score",
        "def additive_score(query, keys, w, u, v):\n"
        "    import torch\n"
        "    s, h = (query @ w.T).unsqueeze(1), (keys @ u.T).unsqueeze(2)\n"
        "    return torch.tanh(s + h) @ v",
        "Rows are keys and columns are queries",
    ),
    (
        "additive_score",
        "def additive_score(query, keys, w, u, v):\n"
        "    import torch\n"
        "    s, h = (query @ w.T).unsqueeze(2), (keys @ u.T).unsqueeze(1)\n"
        "    return torch.relu(s + h) @ v",
        "This is a ReLU",
    ),
    # first_state
    (
        "first_state",
        "def first_state(states, weight):\n"
        "    import torch\n"
        "    H = states.size(2) // 2\n"
        "    return torch.tanh(states[:, -1, H:] @ weight.T)",
        "backward state of the last position",
    ),
    (
        "first_state",
        "def first_state(states, weight):\n"
        "    import torch\n"
        "    H = states.size(2) // 2\n"
        "    return torch.tanh(states[:, 0, :H] @ weight.T)",
        "forward state of the first position",
    ),
    (
        "first_state",
        "def first_state(states, weight):\n"
        "    forward, _ = states[:, -1].chunk(2, dim=1)\n"
        "    return (forward @ weight.T).tanh()",
        "forward state of the last position",
    ),
    (
        "first_state",
        "def first_state(states, weight):\n"
        "    H = weight.shape[1]\n"
        "    return states[:, 0, H:] @ weight.T",
        "Where is the tanh",
    ),
    (
        "first_state",
        "def first_state(states, weight):\n"
        "    import torch\n"
        "    H = weight.shape[1]\n"
        "    return torch.tanh(states[:, :, H:].mean(dim=1) @ weight.T)",
        "mean of the backward states",
    ),
    # bahdanau_step
    (
        "bahdanau_step",
        "def bahdanau_step(word, state, keys, mask, attend, cell):\n"
        "    new = cell(word, state)\n"
        "    context, weights = attend(new.unsqueeze(1), keys, keys, mask)\n"
        "    return new, weights",
        "Luong's order",
    ),
    (
        "bahdanau_step",
        "def bahdanau_step(word, state, keys, mask, attend, cell):\n"
        "    import torch\n"
        "    context, weights = attend(state.unsqueeze(1), keys, keys, mask)\n"
        "    return cell(torch.cat([context.squeeze(1), word], dim=1), state), weights",
        "The context stands before the word",
    ),
    (
        "bahdanau_step",
        "def bahdanau_step(word, state, keys, mask, attend, cell):\n"
        "    import torch\n"
        "    context, weights = attend(word.unsqueeze(1), keys, keys, mask)\n"
        "    return cell(torch.cat([word, context.squeeze(1)], dim=1), state), weights",
        "The word itself is the query",
    ),
    (
        "bahdanau_step",
        "def bahdanau_step(word, state, keys, mask, attend, cell):\n"
        "    context, weights = attend(state.unsqueeze(1), keys, keys, mask)\n"
        "    return cell(context.squeeze(1), state), weights",
        "The previous word is missing",
    ),
    (
        "bahdanau_step",
        "def bahdanau_step(word, state, keys, mask, attend, cell):\n"
        "    context, weights = attend(state.unsqueeze(1), keys, keys, mask)\n"
        "    state = cell(word, state)\n"
        "    return state, weights",
        "The context never enters the step",
    ),
    (
        "bahdanau_step",
        "def bahdanau_step(word, state, keys, mask, attend, cell):\n"
        "    import torch\n"
        "    everything = torch.ones(mask.shape, dtype=torch.bool)\n"
        "    context, weights = attend(state.unsqueeze(1), keys, keys, everything)\n"
        "    return cell(torch.cat([word, context.squeeze(1)], -1), state), weights",
        "Was the mask handed on",
    ),
    # which_decoder
    (
        "which_decoder",
        "def which_decoder(step, word, state, keys):\n"
        "    import torch\n"
        "    _, a = step(word, state, keys)\n"
        "    _, b = step(word + 0.5, state, keys)\n"
        "    return 'bahdanau' if torch.allclose(a, b) else 'luong'",
        "Only the word was changed",
    ),
    (
        "which_decoder",
        "def which_decoder(step, word, state, keys):\n"
        "    import torch\n"
        "    a, _ = step(word, state, keys)\n"
        "    b, _ = step(word, state, torch.zeros_like(keys))\n"
        "    return 'luong' if torch.equal(a, b) else 'bahdanau'",
        "Only the keys were changed",
    ),
    (
        "which_decoder",
        "def which_decoder(step, word, state, keys):\n"
        "    import torch\n"
        "    s, a = step(word, state, keys)\n"
        "    same_weights = torch.allclose(step(word - 1, state, keys)[1], a)\n"
        "    same_state = torch.allclose(step(word, state, keys - 1)[0], s)\n"
        "    if same_weights and not same_state:\n"
        "        return 'luong'\n"
        "    if same_state and not same_weights:\n"
        "        return 'bahdanau'\n"
        "    return 'another'",
        "The two names are exchanged",
    ),
    (
        "which_decoder",
        "def which_decoder(step, word, state, keys):\n    return 'luong'",
        "ask it something",
    ),
    (
        "which_decoder",
        "def which_decoder(step, word, state, keys):\n"
        "    s, a = step(word, state, keys)\n"
        "    s2, a2 = step(word * 2 + 1, state, keys)\n"
        "    s3, a3 = step(word, state, keys * 2 + 1)\n"
        "    if (a - a2).abs().max() > 1e-6:\n"
        "        return 'luong'\n"
        "    if (s - s3).abs().max() > 1e-6:\n"
        "        return 'bahdanau'\n"
        "    return 'another'",
        "is neither Bahdanau's nor Luong's",
    ),
    (
        "which_decoder",
        "def which_decoder(step, word, state, keys):\n    return 'Bahdanau'",
        "is none of",
    ),
    # gradients_by_path
    (
        "gradients_by_path",
        "def gradients_by_path(encode, decode, x):\n"
        "    import torch\n"
        "    out = []\n"
        "    for cut in ('keys', 'last'):\n"
        "        y = x.clone().requires_grad_(True)\n"
        "        h = encode(y)\n"
        "        keys = h.detach() if cut == 'keys' else h\n"
        "        last = h[-1].detach() if cut == 'last' else h[-1]\n"
        "        out.append(torch.autograd.grad(decode(keys, last), y)[0])\n"
        "    return tuple(out)",
        "The two are exchanged",
    ),
    (
        "gradients_by_path",
        "def gradients_by_path(encode, decode, x):\n"
        "    y = x.clone().requires_grad_(True)\n"
        "    h = encode(y)\n"
        "    decode(h, h[-1]).backward()\n"
        "    return y.grad, y.grad",
        "Was nothing detached",
    ),
    (
        "gradients_by_path",
        "def gradients_by_path(encode, decode, x):\n"
        "    y = x.clone().requires_grad_(True)\n"
        "    h = encode(y)\n"
        "    decode(h, h[-1].detach()).backward()\n"
        "    z = x.clone().requires_grad_(True)\n"
        "    h = encode(z)\n"
        "    decode(h, h[-1]).backward()\n"
        "    return y.grad, z.grad",
        "the keys must be detached",
    ),
    (
        "gradients_by_path",
        "def gradients_by_path(encode, decode, x):\n"
        "    y = x.clone().requires_grad_(True)\n"
        "    h = encode(y)\n"
        "    decode(h, h[-1].detach()).backward()\n"
        "    first = y.grad\n"
        "    h = encode(y)\n"
        "    decode(h.detach(), h[-1]).backward()\n"
        "    return first, y.grad",
        "has one .grad collected both",
    ),
    (
        "gradients_by_path",
        "def gradients_by_path(encode, decode, x):\n"
        "    import torch\n"
        "    y = x.clone().requires_grad_(True)\n"
        "    h = encode(y)\n"
        "    a = torch.autograd.grad(decode(h, h[-1].detach()), y, retain_graph=True)[0]\n"
        "    b = torch.autograd.grad(decode(h.detach(), h[-1]), y)[0]\n"
        "    return torch.abs(a), torch.abs(b)",
        "keep its signs",
    ),
    (
        "gradients_by_path",
        "def gradients_by_path(encode, decode, x):\n"
        "    import torch\n"
        "    y = x.clone().requires_grad_(True)\n"
        "    h = encode(y)\n"
        "    keys = torch.autograd.grad(decode(h, h[-1].detach()), y)[0]\n"
        "    return keys, torch.zeros_like(keys)",
        "add up to a length of",
    ),
    # error_rate
    (
        "error_rate",
        "def error_rate(found, sure, possible):\n"
        "    hits = len(found & sure) + len(found & possible)\n"
        "    return hits / (len(found) + len(sure))",
        "An error rate is 1 minus it",
    ),
    (
        "error_rate",
        "def error_rate(found, sure, possible):\n"
        "    f1 = 2 * len(found & sure) / (len(found) + len(sure))\n"
        "    return 1 - f1",
        "possible links are not used",
    ),
    (
        "error_rate",
        "def error_rate(found, sure, possible):\n"
        "    hits = len(found & sure) + len(found & possible)\n"
        "    return 1 - hits / (len(found) + len(possible))",
        "Every possible link is demanded",
    ),
    (
        "error_rate",
        "def error_rate(found, sure, possible):\n"
        "    wrong = [link for link in found if link not in possible]\n"
        "    return len(wrong) / len(found)",
        "links that were not found cost nothing",
    ),
    (
        "error_rate",
        "def error_rate(found, sure, possible):\n"
        "    missing = [link for link in sure if link not in found]\n"
        "    return len(missing) / len(sure)",
        "links that are wrong cost nothing",
    ),
]
