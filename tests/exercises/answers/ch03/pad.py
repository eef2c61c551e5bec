"""Answers to exercise ``pad``, as learners write them."""

import torch
from answering import right, wrong


@wrong("The padding stands in front")
def pad(sentences):
    longest = max(len(s) for s in sentences)
    table = torch.zeros(len(sentences), longest, dtype=torch.long)
    for row, s in zip(table, sentences):
        row[longest - len(s) :] = torch.tensor(s)
    return table, table != 0


@wrong("cut to the shortest")
def pad(sentences):
    table = torch.tensor(list(zip(*sentences))).T
    return table, torch.ones(table.shape, dtype=torch.bool)


@wrong("was changed by the call")
def pad(sentences):
    longest = max(len(s) for s in sentences)
    for s in sentences:
        s += [0] * (longest - len(s))
    table = torch.tensor(sentences)
    return table, table != 0


@wrong("and then nothing but PAD")
def pad(sentences):
    size = max(len(s) for s in sentences)
    lengths = torch.tensor([len(s) for s in sentences])
    table = torch.tensor([s + [99] * (size - len(s)) for s in sentences])
    return table, torch.arange(size) < lengths[:, None]


@right
def pad(sentences):
    rows = [torch.tensor(s) for s in sentences]
    table = torch.nn.utils.rnn.pad_sequence(rows, batch_first=True)
    real = [torch.ones(len(s), dtype=torch.bool) for s in sentences]
    return [table, torch.nn.utils.rnn.pad_sequence(real, batch_first=True)]


@right
def pad(sentences):
    size = max(len(s) for s in sentences)
    table = torch.zeros(len(sentences), size, dtype=torch.int32)
    for row, s in zip(table, sentences):
        row[: len(s)] = torch.tensor(s, dtype=torch.int32)
    return table, table.bool()
