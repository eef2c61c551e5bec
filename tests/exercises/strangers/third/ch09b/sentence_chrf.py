from collections import Counter

import numpy as np
from answering import right, wrong

from attnlib import metrics


@wrong("the spaces are letters like others")
def sentence_chrf(hypothesis, reference):
    said, known = hypothesis, reference
    precisions, recalls = [], []
    for n in range(1, 7):
        a, b = metrics.ngram_counts(said, n), metrics.ngram_counts(known, n)
        if a and b:
            both = sum((a & b).values())
            precisions.append(both / sum(a.values()))
            recalls.append(both / sum(b.values()))
    if not sum(precisions):
        return 0.0
    p, r = sum(precisions) / len(precisions), sum(recalls) / len(recalls)
    return 100 * 5 * p * r / (4 * p + r)


@wrong("only blanks are taken out, not tabs and line breaks")
def sentence_chrf(hypothesis, reference):
    said, known = hypothesis.replace(" ", ""), reference.replace(" ", "")
    precisions, recalls = [], []
    for n in range(1, 7):
        a, b = metrics.ngram_counts(said, n), metrics.ngram_counts(known, n)
        if a and b:
            both = sum((a & b).values())
            precisions.append(both / sum(a.values()))
            recalls.append(both / sum(b.values()))
    if not sum(precisions):
        return 0.0
    p, r = sum(precisions) / len(precisions), sum(recalls) / len(recalls)
    return 100 * 5 * p * r / (4 * p + r)


@wrong("β = 1: the harmonic mean")
def sentence_chrf(hypothesis, reference):
    said, known = "".join(hypothesis.split()), "".join(reference.split())
    precisions, recalls = [], []
    for n in range(1, 7):
        a, b = metrics.ngram_counts(said, n), metrics.ngram_counts(known, n)
        if a and b:
            both = sum((a & b).values())
            precisions.append(both / sum(a.values()))
            recalls.append(both / sum(b.values()))
    if not sum(precisions):
        return 0.0
    p, r = sum(precisions) / len(precisions), sum(recalls) / len(recalls)
    return 100 * 2 * p * r / (p + r)


@wrong("β² stands at the recall below the line: precision counts more")
def sentence_chrf(hypothesis, reference):
    said, known = "".join(hypothesis.split()), "".join(reference.split())
    precisions, recalls = [], []
    for n in range(1, 7):
        a, b = metrics.ngram_counts(said, n), metrics.ngram_counts(known, n)
        if a and b:
            both = sum((a & b).values())
            precisions.append(both / sum(a.values()))
            recalls.append(both / sum(b.values()))
    if not sum(precisions):
        return 0.0
    p, r = sum(precisions) / len(precisions), sum(recalls) / len(recalls)
    return 100 * 5 * p * r / (p + 4 * r)


@wrong("β is not squared: 1 + 2 and 2")
def sentence_chrf(hypothesis, reference):
    said, known = "".join(hypothesis.split()), "".join(reference.split())
    precisions, recalls = [], []
    for n in range(1, 7):
        a, b = metrics.ngram_counts(said, n), metrics.ngram_counts(known, n)
        if a and b:
            both = sum((a & b).values())
            precisions.append(both / sum(a.values()))
            recalls.append(both / sum(b.values()))
    if not sum(precisions):
        return 0.0
    p, r = sum(precisions) / len(precisions), sum(recalls) / len(recalls)
    return 100 * 3 * p * r / (2 * p + r)


@wrong("always divided by 6, also where a text is too short for an order")
def sentence_chrf(hypothesis, reference):
    said, known = "".join(hypothesis.split()), "".join(reference.split())
    precisions, recalls = [], []
    for n in range(1, 7):
        a, b = metrics.ngram_counts(said, n), metrics.ngram_counts(known, n)
        if a and b:
            both = sum((a & b).values())
            precisions.append(both / sum(a.values()))
            recalls.append(both / sum(b.values()))
    if not sum(precisions):
        return 0.0
    p, r = sum(precisions) / 6, sum(recalls) / 6
    return 100 * 5 * p * r / (4 * p + r)


@wrong("five orders: range(1, 6)")
def sentence_chrf(hypothesis, reference):
    said, known = "".join(hypothesis.split()), "".join(reference.split())
    precisions, recalls = [], []
    for n in range(1, 6):
        a, b = metrics.ngram_counts(said, n), metrics.ngram_counts(known, n)
        if a and b:
            both = sum((a & b).values())
            precisions.append(both / sum(a.values()))
            recalls.append(both / sum(b.values()))
    if not sum(precisions):
        return 0.0
    p, r = sum(precisions) / len(precisions), sum(recalls) / len(recalls)
    return 100 * 5 * p * r / (4 * p + r)


@wrong("words in place of letters")
def sentence_chrf(hypothesis, reference):
    said, known = hypothesis.split(), reference.split()
    precisions, recalls = [], []
    for n in range(1, 7):
        a, b = metrics.ngram_counts(said, n), metrics.ngram_counts(known, n)
        if a and b:
            both = sum((a & b).values())
            precisions.append(both / sum(a.values()))
            recalls.append(both / sum(b.values()))
    if not sum(precisions):
        return 0.0
    p, r = sum(precisions) / len(precisions), sum(recalls) / len(recalls)
    return 100 * 5 * p * r / (4 * p + r)


