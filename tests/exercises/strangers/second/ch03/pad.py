"""Answers to exercise ``pad``, written from its statement alone."""

import torch
from answering import right, wrong

from attnlib.data import PAD


@wrong("filled up at the front")
def pad(sentences):
    longest = max(len(s) for s in sentences)
    rows = [[PAD] * (longest - len(s)) + s for s in sentences]
    table = torch.tensor(rows)
    return table, torch.tensor([[False] * (longest - len(s)) + [True] * len(s) for s in sentences])


@wrong("the caller's lists are filled up")
def pad(sentences):
    longest = max(map(len, sentences))
    lengths = torch.tensor([len(s) for s in sentences])
    for s in sentences:
        s += [PAD] * (longest - len(s))
    return torch.tensor(sentences), torch.arange(longest) < lengths.unsqueeze(1)


@wrong("the mask is True at padding")
def pad(sentences):
    longest = max(map(len, sentences))
    table = torch.tensor([s + [PAD] * (longest - len(s)) for s in sentences])
    return table, table == PAD


# Written as wrong ("the mask is made of the numbers, so a token that is PAD inside a sentence is
# masked too"), and relabelled: no sentence holds PAD, so it is right for every input that there is.
@right
def pad(sentences):
    longest = max(map(len, sentences))
    table = torch.full((len(sentences), longest), PAD)
    for row, s in zip(table, sentences):
        row[: len(s)] = torch.tensor(s, dtype=torch.long)
    return table, table != PAD


@wrong("one column of padding too many")
def pad(sentences):
    longest = max(map(len, sentences)) + 1
    table = torch.tensor([s + [PAD] * (longest - len(s)) for s in sentences])
    lengths = torch.tensor([len(s) for s in sentences])
    return table, torch.arange(longest) < lengths.unsqueeze(1)


@wrong("the mask holds numbers, not booleans")
def pad(sentences):
    longest = max(map(len, sentences))
    table = torch.tensor([s + [PAD] * (longest - len(s)) for s in sentences])
    return table, torch.tensor([[1] * len(s) + [0] * (longest - len(s)) for s in sentences])


@wrong("takes the length of the first sentence for the longest")
def pad(sentences):
    longest = len(sentences[0])
    table = torch.tensor([s[:longest] + [PAD] * (longest - len(s)) for s in sentences])
    lengths = torch.tensor([len(s) for s in sentences])
    return table, torch.arange(longest) < lengths.unsqueeze(1)


@right
def pad(sentences):
    width = max(len(s) for s in sentences)
    table = torch.zeros(len(sentences), width, dtype=torch.long)
    mask = torch.zeros(len(sentences), width, dtype=torch.bool)
    for i, s in enumerate(sentences):
        for j, token in enumerate(s):
            table[i, j] = token
            mask[i, j] = True
    return table, mask


@right
def pad(sentences):
    rows = [torch.tensor(s, dtype=torch.long) for s in sentences]
    fill = torch.nn.utils.rnn.pad_sequence
    table = fill(rows, batch_first=True, padding_value=PAD)
    mask = fill([torch.ones(len(r), dtype=torch.bool) for r in rows], batch_first=True)
    return [table, mask]
