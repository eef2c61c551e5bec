"""Answers to exercise ``pad``, written from its statement alone."""

import itertools

import torch
from answering import right, wrong
from torch import nn

from attnlib import masking
from attnlib.data import EOS, PAD


@wrong("the filling stands in front")
def pad(sentences):
    size = max(len(s) for s in sentences)
    table = torch.tensor([[PAD] * (size - len(s)) + list(s) for s in sentences])
    return table, table != PAD


@wrong("the caller's lists are made longer")
def pad(sentences):
    size = max(len(s) for s in sentences)
    lengths = torch.tensor([len(s) for s in sentences])
    for s in sentences:
        s += [PAD] * (size - len(s))
    return torch.tensor(sentences), masking.lengths_to_mask(lengths)


@wrong("lengths are measured after the filling: everything is real")
def pad(sentences):
    size = max(len(s) for s in sentences)
    rows = [s + [PAD] * (size - len(s)) for s in sentences]
    lengths = torch.tensor([len(row) for row in rows])
    return torch.tensor(rows), masking.lengths_to_mask(lengths)


@wrong("cut to the shortest sentence")
def pad(sentences):
    size = min(len(s) for s in sentences)
    table = torch.tensor([s[:size] for s in sentences])
    return table, torch.ones_like(table, dtype=torch.bool)


@wrong("filled up with the end of the sentence")
def pad(sentences):
    size = max(len(s) for s in sentences)
    lengths = torch.tensor([len(s) for s in sentences])
    rows = [s + [EOS] * (size - len(s)) for s in sentences]
    return torch.tensor(rows), masking.lengths_to_mask(lengths)


@wrong("always one PAD at least")
def pad(sentences):
    size = max(len(s) for s in sentences) + 1
    lengths = torch.tensor([len(s) for s in sentences])
    rows = [s + [PAD] * (size - len(s)) for s in sentences]
    return torch.tensor(rows), masking.lengths_to_mask(lengths, size)


@wrong("the mask says where the padding is")
def pad(sentences):
    size = max(len(s) for s in sentences)
    table = torch.tensor([s + [PAD] * (size - len(s)) for s in sentences])
    return table, table == PAD


@wrong("lengths in place of the mask")
def pad(sentences):
    size = max(len(s) for s in sentences)
    table = torch.tensor([s + [PAD] * (size - len(s)) for s in sentences])
    return table, torch.tensor([len(s) for s in sentences])


@wrong("the table is of floats: no embedding takes it")
def pad(sentences):
    size = max(len(s) for s in sentences)
    table = torch.zeros(len(sentences), size)
    for row, s in enumerate(sentences):
        table[row, : len(s)] = torch.tensor(s)
    return table, table != PAD


@wrong("columns are sentences")
def pad(sentences):
    size = max(len(s) for s in sentences)
    table = torch.tensor([s + [PAD] * (size - len(s)) for s in sentences]).T
    return table, table != PAD


@wrong("the longest sentence is put first")
def pad(sentences):
    ordered = sorted(sentences, key=len, reverse=True)
    size = len(ordered[0])
    table = torch.tensor([s + [PAD] * (size - len(s)) for s in ordered])
    return table, table != PAD


@wrong("the mask is of integers")
def pad(sentences):
    size = max(len(s) for s in sentences)
    table = torch.tensor([s + [PAD] * (size - len(s)) for s in sentences])
    mask = torch.tensor([[1] * len(s) + [0] * (size - len(s)) for s in sentences])
    return table, mask


@right
def pad(sentences):
    size = max(map(len, sentences))
    table = torch.full((len(sentences), size), PAD)
    mask = torch.zeros(len(sentences), size, dtype=torch.bool)
    for b, sentence in enumerate(sentences):
        for j, token in enumerate(sentence):
            table[b, j] = token
            mask[b, j] = True
    return table, mask


@right
def pad(sentences):
    table = nn.utils.rnn.pad_sequence(
        [torch.tensor(s) for s in sentences], batch_first=True, padding_value=PAD
    )
    lengths = torch.tensor([len(s) for s in sentences])
    return table, torch.arange(table.shape[1])[None] < lengths[:, None]


@right
def pad(sentences):
    columns = list(itertools.zip_longest(*sentences, fillvalue=None))
    table = [[PAD if token is None else token for token in column] for column in columns]
    real = [[token is not None for token in column] for column in columns]
    return [torch.tensor(table).T, torch.tensor(real).T]


@right
def pad(sentences):
    size = max([len(sentence) for sentence in sentences])
    rows = []
    for sentence in sentences:
        row = list(sentence)
        while len(row) < size:
            row.append(PAD)
        rows.append(row)
    table = torch.tensor(rows)
    return table, table != PAD
