"""Answers to exercise ``pad``, as learners write them."""

import torch
from answering import wrong


@wrong("the wrong way round")
def pad(sentences):
    longest = max(len(s) for s in sentences)
    table = torch.zeros(len(sentences), longest, dtype=torch.long)
    for row, s in zip(table, sentences):
        row[: len(s)] = torch.tensor(s)
    return table, table == 0


@wrong("The padding stands in front")
def pad(sentences):
    longest = max(len(s) for s in sentences)
    table = torch.zeros(len(sentences), longest, dtype=torch.long)
    for row, s in zip(table, sentences):
        row[longest - len(s) :] = torch.tensor(s)
    return table, table != 0


@wrong("filled with EOS")
def pad(sentences):
    longest = max(len(s) for s in sentences)
    rows = [list(s) + [3] * (longest - len(s)) for s in sentences]
    table = torch.tensor(rows)
    return table, table != 3


@wrong("cut to the shortest")
def pad(sentences):
    table = torch.tensor(list(zip(*sentences))).T
    return table, torch.ones(table.shape, dtype=torch.bool)


@wrong("Everything is marked as real")
def pad(sentences):
    longest = max(len(s) for s in sentences)
    table = torch.zeros(len(sentences), longest, dtype=torch.long)
    for row, s in zip(table, sentences):
        row[: len(s)] = torch.tensor(s)
    return table, table >= 0


@wrong("was changed by the call")
def pad(sentences):
    longest = max(len(s) for s in sentences)
    for s in sentences:
        s += [0] * (longest - len(s))
    table = torch.tensor(sentences)
    return table, table != 0


@wrong("a tuple is expected")
def pad(sentences):
    rows = [torch.tensor(s) for s in sentences]
    return torch.nn.utils.rnn.pad_sequence(rows, batch_first=True)
