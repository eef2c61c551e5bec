import numpy as np
from answering import right, wrong


@wrong("lengths in the batches, not indices")
def bucketed(lengths, budget):
    batches = [[]]
    for i in sorted(range(len(lengths)), key=lambda i: lengths[i]):
        if (len(batches[-1]) + 1) * lengths[i] > budget:
            batches.append([])
        batches[-1].append(lengths[i])
    return batches


@wrong("not sorted: in the order of the corpus")
def bucketed(lengths, budget):
    batches = [[]]
    for i in range(len(lengths)):
        if (len(batches[-1]) + 1) * lengths[i] > budget:
            batches.append([])
        batches[-1].append(i)
    return batches


@wrong("from the longest to the shortest")
def bucketed(lengths, budget):
    batches = [[]]
    for i in sorted(range(len(lengths)), key=lambda i: -lengths[i]):
        if (len(batches[-1]) + 1) * lengths[i] > budget:
            batches.append([])
        batches[-1].append(i)
    return batches


@wrong(">= : a table that fits exactly is refused")
def bucketed(lengths, budget):
    batches = [[]]
    for i in sorted(range(len(lengths)), key=lambda i: lengths[i]):
        if (len(batches[-1]) + 1) * lengths[i] >= budget:
            batches.append([])
        batches[-1].append(i)
    return batches


@wrong("the tokens are added up, without the padding")
def bucketed(lengths, budget):
    batches = [[]]
    for i in sorted(range(len(lengths)), key=lambda i: lengths[i]):
        if sum(lengths[k] for k in batches[-1]) + lengths[i] > budget:
            batches.append([])
        batches[-1].append(i)
    return batches


@wrong("the budget is the number of sentences")
def bucketed(lengths, budget):
    batches = [[]]
    for i in sorted(range(len(lengths)), key=lambda i: lengths[i]):
        if len(batches[-1]) + 1 > budget:
            batches.append([])
        batches[-1].append(i)
    return batches


@wrong("the sentence that does not fit any more goes into the full batch, the next one begins anew")
def bucketed(lengths, budget):
    batches = [[]]
    for i in sorted(range(len(lengths)), key=lambda i: lengths[i]):
        batches[-1].append(i)
        if len(batches[-1]) * lengths[i] > budget:
            batches.append([])
    return batches


@wrong("equal ones in the reverse order")
def bucketed(lengths, budget):
    batches = [[]]
    for i in sorted(range(len(lengths)), key=lambda i: (lengths[i], -i)):
        if (len(batches[-1]) + 1) * lengths[i] > budget:
            batches.append([])
        batches[-1].append(i)
    return batches


@wrong("the length of the batch's first sentence, its shortest, is taken for the width")
def bucketed(lengths, budget):
    batches = [[]]
    for i in sorted(range(len(lengths)), key=lambda i: lengths[i]):
        if (len(batches[-1]) + 1) * lengths[(batches[-1] or [i])[0]] > budget:
            batches.append([])
        batches[-1].append(i)
    return batches


@wrong("one batch for each length")
def bucketed(lengths, budget):
    batches = [[]]
    for i in sorted(range(len(lengths)), key=lambda i: lengths[i]):
        if batches[-1] and lengths[batches[-1][-1]] != lengths[i]:
            batches.append([])
        batches[-1].append(i)
    return batches


@wrong("sorts the caller's list, so that the indices are those of the sorted one")
def bucketed(lengths, budget):
    lengths.sort()
    batches = [[]]
    for i, length in enumerate(lengths):
        if (len(batches[-1]) + 1) * length > budget:
            batches.append([])
        batches[-1].append(i)
    return batches


@wrong("the last batch is never put into the list")
def bucketed(lengths, budget):
    batches, current = [], []
    for i in sorted(range(len(lengths)), key=lambda i: lengths[i]):
        if (len(current) + 1) * lengths[i] > budget:
            batches.append(current)
            current = []
        current.append(i)
    return batches


@right
def bucketed(lengths, budget):
    order = np.argsort(np.array(lengths), kind="stable").tolist()
    batches = []
    while order:
        k = 1
        while k < len(order) and (k + 1) * lengths[order[k]] <= budget:
            k += 1
        batches.append(order[:k])
        order = order[k:]
    return batches


@right
def bucketed(lengths, budget):
    batches = []
    for length, i in sorted((length, i) for i, length in enumerate(lengths)):
        if batches and len(batches[-1]) * length + length <= budget:
            batches[-1].append(i)
        else:
            batches.append([i])
    return batches
