"""Wrong answers to the exercises of chapter 10, and a part of the diagnosis meant for each."""

WRONG = [
    # leak_rate
    (
        "leak_rate",
        "def leak_rate(train, test):\n"
        "    count = 0\n"
        "    for sentence in test:\n"
        "        if sentence in train:\n"
        "            count += 1\n"
        "    return float(count)",
        "number of leaked sentences",
    ),
    (
        "leak_rate",
        "def leak_rate(train, test):\n    return len([s for s in test if s in train]) / len(train)",
        "divided by the size of the training split",
    ),
    (
        "leak_rate",
        "def leak_rate(train, test):\n    return len(set(train) & set(test)) / len(test)",
        "Are repetitions lost",
    ),
    (
        "leak_rate",
        "def leak_rate(train, test):\n"
        "    both = set(train).intersection(test)\n"
        "    return len(both) / len(set(test))",
        "Are repetitions lost",
    ),
    (
        "leak_rate",
        "def leak_rate(train, test):\n"
        "    return sum(any(s in t for t in train) for s in test) / len(test)",
        "only found inside one",
    ),
    (
        "leak_rate",
        "def leak_rate(train, test):\n"
        "    new = [s for s in test if s not in set(train)]\n"
        "    return len(new) / len(test)",
        "one minus what is asked",
    ),
    # unknown_rate
    (
        "unknown_rate",
        "def unknown_rate(train, test, min_count=1):\n"
        "    from collections import Counter\n"
        "    counts = Counter(w for s in train for w in s)\n"
        "    types = set(w for s in test for w in s)\n"
        "    return len([w for w in types if counts[w] < min_count]) / len(types)",
        "list of different words",
    ),
    (
        "unknown_rate",
        "def unknown_rate(train, test, min_count=1):\n"
        "    from collections import Counter\n"
        "    counts = Counter(w for s in train + test for w in s)\n"
        "    words = [w for s in test for w in s]\n"
        "    return sum(counts[w] < min_count for w in words) / len(words)",
        "which split is counted",
    ),
    (
        "unknown_rate",
        "def unknown_rate(train, test, min_count=1):\n"
        "    from collections import Counter\n"
        "    counts = Counter(w for s in train for w in s)\n"
        "    rates = [sum(counts[w] < min_count for w in s) / len(s) for s in test]\n"
        "    return sum(rates) / len(rates)",
        "mean of the sentences' rates",
    ),
    (
        "unknown_rate",
        "def unknown_rate(train, test, min_count=1):\n"
        "    known = {w for s in train for w in s}\n"
        "    words = [w for s in test for w in s]\n"
        "    return sum(w not in known for w in words) / len(words)",
        "min_count has no effect",
    ),
    (
        "unknown_rate",
        "def unknown_rate(train, test, min_count=1):\n"
        "    from collections import Counter\n"
        "    counts = Counter(w for s in train for w in s)\n"
        "    words = [w for s in test for w in s]\n"
        "    return sum(counts[w] <= min_count for w in words) / len(words)",
        "Off by one",
    ),
    (
        "unknown_rate",
        "def unknown_rate(train, test, min_count=1):\n"
        "    from collections import Counter\n"
        "    counts = Counter(w for s in train for w in s)\n"
        "    words = [w for s in test for w in s]\n"
        "    return sum(counts[w] >= min_count for w in words) / len(words)",
        "share of known words",
    ),
    # bucketed
    (
        "bucketed",
        "def bucketed(lengths, budget):\n"
        "    batches, batch, longest = [], [], 0\n"
        "    for i, n in enumerate(lengths):\n"
        "        longest = max(longest, n)\n"
        "        if batch and (len(batch) + 1) * longest > budget:\n"
        "            batches.append(batch)\n"
        "            batch, longest = [], n\n"
        "        batch.append(i)\n"
        "    return batches + [batch]",
        "in the order of the file",
    ),
    (
        "bucketed",
        "def bucketed(lengths, budget):\n"
        "    batches, batch, total = [], [], 0\n"
        "    for i in sorted(range(len(lengths)), key=lambda i: lengths[i]):\n"
        "        if total + lengths[i] > budget:\n"
        "            batches.append(batch)\n"
        "            batch, total = [], 0\n"
        "        batch.append(i)\n"
        "        total += lengths[i]\n"
        "    return batches + [batch]",
        "lengths of a batch are added up",
    ),
    (
        "bucketed",
        "def bucketed(lengths, budget):\n"
        "    batches, batch = [], []\n"
        "    for i in sorted(range(len(lengths)), key=lambda i: lengths[i]):\n"
        "        if (len(batch) + 1) * lengths[i] > budget:\n"
        "            batches.append(batch)\n"
        "            batch = []\n"
        "        batch.append(i)\n"
        "    return batches",
        "are in no batch",
    ),
    (
        "bucketed",
        "def bucketed(lengths, budget):\n"
        "    batches = [[]]\n"
        "    for i in sorted(range(len(lengths)), key=lambda i: lengths[i]):\n"
        "        batches[-1].append(i)\n"
        "        if len(batches[-1]) * lengths[i] > budget:\n"
        "            batches.append([])\n"
        "    return [b for b in batches if b]",
        "once the newest sentence is in it",
    ),
    (
        "bucketed",
        "def bucketed(lengths, budget):\n"
        "    batches, batch = [], []\n"
        "    order = sorted(range(len(lengths)), key=lambda i: lengths[i], reverse=True)\n"
        "    for i in order:\n"
        "        if batch and (len(batch) + 1) * lengths[batch[0]] > budget:\n"
        "            batches.append(batch)\n"
        "            batch = []\n"
        "        batch.append(i)\n"
        "    return batches + [batch]",
        "from the longest sentence to the shortest",
    ),
    (
        "bucketed",
        "def bucketed(lengths, budget):\n"
        "    batches = [[]]\n"
        "    for n in sorted(lengths):\n"
        "        if (len(batches[-1]) + 1) * n > budget:\n"
        "            batches.append([])\n"
        "        batches[-1].append(n)\n"
        "    return batches",
        "indices (not lengths)",
    ),
    # perplexity
    (
        "perplexity",
        "import math\n"
        "def perplexity(batches):\n"
        "    means = [nll / n for nll, n in batches]\n"
        "    return math.exp(sum(means) / len(means))",
        "mean of the batches' means",
    ),
    (
        "perplexity",
        "import math\n"
        "def perplexity(batches):\n"
        "    each = [math.exp(nll / n) for nll, n in batches]\n"
        "    return sum(each) / len(each)",
        "mean of the batches' perplexities",
    ),
    (
        "perplexity",
        "def perplexity(batches):\n"
        "    total = sum(b[0] for b in batches)\n"
        "    tokens = sum(b[1] for b in batches)\n"
        "    return total / tokens",
        "loss per token, in nats",
    ),
    (
        "perplexity",
        "def perplexity(batches):\n"
        "    total = sum(b[0] for b in batches)\n"
        "    tokens = sum(b[1] for b in batches)\n"
        "    return 2 ** (total / tokens)",
        "a loss in bits",
    ),
    (
        "perplexity",
        "import math\n"
        "def perplexity(batches):\n"
        "    return math.exp(sum(nll for nll, _ in batches) / len(batches))",
        "loss per batch",
    ),
    # comparable
    (
        "comparable",
        "def comparable(first, second):\n    return first == second",
        "letter by letter",
    ),
    (
        "comparable",
        "def comparable(first, second):\n"
        "    tok = [p for p in first.split('|') if p.startswith('tok:')]\n"
        "    return tok == [p for p in second.split('|') if p.startswith('tok:')]",
        "looks at the tokeniser alone",
    ),
    (
        "comparable",
        "def comparable(first, second):\n"
        "    return first.split('|version:')[0] == second.split('|version:')[0]",
        "position by position",
    ),
    (
        "comparable",
        "def comparable(first, second):\n"
        "    one = dict(p.split(':') for p in first.split('|'))\n"
        "    two = dict(p.split(':') for p in second.split('|'))\n"
        "    return all(one[k] == two[k] for k in one if k in two and k != 'version')",
        "the fields that both signatures have",
    ),
    (
        "comparable",
        "def comparable(first, second):\n"
        "    def fields(text):\n"
        "        return {p for p in text.lower().split('|') if p[:4] not in ('case', 'vers')}\n"
        "    return fields(first) == fields(second)",
        "forgives every wrong capital letter",
    ),
    # bucket_scores
    (
        "bucket_scores",
        "import math\n"
        "def bucket_scores(lengths, edges, score, least=30):\n"
        "    found = []\n"
        "    for low, high in edges:\n"
        "        picks = [i for i, n in enumerate(lengths) if low <= n <= high]\n"
        "        found.append(score(picks) if picks else math.nan)\n"
        "    return found",
        "however few sentences",
    ),
    (
        "bucket_scores",
        "def bucket_scores(lengths, edges, score, least=30):\n"
        "    found = []\n"
        "    for low, high in edges:\n"
        "        picks = [i for i, n in enumerate(lengths) if low <= n <= high]\n"
        "        found.append(score(picks) if len(picks) >= least else 0.0)\n"
        "    return found",
        "gets 0, which would be drawn",
    ),
    (
        "bucket_scores",
        "import math\n"
        "def bucket_scores(lengths, edges, score, least=30):\n"
        "    found = []\n"
        "    for low, high in edges:\n"
        "        inside = [n for n in lengths if n >= low and n <= high]\n"
        "        found.append(score(inside) if len(inside) >= least else math.nan)\n"
        "    return found",
        "is given lengths",
    ),
    (
        "bucket_scores",
        "import math\n"
        "def bucket_scores(lengths, edges, score, least=30):\n"
        "    found = []\n"
        "    for low, high in edges:\n"
        "        picks = [i for i, n in enumerate(lengths) if n in range(low, high)]\n"
        "        found.append(score(picks) if len(picks) >= least else math.nan)\n"
        "    return found",
        "upper edge is left out",
    ),
    (
        "bucket_scores",
        "import math\n"
        "def bucket_scores(lengths, edges, score, least=30):\n"
        "    found = []\n"
        "    for low, high in edges:\n"
        "        picks = [i for i, n in enumerate(lengths) if low <= n <= high]\n"
        "        found.append(score(picks) if len(picks) > least else math.nan)\n"
        "    return found",
        "10 sentences are at least 10",
    ),
    # word_attention
    (
        "word_attention",
        "import torch\n"
        "def word_attention(weights, src_words, tgt_words):\n"
        "    T, S = max(tgt_words) + 1, max(src_words) + 1\n"
        "    rows = []\n"
        "    for t in range(T):\n"
        "        r = torch.stack([weights[k] for k, w in enumerate(tgt_words) if w == t]).mean(0)\n"
        "        cells = []\n"
        "        for s in range(S):\n"
        "            cells.append(r[[k for k, w in enumerate(src_words) if w == s]].mean())\n"
        "        rows.append(torch.stack(cells))\n"
        "    return torch.stack(rows)",
        "columns of a word are averaged",
    ),
    (
        "word_attention",
        "import torch\n"
        "def word_attention(weights, src_words, tgt_words):\n"
        "    out = torch.zeros(max(tgt_words) + 1, max(src_words) + 1)\n"
        "    for t, wt in enumerate(tgt_words):\n"
        "        for s, ws in enumerate(src_words):\n"
        "            out[wt, ws] += weights[t, s]\n"
        "    return out",
        "rows of a word are added",
    ),
    (
        "word_attention",
        "import torch\n"
        "def word_attention(weights, src_words, tgt_words):\n"
        "    T, S = max(tgt_words) + 1, max(src_words) + 1\n"
        "    out = torch.zeros(T, S)\n"
        "    for t, wt in enumerate(tgt_words):\n"
        "        for s, ws in enumerate(src_words):\n"
        "            out[wt, ws] += weights[t, s] / src_words.count(ws)\n"
        "    return out",
        "two directions are exchanged",
    ),
    (
        "word_attention",
        "import torch\n"
        "def word_attention(weights, src_words, tgt_words):\n"
        "    T, S = max(tgt_words) + 1, max(src_words) + 1\n"
        "    out = torch.zeros(T, S)\n"
        "    for i in range(T):\n"
        "        row = weights[torch.tensor(tgt_words) == i].mean(0)\n"
        "        for j in range(S):\n"
        "            out[i, j] = row[torch.tensor(src_words) == j].sum()\n"
        "    return out.T",
        "two dimensions swapped",
    ),
    (
        "word_attention",
        "import torch\n"
        "def word_attention(weights, src_words, tgt_words):\n"
        "    T, S = max(tgt_words) + 1, max(src_words) + 1\n"
        "    out = torch.zeros(T, S)\n"
        "    for i in range(T):\n"
        "        row = weights[tgt_words.index(i)]\n"
        "        for j in range(S):\n"
        "            out[i, j] = row[torch.tensor(src_words) == j].sum()\n"
        "    return out",
        "Only the first piece of each target word",
    ),
    (
        "word_attention",
        "import torch\n"
        "def word_attention(weights, src_words, tgt_words):\n"
        "    out = torch.zeros(max(tgt_words) + 1, max(src_words) + 1)\n"
        "    for t, wt in enumerate(tgt_words):\n"
        "        for s, ws in enumerate(src_words):\n"
        "            out[wt, ws] += weights[t, s]\n"
        "    return out.softmax(1)",
        "a second softmax",
    ),
]
