"""Answers to exercise ``make_batch``, written from its statement alone."""

import torch
from answering import right, wrong

from attnlib import data
from attnlib.data import BOS, EOS, PAD


@wrong("the source has no end")
def make_batch(src, tgt):
    src_table, src_mask = data.pad(src)
    tgt_in, tgt_mask = data.pad([[BOS, *s] for s in tgt])
    tgt_out, _ = data.pad([[*s, EOS] for s in tgt])
    return src_table, src_mask, tgt_in, tgt_out, tgt_mask


@wrong("the source gets a BOS as well")
def make_batch(src, tgt):
    src_table, src_mask = data.pad([[BOS, *s, EOS] for s in src])
    tgt_in, tgt_mask = data.pad([[BOS, *s] for s in tgt])
    tgt_out, _ = data.pad([[*s, EOS] for s in tgt])
    return src_table, src_mask, tgt_in, tgt_out, tgt_mask


@wrong("shifted after padding: short rows keep their EOS in tgt_in")
def make_batch(src, tgt):
    src_table, src_mask = data.pad([[*s, EOS] for s in src])
    whole, mask = data.pad([[BOS, *s, EOS] for s in tgt])
    return src_table, src_mask, whole[:, :-1], whole[:, 1:], mask[:, 1:]


@wrong("the mask is that of the table before the last column is cut off")
def make_batch(src, tgt):
    src_table, src_mask = data.pad([[*s, EOS] for s in src])
    tgt_in, _ = data.pad([[BOS, *s] for s in tgt])
    tgt_out, _ = data.pad([[*s, EOS] for s in tgt])
    _, mask = data.pad([[BOS, *s, EOS] for s in tgt])
    return src_table, src_mask, tgt_in, tgt_out, mask[:, :-1]


@wrong("tgt_in and tgt_out exchanged")
def make_batch(src, tgt):
    src_table, src_mask = data.pad([[*s, EOS] for s in src])
    tgt_in, tgt_mask = data.pad([[BOS, *s] for s in tgt])
    tgt_out, _ = data.pad([[*s, EOS] for s in tgt])
    return src_table, src_mask, tgt_out, tgt_in, tgt_mask


@wrong("both tables of the target begin with BOS and end with EOS: nothing is shifted")
def make_batch(src, tgt):
    src_table, src_mask = data.pad([[*s, EOS] for s in src])
    both, tgt_mask = data.pad([[BOS, *s, EOS] for s in tgt])
    return src_table, src_mask, both, both.clone(), tgt_mask


@wrong("EOS at the end of the padded table, behind the padding")
def make_batch(src, tgt):
    def column(token, rows):
        return torch.full((len(rows), 1), token)

    src_table, src_mask = data.pad([[*s, EOS] for s in src])
    words, real = data.pad(tgt)
    one = torch.ones(len(tgt), 1, dtype=torch.bool)
    tgt_in = torch.cat([column(BOS, tgt), words], dim=1)
    tgt_out = torch.cat([words, column(EOS, tgt)], dim=1)
    return src_table, src_mask, tgt_in, tgt_out, torch.cat([one, real], dim=1)


@wrong("tgt_out without EOS, the first word is skipped instead")
def make_batch(src, tgt):
    src_table, src_mask = data.pad([[*s, EOS] for s in src])
    tgt_in, tgt_mask = data.pad([[BOS, *s] for s in tgt])
    tgt_out, _ = data.pad([[*s[1:], EOS] for s in tgt])
    return src_table, src_mask, tgt_in, tgt_out, tgt_mask


@wrong("the target mask is missing: four tensors")
def make_batch(src, tgt):
    src_table, src_mask = data.pad([[*s, EOS] for s in src])
    tgt_in, _ = data.pad([[BOS, *s] for s in tgt])
    tgt_out, _ = data.pad([[*s, EOS] for s in tgt])
    return src_table, src_mask, tgt_in, tgt_out


@wrong("special tokens are appended to the caller's lists")
def make_batch(src, tgt):
    for sentence in src:
        sentence.append(EOS)
    src_table, src_mask = data.pad(src)
    tgt_in, tgt_mask = data.pad([[BOS, *s] for s in tgt])
    for sentence in tgt:
        sentence.append(EOS)
    return src_table, src_mask, tgt_in, data.pad(tgt)[0], tgt_mask


@wrong("the mask of the bare sentences: one column short")
def make_batch(src, tgt):
    src_table, src_mask = data.pad([[*s, EOS] for s in src])
    tgt_in, _ = data.pad([[BOS, *s] for s in tgt])
    tgt_out, _ = data.pad([[*s, EOS] for s in tgt])
    return src_table, src_mask, tgt_in, tgt_out, data.pad(tgt)[1]


@wrong("tables first, masks last")
def make_batch(src, tgt):
    src_table, src_mask = data.pad([[*s, EOS] for s in src])
    tgt_in, tgt_mask = data.pad([[BOS, *s] for s in tgt])
    tgt_out, _ = data.pad([[*s, EOS] for s in tgt])
    return src_table, tgt_in, tgt_out, src_mask, tgt_mask


@wrong("BOS and EOS exchanged")
def make_batch(src, tgt):
    src_table, src_mask = data.pad([[*s, BOS] for s in src])
    tgt_in, tgt_mask = data.pad([[EOS, *s] for s in tgt])
    tgt_out, _ = data.pad([[*s, BOS] for s in tgt])
    return src_table, src_mask, tgt_in, tgt_out, tgt_mask


@right
def make_batch(src, tgt):
    before, behind = [], []
    for sentence in tgt:
        before.append([BOS] + list(sentence))
        behind.append(list(sentence) + [EOS])
    (x, x_mask), (y_in, mask) = data.pad([s + [EOS] for s in src]), data.pad(before)
    y_out, same = data.pad(behind)
    assert torch.equal(mask, same)
    return [x, x_mask, y_in, y_out, mask]


@right
def make_batch(src, tgt):
    def table(rows):
        size = max(len(row) for row in rows)
        numbers = torch.tensor([row + [PAD] * (size - len(row)) for row in rows])
        real = torch.tensor([[j < len(row) for j in range(size)] for row in rows])
        return numbers, real

    tgt_in, tgt_mask = table([[BOS, *s] for s in tgt])
    following = torch.cat([tgt_in[:, 1:], torch.full((len(tgt), 1), PAD)], dim=1)
    ends = tgt_mask.sum(1) - 1
    following[torch.arange(len(tgt)), ends] = EOS
    return (*table([[*s, EOS] for s in src]), tgt_in, following, tgt_mask)
