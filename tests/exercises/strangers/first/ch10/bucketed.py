"""Answers to exercise ``bucketed``, written from its statement alone."""

from answering import wrong


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


@wrong("the longest first")
def bucketed(lengths, budget):
    batches = [[]]
    for i in sorted(range(len(lengths)), key=lambda i: -lengths[i]):
        longest = lengths[batches[-1][0]] if batches[-1] else lengths[i]
        if (len(batches[-1]) + 1) * longest > budget:
            batches.append([])
        batches[-1].append(i)
    return batches
