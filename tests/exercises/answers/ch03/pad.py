"""Answers to exercise ``pad``, as learners write them."""

import torch
from answering import right, wrong

from attnlib.data import PAD


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


@wrong("Only the table is returned")
def pad(sentences):
    rows = [torch.tensor(s) for s in sentences]
    return torch.nn.utils.rnn.pad_sequence(rows, batch_first=True)


@wrong("as long as the first sentence")
def pad(sentences):
    size = len(sentences[0])
    rows = [(s + [0] * size)[:size] for s in sentences]
    lengths = torch.tensor([min(len(s), size) for s in sentences])
    return torch.tensor(rows), torch.arange(size) < lengths[:, None]


@wrong("a column of nothing but PAD")
def pad(sentences):
    size = 1 + max(len(s) for s in sentences)
    table = torch.tensor([s + [0] * (size - len(s)) for s in sentences])
    return table, table > 0


@wrong("one length a sentence")
def pad(sentences):
    lengths = [len(s) for s in sentences]
    rows = [s + [0] * (max(lengths) - len(s)) for s in sentences]
    return torch.tensor(rows), torch.tensor(lengths)


@wrong("The table holds decimal numbers")
def pad(sentences):
    table = torch.zeros(len(sentences), max(len(s) for s in sentences))
    for b, s in enumerate(sentences):
        table[b, : len(s)] = torch.tensor(s, dtype=torch.float)
    return table, table > 0


@wrong("have changed places")
def pad(sentences):
    sentences = sorted(sentences, key=lambda s: -len(s))
    size = len(sentences[0])
    table = torch.tensor([s + [0] * (size - len(s)) for s in sentences])
    return table, table > 0


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


@wrong("the table has []; the sentence is [4, 5]")
def pad(sentences):
    width = max(len(s) for s in sentences)
    table = torch.full((len(sentences), width), PAD)
    mask = torch.zeros(len(sentences), width, dtype=torch.bool)
    for s in sentences:
        b = sentences.index(s)
        table[b, : len(s)] = torch.tensor(s)
        mask[b, : len(s)] = True
    return table, mask
