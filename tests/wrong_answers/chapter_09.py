"""Wrong answers to the exercises of chapter 9, and a part of the diagnosis meant for each."""

BLEU = "    from attnlib import bleu\n"  # what the chapter's set-up cell imports
LENGTHS = "(hypothesis_length, reference_length)"
SYSTEMS = "(first, second, references, samples, seed)"

WRONG = [
    # ngram_counts
    (
        "ngram_counts",
        "def ngram_counts(tokens, n):\n"
        "    counts = {}\n"
        "    for i in range(0, len(tokens), n):\n"
        "        gram = tuple(tokens[i : i + n])\n"
        "        if len(gram) == n:\n"
        "            counts[gram] = counts.get(gram, 0) + 1\n"
        "    return counts",
        "The windows do not overlap",
    ),
    (
        "ngram_counts",
        "def ngram_counts(tokens, n):\n"
        "    counts = {}\n"
        "    for i in range(len(tokens) - n):\n"
        "        gram = tuple(tokens[i : i + n])\n"
        "        counts[gram] = counts.get(gram, 0) + 1\n"
        "    return counts",
        "The last n-gram is missing",
    ),
    (
        "ngram_counts",
        "def ngram_counts(tokens, n):\n"
        "    counts = {}\n"
        "    for i, _ in enumerate(tokens):\n"
        "        gram = tuple(tokens[i : i + n])\n"
        "        counts[gram] = counts.get(gram, 0) + 1\n"
        "    return counts",
        "Stumps shorter than n",
    ),
    (
        "ngram_counts",
        "def ngram_counts(tokens, n):\n"
        "    grams = {tuple(tokens[i : i + n]) for i in range(len(tokens) - n + 1)}\n"
        "    return {gram: 1 for gram in grams}",
        "should count 2",
    ),
    (
        "ngram_counts",
        "def ngram_counts(tokens, n):\n"
        "    from collections import Counter\n"
        "    return Counter(' '.join(tokens[i : i + n]) for i in range(len(tokens) - n + 1))",
        "The keys are strings",
    ),
    (
        "ngram_counts",
        "def ngram_counts(tokens, n):\n"
        "    from collections import Counter\n"
        "    counts = Counter()\n"
        "    for k in range(1, n + 1):\n"
        "        for i in range(len(tokens) - k + 1):\n"
        "            counts[tuple(tokens[i : i + k])] += 1\n"
        "    return counts",
        "All orders from 1 to n",
    ),
    (
        "ngram_counts",
        "def ngram_counts(tokens, n):\n"
        "    counts = {}\n"
        "    for i in range(len(tokens) - n + 1):\n"
        "        gram = tuple(sorted(tokens[i : i + n]))\n"
        "        counts[gram] = counts.get(gram, 0) + 1\n"
        "    return counts",
        "The tokens of a key are sorted",
    ),
    # overlap
    (
        "overlap",
        "def overlap(hypothesis, reference, n):\n"
        + BLEU
        + "    h = bleu.ngram_counts(bleu.tokenize_13a(hypothesis), n)\n"
        "    r = bleu.ngram_counts(bleu.tokenize_13a(reference), n)\n"
        "    hits = sum(h[g] for g in h if g in r)\n"
        "    p = hits / max(1, sum(h.values()))\n"
        "    q = hits / max(1, sum(r.values()))\n"
        "    return p, q, 2 * p * q / (p + q) if p + q else 0.0",
        "Not clipped",
    ),
    (
        "overlap",
        "def overlap(hypothesis, reference, n):\n"
        + BLEU
        + "    h = set(bleu.ngram_counts(bleu.tokenize_13a(hypothesis), n))\n"
        "    r = set(bleu.ngram_counts(bleu.tokenize_13a(reference), n))\n"
        "    p = len(h & r) / max(1, len(h))\n"
        "    q = len(h & r) / max(1, len(r))\n"
        "    return p, q, 2 * p * q / (p + q) if p + q else 0.0",
        "Kinds of n-grams are counted",
    ),
    (
        "overlap",
        "def overlap(hypothesis, reference, n):\n"
        + BLEU
        + "    h = bleu.ngram_counts(bleu.tokenize_13a(hypothesis), n)\n"
        "    r = bleu.ngram_counts(bleu.tokenize_13a(reference), n)\n"
        "    hits = sum((h & r).values())\n"
        "    p = hits / max(1, sum(r.values()))\n"
        "    q = hits / max(1, sum(h.values()))\n"
        "    return p, q, 2 * p * q / (p + q) if p + q else 0.0",
        "Precision and recall are exchanged",
    ),
    (
        "overlap",
        "def overlap(hypothesis, reference, n):\n"
        + BLEU
        + "    h = bleu.ngram_counts(bleu.tokenize_13a(hypothesis), n)\n"
        "    r = bleu.ngram_counts(bleu.tokenize_13a(reference), n)\n"
        "    hits = sum(min(h[g], r[g]) for g in h)\n"
        "    p = hits / max(1, sum(h.values()))\n"
        "    q = hits / max(1, sum(r.values()))\n"
        "    return p, q, (p + q) / 2",
        "harmonic mean",
    ),
    (
        "overlap",
        "def overlap(hypothesis, reference, n):\n"
        + BLEU
        + "    h = bleu.ngram_counts(hypothesis.split(), n)\n"
        "    r = bleu.ngram_counts(reference.split(), n)\n"
        "    hits = sum(min(h[g], r[g]) for g in h)\n"
        "    p = hits / max(1, sum(h.values()))\n"
        "    q = hits / max(1, sum(r.values()))\n"
        "    return p, q, 2 * p * q / (p + q) if p + q else 0.0",
        "Split at spaces",
    ),
    (
        "overlap",
        "def overlap(hypothesis, reference, n):\n"
        + BLEU
        + "    h, r = bleu.tokenize_13a(hypothesis), bleu.tokenize_13a(reference)\n"
        "    both = bleu.ngram_counts(h, n) & bleu.ngram_counts(r, n)\n"
        "    p, q = sum(both.values()) / len(h), sum(both.values()) / len(r)\n"
        "    return p, q, 2 * p * q / (p + q) if p + q else 0.0",
        "divided by the number of tokens",
    ),
    (
        "overlap",
        "def overlap(hypothesis, reference, n):\n"
        + BLEU
        + "    h = bleu.ngram_counts(bleu.tokenize_13a(hypothesis), n)\n"
        "    r = bleu.ngram_counts(bleu.tokenize_13a(reference), n)\n"
        "    hits = sum((h & r).values())\n"
        "    p, q = hits / h.total(), hits / r.total()\n"
        "    return p, q, 2 * p * q / (p + q)",
        "ZeroDivisionError",
    ),
    # brevity_penalty
    (
        "brevity_penalty",
        f"def brevity_penalty{LENGTHS}:\n    return min(1.0, hypothesis_length / reference_length)",
        "harsher of the two",
    ),
    (
        "brevity_penalty",
        f"def brevity_penalty{LENGTHS}:\n"
        "    import math\n"
        "    c, r = reference_length, hypothesis_length\n"
        "    if c == 0:\n"
        "        return 0.0\n"
        "    return 1.0 if c >= r else math.exp(1 - r / c)",
        "c and r have changed places",
    ),
    (
        "brevity_penalty",
        f"def brevity_penalty{LENGTHS}:\n"
        "    import math\n"
        "    if hypothesis_length == 0:\n"
        "        return 0.0\n"
        "    return math.exp(1 - reference_length / hypothesis_length)",
        "grows beyond 1",
    ),
    (
        "brevity_penalty",
        f"def brevity_penalty{LENGTHS}:\n"
        "    import math\n"
        "    if hypothesis_length < reference_length:\n"
        "        return math.exp(1 - hypothesis_length / reference_length)\n"
        "    return 1.0",
        "upside down",
    ),
    (
        "brevity_penalty",
        f"def brevity_penalty{LENGTHS}:\n"
        "    import math\n"
        "    if hypothesis_length == 0:\n"
        "        return 0.0\n"
        "    if hypothesis_length < reference_length:\n"
        "        return math.exp(-reference_length / hypothesis_length)\n"
        "    return 1.0",
        "The 1 is missing",
    ),
    (
        "brevity_penalty",
        f"def brevity_penalty{LENGTHS}:\n"
        "    import math\n"
        "    if hypothesis_length >= reference_length:\n"
        "        return 1.0\n"
        "    return math.exp(1 - reference_length / hypothesis_length)",
        "With c = 0 it raises",
    ),
    (
        "brevity_penalty",
        f"def brevity_penalty{LENGTHS}:\n"
        "    import math\n"
        "    short, long = sorted([hypothesis_length, reference_length])\n"
        "    return math.exp(1 - long / short) if short else 0.0",
        "too long is punished as well",
    ),
    (
        "brevity_penalty",
        f"def brevity_penalty{LENGTHS}:\n"
        "    if hypothesis_length == 0:\n"
        "        return 0.0\n"
        "    share = hypothesis_length / reference_length\n"
        "    return min(1.0, share**0.5)",
        "half the length",
    ),
    # corpus_bleu
    (
        "corpus_bleu",
        "def corpus_bleu(hypotheses, references):\n" + BLEU + "    scores = [\n"
        "        bleu.corpus_bleu([h], [r], smoothing='none').score\n"
        "        for h, r in zip(hypotheses, references)\n"
        "    ]\n"
        "    return sum(scores) / len(scores)",
        "mean of the sentences' scores",
    ),
    (
        "corpus_bleu",
        "def corpus_bleu(hypotheses, references):\n" + BLEU + "    import math\n"
        "    means = [0.0] * 4\n"
        "    c = r = 0\n"
        "    for h, ref in zip(hypotheses, references):\n"
        "        h, ref = bleu.tokenize_13a(h), bleu.tokenize_13a(ref)\n"
        "        c, r = c + len(h), r + len(ref)\n"
        "        for n in range(1, 5):\n"
        "            grams, known = bleu.ngram_counts(h, n), bleu.ngram_counts(ref, n)\n"
        "            if grams:\n"
        "                share = (grams & known).total() / grams.total()\n"
        "                means[n - 1] += share / len(hypotheses)\n"
        "    if min(means) == 0:\n"
        "        return 0.0\n"
        "    return 100 * bleu.brevity_penalty(c, r) * math.exp(sum(map(math.log, means)) / 4)",
        "precisions of the sentences are averaged",
    ),
    (
        "corpus_bleu",
        "def corpus_bleu(hypotheses, references):\n"
        + BLEU
        + "    found = bleu.corpus_bleu(hypotheses, references, smoothing='none')\n"
        "    p = [m / t if t else 0.0 for m, t in zip(found.counts, found.totals)]\n"
        "    return 100 * (p[0] * p[1] * p[2] * p[3]) ** 0.25",
        "brevity penalty is missing",
    ),
    (
        "corpus_bleu",
        "def corpus_bleu(hypotheses, references):\n"
        + BLEU
        + "    found = bleu.corpus_bleu(hypotheses, references, smoothing='none')\n"
        "    p = [m / t if t else 0.0 for m, t in zip(found.counts, found.totals)]\n"
        "    return 100 * found.brevity_penalty * sum(p) / 4",
        "the geometric one",
    ),
    (
        "corpus_bleu",
        "def corpus_bleu(hypotheses, references):\n" + BLEU + "    import math\n"
        "    found = bleu.corpus_bleu(hypotheses, references)\n"
        "    p = []\n"
        "    for n in range(1, 5):\n"
        "        hits = total = 0\n"
        "        for h, r in zip(hypotheses, references):\n"
        "            known = bleu.ngram_counts(bleu.tokenize_13a(r), n)\n"
        "            for gram, count in bleu.ngram_counts(bleu.tokenize_13a(h), n).items():\n"
        "                total += count\n"
        "                hits += count * (gram in known)\n"
        "        p.append(hits / total if total else 0.0)\n"
        "    if min(p) == 0:\n"
        "        return 0.0\n"
        "    return 100 * found.brevity_penalty * math.exp(sum(math.log(x) for x in p) / 4)",
        "not clipped",
    ),
    (
        "corpus_bleu",
        "def corpus_bleu(hypotheses, references):\n"
        + BLEU
        + "    texts = ' '.join(hypotheses), ' '.join(references)\n"
        "    return bleu.corpus_bleu([texts[0]], [texts[1]], smoothing='none').score",
        "glued together",
    ),
    (
        "corpus_bleu",
        "def corpus_bleu(hypotheses, references):\n"
        + BLEU
        + "    found = bleu.corpus_bleu(hypotheses, references, smoothing='none')\n"
        "    return found.score / 100",
        "between 0 and 1",
    ),
    (
        "corpus_bleu",
        "def corpus_bleu(hypotheses, references):\n"
        + BLEU
        + "    found = bleu.corpus_bleu(hypotheses, references, smoothing='none')\n"
        "    result = 100 * found.brevity_penalty\n"
        "    for p in found.precisions:\n"
        "        result *= p / 100\n"
        "    return result",
        "fourth root is missing",
    ),
    (
        "corpus_bleu",
        "def corpus_bleu(hypotheses, references):\n"
        + BLEU
        + "    found = bleu.corpus_bleu(hypotheses, references, smoothing='none')\n"
        "    if not found.score:\n"
        "        return 0.0\n"
        "    ratio = found.hypothesis_length / found.reference_length\n"
        "    return found.score / found.brevity_penalty * min(1, ratio)",
        "Use exp(1 − r/c) below r",
    ),
    # smoothed_precisions
    (
        "smoothed_precisions",
        "def smoothed_precisions(matches, totals, smoothing):\n"
        "    if sum(matches) == 0:\n"
        "        return [0.0] * 4\n"
        "    result = []\n"
        "    for n, (m, t) in enumerate(zip(matches, totals)):\n"
        "        if smoothing == 'add-k' and n:\n"
        "            m, t = m + 1, t + 1\n"
        "        if m == 0:\n"
        "            m = {'exp': 0.5, 'floor': 0.1}.get(smoothing, 0)\n"
        "        result.append(m / t)\n"
        "    return result",
        "The second such order gets ¼",
    ),
    (
        "smoothed_precisions",
        "def smoothed_precisions(matches, totals, smoothing):\n"
        "    if sum(matches) == 0:\n"
        "        return [0.0] * 4\n"
        "    result = []\n"
        "    for n, (m, t) in enumerate(zip(matches, totals), 1):\n"
        "        if smoothing == 'add-k' and n > 1:\n"
        "            m, t = m + 1, t + 1\n"
        "        if m == 0:\n"
        "            m = {'exp': 2**-n, 'floor': 0.1}.get(smoothing, 0)\n"
        "        result.append(m / t)\n"
        "    return result",
        "exp halves by the order n",
    ),
    (
        "smoothed_precisions",
        "def smoothed_precisions(matches, totals, smoothing):\n"
        "    if sum(matches) == 0:\n"
        "        return [0.0] * 4\n"
        "    result, share = [], 1.0\n"
        "    for n, (m, t) in enumerate(zip(matches, totals), 1):\n"
        "        if smoothing == 'add-k' and n > 1:\n"
        "            m, t = m + 1, t + 1\n"
        "        if m == 0 and smoothing == 'exp':\n"
        "            share /= 2\n"
        "            result.append(share)\n"
        "        elif m == 0 and smoothing == 'floor':\n"
        "            result.append(0.1 / t)\n"
        "        else:\n"
        "            result.append(m / t)\n"
        "    return result",
        "that much of a *match*",
    ),
    (
        "smoothed_precisions",
        "def smoothed_precisions(matches, totals, smoothing):\n"
        "    if sum(matches) == 0:\n"
        "        return [0.0] * 4\n"
        "    result, share = [], 1.0\n"
        "    for n, (m, t) in enumerate(zip(matches, totals), 1):\n"
        "        if smoothing == 'add-k' and n > 1:\n"
        "            m, t = m + 1, t + 1\n"
        "        if m == 0 and smoothing == 'exp':\n"
        "            share /= 2\n"
        "            result.append(share / t)\n"
        "        else:\n"
        "            result.append(max(m / t, 0.1 if smoothing == 'floor' and m == 0 else 0))\n"
        "    return result",
        "a tenth of a *match*",
    ),
    (
        "smoothed_precisions",
        "def smoothed_precisions(matches, totals, smoothing):\n"
        "    if sum(matches) == 0:\n"
        "        return [0.0] * 4\n"
        "    if smoothing == 'add-k':\n"
        "        return [(m + 1) / (t + 1) for m, t in zip(matches, totals)]\n"
        "    result, share = [], 1.0\n"
        "    for m, t in zip(matches, totals):\n"
        "        if m == 0 and smoothing == 'exp':\n"
        "            share /= 2\n"
        "            m = share\n"
        "        elif m == 0 and smoothing == 'floor':\n"
        "            m = 0.1\n"
        "        result.append(m / t)\n"
        "    return result",
        "leaves n = 1 alone",
    ),
    (
        "smoothed_precisions",
        "def smoothed_precisions(matches, totals, smoothing):\n"
        "    if sum(matches) == 0:\n"
        "        return [0.0] * 4\n"
        "    result, share = [], 1.0\n"
        "    for n, (m, t) in enumerate(zip(matches, totals)):\n"
        "        if smoothing == 'add-k' and n > 0:\n"
        "            m += 1\n"
        "        if m == 0 and smoothing == 'exp':\n"
        "            share /= 2\n"
        "            m = share\n"
        "        elif m == 0 and smoothing == 'floor':\n"
        "            m = 0.1\n"
        "        result.append(m / t)\n"
        "    return result",
        "a perfect order stays 1",
    ),
    (
        "smoothed_precisions",
        "def smoothed_precisions(matches, totals, smoothing):\n"
        "    result, share = [], 1.0\n"
        "    for n, (m, t) in enumerate(zip(matches, totals)):\n"
        "        if smoothing == 'add-k' and n > 0:\n"
        "            m, t = m + 1, t + 1\n"
        "        if m == 0 and smoothing == 'exp':\n"
        "            share /= 2\n"
        "            m = share\n"
        "        elif m == 0 and smoothing == 'floor':\n"
        "            m = 0.1\n"
        "        result.append(m / t)\n"
        "    return result",
        "nothing to smooth",
    ),
    (
        "smoothed_precisions",
        "def smoothed_precisions(matches, totals, smoothing):\n"
        "    return [m / t if t > 0 else 0.0 for m, t in zip(matches, totals)]",
        "has no effect",
    ),
    # sentence_chrf
    *(
        (
            "sentence_chrf",
            "def sentence_chrf(hypothesis, reference):\n"
            + BLEU
            + "    h, r = ''.join(hypothesis.split()), ''.join(reference.split())\n"
            "    P, R = [], []\n"
            "    for n in range(1, 7):\n"
            "        a, b = bleu.ngram_counts(h, n), bleu.ngram_counts(r, n)\n"
            "        if a and b:\n"
            "            P.append((a & b).total() / a.total())\n"
            "            R.append((a & b).total() / b.total())\n"
            "    p, q = (sum(P) / len(P), sum(R) / len(R)) if P else (0.0, 0.0)\n"
            f"    return {formula} if p + q else 0.0",
            diagnosis,
        )
        for formula, diagnosis in (
            ("100 * 2 * p * q / (p + q)", "This is F1"),
            ("100 * 5 * p * q / (p + 4 * q)", "on the wrong side"),
            ("5 * p * q / (4 * p + q)", "between 0 and 1"),
        )
    ),
    (
        "sentence_chrf",
        "def sentence_chrf(hypothesis, reference):\n"
        + BLEU
        + "    h, r = ''.join(hypothesis.split()), ''.join(reference.split())\n"
        "    F = []\n"
        "    for n in range(1, 7):\n"
        "        a, b = bleu.ngram_counts(h, n), bleu.ngram_counts(r, n)\n"
        "        if a and b:\n"
        "            m = (a & b).total()\n"
        "            p, q = m / a.total(), m / b.total()\n"
        "            F.append(5 * p * q / (4 * p + q) if m else 0.0)\n"
        "    return 100 * sum(F) / len(F) if F else 0.0",
        "taken for each n",
    ),
    (
        "sentence_chrf",
        "def sentence_chrf(hypothesis, reference):\n" + BLEU + "    P, R = [], []\n"
        "    for n in range(1, 7):\n"
        "        a, b = bleu.ngram_counts(hypothesis, n), bleu.ngram_counts(reference, n)\n"
        "        if a and b:\n"
        "            P.append((a & b).total() / a.total())\n"
        "            R.append((a & b).total() / b.total())\n"
        "    p, q = (sum(P) / len(P), sum(R) / len(R)) if P else (0.0, 0.0)\n"
        "    return 100 * 5 * p * q / (4 * p + q) if p + q else 0.0",
        "spaces are counted as letters",
    ),
    (
        "sentence_chrf",
        "def sentence_chrf(hypothesis, reference):\n"
        + BLEU
        + "    h, r = ''.join(hypothesis.split()), ''.join(reference.split())\n"
        "    p = q = 0\n"
        "    for n in range(1, 7):\n"
        "        a, b = bleu.ngram_counts(h, n), bleu.ngram_counts(r, n)\n"
        "        p += (a & b).total() / max(1, a.total()) / 6\n"
        "        q += (a & b).total() / max(1, b.total()) / 6\n"
        "    return 100 * 5 * p * q / (4 * p + q) if p + q else 0.0",
        "divided by 6",
    ),
    (
        "sentence_chrf",
        "def sentence_chrf(hypothesis, reference):\n"
        + BLEU
        + "    h, r = ''.join(hypothesis.split()), ''.join(reference.split())\n"
        "    P, R = [], []\n"
        "    for n in (1, 2, 3, 4):\n"
        "        a, b = bleu.ngram_counts(h, n), bleu.ngram_counts(r, n)\n"
        "        if a and b:\n"
        "            P.append((a & b).total() / a.total())\n"
        "            R.append((a & b).total() / b.total())\n"
        "    p, q = (sum(P) / len(P), sum(R) / len(R)) if P else (0.0, 0.0)\n"
        "    return 100 * 5 * p * q / (4 * p + q) if p + q else 0.0",
        "The orders stop at 4",
    ),
    # paired_bootstrap
    (
        "paired_bootstrap",
        f"def paired_bootstrap{SYSTEMS}:\n" + BLEU + "    import random\n"
        "    draw, n = random.Random(seed), len(references)\n"
        "    def one(system):\n"
        "        picks = draw.choices(range(n), k=n)\n"
        "        r = [references[i] for i in picks]\n"
        "        return bleu.corpus_bleu([system[i] for i in picks], r)\n"
        "    wins = losses = 0\n"
        "    for _ in range(samples):\n"
        "        a, b = one(first).score, one(second).score\n"
        "        wins, losses = wins + (a > b), losses + (a < b)\n"
        "    return wins / samples, losses / samples",
        "on different samples",
    ),
    *(
        (
            "paired_bootstrap",
            f"def paired_bootstrap{SYSTEMS}:\n" + BLEU + "    import random\n"
            "    draw, n = random.Random(seed), len(references)\n"
            "    wins = losses = 0\n"
            "    for _ in range(samples):\n"
            f"        {picks}\n"
            "        r = [references[i] for i in picks]\n"
            "        a = bleu.corpus_bleu([first[i] for i in picks], r).score\n"
            "        b = bleu.corpus_bleu([second[i] for i in picks], r).score\n"
            f"        wins += a {sign} b\n"
            "        losses += a < b\n"
            f"    return wins{end}, losses{end}",
            diagnosis,
        )
        for picks, sign, end, diagnosis in (
            ("picks = draw.sample(range(n), n)", ">", " / samples", "without replacement"),
            (
                "picks = random.Random(seed).choices(range(n), k=n)",
                ">",
                " / samples",
                "begins anew for every sample",
            ),
            ("picks = draw.choices(range(n), k=n)", ">=", " / samples", "A tie is counted"),
            ("picks = draw.choices(range(n), k=n)", ">", " / 1.0", "These are numbers of samples"),
        )
    ),
    (
        "paired_bootstrap",
        f"def paired_bootstrap{SYSTEMS}:\n"
        + BLEU
        + "    a = [bleu.corpus_bleu([h], [r]).score for h, r in zip(first, references)]\n"
        "    b = [bleu.corpus_bleu([h], [r]).score for h, r in zip(second, references)]\n"
        "    n = len(references)\n"
        "    return sum(x > y for x, y in zip(a, b)) / n, sum(x < y for x, y in zip(a, b)) / n",
        "shares of single sentences",
    ),
]
