"""Answers to exercise ``bucketed``, as learners write them."""

from answering import wrong


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


@wrong("are in no batch")
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


@wrong("indices (not lengths)")
def bucketed(lengths, budget):
    batches = [[]]
    for n in sorted(lengths):
        if (len(batches[-1]) + 1) * n > budget:
            batches.append([])
        batches[-1].append(n)
    return batches
