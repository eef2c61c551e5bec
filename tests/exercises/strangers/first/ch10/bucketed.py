"""Answers to exercise ``bucketed``, written from its statement alone."""

import torch
from answering import right, wrong


@wrong("a table of exactly the budget is refused")
def bucketed(lengths, budget):
    batches = [[]]
    for i in sorted(range(len(lengths)), key=lambda i: lengths[i]):
        if batches[-1] and (len(batches[-1]) + 1) * lengths[i] >= budget:
            batches.append([])
        batches[-1].append(i)
    return batches


@wrong("lengths instead of indices")
def bucketed(lengths, budget):
    batches = [[]]
    for n in sorted(lengths):
        if (len(batches[-1]) + 1) * n > budget:
            batches.append([])
        batches[-1].append(n)
    return batches


@wrong("the sum of the lengths, without the padding")
def bucketed(lengths, budget):
    batches = [[]]
    for i in sorted(range(len(lengths)), key=lambda i: lengths[i]):
        if sum(lengths[j] for j in batches[-1]) + lengths[i] > budget:
            batches.append([])
        batches[-1].append(i)
    return batches


@wrong("not sorted")
def bucketed(lengths, budget):
    batches = [[]]
    for i in range(len(lengths)):
        longest = max([lengths[j] for j in batches[-1]] + [lengths[i]])
        if (len(batches[-1]) + 1) * longest > budget:
            batches.append([])
        batches[-1].append(i)
    return batches


@wrong("the last batch is forgotten")
def bucketed(lengths, budget):
    batches, batch = [], []
    for i in sorted(range(len(lengths)), key=lambda i: lengths[i]):
        if batch and (len(batch) + 1) * lengths[i] > budget:
            batches.append(batch)
            batch = []
        batch.append(i)
    return batches


@wrong("the new sentence is not counted before it is added: one too many")
def bucketed(lengths, budget):
    batches = [[]]
    for i in sorted(range(len(lengths)), key=lambda i: lengths[i]):
        if len(batches[-1]) * lengths[i] > budget:
            batches.append([])
        batches[-1].append(i)
    return batches


@wrong("the sentence that does not fit is lost")
def bucketed(lengths, budget):
    batches = [[]]
    for i in sorted(range(len(lengths)), key=lambda i: lengths[i]):
        if (len(batches[-1]) + 1) * lengths[i] > budget:
            batches.append([])
        else:
            batches[-1].append(i)
    return batches


@wrong("the longest first")
def bucketed(lengths, budget):
    batches = [[]]
    for i in sorted(range(len(lengths)), key=lambda i: -lengths[i]):
        longest = lengths[batches[-1][0]] if batches[-1] else lengths[i]
        if (len(batches[-1]) + 1) * longest > budget:
            batches.append([])
        batches[-1].append(i)
    return batches


@right
def bucketed(lengths, budget):
    batches, batch = [], []
    for n, i in sorted(zip(lengths, range(len(lengths)))):
        if batch and (len(batch) + 1) * n > budget:
            batches.append(batch)
            batch = []
        batch = batch + [i]
    return batches + [batch]


@right
def bucketed(lengths, budget):
    order = torch.tensor(lengths).argsort(stable=True).tolist()
    batches = []
    while order:
        n = 1
        while n < len(order) and (n + 1) * lengths[order[n]] <= budget:
            n += 1
        batches.append(order[:n])
        order = order[n:]
    return batches
