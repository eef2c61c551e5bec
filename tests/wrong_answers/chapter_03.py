"""Wrong answers to the exercises of chapter 3, and a part of the diagnosis meant for each."""

WRONG = [
    # lengths_to_mask
    (
        "lengths_to_mask",
        "def lengths_to_mask(lengths, size=None):\n"
        "    size = size or int(lengths.max())\n"
        "    mask = torch.zeros(len(lengths), size, dtype=torch.bool)\n"
        "    for b, n in enumerate(lengths.tolist()):\n"
        "        mask[b, n:] = True\n"
        "    return mask",
        "the wrong way round",
    ),
    (
        "lengths_to_mask",
        "def lengths_to_mask(lengths, size=None):\n"
        "    size = size or int(lengths.max())\n"
        "    return torch.stack([torch.arange(size) <= n for n in lengths])",
        "One position too many",
    ),
    (
        "lengths_to_mask",
        "def lengths_to_mask(lengths, size=None):\n"
        "    size = size or lengths.max().item()\n"
        "    mask = torch.zeros(len(lengths), size, dtype=torch.bool)\n"
        "    mask[range(len(lengths)), lengths - 1] = True\n"
        "    return mask",
        "Only the last real token",
    ),
    (
        "lengths_to_mask",
        "def lengths_to_mask(lengths, size=None):\n"
        "    n = int(lengths.max())\n"
        "    return torch.arange(n).expand(len(lengths), n) < lengths.view(-1, 1)",
        "size is not used",
    ),
    (
        "lengths_to_mask",
        "def lengths_to_mask(lengths, size=None):\n"
        "    size = size or int(lengths.max())\n"
        "    rows = [[0] * (size - int(n)) + [1] * int(n) for n in lengths]\n"
        "    return torch.tensor(rows).bool()",
        "The padding stands in front",
    ),
    (
        "lengths_to_mask",
        "def lengths_to_mask(lengths, size=None):\n"
        "    size = size or int(lengths.max())\n"
        "    rows = [[1] * int(n) + [0] * (size - int(n)) for n in lengths]\n"
        "    return torch.tensor(rows)",
        "where booleans are expected",
    ),
    (
        "lengths_to_mask",
        "def lengths_to_mask(lengths, size=None):\n"
        "    size = size or int(lengths.max())\n"
        "    return torch.arange(size) < lengths.unsqueeze(1) - 1",
        "real positions in the mask",
    ),
    # pad
    (
        "pad",
        "def pad(sentences):\n"
        "    longest = max(len(s) for s in sentences)\n"
        "    table = torch.zeros(len(sentences), longest, dtype=torch.long)\n"
        "    for row, s in zip(table, sentences):\n"
        "        row[:len(s)] = torch.tensor(s)\n"
        "    return table, table == 0",
        "the wrong way round",
    ),
    (
        "pad",
        "def pad(sentences):\n"
        "    longest = max(len(s) for s in sentences)\n"
        "    table = torch.zeros(len(sentences), longest, dtype=torch.long)\n"
        "    for row, s in zip(table, sentences):\n"
        "        row[longest - len(s):] = torch.tensor(s)\n"
        "    return table, table != 0",
        "The padding stands in front",
    ),
    (
        "pad",
        "def pad(sentences):\n"
        "    longest = max(len(s) for s in sentences)\n"
        "    rows = [list(s) + [3] * (longest - len(s)) for s in sentences]\n"
        "    table = torch.tensor(rows)\n"
        "    return table, table != 3",
        "filled with EOS",
    ),
    (
        "pad",
        "def pad(sentences):\n"
        "    table = torch.tensor(list(zip(*sentences))).T\n"
        "    return table, torch.ones(table.shape, dtype=torch.bool)",
        "cut to the shortest",
    ),
    (
        "pad",
        "def pad(sentences):\n"
        "    longest = max(len(s) for s in sentences)\n"
        "    table = torch.zeros(len(sentences), longest, dtype=torch.long)\n"
        "    for row, s in zip(table, sentences):\n"
        "        row[:len(s)] = torch.tensor(s)\n"
        "    return table, table >= 0",
        "Everything is marked as real",
    ),
    (
        "pad",
        "def pad(sentences):\n"
        "    longest = max(len(s) for s in sentences)\n"
        "    for s in sentences:\n"
        "        s += [0] * (longest - len(s))\n"
        "    table = torch.tensor(sentences)\n"
        "    return table, table != 0",
        "was changed by the call",
    ),
    (
        "pad",
        "def pad(sentences):\n"
        "    rows = [torch.tensor(s) for s in sentences]\n"
        "    return torch.nn.utils.rnn.pad_sequence(rows, batch_first=True)",
        "a tuple is expected",
    ),
    # make_batch
    (
        "make_batch",
        "def make_batch(src, tgt):\n"
        "    from attnlib.batches import pad\n"
        "    s, s_mask = pad([x + [3] for x in src])\n"
        "    t, t_mask = pad([[2] + x + [3] for x in tgt])\n"
        "    return s, s_mask, t[:, :-1], t[:, 1:], t_mask[:, 1:]",
        "cut off after the padding",
    ),
    (
        "make_batch",
        "def make_batch(src, tgt):\n"
        "    from attnlib.batches import pad\n"
        "    s, s_mask = pad([x + [3] for x in src])\n"
        "    t, t_mask = pad([[2] + x + [3] for x in tgt])\n"
        "    return s, s_mask, t[:, :-1], t[:, 1:], t_mask[:, :-1]",
        "Short rows feed EOS",
    ),
    (
        "make_batch",
        "def make_batch(src, tgt):\n"
        "    from attnlib.batches import pad\n"
        "    s, s_mask = pad([x + [3] for x in src])\n"
        "    tgt_out, t_mask = pad([[2] + x for x in tgt])\n"
        "    tgt_in, _ = pad([x + [3] for x in tgt])\n"
        "    return s, s_mask, tgt_in, tgt_out, t_mask",
        "are exchanged",
    ),
    (
        "make_batch",
        "def make_batch(src, tgt):\n"
        "    from attnlib.batches import pad\n"
        "    s, s_mask = pad([x + [3] for x in src])\n"
        "    t, t_mask = pad([[2] + x for x in tgt])\n"
        "    return s, s_mask, t, t.clone(), t_mask",
        "Input and goal are the same row",
    ),
    (
        "make_batch",
        "def make_batch(src, tgt):\n"
        "    from attnlib.batches import pad\n"
        "    s, s_mask = pad(src)\n"
        "    tgt_in, t_mask = pad([[2] + x for x in tgt])\n"
        "    tgt_out, _ = pad([x + [3] for x in tgt])\n"
        "    return s, s_mask, tgt_in, tgt_out, t_mask",
        "The source has no EOS",
    ),
    (
        "make_batch",
        "def make_batch(src, tgt):\n"
        "    from attnlib.batches import pad\n"
        "    s, s_mask = pad([x + [3] for x in src])\n"
        "    t, t_mask = pad([[2] + x + [3] for x in tgt])\n"
        "    return s, s_mask, t, t, t_mask",
        "Both target rows hold BOS and EOS",
    ),
    (
        "make_batch",
        "def make_batch(src, tgt):\n"
        "    from attnlib.batches import pad\n"
        "    s, s_mask = pad([x + [3] for x in src])\n"
        "    tgt_in, _ = pad([[2] + x[:-1] for x in tgt])\n"
        "    tgt_out, t_mask = pad(tgt)\n"
        "    return s, s_mask, tgt_in, tgt_out, t_mask",
        "nobody tells this model to stop",
    ),
    (
        "make_batch",
        "def make_batch(src, tgt):\n"
        "    from attnlib.batches import pad\n"
        "    s, s_mask = pad([x + [3] for x in src])\n"
        "    tgt_in, t_mask = pad([[2] + x for x in tgt])\n"
        "    tgt_out, _ = pad([x[::-1] + [3] for x in tgt])\n"
        "    return s, s_mask, tgt_in, tgt_out, t_mask",
        "what is predicted at one step should be",
    ),
    # last_real
    (
        "last_real",
        "def last_real(x, mask):\n    return x[:, -1, :]",
        "last column of the table",
    ),
    (
        "last_real",
        "def last_real(x, mask):\n"
        "    n = mask.sum(dim=1).clamp(max=x.shape[1] - 1)\n"
        "    return torch.stack([row[i] for row, i in zip(x, n)])",
        "One position too far",
    ),
    (
        "last_real",
        "def last_real(x, mask):\n"
        "    total = (x * mask[:, :, None]).sum(dim=1)\n"
        "    return total / mask.sum(dim=1)[:, None]",
        "mean of the real states",
    ),
    (
        "last_real",
        "def last_real(x, mask):\n"
        "    longest = mask.sum(dim=1).max()\n"
        "    return x[:, longest - 1]",
        "All rows are read where the longest one ends",
    ),
    (
        "last_real",
        "def last_real(x, mask):\n"
        "    first = mask.int().argmax(dim=1)\n"
        "    return x[torch.arange(len(x)), first]",
        "This is the first position",
    ),
    (
        "last_real",
        "def last_real(x, mask):\n    return x.mean(dim=1)",
        "padding has been read",
    ),
    (
        "last_real",
        "def last_real(x, mask):\n    n = mask.sum(dim=1)\n    return x[torch.arange(len(x)), n]",
        "out of bounds",
    ),
    # reverse_real
    (
        "reverse_real",
        "def reverse_real(x, mask):\n    return torch.flip(x, dims=[1])",
        "so that padding comes first",
    ),
    (
        "reverse_real",
        "def reverse_real(x, mask):\n"
        "    turned = torch.flip(x, dims=[1])\n"
        "    return turned.masked_fill(~mask[:, :, None], 0.0)",
        "some real tokens are gone",
    ),
    (
        "reverse_real",
        "def reverse_real(x, mask):\n    return torch.flip(x, dims=[2])",
        "The features of each token are reversed",
    ),
    (
        "reverse_real",
        "def reverse_real(x, mask):\n"
        "    out = torch.zeros_like(x)\n"
        "    for b, n in enumerate(mask.sum(1).tolist()):\n"
        "        out[b, :n] = x[b, :n].flip(0)\n"
        "    return out",
        "the padding is not as it was",
    ),
    (
        "reverse_real",
        "def reverse_real(x, mask):\n"
        "    out = x.clone()\n"
        "    for b, n in enumerate(mask.sum(1).tolist()):\n"
        "        for j in range(n):\n"
        "            out[b, j] = out[b, n - 1 - j]\n"
        "    return out",
        "Reversed twice",
    ),
    (
        "reverse_real",
        "def reverse_real(x, mask):\n"
        "    for b, n in enumerate(mask.sum(1).tolist()):\n"
        "        x[b, :n] = x[b, :n].flip(0)\n"
        "    return x",
        "was changed by the call",
    ),
    (
        "reverse_real",
        "def reverse_real(x, mask):\n"
        "    order = mask.sum(1, keepdim=True) - 1 - torch.arange(x.shape[1])\n"
        "    return x.gather(1, order.unsqueeze(-1).expand_as(x))",
        "out of bounds",
    ),
    # read_both_ways
    (
        "read_both_ways",
        "def read_both_ways(forward_layer, backward_layer, inputs, mask):\n"
        "    from attnlib.recurrent import last_real\n"
        "    ahead, _ = forward_layer(inputs)\n"
        "    back, end = backward_layer(inputs.flip(1))\n"
        "    states = torch.cat([ahead, back.flip(1)], dim=-1)\n"
        "    return states, torch.cat([last_real(ahead, mask), end[-1]], dim=-1)",
        "backward layer meets padding before the words",
    ),
    (
        "read_both_ways",
        "def read_both_ways(forward_layer, backward_layer, inputs, mask):\n"
        "    from attnlib.recurrent import last_real, reverse_real\n"
        "    ahead, _ = forward_layer(inputs)\n"
        "    back, _ = backward_layer(reverse_real(inputs, mask))\n"
        "    final = torch.cat([last_real(ahead, mask), last_real(back, mask)], dim=-1)\n"
        "    return torch.cat([ahead, back], dim=-1), final",
        "turn them back",
    ),
    (
        "read_both_ways",
        "def read_both_ways(forward_layer, backward_layer, inputs, mask):\n"
        "    from attnlib.recurrent import last_real, reverse_real\n"
        "    ahead, _ = forward_layer(inputs)\n"
        "    back = reverse_real(backward_layer(reverse_real(inputs, mask))[0], mask)\n"
        "    states = torch.cat([ahead, back], dim=-1)\n"
        "    return states, last_real(states, mask)",
        "It ends at the first",
    ),
    (
        "read_both_ways",
        "def read_both_ways(forward_layer, backward_layer, inputs, mask):\n"
        "    from attnlib.recurrent import reverse_real\n"
        "    ahead, end = forward_layer(inputs)\n"
        "    back, start = backward_layer(reverse_real(inputs, mask))\n"
        "    states = torch.cat([ahead, reverse_real(back, mask)], dim=-1)\n"
        "    return states, torch.cat([end[-1], start[-1]], dim=-1)",
        "those of the last column",
    ),
    (
        "read_both_ways",
        "def read_both_ways(forward_layer, backward_layer, inputs, mask):\n"
        "    from attnlib.recurrent import last_real, reverse_real\n"
        "    ahead, _ = forward_layer(inputs)\n"
        "    back = reverse_real(backward_layer(reverse_real(inputs, mask))[0], mask)\n"
        "    states = torch.cat([back, ahead], dim=-1)\n"
        "    return states, torch.cat([back[:, 0], last_real(ahead, mask)], dim=-1)",
        "The halves are exchanged",
    ),
    (
        "read_both_ways",
        "def read_both_ways(forward_layer, backward_layer, inputs, mask):\n"
        "    from attnlib.recurrent import last_real, reverse_real\n"
        "    ahead, end = forward_layer(inputs)\n"
        "    back = reverse_real(backward_layer(reverse_real(inputs, mask))[0], mask)\n"
        "    states = torch.cat([ahead, back], dim=-1)\n"
        "    return states, torch.cat([end[-1], back[:, 0]], dim=-1)",
        "another forward final state alone",
    ),
    (
        "read_both_ways",
        "def read_both_ways(forward_layer, backward_layer, inputs, mask):\n"
        "    from attnlib.recurrent import last_real\n"
        "    ahead, back = forward_layer(inputs)[0], backward_layer(inputs)[0]\n"
        "    both = torch.cat([ahead, back], dim=-1)\n"
        "    return both, last_real(both, mask)",
        "Both layers read from left to right",
    ),
    # bridge
    (
        "bridge",
        "def bridge(final, weight, bias):\n"
        "    first = torch.tanh(final @ weight.T + bias)\n"
        "    half = first.shape[1] // 2\n"
        "    return first[:, half:], first[:, :half]",
        "Hidden and cell state are exchanged",
    ),
    (
        "bridge",
        "def bridge(final, weight, bias):\n"
        "    hidden, cell = torch.nn.functional.linear(final, weight, bias).chunk(2, -1)\n"
        "    return hidden, cell",
        "Where is the tanh",
    ),
    (
        "bridge",
        "def bridge(final, weight, bias):\n"
        "    first = torch.tanh(final @ weight.T)\n"
        "    half = weight.shape[0] // 2\n"
        "    return first[:, :half], first[:, half:]",
        "Where is the bias",
    ),
    (
        "bridge",
        "def bridge(final, weight, bias):\n"
        "    first = torch.tanh(final @ weight.T + bias)\n"
        "    pairs = first.view(len(final), -1, 2)\n"
        "    return pairs[..., 0], pairs[..., 1]",
        "Every second number",
    ),
    (
        "bridge",
        "def bridge(final, weight, bias):\n"
        "    half = len(bias) // 2\n"
        "    hidden = torch.tanh(final @ weight[:half].T + bias[:half])\n"
        "    return hidden, hidden.clone()",
        "a copy of the hidden state",
    ),
    (
        "bridge",
        "def bridge(final, weight, bias):\n"
        "    first = torch.tanh(final @ weight.T) + bias\n"
        "    return tuple(first.split(len(bias) // 2, dim=1))",
        "added after the tanh",
    ),
    # every_step_inputs
    (
        "every_step_inputs",
        "def every_step_inputs(embedded, final):\n"
        "    steps = [torch.cat([final, embedded[:, t]], 1) for t in range(embedded.size(1))]\n"
        "    return torch.stack(steps, dim=1)",
        "The context comes first here",
    ),
    (
        "every_step_inputs",
        "def every_step_inputs(embedded, final):\n"
        "    B, T, _ = embedded.shape\n"
        "    context = torch.zeros(B, T, final.shape[1])\n"
        "    context[:, 0] = final\n"
        "    return torch.cat([embedded, context], dim=2)",
        "Only the first step is given the context",
    ),
    (
        "every_step_inputs",
        "def every_step_inputs(embedded, final):\n"
        "    B, T, _ = embedded.shape\n"
        "    context = final.repeat(T, 1).reshape(B, T, -1)\n"
        "    return torch.cat([embedded, context], dim=-1)",
        "The rows are mixed up",
    ),
    (
        "every_step_inputs",
        "def every_step_inputs(embedded, final):\n"
        "    B, T, _ = embedded.shape\n"
        "    context = final[0].expand(B, T, -1)\n"
        "    return torch.cat([embedded, context], dim=-1)",
        "All sentences are given the first one's",
    ),
    (
        "every_step_inputs",
        "def every_step_inputs(embedded, final):\n    return embedded + final.unsqueeze(1)",
        "The context is added to the word",
    ),
    (
        "every_step_inputs",
        "def every_step_inputs(embedded, final):\n"
        "    B, T, _ = embedded.shape\n"
        "    context = final.unsqueeze(1).repeat(1, T, 1) / T\n"
        "    return torch.cat([embedded, context], dim=-1)",
        "this sentence's final state is",
    ),
    # greedy_decode
    (
        "greedy_decode",
        "def greedy_decode(step, state, bos, eos, max_length):\n"
        "    tokens, token = [], bos\n"
        "    while len(tokens) < max_length:\n"
        "        logits, state = step(token, state)\n"
        "        token = logits.argmax().item()\n"
        "        tokens.append(token)\n"
        "        if token == eos:\n"
        "            break\n"
        "    return tokens",
        "EOS is part of the result",
    ),
    (
        "greedy_decode",
        "def greedy_decode(step, state, bos, eos, max_length):\n"
        "    tokens, token = [], bos\n"
        "    for _ in range(max_length):\n"
        "        logits, state = step(token, state)\n"
        "        token = int(logits.argmax())\n"
        "        tokens.append(token)\n"
        "    return tokens",
        "It never stops at EOS",
    ),
    (
        "greedy_decode",
        "def greedy_decode(step, state, bos, eos, max_length):\n"
        "    tokens, token = [], bos\n"
        "    for _ in range(max_length):\n"
        "        logits, state = step(token, state)\n"
        "        token = int(logits.argmax())\n"
        "        tokens.append(token)\n"
        "    return tokens[: tokens.index(eos)] if eos in tokens else tokens",
        "Does it stop at the end",
    ),
    (
        "greedy_decode",
        "def greedy_decode(step, state, bos, eos, max_length):\n"
        "    tokens, token = [], bos\n"
        "    for _ in range(max_length):\n"
        "        logits, _ = step(token, state)\n"
        "        token = int(logits.argmax())\n"
        "        if token == eos:\n"
        "            return tokens\n"
        "        tokens.append(token)\n"
        "    return tokens",
        "Every step starts from the first state",
    ),
    (
        "greedy_decode",
        "def greedy_decode(step, state, bos, eos, max_length):\n"
        "    tokens = []\n"
        "    for _ in range(max_length):\n"
        "        logits, state = step(bos, state)\n"
        "        best = int(torch.softmax(logits, 0).argmax())\n"
        "        if best == eos:\n"
        "            break\n"
        "        tokens.append(best)\n"
        "    return tokens",
        "Every step is fed the start token",
    ),
    (
        "greedy_decode",
        "def greedy_decode(step, state, bos, eos, max_length):\n"
        "    tokens = [bos]\n"
        "    while len(tokens) <= max_length:\n"
        "        logits, state = step(tokens[-1], state)\n"
        "        best = int(logits.argmax())\n"
        "        if best == eos:\n"
        "            break\n"
        "        tokens.append(best)\n"
        "    return tokens",
        "BOS is part of the result",
    ),
    (
        "greedy_decode",
        "def greedy_decode(step, state, bos, eos, max_length):\n"
        "    token, tokens = bos, []\n"
        "    while True:\n"
        "        logits, state = step(token, state)\n"
        "        token = int(logits.argmax())\n"
        "        if token == eos:\n"
        "            return tokens\n"
        "        tokens.append(token)",
        "does a loop never end",
    ),
]
