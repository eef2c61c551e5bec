"""Wrong answers to the exercises of chapter 6, and a part of the diagnosis meant for each."""

REFUSE = (
    "    if query.size(-1) != keys.size(-1):\n"
    "        raise ValueError(f'query has {query.size(-1)} numbers, keys {keys.size(-1)}')\n"
)
PICK = (
    "def pick_score(fit, query, keys, wanted):\n"
    "    n = len(query) // 2\n"
    "    right = {}\n"
    "    for kind in ('dot', 'general', 'concat'):\n"
)

WRONG = [
    # dot_score
    (
        "dot_score",
        "def dot_score(query, keys):\n    return torch.bmm(query, keys.mT)",
        "the reader has to guess",
    ),
    (
        "dot_score",
        "def dot_score(query, keys):\n"
        "    return (query[:, :, None, :] * keys[:, None, :, :]).sum(-1)",
        "Compare the sizes first",
    ),
    (
        "dot_score",
        "def dot_score(query, keys):\n"
        "    n = min(query.shape[-1], keys.shape[-1])\n"
        "    return query[..., :n] @ keys[..., :n].transpose(-1, -2)",
        "It has an answer for a query of 4 numbers and keys of 6",
    ),
    (
        "dot_score",
        "def dot_score(query, keys):\n"
        "    if query.shape[-1] != keys.shape[-1] and keys.shape[-1] > 1:\n"
        "        raise ValueError(f'{query.shape[-1]} and {keys.shape[-1]} numbers')\n"
        "    return torch.einsum('btsh->bts', query.unsqueeze(2) * keys.unsqueeze(1))",
        "It has an answer for a query of 4 numbers and keys of 1",
    ),
    (
        "dot_score",
        "def dot_score(query, keys):\n"
        "    if query.shape[-1] != keys.shape[-1]:\n"
        "        raise ValueError('wrong sizes')\n"
        "    return query @ keys.transpose(1, 2)",
        "Name both sizes",
    ),
    (
        "dot_score",
        "def dot_score(query, keys):\n"
        "    assert query.shape[-1] == keys.shape[-1]\n"
        "    return query @ keys.transpose(1, 2)",
        "raises AssertionError",
    ),
    (
        "dot_score",
        f"def dot_score(query, keys):\n{REFUSE}"
        "    return torch.einsum('bsh,bth->bst', keys, query)",
        "query t belongs in row t",
    ),
    (
        "dot_score",
        f"def dot_score(query, keys):\n{REFUSE}"
        "    return torch.softmax(torch.einsum('bth,bsh->bts', query, keys), dim=2)",
        "These are weights",
    ),
    (
        "dot_score",
        f"def dot_score(query, keys):\n{REFUSE}"
        "    return torch.cosine_similarity(query.unsqueeze(2), keys.unsqueeze(1), dim=-1)",
        "This is the cosine",
    ),
    (
        "dot_score",
        f"def dot_score(query, keys):\n{REFUSE}"
        "    return torch.einsum('bth,bsh->bts', query, keys) / query.size(-1)",
        "a mean of products",
    ),
    # general_matrix
    (
        "general_matrix",
        "def general_matrix(from_query, from_key):\n"
        "    if from_key is None:\n        return from_query\n"
        "    if from_query is None:\n        return from_key\n"
        "    return from_query.t() @ from_key",
        "(A s)ᵀ = sᵀ Aᵀ: its weight enters",
    ),
    (
        "general_matrix",
        "def general_matrix(from_query, from_key):\n"
        "    if from_key is None:\n        return from_query\n"
        "    if from_query is None:\n        return from_key.T\n"
        "    return from_key.T @ from_query",
        "This is W_aᵀ: it has a row for each number of the key",
    ),
    (
        "general_matrix",
        "def general_matrix(from_query, from_key):\n"
        "    if from_key is None:\n        return from_query.T\n"
        "    if from_query is None:\n        return from_key\n"
        "    return torch.mm(from_query, from_key)",
        "which of the two is transposed",
    ),
    (
        "general_matrix",
        "def general_matrix(from_query, from_key):\n"
        "    if from_key is None:\n        return from_query.T\n"
        "    if from_query is None:\n        return from_key\n"
        "    return (from_query.T @ from_key).T",
        "Bᵀ A instead of Aᵀ B",
    ),
    (
        "general_matrix",
        "def general_matrix(from_query, from_key):\n"
        "    if from_key is None:\n        return from_query.T\n"
        "    if from_query is None:\n        return from_key.T\n"
        "    return from_query.T @ from_key",
        "its weight is W_a as it is",
    ),
    (
        "general_matrix",
        "def general_matrix(from_query, from_key):\n"
        "    if from_key is None:\n        return from_query.T\n"
        "    if from_query is None:\n        return from_key\n"
        "    return 2 * from_query.T @ from_key",
        "For one query and one key the layers give",
    ),
    # concat_score
    (
        "concat_score",
        "def concat_score(query, keys, weight, v):\n"
        "    T, S = query.shape[1], keys.shape[1]\n"
        "    s = query.unsqueeze(2).repeat(1, 1, S, 1)\n"
        "    h = keys.unsqueeze(1).repeat(1, T, 1, 1)\n"
        "    return torch.tanh(torch.cat([h, s], dim=3) @ weight.T) @ v",
        "The key comes first here",
    ),
    (
        "concat_score",
        "def concat_score(query, keys, weight, v):\n"
        "    n = query.shape[-1]\n"
        "    both = (query @ weight[:, :n].T)[:, :, None] + (keys @ weight[:, n:].T)[:, None]\n"
        "    return both @ v",
        "Where is the tanh?",
    ),
    (
        "concat_score",
        "def concat_score(query, keys, weight, v):\n"
        "    n = query.shape[-1]\n"
        "    both = (query @ weight[:, :n].T)[:, :, None] + (keys @ weight[:, n:].T)[:, None]\n"
        "    return torch.tanh(both @ v)",
        "The tanh is outside",
    ),
    (
        "concat_score",
        "def concat_score(query, keys, weight, v):\n"
        "    n = query.shape[-1]\n"
        "    both = (query @ weight[:, :n].T)[:, :, None] + (keys @ weight[:, n:].T)[:, None]\n"
        "    return torch.tanh(both).sum(dim=-1)",
        "not weighted by v",
    ),
    (
        "concat_score",
        "def concat_score(query, keys, weight, v):\n"
        "    n = query.shape[-1]\n"
        "    both = (query @ weight[:, :n].T)[:, None] + (keys @ weight[:, n:].T)[:, :, None]\n"
        "    return torch.tanh(both) @ v",
        "Rows are keys and columns are queries",
    ),
    (
        "concat_score",
        "def concat_score(query, keys, weight, v):\n"
        "    T, S = query.shape[1], keys.shape[1]\n"
        "    s = query.unsqueeze(2).expand(-1, -1, S, -1)\n"
        "    h = keys.unsqueeze(1).expand(-1, T, -1, -1)\n"
        "    return torch.einsum('btsi,ai,a->bts', torch.cat([s, h], -1).tanh(), weight, v)",
        "The tanh comes too early",
    ),
    (
        "concat_score",
        "def concat_score(query, keys, weight, v):\n"
        "    out = torch.zeros(query.shape[0], query.shape[1], keys.shape[1])\n"
        "    for t in range(query.shape[1]):\n"
        "        for j in range(keys.shape[1]):\n"
        "            both = torch.cat([query[:, t], keys.mean(1)], dim=-1)\n"
        "            out[:, t, j] = torch.tanh(both @ weight.T) @ v\n"
        "    return out",
        "the scores of the other keys change as well",
    ),
    # split_concat
    (
        "split_concat",
        "def split_concat(weight, query_size):\n"
        "    return weight[:, query_size:], weight[:, :query_size]",
        "The two are exchanged",
    ),
    (
        "split_concat",
        "def split_concat(weight, query_size):\n"
        "    half = weight.shape[1] // 2\n"
        "    return weight[:, : weight.shape[1] - half], weight[:, weight.shape[1] - half :]",
        "cut in the middle",
    ),
    (
        "split_concat",
        "def split_concat(weight, query_size):\n"
        "    return weight[0:query_size, :], weight[query_size:, :]",
        "The rows are cut",
    ),
    (
        "split_concat",
        "def split_concat(weight, query_size):\n"
        "    both = weight.T\n"
        "    return both[:query_size], both[query_size:]",
        "Both are transposed",
    ),
    (
        "split_concat",
        "def split_concat(weight, query_size):\n"
        "    columns = range(query_size + 1, weight.shape[1])\n"
        "    return weight[:, :query_size], weight[:, list(columns)]",
        "one column too late",
    ),
    (
        "split_concat",
        "def split_concat(weight, query_size):\n"
        "    return weight[:, :query_size], weight[:, -query_size:]",
        "as many columns as the query has",
    ),
    (
        "split_concat",
        "def split_concat(weight, query_size):\n"
        "    first = weight[:, :query_size]\n"
        "    return first, weight[:, query_size:].flip(1)",
        "is not W_a [s ; h]",
    ),
    # score_parameters
    (
        "score_parameters",
        "def score_parameters(kind, query_size, key_size, hidden_size):\n"
        "    if 'dot' in kind:\n        return 0\n"
        "    if kind == 'general':\n        return query_size * key_size\n"
        "    return hidden_size * query_size + hidden_size * key_size",
        "The vector v is missing",
    ),
    (
        "score_parameters",
        "def score_parameters(kind, query_size, key_size, hidden_size):\n"
        "    if 'dot' in kind:\n        return 0\n"
        "    if kind == 'general':\n        return query_size + key_size\n"
        "    return hidden_size * (query_size + key_size + 1)",
        "rows times columns",
    ),
    (
        "score_parameters",
        "def score_parameters(kind, query_size, key_size, hidden_size):\n"
        "    if 'dot' in kind:\n        return 0\n"
        "    if kind == 'general':\n        return query_size * key_size\n"
        "    return hidden_size * query_size * key_size + hidden_size",
        "one vector is put behind the other",
    ),
    (
        "score_parameters",
        "def score_parameters(kind, query_size, key_size, hidden_size):\n"
        "    if 'dot' in kind:\n        return 0\n"
        "    if kind == 'general':\n        return query_size * key_size\n"
        "    layer = (query_size + key_size) * hidden_size + hidden_size\n"
        "    return layer + hidden_size",
        "a bias too many",
    ),
    (
        "score_parameters",
        "def score_parameters(kind, query_size, key_size, hidden_size):\n"
        "    if kind in ('dot', 'scaled_dot'):\n        return query_size\n"
        "    if kind == 'general':\n        return query_size * key_size\n"
        "    return hidden_size * (query_size + key_size) + hidden_size",
        "A dot product has nothing to learn, and you count 2",
    ),
    (
        "score_parameters",
        "def score_parameters(kind, query_size, key_size, hidden_size):\n"
        "    if 'dot' in kind:\n        return 0\n"
        "    if kind == 'general':\n        return query_size * key_size\n"
        "    return hidden_size * 2 * query_size + hidden_size",
        "query and key of the same size",
    ),
    # scaled_score
    (
        "scaled_score",
        "def scaled_score(query, keys):\n    return torch.einsum('bth,bsh->bts', query, keys)",
        "Nothing has been divided",
    ),
    (
        "scaled_score",
        "def scaled_score(query, keys):\n"
        "    return torch.einsum('bth,bsh->bts', query, keys) / keys.size(2)",
        "a variance is a square",
    ),
    (
        "scaled_score",
        "def scaled_score(query, keys):\n    return query @ keys.mT / math.sqrt(keys.shape[1])",
        "root of the number of keys",
    ),
    (
        "scaled_score",
        "def scaled_score(query, keys):\n    return query @ keys.mT * math.sqrt(keys.shape[2])",
        "They are multiplied by the root",
    ),
    (
        "scaled_score",
        "def scaled_score(query, keys):\n"
        "    lengths = query.norm(dim=-1)[:, :, None] * keys.norm(dim=-1)[:, None, :]\n"
        "    return query @ keys.mT / lengths",
        "that is the cosine",
    ),
    (
        "scaled_score",
        "def scaled_score(query, keys):\n"
        "    scores = query @ keys.mT\n"
        "    return scores / scores.std(dim=-1, keepdim=True)",
        "the scores of the other keys change as well",
    ),
    (
        "scaled_score",
        "def scaled_score(query, keys):\n    return query @ keys.mT / 2",
        "It should be about 1",
    ),
    # through_softmax
    (
        "through_softmax",
        "def through_softmax(weights, gradient):\n    return gradient * weights * (1 - weights)",
        "its own weight only",
    ),
    (
        "through_softmax",
        "def through_softmax(weights, gradient):\n    return weights * gradient",
        "the first half",
    ),
    (
        "through_softmax",
        "def through_softmax(weights, gradient):\n"
        "    average = gradient.sum(-1, keepdim=True) / gradient.shape[-1]\n"
        "    return weights * (gradient - average)",
        "Weigh it by α",
    ),
    (
        "through_softmax",
        "def through_softmax(weights, gradient):\n"
        "    expected = torch.einsum('...s,...s->...', weights, gradient)\n"
        "    return weights * (expected.unsqueeze(-1) - gradient)",
        "The sign is turned round",
    ),
    (
        "through_softmax",
        "def through_softmax(weights, gradient):\n"
        "    return gradient - (weights * gradient).sum(dim=-1, keepdim=True)",
        "The last factor α is missing",
    ),
    (
        "through_softmax",
        "def through_softmax(weights, gradient):\n"
        "    return weights * gradient - weights * torch.sum(weights * gradient)",
        "The sum runs over everything",
    ),
    (
        "through_softmax",
        "def through_softmax(weights, gradient):\n    return gradient",
        "Does each weight feel",
    ),
    # pick_score
    (
        "pick_score",
        f"{PICK}"
        "        score = fit(kind, query, keys, wanted)\n"
        "        right[kind] = (score(query, keys).argmax(1) == wanted).float().mean().item()\n"
        "    return max(right, key=right.get)",
        "judge on the second half",
    ),
    (
        "pick_score",
        f"{PICK}"
        "        score = fit(kind, query[:n], keys[:n], wanted[:n])\n"
        "        found = score(query[:n], keys[:n]).argmax(dim=-1)\n"
        "        right[kind] = int((found == wanted[:n]).sum())\n"
        "    return max(right, key=right.get)",
        "judged on the examples that they were fitted to",
    ),
    (
        "pick_score",
        f"{PICK}"
        "        score = fit(kind, query[:n], keys[:n], wanted[:n])\n"
        "        found = score(query[n:], keys[n:]).argmax(dim=-1)\n"
        "        right[kind] = int((found == wanted[n:]).sum())\n"
        "    return sorted(right, key=right.get)[-1]",
        "Of equally good scores the last is taken",
    ),
    (
        "pick_score",
        f"{PICK}"
        "        score = fit(kind, query[:n], keys[:n], wanted[:n])\n"
        "        found = score(query[n:], keys[n:]).argmax(dim=-1)\n"
        "        right[kind] = int((found == wanted[n:]).sum())\n"
        "    return min(right, key=right.get)",
        "right least often",
    ),
    (
        "pick_score",
        "def pick_score(fit, query, keys, wanted):\n    return 'concat'",
        "always answers concat",
    ),
    (
        "pick_score",
        "def pick_score(fit, query, keys, wanted):\n"
        "    n = len(query) // 2\n"
        "    right = {}\n"
        "    for kind in ('general', 'concat'):\n"
        "        score = fit(kind, query[:n], keys[:n], wanted[:n])\n"
        "        right[kind] = int((score(query[n:], keys[n:]).argmax(1) == wanted[n:]).sum())\n"
        "    return max(right, key=right.get)",
        "The score dot was never fitted",
    ),
    (
        "pick_score",
        f"{PICK}        fit(kind, query, keys, wanted)\n    return 'Concat'",
        "is none of",
    ),
    (
        "pick_score",
        f"{PICK}        fit(kind, query, keys, wanted)\n    return 'general'",
        "It always answers general",
    ),
]
