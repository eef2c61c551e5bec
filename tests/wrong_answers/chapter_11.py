"""Wrong answers to the exercises of chapter 11, and a part of the diagnosis meant for each."""

WRONG = [
    # position_table
    (
        "position_table",
        "def position_table(length, size):\n"
        "    import torch\n"
        "    t = torch.arange(length).view(-1, 1)\n"
        "    angle = t / 10000 ** (torch.arange(0, size, 2) / size)\n"
        "    return torch.hstack([torch.sin(angle), torch.cos(angle)])",
        "they take turns",
    ),
    (
        "position_table",
        "def position_table(length, size):\n"
        "    import torch\n"
        "    out = torch.zeros(length, size)\n"
        "    angle = torch.arange(length)[:, None] / 10000 ** (torch.arange(0, size, 2) / size)\n"
        "    out[:, 0::2], out[:, 1::2] = torch.cos(angle), torch.sin(angle)\n"
        "    return out",
        "changed places",
    ),
    (
        "position_table",
        "def position_table(length, size):\n"
        "    import torch\n"
        "    out = torch.zeros(length, size)\n"
        "    angle = torch.arange(1, length + 1)[:, None] / 10000 ** (torch.arange(0,"
        " size, 2) / size)\n"
        "    out[:, 0::2], out[:, 1::2] = torch.sin(angle), torch.cos(angle)\n"
        "    return out",
        "count from 0",
    ),
    (
        "position_table",
        "def position_table(length, size):\n"
        "    import math, torch\n"
        "    out = torch.zeros(length, size)\n"
        "    for t in range(length):\n"
        "        for i in range(0, size, 2):\n"
        "            out[t, i] = math.sin(t / 10000 ** (2 * i / size))\n"
        "            out[t, i + 1] = math.cos(t / 10000 ** (2 * i / size))\n"
        "    return out",
        "exponent has been doubled",
    ),
    (
        "position_table",
        "def position_table(length, size):\n"
        "    import math, torch\n"
        "    rows = [[(math.cos if i % 2 else math.sin)(t / 10000 ** (i / size)) for i"
        " in range(size)]\n"
        "            for t in range(length)]\n"
        "    return torch.tensor(rows)",
        "different speeds",
    ),
    (
        "position_table",
        "def position_table(length, size):\n"
        "    import torch\n"
        "    out = torch.zeros(length, size)\n"
        "    angle = torch.arange(length)[:, None] * 10000 ** (torch.arange(0, size, 2) / size)\n"
        "    out[:, 0::2], out[:, 1::2] = torch.sin(angle), torch.cos(angle)\n"
        "    return out",
        "divided by 10000",
    ),
    # multi_head
    (
        "multi_head",
        "def multi_head(query, keys, values, allowed, heads):\n"
        "    import math, torch\n"
        "    D = query.shape[-1]\n"
        "    outs, ws = [], []\n"
        "    for q, k, v in zip(query.chunk(heads, -1), keys.chunk(heads, -1),"
        " values.chunk(heads, -1)):\n"
        "        e = (q @ k.transpose(1, 2) / math.sqrt(D)).masked_fill(~allowed, -1e30)\n"
        "        w = e.softmax(-1)\n"
        "        outs.append(w @ v)\n"
        "        ws.append(w)\n"
        "    return torch.cat(outs, -1), torch.stack(ws, 1)",
        "root of D",
    ),
    (
        "multi_head",
        "def multi_head(query, keys, values, allowed, heads):\n"
        "    import torch\n"
        "    outs, ws = [], []\n"
        "    for q, k, v in zip(query.chunk(heads, -1), keys.chunk(heads, -1),"
        " values.chunk(heads, -1)):\n"
        "        w = (q @ k.transpose(1, 2)).masked_fill(~allowed, float('-inf')).softmax(-1)\n"
        "        outs.append(w @ v)\n"
        "        ws.append(w)\n"
        "    return torch.cat(outs, -1), torch.stack(ws, 1)",
        "not divided by a root",
    ),
    (
        "multi_head",
        "def multi_head(query, keys, values, allowed, heads):\n"
        "    def cut(x):\n"
        "        return x.reshape(x.shape[0], x.shape[1], heads, -1).transpose(1, 2)\n"
        "    q, k, v = cut(query), cut(keys), cut(values)\n"
        "    w = (q @ k.transpose(-1, -2) / q.shape[-1] ** 0.5).softmax(-1)\n"
        "    return (w @ v).transpose(1, 2).reshape(query.shape), w",
        "may not be attended has weight",
    ),
    (
        "multi_head",
        "def multi_head(query, keys, values, allowed, heads):\n"
        "    def cut(x):\n"
        "        return x.reshape(x.shape[0], x.shape[1], -1, heads).permute(0, 3, 1, 2)\n"
        "    q, k, v = cut(query), cut(keys), cut(values)\n"
        "    e = q @ k.transpose(-1, -2) / q.shape[-1] ** 0.5\n"
        "    w = e.masked_fill(~allowed.unsqueeze(1), -1e30).softmax(-1)\n"
        "    return (w @ v).transpose(1, 2).reshape(query.shape), w",
        "mixed up in the split",
    ),
    (
        "multi_head",
        "def multi_head(query, keys, values, allowed, heads):\n"
        "    def cut(x):\n"
        "        return x.reshape(x.shape[0], x.shape[1], heads, -1).transpose(1, 2)\n"
        "    q, k, v = cut(query), cut(keys), cut(values)\n"
        "    e = q @ k.transpose(-1, -2) / q.shape[-1] ** 0.5\n"
        "    w = e.masked_fill(~allowed.unsqueeze(1), -1e30).softmax(-1)\n"
        "    return (w @ v).permute(0, 2, 3, 1).reshape(query.shape), w",
        "wrong order",
    ),
    (
        "multi_head",
        "def multi_head(query, keys, values, allowed, heads):\n"
        "    def cut(x):\n"
        "        return x.view(x.shape[0], heads, x.shape[1], -1)\n"
        "    q, k, v = cut(query), cut(keys), cut(values)\n"
        "    e = q @ k.transpose(-1, -2) / q.shape[-1] ** 0.5\n"
        "    w = e.masked_fill(~allowed.unsqueeze(1), -1e30).softmax(-1)\n"
        "    return (w @ v).transpose(1, 2).flatten(-2), w",
        "reshape without a transposition",
    ),
    (
        "multi_head",
        "def multi_head(query, keys, values, allowed, heads):\n"
        "    def cut(x):\n"
        "        return x.reshape(x.shape[0], x.shape[1], heads, -1).transpose(1, 2)\n"
        "    q, k, v = cut(query), cut(keys), cut(values)\n"
        "    w = (q @ k.transpose(-1, -2) / q.shape[-1] ** 0.5).softmax(-1) *"
        " allowed.unsqueeze(1)\n"
        "    return (w @ v).transpose(1, 2).flatten(-2), w",
        "softmax runs over the keys, and once",
    ),
    # decoder_mask
    (
        "decoder_mask",
        "def decoder_mask(real):\n"
        "    import torch\n"
        "    T = real.shape[1]\n"
        "    future = torch.ones(T, T).triu(1).bool()\n"
        "    return future | ~real[:, None, :]",
        "other way round",
    ),
    (
        "decoder_mask",
        "def decoder_mask(real):\n"
        "    import torch\n"
        "    T = real.shape[1]\n"
        "    t = torch.arange(T)\n"
        "    return (t[:, None] <= t[None, :]) & real[:, None, :]",
        "words *after* it",
    ),
    (
        "decoder_mask",
        "def decoder_mask(real):\n"
        "    import torch\n"
        "    T = real.shape[1]\n"
        "    return torch.ones(T, T, dtype=torch.bool).tril(-1) & real.unsqueeze(1)",
        "diagonal is missing",
    ),
    (
        "decoder_mask",
        "def decoder_mask(real):\n"
        "    import torch\n"
        "    B, T = real.shape\n"
        "    return torch.ones(B, T, T, dtype=torch.bool).tril()",
        "Padding may be attended",
    ),
    (
        "decoder_mask",
        "def decoder_mask(real):\n"
        "    B, T = real.shape\n"
        "    return real[:, None, :].repeat(1, T, 1)",
        "the future is not",
    ),
    (
        "decoder_mask",
        "def decoder_mask(real):\n"
        "    import torch\n"
        "    T = real.shape[1]\n"
        "    return torch.ones(T, T, dtype=torch.bool).tril() & real[:, :, None]",
        "not of the columns",
    ),
    # cached_step
    (
        "cached_step",
        "def cached_step(query, key, value, past_keys, past_values):\n"
        "    import torch\n"
        "    k, v = torch.cat([past_keys, key], 1), torch.cat([past_values, value], 1)\n"
        "    return torch.bmm(torch.bmm(query, k.mT).softmax(-1), v), k, v",
        "not divided by",
    ),
    (
        "cached_step",
        "def cached_step(query, key, value, past_keys, past_values):\n"
        "    import torch\n"
        "    k, v = torch.cat([key, past_keys], 1), torch.cat([value, past_values], 1)\n"
        "    return (query @ k.mT / query.shape[-1] ** 0.5).softmax(-1) @ v, k, v",
        "front of the table",
    ),
    (
        "cached_step",
        "def cached_step(query, key, value, past_keys, past_values):\n"
        "    import torch\n"
        "    k, v = torch.cat([past_keys, key], 1), torch.cat([past_values, value], 1)\n"
        "    return (query @ k.mT / query.shape[-1] ** 0.5).softmax(-1) @ k, k, v",
        "mixture of the keys",
    ),
    (
        "cached_step",
        "def cached_step(query, key, value, past_keys, past_values):\n"
        "    import torch\n"
        "    k, v = torch.cat([past_keys, key], 1), torch.cat([past_values, value], 1)\n"
        "    old = k[:, :-1] if k.shape[1] > 1 else k\n"
        "    old_v = v[:, :-1] if k.shape[1] > 1 else v\n"
        "    return (query @ old.mT / query.shape[-1] ** 0.5).softmax(-1) @ old_v, k, v",
        "attends to itself",
    ),
    (
        "cached_step",
        "def cached_step(query, key, value, past_keys, past_values):\n"
        "    import torch\n"
        "    k, v = torch.cat([past_keys, key], 1), torch.cat([past_values, value], 1)\n"
        "    return (query @ v.mT / query.shape[-1] ** 0.5).softmax(-1) @ v, k, v",
        "a query is compared with keys",
    ),
    (
        "cached_step",
        "def cached_step(query, key, value, past_keys, past_values):\n"
        "    import torch\n"
        "    k, v = torch.cat([past_keys, key], 1), torch.cat([past_values, value], 1)\n"
        "    return v.mean(1, keepdim=True), k, v",
        "where is the query",
    ),
    (
        "cached_step",
        "def cached_step(query, key, value, past_keys, past_values):\n"
        "    w = (query @ past_keys.mT / query.shape[-1] ** 0.5).softmax(-1)\n"
        "    return w @ past_values, past_keys, past_values",
        "rows after a step",
    ),
]
