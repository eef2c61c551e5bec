"""Answers to exercise ``bucketed``, as learners write them."""

from answering import wrong


@wrong("the lengths alone add up to 7")
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


@wrong("The batches hold lengths")
def bucketed(lengths, budget):
    batches = [[]]
    for n in sorted(lengths):
        if (len(batches[-1]) + 1) * n > budget:
            batches.append([])
        batches[-1].append(n)
    return batches


@wrong("the shortest come first")
def bucketed(lengths, budget):
    batches = [[]]
    for i, length in enumerate(lengths):
        if (len(batches[-1]) + 1) * length > budget:
            batches.append([])
        batches[-1].append(i)
    return batches