@wrong("an F for every order, then the mean of the six")
def sentence_chrf(hypothesis, reference):
    said, known = "".join(hypothesis.split()), "".join(reference.split())
    precisions, recalls = [], []
    for n in range(1, 7):
        a, b = metrics.ngram_counts(said, n), metrics.ngram_counts(known, n)
        if a and b:
            both = sum((a & b).values())
            p, r = both / sum(a.values()), both / sum(b.values())
            precisions.append(5 * p * r / (4 * p + r) if both else 0.0)
    if not sum(precisions):
        return 0.0
    return 100 * sum(precisions) / len(precisions)


@wrong("nothing in common ends in a division by zero")
def sentence_chrf(hypothesis, reference):
    said, known = "".join(hypothesis.split()), "".join(reference.split())
    precisions, recalls = [], []
    for n in range(1, 7):
        a, b = metrics.ngram_counts(said, n), metrics.ngram_counts(known, n)
        if a and b:
            both = sum((a & b).values())
            precisions.append(both / sum(a.values()))
            recalls.append(both / sum(b.values()))
    p, r = sum(precisions) / len(precisions), sum(recalls) / len(recalls)
    return 100 * 5 * p * r / (4 * p + r)


@wrong("from 0 to 1")
def sentence_chrf(hypothesis, reference):
    said, known = "".join(hypothesis.split()), "".join(reference.split())
    precisions, recalls = [], []
    for n in range(1, 7):
        a, b = metrics.ngram_counts(said, n), metrics.ngram_counts(known, n)
        if a and b:
            both = sum((a & b).values())
            precisions.append(both / sum(a.values()))
            recalls.append(both / sum(b.values()))
    if not sum(precisions):
        return 0.0
    p, r = sum(precisions) / len(precisions), sum(recalls) / len(recalls)
    return 5 * p * r / (4 * p + r)


@wrong("the n-grams of all orders are thrown together before dividing")
def sentence_chrf(hypothesis, reference):
    said, known = "".join(hypothesis.split()), "".join(reference.split())
    hits = of_a = of_b = 0
    for n in range(1, 7):
        a, b = metrics.ngram_counts(said, n), metrics.ngram_counts(known, n)
        if a and b:
            hits += sum((a & b).values())
            of_a += sum(a.values())
            of_b += sum(b.values())
    if not hits:
        return 0.0
    p, r = hits / of_a, hits / of_b
    return 100 * 5 * p * r / (4 * p + r)


@wrong("not clipped")
def sentence_chrf(hypothesis, reference):
    said, known = "".join(hypothesis.split()), "".join(reference.split())
    precisions, recalls = [], []
    for n in range(1, 7):
        a, b = metrics.ngram_counts(said, n), metrics.ngram_counts(known, n)
        if a and b:
            both = sum(count for run, count in a.items() if run in b)
            precisions.append(both / sum(a.values()))
            recalls.append(both / sum(b.values()))
    if not sum(precisions):
        return 0.0
    p, r = sum(precisions) / len(precisions), sum(recalls) / len(recalls)
    return 100 * 5 * p * r / (4 * p + r)


@wrong("lower-cased")
def sentence_chrf(hypothesis, reference):
    said, known = "".join(hypothesis.lower().split()), "".join(reference.lower().split())
    precisions, recalls = [], []
    for n in range(1, 7):
        a, b = metrics.ngram_counts(said, n), metrics.ngram_counts(known, n)
        if a and b:
            both = sum((a & b).values())
            precisions.append(both / sum(a.values()))
            recalls.append(both / sum(b.values()))
    if not sum(precisions):
        return 0.0
    p, r = sum(precisions) / len(precisions), sum(recalls) / len(recalls)
    return 100 * 5 * p * r / (4 * p + r)


@wrong("orders without a common n-gram are left out of the averages")
def sentence_chrf(hypothesis, reference):
    said, known = "".join(hypothesis.split()), "".join(reference.split())
    precisions, recalls = [], []
    for n in range(1, 7):
        a, b = metrics.ngram_counts(said, n), metrics.ngram_counts(known, n)
        if a and b:
            both = sum((a & b).values())
            if not both:
                continue
            precisions.append(both / sum(a.values()))
            recalls.append(both / sum(b.values()))
    if not sum(precisions):
        return 0.0
    p, r = sum(precisions) / len(precisions), sum(recalls) / len(recalls)
    return 100 * 5 * p * r / (4 * p + r)


@right
def sentence_chrf(hypothesis, reference):
    both = (hypothesis, reference)
    texts = [[letter for letter in text if not letter.isspace()] for text in both]
    p = r = 0.0
    orders = min(6, len(texts[0]), len(texts[1]))
    for n in range(1, orders + 1):
        a, b = (Counter("".join(t[i : i + n]) for i in range(len(t) - n + 1)) for t in texts)
        hits = (a & b).total()
        p += hits / a.total()
        r += hits / b.total()
    if p == 0:
        return 0.0
    p, r = p / orders, r / orders
    return 100 * (1 + 2**2) * p * r / (2**2 * p + r)


@right
def sentence_chrf(hypothesis, reference):
    def grams(text, n):
        letters = "".join(text.split())
        return [letters[i : i + n] for i in range(len(letters) - n + 1)]

    pairs = []
    for n in range(1, 7):
        said, known = grams(hypothesis, n), grams(reference, n)
        if not said or not known:
            continue
        hits = sum(min(said.count(g), known.count(g)) for g in set(said))
        pairs.append((hits / len(said), hits / len(known)))
    if not pairs or max(pairs) == (0.0, 0.0):
        return 0.0
    p, r = np.mean(pairs, axis=0).tolist()
    return 500 / (1 / p + 4 / r)
