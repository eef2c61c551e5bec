"""Answers to exercise ``sentence_chrf``, written from its statement alone."""

from collections import Counter

from answering import right, wrong

from attnlib import metrics


@wrong("β = 1")
def sentence_chrf(hypothesis, reference):
    h, f = "".join(hypothesis.split()), "".join(reference.split())
    ps, rs = [], []
    for n in range(1, 7):
        a, b = metrics.ngram_counts(h, n), metrics.ngram_counts(f, n)
        if a and b:
            common = sum((a & b).values())
            ps.append(common / sum(a.values()))
            rs.append(common / sum(b.values()))
    p, r = (sum(ps) / len(ps), sum(rs) / len(rs)) if ps else (0, 0)
    return 100 * 2 * p * r / (p + r) if p + r else 0.0


@wrong("the white space stays in")
def sentence_chrf(hypothesis, reference):
    ps, rs = [], []
    for n in range(1, 7):
        a, b = metrics.ngram_counts(hypothesis, n), metrics.ngram_counts(reference, n)
        if a and b:
            common = sum((a & b).values())
            ps.append(common / sum(a.values()))
            rs.append(common / sum(b.values()))
    p, r = (sum(ps) / len(ps), sum(rs) / len(rs)) if ps else (0, 0)
    return 100 * 5 * p * r / (4 * p + r) if p + r else 0.0


@wrong("only spaces are taken out, not tabs and line ends")
def sentence_chrf(hypothesis, reference):
    h, f = hypothesis.replace(" ", ""), reference.replace(" ", "")
    ps, rs = [], []
    for n in range(1, 7):
        a, b = metrics.ngram_counts(h, n), metrics.ngram_counts(f, n)
        if a and b:
            common = sum((a & b).values())
            ps.append(common / sum(a.values()))
            rs.append(common / sum(b.values()))
    p, r = (sum(ps) / len(ps), sum(rs) / len(rs)) if ps else (0, 0)
    return 100 * 5 * p * r / (4 * p + r) if p + r else 0.0


@wrong("β on the wrong side: precision counts more")
def sentence_chrf(hypothesis, reference):
    h, f = "".join(hypothesis.split()), "".join(reference.split())
    ps, rs = [], []
    for n in range(1, 7):
        a, b = metrics.ngram_counts(h, n), metrics.ngram_counts(f, n)
        if a and b:
            common = sum((a & b).values())
            ps.append(common / sum(a.values()))
            rs.append(common / sum(b.values()))
    p, r = (sum(ps) / len(ps), sum(rs) / len(rs)) if ps else (0, 0)
    return 100 * 5 * p * r / (p + 4 * r) if p + r else 0.0


@wrong("F is taken for each n and then averaged")
def sentence_chrf(hypothesis, reference):
    h, f = "".join(hypothesis.split()), "".join(reference.split())
    fs = []
    for n in range(1, 7):
        a, b = metrics.ngram_counts(h, n), metrics.ngram_counts(f, n)
        if a and b:
            common = sum((a & b).values())
            p, r = common / sum(a.values()), common / sum(b.values())
            fs.append(5 * p * r / (4 * p + r) if common else 0.0)
    return 100 * sum(fs) / len(fs) if fs else 0.0


@wrong("always divided by six, also where a text is too short for an n")
def sentence_chrf(hypothesis, reference):
    h, f = "".join(hypothesis.split()), "".join(reference.split())
    p = r = 0.0
    for n in range(1, 7):
        a, b = metrics.ngram_counts(h, n), metrics.ngram_counts(f, n)
        if a and b:
            common = sum((a & b).values())
            p += common / sum(a.values()) / 6
            r += common / sum(b.values()) / 6
    return 100 * 5 * p * r / (4 * p + r) if p + r else 0.0


@wrong("n stops at 5: range(1, 6)")
def sentence_chrf(hypothesis, reference):
    h, f = "".join(hypothesis.split()), "".join(reference.split())
    ps, rs = [], []
    for n in range(1, 6):
        a, b = metrics.ngram_counts(h, n), metrics.ngram_counts(f, n)
        if a and b:
            common = sum((a & b).values())
            ps.append(common / sum(a.values()))
            rs.append(common / sum(b.values()))
    p, r = (sum(ps) / len(ps), sum(rs) / len(rs)) if ps else (0, 0)
    return 100 * 5 * p * r / (4 * p + r) if p + r else 0.0


@wrong("all n are put together instead of averaged")
def sentence_chrf(hypothesis, reference):
    h, f = "".join(hypothesis.split()), "".join(reference.split())
    common = x = y = 0
    for n in range(1, 7):
        a, b = metrics.ngram_counts(h, n), metrics.ngram_counts(f, n)
        if a and b:
            common += sum((a & b).values())
            x += sum(a.values())
            y += sum(b.values())
    if not common:
        return 0.0
    p, r = common / x, common / y
    return 100 * 5 * p * r / (4 * p + r)


@wrong("an n adds a precision if the hypothesis has n-grams, a recall if the reference has")
def sentence_chrf(hypothesis, reference):
    h, f = "".join(hypothesis.split()), "".join(reference.split())
    ps, rs = [], []
    for n in range(1, 7):
        a, b = metrics.ngram_counts(h, n), metrics.ngram_counts(f, n)
        common = sum((a & b).values())
        if a:
            ps.append(common / sum(a.values()))
        if b:
            rs.append(common / sum(b.values()))
    p, r = sum(ps) / max(len(ps), 1), sum(rs) / max(len(rs), 1)
    return 100 * 5 * p * r / (4 * p + r) if p + r else 0.0


@right
def sentence_chrf(hypothesis, reference):
    def grams(text, n):
        letters = [c for c in text if not c.isspace()]
        return Counter("".join(letters[i : i + n]) for i in range(len(letters) - n + 1))

    pairs = [(grams(hypothesis, n), grams(reference, n)) for n in range(1, 7)]
    pairs = [(a, b) for a, b in pairs if a and b]
    if not pairs:
        return 0.0
    same = [sum(min(a[g], b[g]) for g in a) for a, b in pairs]
    p = sum(s / sum(a.values()) for s, (a, _) in zip(same, pairs)) / len(pairs)
    r = sum(s / sum(b.values()) for s, (_, b) in zip(same, pairs)) / len(pairs)
    return 500 * p * r / (4 * p + r) if p > 0 and r > 0 else 0.0


@right
def sentence_chrf(hypothesis, reference):
    h, f = "".join(hypothesis.split()), "".join(reference.split())
    orders = min(6, len(h), len(f))
    p = r = 0.0
    for n in range(1, orders + 1):
        left = [f[i : i + n] for i in range(len(f) - n + 1)]
        common = 0
        for i in range(len(h) - n + 1):
            if h[i : i + n] in left:
                left.remove(h[i : i + n])
                common += 1
        p += common / (len(h) - n + 1) / orders
        r += common / (len(f) - n + 1) / orders
    return 100 * (1 + 2**2) * p * r / (2**2 * p + r) if p * r else 0.0
