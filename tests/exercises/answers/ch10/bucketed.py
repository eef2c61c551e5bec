"""Answers to exercise ``bucketed``, as learners write them."""

import torch
from answering import right, wrong


@wrong("in the order of the file")
def bucketed(lengths, budget):
    batches, batch, longest = [], [], 0
    for i, n in enumerate(lengths):
        longest = max(longest, n)
        if batch and (len(batch) + 1) * longest > budget:
            batches.append(batch)
            batch, longest = [], n
        batch.append(i)
    return batches + [batch]


@wrong("lengths of a batch are added up")
def bucketed(lengths, budget):
    batches, batch, total = [], [], 0
    for i in sorted(range(len(lengths)), key=lambda i: lengths[i]):
        if total + lengths[i] > budget:
            batches.append(batch)
            batch, total = [], 0
        batch.append(i)
        total += lengths[i]
    return batches + [batch]


@wrong("The last batch is missing")
def bucketed(lengths, budget):
    batches, batch = [], []
    for i in sorted(range(len(lengths)), key=lambda i: lengths[i]):
        if (len(batch) + 1) * lengths[i] > budget:
            batches.append(batch)
            batch = []
        batch.append(i)
    return batches


@wrong("once the newest sentence is in it")
def bucketed(lengths, budget):
    batches = [[]]
    for i in sorted(range(len(lengths)), key=lambda i: lengths[i]):
        batches[-1].append(i)
        if len(batches[-1]) * lengths[i] > budget:
            batches.append([])
    return [b for b in batches if b]


@wrong("from the longest sentence to the shortest")
def bucketed(lengths, budget):
    batches, batch = [], []
    order = sorted(range(len(lengths)), key=lambda i: lengths[i], reverse=True)
    for i in order:
        if batch and (len(batch) + 1) * lengths[batch[0]] > budget:
            batches.append(batch)
            batch = []
        batch.append(i)
    return batches + [batch]


@wrong("The batches hold lengths")
def bucketed(lengths, budget):
    batches = [[]]
    for n in sorted(lengths):
        if (len(batches[-1]) + 1) * n > budget:
            batches.append([])
        batches[-1].append(n)
    return batches


@wrong("is refused")
def bucketed(lengths, budget):
    batches = [[]]
    for i in sorted(range(len(lengths)), key=lambda i: lengths[i]):
        if batches[-1] and (len(batches[-1]) + 1) * lengths[i] >= budget:
            batches.append([])
        batches[-1].append(i)
    return batches


@wrong("newest sentence is not counted")
def bucketed(lengths, budget):
    batches = [[]]
    for i in sorted(range(len(lengths)), key=lambda i: lengths[i]):
        if len(batches[-1]) * lengths[i] > budget:
            batches.append([])
        batches[-1].append(i)
    return batches


@wrong("it is lost")
def bucketed(lengths, budget):
    batches = [[]]
    for i in sorted(range(len(lengths)), key=lambda i: lengths[i]):
        if (len(batches[-1]) + 1) * lengths[i] > budget:
            batches.append([])
        else:
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


@wrong("this is the order of the list")
def bucketed(lengths, budget):
    batches = [[]]
    for i, length in enumerate(lengths):
        if (len(batches[-1]) + 1) * length > budget:
            batches.append([])
        batches[-1].append(i)
    return batches


@wrong("lengths.index finds the first of equally long ones")
def bucketed(lengths, budget):
    batches = [[]]
    for length in sorted(lengths):
        if (len(batches[-1]) + 1) * length > budget:
            batches.append([])
        batches[-1].append(lengths.index(length))
    return batches


@wrong("that batch")
def bucketed(lengths, budget):
    batches = [[]]
    for i in sorted(range(len(lengths)), key=lambda i: lengths[i]):
        if (len(batches[-1]) + 1) * lengths[i] > budget or len(batches[-1]) == 8:
            batches.append([])
        batches[-1].append(i)
    return batches
