"""Wrong answers to the exercises of chapter 7, and a part of the diagnosis meant for each."""

WRONG = [
    # accuracy_by_position
    (
        "accuracy_by_position",
        "def accuracy_by_position(written, gold, mask):\n"
        "    return (written == gold).float().mean(dim=0)",
        "Padding counts as right",
    ),
    (
        "accuracy_by_position",
        "def accuracy_by_position(written, gold, mask):\n"
        "    right = torch.logical_and(written == gold, mask)\n"
        "    return right.float().mean(0)",
        "by the number of sentences",
    ),
    (
        "accuracy_by_position",
        "def accuracy_by_position(written, gold, mask):\n"
        "    right = (written == gold) * mask\n"
        "    return right.sum(dim=1) / mask.sum(dim=1)",
        "accuracy of each sentence",
    ),
    (
        "accuracy_by_position",
        "def accuracy_by_position(written, gold, mask):\n"
        "    right = ((written == gold) & mask).sum()\n"
        "    return right / mask.sum()",
        "one number for all positions",
    ),
    (
        "accuracy_by_position",
        "def accuracy_by_position(written, gold, mask):\n"
        "    wrong = torch.ne(written, gold) & mask\n"
        "    return wrong.sum(0) / mask.sum(0)",
        "share of mistakes",
    ),
    (
        "accuracy_by_position",
        "def accuracy_by_position(written, gold, mask):\n"
        "    return (written == gold).sum(0) / mask.sum(0)",
        "no right answer there",
    ),
    # free_running
    (
        "free_running",
        "def free_running(step, state, first, length):\n"
        "    out = []\n"
        "    for t in range(length):\n"
        "        logits, state = step(first, state)\n"
        "        out.append(logits)\n"
        "    return torch.stack(out, 1)",
        "fed the start token again",
    ),
    (
        "free_running",
        "def free_running(step, state, first, length):\n"
        "    out, word = [], first\n"
        "    for t in range(length):\n"
        "        logits, new = step(word, state)\n"
        "        word = logits.max(-1).indices\n"
        "        out.append(logits)\n"
        "    return torch.stack(out, 1)",
        "new state is thrown away",
    ),
    (
        "free_running",
        "def free_running(step, state, first, length):\n"
        "    words, word = [], first\n"
        "    for t in range(length):\n"
        "        logits, state = step(word, state)\n"
        "        word = logits.argmax(dim=1)\n"
        "        words.append(word)\n"
        "    return torch.stack(words, dim=1)",
        "The loss needs their logits",
    ),
    (
        "free_running",
        "def free_running(step, state, first, length):\n"
        "    out, word = [], first\n"
        "    for t in range(length):\n"
        "        logits, state = step(word, state)\n"
        "        word = logits.argmax(dim=1)\n"
        "        out.append(logits)\n"
        "    return torch.stack(out)",
        "stack the steps along dimension 1",
    ),
    (
        "free_running",
        "def free_running(step, state, first, length):\n"
        "    out, word = [], first\n"
        "    for t in range(length):\n"
        "        logits, state = step(word, state)\n"
        "        word = (-logits).argmax(dim=1)\n"
        "        out.append(logits)\n"
        "    return torch.stack(out, 1)",
        "least probable word",
    ),
    (
        "free_running",
        "def free_running(step, state, first, length):\n"
        "    out, word = [], first\n"
        "    for t in range(length):\n"
        "        logits, state = step(word, state)\n"
        "        word = logits.topk(2).indices[:, 1]\n"
        "        out.append(logits)\n"
        "    return torch.stack(out, 1)",
        "Feed it what it has just written",
    ),
    # mix_inputs
    (
        "mix_inputs",
        "def mix_inputs(gold, own, share, generator):\n"
        "    coins = torch.rand(gold.shape, generator=generator)\n"
        "    return torch.where(coins < share, own, gold)",
        "With share 1 every token must be gold",
    ),
    (
        "mix_inputs",
        "def mix_inputs(gold, own, share, generator):\n"
        "    if torch.rand(1, generator=generator).item() < share:\n"
        "        return gold.clone()\n"
        "    return own.clone()",
        "Each token needs its own",
    ),
    (
        "mix_inputs",
        "def mix_inputs(gold, own, share, generator):\n"
        "    coins = torch.rand(gold.shape[0], 1, generator=generator) < share\n"
        "    return torch.where(coins, gold, own)",
        "one coin a sentence",
    ),
    (
        "mix_inputs",
        "def mix_inputs(gold, own, share, generator):\n"
        "    coins = torch.rand(gold.shape[1], generator=generator) < share\n"
        "    return torch.where(coins, gold, own)",
        "Whole positions are gold",
    ),
    (
        "mix_inputs",
        "def mix_inputs(gold, own, share, generator):\n"
        "    return (share * gold + (1 - share) * own).long()",
        "cannot be averaged",
    ),
    (
        "mix_inputs",
        "def mix_inputs(gold, own, share, generator):\n"
        "    coins = torch.rand(gold.shape) < share\n"
        "    return torch.where(coins, gold, own)",
        "drawn from the generator that was given",
    ),
    (
        "mix_inputs",
        "def mix_inputs(gold, own, share, generator):\n"
        "    generator.manual_seed(0)\n"
        "    coins = torch.rand(gold.shape, generator=generator) < share\n"
        "    return torch.where(coins, gold, own)",
        "is it used at all",
    ),
    (
        "mix_inputs",
        "def mix_inputs(gold, own, share, generator):\n"
        "    coins = torch.rand(gold.shape, generator=generator) < share ** 0.5\n"
        "    return torch.where(coins, gold, own)",
        "probability of the *gold* token",
    ),
    # scheduled_run
    (
        "scheduled_run",
        "def scheduled_run(step, state, gold, coins):\n"
        "    out, word = [], gold[:, 0]\n"
        "    for t in range(gold.shape[1]):\n"
        "        logits, state = step(word, state)\n"
        "        out.append(logits)\n"
        "        if t + 1 < gold.shape[1]:\n"
        "            word = torch.where(coins[:, t], gold[:, t + 1], logits.argmax(-1))\n"
        "    return torch.stack(out, 1)",
        "The coin of another step",
    ),
    (
        "scheduled_run",
        "def scheduled_run(step, state, gold, coins):\n"
        "    out, word = [], gold[:, 0]\n"
        "    for t in range(gold.shape[1]):\n"
        "        logits, state = step(word, state)\n"
        "        out.append(logits)\n"
        "        if t + 1 < gold.shape[1]:\n"
        "            word = torch.where(coins[:, t + 1], gold[:, t], logits.argmax(-1))\n"
        "    return torch.stack(out, 1)",
        "one step late",
    ),
    (
        "scheduled_run",
        "def scheduled_run(step, state, gold, coins):\n"
        "    out, word = [], gold[:, 0]\n"
        "    for t in range(gold.shape[1]):\n"
        "        if t:\n"
        "            word = torch.where(coins[:, 0], gold[:, t], out[-1].argmax(-1))\n"
        "        logits, state = step(word, state)\n"
        "        out.append(logits)\n"
        "    return torch.stack(out, 1)",
        "a single coin",
    ),
    (
        "scheduled_run",
        "def scheduled_run(step, state, gold, coins):\n"
        "    start, guesses = state, [gold[:, 0]]\n"
        "    for t in range(gold.shape[1]):\n"
        "        logits, state = step(gold[:, t], state)\n"
        "        guesses.append(logits.argmax(-1))\n"
        "    out, state = [], start\n"
        "    for t in range(gold.shape[1]):\n"
        "        word = torch.where(coins[:, t], gold[:, t], guesses[t])\n"
        "        logits, state = step(word, state)\n"
        "        out.append(logits)\n"
        "    return torch.stack(out, 1)",
        "come from a run that was fed gold",
    ),
    (
        "scheduled_run",
        "def scheduled_run(step, state, gold, coins):\n"
        "    out, word = [], gold[:, 0]\n"
        "    for t in range(gold.shape[1]):\n"
        "        if t:\n"
        "            word = torch.where(coins[:, t], out[-1].argmax(-1), gold[:, t])\n"
        "        logits, state = step(word, state)\n"
        "        out.append(logits)\n"
        "    return torch.stack(out, 1)",
        "True means gold",
    ),
    (
        "scheduled_run",
        "def scheduled_run(step, state, gold, coins):\n"
        "    out = []\n"
        "    for word in gold.unbind(1):\n"
        "        logits, state = step(word, state)\n"
        "        out.append(logits)\n"
        "    return torch.stack(out, 1)",
        "plain teacher forcing",
    ),
    (
        "scheduled_run",
        "def scheduled_run(step, state, gold, coins):\n"
        "    out, word = [], gold[:, 0]\n"
        "    for t in range(gold.shape[1]):\n"
        "        logits, state = step(word, state)\n"
        "        word = logits.argmax(-1)\n"
        "        out.append(logits)\n"
        "    return torch.stack(out, 1)",
        "always reads its own word",
    ),
    # inverse_sigmoid
    (
        "inverse_sigmoid",
        "def inverse_sigmoid(step, rate):\n    return rate / (rate + math.exp(step / rate))",
        "After 100,000 steps it fails",
    ),
    (
        "inverse_sigmoid",
        "def inverse_sigmoid(step, rate):\n    return 1 - 1 / (1 + math.exp(-step / rate))",
        "divided by 1 + exp",
    ),
    (
        "inverse_sigmoid",
        "def inverse_sigmoid(step, rate):\n"
        "    decay = math.exp(-step / rate)\n"
        "    return rate / (rate + decay)",
        "sigmoid, which rises",
    ),
    (
        "inverse_sigmoid",
        "def inverse_sigmoid(step, rate):\n    return math.exp(-1 / rate) ** step",
        "exponential decay",
    ),
    (
        "inverse_sigmoid",
        "def inverse_sigmoid(step, rate):\n"
        "    decay = math.exp(-step * rate)\n"
        "    return 1 / (1 + 1 / (rate * decay)) if decay else 0.0",
        "instead of i / k",
    ),
    (
        "inverse_sigmoid",
        "def inverse_sigmoid(step, rate):\n    return max(0.0, 1 - step / (10 * rate))",
        "one half",
    ),
    # token_cross_entropy
    (
        "token_cross_entropy",
        "def token_cross_entropy(logits, targets, label_smoothing=0.0):\n"
        "    log_probs = torch.log_softmax(logits, dim=1)\n"
        "    return -log_probs[torch.arange(len(targets)), targets].mean()",
        "smoothing is left out",
    ),
    (
        "token_cross_entropy",
        "def token_cross_entropy(logits, targets, label_smoothing=0.0):\n"
        "    n, v = logits.shape\n"
        "    q = torch.full((n, v), label_smoothing / (v - 1))\n"
        "    q[torch.arange(n), targets] = 1 - label_smoothing\n"
        "    return -(q * logits.log_softmax(-1)).sum(-1).mean()",
        "the right one included",
    ),
    (
        "token_cross_entropy",
        "def token_cross_entropy(logits, targets, label_smoothing=0.0):\n"
        "    lp = logits.log_softmax(-1)\n"
        "    hit = lp.gather(1, targets[:, None])[:, 0]\n"
        "    return -((1 - label_smoothing) * hit + label_smoothing * lp.sum(-1)).mean()",
        "summed over the vocabulary",
    ),
    (
        "token_cross_entropy",
        "def token_cross_entropy(logits, targets, label_smoothing=0.0):\n"
        "    import torch.nn.functional as F\n"
        "    return F.cross_entropy(logits, targets, reduction='sum',\n"
        "                           label_smoothing=label_smoothing)",
        "This is the sum over the tokens",
    ),
    (
        "token_cross_entropy",
        "def token_cross_entropy(logits, targets, label_smoothing=0.0):\n"
        "    p = logits.softmax(-1)\n"
        "    hit = p.gather(1, targets[:, None])[:, 0].log()\n"
        "    if label_smoothing:\n"
        "        hit = (1 - label_smoothing) * hit + label_smoothing * p.log().mean(-1)\n"
        "    return -hit.mean()",
        "its log is −∞",
    ),
    (
        "token_cross_entropy",
        "def token_cross_entropy(logits, targets, label_smoothing=0.0):\n"
        "    lp = logits.log_softmax(-1)\n"
        "    hit = lp.gather(1, targets[:, None])[:, 0]\n"
        "    return ((1 - label_smoothing) * hit + label_smoothing * lp.mean(-1)).mean()",
        "sign is missing",
    ),
    (
        "token_cross_entropy",
        "def token_cross_entropy(logits, targets, label_smoothing=0.0):\n"
        "    hit = logits.gather(1, targets[:, None])[:, 0]\n"
        "    return -((1 - label_smoothing) * hit + label_smoothing * logits.mean(-1)).mean()",
        "Adding 50 to all logits",
    ),
    # masked_cross_entropy
    (
        "masked_cross_entropy",
        "def masked_cross_entropy(logits, targets, mask, label_smoothing=0.0):\n"
        "    import torch.nn.functional as F\n"
        "    return F.cross_entropy(logits.transpose(1, 2), targets,\n"
        "                           label_smoothing=label_smoothing)",
        "Padding is counted like any other word",
    ),
    (
        "masked_cross_entropy",
        "def masked_cross_entropy(logits, targets, mask, label_smoothing=0.0):\n"
        "    import torch.nn.functional as F\n"
        "    each = F.cross_entropy(logits.transpose(1, 2), targets, reduction='none',\n"
        "                           label_smoothing=label_smoothing)\n"
        "    return (each * mask).mean()",
        "still divided by all positions",
    ),
    (
        "masked_cross_entropy",
        "def masked_cross_entropy(logits, targets, mask, label_smoothing=0.0):\n"
        "    import torch.nn.functional as F\n"
        "    each = F.cross_entropy(logits.transpose(1, 2), targets, reduction='none',\n"
        "                           label_smoothing=label_smoothing)\n"
        "    return ((each * mask).sum(1) / mask.sum(1)).mean()",
        "mean of the sentences' means",
    ),
    (
        "masked_cross_entropy",
        "def masked_cross_entropy(logits, targets, mask, label_smoothing=0.0):\n"
        "    import torch.nn.functional as F\n"
        "    padding = mask.logical_not()\n"
        "    return F.cross_entropy(logits[padding], targets[padding],\n"
        "                           label_smoothing=label_smoothing)",
        "the wrong way round",
    ),
    (
        "masked_cross_entropy",
        "def masked_cross_entropy(logits, targets, mask, label_smoothing=0.0):\n"
        "    import torch.nn.functional as F\n"
        "    return F.cross_entropy(logits[mask], targets[mask])",
        "smoothing is left out",
    ),
    (
        "masked_cross_entropy",
        "def masked_cross_entropy(logits, targets, mask, label_smoothing=0.0):\n"
        "    import torch.nn.functional as F\n"
        "    return F.cross_entropy(logits[mask], targets[mask], reduction='sum',\n"
        "                           label_smoothing=label_smoothing)",
        "the loss is per token",
    ),
]
