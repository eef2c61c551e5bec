"""Wrong answers to the exercises of chapter 4, and a part of the diagnosis meant for each."""

WRONG = [
    # soft_lookup
    (
        "soft_lookup",
        "def soft_lookup(similarities, values, kind):\n"
        "    weights = similarities / torch.sum(similarities)\n"
        "    return torch.sum(weights * values)",
        "Both kinds are the ratio here",
    ),
    (
        "soft_lookup",
        "def soft_lookup(similarities, values, kind):\n"
        "    powers = torch.exp(similarities)\n"
        "    return (powers / powers.sum() * values).sum()",
        "Both kinds are the softmax here",
    ),
    (
        "soft_lookup",
        "def soft_lookup(similarities, values, kind):\n"
        "    if kind == 'softmax':\n"
        "        w = similarities / similarities.sum()\n"
        "    else:\n"
        "        w = torch.softmax(similarities, 0)\n"
        "    return torch.dot(w, values)",
        "two kinds are exchanged",
    ),
    (
        "soft_lookup",
        "def soft_lookup(similarities, values, kind):\n"
        "    answer = torch.tensor(0.0)\n"
        "    for s, v in zip(similarities, values):\n"
        "        answer = answer + s * v\n"
        "    return answer",
        "nothing is divided",
    ),
    (
        "soft_lookup",
        "def soft_lookup(similarities, values, kind):\n"
        "    w = torch.exp(similarities)\n"
        "    if kind == 'ratio':\n"
        "        w = similarities / similarities.sum()\n"
        "    return (w * values).sum()",
        "exponentials are not divided by their sum",
    ),
    (
        "soft_lookup",
        "def soft_lookup(similarities, values, kind):\n"
        "    return values[torch.argmax(similarities)]",
        "a hard lookup",
    ),
    (
        "soft_lookup",
        "def soft_lookup(similarities, values, kind):\n"
        "    w = similarities if kind == 'ratio' else torch.exp(similarities)\n"
        "    return (w / len(w) * values).sum()",
        "To what do the weights sum?",
    ),
    (
        "soft_lookup",
        "def soft_lookup(similarities, values, kind):\n"
        "    w = similarities.abs() if kind == 'ratio' else similarities.square()\n"
        "    return (w / w.sum() * values).sum()",
        "and it should not",
    ),
    # max_cosine_weight
    (
        "max_cosine_weight",
        "def max_cosine_weight(n):\n    return math.exp(1) / (math.exp(1) + (n - 1) * math.exp(0))",
        "at right angles",
    ),
    (
        "max_cosine_weight",
        "def max_cosine_weight(n):\n    return math.exp(2) / (math.exp(2) + n)",
        "how many are left?",
    ),
    (
        "max_cosine_weight",
        "def max_cosine_weight(n):\n    return torch.ones(n).softmax(0)[0].item()",
        "This is the even share",
    ),
    (
        "max_cosine_weight",
        "def max_cosine_weight(n):\n    return math.exp(1) / math.exp(1)",
        "would need scores that differ by infinity",
    ),
    (
        "max_cosine_weight",
        "def max_cosine_weight(n):\n    return 1 / (1 + (n - 1) * math.exp(-4))",
        "too large by a factor of 2",
    ),
    (
        "max_cosine_weight",
        "def max_cosine_weight(n):\n    return math.exp(2) / (math.exp(2) + n + 1)",
        "A single key must get the whole weight",
    ),
    # temperature_for
    (
        "temperature_for",
        "def temperature_for(n, target):\n"
        "    x = target * (n - 1) / (1 - target)\n"
        "    return math.log(x) / 2",
        "This is 1/τ",
    ),
    (
        "temperature_for",
        "def temperature_for(n, target):\n"
        "    x = target * (n - 1) / (1 - target)\n"
        "    return 1 / math.log(x)",
        "Here it is 1",
    ),
    (
        "temperature_for",
        "def temperature_for(n, target):\n"
        "    odds = target / (1 - target)\n"
        "    return 2 / math.log(odds * n)",
        "All n keys are counted",
    ),
    (
        "temperature_for",
        "def temperature_for(n, target):\n"
        "    if target <= 1 / n or target >= 1:\n"
        "        raise ValueError('impossible')\n"
        "    return 2 / math.log(target * (n - 1) / (1 - target), 10)",
        "must be the natural one",
    ),
    (
        "temperature_for",
        "def temperature_for(n, target):\n"
        "    return -2 / math.log(target * (n - 1) / (1 - target))",
        "upside down",
    ),
    (
        "temperature_for",
        "def temperature_for(n, target):\n    return 2 / math.log(target * (n - 1) / (1 - target))",
        "Raise a ValueError with a sentence of your own",
    ),
    (
        "temperature_for",
        "def temperature_for(n, target):\n"
        "    if target >= 1:\n"
        "        raise ValueError('target must be less than 1')\n"
        "    return 2 / math.log(target * (n - 1) / (1 - target))",
        "no temperature gives the weight",
    ),
    (
        "temperature_for",
        "def temperature_for(n, target):\n"
        "    if not 1 / n < target < 1:\n"
        "        raise ValueError('no such temperature')\n"
        "    return 2 / math.log(target * (n - 1))",
        "A temperature is positive",
    ),
    # lookup_gradient
    (
        "lookup_gradient",
        "def lookup_gradient(scores, values, kind):\n"
        "    if kind == 'hard':\n"
        "        return torch.zeros(values.shape)\n"
        "    return torch.softmax(scores, 0)[:, None] * values",
        "is the contribution, not the gradient",
    ),
    (
        "lookup_gradient",
        "def lookup_gradient(scores, values, kind):\n"
        "    if kind == 'hard':\n"
        "        return 0 * values\n"
        "    a = torch.softmax(scores, 0)\n"
        "    return torch.diag(a * (1 - a)) @ values",
        "The other weights change, too",
    ),
    (
        "lookup_gradient",
        "def lookup_gradient(scores, values, kind):\n"
        "    if kind == 'hard':\n"
        "        return 0 * values\n"
        "    a = torch.softmax(scores, 0)\n"
        "    return a[:, None] * (a @ values - values)",
        "The sign is turned round",
    ),
    (
        "lookup_gradient",
        "def lookup_gradient(scores, values, kind):\n"
        "    if kind == 'hard':\n"
        "        return 0 * values\n"
        "    answer = (torch.softmax(scores, 0)[:, None] * values).sum(0)\n"
        "    return values - answer",
        "The weight is missing",
    ),
    (
        "lookup_gradient",
        "def lookup_gradient(scores, values, kind):\n"
        "    a = torch.softmax(scores, 0)\n"
        "    return a[:, None] * (values - a @ values)",
        "The kind is not looked at",
    ),
    (
        "lookup_gradient",
        "def lookup_gradient(scores, values, kind):\n"
        "    a = torch.softmax(scores, 0)\n"
        "    if kind == 'soft':\n"
        "        return a[:, None] * (values - a @ values)\n"
        "    grad = torch.zeros_like(values)\n"
        "    grad[scores.argmax()] = values[scores.argmax()]\n"
        "    return grad",
        "its *slope* is another matter",
    ),
    (
        "lookup_gradient",
        "def lookup_gradient(scores, values, kind):\n"
        "    a = torch.softmax(scores, 0)\n"
        "    if kind == 'hard':\n"
        "        return torch.zeros_like(values)\n"
        "    return a[:, None] * (values - a @ values) / len(a)",
        "is raised a little, to see",
    ),
    (
        "lookup_gradient",
        "def lookup_gradient(scores, values, kind):\n"
        "    if kind == 'hard':\n"
        "        return torch.ones_like(values)\n"
        "    a = torch.softmax(scores, 0)\n"
        "    return a[:, None] * (values - a @ values)",
        "Add a millionth to any score",
    ),
    # nadaraya_watson
    (
        "nadaraya_watson",
        "def nadaraya_watson(query, keys, values, bandwidth):\n"
        "    u = torch.cdist(query, keys) / bandwidth\n"
        "    k = torch.exp(-u ** 2 / 2)\n"
        "    return (k * values).sum(1) / k.sum(1)",
        "0/0 is not a number",
    ),
    (
        "nadaraya_watson",
        "def nadaraya_watson(query, keys, values, bandwidth):\n"
        "    u = (query[:, None] - keys[None]) / bandwidth\n"
        "    return torch.softmax(-(u ** 2).sum(2), 1) @ values",
        "The 2 is missing",
    ),
    (
        "nadaraya_watson",
        "def nadaraya_watson(query, keys, values, bandwidth):\n"
        "    d2 = ((query[:, None] - keys[None]) ** 2).sum(2)\n"
        "    return torch.softmax(-0.5 * d2 / bandwidth, 1) @ values",
        "The bandwidth is not squared",
    ),
    (
        "nadaraya_watson",
        "def nadaraya_watson(query, keys, values, bandwidth):\n"
        "    d = ((query[:, None] - keys[None]) ** 2).sum(2) ** 0.5\n"
        "    return torch.softmax(-0.5 * d / bandwidth ** 2, 1) @ values",
        "The distance is not squared",
    ),
    (
        "nadaraya_watson",
        "def nadaraya_watson(query, keys, values, bandwidth):\n"
        "    d2 = ((query[:, None] - keys[None]) ** 2).sum(2)\n"
        "    return torch.softmax(d2 / (2 * bandwidth ** 2), 1) @ values",
        "Far keys weigh more",
    ),
    (
        "nadaraya_watson",
        "def nadaraya_watson(query, keys, values, bandwidth):\n"
        "    d2 = ((query[:, None] - keys[None]) ** 2).sum(2)\n"
        "    return torch.softmax(-d2 / (2 * bandwidth ** 2), 0) @ values",
        "runs over the queries",
    ),
    (
        "nadaraya_watson",
        "def nadaraya_watson(query, keys, values, bandwidth):\n"
        "    d2 = ((query[:, None] - keys[None]) ** 2).sum(2)\n"
        "    return torch.stack([values[row.argmin()] for row in d2])",
        "the nearest key alone",
    ),
    (
        "nadaraya_watson",
        "def nadaraya_watson(query, keys, values, bandwidth):\n"
        "    d2 = ((query[:, None] - keys[None]) ** 2).sum(2)\n"
        "    return torch.exp(-d2 / (2 * bandwidth ** 2)) @ values",
        "When every value is 5, a prediction is",
    ),
    # contribution_shares
    (
        "contribution_shares",
        "def contribution_shares(weights, values):\n    return weights / weights.sum(2, True)",
        "These are the weights themselves",
    ),
    (
        "contribution_shares",
        "def contribution_shares(weights, values):\n"
        "    return (weights[..., None] * values[:, None]).norm(dim=-1)",
        "are not divided by their sum",
    ),
    (
        "contribution_shares",
        "def contribution_shares(weights, values):\n"
        "    length = values.norm(dim=2)\n"
        "    share = length / length.sum(1, keepdim=True)\n"
        "    return share[:, None].repeat(1, weights.shape[1], 1)",
        "The weights are not used",
    ),
    (
        "contribution_shares",
        "def contribution_shares(weights, values):\n"
        "    parts = (weights[..., None] * values[:, None]).pow(2).sum(-1)\n"
        "    return parts / parts.sum(-1, keepdim=True)",
        "the root is missing",
    ),
    (
        "contribution_shares",
        "def contribution_shares(weights, values):\n"
        "    parts = (weights[..., None] * values[:, None]).sum(-1)\n"
        "    return parts / parts.sum(-1, keepdim=True)",
        "added with their signs",
    ),
    (
        "contribution_shares",
        "def contribution_shares(weights, values):\n"
        "    parts = (weights[..., None] * values[:, None]).norm(p=1, dim=-1)\n"
        "    return parts / parts.sum(-1, keepdim=True)",
        "The absolute entries are added",
    ),
    (
        "contribution_shares",
        "def contribution_shares(weights, values):\n"
        "    parts = weights * values.norm(dim=2)[:, None]\n"
        "    return parts / parts.sum(1, keepdim=True)",
        "over the queries",
    ),
    (
        "contribution_shares",
        "def contribution_shares(weights, values):\n"
        "    parts = weights * values.norm(dim=2)[:, None]\n"
        "    return parts.softmax(-1)",
        "made a thousand times shorter",
    ),
    # attend
    (
        "attend",
        "def attend(query, keys, values, mask):\n"
        "    weights = torch.softmax(torch.bmm(query, keys.mT), -1)\n"
        "    return torch.bmm(weights, values), weights",
        "The mask is not used",
    ),
    (
        "attend",
        "def attend(query, keys, values, mask):\n"
        "    scores = torch.bmm(query, keys.mT)\n"
        "    if mask is not None:\n"
        "        scores = scores.masked_fill(mask[:, None], float('-inf'))\n"
        "    weights = torch.softmax(scores, -1)\n"
        "    return torch.bmm(weights, values), weights",
        "wrong way round",
    ),
    (
        "attend",
        "def attend(query, keys, values, mask):\n"
        "    scores = torch.bmm(query, keys.mT)\n"
        "    if mask is not None:\n"
        "        scores = scores * mask[:, None]\n"
        "    weights = torch.softmax(scores, -1)\n"
        "    return torch.bmm(weights, values), weights",
        "a score like any other",
    ),
    (
        "attend",
        "def attend(query, keys, values, mask):\n"
        "    weights = torch.softmax(torch.bmm(query, keys.mT), -1)\n"
        "    if mask is not None:\n"
        "        weights = weights.masked_fill(~mask[:, None], 0)\n"
        "    return torch.bmm(weights, values), weights",
        "The mask comes after the softmax",
    ),
    (
        "attend",
        "def attend(query, keys, values, mask):\n"
        "    scores = torch.bmm(query, keys.mT)\n"
        "    if mask is not None:\n"
        "        scores = scores.masked_fill(~mask[:, None], float('-inf'))\n"
        "    weights = torch.softmax(scores / math.sqrt(keys.shape[2]), -1)\n"
        "    return torch.bmm(weights, values), weights",
        "divided by √H",
    ),
    (
        "attend",
        "def attend(query, keys, values, mask):\n"
        "    scores = torch.bmm(query, keys.mT)\n"
        "    if mask is not None:\n"
        "        scores = scores.masked_fill(~mask[:, None], float('-inf'))\n"
        "    weights = torch.softmax(scores, -1)\n"
        "    return torch.bmm(weights, keys), weights",
        "The keys are added up",
    ),
    (
        "attend",
        "def attend(query, keys, values, mask):\n"
        "    scores = torch.bmm(query, keys.mT)\n"
        "    if mask is not None:\n"
        "        scores = scores.masked_fill(~mask[:, None], float('-inf'))\n"
        "    weights = torch.softmax(scores, -1)\n"
        "    return weights, torch.bmm(weights, values)",
        "the context comes first",
    ),
    (
        "attend",
        "def attend(query, keys, values, mask):\n"
        "    scores = torch.bmm(query, keys.mT)\n"
        "    if mask is not None:\n"
        "        scores = scores.masked_fill(~mask[:, None], -20.0)\n"
        "    weights = torch.softmax(scores, -1)\n"
        "    return torch.bmm(weights, values), weights",
        "An entry that is not there has weight",
    ),
    (
        "attend",
        "def attend(query, keys, values, mask):\n"
        "    weights = torch.bmm(query, keys.mT)\n"
        "    if mask is not None:\n"
        "        weights = weights.masked_fill(~mask[:, None], 0)\n"
        "    return torch.bmm(weights, values), weights",
        "not to 1. Over which dimension",
    ),
]
