from collections import Counter, defaultdict

from answering import right, wrong


@wrong("runs of n + 1 tokens")
def ngram_counts(tokens, n):
    return Counter(tuple(tokens[i : i + n + 1]) for i in range(len(tokens) - n + 1))


@wrong("every run counts once, however often it occurs")
def ngram_counts(tokens, n):
    return dict.fromkeys((tuple(tokens[i : i + n]) for i in range(len(tokens) - n + 1)), 1)


@wrong("all orders up to n together")
def ngram_counts(tokens, n):
    return Counter(
        tuple(tokens[i : i + m]) for m in range(1, n + 1) for i in range(len(tokens) - m + 1)
    )


@wrong("a list of the runs, not counted")
def ngram_counts(tokens, n):
    return [tuple(tokens[i : i + n]) for i in range(len(tokens) - n + 1)]


@wrong("lower-cased: Two and two are the same")
def ngram_counts(tokens, n):
    tokens = [token.lower() for token in tokens]
    return Counter(tuple(tokens[i : i + n]) for i in range(len(tokens) - n + 1))


@wrong("for one token the keys are bare strings")
def ngram_counts(tokens, n):
    if n == 1:
        return Counter(tokens)
    return Counter(tuple(tokens[i : i + n]) for i in range(len(tokens) - n + 1))


@wrong("a sentence that is too short counts as one run")
def ngram_counts(tokens, n):
    if len(tokens) < n:
        return Counter({tuple(tokens): 1})
    return Counter(tuple(tokens[i : i + n]) for i in range(len(tokens) - n + 1))


@right
def ngram_counts(tokens, n):
    counts = {}
    for run in zip(*[tokens[k:] for k in range(n)]):
        counts[run] = counts.get(run, 0) + 1
    return counts


@right
def ngram_counts(tokens, n):
    counts = defaultdict(int)
    i = 0
    while i + n <= len(tokens):
        run = ()
        for token in tokens[i : i + n]:
            run += (token,)
        counts[run] += 1
        i += 1
    return dict(counts)
