import itertools

import torch
from answering import right, wrong

from attnlib.data import PAD
from attnlib.masking import lengths_to_mask


@wrong("the short rows of the caller are filled up in place")
def pad(sentences):
    longest = max(len(s) for s in sentences)
    lengths = torch.tensor([len(s) for s in sentences])
    for s in sentences:
        s += [PAD] * (longest - len(s))
    return torch.tensor(sentences), lengths_to_mask(lengths, longest)


@wrong("padding in front of the words")
def pad(sentences):
    longest = max(len(s) for s in sentences)
    table = torch.tensor([[PAD] * (longest - len(s)) + s for s in sentences])
    return table, table != PAD


@wrong("cuts all rows to the shortest instead of filling up to the longest")
def pad(sentences):
    shortest = min(len(s) for s in sentences)
    table = torch.tensor([s[:shortest] for s in sentences])
    return table, torch.ones_like(table, dtype=torch.bool)


@wrong("the mask is True at the padding")
def pad(sentences):
    longest = max(len(s) for s in sentences)
    table = torch.tensor([s + [PAD] * (longest - len(s)) for s in sentences])
    return table, table == PAD


@wrong("the lengths are taken after the filling, so the mask is True everywhere")
def pad(sentences):
    longest = max(len(s) for s in sentences)
    rows = [s + [PAD] * (longest - len(s)) for s in sentences]
    lengths = torch.tensor([len(row) for row in rows])
    return torch.tensor(rows), lengths_to_mask(lengths)


@wrong("the lengths come back in place of the mask")
def pad(sentences):
    longest = max(len(s) for s in sentences)
    rows = [s + [PAD] * (longest - len(s)) for s in sentences]
    return torch.tensor(rows), torch.tensor([len(s) for s in sentences])


@wrong("the last sentence is taken for the longest")
def pad(sentences):
    longest = len(sentences[-1])
    rows = [(s + [PAD] * longest)[:longest] for s in sentences]
    lengths = torch.tensor([min(len(s), longest) for s in sentences])
    return torch.tensor(rows), lengths_to_mask(lengths, longest)


@wrong("one column of padding too many: every row gets at least one PAD")
def pad(sentences):
    longest = max(len(s) for s in sentences) + 1
    rows = [s + [PAD] * (longest - len(s)) for s in sentences]
    lengths = torch.tensor([len(s) for s in sentences])
    return torch.tensor(rows), lengths_to_mask(lengths, longest)


@wrong("filled up with −1 instead of PAD")
def pad(sentences):
    longest = max(len(s) for s in sentences)
    table = torch.tensor([s + [-1] * (longest - len(s)) for s in sentences])
    return table, table != -1


@wrong("a table of floats, made by torch.zeros")
def pad(sentences):
    longest = max(len(s) for s in sentences)
    table = torch.zeros(len(sentences), longest)
    mask = torch.zeros(len(sentences), longest, dtype=torch.bool)
    for b, s in enumerate(sentences):
        table[b, : len(s)] = torch.tensor(s)
        mask[b, : len(s)] = True
    return table, mask


@right
def pad(sentences):
    lengths = [len(s) for s in sentences]
    table = torch.full((len(sentences), max(lengths)), PAD, dtype=torch.long)
    mask = torch.zeros_like(table, dtype=torch.bool)
    for b, s in enumerate(sentences):
        for j, token in enumerate(s):
            table[b, j] = token
            mask[b, j] = True
    return table, mask


@right
def pad(sentences):
    columns = list(itertools.zip_longest(*sentences, fillvalue=None))
    table = [[PAD if token is None else token for token in column] for column in columns]
    real = [[token is not None for token in column] for column in columns]
    return torch.tensor(table).T, torch.tensor(real).T
